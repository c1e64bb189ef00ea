/* model_info.c: the content of a model file, as a document. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "builtin_model.h"
#include "content.h"
#include "info_parts.h"
#include "model_load.h"
#include "model_levels.h"
#include "model_survey.h"
#include "report.h"
#include "skin_choice.h"
#include "terminal.h"
#include "vkskin/vkskin_base.h"

typedef struct Info {
    const char *path; /* as given */
    const Model *model;
    ImportSandbox sandbox; /* sandbox of the process that read the model */
    ModelSurvey survey;
    ModelSplit split;
    Bounds bounds;      /* at rest, in the file's space */
    PackedModel packed; /* without stats unless it was asked for */
    ModelLevel levels[MODEL_LODS_MAX + 1];
    uint32_t levelCount; /* 0: the model has no levels of detail */
    ModelFaults faults;  /* without --check all zero */
    char format[16];
} Info;

/* The repairs of the import: a name for JSON, a phrase for the table, the member of ModelRepairs. */
static const struct {
    const char *name, *phrase;
    size_t offset;
} REPAIRS[] = {
    {"weightsNegative", "negative or non-finite weights, set to 0", offsetof(ModelRepairs, weightsNegative)},
    {"verticesUnweighted", "vertices of skinned meshes without weight, attached to their node",
     offsetof(ModelRepairs, verticesUnweighted)},
    {"normalsComputed", "meshes without normals, computed from the faces", offsetof(ModelRepairs, normalsComputed)},
    {"trianglesDropped", "points, lines and incomplete triangles, left out", offsetof(ModelRepairs, trianglesDropped)},
    {"nodesSheared", "nodes with shear, kept as a separate matrix", offsetof(ModelRepairs, nodesSheared)},
    {"tracksDropped", "animation tracks without keys or for missing nodes, dropped",
     offsetof(ModelRepairs, tracksDropped)},
    {"texturesMissing", "unreadable textures, base colour used", offsetof(ModelRepairs, texturesMissing)},
    {"texturesTooLarge", "too large textures (above 8,192 texels per side or 1 GiB in total), base colour used",
     offsetof(ModelRepairs, texturesTooLarge)},
};

/* ---- Totals ---- */

static void writeTotals(Document *document, const Info *info) {
    static const char *const AXES[3] = {"at rest, x", "         y", "         z"};
    const Model *model = info->model;
    JSON_FIELDS(document, jsonText("model", info->path));
    fieldCount(document, "meshes", NULL, model->meshCount, "");
    fieldCount(document, "vertices", "vertices", info->survey.vertices, "");
    fieldCount(document, "triangles", "triangles", info->survey.triangles, "");
    fieldCount(document, "nodes", "nodes", model->nodeCount, "");
    fieldCount(document, "bones", "bones", info->survey.bones, "");
    fieldCount(document, "clips", NULL, model->clipCount, "");
    fieldCount(document, "materials", NULL, model->materialCount, "");
    fieldWord(document, "format", "format", info->format);
    fieldWord(document, "up axis", "up", MODEL_UP_NAMES[model->up]);
    if (model->metres > 0.0f) {
        fieldLine(document, "unit", "%10.6g m", (double)model->metres);
    }
    jsonAddMetres(document->json, model->metres, &document->good);
    for (int axis = 0; axis < 3 && !boundsIsEmpty(&info->bounds); axis++) {
        fieldLine(document, AXES[axis], "%12.6g to %.6g", (double)info->bounds.min[axis],
                  (double)info->bounds.max[axis]);
    }
    jsonAddBounds(document->json, "bounds", &info->bounds, &document->good);
    JSON_FIELDS(document, jsonNumber("maxBones", numberIf(info->split.maxBones > 0, info->split.maxBones)));
}

/* ---- Meshes ---- */

/* In the JSON, mesh: null: not requested. */
static void addSplit(cJSON *object, const MeshSplit *mesh, bool *good) {
    if (!mesh) {
        JSON_ADD(object, good, jsonText("partVertices", NULL), jsonText("doubledVertices", NULL),
                 jsonText("parts", NULL));
        return;
    }
    JSON_ADD(object, good, jsonCount("partVertices", mesh->vertices), jsonCount("doubledVertices", mesh->doubled));
    cJSON *parts = jsonAddArray(object, "parts", good);
    for (uint32_t i = 0; i < mesh->partCount; i++) {
        VkskinSplitPart part = modelSplitPart(mesh, i);
        cJSON *row = JSON_ROW(parts, good, jsonCount("vertices", part.vertexCount),
                              jsonCount("indexBits", part.wideIndices ? 32 : 16));
        jsonAdd(row, "bones", cJSON_CreateIntArray((const int *)part.bones, (int)part.boneCount), good);
        cJSON *ranges = jsonAddArray(row, "ranges", good);
        for (uint32_t r = 0; r < part.rangeCount; r++) {
            JSON_ROW(ranges, good, jsonCount("material", part.ranges[r].material),
                     jsonCount("firstIndex", part.ranges[r].firstIndex),
                     jsonCount("indices", part.ranges[r].indexCount));
        }
    }
}

static void addMorphs(cJSON *object, const ModelMesh *mesh, bool *good) {
    cJSON *morphs = jsonAddArray(object, "morphs", good);
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        JSON_ROW(morphs, good, jsonText("name", mesh->morphs[i].name),
                 jsonCount("vertices", mesh->morphs[i].vertexCount));
    }
}

static void writeMesh(Document *document, const Info *info, uint32_t index) {
    const ModelMesh *mesh = &info->model->meshes[index];
    cJSON *row = TABLE_ROW(
        document, cellText(mesh->name), cellCount(index), cellCount(mesh->vertexCount), cellCount(mesh->indexCount / 3),
        cellCount(modelMeshIsSkinned(info->model, index) ? mesh->boneCount : 0),
        cellCount(modelMeshPlaces(info->model, index)), cellFlag(mesh->tangents != NULL),
        cellFlag(mesh->texcoords != NULL), cellFlag(mesh->blendWeights != NULL), cellCount(mesh->material));
    addMorphs(row, mesh, &document->good);
    addSplit(row, info->split.maxBones > 0 ? &info->split.meshes[index] : NULL, &document->good);
}

static void writeMeshes(Document *document, const Info *info) {
    static const Column COLUMNS[] = {{"name", "name", 0},          {"mesh", NULL, 4},
                                     {"vertices", "vertices", 12}, {"triangles", "triangles", 12},
                                     {"bones", "bones", 8},        {"placed", "placed", 8},
                                     {"tangents", "tangents", 10}, {"texcoords", "texcoords", 11},
                                     {NULL, "blendWeights", 0},    {"material", "material", 10}};
    const Model *model = info->model;
    tableBegin(document, "meshes", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < model->meshCount; i++) {
        writeMesh(document, info, i);
    }
    if (model->meshCount == 0) {
        documentNote(document, "\nno meshes: only clips, for the option --clips of other verbs\n");
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (model->meshes[i].blendWeights) {
            const bool dual = skinModeAsked(&model, 1) == SKIN_MODE_DQS_SCALED;
            documentLine(document, "mesh %u has %s; '--method auto' uses them", i,
                         dual ? "blend weights of 1, dual quaternions" : "painted blend weights");
        }
    }
}

/* ---- Levels of detail: only a packed file has them ---- */

static bool describeLevels(Info *info, EngineError *error) {
    bool good = true;
    info->levelCount = modelLodCount(info->model) > 0 ? modelLodCount(info->model) + 1 : 0;
    for (uint32_t i = 0; i < info->levelCount && good; i++) {
        good = modelDescribeLevel(info->model, i, &info->levels[i], error);
    }
    return good;
}

static void writeLevels(Document *document, const Info *info) {
    static const Column COLUMNS[] = {{"level", NULL, -5},
                                     {"vertices", "vertices", 12},
                                     {"triangles", "triangles", 12},
                                     {"bones", "bones", 8},
                                     {"error up to", "error", 16}};
    tableBegin(document, "levels", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < info->levelCount; i++) {
        TABLE_ROW(document, cellCount(i), cellCount(info->levels[i].vertices), cellCount(info->levels[i].triangles),
                  cellCount(info->levels[i].bones), cellNumber(info->levels[i].error, -4));
    }
}

/* ---- Weights ---- */

static void writeInfluences(Document *document, const ModelSurvey *survey) {
    static const Column COLUMNS[] = {{"influences", "count", 10}, {"vertices", "vertices", 12}, {"share", NULL, 8}};
    tableBegin(document, "influences", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i <= survey->most; i++) {
        char share[32];
        if (survey->histogram[i] > 0) {
            snprintf(share, sizeof share, "%.1f %%",
                     100.0 * (double)survey->histogram[i] / (double)survey->skinnedVertices);
            TABLE_ROW(document, cellCount(i), cellCount(survey->histogram[i]), cellText(share));
        }
    }
}

/* In the table, rows for 1 to 4, 8, 16 and so on, not for all of 255. */
static void writeLosses(Document *document, const ModelSurvey *survey) {
    static const Column COLUMNS[] = {{"kept at most", "maxInfluences", 12},
                                     {"vertices", "vertices", 12},
                                     {"lose up to", NULL, 14},
                                     {NULL, "share", 0},
                                     {"error up to", "error", 16}};
    tableBegin(document, "weightLosses", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t kept = 1; kept < survey->most; kept++) {
        const TrimLoss *loss = &survey->losses[kept];
        char share[32];
        snprintf(share, sizeof share, "%.2f %%", 100.0 * loss->share);
        documentShow(document, (kept & (kept - 1)) == 0 || kept == 3);
        TABLE_ROW(document, cellCount(kept), cellCount(loss->vertices), cellText(share), cellNumber(loss->share, 0),
                  cellNumber(loss->error, -4));
    }
    documentShow(document, true);
}

static void writeWeights(Document *document, const ModelSurvey *survey) {
    const double sums[2] = {survey->least, survey->greatest};
    const bool any = survey->skinnedVertices > 0;
    if (!any && survey->vertices > 0) {
        documentNote(document, "\nno mesh is skinned: all of them follow their nodes\n");
    }
    writeInfluences(document, survey);
    jsonAdd(document->json, "weightSums", any ? cJSON_CreateDoubleArray(sums, 2) : cJSON_CreateNull(), &document->good);
    JSON_FIELDS(document, jsonCount("normalisedVertices", survey->normalised));
    if (any) {
        documentLine(document, "weight sums  %.6g to %.6g", survey->least, survey->greatest);
    }
    if (survey->normalised > 0) {
        documentLine(document, "%s %s with weights that do not sum to one; skinning normalises them",
                     QUANTITY(survey->normalised), survey->normalised == 1 ? "vertex" : "vertices");
    }
    writeLosses(document, survey);
}

/* ---- Parts of few bones: in the JSON, they are in the meshes ---- */

static void writePart(Document *document, uint32_t mesh, uint32_t index, const VkskinSplitPart *part) {
    for (uint32_t r = 0; r < part->rangeCount; r++) {
        TABLE_ROW(document, cellCount(mesh), cellCount(index), cellCount(part->boneCount), cellCount(part->vertexCount),
                  cellCount(part->wideIndices ? 32 : 16), cellCount(part->ranges[r].firstIndex),
                  cellCount(part->ranges[r].indexCount), cellCount(part->ranges[r].material));
    }
}

static void writeSplit(Document *document, const Info *info) {
    static const Column COLUMNS[] = {{"mesh", NULL, 4},      {"part", NULL, 6},     {"bones", NULL, 8},
                                     {"vertices", NULL, 12}, {"bits", NULL, 7},     {"first", NULL, 12},
                                     {"indices", NULL, 12},  {"material", NULL, 10}};
    char title[64];
    snprintf(title, sizeof title, "parts with at most %u bones\n", info->split.maxBones);
    tableBegin(document, NULL, title, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < info->split.meshCount; i++) {
        for (uint32_t p = 0; p < info->split.meshes[i].partCount; p++) {
            const VkskinSplitPart part = modelSplitPart(&info->split.meshes[i], p);
            writePart(document, i, p, &part);
        }
    }
    for (uint32_t i = 0; i < info->split.meshCount; i++) {
        const MeshSplit *mesh = &info->split.meshes[i];
        documentLine(document, "mesh %u: %u part%s, %s vertices, %s of them duplicates", i, mesh->partCount,
                     mesh->partCount == 1 ? "" : "s", QUANTITY(mesh->vertices), QUANTITY(mesh->doubled));
    }
}

/* ---- Nodes, morph targets, clips, repairs ---- */

static void writeNodes(Document *document, const Info *info) {
    static const Column COLUMNS[] = {
        {"name", "name", 0}, {"node", NULL, 4}, {"parent", "parent", 8}, {"bone", "bone", 6}};
    tableBegin(document, "skeleton", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < info->model->nodeCount; i++) {
        const ModelNode *node = &info->model->nodes[i];
        TABLE_ROW(document, cellText(node->name), cellCount(i),
                  cellNumber(numberIf(node->parent >= 0, node->parent), 0), cellFlag(info->survey.isBone[i]));
    }
}

/* In the JSON, they are in the meshes. */
static void writeMorphs(Document *document, const Model *model) {
    static const Column COLUMNS[] = {{"mesh", NULL, 4}, {"morph", NULL, 7}, {"vertices", NULL, 12}, {"name", NULL, 0}};
    tableBegin(document, NULL, NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < model->meshCount; i++) {
        for (uint32_t target = 0; target < model->meshes[i].morphCount; target++) {
            const ModelMorph *morph = &model->meshes[i].morphs[target];
            TABLE_ROW(document, cellCount(i), cellCount(target), cellCount(morph->vertexCount), cellText(morph->name));
        }
    }
}

#define PACKED_COLUMNS 3

/* The last columns are there only if clips are packed. */
static void writeClips(Document *document, const Info *info) {
    static const Column COLUMNS[] = {{"name", "name", 0},     {"clip", NULL, 4},       {"seconds", "seconds", 12},
                                     {"tracks", "tracks", 8}, {"key bytes", NULL, 13}, {"packed", NULL, 12},
                                     {"error mm", NULL, 11}};
    const Model *model = info->model;
    const bool packs = info->packed.block != NULL;
    tableBegin(document, "clips", NULL, COLUMNS, packs ? COUNT_OF(COLUMNS) : COUNT_OF(COLUMNS) - PACKED_COLUMNS);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        const ModelPackTotals packed = packs ? modelPackClip(&info->packed, i) : (ModelPackTotals){0};
        cJSON *row = TABLE_ROW(document, cellText(model->clips[i].name), cellCount(i),
                               cellNumber(model->clips[i].duration, 3), cellCount(modelPackTracks(model, i)),
                               cellCount(packed.sourceBytes), cellCount(packed.bytes), cellNumber(packed.error, 4));
        jsonAddPacked(row, packs ? &packed : NULL, &document->good);
    }
}

static void writeRepairs(Document *document, const Model *model) {
    cJSON *repairs = jsonAddObject(document->json, "repairs", &document->good);
    bool any = false;
    documentNote(document, "\nrepaired on import\n");
    for (size_t i = 0; i < COUNT_OF(REPAIRS); i++) {
        const uint32_t count = *(const uint32_t *)((const char *)&model->repairs + REPAIRS[i].offset);
        JSON_ADD(repairs, &document->good, jsonCount(REPAIRS[i].name, count));
        any = any || count > 0;
        if (count > 0) {
            documentLine(document, "%8u  %s", count, REPAIRS[i].phrase);
        }
    }
    documentNote(document, any ? "" : "    nothing\n");
}

static void writeInfo(Document *document, const Info *info) {
    writeTotals(document, info);
    writeMeshes(document, info);
    writeLevels(document, info);
    writeWeights(document, &info->survey);
    writeSplit(document, info);
    writeNodes(document, info);
    writeMorphs(document, info->model);
    writeClips(document, info);
    infoWriteMaterials(document, info->model);
    infoWritePacked(document, info->model);
    infoWriteFaults(document, info->model, info->faults.marked ? &info->faults : NULL);
    writeRepairs(document, info->model);
    reportReading(document, info->model, &info->sandbox);
}

/* The extension of the file's name, in lower case: import accepted it. A built-in model has none. */
static void setFormat(Info *info, const Arguments *arguments) {
    const char *dot = builtinIsNamed(info->path) ? ".builtin" : strrchr(info->path, '.');
    if (strcmp(info->path, "-") == 0) {
        snprintf(info->format, sizeof info->format, "%s", modelLoadFormat(arguments));
    }
    for (size_t i = 0; dot && i + 1 < sizeof info->format && dot[i + 1]; i++) {
        info->format[i] = (char)tolower((unsigned char)dot[i + 1]);
    }
}

/* Warnings of the library: a bound that is not reached shows in the table. */
static bool packClips(Info *info, double millimetres, EngineError *error) {
    const ModelPackDef def = {.millimetres = millimetres};
    info->packed = modelPackBorrow(info->model);
    return millimetres <= 0.0 || modelPack(info->model, &def, &info->packed, error);
}

static bool printInfo(Info *info, const Arguments *arguments, EngineError *error) {
    const uint32_t maxBones = (uint32_t)optionsValue(arguments, "max-bones")->integer;
    bool good = (modelSurveyTake(info->model, &info->survey) || engineFail(error, "out of memory")) &&
                modelRestBounds(info->model, &info->bounds, error) && describeLevels(info, error);
    setFormat(info, arguments);
    good = good && modelSplitTake(info->model, info->path, maxBones, &info->split, error) &&
           packClips(info, optionsValue(arguments, "max-error")->number, error) &&
           (!optionsValue(arguments, "check")->given || modelFindFaults(info->model, &info->faults, error));
    if (good) {
        Document document = documentOf(arguments, "info", INFO_LABEL_WIDTH, INFO_VALUE_WIDTH);
        writeInfo(&document, info);
        good = documentEnd(&document, arguments, true, error);
    }
    modelSurveyFree(&info->survey);
    modelSplitFree(&info->split);
    modelPackFree(&info->packed);
    modelFreeFaults(info->model, &info->faults);
    return good;
}

int modelInfo(const Arguments *arguments) {
    EngineError error;
    Info info = {.path = arguments->operands[0]};
    Model *model = modelLoad(arguments, info.path, MODEL_OR_CLIPS, &info.sandbox, &error);
    info.model = model;
    const bool good = model && printInfo(&info, arguments, &error);
    modelFree(model);
    return good && info.faults.total > 0 ? EXIT_FAULTS : sayEnd(arguments->verb->name, good, &error);
}
