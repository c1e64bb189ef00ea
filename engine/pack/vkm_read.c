#include "vkm_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "count_of.h"
#include "vkm_chunks.h"

#define LIMIT ((uint64_t)2 << 30)
_Static_assert(sizeof(((VkmContent *)0)->sizes) == VKM_CHUNK_COUNT * sizeof(uint64_t), "one for each chunk");

typedef struct Reader {
    uint8_t *image;
    uint64_t size;
    VkmReadOptions options; /* with a limit */
    VkmSection sections[VKM_CHUNK_COUNT];
    Model *model;
    EngineError *error;
} Reader;

/* Copies a row of a table: its members are read from there, wherever the table begins. */
static void copyRow(void *row, const void *table, uint64_t index, size_t size) {
    memcpy(row, (const uint8_t *)table + index * size, size);
}

static void checkReserved(VkmSection *section, uint64_t row, uint32_t reserved) {
    if (reserved != 0) {
        vkmRefuseRow(section, "a reserved number", row, "is not 0");
    }
}

/* Structs of the model for the rows of a table. Null: a fault. *count is 0 then. */
static void *allocateRows(VkmSection *section, uint32_t *count, size_t size, uint32_t wanted) {
    void *rows = section->good ? engineAllocate(wanted, size, section->error) : NULL;
    section->good = section->good && rows;
    *count = rows ? wanted : 0;
    return rows;
}

/* ---- The chunks ---- */

static bool readInfo(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_INFO];
    Model *model = reader->model;
    VkmInfo head;
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    checkReserved(section, 0, head.reserved);
    model->up = (ModelUp)head.up;
    model->metres = head.metres;
    memcpy(&model->repairs, head.repairs, sizeof head.repairs);
    const void *table = vkmTakeArray(section, "warnings", 0, head.warningsAt, head.warningCount, sizeof(uint64_t));
    model->warnings = allocateRows(section, &model->warningCount, sizeof *model->warnings, head.warningCount);
    for (uint32_t i = 0; i < model->warningCount && section->good; i++) {
        uint64_t at;
        copyRow(&at, table, i, sizeof at);
        const char *text = vkmTakeText(section, "the warning", i, at);
        /* A warning of its own: modelWarn makes the array longer, and code may free one. */
        model->warnings[i].text = text ? strdup(text) : NULL;
        section->good = section->good && (model->warnings[i].text || engineFail(reader->error, "out of memory"));
    }
    return section->good;
}

static bool readNodes(Reader *reader, VkmSection *section, const void *table, uint32_t count) {
    Model *model = reader->model;
    model->nodes = allocateRows(section, &model->nodeCount, sizeof *model->nodes, count);
    for (uint32_t i = 0; i < model->nodeCount && section->good; i++) {
        VkmNode row;
        copyRow(&row, table, i, sizeof row);
        checkReserved(section, i, row.reserved);
        ModelNode *node = &model->nodes[i];
        node->name = vkmTakeText(section, "the name", i, row.nameAt);
        node->parent = row.parent;
        memcpy(&node->rest, row.rest, sizeof row.rest);
        memcpy(&node->preTransform, row.preTransform, sizeof row.preTransform);
    }
    return section->good;
}

static bool readSkeleton(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_SKEL];
    Model *model = reader->model;
    VkmSkeleton head;
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    const void *nodes = vkmTakeArray(section, "nodes", 0, head.nodesAt, head.nodeCount, sizeof(VkmNode));
    const void *skins = vkmTakeArray(section, "skins", 0, head.skinsAt, head.skinCount, sizeof(VkmSkin));
    if (!section->good || !readNodes(reader, section, nodes, head.nodeCount)) {
        return false;
    }
    model->skins = allocateRows(section, &model->skinCount, sizeof *model->skins, head.skinCount);
    for (uint32_t i = 0; i < model->skinCount && section->good; i++) {
        VkmSkin row;
        copyRow(&row, skins, i, sizeof row);
        checkReserved(section, i, row.reserved);
        ModelSkin *skin = &model->skins[i];
        skin->boneCount = row.boneCount;
        skin->boneNodes = vkmTakeArray(section, "bones", i, row.boneNodesAt, row.boneCount, sizeof(uint32_t));
        skin->inverseBinds =
            vkmTakeArray(section, "inverse binds", i, row.inverseBindsAt, row.boneCount, sizeof(VkskinAffine));
    }
    return section->good;
}

/* One white texel, until the file of the picture is decoded. */
static bool waitForPixels(VkmSection *section, ModelTexture *texture) {
    texture->width = texture->height = 1;
    texture->pixels = engineAllocate(1, 4, section->error);
    section->good = texture->pixels != NULL;
    if (texture->pixels) {
        memset(texture->pixels, 0xff, 4);
    }
    return section->good;
}

static bool readTexture(VkmSection *section, uint32_t index, const VkmTexture *row, ModelTexture *texture) {
    texture->name = vkmTakeText(section, "the name", index, row->nameAt);
    texture->path = vkmTakeText(section, "the path", index, row->pathAt);
    if (!section->good || texture->path[0] == '\0') {
        texture->width = row->width;
        texture->height = row->height;
        texture->pixels =
            vkmTakeArray(section, "the pixels", index, row->pixelsAt, row->height, 4 * (uint64_t)row->width);
        return section->good;
    }
    if (row->width != 0 || row->height != 0) {
        vkmRefuseRow(section, "the size", index, "is not 0 with a path");
        return false;
    }
    return waitForPixels(section, texture);
}

static bool readPicture(VkmSection *section, Model *model, uint32_t index, const VkmPicture *row, uint32_t least) {
    if (row->texture < least || row->texture >= model->textureCount) {
        vkmRefuseRow(section, "the texture", index, "is out of order, or does not exist");
        return false;
    }
    ModelTexture *texture = &model->textures[row->texture];
    if (texture->path[0] != '\0' || texture->width != 1 || texture->height != 1 || row->size == 0) {
        vkmRefuseRow(section, "the picture", index, "is empty, or of a texture with a path or more than one texel");
        return false;
    }
    texture->source = vkmTakeArray(section, "the bytes", index, row->sourceAt, row->size, 1);
    texture->sourceSize = row->size;
    return section->good && waitForPixels(section, texture);
}

static bool readPictures(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_PICT];
    VkmPictures head;
    uint32_t least = 0;
    if (!section->bytes) {
        return true;
    }
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    checkReserved(section, 0, head.reserved);
    const void *table = vkmTakeArray(section, "pictures", 0, head.picturesAt, head.pictureCount, sizeof(VkmPicture));
    for (uint32_t i = 0; i < head.pictureCount && section->good; i++) {
        VkmPicture row;
        copyRow(&row, table, i, sizeof row);
        section->good = readPicture(section, reader->model, i, &row, least);
        least = row.texture + 1;
    }
    return section->good;
}

static bool readTextures(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_TEXR];
    Model *model = reader->model;
    VkmTextures head;
    if (!section->bytes) {
        return true;
    }
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    checkReserved(section, 0, head.reserved);
    const void *table = vkmTakeArray(section, "textures", 0, head.texturesAt, head.textureCount, sizeof(VkmTexture));
    model->textures = allocateRows(section, &model->textureCount, sizeof *model->textures, head.textureCount);
    for (uint32_t i = 0; i < model->textureCount && section->good; i++) {
        VkmTexture row;
        copyRow(&row, table, i, sizeof row);
        readTexture(section, i, &row, &model->textures[i]);
    }
    return section->good;
}

static void readMaterial(VkmSection *section, uint32_t index, const VkmMaterial *row, ModelMaterial *material) {
    checkReserved(section, index, row->reserved);
    material->name = vkmTakeText(section, "the name", index, row->nameAt);
    memcpy(material->baseColor, row->baseColor, sizeof row->baseColor);
    memcpy(material->emission, row->emission, sizeof row->emission);
    memcpy(material->specular, row->specular, sizeof row->specular);
    material->metallic = row->metallic;
    material->roughness = row->roughness;
    material->normalScale = row->normalScale;
    material->occlusion = row->occlusion;
    material->alphaCutoff = row->alphaCutoff;
    material->alpha = (ModelAlpha)row->alpha;
    material->oneSided = row->oneSided;
    material->unlit = row->unlit;
    memcpy(material->maps, row->maps, sizeof row->maps);
    memcpy(material->wraps, row->wraps, sizeof row->wraps);
}

static bool readMaterials(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_MATR];
    Model *model = reader->model;
    VkmMaterials head;
    if (!section->bytes) {
        return true;
    }
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    checkReserved(section, 0, head.reserved);
    const void *table =
        vkmTakeArray(section, "materials", 0, head.materialsAt, head.materialCount, sizeof(VkmMaterial));
    model->materials = allocateRows(section, &model->materialCount, sizeof *model->materials, head.materialCount);
    for (uint32_t i = 0; i < model->materialCount && section->good; i++) {
        VkmMaterial row;
        copyRow(&row, table, i, sizeof row);
        readMaterial(section, i, &row, &model->materials[i]);
    }
    return section->good;
}

/* ---- Meshes, their morph targets, parts ---- */

/* The array, if `has` has the bit. */
static void *takeOptional(VkmSection *section, uint32_t has, uint32_t bit, const char *what, uint64_t row, uint64_t at,
                          uint64_t count, uint64_t stride) {
    return has & bit ? vkmTakeArray(section, what, row, at, count, stride) : NULL;
}

static void readMorph(VkmSection *section, uint64_t index, const VkmMorph *row, ModelMorph *morph) {
    const uint64_t count = row->vertexCount, stride = 3 * sizeof(float);
    if (row->has & ~(VKM_HAS_POSITIONS | VKM_HAS_NORMALS | VKM_HAS_TANGENTS)) {
        vkmRefuseRow(section, "`has`", index, "has unknown bits");
    }
    morph->name = vkmTakeText(section, "the name", index, row->nameAt);
    morph->vertexCount = row->vertexCount;
    morph->vertices = vkmTakeArray(section, "vertices", index, row->verticesAt, count, sizeof(uint32_t));
    morph->positions =
        takeOptional(section, row->has, VKM_HAS_POSITIONS, "positions", index, row->positionsAt, count, stride);
    morph->normals = takeOptional(section, row->has, VKM_HAS_NORMALS, "normals", index, row->normalsAt, count, stride);
    morph->tangents =
        takeOptional(section, row->has, VKM_HAS_TANGENTS, "tangents", index, row->tangentsAt, count, stride);
}

/* The table of MRPH. False: a fault. *count is 0 and *table null without the chunk. */
static bool openMorphs(Reader *reader, uint32_t *count, const void **table) {
    VkmSection *section = &reader->sections[VKM_MRPH];
    VkmMorphs head = {0};
    *count = 0;
    *table = NULL;
    if (!section->bytes) {
        return true;
    }
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    checkReserved(section, 0, head.reserved);
    *count = head.morphCount;
    *table = vkmTakeArray(section, "morphs", 0, head.morphsAt, head.morphCount, sizeof(VkmMorph));
    return section->good;
}

/* The morphs of a mesh: `count` rows from *next on. */
static bool readMorphs(Reader *reader, const void *table, uint32_t total, uint32_t *next, uint32_t count,
                       ModelMesh *mesh) {
    VkmSection *section = &reader->sections[VKM_MRPH];
    if (count > total - *next) {
        return vkmRefuse(VKM_CHUNK_NAMES[VKM_MRPH], "it has fewer targets than the meshes", reader->error);
    }
    mesh->morphs = engineAllocate(count, sizeof *mesh->morphs, reader->error);
    mesh->morphCount = mesh->morphs ? count : 0;
    for (uint32_t i = 0; i < mesh->morphCount && section->good; i++, ++*next) {
        VkmMorph row;
        copyRow(&row, table, *next, sizeof row);
        readMorph(section, *next, &row, &mesh->morphs[i]);
    }
    return mesh->morphs && (mesh->morphCount == 0 || section->good);
}

static void readMesh(VkmSection *section, uint32_t index, const VkmMesh *row, ModelMesh *mesh) {
    const uint64_t count = row->vertexCount, number = sizeof(float);
    if (row->has & ~(VKM_HAS_TANGENTS | VKM_HAS_TEXCOORDS | VKM_HAS_COLOURS | VKM_HAS_BLEND_WEIGHTS)) {
        vkmRefuseRow(section, "`has`", index, "has unknown bits");
    }
    mesh->name = vkmTakeText(section, "the name", index, row->nameAt);
    mesh->vertexCount = row->vertexCount;
    mesh->influences = row->influences;
    mesh->boneCount = row->boneCount;
    mesh->indexCount = row->indexCount;
    mesh->material = row->material;
    mesh->positions = vkmTakeArray(section, "positions", index, row->positionsAt, count, 3 * number);
    mesh->normals = vkmTakeArray(section, "normals", index, row->normalsAt, count, 3 * number);
    mesh->tangents =
        takeOptional(section, row->has, VKM_HAS_TANGENTS, "tangents", index, row->tangentsAt, count, 4 * number);
    mesh->texcoords = takeOptional(section, row->has, VKM_HAS_TEXCOORDS, "texture coordinates", index, row->texcoordsAt,
                                   count, 2 * number);
    mesh->colours =
        takeOptional(section, row->has, VKM_HAS_COLOURS, "colours", index, row->coloursAt, count, 4 * number);
    mesh->joints = vkmTakeArray(section, "joints", index, row->jointsAt, count, row->influences * number);
    mesh->weights = vkmTakeArray(section, "weights", index, row->weightsAt, count, row->influences * number);
    mesh->indices = vkmTakeArray(section, "indices", index, row->indicesAt, row->indexCount, number);
    mesh->blendWeights = takeOptional(section, row->has, VKM_HAS_BLEND_WEIGHTS, "blend weights", index,
                                      row->blendWeightsAt, count, number);
}

static bool readParts(Reader *reader, VkmSection *section, const void *table, uint32_t count) {
    Model *model = reader->model;
    model->parts = allocateRows(section, &model->partCount, sizeof *model->parts, count);
    for (uint32_t i = 0; i < model->partCount && section->good; i++) {
        VkmPart row;
        copyRow(&row, table, i, sizeof row);
        checkReserved(section, i, row.reserved);
        if (row.hasMorphWeights > 1 || row.mesh >= model->meshCount) {
            vkmRefuseRow(section, "the mesh or hasMorphWeights", i, "is out of range");
            break;
        }
        ModelPart *part = &model->parts[i];
        *part = (ModelPart){.mesh = row.mesh, .skin = row.skin, .node = row.node, .carrier = row.carrier};
        part->morphWeights = takeOptional(section, row.hasMorphWeights, 1, "morph weights", i, row.morphWeightsAt,
                                          model->meshes[row.mesh].morphCount, sizeof(float));
    }
    return section->good;
}

static void readLod(VkmSection *section, uint64_t index, const VkmLod *row, ModelLod *lod) {
    lod->error = row->error;
    lod->influences = row->influences;
    lod->vertexCount = row->vertexCount;
    lod->indexCount = row->indexCount;
    lod->vertices =
        vkmTakeArray(section, "vertices of a level", index, row->verticesAt, row->vertexCount, sizeof(uint32_t));
    lod->indices =
        vkmTakeArray(section, "indices of a level", index, row->indicesAt, row->indexCount, sizeof(uint32_t));
}

/* The levels of all meshes. meshes: the table. Version 1.0 has none. */
static bool readLods(Reader *reader, VkmSection *section, const void *meshes) {
    VkmHeader file;
    copyRow(&file, reader->image, 0, sizeof file);
    for (uint32_t i = 0; i < reader->model->meshCount && file.minor > 0 && section->good; i++) {
        ModelMesh *mesh = &reader->model->meshes[i];
        VkmMesh row;
        copyRow(&row, meshes, i, sizeof row);
        if (row.lodCount > MODEL_LODS_MAX) {
            vkmRefuseRow(section, "`lodCount`", i, "is above 3");
        }
        const void *table = vkmTakeArray(section, "levels", i, row.lodsAt, row.lodCount, sizeof(VkmLod));
        mesh->lods = allocateRows(section, &mesh->lodCount, sizeof *mesh->lods, row.lodCount);
        for (uint32_t l = 0; l < mesh->lodCount && section->good; l++) {
            VkmLod level;
            copyRow(&level, table, l, sizeof level);
            readLod(section, i, &level, &mesh->lods[l]);
        }
    }
    return section->good;
}

static bool readMeshes(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_MESH];
    Model *model = reader->model;
    uint32_t morphCount, nextMorph = 0;
    const void *morphs;
    VkmMeshes head;
    if (!section->bytes) {
        return reader->sections[VKM_CLIP].bytes ||
               vkmRefuse(VKM_CHUNK_NAMES[VKM_MESH], "the file has neither meshes nor clips", reader->error);
    }
    if (!vkmTakeHead(section, &head, sizeof head) || !openMorphs(reader, &morphCount, &morphs)) {
        return false;
    }
    const void *meshes = vkmTakeArray(section, "meshes", 0, head.meshesAt, head.meshCount, sizeof(VkmMesh));
    const void *parts = vkmTakeArray(section, "parts", 0, head.partsAt, head.partCount, sizeof(VkmPart));
    model->meshes = allocateRows(section, &model->meshCount, sizeof *model->meshes, head.meshCount);
    for (uint32_t i = 0; i < model->meshCount && section->good; i++) {
        VkmMesh row;
        copyRow(&row, meshes, i, sizeof row);
        readMesh(section, i, &row, &model->meshes[i]);
        if (section->good && !readMorphs(reader, morphs, morphCount, &nextMorph, row.morphCount, &model->meshes[i])) {
            return false;
        }
    }
    if (section->good && nextMorph != morphCount) {
        return vkmRefuse(VKM_CHUNK_NAMES[VKM_MRPH], "it has more targets than the meshes", reader->error);
    }
    return section->good && readParts(reader, section, parts, head.partCount) && readLods(reader, section, meshes);
}

/* ---- Clips ---- */

/* The clips are memory of their own: they may move to another model. */
static void *copyArray(VkmSection *section, const void *from, uint64_t count, uint64_t stride) {
    void *copy = from && section->good ? engineAllocate(count, stride > 0 ? stride : 1, section->error) : NULL;
    section->good = section->good && copy;
    if (copy) {
        memcpy(copy, from, count * stride);
    }
    return copy;
}

static void readWeights(VkmSection *section, uint64_t index, const VkmWeights *row, VkskinTrack *track) {
    const bool known = row->interpolation <= VKSKIN_INTERPOLATION_BEZIER;
    const uint64_t parts = known ? vkskinInterpolationParts((VkskinInterpolation)row->interpolation) : 0;
    const uint64_t stride = parts * row->weightCount * sizeof(float);
    *track = (VkskinTrack){.node = row->node,
                           .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                           .interpolation = (VkskinInterpolation)row->interpolation,
                           .keyCount = row->keyCount,
                           .weightCount = row->weightCount};
    if (row->keyCount == 0 || stride == 0) {
        vkmRefuseRow(section, "weights", index, "have no keys or an unknown interpolation");
        return;
    }
    const void *times = vkmTakeArray(section, "times", index, row->timesAt, row->keyCount, sizeof(float));
    const void *values = vkmTakeArray(section, "values", index, row->valuesAt, row->keyCount, stride);
    track->times = copyArray(section, times, row->keyCount, sizeof(float));
    track->values = copyArray(section, values, row->keyCount, stride);
}

static bool readClip(VkmSection *section, uint32_t index, const VkmClip *row, ModelClip *clip,
                     VkskinAnimationStats *stats) {
    const char *name = vkmTakeText(section, "the name", index, row->nameAt);
    checkReserved(section, index, row->reserved);
    if (section->good && (row->uniform > 1 || !isfinite(row->error) || row->error < 0.0f)) {
        vkmRefuseRow(section, "`uniform` or the error", index, "is out of range");
    }
    clip->name = name ? strdup(name) : NULL;
    section->good = section->good && (clip->name || engineFail(section->error, "out of memory"));
    clip->duration = row->duration;
    clip->assumedTicks = row->assumedTicks;
    *stats = (VkskinAnimationStats){.sourceBytes = row->sourceBytes,
                                    .bytes = row->bytes,
                                    .keyCount = row->keyCount,
                                    .trackCount = row->trackCount,
                                    .holdCount = row->holdCount,
                                    .uniform = row->uniform != 0,
                                    .error = row->error};
    return section->good;
}

/* The tracks of morph weights: `count` rows from *next on. */
static bool readClipWeights(VkmSection *section, const void *table, uint32_t total, uint32_t *next, uint32_t count,
                            ModelClip *clip) {
    if (count > total - *next) {
        section->good = vkmRefuse(section->name, "its clips have more morph weights than it", section->error);
        return false;
    }
    clip->tracks = engineAllocate(count, sizeof *clip->tracks, section->error);
    section->good = section->good && clip->tracks;
    for (uint32_t i = 0; i < count && section->good; i++, ++*next) {
        VkmWeights row;
        copyRow(&row, table, *next, sizeof row);
        clip->trackCount++;
        readWeights(section, *next, &row, &clip->tracks[i]);
    }
    return section->good;
}

static void keepMessage(void *user, VkskinResult result, const char *message) {
    if (result < 0) {
        vkmRefuse(VKM_CHUNK_NAMES[VKM_ANIM], message, user);
    }
}

static bool sameSkeleton(const Model *model, const void *block) {
    const VkskinAnimationHeader *header = block;
    const uint32_t *words = block;
    const int32_t *parents = (const int32_t *)(words + header->parentsAt);
    const VkskinTransform *rest = (const VkskinTransform *)(words + header->restAt);
    const VkskinAffine *pre = (const VkskinAffine *)(words + header->preAt), identity = vkskinIdentityAffine();
    bool same = header->nodeCount == model->nodeCount && header->clipCount == model->clipCount;
    for (uint32_t i = 0; i < model->nodeCount && same; i++) {
        const ModelNode *node = &model->nodes[i];
        same = parents[i] == node->parent && memcmp(&rest[i], &node->rest, sizeof *rest) == 0 &&
               memcmp(header->preAt ? &pre[i] : &identity, &node->preTransform, sizeof identity) == 0;
    }
    return same;
}

static bool openAnimation(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_ANIM];
    const VkskinLogger logger = {keepMessage, reader->error};
    Model *model = reader->model;
    if (!section->bytes) {
        return vkmRefuse(VKM_CHUNK_NAMES[VKM_ANIM], "the file does not have it, but clips", reader->error);
    }
    if (vkskinCheckAnimation(section->bytes, section->size, &logger) < 0) {
        return false;
    }
    if (!sameSkeleton(model, section->bytes)) {
        return vkmRefuse(section->name, "its skeleton or number of clips is not that of SKEL and CLIP", reader->error);
    }
    model->packed.block = section->bytes;
    model->packed.size = section->size;
    return true;
}

static bool checkDurations(Reader *reader) {
    const Model *model = reader->model;
    for (uint32_t i = 0; i < model->clipCount; i++) {
        if (vkskinGetAnimationDuration(model->packed.block, i) != model->clips[i].duration) {
            return vkmRefuse(VKM_CHUNK_NAMES[VKM_ANIM], "the duration of a clip is not that of CLIP", reader->error);
        }
    }
    return true;
}

static bool readClips(Reader *reader) {
    VkmSection *section = &reader->sections[VKM_CLIP];
    Model *model = reader->model;
    uint32_t nextWeights = 0;
    VkmClips head;
    if (!section->bytes) {
        return !reader->sections[VKM_ANIM].bytes ||
               vkmRefuse(VKM_CHUNK_NAMES[VKM_CLIP], "the file does not have it, but ANIM", reader->error);
    }
    if (!vkmTakeHead(section, &head, sizeof head)) {
        return false;
    }
    if (!isfinite(head.unitsPerMillimetre) || !(head.unitsPerMillimetre > 0.0)) {
        return vkmRefuse(section->name, "unitsPerMillimetre is not above 0", reader->error);
    }
    const void *clips = vkmTakeArray(section, "clips", 0, head.clipsAt, head.clipCount, sizeof(VkmClip));
    const void *weights = vkmTakeArray(section, "weights", 0, head.weightsAt, head.weightsCount, sizeof(VkmWeights));
    model->clips = allocateRows(section, &model->clipCount, sizeof *model->clips, head.clipCount);
    model->packed.unitsPerMillimetre = head.unitsPerMillimetre;
    model->packed.stats =
        section->good ? engineAllocate(head.clipCount, sizeof *model->packed.stats, reader->error) : NULL;
    section->good = model->packed.stats != NULL;
    for (uint32_t i = 0; i < model->clipCount && section->good; i++) {
        VkmClip row;
        copyRow(&row, clips, i, sizeof row);
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): good only if it was allocated */
        readClip(section, i, &row, &model->clips[i], &model->packed.stats[i]);
    }
    for (uint32_t i = 0; i < model->clipCount && section->good; i++) {
        VkmClip row;
        copyRow(&row, clips, i, sizeof row);
        readClipWeights(section, weights, head.weightsCount, &nextWeights, row.weightsCount, &model->clips[i]);
    }
    if (section->good && nextWeights != head.weightsCount) {
        return vkmRefuse(section->name, "its clips have fewer morph weights than it", reader->error);
    }
    return section->good && openAnimation(reader) && checkDurations(reader);
}

/* ---- The model ---- */

/* The chunk in which a struct of the model was described. */
static const struct {
    const char *kind;
    VkmChunkKind chunk;
} KINDS[] = {{"node", VKM_SKEL},  {"skin", VKM_SKEL},    {"mesh", VKM_MESH},     {"morph", VKM_MRPH},
             {"level", VKM_MESH}, {"part", VKM_MESH},    {"texture", VKM_TEXR},  {"clip", VKM_CLIP},
             {"track", VKM_CLIP}, {"warning", VKM_INFO}, {"material", VKM_MATR}, {"model", VKM_INFO}};

/* The rules of model.h: indices, numbers, sums. */
static bool checkModel(Reader *reader) {
    const char *kind;
    if (modelCheckKind(reader->model, &kind, reader->error)) {
        return true;
    }
    char where[16] = "chunk INFO";
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (strcmp(KINDS[i].kind, kind) == 0) {
            snprintf(where, sizeof where, "chunk %s", VKM_CHUNK_NAMES[KINDS[i].chunk]);
        }
    }
    return engineFailAt(reader->error, where);
}

static bool readAll(Reader *reader) {
    return vkmFindChunks(reader->image, reader->size, !reader->options.checksumsOff, reader->sections, reader->error) &&
           readInfo(reader) && readSkeleton(reader) && readTextures(reader) && readPictures(reader) &&
           readMaterials(reader) && readMeshes(reader) && readClips(reader) && checkModel(reader);
}

Model *vkmParse(void *image, size_t size, const VkmReadOptions *options, EngineError *error) {
    Reader reader = {.image = image, .size = size, .error = error};
    reader.options = options ? *options : (VkmReadOptions){0};
    reader.options.limit = reader.options.limit ? reader.options.limit : LIMIT;
    reader.model = engineAllocate(1, sizeof *reader.model, error);
    if (!reader.model) {
        free(image);
        return NULL;
    }
    reader.model->image = image;
    reader.model->imageSize = size;
    if (!readAll(&reader)) {
        modelFree(reader.model);
        return NULL;
    }
    return reader.model;
}

/* ---- The file ---- */

bool vkmIsNamed(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, VKM_ENDING) == 0;
}

Model *vkmRead(const char *path, const VkmReadOptions *options, EngineError *error) {
    size_t size = 0;
    void *image = vkmCopyFile(path, options && options->limit ? options->limit : LIMIT, &size, error);
    return image ? vkmParse(image, size, options, error) : NULL;
}

/* The heads were checked when the model was read. */
bool vkmContent(const Model *model, VkmContent *content) {
    VkmHeader head;
    *content = (VkmContent){.bytes = model->imageSize};
    if (!model->image) {
        return false;
    }
    memcpy(&head, model->image, sizeof head);
    content->major = head.major;
    content->minor = head.minor;
    content->chunkCount = content->skipped = head.chunkCount;
    uint64_t at = sizeof head;
    for (uint32_t i = 0; i < head.chunkCount; i++) {
        VkmChunk chunk;
        memcpy(&chunk, (const uint8_t *)model->image + at, sizeof chunk);
        at += sizeof chunk + chunk.bytes + -chunk.bytes % VKM_ALIGNMENT;
        const int kind = vkmChunkKind(chunk.type);
        if (kind < VKM_CHUNK_COUNT) {
            content->sizes[kind] = chunk.bytes;
            content->skipped--;
        }
    }
    return true;
}
