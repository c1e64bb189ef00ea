#include "gltf.h"

#include "child.h"
#include "named_files.h"
#include "parts.h"
#include "textures.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX  ((size_t)UINT32_MAX)
#define NO_PARENT (-1)
#define WHAT_SIZE 256

/* ---- Nodes ---- */

/* Fills parents[nodeCount]. Each node may have one parent. */
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
                return engineFail(source->error, "node %zu names child %d, but there are %zu nodes", n, child,
                                  document->nodeCount);
            }
            if (parents[child] != NO_PARENT) {
                return engineFail(source->error, "node %d has two parents, %d and %zu", child, parents[child], n);
            }
            parents[child] = (int32_t)n;
        }
    }
    return true;
}

/* order[model node] = document node, level by level from the roots. A node that no root leads to is an error. */
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
        return engineFail(source->error, "the nodes form a circle");
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

/* Marks the scene's nodes and their descendants; every node where the file has no scene. */
static bool markShown(GltfSource *source) {
    const GltfDocument *document = source->document;
    const Model *model = source->model;
    source->shown = childAllocate(model->nodeCount, sizeof *source->shown);
    for (size_t i = 0; i < document->sceneNodeCount; i++) {
        int node = document->sceneNodes[i];
        if (node < 0 || (size_t)node >= document->nodeCount) {
            return engineFail(source->error, "the scene names node %d, but there are %zu", node, document->nodeCount);
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
    bool finite;
    if (from->hasMatrix) {
        VkskinAffine matrix;
        copyFloats(from->matrix, numbers, 16);
        for (int i = 0; i < 12; i++) {
            matrix.m[i / 4][i % 4] = numbers[4 * (i % 4) + i / 4]; /* column-major in the file */
        }
        finite = finiteAll(numbers, 16);
        if (finite) {
            restSet(node, &matrix, animated, &source->model->repairs);
        }
    } else {
        copyFloats(from->translation, node->rest.translation, 3);
        copyFloats(from->rotation, node->rest.rotation, 4);
        copyFloats(from->scale, node->rest.scale, 3);
        finite =
            finiteAll(node->rest.translation, 3) && finiteAll(node->rest.rotation, 4) && finiteAll(node->rest.scale, 3);
        node->preTransform = vkskinIdentityAffine();
    }
    return finite || engineFail(source->error, "node '%s' has a transform that is not finite", node->name);
}

static bool setRestPoses(const GltfSource *source, const bool *animated) {
    for (size_t n = 0; n < source->document->nodeCount; n++) {
        if (!setRestPose(source, n, animated[source->modelNodes[n]])) {
            return false;
        }
    }
    return true;
}

/* ---- Clips ---- */

static const char *const channelNames[] = {"translation", "rotation", "scale", "weights"}; /* as VkskinChannel */
static const char *const interpolationNames[] = {"LINEAR", "STEP", "CUBICSPLINE"};         /* as VkskinInterpolation */

/* The index of a name; `count` where it is unknown. */
static uint32_t findName(const char *name, const char *const *names, uint32_t count) {
    uint32_t i = 0;
    while (i < count && strcmp(name, names[i]) != 0) {
        i++;
    }
    return i;
}

static bool ascends(const float *times, size_t count) {
    for (size_t i = 1; i < count; i++) {
        if (!(times[i] >= times[i - 1])) {
            return false;
        }
    }
    return true;
}

/* The number of morph targets of the mesh that a node carries; 0 for none. */
static uint32_t weightsOf(const GltfSource *source, int node) {
    int mesh = source->document->nodes[node].mesh;
    bool known = mesh >= 0 && (size_t)mesh < source->document->meshCount;
    return known ? (uint32_t)gltfTargetCount(&source->document->meshes[mesh]) : 0;
}

/* An element of an output is a vector; for weights it is one number. */
static bool outputMatches(const GltfSource *source, const char *clip, const VkskinTrack *track, size_t keys,
                          size_t values) {
    size_t perKey = track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 : 1;
    bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    perKey *= weights ? track->weightCount : 1;
    if (weights ? values % perKey != 0 || values / perKey != keys : values / perKey < keys) {
        return engineFail(source->error, "animation '%s' has %zu key times, but %zu %s", clip, keys, values,
                          weights ? "morph weights" : "values");
    }
    return true;
}

/* Reads a sampler's keys into track->times and values. The track owns both, on failure too. */
static bool readKeys(const GltfSource *source, const GltfSampler *sampler, const char *clip, VkskinTrack *track) {
    static const int components[] = {3, 4, 3, 1};
    char what[WHAT_SIZE];
    size_t keys = gltfAccessorCount(source, sampler->input);
    size_t values = gltfAccessorCount(source, sampler->output);
    snprintf(what, sizeof what, "the input of animation '%.100s'", clip);
    float *times = gltfReadFloats(source, sampler->input, 1, what);
    track->times = times;
    if (!times) {
        return false;
    }
    snprintf(what, sizeof what, "the output of animation '%.100s'", clip);
    float *output = gltfReadFloats(source, sampler->output, components[track->channel], what);
    track->values = output;
    if (!output || !outputMatches(source, clip, track, keys, values)) {
        return false;
    }
    if (!finiteAll(times, keys) || !finiteAll(output, values * (size_t)components[track->channel])) {
        return engineFail(source->error, "animation '%s' has a key that is not finite", clip);
    }
    if (!ascends(times, keys)) {
        return engineFail(source->error, "animation '%s' has key times that do not ascend", clip);
    }
    track->keyCount = (uint32_t)keys;
    return true;
}

static bool convertChannel(const GltfSource *source, const GltfAnimation *animation, const GltfChannel *channel,
                           ModelClip *clip, bool *animated) {
    VkskinTrack *track = &clip->tracks[clip->trackCount];
    bool known = channel->node >= 0 && (size_t)channel->node < source->document->nodeCount;
    track->channel = (VkskinChannel)findName(channel->path, channelNames, 4);
    if (!known || track->channel > VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    if (channel->sampler < 0 || (size_t)channel->sampler >= animation->samplerCount) {
        return engineFail(source->error, "animation '%s' names sampler %d, but there are %zu", clip->name,
                          channel->sampler, animation->samplerCount);
    }
    const GltfSampler *sampler = &animation->samplers[channel->sampler];
    track->interpolation = (VkskinInterpolation)findName(sampler->interpolation, interpolationNames, 3);
    if (track->interpolation > VKSKIN_INTERPOLATION_CUBIC) {
        return engineFail(source->error, "animation '%s' has the unknown interpolation '%s'", clip->name,
                          sampler->interpolation);
    }
    track->weightCount = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? weightsOf(source, channel->node) : 0;
    bool nothing = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS && track->weightCount == 0;
    if (nothing || gltfAccessorCount(source, sampler->input) == 0) {
        source->model->repairs.tracksDropped++;
        return true;
    }
    track->node = source->modelNodes[channel->node];
    animated[track->node] = animated[track->node] || track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS;
    clip->trackCount++;
    return readKeys(source, sampler, clip->name, track);
}

static bool convertClip(const GltfSource *source, size_t index, bool *animated) {
    const GltfAnimation *animation = &source->document->animations[index];
    ModelClip *clip = &source->model->clips[source->model->clipCount++];
    char number[32];
    snprintf(number, sizeof number, "clip %zu", index);
    clip->name = childCopyText(animation->name[0] ? animation->name : number);
    clip->tracks = childAllocate(animation->channelCount, sizeof *clip->tracks);
    for (size_t i = 0; i < animation->channelCount; i++) {
        if (!convertChannel(source, animation, &animation->channels[i], clip, animated)) {
            return false;
        }
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        clip->duration = fmaxf(clip->duration, clip->tracks[t].times[clip->tracks[t].keyCount - 1]);
    }
    return true;
}

/* Makes the model's clips and marks the nodes that they move in animated[model->nodeCount]. */
static bool convertClips(const GltfSource *source, bool *animated) {
    size_t count = source->document->animationCount;
    source->model->clips = childAllocate(count, sizeof *source->model->clips);
    for (size_t i = 0; i < count; i++) {
        if (!convertClip(source, i, animated)) {
            return false;
        }
    }
    return true;
}

/* ---- Materials ---- */

/* The texture made from a picture, which several materials may use. */
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

/* Whether some primitive names no material, or one that does not exist. */
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

/* The document's materials, then the format's default material if a primitive needs it. */
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

/* ---- The file ---- */

/* Extensions that are read, and those about lamps and shading, which change nothing that is read. */
static const char *const knownExtensions[] = {
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

static bool checkExtensions(const GltfSource *source) {
    const uint32_t count = sizeof knownExtensions / sizeof knownExtensions[0];
    for (size_t i = 0; i < source->document->requiredExtensionCount; i++) {
        const char *name = source->document->requiredExtensions[i];
        if (findName(name, knownExtensions, count) == count) {
            return engineFail(source->error, "needs the extension %s, which is not read", name);
        }
    }
    return true;
}

static bool convert(GltfSource *source) {
    if (!checkExtensions(source) || !listNodes(source) || !markShown(source)) {
        return false;
    }
    bool *animated = childAllocate(source->model->nodeCount, sizeof *animated);
    bool good = convertClips(source, animated) && setRestPoses(source, animated);
    free(animated);
    if (!good) {
        return false;
    }
    convertMaterials(source);
    return gltfConvertMeshes(source);
}

static bool readFile(const char *path, FileBytes *file, EngineError *error) {
    switch (fileRead(path, FILE_MAX, file)) {
    case FILE_READ_OK:
        return true;
    case FILE_READ_TOO_LARGE:
        return engineFail(error, "larger than 4 GiB");
    default:
        return engineFail(error, "%s", strerror(errno));
    }
}

Model *gltfConvert(const GltfDocument *document, EngineError *error) {
    GltfSource source = {.document = document, .error = error};
    source.model = childAllocate(1, sizeof *source.model);
    if (!convert(&source)) {
        modelFree(source.model);
        source.model = NULL;
    }
    free(source.modelNodes);
    free(source.shown);
    return source.model;
}

Model *gltfParse(const char *path, EngineError *error) {
    FileBytes file;
    if (!readFile(path, &file, error)) {
        return NULL;
    }
    char *folder = pathFolder(path);
    const GltfDocument *document = gltfDocumentRead(file.bytes, file.size, folder, path, error);
    Model *model = document ? gltfConvert(document, error) : NULL;
    if (document) {
        gltfDocumentFree(document);
    }
    free(folder);
    free(file.bytes);
    return model;
}
