/* vkskinSortVertices: by number of influences and then by bones, and an order that it leaves alone. That it is a
 * permutation, the conformance tests prove. */

#include "surfaces.h"

#define VERTICES 9

/* Vertices with a known order; each is a list of (joint, weight). */
static TestSurface *nine(void) {
    TestSurface *surface = makeSurface(VERTICES, 8, 6, 1);
    meshSetInfluence(surface->mesh, 0, 0, 5, 0.5f); /* 5 and 2 */
    meshSetInfluence(surface->mesh, 0, 3, 2, 0.5f);
    meshSetInfluence(surface->mesh, 1, 1, 7, 3.0f); /* 7 */
    for (uint16_t i = 0; i < 6; i++) {
        meshSetInfluence(surface->mesh, 2, i, i, 0.1f); /* 0 to 5 */
    }
    meshSetInfluence(surface->mesh, 3, 0, 2, 0.875f); /* 2 and 5, 5 by little */
    meshSetInfluence(surface->mesh, 3, 1, 5, 0.125f);
    meshSetInfluence(surface->mesh, 4, 0, 0, 1.0f); /* 0 */
    for (uint16_t i = 0; i < 5; i++) {
        meshSetInfluence(surface->mesh, 5, i, (uint16_t)(i + 1), 0.2f); /* 1 to 5 */
    }
    meshSetInfluence(surface->mesh, 6, 0, 1, 0.25f); /* 1 and 6 */
    meshSetInfluence(surface->mesh, 6, 1, 6, 0.75f);
    meshSetInfluence(surface->mesh, 7, 2, 7, 1.0f); /* 7; and vertex 8 has none */
    return surface;
}

/* By number of influences, then by bones, after trimming. */
OWNING_TEST(byCountThenBones) {
    static const struct {
        uint32_t maxInfluences;
        float minWeight;
        uint32_t order[VERTICES];
    } cases[] = {
        {0, 0.0f, {8, 4, 1, 7, 6, 0, 3, 5, 2}},
        {3,
         0.0f,
         {8, 4, 1, 7, 6, 0, 3, 2, 5}}, /* equal weights: the earlier ones stay, 0 to 2 of six, 1 to 3 of five */
        {1, 0.0f, {8, 2, 4, 5, 3, 0, 6, 1, 7}},
        {0, 0.15f, {8, 4, 3, 1, 7, 6, 0, 5, 2}}, /* 5 leaves vertex 3, where it has an eighth; a sixth of six is more */
    };
    TestSurface *surface = nine();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t order[VERTICES];
        surface->def.maxInfluences = cases[i].maxInfluences;
        surface->def.minWeight = cases[i].minWeight;
        OK(vkskinSortVertices(&surface->def, &surface->run, order));
        assert_memory_equal(order, cases[i].order, sizeof order);
    }
}

/* A thousandth is no unit of a byte, and one of 16 bits. */
OWNING_TEST(afterRounding) {
    static const struct {
        VkskinWeightFormat format;
        uint32_t second;
    } cases[] = {{VKSKIN_WEIGHTS_UNORM8, 4}, {VKSKIN_WEIGHTS_UNORM16, 1}, {VKSKIN_WEIGHTS_FLOAT, 1}};
    TestSurface *surface = nine();
    meshSetInfluence(surface->mesh, 4, 1, 7, 0.001f);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        uint32_t order[VERTICES];
        surface->def.weightFormat = cases[i].format;
        OK(vkskinSortVertices(&surface->def, &surface->run, order));
        assert_int_equal(order[0], 8);
        assert_int_equal(order[1], cases[i].second);
    }
}

/* Brings joints and weights into an order. */
static void applyOrder(TestSurface *surface, const uint32_t *order) {
    const uint32_t each = surface->def.influencesPerVertex;
    const size_t total = (size_t)surface->def.vertexCount * each;
    uint16_t *joints = ownZeros(1, total * sizeof *joints);
    float *weights = ownZeros(1, total * sizeof *weights);
    memcpy(joints, surface->mesh->joints16, total * sizeof *joints);
    memcpy(weights, surface->mesh->weights, total * sizeof *weights);
    for (uint32_t vertex = 0; vertex < surface->def.vertexCount; vertex++) {
        const size_t from = (size_t)order[vertex] * each;
        memcpy(surface->mesh->joints16 + (size_t)vertex * each, joints + from, each * sizeof *joints);
        memcpy(surface->mesh->weights + (size_t)vertex * each, weights + from, each * sizeof *weights);
    }
}

OWNING_TEST(sortedStaysSorted) {
    TestSurface *surface = randomSurface(12, 1500, 30, 5);
    uint32_t order[1500];
    bool moved = false;
    OK(vkskinSortVertices(&surface->def, &surface->run, order));
    for (uint32_t i = 0; i < 1500; i++) {
        moved = moved || order[i] != i;
    }
    assert_true(moved);
    applyOrder(surface, order);
    OK(vkskinSortVertices(&surface->def, &surface->run, order));
    for (uint32_t i = 0; i < 1500; i++) {
        assert_int_equal(order[i], i);
    }
}

/* Interleaved vertices need no strides of their own. */
TEST(interleavedVerticesAreSorted) {
    static const struct {
        float position[3], weights[2];
        uint16_t joints[2];
    } vertices[3] = {{{0}, {0.5f, 0.5f}, {0, 1}}, {{0}, {1, 0}, {1, 0}}, {{0}, {1, 0}, {0, 0}}};
    uint32_t order[3];
    VkskinMeshDef def = meshDefOf(3, 2, 2, vertices[0].position, vertices[0].joints, vertices[0].weights);
    def.vertices = vertices;
    def.vertexStride = sizeof vertices[0];
    OK(vkskinSortVertices(&def, NULL, order));
    assert_true(order[0] == 2 && order[1] == 1 && order[2] == 0);
}
