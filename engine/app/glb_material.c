/* glb_material.c: materials of a .glb file, their textures and pictures. */
#include <math.h>

#include "glb.h"

const char *const GLB_EXTENSION_NAMES[GLB_EXTENSION_COUNT] = {
    [GLB_STRENGTH] = "KHR_materials_emissive_strength",
    [GLB_SPECULAR] = "KHR_materials_specular",
    [GLB_UNLIT] = "KHR_materials_unlit",
};

/* ---- Textures ---- */

/* The index of a picture, which is added once. */
static uint64_t imageOf(Glb *glb, int32_t texture) {
    uint64_t *known = &glb->images[texture];
    if (*known == 0) {
        cJSON *image = glbAdd(glb, GLB_IMAGES);
        GLB_SET(glb, image, jsonText("name", glb->pictures->model->textures[texture].name),
                jsonText("mimeType", "image/png"),
                jsonCount("bufferView", glbView(glb, 0, GLB_NO_TARGET, glb->pictures->bytes[texture], GLB_BYTE,
                                                glb->pictures->sizes[texture])));
        *known = glb->counts[GLB_IMAGES];
    }
    return *known - 1;
}

/* The index of a picture with how it ends at its border: a texture with a sampler of its own, added once. */
static uint64_t textureOf(Glb *glb, int32_t texture, const ModelWrap wrap[2]) {
    static const uint64_t modes[MODEL_WRAP_COUNT] = {
        [MODEL_WRAP_REPEAT] = 10497, [MODEL_WRAP_CLAMP] = 33071, [MODEL_WRAP_MIRROR] = 33648};
    uint64_t *known = &glb->textures[((size_t)texture * MODEL_WRAP_COUNT + wrap[0]) * MODEL_WRAP_COUNT + wrap[1]];
    if (*known == 0) {
        const uint64_t image = imageOf(glb, texture);
        cJSON *row = glbAdd(glb, GLB_TEXTURES), *sampler = glbAdd(glb, GLB_SAMPLERS);
        GLB_SET(glb, row, jsonCount("source", image), jsonCount("sampler", glbLast(glb, GLB_SAMPLERS)));
        GLB_SET(glb, sampler, jsonCount("wrapS", modes[wrap[0]]), jsonCount("wrapT", modes[wrap[1]]));
        *known = glb->counts[GLB_TEXTURES];
    }
    return *known - 1;
}

/* ---- Materials ---- */

/* At the index of refraction 1.5. KHR_materials_specular states a factor of it. */
#define USUAL_REFLECTANCE 0.04f

/* The extensions that a material needs, as bits. */
static unsigned extensionsOf(const ModelMaterial *material) {
    const float *emission = material->emission, *specular = material->specular;
    const bool strong = emission[0] > 1.0f || emission[1] > 1.0f || emission[2] > 1.0f;
    const bool usual =
        specular[0] == USUAL_REFLECTANCE && specular[1] == USUAL_REFLECTANCE && specular[2] == USUAL_REFLECTANCE;
    return (strong ? 1u << GLB_STRENGTH : 0) | (usual ? 0 : 1u << GLB_SPECULAR) |
           (material->unlit ? 1u << GLB_UNLIT : 0);
}

/* The names of members that a material may lack: null then. */
#define MAP(title, map, more, value)                                                                                   \
    JSON_OBJECT(material->maps[map] >= 0 ? (title) : NULL, jsonCount("index", maps[map]), jsonNumber(more, value))
#define EXTENSION(bit, value) JSON_OBJECT(needed & 1u << (bit) ? GLB_EXTENSION_NAMES[bit] : NULL, value)

/* Emission is at most 1, times a strength. */
static void fillMaterial(Glb *glb, const ModelMaterial *material, const uint64_t maps[MODEL_MAP_COUNT], cJSON *object) {
    static const char *const modes[] = {
        [MODEL_ALPHA_OPAQUE] = "OPAQUE", [MODEL_ALPHA_MASK] = "MASK", [MODEL_ALPHA_BLEND] = "BLEND"};
    const unsigned needed = extensionsOf(material);
    const float *light = material->emission;
    const float strength = fmaxf(fmaxf(light[0], light[1]), fmaxf(light[2], 1.0f));
    float emission[3], specular[3];
    for (int channel = 0; channel < 3; channel++) {
        emission[channel] = light[channel] / strength;
        specular[channel] = material->specular[channel] / USUAL_REFLECTANCE;
    }
    glb->extensions |= needed;
    GLB_SET(glb, object, jsonText("name", material->name),
            JSON_OBJECT("pbrMetallicRoughness", jsonFloats("baseColorFactor", material->baseColor, 4),
                        jsonNumber("metallicFactor", material->metallic),
                        jsonNumber("roughnessFactor", material->roughness),
                        MAP("baseColorTexture", MODEL_MAP_BASE, NULL, 0.0),
                        MAP("metallicRoughnessTexture", MODEL_MAP_SURFACE, NULL, 0.0)),
            MAP("normalTexture", MODEL_MAP_NORMAL, "scale", material->normalScale),
            MAP("occlusionTexture", MODEL_MAP_OCCLUSION, "strength", material->occlusion),
            JSON_OBJECT(needed ? "extensions" : NULL, EXTENSION(GLB_STRENGTH, jsonNumber("emissiveStrength", strength)),
                        EXTENSION(GLB_SPECULAR, jsonFloats("specularColorFactor", specular, 3)),
                        EXTENSION(GLB_UNLIT, jsonText(NULL, NULL))),
            jsonFloats("emissiveFactor", emission, 3), MAP("emissiveTexture", MODEL_MAP_EMISSION, NULL, 0.0),
            jsonText("alphaMode", modes[material->alpha]),
            jsonNumber(material->alpha == MODEL_ALPHA_MASK ? "alphaCutoff" : NULL, material->alphaCutoff),
            jsonFlag("doubleSided", !material->oneSided));
}

uint64_t glbMaterial(Glb *glb, const ModelMaterial *material) {
    static const ModelMap order[MODEL_MAP_COUNT] = {MODEL_MAP_BASE, MODEL_MAP_SURFACE, MODEL_MAP_NORMAL,
                                                    MODEL_MAP_OCCLUSION, MODEL_MAP_EMISSION};
    uint64_t maps[MODEL_MAP_COUNT] = {0};
    cJSON *object = glbAdd(glb, GLB_MATERIALS);
    for (int i = 0; i < MODEL_MAP_COUNT && glb->good; i++) {
        const int32_t texture = material->maps[order[i]];
        maps[order[i]] = texture >= 0 ? textureOf(glb, texture, material->wraps[order[i]]) : 0;
    }
    fillMaterial(glb, material, maps, object);
    return glbLast(glb, GLB_MATERIALS);
}
