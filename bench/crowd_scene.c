#include "crowd_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "random.h"

#define SECTORS     20 /* per ring of the tube */
#define TUBE_LENGTH 8.0f
#define WEIGHT_UNIT 255u
#define MAX_TURN    1.2f /* radians, of a bone in a pose */

/* ---- The mesh ---- */

static uint32_t placesOf(const CrowdShape *shape) {
    return shape->influences > 4 ? shape->influences : 4;
}

/* Of 20 neighbouring vertices, 6, 7, 3 and 4 have 1, 2, 3 and 4 influences. */
static uint32_t influencesOf(const CrowdShape *shape, uint32_t vertex) {
    static const uint8_t MIX[20] = {1, 2, 4, 2, 1, 3, 2, 1, 4, 2, 1, 2, 3, 1, 4, 2, 1, 2, 4, 3};
    return shape->influences == INFLUENCE_MIX ? MIX[vertex % 20] : shape->influences;
}

static void placeVertex(ModelMesh *mesh, uint32_t vertex) {
    uint32_t ring = vertex / SECTORS, rings = mesh->vertexCount / SECTORS;
    float along = (float)ring / (float)rings - 0.5f;
    float angle = (float)(vertex % SECTORS) * 6.2831853f / SECTORS;
    float *position = &mesh->positions[(size_t)vertex * 3];
    float *normal = &mesh->normals[(size_t)vertex * 3];
    float *tangent = &mesh->tangents[(size_t)vertex * 4];
    normal[1] = cosf(angle);
    normal[2] = sinf(angle);
    position[0] = along * TUBE_LENGTH;
    position[1] = 0.5f * normal[1];
    position[2] = 0.5f * normal[2];
    tangent[0] = 1.0f;
    tangent[3] = vertex % 3 == 0 ? -1.0f : 1.0f;
}

/* Different bones near the vertex along the tube; the weights sum to WEIGHT_UNIT. */
static void weighVertex(Random *random, const CrowdShape *shape, uint32_t vertex, uint32_t *joints, float *weights) {
    uint32_t used = influencesOf(shape, vertex);
    uint32_t nearest = (uint32_t)((uint64_t)vertex * (shape->bones - used + 1) / shape->vertices);
    uint32_t left = WEIGHT_UNIT;
    for (uint32_t i = 0; i < used; i++) {
        uint32_t others = used - 1 - i; /* each gets at least one unit */
        uint32_t most = left - others;
        uint32_t share = others == 0 ? left : 1 + randomBelow(random, 2 * (most / used) + 1);
        share = share > most ? most : share;
        joints[i] = nearest + i;
        weights[i] = (float)share / (float)WEIGHT_UNIT;
        left -= share;
    }
}

static void joinVertices(ModelMesh *mesh) {
    uint32_t *index = mesh->indices;
    for (uint32_t v = 0; v + SECTORS < mesh->vertexCount; v++) {
        uint32_t beside = v % SECTORS + 1 == SECTORS ? v + 1 - SECTORS : v + 1;
        uint32_t corners[6] = {v, beside, v + SECTORS, beside, beside + SECTORS, v + SECTORS};
        memcpy(index, corners, sizeof corners);
        index += 6;
    }
}

static bool allocateMesh(const CrowdShape *shape, ModelMesh *mesh) {
    size_t count = shape->vertices;
    *mesh = (ModelMesh){.vertexCount = shape->vertices,
                        .positions = calloc(count, 3 * sizeof(float)),
                        .normals = calloc(count, 3 * sizeof(float)),
                        .tangents = calloc(count, 4 * sizeof(float)),
                        .influences = placesOf(shape),
                        .joints = calloc(count, placesOf(shape) * sizeof(uint32_t)),
                        .weights = calloc(count, placesOf(shape) * sizeof(float)),
                        .boneCount = shape->bones,
                        .indexCount = (shape->vertices - SECTORS) * 6,
                        .indices = calloc(count, 6 * sizeof(uint32_t))};
    return mesh->positions && mesh->normals && mesh->tangents && mesh->joints && mesh->weights && mesh->indices;
}

/* ---- The order ---- */

static VkskinMeshDef meshDefOf(const ModelMesh *mesh) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->boneCount;
    def.positions = mesh->positions;
    def.normals = mesh->normals;
    def.tangents = mesh->tangents;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.blendWeights = mesh->blendWeights;
    def.indexCount = mesh->indexCount;
    def.indices = mesh->indices;
    return def;
}

static void gather(const void *from, void *to, const uint32_t *order, uint32_t count, size_t size) {
    for (uint32_t i = 0; i < count; i++) {
        memcpy((char *)to + i * size, (const char *)from + order[i] * size, size);
    }
}

static void orderMesh(const ModelMesh *from, const uint32_t *order, uint32_t *places, ModelMesh *to) {
    uint32_t count = from->vertexCount;
    gather(from->positions, to->positions, order, count, 3 * sizeof(float));
    gather(from->normals, to->normals, order, count, 3 * sizeof(float));
    gather(from->tangents, to->tangents, order, count, 4 * sizeof(float));
    gather(from->joints, to->joints, order, count, from->influences * sizeof(uint32_t));
    gather(from->weights, to->weights, order, count, from->influences * sizeof(float));
    for (uint32_t v = 0; v < count; v++) {
        places[order[v]] = v;
    }
    for (uint32_t i = 0; i < from->indexCount; i++) {
        to->indices[i] = places[from->indices[i]];
    }
}

/* Creates *sorted from *mesh; *mesh does not change. */
static bool sortMesh(const CrowdShape *shape, const ModelMesh *mesh, ModelMesh *sorted, EngineError *error) {
    uint32_t *order = calloc(shape->vertices, 2 * sizeof *order);
    if (!allocateMesh(shape, sorted) || !order) {
        free(order);
        return engineFail(error, "out of memory");
    }
    VkskinMeshDef def = meshDefOf(mesh);
    VkskinResult result = vkskinSortVertices(&def, NULL, order);
    if (result >= 0) {
        orderMesh(mesh, order, order + shape->vertices, sorted);
    }
    free(order);
    return result >= 0 || engineFail(error, "sorting vertices: %s", vkskinResultName(result));
}

static bool makeMesh(Random *random, const CrowdShape *shape, ModelMesh *mesh, EngineError *error) {
    ModelMesh unsorted;
    bool made = allocateMesh(shape, &unsorted) || engineFail(error, "out of memory");
    for (uint32_t v = 0; made && v < shape->vertices; v++) {
        size_t place = (size_t)v * unsorted.influences;
        placeVertex(&unsorted, v);
        weighVertex(random, shape, v, &unsorted.joints[place], &unsorted.weights[place]);
    }
    if (made) {
        joinVertices(&unsorted);
        made = sortMesh(shape, &unsorted, mesh, error);
    }
    modelFreeMesh(&unsorted);
    return made;
}

/* ---- The scene ---- */

bool crowdSceneCreate(const CrowdShape *shape, CrowdScene *scene, EngineError *error) {
    Random random = {shape->vertices};
    *scene = (CrowdScene){.shape = *shape};
    scene->poseCount = shape->instances < CROWD_POSES_MAX ? shape->instances : CROWD_POSES_MAX;
    size_t bones = (size_t)scene->poseCount * shape->bones;
    scene->poses = calloc(bones, sizeof *scene->poses);
    if (!scene->poses) {
        *scene = (CrowdScene){0};
        return engineFail(error, "out of memory");
    }
    for (size_t b = 0; b < bones; b++) {
        scene->poses[b] = randomBone(&random, MAX_TURN, false);
    }
    bool made = makeMesh(&random, shape, &scene->mesh, error);
    if (!made) {
        crowdSceneDestroy(scene);
    }
    return made;
}

void crowdSceneDestroy(CrowdScene *scene) {
    modelFreeMesh(&scene->mesh);
    free(scene->poses);
    *scene = (CrowdScene){0};
}

bool crowdScenePaint(CrowdScene *scene, EngineError *error) {
    ModelMesh *mesh = &scene->mesh;
    mesh->blendWeights = calloc(mesh->vertexCount, sizeof *mesh->blendWeights);
    for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = (float)(v % 5) / 4.0f;
    }
    return mesh->blendWeights || engineFail(error, "out of memory");
}

void *newCrowdCentres(const CrowdScene *scene, EngineError *error) {
    size_t size = vkskinCentresSize(scene->mesh.vertexCount);
    void *centres = malloc(size);
    VkskinMeshDef def = meshDefOf(&scene->mesh);
    VkskinResult result = centres ? vkskinComputeCentres(&def, NULL, centres, size) : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (result < 0) {
        engineFail(error, "computing centres of rotation: %s", vkskinResultName(result));
        free(centres);
        centres = NULL;
    }
    return centres;
}

const VkskinAffine *crowdSceneBones(const CrowdScene *scene, uint32_t instance) {
    return scene->poses + (size_t)(instance % scene->poseCount) * scene->shape.bones;
}

VkskinMeshDef crowdSceneMeshDef(const CrowdScene *scene, VkskinVertexFormat format, VkskinWeightFormat weights) {
    VkskinMeshDef def = meshDefOf(&scene->mesh);
    def.weightFormat = weights;
    def.format = format;
    return def;
}

void *newCrowdPalettes(const CrowdScene *scene, VkskinPaletteEncoding encoding) {
    size_t stride = vkskinPaletteStride(encoding);
    size_t count = (size_t)scene->poseCount * scene->shape.bones;
    char *palettes = malloc(count * stride);
    for (size_t b = 0; palettes && b < count; b++) {
        ReferenceMatrix bone = referenceFromAffine(&scene->poses[b]);
        paletteEntry(encoding, &bone, false, palettes + b * stride);
    }
    return palettes;
}
