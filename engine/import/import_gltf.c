#include "import_gltf.h"

#include "child_memory.h"
#include "diagnostic.h"
#include "file_bytes.h"
#include "finite.h"
#include "gltf_source.h"
#include "material_texture.h"
#include "path_below.h"
#include "rest_pose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX  ((size_t)UINT32_MAX)
#define NO_PARENT (-1)

/* ---- nodes ---- */

/* parents[nodeCount]: each node has one parent at most, which is not itself. */
static bool findParents(const GltfSource *source, int32_t *parents) {
    const GltfDocument *document = source->document;
    for (size_t n = 0; n < document->nodeCount; n++) {
        parents[n] = NO_PARENT;
    }
    for (size_t n = 0; n < document->nodeCount; n++) {
        const GltfNode *node = &document->nodes[n];
        for (size_t c = 0; c < node->childCount; c++) {
            int child = node->children[c];
            if (child < 0 || (size_t)child >= document->nodeCount) {
                return diagnose(source->message, "%s: node %zu names child %d, but there are %zu nodes", source->path,
                                n, child, document->nodeCount);
            }
            if (parents[child] != NO_PARENT) {
                return diagnose(source->message, "%s: node %d has two parents, %d and %zu", source->path, child,
                                parents[child], n);
            }
            parents[child] = (int32_t)n;
        }
    }
    return true;
}

/* order[model node] = document node, level by level from the roots. False: some are reached from no root. */
static bool orderNodes(GltfSource *source, const int32_t *parents, uint32_t *order) {
    const GltfDocument *document = source->document;
    size_t count = 0;
    for (size_t n = 0; n < document->nodeCount; n++) {
        if (parents[n] == NO_PARENT) {
            order[count++] = (uint32_t)n;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const GltfNode *node = &document->nodes[order[i]];
        source->modelNodes[order[i]] = (uint32_t)i;
        for (size_t c = 0; c < node->childCount; c++) {
            order[count++] = (uint32_t)node->children[c];
        }
    }
    if (count < document->nodeCount) {
        return diagnose(source->message, "%s: the nodes form a circle", source->path);
    }
    return true;
}

static char *nodeName(const GltfNode *node, uint32_t index) {
    char number[32];
    snprintf(number, sizeof number, "node %u", index);
    return childCopyText(node->name[0] ? node->name : number);
}

static bool listNodes(GltfSource *source) {
    Model *model = source->model;
    size_t count = source->document->nodeCount;
    int32_t *parents = childAllocate(count, sizeof *parents);
    uint32_t *order = childAllocate(count, sizeof *order);
    source->modelNodes = childAllocate(count, sizeof *source->modelNodes);
    model->nodes = childAllocate(count, sizeof *model->nodes);
    bool good = findParents(source, parents) && orderNodes(source, parents, order);
    for (uint32_t i = 0; good && i < count; i++) {
        int32_t parent = parents[order[i]];
        model->nodes[i].name = nodeName(&source->document->nodes[order[i]], order[i]);
        model->nodes[i].parent = parent == NO_PARENT ? -1 : (int32_t)source->modelNodes[parent];
        model->nodeCount++;
    }
    free(parents);
    free(order);
    return good;
}

/* The scene's nodes and all below them; every node where the file has no scene. */
static bool markShown(GltfSource *source) {
    const GltfDocument *document = source->document;
    const Model *model = source->model;
    source->shown = childAllocate(model->nodeCount, sizeof *source->shown);
    for (size_t i = 0; i < document->sceneNodeCount; i++) {
        int node = document->sceneNodes[i];
        if (node < 0 || (size_t)node >= document->nodeCount) {
            return diagnose(source->message, "%s: the scene names node %d, but there are %zu", source->path, node,
                            document->nodeCount);
        }
        source->shown[source->modelNodes[node]] = true;
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        int32_t parent = model->nodes[i].parent;
        bool inherits = parent >= 0 && source->shown[parent];
        source->shown[i] = source->shown[i] || inherits || !document->hasScene;
    }
    return true;
}

static void copyFloats(const double *from, float *to, int count) {
    for (int i = 0; i < count; i++) {
        to[i] = (float)from[i];
    }
}

static bool setRestPose(const GltfSource *source, size_t index, bool animated) {
    const GltfNode *from = &source->document->nodes[index];
    ModelNode *node = &source->model->nodes[source->modelNodes[index]];
    float numbers[16];
    if (from->hasMatrix) {
        VkskinAffine matrix;
        copyFloats(from->matrix, numbers, 16);
        for (int i = 0; i < 12; i++) {
            matrix.m[i / 4][i % 4] = numbers[4 * (i % 4) + i / 4]; /* column-major there */
        }
        if (finiteAll(numbers, 16)) {
            restSet(node, &matrix, animated, &source->model->repairs);
            return true;
        }
    } else {
        copyFloats(from->translation, node->rest.translation, 3);
        copyFloats(from->rotation, node->rest.rotation, 4);
        copyFloats(from->scale, node->rest.scale, 3);
        node->preTransform = vkskinIdentityAffine();
        if (finiteAll(node->rest.translation, 3) && finiteAll(node->rest.rotation, 4) &&
            finiteAll(node->rest.scale, 3)) {
            return true;
        }
    }
    return diagnose(source->message, "%s: node '%s' has a transform that is not finite", source->path, node->name);
}

static bool setRestPoses(const GltfSource *source, const bool *animated) {
    for (size_t n = 0; n < source->document->nodeCount; n++) {
        if (!setRestPose(source, n, animated[source->modelNodes[n]])) {
            return false;
        }
    }
    return true;
}

/* ---- materials ---- */

/* What became of a picture, which several materials may use. */
typedef struct ConvertedImage {
    bool done;
    int32_t texture;
} ConvertedImage;

static int32_t convertTexture(const GltfSource *source, int image, ConvertedImage *converted) {
    if (image < 0) {
        source->model->repairs.texturesMissing += image != -1;
        return -1;
    }
    if (!converted[image].done) {
        const GltfImage *from = &source->document->images[image];
        converted[image] = (ConvertedImage){true, textureDecode(source->model, from->bytes, from->size)};
    }
    return converted[image].texture;
}

/* Whether a primitive names no material, or one that is not there. */
static bool needsDefaultMaterial(const GltfDocument *document) {
    for (size_t m = 0; m < document->meshCount; m++) {
        for (size_t p = 0; p < document->meshes[m].primitiveCount; p++) {
            int material = document->meshes[m].primitives[p].material;
            if (material < 0 || (size_t)material >= document->materialCount) {
                return true;
            }
        }
    }
    return false;
}

/* The document's materials; after them, where a primitive needs it, the format's default. */
static void convertMaterials(const GltfSource *source) {
    Model *model = source->model;
    size_t count = source->document->materialCount;
    model->materials = childAllocate(count + 1, sizeof *model->materials);
    model->materialCount = (uint32_t)count;
    model->textures = childAllocate(source->document->imageCount, sizeof *model->textures);
    ConvertedImage *converted = childAllocate(source->document->imageCount, sizeof *converted);
    for (size_t i = 0; i < count; i++) {
        const GltfMaterial *from = &source->document->materials[i];
        ModelMaterial *material = &model->materials[i];
        material->name = childCopyText(from->name);
        copyFloats(from->baseColor, material->baseColor, 4);
        material->texture = convertTexture(source, from->image, converted);
    }
    free(converted);
    if (needsDefaultMaterial(source->document)) {
        model->materials[model->materialCount++] =
            (ModelMaterial){.name = childCopyText("default"), .baseColor = {1.0f, 1.0f, 1.0f, 1.0f}, .texture = -1};
    }
}

/* ---- the whole ---- */

/* Extensions that are read, and those that change nothing of what is read: lamps, and how a surface shines. */
static bool extensionKnown(const char *name) {
    static const char *const known[] = {
        "KHR_mesh_quantization",
        "KHR_texture_transform",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_lights_punctual",
        "KHR_materials_anisotropy",
        "KHR_materials_clearcoat",
        "KHR_materials_diffuse_transmission",
        "KHR_materials_dispersion",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_iridescence",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_transmission",
        "KHR_materials_unlit",
        "KHR_materials_variants",
        "KHR_materials_volume",
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool checkExtensions(const GltfSource *source) {
    for (size_t i = 0; i < source->document->requiredExtensionCount; i++) {
        const char *name = source->document->requiredExtensions[i];
        if (!extensionKnown(name)) {
            return diagnose(source->message, "%s: needs the extension %s, which is not read", source->path, name);
        }
    }
    return true;
}

static bool convert(GltfSource *source) {
    if (!checkExtensions(source) || !listNodes(source) || !markShown(source)) {
        return false;
    }
    bool *animated = childAllocate(source->model->nodeCount, sizeof *animated);
    bool good = gltfConvertClips(source, animated) && setRestPoses(source, animated);
    free(animated);
    if (!good) {
        return false;
    }
    convertMaterials(source);
    return gltfConvertMeshes(source);
}

static bool readFile(const char *path, FileBytes *file, char *message) {
    switch (fileRead(path, FILE_MAX, file)) {
    case FILE_READ_OK:
        return true;
    case FILE_READ_TOO_LARGE:
        return diagnose(message, "%s: larger than 4 GiB", path);
    default:
        return diagnose(message, "%s: %s", path, strerror(errno));
    }
}

Model *gltfConvert(const GltfDocument *document, const char *path, char *message) {
    GltfSource source = {.document = document, .path = path, .message = message};
    source.model = childAllocate(1, sizeof *source.model);
    if (!convert(&source)) {
        modelFree(source.model);
        source.model = NULL;
    }
    free(source.modelNodes);
    free(source.shown);
    return source.model;
}

Model *gltfParse(const char *path, char *message) {
    FileBytes file;
    if (!readFile(path, &file, message)) {
        return NULL;
    }
    char *folder = pathFolder(path);
    const GltfDocument *document = gltfDocumentRead(file.bytes, file.size, folder, path, message);
    Model *model = document ? gltfConvert(document, path, message) : NULL;
    if (document) {
        gltfDocumentFree(document);
    }
    free(folder);
    free(file.bytes);
    return model;
}
