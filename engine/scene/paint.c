#include "paint.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "count_of.h"
#include "model_levels.h"
#include "near_names.h"
#include "spine_model.h"

#define SHARES 3

/* The largest weights of a vertex, over their sum: a skin normalises them. */
typedef struct Shares {
    float share[SHARES];
    uint32_t joint[SHARES];
    uint32_t count; /* weights above 0, also beyond SHARES */
    float bone;     /* share of PaintMesh.bone */
} Shares;

static uint32_t nodeOf(const PaintMesh *mesh, uint32_t joint) {
    return mesh->nodes ? mesh->nodes[joint] : joint;
}

/* Among equal weights the first comes first, as in the library. */
static Shares sharesOf(const PaintMesh *mesh, uint32_t vertex) {
    const size_t first = (size_t)vertex * mesh->influences;
    Shares shares = {.count = 0};
    double sum = 0.0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        const uint32_t joint = mesh->joints[first + i];
        float weight = mesh->weights[first + i];
        if (weight > 0.0f) {
            shares.bone += nodeOf(mesh, joint) == mesh->bone ? weight : 0.0f;
            shares.count++;
            sum += (double)weight;
            uint32_t place = SHARES;
            for (; place > 0 && weight > shares.share[place - 1]; place--) {
                if (place < SHARES) {
                    shares.share[place] = shares.share[place - 1];
                    shares.joint[place] = shares.joint[place - 1];
                }
            }
            if (place < SHARES) {
                shares.share[place] = weight;
                shares.joint[place] = joint;
            }
        }
    }
    for (uint32_t i = 0; i < SHARES; i++) {
        shares.share[i] = sum > 0.0 ? (float)((double)shares.share[i] / sum) : 0.0f;
    }
    shares.bone = sum > 0.0 ? (float)((double)shares.bone / sum) : 0.0f;
    return shares;
}

/* ---- The paints ---- */

static bool fillWeights(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    (void)error;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const Shares shares = sharesOf(mesh, v);
        memcpy(colours[v], shares.share, sizeof(shares.share));
    }
    return true;
}

static float clamped(float value) {
    return fminf(fmaxf(value, 0.0f), 1.0f);
}

/* Grey where the bone has no effect, so that the smallest weight differs from none: then blue, cyan, green, yellow, red. */
static bool fillBone(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    (void)error;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const float heat = 4.0f * sharesOf(mesh, v).bone;
        const float ramp[3] = {clamped(heat - 2.0f), clamped(fminf(heat, 4.0f - heat)), clamped(2.0f - heat)};
        static const float none[3] = {0.3f, 0.3f, 0.3f};
        memcpy(colours[v], heat > 0.0f ? ramp : none, sizeof(ramp));
    }
    return true;
}

/* Each bone has a hue; the golden ratio keeps those of neighbours apart. Every second bone is darker. */
static bool fillDominant(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    (void)error;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const uint32_t node = nodeOf(mesh, sharesOf(mesh, v).joint[0]);
        const float hue = 6.0f * (float)fmod(node * 0.6180339887, 1.0), bright = node % 2 == 0 ? 1.0f : 0.65f;
        for (int c = 0; c < 3; c++) {
            const float away = fabsf(fmodf(hue + 2.0f * (float)(3 - c), 6.0f) - 3.0f);
            colours[v][c] = bright * (0.15f + 0.85f * clamped(away - 1.0f));
        }
    }
    return true;
}

static void fillBySteps(const float (*steps)[3], uint32_t step, float colour[4]) {
    memcpy(colour, steps[step], 3 * sizeof(float));
}

/* 0 to 4 influences, 5 to 8, more. */
static bool fillInfluences(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    static const float steps[][3] = {{0.3f, 0.3f, 0.3f}, {0.2f, 0.4f, 1.0f}, {0.2f, 0.8f, 0.9f}, {0.2f, 0.8f, 0.2f},
                                     {1.0f, 0.9f, 0.1f}, {1.0f, 0.5f, 0.0f}, {1.0f, 0.1f, 0.1f}};
    (void)error;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const uint32_t count = sharesOf(mesh, v).count;
        fillBySteps(steps, count < 5 ? count : count < 9 ? 5 : 6, colours[v]);
    }
    return true;
}

static bool fillLevel(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    static const float steps[MODEL_LODS_MAX + 1][3] = {
        {0.8f, 0.8f, 0.8f}, {0.2f, 0.8f, 0.2f}, {1.0f, 0.9f, 0.1f}, {1.0f, 0.1f, 0.1f}};
    (void)error;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        fillBySteps(steps, mesh->level, colours[v]);
    }
    return true;
}

/* A level keeps vertices of the mesh, and their faults. */
static bool fillFaults(const PaintMesh *mesh, float (*colours)[4], EngineError *error) {
    static const float steps[][3] = {{0.75f, 0.75f, 0.75f}, {1.0f, 0.0f, 1.0f}};
    const ModelMesh *source = &mesh->model->meshes[mesh->mesh];
    const bool coarse = mesh->level > 0 && mesh->level <= source->lodCount;
    PaintFaults *found = mesh->found;
    if (found->model != mesh->model) {
        paintFreeFaults(found);
        found->model = mesh->model;
        if (!modelFindFaults(mesh->model, &found->faults, error)) {
            return false;
        }
    }
    const uint8_t *marked = found->faults.marked[mesh->mesh];
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        fillBySteps(steps, marked && marked[coarse ? source->lods[mesh->level - 1].vertices[v] : v], colours[v]);
    }
    return true;
}

void paintFreeFaults(PaintFaults *found) {
    if (found->model) {
        modelFreeFaults(found->model, &found->faults);
    }
    *found = (PaintFaults){.model = NULL};
}

/* X(name, its form in lists, named, flat, function, help) */
#define PAINTS(X)                                                                                                      \
    X("weights", "weights", false, true, fillWeights, "the three largest weights as red, green and blue")              \
    X("bone", "bone:NAME", true, true, fillBone, "the weight of one bone, from blue to red; grey: none")               \
    X("dominant", "dominant", false, true, fillDominant, "the bone of the largest weight, a colour each")              \
    X("influences", "influences", false, true, fillInfluences,                                                         \
      "bones per vertex: 1 blue, 2 cyan, 3 green, 4 yellow, to 8 orange, more red")                                    \
    X("level", "level", false, false, fillLevel, "level of detail: 0 light, 1 green, 2 yellow, 3 red")                 \
    X("faults", "faults", false, false, fillFaults, "what 'info --check' finds is magenta, at any time of the clips")

#define PAINT_ROW(title, form, isNamed, isFlat, function, help)                                                        \
    {.name = title, .named = isNamed, .flat = isFlat, .fill = function},
#define PAINT_FORM(title, form, isNamed, isFlat, function, help) ", " form
#define PAINT_LINE(title, form, isNamed, isFlat, function, help) "; " form ", " help

const PaintType PAINT_TYPES[] = {PAINTS(PAINT_ROW)};
const uint32_t PAINT_TYPE_COUNT = COUNT_OF(PAINT_TYPES);
const char PAINT_HELP[] = "colours in place of materials, which show what moves the vertices" PAINTS(PAINT_LINE);

/* ---- The choice ---- */

bool paintParse(const char *text, Paint *paint, EngineError *error) {
    const size_t length = strcspn(text, ":");
    const char *bone = text[length] == ':' ? text + length + 1 : NULL;
    *paint = (Paint){.type = NULL};
    if (strcmp(text, "none") == 0) {
        return true;
    }
    for (uint32_t i = 0; i < PAINT_TYPE_COUNT; i++) {
        const PaintType *type = &PAINT_TYPES[i];
        if (strlen(type->name) == length && strncmp(type->name, text, length) == 0 && type->named == (bone != NULL)) {
            *paint = (Paint){.type = type, .bone = bone};
            return true;
        }
    }
    return engineFail(error, "no paint '%.80s'; paints: none" PAINTS(PAINT_FORM), text);
}

bool paintIsSame(const Paint *a, const Paint *b) {
    return a->type == b->type && a->firstLevel == b->firstLevel &&
           (a->bone && b->bone ? strcmp(a->bone, b->bone) == 0 : a->bone == b->bone);
}

uint32_t paintFindBone(const Model *model, const char *name) {
    if (model->spineCount > 0) {
        const Names bones = NAMES_OF(model->spines->bones, model->spines->boneCount);
        const uint32_t found = nameFind(&bones, name);
        return found < bones.count ? found : PAINT_NO_BONE;
    }
    int (*const compare[])(const char *, const char *) = {strcmp, strcasecmp};
    for (uint32_t i = 0; i < 2 * model->skinCount; i++) {
        const ModelSkin *skin = &model->skins[i % model->skinCount];
        for (uint32_t b = 0; b < skin->boneCount; b++) {
            if (compare[i / model->skinCount](model->nodes[skin->boneNodes[b]].name, name) == 0) {
                return skin->boneNodes[b];
            }
        }
    }
    return PAINT_NO_BONE;
}

/* One of the models has it; the near names are those of the first. */
static bool checkBone(const char *bone, const Model *const *models, uint32_t count, EngineError *error) {
    const Model *first = models[0];
    char hint[NAME_HINT_SIZE];
    for (uint32_t i = 0; i < count; i++) {
        if (paintFindBone(models[i], bone) != PAINT_NO_BONE) {
            return true;
        }
    }
    const Names names = first->spineCount > 0 ? NAMES_OF(first->spines->bones, first->spines->boneCount)
                                              : NAMES_OF(first->nodes, first->nodeCount);
    nameHint(hint, &names, bone, "'vkskin info' lists them");
    return engineFail(error, "no bone '%.80s'; %s", bone, hint);
}

bool paintRead(const char *text, const Model *const *models, uint32_t count, Paint *paint, EngineError *error) {
    if (!paintParse(text, paint, error)) {
        return false;
    }
    if (paint->type && !paint->type->flat && models[0]->spineCount > 0) {
        return engineFail(error, "2D characters have no paint '%s'", paint->type->name);
    }
    return !paint->bone || checkBone(paint->bone, models, count, error);
}

bool paintModelMesh(const Paint *paint, const Model *model, uint32_t mesh, const ModelMesh *source, uint32_t level,
                    PaintFaults *found, float (*colours)[4], EngineError *error) {
    const PaintMesh painted = {.vertexCount = source->vertexCount,
                               .influences = source->influences,
                               .joints = source->joints,
                               .weights = source->weights,
                               .nodes = modelMeshNodes(model, mesh),
                               .bone = paint->bone ? paintFindBone(model, paint->bone) : PAINT_NO_BONE,
                               .level = paint->firstLevel + level,
                               .model = model,
                               .mesh = mesh,
                               .found = found};
    for (uint32_t v = 0; v < source->vertexCount; v++) {
        memcpy(colours[v], (const float[4]){1.0f, 1.0f, 1.0f, 1.0f}, sizeof(colours[v]));
    }
    return paint->type->fill(&painted, colours, error);
}
