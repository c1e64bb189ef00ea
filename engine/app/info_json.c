/*
 * info_json.c: infoJson of info.h.
 */
#include "info.h"
#include "json_add.h"
#include "vkskin/vkskin_base.h"

/* An object at the end of an array; null when memory is out, and *good is false then. */
static cJSON *addRow(cJSON *array, bool *good) {
    cJSON *row = cJSON_CreateObject();
    if (!row || !cJSON_AddItemToArray(array, row)) {
        cJSON_Delete(row);
        *good = false;
        return NULL;
    }
    return row;
}

/* An empty array as a member; null when memory is out, and *good is false then. */
static cJSON *addArray(cJSON *object, const char *name, bool *good) {
    cJSON *array = cJSON_AddArrayToObject(object, name);
    *good = *good && array;
    return array;
}

static void addNumbers(cJSON *object, const char *name, const double *numbers, int count, bool *good) {
    jsonAdd(object, name, cJSON_CreateDoubleArray(numbers, count), good);
}

static void addTruth(cJSON *object, const char *name, bool truth, bool *good) {
    jsonAdd(object, name, cJSON_CreateBool(truth), good);
}

/* ---- Meshes ---- */

static void addMorphs(cJSON *object, const ModelMesh *mesh, bool *good) {
    cJSON *morphs = addArray(object, "morphs", good);
    for (uint32_t i = 0; i < mesh->morphCount && *good; i++) {
        cJSON *row = addRow(morphs, good);
        if (row) {
            jsonAddText(row, "name", mesh->morphs[i].name, good);
            jsonAddCount(row, "vertices", mesh->morphs[i].vertexCount, good);
        }
    }
}

static void addBones(cJSON *object, const VkskinSplitPart *part, bool *good) {
    cJSON *bones = addArray(object, "bones", good);
    for (uint32_t i = 0; i < part->boneCount && *good; i++) {
        cJSON *bone = cJSON_CreateNumber(part->bones[i]);
        if (!bone || !cJSON_AddItemToArray(bones, bone)) {
            cJSON_Delete(bone);
            *good = false;
        }
    }
}

static void addRanges(cJSON *object, const VkskinSplitPart *part, bool *good) {
    cJSON *ranges = addArray(object, "ranges", good);
    for (uint32_t i = 0; i < part->rangeCount && *good; i++) {
        cJSON *row = addRow(ranges, good);
        if (row) {
            jsonAddCount(row, "material", part->ranges[i].material, good);
            jsonAddCount(row, "firstIndex", part->ranges[i].firstIndex, good);
            jsonAddCount(row, "indices", part->ranges[i].indexCount, good);
        }
    }
}

static void addSplit(cJSON *object, const MeshSplit *mesh, bool *good) {
    jsonAddCount(object, "partVertices", mesh->vertices, good);
    jsonAddCount(object, "doubledVertices", mesh->doubled, good);
    cJSON *parts = addArray(object, "parts", good);
    for (uint32_t i = 0; i < mesh->partCount && *good; i++) {
        VkskinSplitPart part = modelSplitPart(mesh, i);
        cJSON *row = addRow(parts, good);
        if (row) {
            jsonAddCount(row, "vertices", part.vertexCount, good);
            jsonAddCount(row, "indexBits", part.wideIndices ? 32 : 16, good);
            addBones(row, &part, good);
            addRanges(row, &part, good);
        }
    }
}

static void addMeshes(cJSON *object, const Info *info, bool *good) {
    const Model *model = info->model;
    cJSON *meshes = addArray(object, "meshes", good);
    for (uint32_t i = 0; i < model->meshCount && *good; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        cJSON *row = addRow(meshes, good);
        if (!row) {
            return;
        }
        jsonAddText(row, "name", mesh->name, good);
        jsonAddCount(row, "vertices", mesh->vertexCount, good);
        jsonAddCount(row, "triangles", mesh->indexCount / 3, good);
        jsonAddCount(row, "bones", modelMeshIsSkinned(model, i) ? mesh->boneCount : 0, good);
        jsonAddCount(row, "placed", modelMeshPlaces(model, i), good);
        addTruth(row, "tangents", mesh->tangents != NULL, good);
        addTruth(row, "texcoords", mesh->texcoords != NULL, good);
        addTruth(row, "blendWeights", mesh->blendWeights != NULL, good);
        jsonAddCount(row, "material", mesh->material, good);
        addMorphs(row, mesh, good);
        if (info->split.maxBones > 0) {
            addSplit(row, &info->split.meshes[i], good);
        }
    }
}

/* ---- Weights ---- */

static void addWeights(cJSON *object, const ModelSurvey *survey, bool *good) {
    const double sums[2] = {survey->least, survey->greatest};
    cJSON *influences = addArray(object, "influences", good);
    for (uint32_t i = 0; i <= survey->most && *good; i++) {
        cJSON *row = survey->histogram[i] > 0 ? addRow(influences, good) : NULL;
        if (row) {
            jsonAddCount(row, "count", i, good);
            jsonAddCount(row, "vertices", survey->histogram[i], good);
        }
    }
    addNumbers(object, "weightSums", sums, 2, good);
    jsonAddCount(object, "normalisedVertices", survey->normalised, good);
    cJSON *losses = addArray(object, "weightLosses", good);
    for (uint32_t kept = 1; kept < survey->most && *good; kept++) {
        cJSON *row = addRow(losses, good);
        if (row) {
            jsonAddCount(row, "maxInfluences", kept, good);
            jsonAddCount(row, "vertices", survey->losses[kept].vertices, good);
            jsonAddNumber(row, "share", survey->losses[kept].share, good);
            jsonAddNumber(row, "error", survey->losses[kept].error, good);
        }
    }
}

/* ---- Clips, materials, repairs ---- */

static void addClips(cJSON *object, const Model *model, bool *good) {
    cJSON *clips = addArray(object, "clips", good);
    for (uint32_t i = 0; i < model->clipCount && *good; i++) {
        cJSON *row = addRow(clips, good);
        if (row) {
            jsonAddText(row, "name", model->clips[i].name, good);
            jsonAddNumber(row, "seconds", (double)model->clips[i].duration, good);
            jsonAddCount(row, "tracks", model->clips[i].trackCount, good);
        }
    }
}

static void addMaterials(cJSON *object, const Model *model, bool *good) {
    cJSON *materials = addArray(object, "materials", good);
    for (uint32_t i = 0; i < model->materialCount && *good; i++) {
        const ModelMaterial *material = &model->materials[i];
        cJSON *row = addRow(materials, good);
        if (!row) {
            return;
        }
        jsonAddText(row, "name", material->name, good);
        jsonAdd(row, "baseColour", cJSON_CreateFloatArray(material->baseColor, 4), good);
        if (material->texture >= 0) {
            const ModelTexture *texture = &model->textures[material->texture];
            const double size[2] = {texture->width, texture->height};
            addNumbers(row, "texture", size, 2, good);
        }
    }
}

static void addRepairs(cJSON *object, const ModelRepairs *repairs, bool *good) {
    InfoRepair rows[INFO_REPAIRS];
    cJSON *counts = cJSON_CreateObject();
    infoListRepairs(repairs, rows);
    for (int i = 0; i < INFO_REPAIRS && counts; i++) {
        jsonAddCount(counts, rows[i].name, rows[i].count, good);
    }
    jsonAdd(object, "repairs", counts, good);
}

static void addAll(cJSON *object, const Info *info, bool *good) {
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    jsonAddText(object, "vkskin", version, good);
    jsonAddText(object, "model", info->path, good);
    jsonAddCount(object, "vertices", info->survey.vertices, good);
    jsonAddCount(object, "triangles", info->survey.triangles, good);
    jsonAddCount(object, "nodes", info->model->nodeCount, good);
    jsonAddCount(object, "bones", info->survey.bones, good);
    if (info->split.maxBones > 0) {
        jsonAddCount(object, "maxBones", info->split.maxBones, good);
    }
    addMeshes(object, info, good);
    addWeights(object, &info->survey, good);
    addClips(object, info->model, good);
    addMaterials(object, info->model, good);
    addRepairs(object, &info->model->repairs, good);
}

char *infoJson(const Info *info) {
    cJSON *object = cJSON_CreateObject();
    bool good = object != NULL;
    if (good) {
        addAll(object, info, &good);
    }
    return jsonPrint(object, good);
}
