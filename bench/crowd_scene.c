#include "crowd_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"
#include "random.h"
#include "reference.h"

#define SECTORS     20 /* per ring of the tube */
#define TUBE_LENGTH 8.0f
#define WEIGHT_UNIT 255u
#define MAX_TURN    1.2f /* radians, of a bone in a pose */

/* ---- The mesh ---- */

static uint32_t placesOf(const CrowdShape *shape) {
    return shape->influences > 4 ? shape->influences : 4;
}

/* In 20 neighbouring vertices, 6, 7, 3 and 4 have 1, 2, 3 and 4 influences. */
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

static bool createMesh(Random *random, const CrowdShape *shape, ModelMesh *mesh) {
    if (!allocateMesh(shape, mesh)) {
        return false;
    }
    for (uint32_t v = 0; v < shape->vertices; v++) {
        size_t place = (size_t)v * mesh->influences;
        placeVertex(mesh, v);
        weighVertex(random, shape, v, &mesh->joints[place], &mesh->weights[place]);
    }
    joinVertices(mesh);
    return modelSortMesh(mesh);
}

/* ---- What the mode needs ---- */

static bool paint(ModelMesh *mesh) {
    mesh->blendWeights = calloc(mesh->vertexCount, sizeof *mesh->blendWeights);
    for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = (float)(v % 5) / 4.0f;
    }
    return mesh->blendWeights;
}

static bool createCentres(CrowdScene *scene, EngineError *error) {
    size_t size = vkskinCentresSize(scene->mesh.vertexCount);
    scene->centres = engineAllocate(1, size, error);
    if (!scene->centres) {
        return false;
    }
    VkskinMeshDef def = meshDefOfModel(&scene->mesh);
    VkskinResult result = vkskinComputeCentres(&def, NULL, scene->centres, size);
    return result >= 0 || engineFail(error, "computing centres of rotation: %s", vkskinResultName(result));
}

/* All poses: random bones and their palette entries. */
static bool createPoses(CrowdScene *scene, Random *random) {
    VkskinPaletteEncoding encoding = skinModeEncoding(scene->mode);
    size_t count = (size_t)scene->poseCount * scene->shape.bones, stride = vkskinPaletteStride(encoding);
    scene->poses = calloc(count, sizeof *scene->poses);
    scene->palettes = malloc(count * stride);
    scene->paletteBytes = scene->shape.bones * stride;
    for (size_t b = 0; scene->poses && scene->palettes && b < count; b++) {
        scene->poses[b] = randomBone(random, MAX_TURN, false);
        ReferenceMatrix bone = referenceFromAffine(&scene->poses[b]);
        paletteEntry(encoding, &bone, false, scene->palettes + b * stride);
    }
    return scene->poses && scene->palettes;
}

/* ---- The scene ---- */

bool crowdSceneCreate(const CrowdShape *shape, SkinMode mode, CrowdScene *scene, EngineError *error) {
    Random random = {shape->vertices};
    *scene = (CrowdScene){.shape = *shape, .mode = mode};
    scene->poseCount = shape->instances < CROWD_POSES_MAX ? shape->instances : CROWD_POSES_MAX;
    bool made = (createPoses(scene, &random) && createMesh(&random, shape, &scene->mesh) &&
                 (mode != SKIN_MODE_BLEND || paint(&scene->mesh))) ||
                engineFail(error, "out of memory");
    made = made && (mode != SKIN_MODE_COR || createCentres(scene, error));
    if (!made) {
        crowdSceneDestroy(scene);
    }
    return made;
}

void crowdSceneDestroy(CrowdScene *scene) {
    modelFreeMesh(&scene->mesh);
    free(scene->centres);
    free(scene->poses);
    free(scene->palettes);
    *scene = (CrowdScene){0};
}

const VkskinAffine *crowdSceneBones(const CrowdScene *scene, uint32_t instance) {
    return scene->poses + (size_t)(instance % scene->poseCount) * scene->shape.bones;
}

const void *crowdScenePalette(const CrowdScene *scene, uint32_t instance) {
    return scene->palettes + instance % scene->poseCount * scene->paletteBytes;
}

VkskinMeshDef crowdSceneMeshDef(const CrowdScene *scene, VkskinVertexFormat format, VkskinWeightFormat weights) {
    VkskinMeshDef def = meshDefOfModel(&scene->mesh);
    def.weightFormat = weights;
    def.format = format;
    def.centres = scene->centres;
    def.centresSize = scene->centres ? vkskinCentresSize(def.vertexCount) : 0;
    return def;
}
