/* glb_material.c: materials of a .glb file, their textures and pictures. */
#include "glb.h"
#include "outputs.h"

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
        jsonAddText(image, "name", glb->pictures->model->textures[texture].name, &glb->good);
        jsonAddText(image, "mimeType", "image/png", &glb->good);
        jsonAddCount(image, "bufferView", glbBeginView(glb, 0, GLB_NO_TARGET), &glb->good);
        (void)glbBytes(glb, glb->pictures->bytes[texture], glb->pictures->sizes[texture]);
        glbEndView(glb);
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
        jsonAddCount(row, "source", image, &glb->good);
        jsonAddCount(row, "sampler", glbLast(glb, GLB_SAMPLERS), &glb->good);
        jsonAddCount(sampler, "wrapS", modes[wrap[0]], &glb->good);
        jsonAddCount(sampler, "wrapT", modes[wrap[1]], &glb->good);
        *known = glb->counts[GLB_TEXTURES];
    }
    return *known - 1;
}

/* Null: the material does not have it. */
static cJSON *addMap(Glb *glb, cJSON *owner, const char *name, const ModelMaterial *material, ModelMap map) {
    if (material->maps[map] < 0 || !glb->good) {
        return NULL;
    }
    cJSON *texture = jsonAddObject(owner, name, &glb->good);
    jsonAddCount(texture, "index", textureOf(glb, material->maps[map], material->wraps[map]), &glb->good);
    return texture;
}

/* ---- Materials ---- */

static void addSurface(Glb *glb, cJSON *object, const ModelMaterial *material) {
    cJSON *surface = jsonAddObject(object, "pbrMetallicRoughness", &glb->good);
    glbNumbers(glb, surface, "baseColorFactor", material->baseColor, 4);
    jsonAddNumber(surface, "metallicFactor", (double)material->metallic, &glb->good);
    jsonAddNumber(surface, "roughnessFactor", (double)material->roughness, &glb->good);
    addMap(glb, surface, "baseColorTexture", material, MODEL_MAP_BASE);
    addMap(glb, surface, "metallicRoughnessTexture", material, MODEL_MAP_SURFACE);
    cJSON *normal = addMap(glb, object, "normalTexture", material, MODEL_MAP_NORMAL);
    cJSON *occlusion = addMap(glb, object, "occlusionTexture", material, MODEL_MAP_OCCLUSION);
    if (normal) {
        jsonAddNumber(normal, "scale", (double)material->normalScale, &glb->good);
    }
    if (occlusion) {
        jsonAddNumber(occlusion, "strength", (double)material->occlusion, &glb->good);
    }
}

/* At the index of refraction 1.5. KHR_materials_specular states a factor of it. */
#define USUAL_REFLECTANCE 0.04f

static float largest(const float colour[3]) {
    const float two = colour[0] > colour[1] ? colour[0] : colour[1];
    return two > colour[2] ? two : colour[2];
}

/* Whether a material needs an extension. */
static bool needs(const ModelMaterial *material, GlbExtension extension) {
    bool usual = true;
    for (int channel = 0; channel < 3; channel++) {
        usual = usual && material->specular[channel] == USUAL_REFLECTANCE;
    }
    return extension == GLB_STRENGTH   ? largest(material->emission) > 1.0f
           : extension == GLB_SPECULAR ? !usual
                                       : material->unlit;
}

/* Emission is at most 1, times a strength. */
static void addEmission(Glb *glb, cJSON *object, cJSON *extensions, const ModelMaterial *material) {
    const float strength = largest(material->emission) > 1.0f ? largest(material->emission) : 1.0f;
    float emission[3];
    for (int channel = 0; channel < 3; channel++) {
        emission[channel] = material->emission[channel] / strength;
    }
    glbNumbers(glb, object, "emissiveFactor", emission, 3);
    addMap(glb, object, "emissiveTexture", material, MODEL_MAP_EMISSION);
    if (needs(material, GLB_STRENGTH)) {
        jsonAddNumber(jsonAddObject(extensions, GLB_EXTENSION_NAMES[GLB_STRENGTH], &glb->good), "emissiveStrength",
                      (double)strength, &glb->good);
    }
}

static void addExtensions(Glb *glb, cJSON *object, const ModelMaterial *material) {
    unsigned needed = 0;
    for (unsigned i = 0; i < GLB_EXTENSION_COUNT; i++) {
        needed |= needs(material, (GlbExtension)i) ? 1u << i : 0;
    }
    glb->extensions |= needed;
    cJSON *extensions = needed ? jsonAddObject(object, "extensions", &glb->good) : NULL;
    addEmission(glb, object, extensions, material);
    if (needs(material, GLB_SPECULAR)) {
        float colour[3];
        for (int channel = 0; channel < 3; channel++) {
            colour[channel] = material->specular[channel] / USUAL_REFLECTANCE;
        }
        glbNumbers(glb, jsonAddObject(extensions, GLB_EXTENSION_NAMES[GLB_SPECULAR], &glb->good), "specularColorFactor",
                   colour, 3);
    }
    if (needs(material, GLB_UNLIT)) {
        jsonAddObject(extensions, GLB_EXTENSION_NAMES[GLB_UNLIT], &glb->good);
    }
}

uint64_t glbMaterial(Glb *glb, const ModelMaterial *material) {
    static const char *const modes[] = {
        [MODEL_ALPHA_OPAQUE] = "OPAQUE", [MODEL_ALPHA_MASK] = "MASK", [MODEL_ALPHA_BLEND] = "BLEND"};
    cJSON *object = glbAdd(glb, GLB_MATERIALS);
    jsonAddText(object, "name", material->name, &glb->good);
    addSurface(glb, object, material);
    addExtensions(glb, object, material);
    jsonAddText(object, "alphaMode", modes[material->alpha], &glb->good);
    if (material->alpha == MODEL_ALPHA_MASK) {
        jsonAddNumber(object, "alphaCutoff", (double)material->alphaCutoff, &glb->good);
    }
    jsonAdd(object, "doubleSided", cJSON_CreateBool(!material->oneSided), &glb->good);
    return glbLast(glb, GLB_MATERIALS);
}
