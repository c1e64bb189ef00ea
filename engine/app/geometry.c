#include "geometry.h"

#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "files.h"
#include "outputs.h"
#include "terminal.h"

const char *const GEOMETRY_ENDINGS[] = {
    [GEOMETRY_OBJ] = ".obj", [GEOMETRY_PLY] = ".ply", [GEOMETRY_GLB] = ".glb", NULL};

bool geometryCreate(const GeometrySize *size, Geometry *geometry) {
    const uint32_t vertexCount = (uint32_t)size->vertices, indexCount = (uint32_t)size->indices;
    *geometry = (Geometry){.vertexCount = vertexCount, .indexCount = indexCount, .partCount = size->parts};
    geometry->positions = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->normals = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->texcoords = size->texcoords ? calloc((size_t)vertexCount * 2, sizeof(float)) : NULL;
    geometry->colours = size->colours ? calloc((size_t)vertexCount * 4, sizeof(float)) : NULL;
    geometry->indices = calloc((size_t)indexCount, sizeof(uint32_t));
    geometry->parts = calloc(size->parts, sizeof(GeometryPart));
    if (!geometry->positions || !geometry->normals || (size->texcoords && !geometry->texcoords) ||
        (size->colours && !geometry->colours) || !geometry->indices || !geometry->parts) {
        geometryFree(geometry);
        return false;
    }
    return true;
}

void geometryFree(Geometry *geometry) {
    free(geometry->positions);
    free(geometry->normals);
    free(geometry->texcoords);
    free(geometry->colours);
    free(geometry->indices);
    free(geometry->parts);
    *geometry = (Geometry){0};
}

/* ---- OBJ ---- */

static void writeObjVertices(FILE *file, const Geometry *geometry) {
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        const float *p = geometry->positions + (size_t)i * 3;
        fprintf(file, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    /* In OBJ (0, 0) is the lower left of the image. */
    for (uint32_t i = 0; i < geometry->vertexCount && geometry->texcoords; i++) {
        const float *t = geometry->texcoords + (size_t)i * 2;
        fprintf(file, "vt %.9g %.9g\n", (double)t[0], 1.0 - (double)t[1]);
    }
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        const float *n = geometry->normals + (size_t)i * 3;
        fprintf(file, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
    }
}

static void writeObjFaces(FILE *file, const Geometry *geometry, const GeometryPart *part) {
    fputs("o ", file);
    sayClean(file, part->name);
    fputs("\nusemtl ", file);
    sayClean(file, part->material->name[0] ? part->material->name : "none");
    fputc('\n', file);
    for (uint32_t i = 0; i < part->indexCount; i += 3) {
        const uint32_t *corner = geometry->indices + part->firstIndex + i;
        uint32_t a = corner[0] + 1, b = corner[1] + 1, c = corner[2] + 1;
        if (geometry->texcoords) {
            fprintf(file, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
        } else {
            fprintf(file, "f %u//%u %u//%u %u//%u\n", a, a, b, b, c, c);
        }
    }
}

static void writeObj(FILE *file, const Geometry *geometry, const char *comment) {
    fputs("# ", file);
    sayClean(file, comment);
    fputc('\n', file);
    writeObjVertices(file, geometry);
    for (uint32_t i = 0; i < geometry->partCount; i++) {
        writeObjFaces(file, geometry, &geometry->parts[i]);
    }
}

/* ---- PLY ---- */

static void writePlyHead(FILE *file, const Geometry *geometry, const char *comment) {
    const uint16_t probe = 1;
    bool little = *(const uint8_t *)&probe == 1;
    fprintf(file, "ply\nformat binary_%s_endian 1.0\ncomment ", little ? "little" : "big");
    sayClean(file, comment);
    fprintf(file, "\nelement vertex %u\n", geometry->vertexCount);
    fputs("property float x\nproperty float y\nproperty float z\n", file);
    fputs("property float nx\nproperty float ny\nproperty float nz\n", file);
    if (geometry->texcoords) {
        fputs("property float s\nproperty float t\n", file);
    }
    fprintf(file, "element face %u\nproperty list uchar int vertex_indices\nend_header\n", geometry->indexCount / 3);
}

static void writePly(FILE *file, const Geometry *geometry, const char *comment) {
    writePlyHead(file, geometry, comment);
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        fwrite(geometry->positions + (size_t)i * 3, sizeof(float), 3, file);
        fwrite(geometry->normals + (size_t)i * 3, sizeof(float), 3, file);
        if (geometry->texcoords) {
            const float *t = geometry->texcoords + (size_t)i * 2;
            const float lowerLeft[2] = {t[0], 1.0f - t[1]};
            fwrite(lowerLeft, sizeof(float), 2, file);
        }
    }
    for (uint32_t i = 0; i < geometry->indexCount; i += 3) {
        fputc(3, file);
        fwrite(geometry->indices + i, sizeof(uint32_t), 3, file);
    }
}

/* ---- GLB: glTF 2.0 in one binary file, with materials and their pictures ---- */

static size_t padded(size_t size) {
    return (size + 3) / 4 * 4;
}

/* ---- GLB: the document ---- */

/* A texture of the file: a picture and how it ends at its border. */
typedef struct GlbTexture {
    int32_t texture; /* index in the model */
    ModelWrap wrap[2];
} GlbTexture;

/* The file's document while it is made. */
typedef struct Glb {
    const Geometry *geometry;
    const GlbPictures *pictures;
    cJSON *object;
    GlbTexture *textures; /* [textureCount] */
    uint32_t textureCount;
    bool good;
} Glb;

/* The views of the binary chunk. An optional one that is absent is NONE. */
#define NONE UINT64_MAX

typedef struct Views {
    uint64_t positions, normals, texcoords, colours, indices;
} Views;

enum { COMPONENT_FLOAT = 5126, COMPONENT_UINT = 5125, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

/* Appends a view. Returns its index. stride, target: 0: none. */
static uint64_t addView(cJSON *views, uint64_t *offset, uint64_t size, uint64_t stride, int target, bool *good) {
    cJSON *view = jsonAddRow(views, good);
    jsonAddCount(view, "buffer", 0, good);
    jsonAddCount(view, "byteOffset", *offset, good);
    jsonAddCount(view, "byteLength", size, good);
    if (stride > 0) {
        jsonAddCount(view, "byteStride", stride, good);
    }
    if (target > 0) {
        jsonAddCount(view, "target", (uint64_t)target, good);
    }
    *offset += padded(size);
    return (uint64_t)cJSON_GetArraySize(views) - 1;
}

/* Adds the views, and an image for each picture. *size: of the binary chunk, a multiple of 4. */
static Views addViews(Glb *glb, uint64_t *size) {
    const Geometry *geometry = glb->geometry;
    const uint64_t vertices = geometry->vertexCount;
    cJSON *list = jsonAddArray(glb->object, "bufferViews", &glb->good);
    cJSON *images = NULL;
    Views views = {.texcoords = NONE, .colours = NONE};
    *size = 0;
    views.positions = addView(list, size, vertices * 12, 12, TARGET_VERTICES, &glb->good);
    views.normals = addView(list, size, vertices * 12, 12, TARGET_VERTICES, &glb->good);
    if (geometry->texcoords) {
        views.texcoords = addView(list, size, vertices * 8, 8, TARGET_VERTICES, &glb->good);
    }
    if (geometry->colours) {
        views.colours = addView(list, size, vertices * 16, 16, TARGET_VERTICES, &glb->good);
    }
    views.indices = addView(list, size, (uint64_t)geometry->indexCount * 4, 0, TARGET_INDICES, &glb->good);
    for (uint32_t i = 0; i < glb->pictures->count; i++) {
        if (glb->pictures->bytes[i]) {
            images = images ? images : jsonAddArray(glb->object, "images", &glb->good);
            cJSON *image = jsonAddRow(images, &glb->good);
            jsonAddText(image, "name", glb->pictures->model->textures[i].name, &glb->good);
            jsonAddText(image, "mimeType", "image/png", &glb->good);
            jsonAddCount(image, "bufferView", addView(list, size, glb->pictures->sizes[i], 0, 0, &glb->good),
                         &glb->good);
        }
    }
    jsonAddCount(jsonAddRow(jsonAddArray(glb->object, "buffers", &glb->good), &glb->good), "byteLength", *size,
                 &glb->good);
    return views;
}

/* An accessor of all of a part's vertices or indices. Its index is that in the array. */
static cJSON *addAccessor(cJSON *accessors, uint64_t view, uint64_t offset, uint64_t count, const char *type,
                          bool *good) {
    cJSON *accessor = jsonAddRow(accessors, good);
    jsonAddCount(accessor, "bufferView", view, good);
    jsonAddCount(accessor, "byteOffset", offset, good);
    jsonAddCount(accessor, "componentType", strcmp(type, "SCALAR") == 0 ? COMPONENT_UINT : COMPONENT_FLOAT, good);
    jsonAddCount(accessor, "count", count, good);
    jsonAddText(accessor, "type", type, good);
    return accessor;
}

static void addBox(cJSON *accessor, const float *positions, uint32_t count, bool *good) {
    Bounds box = boundsEmpty();
    for (uint32_t i = 0; i < count; i++) {
        boundsAddPoint(&box, positions + (size_t)i * 3);
    }
    jsonAdd(accessor, "min", cJSON_CreateFloatArray(box.min, 3), good);
    jsonAdd(accessor, "max", cJSON_CreateFloatArray(box.max, 3), good);
}

static void addAttribute(cJSON *accessors, cJSON *attributes, const char *name, uint64_t view, uint64_t offset,
                         uint64_t count, const char *type, bool *good) {
    jsonAddCount(attributes, name, (uint64_t)cJSON_GetArraySize(accessors), good);
    addAccessor(accessors, view, offset, count, type, good);
}

static void addMesh(Glb *glb, const Views *views, cJSON *meshes, cJSON *accessors, const GeometryPart *part,
                    uint64_t material) {
    const uint64_t first = part->firstVertex, count = part->vertexCount;
    bool *good = &glb->good;
    cJSON *mesh = jsonAddRow(meshes, good);
    jsonAddText(mesh, "name", part->name, good);
    cJSON *primitive = jsonAddRow(jsonAddArray(mesh, "primitives", good), good);
    cJSON *attributes = jsonAddObject(primitive, "attributes", good);
    addAttribute(accessors, attributes, "POSITION", views->positions, first * 12, count, "VEC3", good);
    addBox(cJSON_GetArrayItem(accessors, cJSON_GetArraySize(accessors) - 1), glb->geometry->positions + first * 3,
           part->vertexCount, good);
    addAttribute(accessors, attributes, "NORMAL", views->normals, first * 12, count, "VEC3", good);
    if (part->texcoords) {
        addAttribute(accessors, attributes, "TEXCOORD_0", views->texcoords, first * 8, count, "VEC2", good);
    }
    if (part->colours) {
        addAttribute(accessors, attributes, "COLOR_0", views->colours, first * 16, count, "VEC4", good);
    }
    jsonAddCount(primitive, "indices", (uint64_t)cJSON_GetArraySize(accessors), good);
    addAccessor(accessors, views->indices, (uint64_t)part->firstIndex * 4, part->indexCount, "SCALAR", good);
    jsonAddCount(primitive, "material", material, good);
}

/* ---- GLB: materials ---- */

/* The index of a map among the file's textures. */
static uint64_t textureIndex(Glb *glb, const ModelMaterial *material, ModelMap map) {
    const ModelWrap *wrap = material->wraps[map];
    for (uint32_t i = 0; i < glb->textureCount; i++) {
        const GlbTexture *known = &glb->textures[i];
        if (known->texture == material->maps[map] && known->wrap[0] == wrap[0] && known->wrap[1] == wrap[1]) {
            return i;
        }
    }
    glb->textures[glb->textureCount] = (GlbTexture){material->maps[map], {wrap[0], wrap[1]}};
    return glb->textureCount++;
}

/* Null: the material does not have it. */
static cJSON *addMap(Glb *glb, cJSON *owner, const char *name, const ModelMaterial *material, ModelMap map) {
    if (material->maps[map] < 0) {
        return NULL;
    }
    cJSON *texture = jsonAddObject(owner, name, &glb->good);
    jsonAddCount(texture, "index", textureIndex(glb, material, map), &glb->good);
    return texture;
}

static void addNumbers(cJSON *owner, const char *name, const float *values, int count, bool *good) {
    jsonAdd(owner, name, cJSON_CreateFloatArray(values, count), good);
}

static void addSurface(Glb *glb, cJSON *object, const ModelMaterial *material) {
    cJSON *surface = jsonAddObject(object, "pbrMetallicRoughness", &glb->good);
    addNumbers(surface, "baseColorFactor", material->baseColor, 4, &glb->good);
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

/* The names of extensions, for addMaterial and the list of those used. */
enum { STRENGTH, SPECULAR, UNLIT, EXTENSION_COUNT };
static const char *const EXTENSIONS[EXTENSION_COUNT] = {
    [STRENGTH] = "KHR_materials_emissive_strength",
    [SPECULAR] = "KHR_materials_specular",
    [UNLIT] = "KHR_materials_unlit",
};

static float largest(const float colour[3]) {
    const float two = colour[0] > colour[1] ? colour[0] : colour[1];
    return two > colour[2] ? two : colour[2];
}

/* Whether a material needs an extension. */
static bool needs(const ModelMaterial *material, int extension) {
    bool usual = true;
    for (int channel = 0; channel < 3; channel++) {
        usual = usual && material->specular[channel] == USUAL_REFLECTANCE;
    }
    return extension == STRENGTH   ? largest(material->emission) > 1.0f
           : extension == SPECULAR ? !usual
                                   : material->unlit;
}

/* Emission is at most 1, times a strength. */
static void addEmission(Glb *glb, cJSON *object, cJSON *extensions, const ModelMaterial *material) {
    const float strength = largest(material->emission) > 1.0f ? largest(material->emission) : 1.0f;
    float emission[3];
    for (int channel = 0; channel < 3; channel++) {
        emission[channel] = material->emission[channel] / strength;
    }
    addNumbers(object, "emissiveFactor", emission, 3, &glb->good);
    addMap(glb, object, "emissiveTexture", material, MODEL_MAP_EMISSION);
    if (needs(material, STRENGTH)) {
        jsonAddNumber(jsonAddObject(extensions, EXTENSIONS[STRENGTH], &glb->good), "emissiveStrength", (double)strength,
                      &glb->good);
    }
}

static void addExtensions(Glb *glb, cJSON *object, const ModelMaterial *material) {
    const bool any = needs(material, STRENGTH) || needs(material, SPECULAR) || needs(material, UNLIT);
    cJSON *extensions = any ? jsonAddObject(object, "extensions", &glb->good) : NULL;
    addEmission(glb, object, extensions, material);
    if (needs(material, SPECULAR)) {
        float colour[3];
        for (int channel = 0; channel < 3; channel++) {
            colour[channel] = material->specular[channel] / USUAL_REFLECTANCE;
        }
        addNumbers(jsonAddObject(extensions, EXTENSIONS[SPECULAR], &glb->good), "specularColorFactor", colour, 3,
                   &glb->good);
    }
    if (needs(material, UNLIT)) {
        jsonAddObject(extensions, EXTENSIONS[UNLIT], &glb->good);
    }
}

static void addMaterial(Glb *glb, cJSON *object, const ModelMaterial *material) {
    static const char *const modes[] = {
        [MODEL_ALPHA_OPAQUE] = "OPAQUE", [MODEL_ALPHA_MASK] = "MASK", [MODEL_ALPHA_BLEND] = "BLEND"};
    jsonAddText(object, "name", material->name, &glb->good);
    addSurface(glb, object, material);
    addExtensions(glb, object, material);
    jsonAddText(object, "alphaMode", modes[material->alpha], &glb->good);
    if (material->alpha == MODEL_ALPHA_MASK) {
        jsonAddNumber(object, "alphaCutoff", (double)material->alphaCutoff, &glb->good);
    }
    jsonAdd(object, "doubleSided", cJSON_CreateBool(!material->oneSided), &glb->good);
}

/* Adds the materials of the parts, each once. indices: receives that of each part. */
static void addMaterials(Glb *glb, uint64_t *indices) {
    const Geometry *geometry = glb->geometry;
    cJSON *materials = jsonAddArray(glb->object, "materials", &glb->good);
    bool used[EXTENSION_COUNT] = {false};
    uint64_t count = 0;
    for (uint32_t i = 0; i < geometry->partCount; i++) {
        uint32_t same = 0;
        while (geometry->parts[same].material != geometry->parts[i].material) {
            same++;
        }
        indices[i] = same < i ? indices[same] : count++;
        if (same == i) {
            addMaterial(glb, jsonAddRow(materials, &glb->good), geometry->parts[i].material);
        }
        for (int extension = 0; extension < EXTENSION_COUNT; extension++) {
            used[extension] = used[extension] || needs(geometry->parts[i].material, extension);
        }
    }
    cJSON *list = used[STRENGTH] || used[SPECULAR] || used[UNLIT]
                      ? jsonAddArray(glb->object, "extensionsUsed", &glb->good)
                      : NULL;
    for (int extension = 0; extension < EXTENSION_COUNT && list; extension++) {
        glb->good =
            glb->good && (!used[extension] || cJSON_AddItemToArray(list, cJSON_CreateString(EXTENSIONS[extension])));
    }
}

/* Adds the textures that the materials refer to, each with a sampler of its own. */
static void addTextures(Glb *glb) {
    static const int modes[MODEL_WRAP_COUNT] = {
        [MODEL_WRAP_REPEAT] = 10497, [MODEL_WRAP_CLAMP] = 33071, [MODEL_WRAP_MIRROR] = 33648};
    cJSON *textures = glb->textureCount > 0 ? jsonAddArray(glb->object, "textures", &glb->good) : NULL;
    cJSON *samplers = glb->textureCount > 0 ? jsonAddArray(glb->object, "samplers", &glb->good) : NULL;
    for (uint32_t i = 0; i < glb->textureCount; i++) {
        const GlbTexture *texture = &glb->textures[i];
        uint64_t image = 0;
        for (int32_t before = 0; before < texture->texture; before++) {
            image += glb->pictures->bytes[before] != NULL;
        }
        cJSON *row = jsonAddRow(textures, &glb->good), *sampler = jsonAddRow(samplers, &glb->good);
        jsonAddCount(row, "source", image, &glb->good);
        jsonAddCount(row, "sampler", i, &glb->good);
        jsonAddCount(sampler, "wrapS", (uint64_t)modes[texture->wrap[0]], &glb->good);
        jsonAddCount(sampler, "wrapT", (uint64_t)modes[texture->wrap[1]], &glb->good);
    }
}

/* ---- GLB: the file ---- */

/* A part without triangles is left out: an accessor must not be empty. */
static void addParts(Glb *glb, const Views *views, const uint64_t *materials, cJSON *children) {
    const Geometry *geometry = glb->geometry;
    cJSON *nodes = cJSON_GetObjectItemCaseSensitive(glb->object, "nodes");
    cJSON *meshes = jsonAddArray(glb->object, "meshes", &glb->good);
    cJSON *accessors = jsonAddArray(glb->object, "accessors", &glb->good);
    for (uint32_t i = 0; i < geometry->partCount && glb->good; i++) {
        const GeometryPart *part = &geometry->parts[i];
        if (part->indexCount == 0) {
            continue;
        }
        addMesh(glb, views, meshes, accessors, part, materials[i]);
        glb->good = glb->good && cJSON_AddItemToArray(children, cJSON_CreateNumber(cJSON_GetArraySize(nodes)));
        cJSON *node = jsonAddRow(nodes, &glb->good);
        jsonAddText(node, "name", part->name, &glb->good);
        jsonAddCount(node, "mesh", (uint64_t)cJSON_GetArraySize(meshes) - 1, &glb->good);
    }
}

/* The scene with its root, which turns to y up and metres. Returns the list of its children. */
static cJSON *addScene(Glb *glb, const char *comment) {
    const int zero = 0;
    float matrix[16] = {[15] = 1.0f};
    cJSON *asset = jsonAddObject(glb->object, "asset", &glb->good);
    jsonAddText(asset, "generator", comment, &glb->good); /* files.c looks for it there */
    jsonAddText(asset, "version", "2.0", &glb->good);
    jsonAddCount(glb->object, "scene", 0, &glb->good);
    cJSON *scene = jsonAddRow(jsonAddArray(glb->object, "scenes", &glb->good), &glb->good);
    jsonAdd(scene, "nodes", cJSON_CreateIntArray(&zero, 1), &glb->good);
    cJSON *root = jsonAddRow(jsonAddArray(glb->object, "nodes", &glb->good), &glb->good);
    for (size_t i = 0; i < 9; i++) {
        matrix[4 * (i % 3) + i / 3] = glb->geometry->toMetres[i / 3][i % 3];
    }
    jsonAdd(root, "matrix", cJSON_CreateFloatArray(matrix, 16), &glb->good);
    return jsonAddArray(root, "children", &glb->good);
}

/* The JSON chunk, for cJSON_free, and the size of the other one. Null: out of memory. */
static char *glbJson(const Geometry *geometry, const GlbPictures *pictures, const char *comment, uint64_t *binary) {
    Glb glb = {.geometry = geometry, .pictures = pictures, .object = cJSON_CreateObject(), .good = true};
    uint64_t *materials = calloc((size_t)geometry->partCount + 1, sizeof *materials);
    glb.textures = calloc((size_t)geometry->partCount * MODEL_MAP_COUNT + 1, sizeof *glb.textures);
    cJSON *children = addScene(&glb, comment);
    glb.good = glb.good && materials && glb.textures;
    if (glb.good) {
        addMaterials(&glb, materials);
        addTextures(&glb);
        const Views views = addViews(&glb, binary);
        addParts(&glb, &views, materials, children);
    }
    free(materials);
    free(glb.textures);
    char *text = glb.good ? cJSON_PrintUnformatted(glb.object) : NULL;
    cJSON_Delete(glb.object);
    return text;
}

static void writeWord(FILE *file, uint64_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        fputc((int)(word >> shift & 0xff), file);
    }
}

/* As little-endian words of 32 bits. */
static void writeWords(FILE *file, const void *words, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + i * 4, sizeof word);
        writeWord(file, word);
    }
}

static void writeBinary(FILE *file, const Geometry *geometry, const GlbPictures *pictures) {
    writeWords(file, geometry->positions, (uint64_t)geometry->vertexCount * 3);
    writeWords(file, geometry->normals, (uint64_t)geometry->vertexCount * 3);
    writeWords(file, geometry->texcoords, geometry->texcoords ? (uint64_t)geometry->vertexCount * 2 : 0);
    writeWords(file, geometry->colours, geometry->colours ? (uint64_t)geometry->vertexCount * 4 : 0);
    for (uint32_t i = 0; i < geometry->partCount; i++) {
        const GeometryPart *part = &geometry->parts[i];
        for (uint32_t k = 0; k < part->indexCount; k++) {
            writeWord(file, geometry->indices[part->firstIndex + k] - part->firstVertex);
        }
    }
    for (uint32_t i = 0; i < pictures->count; i++) {
        static const char zeros[4];
        if (pictures->bytes[i]) {
            fwrite(pictures->bytes[i], 1, pictures->sizes[i], file);
            fwrite(zeros, 1, padded(pictures->sizes[i]) - pictures->sizes[i], file);
        }
    }
}

/* Writes all of the file. False: *error says why. */
static bool writeGlb(FILE *file, const Geometry *geometry, const GlbPictures *pictures, const char *comment,
                     const char *path, EngineError *error) {
    uint64_t binary = 0;
    char *json = glbJson(geometry, pictures, comment, &binary);
    if (!json) {
        return engineFail(error, "out of memory");
    }
    const uint64_t length = strlen(json), filled = padded(length);
    if (binary + filled + 28 > UINT32_MAX) {
        cJSON_free(json);
        return engineFail(error, "%.300s: a .glb file holds at most 4 GiB; write .obj or .ply", path);
    }
    writeWord(file, 0x46546c67); /* glTF */
    writeWord(file, 2);
    writeWord(file, 12 + 8 + filled + 8 + binary);
    writeWord(file, filled);
    writeWord(file, 0x4e4f534a); /* JSON */
    fprintf(file, "%s%*s", json, (int)(filled - length), "");
    writeWord(file, binary);
    writeWord(file, 0x004e4942); /* BIN */
    writeBinary(file, geometry, pictures);
    cJSON_free(json);
    return true;
}

/* ---- All formats ---- */

uint64_t geometrySizeMax(GeometryFormat format, const GeometrySize *size) {
    const uint64_t floats = 6 + (size->texcoords ? 2 : 0);
    if (format == GEOMETRY_GLB) {
        return size->vertices * 4 * (floats + (size->colours ? 4 : 0)) + size->indices * 4 + size->pictures;
    }
    if (format == GEOMETRY_PLY) {
        return size->vertices * 4 * floats + size->indices / 3 * 13;
    }
    const uint64_t number = sizeof "-1.23456789e-38"; /* with the space or line end after it */
    const uint64_t vertex = 2 * (3 + 3 * number) + (size->texcoords ? 3 + 2 * number : 0);
    const uint64_t corner = sizeof "1234567890/1234567890/1234567890";
    return size->vertices * vertex + size->indices / 3 * (2 + 3 * corner);
}

bool geometryFinish(const Geometry *geometry, GeometryFormat format, const GlbPictures *pictures, const char *path,
                    const char *comment, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    if (format == GEOMETRY_GLB) {
        if (!writeGlb(file.stream, geometry, pictures, comment, path, error)) {
            atomicFileDrop(&file);
            return false;
        }
    } else if (format == GEOMETRY_PLY) {
        writePly(file.stream, geometry, comment);
    } else {
        writeObj(file.stream, geometry, comment);
    }
    return atomicFileFinish(&file, error);
}
