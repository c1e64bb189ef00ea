/*
 * verb_info.c: vkskin info MODEL. Needs no Vulkan device.
 */
#include <math.h>
#include <stdlib.h>

#include "import.h"
#include "load.h"
#include "quantity.h"
#include "say.h"
#include "verbs.h"
#include "weight_check.h"

/* ---- Totals and meshes ---- */

/* Whether some part hangs the mesh on bones, rather than on its own node alone. */
static bool isSkinned(const Model *model, uint32_t mesh) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        const ModelSkin *skin = &model->skins[part->skin];
        if (part->mesh == mesh && (skin->boneCount > 1 || skin->boneNodes[0] != part->node)) {
            return true;
        }
    }
    return false;
}

/* The distinct nodes that move skinned meshes. False when memory is out. */
static bool countBones(const Model *model, uint64_t *count) {
    bool *isBone = calloc(model->nodeCount, sizeof *isBone);
    *count = 0;
    for (uint32_t i = 0; i < model->partCount && isBone; i++) {
        const ModelSkin *skin = &model->skins[model->parts[i].skin];
        bool skinned = isSkinned(model, model->parts[i].mesh);
        for (uint32_t b = 0; b < skin->boneCount && skinned; b++) {
            *count += !isBone[skin->boneNodes[b]];
            isBone[skin->boneNodes[b]] = true;
        }
    }
    free(isBone);
    return isBone != NULL;
}

static void printCount(const char *name, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    printf("%-12s%12s\n", name, text);
}

static void printTotals(const Model *model, uint64_t bones) {
    uint64_t vertices = 0, triangles = 0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        vertices += model->meshes[i].vertexCount;
        triangles += model->meshes[i].indexCount / 3;
    }
    printCount("meshes", model->meshCount);
    printCount("vertices", vertices);
    printCount("triangles", triangles);
    printCount("nodes", model->nodeCount);
    printCount("bones", bones);
    printCount("clips", model->clipCount);
    printCount("materials", model->materialCount);
}

static void printName(const char *name) {
    sayClean(stdout, name[0] ? name : "(no name)");
    putchar('\n');
}

static void printMeshes(const Model *model) {
    printf("\nmesh    vertices   triangles   bones  placed  tangents  texcoords  material  name\n");
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const ModelMesh *mesh = &model->meshes[i];
        char vertices[QUANTITY_SIZE], triangles[QUANTITY_SIZE];
        uint32_t placed = 0;
        for (uint32_t p = 0; p < model->partCount; p++) {
            placed += model->parts[p].mesh == i;
        }
        quantityCount(vertices, mesh->vertexCount);
        quantityCount(triangles, mesh->indexCount / 3);
        printf("%4u%12s%12s%8u%8u%10s%11s%10u  ", i, vertices, triangles, isSkinned(model, i) ? mesh->boneCount : 0,
               placed, mesh->tangents ? "yes" : "no", mesh->texcoords ? "yes" : "no", mesh->material);
        printName(mesh->name);
    }
}

/* ---- Weights ---- */

/* What the weights of skinned meshes come to. */
typedef struct WeightSurvey {
    uint64_t *histogram; /* [most + 1] vertices by how many influences have weight */
    uint32_t most;       /* influences of a vertex in any mesh */
    uint64_t vertices;
    uint64_t trimmed;       /* with more influences than are kept */
    uint64_t normalised;    /* whose sum is not one */
    double least, greatest; /* sum of a vertex's weights; 0 without vertices */
} WeightSurvey;

static void surveyMesh(const ModelMesh *mesh, WeightSurvey *survey) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const float *weights = mesh->weights + (size_t)v * mesh->influences;
        uint32_t used = 0;
        double sum = 0.0;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            used += weights[i] > 0.0f;
            sum += weights[i];
        }
        survey->histogram[used]++;
        survey->trimmed += used > WEIGHT_CHECK_INFLUENCES;
        survey->normalised += fabs(sum - 1.0) > WEIGHT_CHECK_TOLERANCE;
        survey->least = survey->vertices == 0 || sum < survey->least ? sum : survey->least;
        survey->greatest = survey->vertices == 0 || sum > survey->greatest ? sum : survey->greatest;
        survey->vertices++;
    }
}

/* False when memory is out. */
static bool surveyWeights(const Model *model, WeightSurvey *survey) {
    *survey = (WeightSurvey){0};
    for (uint32_t i = 0; i < model->meshCount; i++) {
        uint32_t influences = model->meshes[i].influences;
        survey->most = influences > survey->most ? influences : survey->most;
    }
    survey->histogram = calloc((size_t)survey->most + 1, sizeof *survey->histogram);
    for (uint32_t i = 0; i < model->meshCount && survey->histogram; i++) {
        if (isSkinned(model, i)) {
            surveyMesh(&model->meshes[i], survey);
        }
    }
    return survey->histogram != NULL;
}

/* What skinning will make of vertices that it does not take as they are. */
static void printHandled(uint64_t vertices, const char *what) {
    char text[QUANTITY_SIZE];
    quantityCount(text, vertices);
    if (vertices > 0) {
        printf("%s %s %s\n", text, vertices == 1 ? "vertex" : "vertices", what);
    }
}

static void printWeights(const WeightSurvey *survey) {
    if (survey->vertices == 0) {
        printf("\nno mesh is skinned: all follow their node\n");
        return;
    }
    printf("\ninfluences    vertices   share\n");
    for (uint32_t i = 0; i <= survey->most; i++) {
        char vertices[QUANTITY_SIZE];
        quantityCount(vertices, survey->histogram[i]);
        if (survey->histogram[i] > 0) {
            printf("%10u%12s%6.1f %%\n", i, vertices, 100.0 * (double)survey->histogram[i] / (double)survey->vertices);
        }
    }
    printf("weight sums  %.6g to %.6g\n", survey->least, survey->greatest);
    printHandled(survey->trimmed, "with more than 4 influences: the largest 4 are kept when skinned");
    printHandled(survey->normalised, "with weights that do not sum to one: normalised when skinned");
}

/* ---- Clips, materials, repairs ---- */

static void printClips(const Model *model) {
    if (model->clipCount > 0) {
        printf("\nclip     seconds  tracks  name\n");
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        printf("%4u%12.3f%8u  ", i, (double)model->clips[i].duration, model->clips[i].trackCount);
        printName(model->clips[i].name);
    }
}

static void printMaterials(const Model *model) {
    if (model->materialCount > 0) {
        printf("\nmaterial  base colour (linear)      texture  name\n");
    }
    for (uint32_t i = 0; i < model->materialCount; i++) {
        const ModelMaterial *material = &model->materials[i];
        char texture[32] = "none";
        if (material->texture >= 0) {
            const ModelTexture *from = &model->textures[material->texture];
            snprintf(texture, sizeof texture, "%u x %u", from->width, from->height);
        }
        printf("%8u  %.3f %.3f %.3f %.3f%13s  ", i, (double)material->baseColor[0], (double)material->baseColor[1],
               (double)material->baseColor[2], (double)material->baseColor[3], texture);
        printName(material->name);
    }
}

static bool printRepair(uint32_t count, const char *what) {
    if (count > 0) {
        printf("%8u  %s\n", count, what);
    }
    return count > 0;
}

static void printRepairs(const ModelRepairs *repairs) {
    bool any = false;
    printf("\nrepaired on import\n");
    any |= printRepair(repairs->weightsNegative, "weights that were negative or not finite, taken as 0");
    any |= printRepair(repairs->verticesUnweighted, "vertices of skinned meshes without weight, tied to their node");
    any |= printRepair(repairs->normalsComputed, "meshes without normals, computed from the faces");
    any |= printRepair(repairs->trianglesDropped, "faces that are no triangle or name a missing vertex, dropped");
    any |= printRepair(repairs->nodesSheared, "nodes whose matrix has shear, kept as a matrix of their own");
    any |= printRepair(repairs->tracksDropped, "animation tracks of missing nodes or without keys, dropped");
    any |= printRepair(repairs->texturesMissing, "textures that could not be read, base colour used");
    any |= printRepair(repairs->texturesTooLarge,
                       "textures too large (above 8,192 texels a side, or 1 GiB in all), base colour used");
    if (!any) {
        printf("    nothing\n");
    }
}

/* ---- The verb ---- */

static int printModel(const Model *model) {
    WeightSurvey survey;
    uint64_t bones;
    if (!countBones(model, &bones) || !surveyWeights(model, &survey)) {
        return sayFailure(verbInfo.name, "out of memory");
    }
    printTotals(model, bones);
    printMeshes(model);
    printWeights(&survey);
    printClips(model);
    printMaterials(model);
    printRepairs(&model->repairs);
    free(survey.histogram);
    return EXIT_GOOD;
}

static int runInfo(const Arguments *arguments) {
    char message[IMPORT_MESSAGE_SIZE];
    Model *model = loadFile(arguments->operands[0], message);
    if (!model) {
        return sayFailure(verbInfo.name, "%s", message);
    }
    int status = printModel(model);
    modelFree(model);
    return status;
}

const Verb verbInfo = {
    .name = "info",
    .summary = "tells what a model file holds",
    .usage = "MODEL",
    .details = "Needs no Vulkan device: --device and --validate are taken, as by every verb but devices, and change "
               "nothing.\n",
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runInfo,
    .operandHelp = LOAD_MODEL_HELP,
};
