/* Rays against posed triangles: hits worked out by hand, and the bits of the plain loop over all triangles. */
#include "cpu_scenes.h"
#include "hit.h"
#include "model_mesh.h"
#include "reference_hit.h"

#include <float.h>

static void destroyHits(void *mesh) {
    vkskinDestroyHitMesh(mesh);
}

static VkskinHitMesh hitMeshOf(const VkskinMeshDef *def) {
    VkskinHitMesh mesh;
    OK(vkskinCreateHitMesh(def, NULL, &mesh));
    return own(mesh, destroyHits);
}

static void *posed(VkskinHitMesh mesh, const float *positions, size_t stride) {
    void *pose = ownZeros(1, vkskinGetHitPoseSize(mesh));
    OK(vkskinWriteHitPose(mesh, positions, stride, pose));
    return pose;
}

/* ---- By hand ---- */

/*
 * Triangles 0 and 1 are the square from (0, 0) to (2, 2) in the plane z = 0, seen from above counter-clockwise; triangle 2
 * is triangle 0 again. Triangle 3 is 1 below, turned over. Vertex 0 has bones 0 and 1, vertices 1 and 3 bone 2, vertex 2
 * none. The bind pose lies elsewhere.
 */
static TestMesh *square(void) {
    static const float places[7][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, -1}, {2, 0, -1}, {0, 2, -1}};
    TestMesh *mesh =
        ownMesh((MeshSpec){.vertices = 7, .bones = 4, .influences = 2, .triangles = 4, .values = MESH_ZERO});
    for (uint32_t v = 0; v < 7; v++) {
        meshSetPosition(mesh, v, places[v][0], places[v][1], places[v][2]);
        meshSetInfluence(mesh, v, 0, v == 0 ? 1 : 2, v == 2 ? 0.0f : 0.5f);
        meshSetInfluence(mesh, v, 1, v == 0 ? 0 : 2, v == 2 ? 0.0f : 0.5f);
    }
    meshSetTriangle(mesh, 0, 0, 1, 2);
    meshSetTriangle(mesh, 1, 0, 2, 3);
    meshSetTriangle(mesh, 2, 0, 1, 2);
    meshSetTriangle(mesh, 3, 4, 6, 5);
    return mesh;
}

typedef struct HandCase {
    VkskinRay ray;
    VkskinHit hit;
} HandCase;

#define NONE                                                                                                           \
    { .triangle = VKSKIN_NO_HIT }

OWNING_TEST(raysHitWhatTheyShould) {
    static const HandCase cases[] = {
        /* straight down on (1.5, 0.5): 0.25 of corner 0, 0.5 of corner 1; triangle 2 lies there too */
        {{{1.5f, 0.5f, 3}, {0, 0, -1}, 0}, {0, 2, 3, {0.25f, 0.5f, 0.25f}, {0, 0, 1}}},
        {{{1.5f, 0.5f, 3}, {0, 0, -2}, 0}, {0, 2, 1.5f, {0.25f, 0.5f, 0.25f}, {0, 0, 1}}},
        {{{1.5f, 0.5f, 3}, {0, 0, -2}, 1.5f}, {0, 2, 1.5f, {0.25f, 0.5f, 0.25f}, {0, 0, 1}}},
        {{{1.5f, 0.5f, 3}, {0, 0, -2}, 1.4999f}, NONE},
        /* near corner 0: 0.75 of it, so 0.375 for bones 0 and 1 each; bone 2 has the rest of 0.125 */
        {{{0.375f, 0.125f, 1}, {0, 0, -1}, 0}, {0, 0, 1, {0.8125f, 0.125f, 0.0625f}, {0, 0, 1}}},
        /* on vertex 2, which no bone moves; the corner belongs to 0, 1 and 2 */
        {{{2, 2, 1}, {0, 0, -1}, 0}, {0, VKSKIN_NO_BONE, 1, {0, 0, 1}, {0, 0, 1}}},
        {{{0.5f, 1.5f, 1}, {0, 0, -1}, 0}, {1, 2, 1, {0.25f, 0.25f, 0.5f}, {0, 0, 1}}},
        /* from below triangle 3 comes first, whose normal points down */
        {{{0.5f, 0.5f, -3}, {0, 0, 1}, 0}, {3, 2, 2, {0.5f, 0.25f, 0.25f}, {0, 0, -1}}},
        /* behind the origin; past the edge; along the plane; away */
        {{{0.5f, 0.5f, -0.5f}, {0, 0, -1}, 0}, {3, 2, 0.5f, {0.5f, 0.25f, 0.25f}, {0, 0, -1}}},
        {{{0.5f, 0.5f, -1.5f}, {0, 0, -1}, 0}, NONE},
        {{{2.0001f, 1, 3}, {0, 0, -1}, 0}, NONE},
        {{{-1, 1, 0}, {1, 0, 0}, 0}, NONE},
        {{{1, 0.5f, 1}, {0, 0, 1}, 0}, NONE},
        /* sideways: from (4, 1, 1) to (1.5, 0.375, 0), the direction longest along x, the others of any sign */
        {{{4, 1, 1}, {-2.5f, -0.625f, -1}, 0}, {0, 2, 1, {0.25f, 0.5625f, 0.1875f}, {0, 0, 1}}},
        {{{-1, 4, 1}, {2.5f, -3.625f, -1}, 0}, {0, 2, 1, {0.25f, 0.5625f, 0.1875f}, {0, 0, 1}}},
    };
    TestMesh *mesh = square();
    VkskinHitMesh hits = hitMeshOf(&mesh->def);
    const void *pose = posed(hits, mesh->positions, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinHit hit;
        const VkskinHit *expected = &cases[i].hit;
        OK(vkskinTraceRays(hits, pose, &cases[i].ray, 1, NULL, &hit));
        if (hit.triangle != expected->triangle || hit.bone != expected->bone) {
            fail_msg("ray %zu: triangle %u and bone %u, not %u and %u", i, hit.triangle, hit.bone, expected->triangle,
                     expected->bone);
        }
        assert_float_equal(hit.distance, expected->distance, 1e-6f);
        for (int k = 0; k < 3; k++) {
            assert_float_equal(hit.barycentrics[k], expected->barycentrics[k], 1e-6f);
            assert_float_equal(hit.normal[k], expected->normal[k], 0);
        }
    }
}

/* Influences that the mesh trims do not count; unweightedBone takes vertices without any; without bones there is none. */
OWNING_TEST(bonesAreThoseOfTheMesh) {
    static const struct {
        uint32_t bones, maxInfluences, unweighted, expected[2];
        float minWeight;
    } cases[] = {{4, 0, VKSKIN_NO_BONE, {2, VKSKIN_NO_BONE}, 0},
                 {4, 1, VKSKIN_NO_BONE, {1, VKSKIN_NO_BONE}, 0},
                 {4, 0, VKSKIN_NO_BONE, {1, VKSKIN_NO_BONE}, 0.45f},
                 {4, 0, 3, {2, 3}, 0},
                 {0, 0, 0, {VKSKIN_NO_BONE, VKSKIN_NO_BONE}, 0}};
    /* 0.55 of corner 0, 0.45 of corner 1: bone 2 has the most unless vertex 0 has one bone alone */
    const VkskinRay rays[2] = {{{0.9f, 0, 1}, {0, 0, -1}, 0}, {{2, 2, 1}, {0, 0, -1}, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        TestMesh *mesh = square();
        mesh->def.boneCount = cases[i].bones;
        meshSetInfluence(mesh, 0, 1, 0, 0.4f);
        mesh->def.maxInfluences = cases[i].maxInfluences;
        mesh->def.minWeight = cases[i].minWeight;
        mesh->def.unweightedBone = cases[i].unweighted;
        VkskinHitMesh made = hitMeshOf(&mesh->def);
        VkskinHit hits[2];
        OK(vkskinTraceRays(made, posed(made, mesh->positions, 0), rays, 2, NULL, hits));
        assert_int_equal(hits[0].bone, cases[i].expected[0]);
        assert_int_equal(hits[1].bone, cases[i].expected[1]);
    }
}

/* ---- Against the plain loop ---- */

#define RAYS 2000u

/* Kinds of rays, in turn. On a grid coordinates are multiples of 1/4: many rays hit edges, corners and several at once. */
static VkskinRay randomRay(Random *random, uint32_t kind, const float *target, bool grid) {
    VkskinRay ray = {.maxDistance = kind % 5 == 0 ? 1.0f : 0.0f};
    const float far = kind % 7 == 0 ? 1000.0f : 3.0f;
    for (int i = 0; i < 3; i++) {
        ray.origin[i] = randomFloat(random, -far, far);
        ray.origin[i] = grid ? roundf(4 * ray.origin[i]) / 4 : ray.origin[i];
        ray.direction[i] = target[i] - ray.origin[i];
    }
    if (kind % 3 == 0) { /* along one axis, with zeros of both signs; the origin may lie on the bound of a box */
        const uint32_t axis = kind / 3 % 3;
        for (uint32_t i = 0; i < 3; i++) {
            ray.origin[i] = i == axis ? ray.origin[i] : target[i];
            ray.direction[i] = i == axis ? ray.direction[i] : kind % 2 == 0 ? -0.0f : 0.0f;
        }
        ray.direction[axis] = ray.direction[axis] == 0.0f ? 1e-30f : ray.direction[axis];
    }
    if (ray.direction[0] == 0 && ray.direction[1] == 0 && ray.direction[2] == 0) {
        ray.direction[0] = 1;
    }
    return ray;
}

typedef struct Soup {
    VkskinMeshDef def;
    float *bind, *positions;
    uint32_t *indices;
    VkskinRay *rays;
} Soup;

/* Triangles of any size, also slivers, in a cube of side 2; the bind pose has nothing to do with the pose. */
static Soup makeSoup(uint32_t triangles, bool grid) {
    Random random = {triangles + grid};
    const uint32_t vertices = 3 * triangles;
    Soup soup = {vkskinDefaultMeshDef(), ownZeros(vertices, 12), ownZeros(vertices, 12), ownZeros(vertices, 4),
                 ownZeros(RAYS, sizeof(VkskinRay))};
    for (uint32_t i = 0; i < 3 * vertices; i++) {
        const uint32_t triangle = i / 9;
        const bool follows = i % 9 >= 3 && triangle % 4 != 0;
        const float size = triangle % 4 == 1 ? 1e-4f : 0.2f;
        const float place =
            follows ? soup.positions[i - 3] + randomFloat(&random, -size, size) : randomFloat(&random, -1.0f, 1.0f);
        soup.positions[i] = grid ? roundf(4 * place) / 4 : place;
        soup.bind[i] = randomFloat(&random, -1.0f, 1.0f);
        soup.indices[i / 3] = i / 3;
    }
    soup.positions[9 * (triangles / 2)] = triangles > 60 ? NAN : soup.positions[9 * (triangles / 2)];
    for (uint32_t i = 0; i < RAYS; i++) {
        float target[3];
        memcpy(target, soup.positions + 3 * (size_t)randomBelow(&random, vertices), sizeof target);
        for (int k = 0; k < 3; k++) {
            target[k] = isnan(target[k]) ? 0 : target[k] + (i % 2 == 0 ? 0 : randomFloat(&random, -0.05f, 0.05f));
        }
        soup.rays[i] = randomRay(&random, i, target, grid);
    }
    soup.def.vertexCount = vertices;
    soup.def.positions = soup.bind;
    soup.def.indexCount = vertices;
    soup.def.indices = soup.indices;
    return soup;
}

/* Counts in blocks and clusters of 64, less and more; one cluster more than a block of boxes. */
OWNING_TEST(boxesChangeNoBit) {
    static const uint32_t counts[] = {1, 63, 64, 65, 200, 64 * 64 + 1};
    for (size_t c = 0; c < 2 * COUNT_OF(counts); c++) {
        const uint32_t triangles = counts[c / 2];
        const Soup soup = makeSoup(triangles, c % 2 == 1);
        const uint32_t rays = triangles > 1000 ? RAYS / 4 : RAYS;
        VkskinHitMesh mesh = hitMeshOf(&soup.def);
        const void *pose = posed(mesh, soup.positions, 0);
        VkskinHit *truth = ownZeros(rays, sizeof *truth), *hits = ownZeros(rays, sizeof *hits);
        uint32_t found = 0;
        for (uint32_t i = 0; i < rays; i++) {
            truth[i] = referenceHit(soup.positions, soup.indices, triangles, &soup.rays[i]);
            truth[i].bone = truth[i].triangle == VKSKIN_NO_HIT ? 0 : VKSKIN_NO_BONE;
            found += truth[i].triangle != VKSKIN_NO_HIT;
        }
        assert_in_range(found, rays / 8, rays);
        for (int level = VKSKIN_CPU_AUTO; level <= (int)vkskinGetCpuLevel(); level++) {
            Crew crew = {.threads = 3, .seed = (uint32_t)c};
            const VkskinCpuRun run = {(VkskinCpuLevel)level, level % 2 == 0 ? lendCrew : NULL, &crew};
            memset(hits, 0xff, rays * sizeof *hits);
            OK(vkskinTraceRays(mesh, pose, soup.rays, rays, &run, hits));
            for (uint32_t i = 0; i < rays; i++) {
                if (memcmp(&hits[i], &truth[i], sizeof *hits) != 0) {
                    fail_msg("%u triangles, level %d, ray %u: triangle %u at %g, not %u at %g", triangles, level, i,
                             hits[i].triangle, (double)hits[i].distance, truth[i].triangle, (double)truth[i].distance);
                }
            }
        }
        destroyOwned(0);
    }
}

/* Small triangles in random order fill a cube of side 2: the mean side of 64 clusters is about 1. */
OWNING_TEST(clustersAreCompact) {
    Soup soup = makeSoup(64 * 64, false);
    for (uint32_t i = 0; i < 9 * 64 * 64; i++) {
        soup.bind[i] = i % 9 < 3 ? soup.bind[i] : soup.bind[i - 3] + 0.01f;
    }
    VkskinHitMesh mesh = hitMeshOf(&soup.def);
    const float *boxes = sknHitBlock(posed(mesh, soup.bind, 0), 0);
    for (uint32_t axis = 0; axis < 3; axis++) {
        float sides = 0;
        for (uint32_t i = axis * CLUSTER; i < (axis + 1) * CLUSTER; i++) {
            sides += boxes[3 * CLUSTER + i] - boxes[i];
        }
        assert_in_range((uint32_t)sides, CLUSTER / 4, CLUSTER * 5 / 4);
    }
}

/* A mesh skinned by the library into interleaved vertices: the point is that of the barycentrics, the bone that of the
 * largest sum. */
OWNING_TEST(aSkinnedMeshIsHit) {
    enum { VERTICES = 700, TRIANGLES = 300 };
    const VkskinOutputLayout layout = {.streamCount = 1, .strides = {32}, .normal = {0, 12}, .tangent = {0, 16}};
    CpuScene *scene = makeCpuScene(VERTICES, SCENE_MIXED);
    uint32_t *indices = ownZeros(TRIANGLES, 3 * sizeof *indices);
    float *output = ownZeros(VERTICES, 32);
    Random random = {38};
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        indices[i] = randomBelow(&random, VERTICES);
    }
    scene->def.indexCount = 3 * TRIANGLES;
    scene->def.indices = indices;
    scene->def.layout = &layout;
    VkskinHitMesh mesh = hitMeshOf(&scene->def);
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh skinned;
    def.mesh = &scene->def;
    assert_true(vkskinCreateCpuMesh(&def, &skinned) >= 0);
    const VkskinCpuCommand command = {
        .palette = newCpuPalette(VKSKIN_PALETTE_MAT3X4, 1), .boneCount = SCENE_BONES, .streams = {output}};
    OK(vkskinSkinOnCpu(skinned, &command, 1, NULL));
    vkskinDestroyCpuMesh(skinned);
    const void *pose = posed(mesh, output, 32);
    uint32_t found = 0;
    for (uint32_t i = 0; i < 200; i++) {
        VkskinRay ray = {.origin = {3, 0, 0}};
        VkskinHit hit;
        const float *target = output + (size_t)8 * indices[randomBelow(&random, 3 * TRIANGLES)];
        for (int axis = 0; axis < 3; axis++) {
            ray.direction[axis] = target[axis] * 0.9f - ray.origin[axis];
        }
        OK(vkskinTraceRays(mesh, pose, &ray, 1, NULL, &hit));
        if (hit.triangle == VKSKIN_NO_HIT) {
            continue;
        }
        float sums[SCENE_BONES] = {0};
        found++;
        for (int axis = 0; axis < 3; axis++) {
            float point = 0;
            for (uint32_t k = 0; k < 3; k++) {
                point += hit.barycentrics[k] * output[(size_t)8 * indices[3 * hit.triangle + k] + (size_t)axis];
            }
            assert_float_equal(ray.origin[axis] + hit.distance * ray.direction[axis], point, 1e-5f);
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t vertex = indices[3 * hit.triangle + k];
            float whole = 0;
            for (uint32_t n = 0; n < SCENE_PLACES; n++) {
                whole += scene->mesh.weights[SCENE_PLACES * vertex + n];
            }
            for (uint32_t n = 0; n < SCENE_PLACES; n++) {
                const float weight = scene->mesh.weights[SCENE_PLACES * vertex + n];
                if (weight > 0) {
                    sums[scene->mesh.joints[SCENE_PLACES * vertex + n]] += hit.barycentrics[k] * weight / whole;
                }
            }
        }
        for (uint32_t bone = 0; bone < SCENE_BONES; bone++) {
            assert_true(sums[hit.bone] >= sums[bone] - 1e-5f);
        }
    }
    assert_true(found > 20);
}

/* ---- Refusals ---- */

static void refuseRay(const VkskinRay *ray) {
    TestMesh *mesh = square();
    LogMemory log;
    const VkskinPrepareRun run = {.logger = rememberingLogger(&log)};
    VkskinHitMesh made;
    OK(vkskinCreateHitMesh(&mesh->def, &run, &made));
    own(made, destroyHits);
    const VkskinRay rays[2] = {{{1, 1, 1}, {0, 0, -1}, 0}, *ray};
    VkskinHit hits[2] = {{.bone = 77}};
    assertRefused(&log, vkskinTraceRays(made, posed(made, mesh->positions, 0), rays, 2, NULL, hits),
                  VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinTraceRays: ray 1: a number is not finite, the direction has no length, or maxDistance is "
                  "below 0");
    assert_int_equal(hits[0].bone, 77);
}

OWNING_TEST(badRaysAreRefused) {
    refuseRay(&(VkskinRay){{0, NAN, 0}, {0, 0, 1}, 0});
    refuseRay(&(VkskinRay){{0, 0, INFINITY}, {0, 0, 1}, 0});
    refuseRay(&(VkskinRay){{0, 0, 0}, {0, 1, NAN}, 0});
    refuseRay(&(VkskinRay){{0, 0, 0}, {0, -INFINITY, 1}, 0});
    refuseRay(&(VkskinRay){{0, 0, 0}, {0, -0.0f, 0}, 0});
    refuseRay(&(VkskinRay){{0, 0, 0}, {0, 0, 1}, -1});
    refuseRay(&(VkskinRay){{0, 0, 0}, {0, 0, 1}, NAN});
}

OWNING_TEST(badArgumentsAreRefused) {
    const VkskinResult null = VKSKIN_ERROR_NULL_ARGUMENT, invalid = VKSKIN_ERROR_INVALID_VALUE;
    TestMesh *mesh = square();
    LogMemory log;
    VkskinHitMesh made;
    VkskinRay ray = {{0, 0, 1}, {0, 0, -1}, 0};
    VkskinHit hit;
    const VkskinPrepareRun run = {.logger = rememberingLogger(&log)};
    const VkskinCpuRun bad = {.level = VKSKIN_CPU_LEVEL_COUNT};
#define REFUSE(change, result, message)                                                                                \
    do {                                                                                                               \
        VkskinMeshDef def = mesh->def;                                                                                 \
        def.change;                                                                                                    \
        assertRefused(&log, vkskinCreateHitMesh(&def, &run, &made), result, message);                                  \
        assert_null(made);                                                                                             \
    } while (0)
    REFUSE(indices = NULL, null, "mesh test: indices is null");
    REFUSE(indexCount = 4, invalid, "mesh test: indexCount is 4, no multiple of 3");
    REFUSE(dimensions = 2, invalid, "mesh test: dimensions is 2, this call needs 3");
    REFUSE(vertexCount = 6, VKSKIN_ERROR_INDEX_OUT_OF_RANGE, "mesh test: triangle 3 has vertex 6 of 6");
    REFUSE(maxInfluences = 256, invalid, "mesh test: maxInfluences is above 255");
    REFUSE(minWeight = NAN, invalid, "mesh test: minWeight is nan, not in 0 to 0.5");
    REFUSE(unweightedBone = 4, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, "mesh test: unweightedBone is not below boneCount");
    REFUSE(cookie = 0, VKSKIN_ERROR_DEF_NOT_INITIALISED, "mesh: the def was not made by vkskinDefaultMeshDef");
    assertRefused(&log, vkskinCreateHitMesh(NULL, &run, &made), null, "mesh: the def is null");
    assertRefused(&log, vkskinCreateHitMesh(&mesh->def, &run, NULL), null,
                  "mesh test: the place for the hit mesh is null");
    OK(vkskinCreateHitMesh(&mesh->def, &run, &made));
    own(made, destroyHits);
    char *pose = posed(made, mesh->positions, 0);
    assertRefused(&log, vkskinWriteHitPose(made, NULL, 0, pose), null, "vkskinWriteHitPose: positions is null");
    assertRefused(&log, vkskinWriteHitPose(made, mesh->positions, 0, NULL), null, "vkskinWriteHitPose: pose is null");
    for (size_t stride = 8; stride < 70000; stride += stride == 8 ? 6 : 65526) {
        assertRefused(&log, vkskinWriteHitPose(made, mesh->positions, stride, pose), invalid,
                      "vkskinWriteHitPose: stride is not 0 or a multiple of 4 from 12 to 65,536");
    }
    assertRefused(&log, vkskinWriteHitPose(made, mesh->positions, 0, pose + 2), invalid,
                  "vkskinWriteHitPose: positions or pose is not 4-byte aligned");
    assertRefused(&log, vkskinTraceRays(made, NULL, &ray, 1, NULL, &hit), null,
                  "vkskinTraceRays: pose, rays or hits is null");
    assertRefused(&log, vkskinTraceRays(made, pose, NULL, 1, NULL, &hit), null,
                  "vkskinTraceRays: pose, rays or hits is null");
    assertRefused(&log, vkskinTraceRays(made, pose, &ray, 1, NULL, NULL), null,
                  "vkskinTraceRays: pose, rays or hits is null");
    assertRefused(&log, vkskinTraceRays(made, pose, &ray, 1, &bad, &hit), invalid,
                  "vkskinTraceRays: level 4 is unknown or not of this machine");
    OK(vkskinTraceRays(made, pose, NULL, 0, NULL, NULL));
    RETURNS(null, vkskinTraceRays(NULL, pose, &ray, 1, NULL, &hit));
    RETURNS(null, vkskinWriteHitPose(NULL, mesh->positions, 0, pose));
    assert_int_equal(vkskinGetHitPoseSize(NULL), 0);
    vkskinDestroyHitMesh(NULL);
}

OWNING_TEST(memoryMayRunOut) {
    TestMesh *mesh = square();
    AllocatorState counts = {.failAt = 1};
    LogMemory log;
    const VkskinHostAllocator allocator = countingAllocator(&counts);
    const VkskinPrepareRun run = {.logger = rememberingLogger(&log), .allocator = &allocator};
    VkskinHitMesh made;
    while (memoryRanOut(&counts, &log, vkskinCreateHitMesh(&mesh->def, &run, &made),
                        "mesh test: no host memory for the clusters of 4 triangles")) {
        assert_null(made);
    }
    vkskinDestroyHitMesh(made);
    assert_int_equal(counts.alive, 0);
}
