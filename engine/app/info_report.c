#include "info_report.h"

#include "outputs.h"
#include "terminal.h"
#include "vkskin/vkskin_base.h"

/* ---- Text: one table per subject ---- */

static void printCount(FILE *file, const char *name, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    fprintf(file, "%-12s%12s\n", name, text);
}

static void printColumn(FILE *file, int width, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    fprintf(file, "%*s", width, text);
}

static void printName(FILE *file, const char *name) {
    fputs("  ", file);
    sayClean(file, name[0] ? name : "(no name)");
    fputc('\n', file);
}

static void printTotals(FILE *file, const Info *info) {
    const Model *model = info->model;
    printCount(file, "meshes", model->meshCount);
    printCount(file, "vertices", info->survey.vertices);
    printCount(file, "triangles", info->survey.triangles);
    printCount(file, "nodes", model->nodeCount);
    printCount(file, "bones", info->survey.bones);
    printCount(file, "clips", model->clipCount);
    printCount(file, "materials", model->materialCount);
}

static void printMeshes(FILE *file, const Model *model) {
    fputs("\nmesh    vertices   triangles   bones  placed  tangents  texcoords  material  name\n", file);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        fprintf(file, "%4u", i);
        printColumn(file, 12, mesh->vertexCount);
        printColumn(file, 12, mesh->indexCount / 3);
        fprintf(file, "%8u%8u%10s%11s%10u", modelMeshIsSkinned(model, i) ? mesh->boneCount : 0,
                modelMeshPlaces(model, i), mesh->tangents ? "yes" : "no", mesh->texcoords ? "yes" : "no",
                mesh->material);
        printName(file, mesh->name);
    }
}

static void printPainted(FILE *file, const Model *model) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (model->meshes[i].blendWeights) {
            fprintf(file, "mesh %u has painted blend weights; '--method blend' uses them\n", i);
        }
    }
}

/* ---- Weights ---- */

static void printInfluences(FILE *file, const ModelSurvey *survey) {
    fputs("\ninfluences    vertices   share\n", file);
    for (uint32_t i = 0; i <= survey->most; i++) {
        if (survey->histogram[i] > 0) {
            fprintf(file, "%10u", i);
            printColumn(file, 12, survey->histogram[i]);
            fprintf(file, "%6.1f %%\n", 100.0 * (double)survey->histogram[i] / (double)survey->skinnedVertices);
        }
    }
}

/* Rows for 1 to 4, 8, 16 and so on, not for all of 255. */
static void printLosses(FILE *file, const ModelSurvey *survey) {
    if (survey->most > 1) {
        fputs("\nkept at most    vertices    lose up to     error up to\n", file);
    }
    for (uint32_t kept = 1; kept < survey->most; kept = kept < 4 ? kept + 1 : 2 * kept) {
        const TrimLoss *loss = &survey->losses[kept];
        fprintf(file, "%12u", kept);
        printColumn(file, 12, loss->vertices);
        fprintf(file, "%12.2f %%%16.4g\n", 100.0 * loss->share, loss->error);
    }
}

static void printWeights(FILE *file, const ModelSurvey *survey) {
    char text[QUANTITY_SIZE];
    if (survey->skinnedVertices == 0) {
        fputs("\nno mesh is skinned: all of them follow their nodes\n", file);
        return;
    }
    printInfluences(file, survey);
    fprintf(file, "weight sums  %.6g to %.6g\n", survey->least, survey->greatest);
    quantityCount(text, survey->normalised);
    if (survey->normalised > 0) {
        fprintf(file, "%s %s with weights that do not sum to one; skinning normalises them\n", text,
                survey->normalised == 1 ? "vertex" : "vertices");
    }
    printLosses(file, survey);
}

/* ---- Parts of few bones ---- */

static void printPart(FILE *file, uint32_t mesh, uint32_t index, const VkskinSplitPart *part) {
    for (uint32_t r = 0; r < part->rangeCount; r++) {
        fprintf(file, "%4u%6u%8u", mesh, index, part->boneCount);
        printColumn(file, 12, part->vertexCount);
        fprintf(file, "%7s", part->wideIndices ? "32" : "16");
        printColumn(file, 12, part->ranges[r].firstIndex);
        printColumn(file, 12, part->ranges[r].indexCount);
        fprintf(file, "%10u\n", part->ranges[r].material);
    }
}

static void printSplit(FILE *file, const Info *info) {
    if (info->split.maxBones == 0) {
        return;
    }
    fprintf(file, "\nparts with at most %u bones\n", info->split.maxBones);
    fputs("mesh  part   bones    vertices   bits       first     indices  material\n", file);
    for (uint32_t i = 0; i < info->split.meshCount; i++) {
        const MeshSplit *mesh = &info->split.meshes[i];
        for (uint32_t p = 0; p < mesh->partCount; p++) {
            VkskinSplitPart part = modelSplitPart(mesh, p);
            printPart(file, i, p, &part);
        }
    }
    for (uint32_t i = 0; i < info->split.meshCount; i++) {
        const MeshSplit *mesh = &info->split.meshes[i];
        char vertices[QUANTITY_SIZE], doubled[QUANTITY_SIZE];
        quantityCount(vertices, mesh->vertices);
        quantityCount(doubled, mesh->doubled);
        fprintf(file, "mesh %u: %u part%s, %s vertices, %s of them duplicates\n", i, mesh->partCount,
                mesh->partCount == 1 ? "" : "s", vertices, doubled);
    }
}

/* ---- Morph targets, clips, materials, repairs ---- */

static void printMorphs(FILE *file, const Model *model) {
    bool any = false;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        for (uint32_t target = 0; target < model->meshes[i].morphCount; target++) {
            const ModelMorph *morph = &model->meshes[i].morphs[target];
            if (!any) {
                fputs("\nmesh  morph    vertices  name\n", file);
            }
            any = true;
            fprintf(file, "%4u%7u", i, target);
            printColumn(file, 12, morph->vertexCount);
            printName(file, morph->name);
        }
    }
}

static void printClips(FILE *file, const Model *model) {
    if (model->clipCount > 0) {
        fputs("\nclip     seconds  tracks  name\n", file);
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        fprintf(file, "%4u%12.3f%8u", i, (double)model->clips[i].duration, model->clips[i].trackCount);
        printName(file, model->clips[i].name);
    }
}

static void printMaterials(FILE *file, const Model *model) {
    if (model->materialCount > 0) {
        fputs("\nmaterial  base colour (linear)      texture  name\n", file);
    }
    for (uint32_t i = 0; i < model->materialCount; i++) {
        const ModelMaterial *material = &model->materials[i];
        const float *colour = material->baseColor;
        char texture[32] = "none";
        if (material->texture >= 0) {
            const ModelTexture *from = &model->textures[material->texture];
            snprintf(texture, sizeof texture, "%u x %u", from->width, from->height);
        }
        fprintf(file, "%8u  %.3f %.3f %.3f %.3f%13s", i, (double)colour[0], (double)colour[1], (double)colour[2],
                (double)colour[3], texture);
        printName(file, material->name);
    }
}

void infoListRepairs(const ModelRepairs *repairs, InfoRepair rows[INFO_REPAIRS]) {
    const InfoRepair list[INFO_REPAIRS] = {
        {"weightsNegative", "negative or non-finite weights, set to 0", repairs->weightsNegative},
        {"verticesUnweighted", "vertices of skinned meshes without weight, attached to their node",
         repairs->verticesUnweighted},
        {"normalsComputed", "meshes without normals, computed from the faces", repairs->normalsComputed},
        {"trianglesDropped", "faces that are no triangles or have an invalid index, dropped",
         repairs->trianglesDropped},
        {"nodesSheared", "nodes with shear, kept as a separate matrix", repairs->nodesSheared},
        {"tracksDropped", "animation tracks without keys or for missing nodes, dropped", repairs->tracksDropped},
        {"texturesMissing", "unreadable textures, base colour used", repairs->texturesMissing},
        {"texturesTooLarge", "too large textures (above 8,192 texels per side or 1 GiB in total), base colour used",
         repairs->texturesTooLarge},
    };
    for (int i = 0; i < INFO_REPAIRS; i++) {
        rows[i] = list[i];
    }
}

static void printRepairs(FILE *file, const ModelRepairs *repairs) {
    InfoRepair rows[INFO_REPAIRS];
    bool any = false;
    infoListRepairs(repairs, rows);
    fputs("\nrepaired on import\n", file);
    for (int i = 0; i < INFO_REPAIRS; i++) {
        if (rows[i].count > 0) {
            fprintf(file, "%8u  %s\n", rows[i].count, rows[i].phrase);
            any = true;
        }
    }
    if (!any) {
        fputs("    nothing\n", file);
    }
}

void infoPrint(FILE *file, const Info *info) {
    printTotals(file, info);
    printMeshes(file, info->model);
    printPainted(file, info->model);
    printWeights(file, &info->survey);
    printSplit(file, info);
    printMorphs(file, info->model);
    printClips(file, info->model);
    printMaterials(file, info->model);
    printRepairs(file, &info->model->repairs);
}

/*
 * info_json.c: infoJson of info.h.
 */

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
