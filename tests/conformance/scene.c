#include "scene.h"

#define USED_BONES  40u
#define MAX_PLACES  255u
#define MORPH_DELTA 0.3f /* maximum delta in a mesh whose side is 2 */
#define MORPH_LEAN  0.5f /* maximum change of a normal */

/* ---- Bones ---- */

#define TAME_ANGLE 1.5f
#define WILD_ANGLE 3.1415926f

#define LARGE_SIZE 0x1p100
#define SMALL_SIZE 0x1p-100

static const double noMove[3] = {0, 0, 0}, noScale[3] = {1, 1, 1}, still[4] = {0, 0, 0, 1};

static double randomScale(Random *random, SceneKind kind) {
    if (kind != SCENE_WILD) {
        return randomFloat(random, 0.6f, 1.6f);
    }
    return randomBelow(random, 8) == 0 ? 0.0 : randomFloat(random, -2.0f, 2.0f);
}

static ReferenceMatrix randomRotated(Random *random, SceneKind kind, const double scale[3], bool moved) {
    float rotation[4], translation[3];
    randomRigidBone(random, kind == SCENE_WILD ? WILD_ANGLE : TAME_ANGLE, rotation, translation);
    const double q[4] = {rotation[0], rotation[1], rotation[2], rotation[3]};
    const double t[3] = {translation[0], translation[1], translation[2]};
    return referenceCompose(moved ? t : noMove, q, scale);
}

/* Mirrored along the axis that is stretched least, so that bones are near each other by their nearest rotations too. */
static ReferenceMatrix randomMirrored(Random *random, SceneKind kind) {
    double least = -0.5 * randomScale(random, kind);
    const double scale[3] = {least, randomScale(random, kind), randomScale(random, kind)};
    return randomRotated(random, kind, scale, true);
}

/* Stretched along axes that are not its own, which shears it, then rotated. */
static ReferenceMatrix randomSheared(Random *random, SceneKind kind) {
    const double scale[3] = {randomScale(random, kind), randomScale(random, kind), randomScale(random, kind)};
    ReferenceMatrix turn = randomRotated(random, kind, noScale, true),
                    axes = randomRotated(random, kind, noScale, false);
    ReferenceMatrix back = referenceInvert(&axes), along = referenceCompose(noMove, still, scale);
    ReferenceMatrix stretch = referenceMultiply(&along, &axes);
    stretch = referenceMultiply(&back, &stretch);
    return referenceMultiply(&turn, &stretch);
}

/* In the plane: z stays. */
static ReferenceMatrix randomFlat(Random *random, SceneKind kind) {
    const double scale[3] = {randomScale(random, kind), randomScale(random, kind), 1.0};
    double half = 0.5 * randomFloat(random, -TAME_ANGLE, TAME_ANGLE);
    const double turn[4] = {0, 0, half, 1.0}, move[3] = {randomFloat(random, -0.5f, 0.5f), half, 0.0};
    ReferenceMatrix bone = referenceCompose(move, turn, scale);
    bone.m[0][1] += randomFloat(random, -0.3f, 0.3f);
    return bone;
}

static ReferenceMatrix anyBone(Random *random, RowBones bones, SceneKind kind) {
    switch (bones) {
    case ROW_BONES_FLAT:
        return randomFlat(random, kind);
    case ROW_BONES_RIGID:
        return randomRotated(random, kind, noScale, true);
    case ROW_BONES_SHEARED:
        return kind == SCENE_MIRRORED ? randomMirrored(random, kind) : randomSheared(random, kind);
    case ROW_BONES_UNIFORM:
        break;
    }
    double size = kind == SCENE_MIRRORED ? -randomScale(random, kind) : randomScale(random, kind);
    const double scale[3] = {size, size, size};
    return randomRotated(random, kind, scale, true);
}

/* Moved by the distance along x; or, with `mesh`, for a mesh that lies that far away too. */
static ReferenceMatrix movedBone(const ReferenceMatrix *bone, float distance, bool mesh) {
    ReferenceMatrix moved = *bone;
    moved.m[0][3] += distance;
    for (int r = 0; r < 3 && mesh; r++) {
        moved.m[r][3] -= bone->m[r][0] * distance;
    }
    return moved;
}

/* The 3x3 part and the translation. */
static ReferenceMatrix sizedBone(const ReferenceMatrix *bone, double size) {
    ReferenceMatrix sized = *bone;
    for (int e = 0; e < 12; e++) {
        sized.m[e / 4][e % 4] *= size;
    }
    return sized;
}

/* Rigid bones have size 1, and halves hold few sizes. */
static double chooseSize(const RowView *view, SceneKind kind, uint64_t seed) {
    static const double sizes[] = {1.0, LARGE_SIZE, SMALL_SIZE};
    bool any = view->encoding.bones != ROW_BONES_RIGID && view->encoding.size == 0.0;
    return kind == SCENE_MIRRORED && any ? sizes[seed % 3] : 1.0;
}

/* ---- Instances ---- */

/* Distinct bones; the mesh's first and last are among them. */
static void chooseBones(Random *random, Scene *scene) {
    uint32_t all = scene->view.joints->boneCount;
    scene->usedCount = all < USED_BONES ? all : USED_BONES;
    scene->used = newZeros(scene->usedCount, sizeof *scene->used);
    for (uint32_t i = 0; i < scene->usedCount; i++) { /* one from each of usedCount ranges */
        uint32_t first = (uint32_t)((uint64_t)all * i / scene->usedCount);
        uint32_t next = (uint32_t)((uint64_t)all * (i + 1) / scene->usedCount);
        scene->used[i] = i == 0 ? 0 : i + 1 == scene->usedCount ? all - 1 : first + randomBelow(random, next - first);
    }
}

static void makeInstance(Random *random, const Scene *scene, SceneKind kind, bool meshFar, SceneInstance *instance) {
    VkskinPaletteEncoding encoding = scene->view.reading->encoding;
    size_t stride = vkskinPaletteStride(encoding), all = scene->view.joints->boneCount;
    instance->bones = newZeros(all, sizeof *instance->bones);
    instance->held = newZeros(all, sizeof *instance->held);
    instance->palette = newZeros(all, stride);
    memset(instance->palette, 0xff, all * stride); /* NaN in floats and halves; of snorm16 in the translation */
    for (uint32_t i = 0; i < scene->usedCount; i++) {
        uint32_t b = scene->used[i];
        void *entry = (char *)instance->palette + b * stride;
        ReferenceMatrix bone = anyBone(random, scene->view.encoding.bones, kind);
        instance->bones[b] = movedBone(&bone, scene->distance, meshFar);
        ReferenceMatrix sized = sizedBone(&instance->bones[b], scene->size);
        paletteEntry(encoding, &sized, randomBelow(random, 2) == 0, entry);
        ReferenceMatrix held = paletteEntryMatrix(encoding, entry);
        instance->held[b] = sizedBone(&held, 1.0 / scene->size);
    }
}

static void makeMorphWeights(Random *random, const Scene *scene, uint32_t index, SceneInstance *instance) {
    instance->morphWeightCount = scene->mesh.morphCount >> index; /* the second instance sets fewer of them */
    for (uint32_t m = 0; m < instance->morphWeightCount; m++) {
        instance->morphWeights[m] = m % 3 == 1 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
}

/* ---- The mesh ---- */

/* Whether a vertex has the other influence count. Sorted: the lower count comes first. */
static bool isOther(Random *random, RowOrder order, uint32_t vertex, bool otherHasMore) {
    switch (order) {
    case ROW_SORTED:
        return (vertex < SCENE_VERTICES / 3) != otherHasMore;
    case ROW_UNSORTED:
        return vertex % 2 == 0 || randomBelow(random, 4) == 0;
    default:
        return false;
    }
}

static void swapPlaces(uint32_t *joints, float *weights, uint32_t a, uint32_t b) {
    uint32_t joint = joints[a];
    float weight = weights[a];
    joints[a] = joints[b];
    weights[a] = weights[b];
    joints[b] = joint;
    weights[b] = weight;
}

/* The first `kept` of a vertex's places keep their weight; then the places are shuffled. */
static void thinOut(Random *random, uint32_t *joints, float *weights, uint32_t places, uint32_t kept) {
    for (uint32_t i = kept; i < places; i++) {
        joints[i] = UINT32_MAX;
        weights[i] = 0.0f;
    }
    for (uint32_t i = places - 1; i > 0; i--) {
        swapPlaces(joints, weights, i, randomBelow(random, i + 1));
    }
}

static void setInfluences(Random *random, Scene *scene, SceneKind kind, uint32_t own, uint32_t other) {
    ModelMesh *mesh = &scene->mesh;
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        uint32_t *joints = mesh->joints + (size_t)v * mesh->influences;
        float *weights = mesh->weights + (size_t)v * mesh->influences;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            joints[i] = scene->used[joints[i]];
        }
        bool isOfOther = isOther(random, scene->view.order, v, other > own);
        bool none = kind == SCENE_WILD && randomBelow(random, 50) == 0;
        thinOut(random, joints, weights, mesh->influences, none ? 0 : isOfOther ? other : own);
    }
}

/* ---- Morph targets ---- */

/* All vertices, some, the last ones, none, and some again. */
static bool isMorphed(Random *random, uint32_t morph, uint32_t vertex) {
    switch (morph) {
    case 0:
        return true;
    case 2:
        return vertex >= SCENE_VERTICES - 70;
    case 3:
        return false;
    default:
        return randomBelow(random, 10) == 0;
    }
}

static void makeMorph(Random *random, Scene *scene, uint32_t index, bool flat) {
    ModelMorph *morph = &scene->mesh.morphs[index];
    morph->vertices = newZeros(SCENE_VERTICES, sizeof *morph->vertices);
    for (uint32_t v = 0; v < SCENE_VERTICES; v++) {
        if (isMorphed(random, index, v)) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = randomDeltas(random, morph->vertexCount, MORPH_DELTA, flat);
    if (index != 4) { /* one target has positions only */
        morph->normals = randomDeltas(random, morph->vertexCount, MORPH_LEAN, false);
        morph->tangents = randomDeltas(random, morph->vertexCount, MORPH_LEAN, false);
    }
    const RowMorphs *morphs = scene->view.morphs;
    scene->morphsAfter[index] = morphs->after && (!morphs->before || index % 2 == 0);
}

static void makeMorphs(Random *random, Scene *scene, bool flat) {
    const RowMorphs *morphs = scene->view.morphs;
    if (morphs->before || morphs->after) {
        scene->mesh.morphCount = SCENE_MORPHS;
        scene->mesh.morphs = newZeros(SCENE_MORPHS, sizeof *scene->mesh.morphs);
        for (uint32_t m = 0; m < SCENE_MORPHS; m++) {
            makeMorph(random, scene, m, flat);
        }
    }
}

static void flatten(ModelMesh *mesh) {
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        mesh->positions[3 * v + 2] = 0.0f;
    }
}

static void addWeightsAndCentres(Random *random, Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    scene->mesh.blendWeights = newZeros(mesh->vertexCount, sizeof(float));
    scene->centres = randomDeltas(random, mesh->vertexCount, 1.0f, false);
    for (size_t v = 0; v < mesh->vertexCount; v++) {
        bool whole = randomBelow(random, 4) == 0; /* often all of one or of the other */
        mesh->blendWeights[v] = whole ? (float)randomBelow(random, 2) : randomFloat(random, 0.0f, 1.0f);
    }
}

/* Needs the used bones. */
static void makeMesh(Random *random, Scene *scene, SceneKind kind) {
    const RowReading *reading = scene->view.reading;
    bool flat = scene->view.encoding.bones == ROW_BONES_FLAT;
    bool uniform = scene->view.order == ROW_UNIFORM;
    uint32_t own = scene->view.influences, other = uniform ? own : scene->view.otherInfluences;
    uint32_t places = (own > other ? own : other) + randomBelow(random, 2); /* one may stay empty */
    places = places < MAX_PLACES ? places : MAX_PLACES;
    RandomMeshDef def = {SCENE_VERTICES, scene->usedCount, places, places, kind != SCENE_WILD};
    scene->mesh = randomMesh(random, &def);
    scene->mesh.boneCount = reading->boneless ? 0 : scene->view.joints->boneCount;
    setInfluences(random, scene, kind, own, other);
    makeMorphs(random, scene, flat);
    addWeightsAndCentres(random, scene);
    if (flat) {
        flatten(&scene->mesh);
    }
}

/* The positions of the vertices are not there. */
static void useInfluencePositions(Scene *scene) {
    VkskinMeshDef *def = &scene->input.def;
    def->positions = NULL;
    def->influencePositions = scene->influencePositions;
    for (uint32_t m = 0; m < def->morphTargetCount; m++) {
        if (!scene->morphsAfter[m]) {
            scene->input.targets[m].positions = scene->influenceDeltas[m];
        }
    }
}

/* Random centres replace the computed ones: a kernel must use the centres that it is given. */
void sceneFillInput(Scene *scene) {
    static const uint32_t triangle[3] = {0, 1, 2};
    const RowReading *reading = scene->view.reading;
    const RowAttributes *attributes = scene->view.attributes;
    VkskinMeshDef *def = &scene->input.def;
    meshInputFill(&scene->input, &scene->mesh, scene->view.joints->format, scene->view.encoding.bones == ROW_BONES_FLAT,
                  scene->morphsAfter);
    def->name = "conformance";
    def->normals = attributes->normals ? def->normals : NULL;
    def->tangents = attributes->tangents ? def->tangents : NULL;
    def->weightFormat = scene->view.weights;
    def->unweightedBone = def->boneCount > 0 ? scene->used[0] : VKSKIN_NO_BONE;
    def->format = scene->view.format;
    def->normalRule = attributes->rule;
    def->blendWeights = reading->blend == VKSKIN_METHOD_PAINTED_BLEND ? scene->mesh.blendWeights : NULL;
    for (uint32_t m = 0; m < def->morphTargetCount; m++) {
        if (scene->input.targets[m].vertexCount == SCENE_VERTICES) {
            scene->input.targets[m].vertices = NULL; /* all vertices in order */
        }
    }
    if (reading->blend == VKSKIN_METHOD_CENTRES_OF_ROTATION) {
        meshInputAddCentres(&scene->input, triangle, 3, scene->centres);
    }
    if (scene->influencePositions != NULL) {
        useInfluencePositions(scene);
    }
    if (scene->view.ownLayout) {
        meshInputAddLayout(&scene->input, &(Random){scene->layoutSeed});
    }
}

/* ---- The scene ---- */

static void moveMesh(Scene *scene) {
    for (uint32_t v = 0; v < scene->mesh.vertexCount; v++) {
        scene->mesh.positions[3 * (size_t)v] += scene->distance;
        scene->centres[3 * (size_t)v] += scene->distance;
    }
}

/* Around the vertices' own. from: [count][3]. */
static float *newInfluencePoints(Random *random, const float *from, uint32_t count, uint32_t influences, float apart) {
    float *points = newZeros((size_t)count * influences, 2 * sizeof *points);
    for (size_t i = 0; i < (size_t)count * influences; i++) {
        for (size_t k = 0; k < 2; k++) {
            points[2 * i + k] = from[3 * (i / influences) + k] + randomFloat(random, -apart, apart);
        }
    }
    return points;
}

static void makeInfluencePositions(uint64_t seed, Scene *scene) {
    const ModelMesh *mesh = &scene->mesh;
    Random random = {seed};
    scene->influencePositions =
        newInfluencePoints(&random, mesh->positions, mesh->vertexCount, mesh->influences, SCENE_APART);
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        const ModelMorph *morph = &mesh->morphs[m];
        scene->influenceDeltas[m] =
            newInfluencePoints(&random, morph->positions, morph->vertexCount, mesh->influences, SCENE_DELTAS_APART);
    }
}

void makeScene(Scene *scene, const Row *row, SceneKind kind, uint64_t seed) {
    Random random = {seed};
    memset(scene, 0, sizeof *scene);
    scene->row = *row;
    scene->view = rowView(row);
    bool far = kind == SCENE_FAR || (kind == SCENE_WILD && randomBelow(&random, 3) == 0);
    scene->distance = far ? SCENE_FAR_UNITS : 0.0f;
    scene->size = chooseSize(&scene->view, kind, seed);
    bool meshFar = seed % 2 != 0;
    chooseBones(&random, scene);
    makeMesh(&random, scene, kind);
    if (meshFar) {
        moveMesh(scene);
    }
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        makeInstance(&random, scene, kind, meshFar, &scene->instances[i]);
        makeMorphWeights(&random, scene, i, &scene->instances[i]);
    }
    scene->layoutSeed = randomWord(&random);
    if (scene->view.attributes->each) {
        makeInfluencePositions(randomWord(&random), scene);
    }
    sceneFillInput(scene);
}

void freeScene(Scene *scene) {
    meshInputFree(&scene->input);
    randomMeshFree(&scene->mesh);
    free(scene->centres);
    free(scene->influencePositions);
    for (uint32_t m = 0; m < SCENE_MORPHS; m++) {
        free(scene->influenceDeltas[m]);
    }
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        free(scene->instances[i].bones);
        free(scene->instances[i].held);
        free(scene->instances[i].palette);
    }
    free(scene->used);
}

ReferenceDef sceneReference(const Scene *scene, uint32_t instance) {
    return (ReferenceDef){
        .method = scene->view.reading->blend,
        .exactNormals = scene->view.attributes->rule == VKSKIN_NORMALS_EXACT,
        .unweightedBone = scene->used[0],
        .centres = scene->centres,
        .morphWeights = scene->instances[instance].morphWeights,
        .morphsAfter = scene->morphsAfter,
        .influencePositions = scene->influencePositions,
        .influenceDeltas = (const float *const *)scene->influenceDeltas,
    };
}
