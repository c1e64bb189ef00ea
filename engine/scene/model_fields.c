#include "model_fields.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model_rows.h"
#include "spine_model.h"

/* ---- Counts that are not fields of the same struct ---- */

/* 0 if the part's mesh does not exist, which modelCheck reports. */
static size_t morphsOfPart(const Model *model, const void *object) {
    const ModelPart *part = object;
    return part->mesh < model->meshCount ? model->meshes[part->mesh].morphCount : 0;
}

static size_t valuesPerKey(const void *object) {
    const VkskinTrack *track = object;
    size_t values = track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    values = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? track->weightCount : values;
    return values * vkskinInterpolationParts(track->interpolation);
}

/* ---- Checks that field rules cannot express ---- */

/* "morph 1 'smile' of mesh 0 'face'" */
static void describe(const ModelScope *scope, char *text, size_t size) {
    const ModelField *first = scope->type->fields;
    const char *name = first->kind == MODEL_TEXT ? modelFieldPointer(scope->object, first) : NULL;
    int length = snprintf(text, size, "%s %u", scope->type->name, scope->index);
    if (name) {
        length += snprintf(text + length, size - (size_t)length, " '%.80s'", name);
    }
    if (scope->parent && scope->parent->parent) {
        length += snprintf(text + length, size - (size_t)length, " of ");
        describe(scope->parent, text + length, size - (size_t)length);
    }
}

bool modelFailStruct(const ModelScope *scope, const char *fault, EngineError *error) {
    char text[256];
    if (scope->kind) {
        *scope->kind = scope->type->name;
    }
    describe(scope, text, sizeof text);
    return engineFail(error, "%s %s", text, fault);
}

static bool checkSkin(const ModelScope *scope, EngineError *error) {
    const ModelSkin *skin = scope->object;
    return skin->boneCount > 0 || modelFailStruct(scope, "has no bones", error);
}

static bool checkLod(const ModelScope *scope, EngineError *error) {
    const ModelLod *lod = scope->object;
    if (lod->indexCount % 3 != 0) {
        return modelFailStruct(scope, "has indices for part of a triangle", error);
    }
    const ModelMesh *mesh = scope->parent->object;
    if (lod->vertexCount - 1 >= mesh->vertexCount) {
        return modelFailStruct(scope, "has no vertices, or more than the mesh", error);
    }
    return lod->influences - 1 < MODEL_LOD_INFLUENCES ||
           modelFailStruct(scope, "has no influences, or more than 4", error);
}

static bool checkMesh(const ModelScope *scope, EngineError *error) {
    const ModelMesh *mesh = scope->object;
    if (mesh->indexCount % 3 != 0) {
        return modelFailStruct(scope, "has indices for part of a triangle", error);
    }
    if (mesh->influences == 0) {
        return modelFailStruct(scope, "has no influences", error);
    }
    if (mesh->lodCount > MODEL_LODS_MAX || mesh->lodCount != scope->model->meshes->lodCount) {
        return modelFailStruct(scope, "has more than 3 levels, or not as many as the others", error);
    }
    for (size_t vertex = 0; vertex < mesh->vertexCount; vertex++) {
        double sum = 0.0;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            sum += mesh->weights[vertex * mesh->influences + i];
        }
        if (!(sum > 0.0)) {
            return modelFailStruct(scope, "has a vertex whose weights are all 0", error);
        }
    }
    return true;
}

static bool checkPart(const ModelScope *scope, EngineError *error) {
    const ModelPart *part = scope->object;
    const Model *model = scope->model;
    return model->meshes[part->mesh].boneCount <= model->skins[part->skin].boneCount ||
           modelFailStruct(scope, "has a mesh with more bones than its skin", error);
}

static bool checkTexture(const ModelScope *scope, EngineError *error) {
    const ModelTexture *texture = scope->object;
    bool good = texture->width - 1 < MODEL_TEXTURE_SIDE && texture->height - 1 < MODEL_TEXTURE_SIDE;
    return good || modelFailStruct(scope, "is empty or too large", error);
}

static bool checkTrack(const ModelScope *scope, EngineError *error) {
    const VkskinTrack *track = scope->object;
    return (track->keyCount > 0 && valuesPerKey(track) > 0) || modelFailStruct(scope, "has no keys", error);
}

static bool checkModel(const ModelScope *scope, EngineError *error) {
    const Model *model = scope->model;
    bool onlyClips = model->meshCount == 0 && model->clipCount > 0;
    if (model->warningCount > MODEL_WARNINGS_MAX + 1) {
        return engineFail(error, "%u warnings are too many", model->warningCount);
    }
    if (model->spineCount > 0) {
        bool alone = model->nodeCount == 0 && model->meshCount == 0 && model->partCount == 0 && model->clipCount == 0;
        return (model->spineCount == 1 && alone) || engineFail(error, "a 2D model beside nodes, meshes or 2D models");
    }
    return model->partCount > 0 || onlyClips || engineFail(error, "no meshes");
}

/* ---- The tables ---- */

static const ModelField nodeFields[] = {
    TEXT(ModelNode, name),
    PLAIN(ModelNode, parent, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_INDEX),
    PLAIN(ModelNode, rest, FINITE),
    PLAIN(ModelNode, preTransform, FINITE),
};
static const ModelStruct nodeStruct = STRUCT("node", nodeFields, NULL);

static const ModelField skinFields[] = {
    PLAIN(ModelSkin, boneCount, ),
    ARRAY(ModelSkin, boneNodes, 1, boneCount, BELOW(MODEL_LIMIT_MODEL, Model, nodeCount)),
    ARRAY(ModelSkin, inverseBinds, 1, boneCount, FINITE),
};
static const ModelStruct skinStruct = STRUCT("skin", skinFields, checkSkin);

static const ModelField morphFields[] = {
    TEXT(ModelMorph, name),
    PLAIN(ModelMorph, vertexCount, ),
    ARRAY(ModelMorph, vertices, 1, vertexCount, .rules = MODEL_BELOW | MODEL_ASCENDING, .limitIn = MODEL_LIMIT_PARENT,
          .limit = offsetof(ModelMesh, vertexCount)),
    ARRAY(ModelMorph, positions, 3, vertexCount, FINITE, .optional = true),
    ARRAY(ModelMorph, normals, 3, vertexCount, FINITE, .optional = true),
    ARRAY(ModelMorph, tangents, 3, vertexCount, FINITE, .optional = true),
};
const ModelStruct modelMorphStruct = STRUCT("morph", morphFields, NULL);

static const ModelField lodFields[] = {
    PLAIN(ModelLod, error, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(ModelLod, influences, ),
    PLAIN(ModelLod, vertexCount, ),
    ARRAY(ModelLod, vertices, 1, vertexCount, BELOW(MODEL_LIMIT_PARENT, ModelMesh, vertexCount)),
    PLAIN(ModelLod, indexCount, ),
    ARRAY(ModelLod, indices, 1, indexCount, BELOW(MODEL_LIMIT_OWN, ModelLod, vertexCount)),
};
static const ModelStruct lodStruct = STRUCT("level", lodFields, checkLod);

static const ModelField meshFields[] = {
    TEXT(ModelMesh, name),
    PLAIN(ModelMesh, vertexCount, ),
    PLAIN(ModelMesh, influences, ),
    PLAIN(ModelMesh, boneCount, ),
    PLAIN(ModelMesh, indexCount, ),
    PLAIN(ModelMesh, material, BELOW(MODEL_LIMIT_MODEL, Model, materialCount)),
    ARRAY(ModelMesh, positions, 3, vertexCount, FINITE),
    ARRAY(ModelMesh, normals, 3, vertexCount, FINITE),
    ARRAY(ModelMesh, tangents, 4, vertexCount, FINITE, .optional = true),
    ARRAY(ModelMesh, texcoords, 2, vertexCount, FINITE, .optional = true),
    ARRAY(ModelMesh, colours, 4, vertexCount, .rules = MODEL_UNIT, .optional = true),
    ARRAY(ModelMesh, joints, 1, vertexCount, .factor = offsetof(ModelMesh, influences),
          BELOW(MODEL_LIMIT_OWN, ModelMesh, boneCount)),
    ARRAY(ModelMesh, weights, 1, vertexCount, .factor = offsetof(ModelMesh, influences),
          .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    ARRAY(ModelMesh, indices, 1, indexCount, BELOW(MODEL_LIMIT_OWN, ModelMesh, vertexCount)),
    ARRAY(ModelMesh, blendWeights, 1, vertexCount, .rules = MODEL_UNIT, .optional = true),
    STRUCTS(ModelMesh, morphs, morphCount, modelMorphStruct),
    STRUCTS(ModelMesh, lods, lodCount, lodStruct),
};
const ModelStruct modelMeshStruct = STRUCT("mesh", meshFields, checkMesh);

static const ModelField partFields[] = {
    PLAIN(ModelPart, mesh, BELOW(MODEL_LIMIT_MODEL, Model, meshCount)),
    PLAIN(ModelPart, skin, BELOW(MODEL_LIMIT_MODEL, Model, skinCount)),
    PLAIN(ModelPart, node, BELOW(MODEL_LIMIT_MODEL, Model, nodeCount)),
    PLAIN(ModelPart, carrier, BELOW(MODEL_LIMIT_MODEL, Model, nodeCount)),
    {AT(ModelPart, morphWeights), .kind = MODEL_ARRAY, .size = sizeof(float), .countOf = morphsOfPart, FINITE,
     .optional = true},
};
static const ModelStruct partStruct = STRUCT("part", partFields, checkPart);

static const ModelField textureFields[] = {
    TEXT(ModelTexture, name),
    TEXT(ModelTexture, path),
    PLAIN(ModelTexture, width, ),
    PLAIN(ModelTexture, height, ),
    ARRAY(ModelTexture, pixels, 4, width, .factor = offsetof(ModelTexture, height)),
    PLAIN(ModelTexture, sourceSize, ),
    ARRAY(ModelTexture, source, 1, sourceSize, .optional = true),
};
static const ModelStruct textureStruct = STRUCT("texture", textureFields, checkTexture);

static const ModelField materialFields[] = {
    TEXT(ModelMaterial, name),
    PLAIN(ModelMaterial, baseColor, FINITE),
    PLAIN(ModelMaterial, emission, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(ModelMaterial, specular, .rules = MODEL_UNIT),
    PLAIN(ModelMaterial, metallic, .rules = MODEL_UNIT),
    PLAIN(ModelMaterial, roughness, .rules = MODEL_UNIT),
    PLAIN(ModelMaterial, normalScale, FINITE),
    PLAIN(ModelMaterial, occlusion, .rules = MODEL_UNIT),
    PLAIN(ModelMaterial, alphaCutoff, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(ModelMaterial, alpha, .rules = MODEL_BELOW, .limit = MODEL_ALPHA_BLEND + 1),
    PLAIN(ModelMaterial, oneSided, .rules = MODEL_BELOW, .limit = 2),
    PLAIN(ModelMaterial, unlit, .rules = MODEL_BELOW, .limit = 2),
    PLAIN(ModelMaterial, maps, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_MODEL,
          .limit = offsetof(Model, textureCount)),
    PLAIN(ModelMaterial, wraps, .rules = MODEL_BELOW, .limit = MODEL_WRAP_COUNT),
};
static const ModelStruct materialStruct = STRUCT("material", materialFields, NULL);

static const ModelField trackFields[] = {
    PLAIN(VkskinTrack, node, BELOW(MODEL_LIMIT_MODEL, Model, nodeCount)),
    PLAIN(VkskinTrack, channel, .rules = MODEL_BELOW, .limit = VKSKIN_CHANNEL_MORPH_WEIGHTS + 1),
    PLAIN(VkskinTrack, interpolation, .rules = MODEL_BELOW, .limit = VKSKIN_INTERPOLATION_BEZIER + 1),
    PLAIN(VkskinTrack, keyCount, ),
    PLAIN(VkskinTrack, weightCount, ),
    ARRAY(VkskinTrack, times, 1, keyCount, .rules = MODEL_FINITE | MODEL_ASCENDING),
    ARRAY(VkskinTrack, values, 1, keyCount, .factorOf = valuesPerKey, FINITE),
};
static const ModelStruct trackStruct = STRUCT("track", trackFields, checkTrack);

static const ModelField clipFields[] = {
    TEXT(ModelClip, name),
    PLAIN(ModelClip, duration, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(ModelClip, assumedTicks, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(ModelClip, framesPerSecond, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    STRUCTS(ModelClip, tracks, trackCount, trackStruct),
};
static const ModelStruct clipStruct = STRUCT("clip", clipFields, NULL);

static const ModelField warningFields[] = {TEXT(ModelWarning, text)};
static const ModelStruct warningStruct = STRUCT("warning", warningFields, NULL);

static const ModelField modelFields[] = {
    STRUCTS(Model, nodes, nodeCount, nodeStruct),
    STRUCTS(Model, skins, skinCount, skinStruct),
    STRUCTS(Model, meshes, meshCount, modelMeshStruct),
    STRUCTS(Model, parts, partCount, partStruct),
    STRUCTS(Model, textures, textureCount, textureStruct),
    STRUCTS(Model, materials, materialCount, materialStruct),
    STRUCTS(Model, clips, clipCount, clipStruct),
    STRUCTS(Model, warnings, warningCount, warningStruct),
    STRUCTS(Model, spines, spineCount, spineStruct),
    PLAIN(Model, fileCount, ),
    ARRAY(Model, files, 1, fileCount, .optional = true),
    PLAIN(Model, up, .rules = MODEL_BELOW, .limit = MODEL_UP_X + 1),
    PLAIN(Model, metres, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(Model, repairs, ),
};
const ModelStruct modelStruct = STRUCT("model", modelFields, checkModel);

_Static_assert(sizeof(VkskinTransform) == 10 * sizeof(float) && sizeof(VkskinAffine) == 12 * sizeof(float) &&
                   sizeof(VkskinChannel) == 4 && sizeof(VkskinInterpolation) == 4 && sizeof(ModelUp) == 4 &&
                   sizeof(ModelAlpha) == 4 && sizeof(ModelWrap) == 4,
               "fields with rules are tight rows of numbers of 32 bits");

/* ---- Reading a field ---- */

static uint32_t numberAt(const void *object, size_t offset) {
    uint32_t number;
    memcpy(&number, (const char *)object + offset, sizeof number);
    return number;
}

size_t modelFieldCount(const Model *model, const void *object, const ModelField *field) {
    return field->countOf ? field->countOf(model, object) : numberAt(object, field->count);
}

size_t modelFieldStride(const void *object, const ModelField *field) {
    size_t factor = field->factor ? numberAt(object, field->factor) : 1;
    return field->size * (field->factorOf ? field->factorOf(object) : factor);
}

void *modelFieldPointer(const void *object, const ModelField *field) {
    void *pointer;
    memcpy(&pointer, (const char *)object + field->offset, sizeof pointer);
    return pointer;
}

void modelFieldSetPointer(void *object, const ModelField *field, void *pointer) {
    memcpy((char *)object + field->offset, &pointer, sizeof pointer);
}

uint32_t modelFieldLimit(const ModelScope *scope, const ModelField *field) {
    switch (field->limitIn) {
    case MODEL_LIMIT_INDEX:
        return scope->index;
    case MODEL_LIMIT_OWN:
        return numberAt(scope->object, field->limit);
    case MODEL_LIMIT_PARENT:
        return scope->parent ? numberAt(scope->parent->object, field->limit) : 0;
    case MODEL_LIMIT_MODEL:
        return numberAt(scope->model, field->limit);
    default:
        return (uint32_t)field->limit;
    }
}

/* ---- Freeing ---- */

/* model: the owner of an image, or null. */
static bool inImage(const Model *model, const void *pointer) {
    return model && model->image && (uintptr_t)pointer - (uintptr_t)model->image < model->imageSize;
}

static void freeFields(const Model *model, const ModelStruct *type, const void *object) {
    for (size_t f = 0; f < type->fieldCount; f++) {
        const ModelField *field = &type->fields[f];
        if (field->kind == MODEL_PLAIN) {
            continue;
        }
        char *pointer = modelFieldPointer(object, field);
        /* In a partly made model, a count may be set before its array exists. */
        size_t structs = field->kind == MODEL_STRUCTS && pointer ? numberAt(object, field->count) : 0;
        for (size_t i = 0; i < structs; i++) {
            freeFields(model, field->type, pointer + i * field->size);
        }
        if (!inImage(model, pointer)) {
            free(pointer);
        }
    }
}

void modelFreeMesh(ModelMesh *mesh) {
    freeFields(NULL, &modelMeshStruct, mesh);
    *mesh = (ModelMesh){0};
}

void modelFreeClip(ModelClip *clip) {
    freeFields(NULL, &clipStruct, clip);
    *clip = (ModelClip){0};
}

void modelFree(Model *model) {
    if (model) {
        freeFields(model, &modelStruct, model);
        modelDropPacked(model);
        free(model->image);
        free(model);
    }
}

void modelDropPacked(Model *model) {
    free(model->packed.stats);
    model->packed = (PackedModel){0};
}

/* ---- Arrays in Model.image ---- */

/* For a text or an array. model: null if none of the fields counts by it. */
static size_t fieldBytes(const Model *model, const void *object, const ModelField *field) {
    return field->kind == MODEL_TEXT ? strlen(modelFieldPointer(object, field)) + 1
                                     : modelFieldCount(model, object, field) * modelFieldStride(object, field);
}

static bool ownFields(const Model *model, const ModelStruct *type, void *object) {
    bool good = true;
    for (size_t f = 0; f < type->fieldCount && good; f++) {
        const ModelField *field = &type->fields[f];
        char *pointer = field->kind == MODEL_PLAIN ? NULL : modelFieldPointer(object, field);
        if (field->kind == MODEL_STRUCTS) {
            for (size_t i = 0; i < numberAt(object, field->count) && good; i++) {
                good = ownFields(model, field->type, pointer + i * field->size);
            }
        } else if (pointer && inImage(model, pointer)) {
            const size_t size = fieldBytes(model, object, field);
            void *copy = malloc(size + 1);
            good = copy != NULL;
            if (copy) {
                memcpy(copy, pointer, size);
                modelFieldSetPointer(object, field, copy);
            }
        }
    }
    return good;
}

bool modelOwnMesh(const Model *model, ModelMesh *mesh) {
    return ownFields(model, &modelMeshStruct, mesh);
}

/* ---- Copying ---- */

static bool copyFields(const ModelStruct *type, const void *from, void *to);

static bool copyStructs(const ModelField *field, const void *from, void *to) {
    const char *source = modelFieldPointer(from, field);
    const uint32_t count = numberAt(from, field->count);
    char *copy = calloc((size_t)count + 1, field->size);
    bool good = copy != NULL;
    modelFieldSetPointer(to, field, copy);
    memcpy((char *)to + field->count, &count, sizeof count);
    for (uint32_t i = 0; i < count && good; i++) {
        good = copyFields(field->type, source + i * field->size, copy + i * field->size);
    }
    return good;
}

/* to: zero. After a failure it can only be freed. */
static bool copyFields(const ModelStruct *type, const void *from, void *to) {
    bool good = true;
    for (size_t f = 0; f < type->fieldCount && good; f++) {
        const ModelField *field = &type->fields[f];
        if (field->kind == MODEL_PLAIN) {
            memcpy((char *)to + field->offset, (const char *)from + field->offset, field->size);
        } else if (field->kind == MODEL_STRUCTS) {
            good = copyStructs(field, from, to);
        } else if (modelFieldPointer(from, field)) {
            const size_t size = fieldBytes(NULL, from, field);
            void *copy = malloc(size + 1);
            good = copy != NULL;
            if (copy) {
                memcpy(copy, modelFieldPointer(from, field), size);
            }
            modelFieldSetPointer(to, field, copy);
        }
    }
    return good;
}

bool modelCopyMesh(const ModelMesh *from, ModelMesh *to) {
    *to = (ModelMesh){0};
    return copyFields(&modelMeshStruct, from, to);
}

/* ---- Checking ---- */

/* Returns null if the number obeys the rules. */
static const char *indexFault(unsigned rules, const uint32_t *numbers, size_t i, uint64_t limit) {
    uint32_t none = (rules & MODEL_OR_NONE) != 0; /* 1 is added to both sides, so that -1 becomes 0 */
    uint32_t number = numbers[i] + none;
    if (number >= limit + none) {
        return "is out of range";
    }
    return (rules & MODEL_ASCENDING) && i > 0 && numbers[i] <= numbers[i - 1] ? "is not in ascending order" : NULL;
}

static const char *floatFault(unsigned rules, const float *numbers, size_t i) {
    if (!isfinite(numbers[i])) {
        return "is not finite";
    }
    if ((rules & MODEL_UNIT) && !(numbers[i] >= 0.0f && numbers[i] <= 1.0f)) {
        return "is outside 0 to 1";
    }
    if ((rules & MODEL_NOT_NEGATIVE) && numbers[i] < 0.0f) {
        return "is negative";
    }
    return (rules & MODEL_ASCENDING) && i > 0 && numbers[i] < numbers[i - 1] ? "is not in ascending order" : NULL;
}

/*
 * A fast answer for whole arrays, which compilers turn into vector code: true if all numbers obey the rules. After false
 * they may still do so. Floats that are not negative order like their bits.
 */
static bool obeyAll(unsigned rules, const void *numbers, size_t count, uint64_t limit) {
    const uint32_t finite = 0x7f7fffffu, one = 0x3f800000u;
    const bool sign = (rules & (MODEL_BELOW | MODEL_UNIT | MODEL_NOT_NEGATIVE)) == 0; /* it may be set */
    const uint64_t highest = rules & MODEL_BELOW ? limit - 1 : rules & MODEL_UNIT ? one : finite;
    uint32_t above = 0;
    if ((rules & MODEL_ASCENDING) != 0 || highest > UINT32_MAX) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t number;
        memcpy(&number, (const char *)numbers + i * sizeof number, sizeof number);
        above |= (number & (sign ? 0x7fffffffu : UINT32_MAX)) > (uint32_t)highest;
    }
    return above == 0;
}

static bool checkNumbers(const ModelScope *scope, const ModelField *field, EngineError *error) {
    bool array = field->kind == MODEL_ARRAY;
    size_t stride = array ? modelFieldStride(scope->object, field) : field->size;
    size_t count = array ? modelFieldCount(scope->model, scope->object, field) : 1;
    const void *numbers = array ? modelFieldPointer(scope->object, field) : (const char *)scope->object + field->offset;
    uint64_t limit = modelFieldLimit(scope, field);
    if (!numbers || obeyAll(field->rules, numbers, count * stride / sizeof(float), limit)) {
        return true;
    }
    for (size_t i = 0; i < count * stride / sizeof(float); i++) {
        const char *fault = field->rules & MODEL_BELOW ? indexFault(field->rules, numbers, i, limit)
                                                       : floatFault(field->rules, numbers, i);
        if (fault) {
            char row[32] = "", text[128];
            snprintf(row, array ? sizeof row : 1, "[%zu]", i * sizeof(float) / stride);
            snprintf(text, sizeof text, "has %s%s that %s", field->name, row, fault);
            return modelFailStruct(scope, text, error);
        }
    }
    return true;
}

static bool checkFields(const ModelScope *scope, EngineError *error) {
    for (size_t f = 0; f < scope->type->fieldCount; f++) {
        const ModelField *field = &scope->type->fields[f];
        if (field->rules != 0 && !checkNumbers(scope, field, error)) {
            return false;
        }
        size_t structs = field->kind == MODEL_STRUCTS ? numberAt(scope->object, field->count) : 0;
        for (size_t i = 0; i < structs; i++) {
            const char *object = (const char *)modelFieldPointer(scope->object, field) + i * field->size;
            const ModelScope inner = {scope->model, field->type, object, (uint32_t)i, scope, scope->kind};
            if (!checkFields(&inner, error)) {
                return false;
            }
        }
    }
    return !scope->type->check || scope->type->check(scope, error);
}

bool modelCheckKind(const Model *model, const char **kind, EngineError *error) {
    *kind = modelStruct.name;
    return checkFields(&(ModelScope){.model = model, .type = &modelStruct, .object = model, .kind = kind}, error);
}

bool modelCheck(const Model *model, EngineError *error) {
    const char *kind;
    return modelCheckKind(model, &kind, error);
}
