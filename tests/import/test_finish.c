/* What every importer does with matrices and meshes, and which paths it may open. */
#include "child.h"
#include "import_support.h"
#include "mesh_finish.h"
#include "named_files.h"
#include "rest_pose.h"

static double difference(const VkskinAffine *a, const VkskinAffine *b) {
    double largest = 0.0;
    for (int i = 0; i < 12; i++) {
        largest = fmax(largest, fabs((double)a->m[i / 4][i % 4] - (double)b->m[i / 4][i % 4]));
    }
    return largest;
}

/* Scale, mirror and quarter turns: T R S gives each matrix back. */
TEST(testSplitGivesBack) {
    static const VkskinAffine matrices[] = {
        {{{1, 0, 0, 5}, {0, 1, 0, 6}, {0, 0, 1, 7}}},    {{{2, 0, 0, 0}, {0, 3, 0, 0}, {0, 0, 100, 0}}},
        {{{0, -1, 0, 1}, {1, 0, 0, 2}, {0, 0, 1, 3}}},   {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
        {{{-1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, 1, 0}}},  {{{1, 0, 0, 0}, {0, -1, 0, 0}, {0, 0, -1, 0}}},
        {{{-2, 0, 0, 0}, {0, 0, -3, 0}, {0, -4, 0, 0}}}, {{{0, 0, 1, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
        {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}},    {{{0, 0, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 0}}},
        {{{0, 0, 0, 0}, {0, 0, 2, 0}, {0, 1, 0, 0}}},    {{{1e-6f, 0, 0, 0}, {0, 0, -1e-6f, 0}, {0, 1e-6f, 0, 0}}},
        {{{1, 0, 0, 0}, {-3, 0, 0, 0}, {2, 0, 0, 0}}},
    };
    for (size_t i = 0; i < COUNT_OF(matrices); i++) {
        VkskinTransform transform;
        assert_true(restSplit(&matrices[i], &transform));
        VkskinAffine back = vkskinAffineFromTransform(&transform);
        assert_true(difference(&back, &matrices[i]) < 1e-5);
    }
}

/* Shear has no T R S form. The matrix is kept, except where keys replace T R S. */
TEST(testShear) {
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

/* Two triangles without shared vertices. The corners of their common edge are equal, except for one weight. */
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

/* Moves `moved` of the quad's vertices along z. */
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

/* Corners 1 and 4 of the quad are one vertex, unless their weights differ or the morph moves only one of them. */
TEST(testWeld) {
    static const struct {
        float lastWeight;
        uint32_t moved[3], movedCount, indices[6], vertexCount, welded[2];
    } cases[] = {
        {1.0f, {0}, 0, {0, 1, 2, 2, 1, 3}, 4, {0}},
        {0.5f, {0}, 0, {0, 1, 2, 2, 3, 4}, 5, {0}},
        {1.0f, {1, 4, 5}, 3, {0, 1, 2, 2, 1, 3}, 4, {1, 3}},
        {1.0f, {4, 5}, 2, {0, 1, 2, 2, 3, 4}, 5, {3, 4}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        ModelMesh mesh = makeQuad(cases[i].lastWeight);
        addMorph(&mesh, cases[i].moved, cases[i].movedCount, 2.0f);
        meshWeld(&mesh);
        assert_int_equal(mesh.vertexCount, cases[i].vertexCount);
        assert_memory_equal(mesh.indices, cases[i].indices, sizeof cases[i].indices);
        const float *last = mesh.positions + 3 * (size_t)mesh.indices[5];
        assert_true(last[0] == 1.0f && last[1] == 1.0f);
        assert_int_equal(mesh.morphs->vertexCount, cases[i].movedCount > 0 ? 2 : 0);
        assert_memory_equal(mesh.morphs->vertices, cases[i].welded, mesh.morphs->vertexCount * sizeof(uint32_t));
        /* Splitting gives each corner a vertex again, and the morph moves all corners of a moved vertex. */
        meshSplit(&mesh);
        assert_int_equal(mesh.vertexCount, 6);
        assert_int_equal(mesh.morphs->vertexCount, cases[i].movedCount);
        assert_memory_equal(mesh.morphs->vertices, cases[i].moved, cases[i].movedCount * sizeof(uint32_t));
        for (uint32_t m = 0; m < cases[i].movedCount; m++) {
            assert_true(mesh.morphs->positions[3 * (size_t)m + 2] == 2.0f);
        }
        modelFreeMesh(&mesh);
    }
}

/* Many vertices that differ only in a morph: some share a place in any hash table. */
TEST(testWeldComparesMorphs) {
    enum { COUNT_OF_ALL = 300 };
    ModelMesh mesh = {.vertexCount = COUNT_OF_ALL, .indexCount = COUNT_OF_ALL, .influences = 1, .boneCount = 1};
    mesh.positions = childAllocate(COUNT_OF_ALL, 3 * sizeof(float));
    mesh.normals = childAllocate(COUNT_OF_ALL, 3 * sizeof(float));
    mesh.joints = childAllocate(COUNT_OF_ALL, sizeof(uint32_t));
    mesh.weights = childAllocate(COUNT_OF_ALL, sizeof(float));
    mesh.indices = childAllocate(COUNT_OF_ALL, sizeof(uint32_t));
    for (uint32_t i = 0; i < COUNT_OF_ALL; i++) {
        mesh.indices[i] = i;
    }
    addMorph(&mesh, mesh.indices, COUNT_OF_ALL, 0.0f);
    mesh.morphs->normals = childAllocate(COUNT_OF_ALL, 3 * sizeof(float));
    for (uint32_t i = 0; i < COUNT_OF_ALL; i++) {
        mesh.morphs->normals[3 * (size_t)i] = (float)i;
    }
    meshWeld(&mesh);
    assert_int_equal(mesh.vertexCount, COUNT_OF_ALL);
    modelFreeMesh(&mesh);
}

/* A triangle that a morph collapses to a point has no normal: its vertices keep theirs. */
TEST(testCollapsedKeepsNormal) {
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

TEST(testNormals) {
    ModelMesh mesh = makeQuad(1.0f);
    mesh.normals[0] = NAN;
    mesh.normals[5] = 0.25f;                        /* finite normals stay, whatever their length, */
    memset(mesh.normals + 6, 0, 3 * sizeof(float)); /* except 0 */
    assert_int_equal(meshRepairNormals(&mesh), 2);
    assert_true(mesh.normals[0] == 0.0f && mesh.normals[2] == 1.0f);
    assert_true(mesh.normals[5] == 0.25f);
    assert_true(mesh.normals[8] == 1.0f);
    for (int v = 0; v < 6; v++) { /* z = x: the quad faces (-1 0 1) */
        mesh.positions[3 * v + 2] = mesh.positions[3 * v];
    }
    meshComputeNormals(&mesh);
    for (int v = 0; v < 6; v++) {
        assert_float_equal(mesh.normals[3 * v], -sqrt(0.5), 1e-6);
        assert_float_equal(mesh.normals[3 * v + 2], sqrt(0.5), 1e-6);
    }
    modelFreeMesh(&mesh);
}

TEST(testFinishWarns) {
    EngineError error;
    Model *model = calloc(1, sizeof *model);
    ModelMesh mesh = makeQuad(1.0f);
    mesh.name = (char *)"quad";
    mesh.texcoords = calloc(2 * (size_t)mesh.vertexCount, sizeof *mesh.texcoords);
    mesh.texcoords[3] = INFINITY;
    assert_true(meshFinishAttributes(model, &mesh, &error));
    assert_null(mesh.texcoords);
    assert_int_equal(model->warningCount, 1);
    assert_string_equal(model->warnings[0].text,
                        "the texture coordinates of mesh 'quad' are left out: some are not finite");
    mesh.name = NULL;
    modelFreeMesh(&mesh);
    modelFree(model);
}

/* Vertex 0: two weights, a zero and a NaN; vertex 1: only a negative one; vertex 2: one weight. */
TEST(testInfluences) {
    static const Influence list[] = {{0, 4, 0.25f}, {0, 2, 0.5f},  {0, 3, 0.0f},
                                     {0, 1, NAN},   {1, 1, -1.0f}, {2, 0, 7.0f}};
    static const uint32_t joints[6] = {5, 3, 0, 0, 1, 0};
    static const float weights[6] = {0.25f, 0.5f, 1.0f, 0.0f, 7.0f, 0.0f};
    ModelRepairs repairs = {0};
    ModelMesh mesh = {.vertexCount = 3};
    assert_true(influencesPack(&mesh, list, COUNT_OF(list), &repairs));
    assert_int_equal(mesh.influences, 2);
    assert_int_equal(mesh.boneCount, 6);
    assert_memory_equal(mesh.joints, joints, sizeof joints);
    assert_memory_equal(mesh.weights, weights, sizeof weights);
    assert_int_equal(repairs.weightsNegative, 2);
    assert_int_equal(repairs.verticesUnweighted, 1);
    modelFreeMesh(&mesh);
}

/* folder: null for pathStaysBelow, else for pathIsBelow. */
TEST(testPaths) {
    static const struct {
        const char *folder, *path;
        bool below;
    } cases[] = {
        {NULL, "a.png", true},
        {NULL, "a/b.png", true},
        {NULL, "..a/b..", true},
        {NULL, "./a", true},
        {NULL, "", false},
        {NULL, "/a", false},
        {NULL, "..", false},
        {NULL, "../a", false},
        {NULL, "a/../../b", false},
        {NULL, "a/..", false},
        {"m/", "m/a.png", true},
        {"../m/", "../m/a.png", true},
        {"", "a.png", true},
        {"m/", "m/../a.png", false},
        {"", "../a.png", false},
        {"", "/m/a.png", false},
        {"../m/", "../a.png", false},
        {"m/", "a.png", false},
        {"m/", "m/", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char *path = cases[i].path, *folder = cases[i].folder;
        assert_int_equal(folder ? pathIsBelow(path, folder) : pathStaysBelow(path), cases[i].below);
    }
}
