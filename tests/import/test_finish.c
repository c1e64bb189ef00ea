/* What every importer does to matrices and meshes. */
#include "child.h"
#include "import_support.h"
#include "mesh_finish.h"
#include "named_files.h"
#include "parts.h"

#include <math.h>

static double difference(const VkskinAffine *a, const VkskinAffine *b) {
    double most = 0.0;
    for (int i = 0; i < 12; i++) {
        most = fmax(most, fabs((double)a->m[i / 4][i % 4] - (double)b->m[i / 4][i % 4]));
    }
    return most;
}

/* Scale, mirror and quarter turns: T R S gives each back. */
static void testSplitGivesBack(void **state) {
    (void)state;
    static const VkskinAffine matrices[] = {
        {{{1, 0, 0, 5}, {0, 1, 0, 6}, {0, 0, 1, 7}}},    {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 100, 0}}},
        {{{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}},   {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}}},  {{{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}}},
        {{{-2, 0, 0, 0}, {0, 0, -3, 0}, {0, -4, 0, 0}}}, {{{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
        {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}},    {{{0, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 0}}},
        {{{0, 0, 0, 0}, {0, 0, 2, 0}, {0, 1, 0, 0}}},    {{{1e-6f, 0, 0, 0}, {0, 0, -1e-6f, 0}, {0, 1e-6f, 0, 0}}},
    };
    for (size_t i = 0; i < COUNT(matrices); i++) {
        VkskinTransform transform;
        assert_true(restSplit(&matrices[i], &transform));
        VkskinAffine back = vkskinAffineFromTransform(&transform);
        assert_true(difference(&back, &matrices[i]) < 1e-5);
    }
}

/* Shear has no T R S form: the matrix is kept, but not where keys replace T R S. */
static void testShear(void **state) {
    (void)state;
    const VkskinAffine sheared = {{{1, 0.5f, 0, 3}, {0, 1, 0, 4}, {0, 0, 1, 5}}};
    const VkskinAffine identity = vkskinIdentityAffine();
    ModelRepairs repairs = {0};
    ModelNode node = {0};
    restSet(&node, &sheared, false, &repairs);
    assert_int_equal(repairs.nodesSheared, 1);
    assert_true(difference(&node.preTransform, &sheared) == 0.0);
    assert_true(node.rest.rotation[3] == 1.0f && node.rest.scale[0] == 1.0f && node.rest.translation[0] == 0.0f);
    restSet(&node, &sheared, true, &repairs);
    assert_int_equal(repairs.nodesSheared, 1);
    assert_true(difference(&node.preTransform, &identity) == 0.0);
    assert_true(node.rest.translation[2] == 5.0f);
}

/* Two triangles with corners of their own; the shared edge has equal corners but for one weight. */
static ModelMesh makeQuad(float lastWeight) {
    static const float positions[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}};
    ModelMesh mesh = {.vertexCount = 6, .indexCount = 6, .influences = 1, .boneCount = 1};
    mesh.positions = childAllocate(18, sizeof(float));
    memcpy(mesh.positions, positions, sizeof positions);
    mesh.joints = childAllocate(6, sizeof(uint32_t));
    mesh.weights = childAllocate(6, sizeof(float));
    mesh.indices = childAllocate(6, sizeof(uint32_t));
    for (uint32_t i = 0; i < 6; i++) {
        mesh.weights[i] = 1.0f;
        mesh.indices[i] = i;
    }
    mesh.weights[4] = lastWeight;
    meshComputeNormals(&mesh);
    return mesh;
}

static void testWeld(void **state) {
    (void)state;
    ModelMesh mesh = makeQuad(1.0f);
    meshWeld(&mesh);
    static const uint32_t expected[6] = {0, 1, 2, 2, 1, 3};
    assert_int_equal(mesh.vertexCount, 4);
    assert_memory_equal(mesh.indices, expected, sizeof expected);
    assert_true(mesh.positions[9] == 1.0f && mesh.positions[10] == 1.0f);
    modelFreeMesh(&mesh);
}

static void testWeldKeepsWeightsApart(void **state) {
    (void)state;
    ModelMesh mesh = makeQuad(0.5f);
    meshWeld(&mesh);
    assert_int_equal(mesh.vertexCount, 5);
    modelFreeMesh(&mesh);
}

/* `moved` of the quad's vertices, by z. */
static void addMorph(ModelMesh *mesh, const uint32_t *vertices, uint32_t moved, float z) {
    mesh->morphs = childAllocate(1, sizeof *mesh->morphs);
    mesh->morphCount = 1;
    *mesh->morphs = (ModelMorph){.name = childCopyText("lift"), .vertexCount = moved};
    mesh->morphs->vertices = childAllocate(moved, sizeof(uint32_t));
    memcpy(mesh->morphs->vertices, vertices, moved * sizeof(uint32_t));
    mesh->morphs->positions = childAllocate(moved, 3 * sizeof(float));
    for (uint32_t i = 0; i < moved; i++) {
        mesh->morphs->positions[3 * (size_t)i + 2] = z;
    }
}

/* Corners 1 and 4 of the quad are one vertex to all but a morph that moves one of them. */
static void testWeldKeepsMorphsApart(void **state) {
    (void)state;
    static const uint32_t both[3] = {1, 4, 5}, one[2] = {4, 5}, welded[2] = {1, 3}, apart[2] = {3, 4};
    ModelMesh mesh = makeQuad(1.0f);
    addMorph(&mesh, both, 3, 2.0f);
    meshWeld(&mesh);
    assert_int_equal(mesh.vertexCount, 4);
    assert_int_equal(mesh.morphs->vertexCount, 2);
    assert_memory_equal(mesh.morphs->vertices, welded, sizeof welded);
    modelFreeMesh(&mesh);
    mesh = makeQuad(1.0f);
    addMorph(&mesh, one, 2, 2.0f);
    meshWeld(&mesh);
    assert_int_equal(mesh.vertexCount, 5);
    assert_int_equal(mesh.morphs->vertexCount, 2);
    assert_memory_equal(mesh.morphs->vertices, apart, sizeof apart);
    modelFreeMesh(&mesh);
}

/* Many vertices that only a morph tells apart: some are neighbours in any table. */
static void testWeldComparesMorphs(void **state) {
    (void)state;
    enum { COUNT = 300 };
    ModelMesh mesh = {.vertexCount = COUNT, .indexCount = COUNT, .influences = 1, .boneCount = 1, .morphCount = 1};
    mesh.positions = childAllocate(COUNT, 3 * sizeof(float));
    mesh.normals = childAllocate(COUNT, 3 * sizeof(float));
    mesh.joints = childAllocate(COUNT, sizeof(uint32_t));
    mesh.weights = childAllocate(COUNT, sizeof(float));
    mesh.indices = childAllocate(COUNT, sizeof(uint32_t));
    mesh.morphs = childAllocate(1, sizeof *mesh.morphs);
    *mesh.morphs = (ModelMorph){.name = childCopyText("apart"), .vertexCount = COUNT};
    mesh.morphs->vertices = childAllocate(COUNT, sizeof(uint32_t));
    mesh.morphs->normals = childAllocate(COUNT, 3 * sizeof(float));
    for (uint32_t i = 0; i < COUNT; i++) {
        mesh.indices[i] = mesh.morphs->vertices[i] = i;
        mesh.morphs->normals[3 * (size_t)i] = (float)i;
    }
    meshWeld(&mesh);
    assert_int_equal(mesh.vertexCount, COUNT);
    modelFreeMesh(&mesh);
}

/* Welded, then split: every corner of a moved vertex is moved. */
static void testSplitSpreadsMorphs(void **state) {
    (void)state;
    static const uint32_t moved[3] = {1, 4, 5};
    ModelMesh mesh = makeQuad(1.0f);
    addMorph(&mesh, moved, 3, 2.0f);
    meshWeld(&mesh);
    meshSplit(&mesh);
    assert_int_equal(mesh.vertexCount, 6);
    assert_int_equal(mesh.morphs->vertexCount, 3);
    assert_memory_equal(mesh.morphs->vertices, moved, sizeof moved);
    assert_true(mesh.morphs->positions[8] == 2.0f);
    modelFreeMesh(&mesh);
}

/* A triangle that a morph makes a point has no normal to turn to. */
static void testCollapsedKeepsNormal(void **state) {
    (void)state;
    static const uint32_t all[3] = {3, 4, 5};
    ModelMesh mesh = makeQuad(1.0f);
    for (int v = 0; v < 6; v++) { /* the quad now faces -y */
        mesh.positions[3 * v + 2] = mesh.positions[3 * v + 1];
        mesh.positions[3 * v + 1] = 0.0f;
    }
    meshComputeNormals(&mesh);
    addMorph(&mesh, all, 3, 0.0f);
    for (int i = 0; i < 9; i++) {
        mesh.morphs->positions[i] = -mesh.positions[9 + i];
    }
    meshComputeMorphNormals(&mesh);
    assert_int_equal(mesh.morphs->vertexCount, 3);
    for (int i = 0; i < 9; i++) {
        assert_true(mesh.morphs->normals[i] == 0.0f);
    }
    modelFreeMesh(&mesh);
}

static void testNormals(void **state) {
    (void)state;
    ModelMesh mesh = makeQuad(1.0f);
    mesh.normals[0] = NAN;
    mesh.normals[5] = 0.25f; /* a normal that is there stays, whatever its length */
    meshRepairNormals(&mesh);
    assert_true(mesh.normals[0] == 0.0f && mesh.normals[2] == 1.0f);
    assert_true(mesh.normals[5] == 0.25f);
    modelFreeMesh(&mesh);
}

/* Vertex 0: two weights, a zero and a NaN; vertex 1: only a negative one; vertex 2: one weight. */
static void testInfluences(void **state) {
    (void)state;
    static const Influence list[] = {{0, 4, 0.25f}, {0, 2, 0.5f},  {0, 3, 0.0f},
                                     {0, 1, NAN},   {1, 1, -1.0f}, {2, 0, 7.0f}};
    static const uint32_t joints[6] = {5, 3, 0, 0, 1, 0};
    static const float weights[6] = {0.25f, 0.5f, 1.0f, 0.0f, 7.0f, 0.0f};
    ModelRepairs repairs = {0};
    ModelMesh mesh = {.vertexCount = 3};
    assert_true(influencesPack(&mesh, list, COUNT(list), &repairs));
    assert_int_equal(mesh.influences, 2);
    assert_int_equal(mesh.boneCount, 6);
    assert_memory_equal(mesh.joints, joints, sizeof joints);
    assert_memory_equal(mesh.weights, weights, sizeof weights);
    assert_int_equal(repairs.weightsNegative, 2);
    assert_int_equal(repairs.verticesUnweighted, 1);
    modelFreeMesh(&mesh);
}

static void testPathsStayBelow(void **state) {
    (void)state;
    static const struct {
        const char *path;
        bool below;
    } cases[] = {
        {"a.png", true}, {"a/b.png", true}, {"..a/b..", true}, {"./a", true},        {"", false},
        {"/a", false},   {"..", false},     {"../a", false},   {"a/../../b", false}, {"a/..", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(pathStaysBelow(cases[i].path), cases[i].below);
    }
}

static void testPathsAreBelow(void **state) {
    (void)state;
    static const struct {
        const char *path, *folder;
        bool below;
    } cases[] = {
        {"m/a.png", "m/", true},      {"../m/a.png", "../m/", true}, {"a.png", "", true},
        {"m/../a.png", "m/", false},  {"../a.png", "", false},       {"/m/a.png", "", false},
        {"../a.png", "../m/", false}, {"a.png", "m/", false},        {"m/", "m/", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(pathIsBelow(cases[i].path, cases[i].folder), cases[i].below);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testSplitGivesBack),
        cmocka_unit_test(testShear),
        cmocka_unit_test(testWeld),
        cmocka_unit_test(testWeldKeepsWeightsApart),
        cmocka_unit_test(testWeldKeepsMorphsApart),
        cmocka_unit_test(testWeldComparesMorphs),
        cmocka_unit_test(testSplitSpreadsMorphs),
        cmocka_unit_test(testCollapsedKeepsNormal),
        cmocka_unit_test(testNormals),
        cmocka_unit_test(testInfluences),
        cmocka_unit_test(testPathsStayBelow),
        cmocka_unit_test(testPathsAreBelow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
