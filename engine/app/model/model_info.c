/* model_info.c: the content of a model file, as tables and as JSON with the same content. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "builtin_model.h"
#include "content.h"
#include "info_materials.h"
#include "info_packed.h"
#include "model_load.h"
#include "model_survey.h"
#include "report.h"
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

static uint32_t repairCount(const Model *model, size_t index) {
    return *(const uint32_t *)((const char *)&model->repairs + REPAIRS[index].offset);
}

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
    sayName(file, name);
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
    fprintf(file, "%-12s%12s\n", "format", info->format);
    fprintf(file, "%-12s%12s\n", "up axis", MODEL_UP_NAMES[model->up]);
    if (model->metres > 0.0f) {
        fprintf(file, "%-12s%10.6g m\n", "unit", (double)model->metres);
    }
    for (int axis = 0; axis < 3 && !boundsIsEmpty(&info->bounds); axis++) {
        fprintf(file, "%-12s%12.6g to %.6g\n",
                axis == 0   ? "at rest, x"
                : axis == 1 ? "         y"
                            : "         z",
                (double)info->bounds.min[axis], (double)info->bounds.max[axis]);
    }
}

static void printMeshes(FILE *file, const Model *model) {
    if (model->meshCount == 0) {
        fputs("\nno meshes: only clips, for the option --clips of other verbs\n", file);
        return;
    }
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
    if (survey->vertices == 0) {
        return;
    }
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

/* ---- Nodes, morph targets, clips, repairs ---- */

static void printNodes(FILE *file, const Info *info) {
    fputs(info->model->nodeCount > 0 ? "\nnode  parent  bone  name\n" : "", file);
    for (uint32_t i = 0; i < info->model->nodeCount; i++) {
        const ModelNode *node = &info->model->nodes[i];
        char parent[16] = "none";
        if (node->parent >= 0) {
            snprintf(parent, sizeof parent, "%d", node->parent);
        }
        fprintf(file, "%4u%8s%6s", i, parent, info->survey.isBone[i] ? "yes" : "no");
        printName(file, node->name);
    }
}

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

static void printClips(FILE *file, const Info *info) {
    const Model *model = info->model;
    if (model->clipCount > 0) {
        fprintf(file, "\nclip     seconds  tracks%s  name\n",
                info->packed.block ? "    key bytes      packed   error mm" : "");
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        fprintf(file, "%4u%12.3f%8u", i, (double)model->clips[i].duration, modelPackTracks(model, i));
        if (info->packed.block) {
            const ModelPackTotals packed = modelPackClip(&info->packed, i);
            printColumn(file, 13, packed.sourceBytes);
            printColumn(file, 12, packed.bytes);
            fprintf(file, "%11.4f", packed.error);
        }
        printName(file, model->clips[i].name);
    }
}

static void printRepairs(FILE *file, const Model *model) {
    bool any = false;
    fputs("\nrepaired on import\n", file);
    for (size_t i = 0; i < COUNT_OF(REPAIRS); i++) {
        if (repairCount(model, i) > 0) {
            fprintf(file, "%8u  %s\n", repairCount(model, i), REPAIRS[i].phrase);
            any = true;
        }
    }
    if (!any) {
        fputs("    nothing\n", file);
    }
}

static void printWarnings(FILE *file, const Model *model) {
    fputs(model->warningCount > 0 ? "\nwarnings\n" : "", file);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        printName(file, model->warnings[i].text);
    }
}

static void printSandbox(FILE *file, const ImportSandbox *sandbox) {
    if (sandbox->notNeeded) {
        fputs("\nsandbox of the reader: not needed\n", file);
        return;
    }
    const char *files = sandbox->landlock > 0 ? "landlock" : "no landlock";
    fprintf(file, "\nsandbox of the reader: %s, %s\n", files, sandbox->seccomp ? "seccomp" : "no seccomp");
}

static void infoPrint(FILE *file, const Info *info) {
    printTotals(file, info);
    printMeshes(file, info->model);
    printPainted(file, info->model);
    printWeights(file, &info->survey);
    printSplit(file, info);
    printNodes(file, info);
    printMorphs(file, info->model);
    printClips(file, info);
    infoPrintMaterials(file, info->model);
    infoPrintPacked(file, info->model);
    printRepairs(file, info->model);
    printWarnings(file, info->model);
    printSandbox(file, &info->sandbox);
}

/* ---- JSON ---- */

static void addMorphs(cJSON *object, const ModelMesh *mesh, bool *good) {
    cJSON *morphs = jsonAddArray(object, "morphs", good);
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        cJSON *row = jsonAddRow(morphs, good);
        jsonAddText(row, "name", mesh->morphs[i].name, good);
        jsonAddCount(row, "vertices", mesh->morphs[i].vertexCount, good);
    }
}

/* mesh: null: not requested. */
static void addSplit(cJSON *object, const MeshSplit *mesh, bool *good) {
    if (!mesh) {
        jsonAddNull(object, "partVertices", good);
        jsonAddNull(object, "doubledVertices", good);
        jsonAddNull(object, "parts", good);
        return;
    }
    jsonAddCount(object, "partVertices", mesh->vertices, good);
    jsonAddCount(object, "doubledVertices", mesh->doubled, good);
    cJSON *parts = jsonAddArray(object, "parts", good);
    for (uint32_t i = 0; i < mesh->partCount; i++) {
        VkskinSplitPart part = modelSplitPart(mesh, i);
        cJSON *row = jsonAddRow(parts, good);
        jsonAddCount(row, "vertices", part.vertexCount, good);
        jsonAddCount(row, "indexBits", part.wideIndices ? 32 : 16, good);
        jsonAdd(row, "bones", cJSON_CreateIntArray((const int *)part.bones, (int)part.boneCount), good);
        cJSON *ranges = jsonAddArray(row, "ranges", good);
        for (uint32_t r = 0; r < part.rangeCount; r++) {
            cJSON *range = jsonAddRow(ranges, good);
            jsonAddCount(range, "material", part.ranges[r].material, good);
            jsonAddCount(range, "firstIndex", part.ranges[r].firstIndex, good);
            jsonAddCount(range, "indices", part.ranges[r].indexCount, good);
        }
    }
}

static void addMeshes(cJSON *object, const Info *info, bool *good) {
    const Model *model = info->model;
    cJSON *meshes = jsonAddArray(object, "meshes", good);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        cJSON *row = jsonAddRow(meshes, good);
        jsonAddText(row, "name", mesh->name, good);
        jsonAddCount(row, "vertices", mesh->vertexCount, good);
        jsonAddCount(row, "triangles", mesh->indexCount / 3, good);
        jsonAddCount(row, "bones", modelMeshIsSkinned(model, i) ? mesh->boneCount : 0, good);
        jsonAddCount(row, "placed", modelMeshPlaces(model, i), good);
        jsonAdd(row, "tangents", cJSON_CreateBool(mesh->tangents != NULL), good);
        jsonAdd(row, "texcoords", cJSON_CreateBool(mesh->texcoords != NULL), good);
        jsonAdd(row, "blendWeights", cJSON_CreateBool(mesh->blendWeights != NULL), good);
        jsonAddCount(row, "material", mesh->material, good);
        addMorphs(row, mesh, good);
        addSplit(row, info->split.maxBones > 0 ? &info->split.meshes[i] : NULL, good);
    }
}

static void addWeights(cJSON *object, const ModelSurvey *survey, bool *good) {
    const double sums[2] = {survey->least, survey->greatest};
    cJSON *influences = jsonAddArray(object, "influences", good);
    for (uint32_t i = 0; i <= survey->most; i++) {
        if (survey->histogram[i] > 0) {
            cJSON *row = jsonAddRow(influences, good);
            jsonAddCount(row, "count", i, good);
            jsonAddCount(row, "vertices", survey->histogram[i], good);
        }
    }
    jsonAdd(object, "weightSums", survey->skinnedVertices > 0 ? cJSON_CreateDoubleArray(sums, 2) : cJSON_CreateNull(),
            good);
    jsonAddCount(object, "normalisedVertices", survey->normalised, good);
    cJSON *losses = jsonAddArray(object, "weightLosses", good);
    for (uint32_t kept = 1; kept < survey->most; kept++) {
        cJSON *row = jsonAddRow(losses, good);
        jsonAddCount(row, "maxInfluences", kept, good);
        jsonAddCount(row, "vertices", survey->losses[kept].vertices, good);
        jsonAddNumber(row, "share", survey->losses[kept].share, good);
        jsonAddNumber(row, "error", survey->losses[kept].error, good);
    }
}

static void addClips(cJSON *object, const Info *info, bool *good) {
    const Model *model = info->model;
    cJSON *clips = jsonAddArray(object, "clips", good);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        cJSON *row = jsonAddRow(clips, good);
        jsonAddText(row, "name", model->clips[i].name, good);
        jsonAddNumber(row, "seconds", (double)model->clips[i].duration, good);
        jsonAddCount(row, "tracks", modelPackTracks(model, i), good);
        const ModelPackTotals packed = info->packed.block ? modelPackClip(&info->packed, i) : (ModelPackTotals){0};
        jsonAddPacked(row, info->packed.block ? &packed : NULL, good);
    }
}

static void addSkeleton(cJSON *object, const Info *info, bool *good) {
    cJSON *skeleton = jsonAddArray(object, "skeleton", good);
    for (uint32_t i = 0; i < info->model->nodeCount; i++) {
        const ModelNode *node = &info->model->nodes[i];
        cJSON *row = jsonAddRow(skeleton, good);
        jsonAddText(row, "name", node->name, good);
        jsonAddNumber(row, "parent", node->parent >= 0 ? (double)node->parent : (double)NAN, good);
        jsonAdd(row, "bone", cJSON_CreateBool(info->survey.isBone[i]), good);
    }
}

/* Text without a final line end, for cJSON_free; null: out of memory. Names as in reportJson. */
static char *infoJson(const Info *info) {
    bool good = true;
    cJSON *object = jsonBegin("info", &good);
    jsonAddText(object, "model", info->path, &good);
    jsonAddText(object, "format", info->format, &good);
    jsonAddCount(object, "vertices", info->survey.vertices, &good);
    jsonAddCount(object, "triangles", info->survey.triangles, &good);
    jsonAddCount(object, "nodes", info->model->nodeCount, &good);
    jsonAddCount(object, "bones", info->survey.bones, &good);
    jsonAddText(object, "up", MODEL_UP_NAMES[info->model->up], &good);
    jsonAddMetres(object, info->model->metres, &good);
    jsonAddBounds(object, "bounds", &info->bounds, &good);
    jsonAddNumber(object, "maxBones", info->split.maxBones > 0 ? (double)info->split.maxBones : (double)NAN, &good);
    addSkeleton(object, info, &good);
    addMeshes(object, info, &good);
    addWeights(object, &info->survey, &good);
    addClips(object, info, &good);
    infoAddMaterials(object, info->model, &good);
    infoAddPacked(object, info->model, &good);
    cJSON *repairs = cJSON_AddObjectToObject(object, "repairs");
    for (size_t i = 0; i < COUNT_OF(REPAIRS); i++) {
        jsonAddCount(repairs, REPAIRS[i].name, repairCount(info->model, i), &good);
    }
    cJSON *warnings = jsonAddArray(object, "warnings", &good);
    for (uint32_t i = 0; i < info->model->warningCount; i++) {
        jsonAddItem(warnings, info->model->warnings[i].text, &good);
    }
    cJSON *sandbox = cJSON_AddObjectToObject(object, "sandbox");
    jsonAddCount(sandbox, "landlock", info->sandbox.landlock, &good);
    jsonAdd(sandbox, "seccomp", cJSON_CreateBool(info->sandbox.seccomp), &good);
    jsonAdd(sandbox, "needed", cJSON_CreateBool(!info->sandbox.notNeeded), &good);
    return jsonPrint(object, good);
}

/* The extension of the file's name, in lower case: import accepted it. A built-in model has none. */
static void setFormat(Info *info) {
    const char *dot = builtinIsNamed(info->path) ? ".builtin" : strrchr(info->path, '.');
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
    const OptionValue *json = optionsValue(arguments, "json");
    const uint32_t maxBones = (uint32_t)optionsValue(arguments, "max-bones")->integer;
    bool good = (modelSurveyTake(info->model, &info->survey) || engineFail(error, "out of memory")) &&
                modelRestBounds(info->model, &info->bounds, error);
    setFormat(info);
    good = good && modelSplitTake(info->model, info->path, maxBones, &info->split, error) &&
           packClips(info, optionsValue(arguments, "max-error")->number, error);
    good = good && (!json->text || outputJsonWrite(infoJson(info), json, error));
    if (good && !outputJsonIsStandard(json)) {
        infoPrint(stdout, info);
    }
    modelSurveyFree(&info->survey);
    modelSplitFree(&info->split);
    modelPackFree(&info->packed);
    return good;
}

int modelInfo(const Arguments *arguments) {
    EngineError error;
    Info info = {.path = arguments->operands[0]};
    Model *model = modelLoad(arguments, info.path, MODEL_OR_CLIPS, &info.sandbox, &error);
    info.model = model;
    const bool good = model && printInfo(&info, arguments, &error);
    modelFree(model);
    return good ? EXIT_GOOD : sayFailure(arguments->verb->name, "%s", error.message);
}
