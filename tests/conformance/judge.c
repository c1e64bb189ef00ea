#include "judge.h"

/* ---- How far a vertex may be off ---- */

#define ULP 0x1p-24 /* maximum relative rounding error of a number */
#define ROUNDINGS                                                                                                      \
    16.0 /* rounding steps at the largest number of a vertex's computation; plus half of one per influence */
#define ROUNDING_SHARE 1e-6 /* relative to the diagonal */
#define PACKED_ANGLE   0.03 /* degrees: packing in the mesh and in the output, and the computation between them */
#define FLOAT_ANGLE    0.003
#define SNORM10_ANGLE  0.12 /* half a step of 1/511 in each component; packing in the mesh, and the computation */
#define DEGREES        57.29577951308232
#define ARC            1.5707963267948966 /* maximum of an angle over its chord */

typedef struct Allowance {
    double position; /* in the mesh's unit */
    double degrees;  /* angle of normals and tangents */
} Allowance;

/* The size of the bones of one vertex, and how far apart they are. */
typedef struct Bones {
    double size, move;           /* the largest 3x3 part (Frobenius) and translation */
    double image;                /* maximum distance between two places to which bones move the vertex */
    double sizeApart, moveApart; /* likewise, of 3x3 parts and of translations */
} Bones;

static double lengthOf(const double *v, int count) {
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        square += v[i] * v[i];
    }
    return sqrt(square);
}

/* Measures a - times * b: with 1 the difference of two bones, with 0 the bone a. */
static void measureBone(const ReferenceMatrix *a, const ReferenceMatrix *b, double times, const double point[3],
                        double measures[3]) {
    double linear[9], move[3], image[3];
    for (int r = 0; r < 3; r++) {
        move[r] = image[r] = a->m[r][3] - times * b->m[r][3];
        for (int c = 0; c < 3; c++) {
            linear[3 * r + c] = a->m[r][c] - times * b->m[r][c];
            image[r] += linear[3 * r + c] * point[c];
        }
    }
    measures[0] = lengthOf(linear, 9);
    measures[1] = lengthOf(move, 3);
    measures[2] = lengthOf(image, 3);
}

static void addBone(const ReferenceMatrix *bone, const ReferenceMatrix *first, const double point[3], Bones *bones) {
    double own[3], apart[3];
    measureBone(bone, first, 0.0, point, own);
    measureBone(bone, first, 1.0, point, apart);
    bones->size = fmax(bones->size, own[0]);
    bones->move = fmax(bones->move, own[1]);
    bones->sizeApart =
        fmax(bones->sizeApart, 2.0 * apart[0]); /* twice the distance to the first bounds the distance of any two */
    bones->moveApart = fmax(bones->moveApart, 2.0 * apart[1]);
    bones->image = fmax(bones->image, 2.0 * apart[2]);
}

static Bones bonesOf(const Scene *scene, const ReferenceMatrix *all, uint32_t vertex, const double point[3]) {
    const ModelMesh *mesh = &scene->mesh;
    const ReferenceMatrix *first = NULL;
    Bones bones = {0};
    for (size_t i = (size_t)vertex * mesh->influences; i < ((size_t)vertex + 1) * mesh->influences; i++) {
        if (mesh->boneCount > 0 && mesh->weights[i] > 0.0f) {
            first = first == NULL ? &all[mesh->joints[i]] : first;
            addBone(&all[mesh->joints[i]], first, point, &bones);
        }
    }
    if (first == NULL) { /* no bone, or the bone for vertices without weight */
        addBone(&all[scene->used[0]], &all[scene->used[0]], point, &bones);
    }
    return bones;
}

static double meshDiagonal(const ModelMesh *mesh) {
    ModelMesh still = *mesh;
    still.boneCount = 0;
    ReferenceVertex *vertices = newReferenceVertices(&still, NULL, &(ReferenceDef){.morphWeights = NULL});
    double diagonal = referenceDiagonal(vertices, mesh->vertexCount);
    free(vertices);
    return diagonal;
}

/* The diagonal that the mesh's weightError has. */
static double sourceDiagonal(const Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    if (scene->influencePositions == NULL) {
        return meshDiagonal(mesh);
    }
    for (size_t i = 0; i < 2 * (size_t)mesh->vertexCount * mesh->influences; i++) {
        low[i % 2] = fmin(low[i % 2], scene->influencePositions[i]);
        high[i % 2] = fmax(high[i % 2], scene->influencePositions[i]);
    }
    return hypot(high[0] - low[0], high[1] - low[1]);
}

/* Maximum distance of the position of an influence, after the morph targets, from the vertex. */
static double influencesApart(const Scene *scene) {
    return scene->influencePositions == NULL
               ? 0.0
               : sqrt(2.0) * ((double)SCENE_APART + SCENE_MORPHS * (double)SCENE_DELTAS_APART);
}

/* The vertices before the bones: moved by the morph targets that come before skinning. */
static ReferenceVertex *newMorphed(const Scene *scene, uint32_t instance) {
    ModelMesh still = scene->mesh;
    float weights[SCENE_MORPHS];
    still.boneCount = 0;
    for (uint32_t m = 0; m < SCENE_MORPHS; m++) {
        weights[m] = scene->morphsAfter[m] ? 0.0f : scene->instances[instance].morphWeights[m];
    }
    return newReferenceVertices(&still, NULL, &(ReferenceDef){.morphWeights = weights});
}

/*
 * share: the fraction of a vertex's weight that rounding moved to another bone. Linear blending puts the vertex between
 * the places to which bones move it. Other methods follow the bones' rotations; the length of the blended quaternion
 * divides their errors. A factor of four covers how stretches, rotations and centres amplify each other.
 */
static Allowance allowanceOf(const Scene *scene, const Bones *bones, double maxDistance, double share,
                             RowEncoding coarse, const ReferenceVertex *expected) {
    bool linear = scene->view.reading->blend == VKSKIN_METHOD_LINEAR_BLEND;
    bool exact = scene->view.attributes->rule == VKSKIN_NORMALS_EXACT;
    double amplified = 1.0 / (expected->realLength * expected->realLength);
    double rounding =
        ULP * (ROUNDINGS + 0.5 * scene->mesh.influences) * (bones->size * maxDistance + bones->move) * amplified;
    double weights =
        share * (linear ? bones->image : 4.0 * amplified * (bones->sizeApart * maxDistance + bones->moveApart));
    double format = bones->size * maxDistance * (coarse.turn + coarse.size) + bones->move * coarse.move;
    double turned = share * bones->sizeApart * (linear ? 1.0 : 4.0 * amplified);
    double direction = turned + bones->size * (coarse.turn + coarse.size);
    bool mayMirror = exact && expected->volume < 3.0 * bones->size * bones->size *
                                                     direction; /* the normal may point to the other side */
    direction *= exact ? 2.0 * bones->size : 1.0;               /* exact normals multiply two entries */
    direction *= scene->view.morphs->before ? 3.0 : 1.0;        /* morph targets may make the vector so long */
    return (Allowance){rounding + weights + format, mayMirror ? 180.0 : DEGREES * ARC * direction};
}

/*
 * [vertexCount], freed with free(). expected: what the vertices are compared with. formats: it used the exact weights and
 * bones, so all three parts count; otherwise rounding only.
 */
static Allowance *newAllowances(const Scene *scene, uint32_t instance, bool formats, const VkskinMeshInfo *info,
                                const ReferenceVertex *expected) {
    const RowReading *reading = scene->view.reading;
    uint32_t count = scene->mesh.vertexCount;
    Allowance *allowances = newZeros(count, sizeof *allowances);
    ReferenceVertex *morphed = newMorphed(scene, instance);
    double share = formats ? info->weightError / sourceDiagonal(scene) : 0.0;
    RowEncoding coarse = formats ? scene->view.encoding : (RowEncoding){0};
    double base = ROUNDING_SHARE * referenceDiagonal(expected, count);
    static const double turns[VKSKIN_VERTEX_FORMAT_COUNT] = {PACKED_ANGLE, FLOAT_ANGLE, SNORM10_ANGLE};
    double turn = turns[info->format];
    const double apart = influencesApart(scene);
    for (uint32_t v = 0; v < count; v++) {
        Bones bones = bonesOf(scene, scene->instances[instance].bones, v, morphed[v].position);
        bones.image += 4.0 * bones.size * apart;
        double centre[3] = {scene->centres[3 * v], scene->centres[3 * v + 1], scene->centres[3 * v + 2]};
        bool centred = reading->blend == VKSKIN_METHOD_CENTRES_OF_ROTATION;
        double maxDistance = lengthOf(morphed[v].position, 3) + (centred ? lengthOf(centre, 3) : 0.0) + apart;
        allowances[v] = allowanceOf(scene, &bones, maxDistance, share, coarse, &expected[v]);
        allowances[v].position += base;
        allowances[v].degrees += turn;
    }
    free(morphed);
    return allowances;
}

/* ---- Comparing ---- */

#define LEFT_OUT 0.01 /* maximum share of vertices in a tame scene that are not judged */

/* What a vertex is compared with. */
typedef struct Judge {
    const char *against;
    const ReferenceVertex *expected;
    const Allowance *allowances;
    double diagonal;
    double size; /* that the output is divided by */
} Judge;

static void judgeVertex(const Judge *judge, uint32_t vertex, const VertexError *error, RowResult *result) {
    const Allowance *allowed = &judge->allowances[vertex];
    bool good = error->position * judge->diagonal <= allowed->position && error->normal <= allowed->degrees &&
                error->tangent <= allowed->degrees;
    if (!error->leftOut && !good && result->good) {
        result->good = false;
        snprintf(result->why, sizeof result->why,
                 "vertex %u against %s: off by %.3g (allowed %.3g), normal %.3g, tangent %.3g degrees (allowed %.3g)",
                 vertex, judge->against, error->position * judge->diagonal, allowed->position, error->normal,
                 error->tangent, allowed->degrees);
    }
}

static void judgeVertices(const Judge *judge, const ReadVertex *vertices, const VkskinMeshInfo *info,
                          ConformWorst *worst, RowResult *result) {
    for (uint32_t v = 0; v < info->vertexCount; v++) {
        ReadVertex found = vertices[v];
        for (int i = 0; i < 3; i++) {
            found.position[i] = (float)(found.position[i] / judge->size);
        }
        VertexError error = vertexError(&judge->expected[v], &found, judge->diagonal, info);
        judgeVertex(judge, v, &error, result);
        worst->compared++;
        worst->leftOut += error.leftOut;
        vertexErrorKeepWorst(&worst->error, &error);
        result->units = fmax(result->units, error.position * judge->diagonal);
    }
}

void judgeInstance(const Scene *scene, uint32_t index, bool exact, const ReadVertex *vertices,
                   const VkskinMeshInfo *info, ConformWorst *worst, RowResult *result) {
    const SceneInstance *instance = &scene->instances[index];
    ReferenceDef def = sceneReference(scene, index);
    ReferenceVertex *expected = newReferenceVertices(&scene->mesh, exact ? instance->bones : instance->held, &def);
    Allowance *allowances = newAllowances(scene, index, exact, info, expected);
    const char *against = exact ? "the exact bones" : "the bones that the palette holds";
    Judge judge = {against, expected, allowances, referenceDiagonal(expected, info->vertexCount), scene->size};
    judgeVertices(&judge, vertices, info, worst, result);
    free(allowances);
    free(expected);
}

/* What VkskinMeshInfo says of the mesh, if the row determines it. */
static void judgeInfo(const RowView *view, SceneKind kind, const VkskinMeshInfo *info, RowResult *result) {
    bool sorted = view->order != ROW_UNSORTED;
    if (kind != SCENE_WILD && info->sorted != sorted) {
        result->good = false;
        snprintf(result->why, sizeof result->why, "VkskinMeshInfo.sorted is %d", info->sorted);
    }
    if (view->weights == VKSKIN_WEIGHTS_FLOAT && info->weightError != 0.0f) {
        result->good = false;
        snprintf(result->why, sizeof result->why, "VkskinMeshInfo.weightError is %g", (double)info->weightError);
    }
}

/* The scene's instances repeat, more often than a thread skins its vertex. */
#define MAX_INSTANCES 68u

static ReadVertex *newOutput(Gpu *gpu, const Scene *scene, uint32_t count, VkskinMeshInfo *info) {
    const RowReading *reading = scene->view.reading;
    ConformInstance instances[MAX_INSTANCES];
    assert_true(count <= MAX_INSTANCES);
    for (uint32_t i = 0; i < count; i++) {
        const SceneInstance *instance = &scene->instances[i % SCENE_INSTANCES];
        instances[i] = (ConformInstance){reading->blend, reading->encoding, instance->palette, instance->morphWeights,
                                         instance->morphWeightCount};
    }
    return newConformOutput(gpu, &scene->view.settings, &scene->input.def, instances, count, info);
}

/* Copies of an instance are equal bit for bit, whatever their place in a thread. */
static void judgeCopies(const ReadVertex *vertices, uint32_t count, uint32_t vertexCount, RowResult *result) {
    for (uint32_t i = SCENE_INSTANCES * vertexCount; result->good && i < count * vertexCount; i++) {
        const ReadVertex *copy = &vertices[i], *first = &vertices[i % (SCENE_INSTANCES * vertexCount)];
        if (memcmp(copy->position, first->position, sizeof copy->position) != 0 ||
            memcmp(copy->normal, first->normal, sizeof copy->normal) != 0 ||
            memcmp(copy->tangent, first->tangent, sizeof copy->tangent) != 0) {
            result->good = false;
            snprintf(result->why, sizeof result->why, "vertex %u of instance %u is not that of instance %u",
                     i % vertexCount, i / vertexCount, i / vertexCount % SCENE_INSTANCES);
        }
    }
}

RowResult judgeScene(const Scene *scene, SceneKind kind, const ReadVertex *vertices, const VkskinMeshInfo *info) {
    RowResult result = {.good = true};
    ConformWorst byEntries = {.compared = 0};
    judgeInfo(&scene->view, kind, info, &result);
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        const ReadVertex *own = vertices + (size_t)i * info->vertexCount;
        judgeInstance(scene, i, true, own, info, &result.worst, &result);
        if (scene->view.weights == VKSKIN_WEIGHTS_FLOAT && scene->view.encoding.turn > 0.0) {
            judgeInstance(scene, i, false, own, info, &byEntries, &result);
        }
    }
    if (kind != SCENE_WILD && result.worst.leftOut > LEFT_OUT * result.worst.compared) {
        result.good = false;
        snprintf(result.why, sizeof result.why, "%u of %u vertices were left out", result.worst.leftOut,
                 result.worst.compared);
    }
    return result;
}

RowResult runRow(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed) {
    Scene scene;
    VkskinMeshInfo info;
    uint32_t count = rowView(row).settings.instancesPerThread + SCENE_INSTANCES;
    makeScene(&scene, row, kind, seed);
    ReadVertex *vertices = newOutput(gpu, &scene, count, &info);
    RowResult result = judgeScene(&scene, kind, vertices, &info);
    judgeCopies(vertices, count, info.vertexCount, &result);
    free(vertices);
    freeScene(&scene);
    return result;
}
