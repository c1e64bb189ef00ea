/* Splitting by a bone limit: no triangle is lost, limits hold, tables are correct, and parts are few. */

#include "surfaces.h"

static void destroySplit(void *made) {
    vkskinDestroySplit(made);
}

static VkskinSplit split(const TestSurface *surface, uint32_t maxBones) {
    VkskinSplit made = NULL;
    OK(vkskinSplitMesh(&surface->def, maxBones, &surface->run, &made));
    return own(made, destroySplit);
}

static VkskinSplitPart partOf(VkskinSplit made, uint32_t index) {
    VkskinSplitPart part;
    OK(vkskinGetSplitPart(made, index, &part));
    return part;
}

static uint32_t indexOf(const VkskinSplitPart *part, uint32_t i) {
    return part->wideIndices ? ((const uint32_t *)part->indices)[i] : ((const uint16_t *)part->indices)[i];
}

static uint32_t materialOf(const TestSurface *surface, uint32_t triangle) {
    return surface->def.materials != NULL ? surface->mesh->materials[triangle] : 0;
}

static void checkBones(const TestSurface *surface, const VkskinSplitPart *part, uint32_t maxBones) {
    assert_in_range(part->boneCount, 1, maxBones);
    for (uint32_t i = 0; i < part->boneCount; i++) {
        assert_true(part->bones[i] < surface->def.boneCount);
        assert_true(i == 0 || part->bones[i - 1] < part->bones[i]);
    }
}

/* Joints lead to the bones that the mesh names, every bone is led to, and vertices stand as the mesh's order has them. */
static void checkVertices(const TestSurface *surface, const VkskinSplitPart *part, const uint32_t *ranks) {
    const uint32_t each = surface->def.influencesPerVertex;
    bool *used = ownZeros(part->boneCount, sizeof *used);
    assert_true(part->vertexCount >= 1);
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        const uint32_t vertex = part->vertices[i];
        assert_true(vertex < surface->def.vertexCount);
        assert_true(i == 0 || ranks[part->vertices[i - 1]] < ranks[vertex]);
        for (uint32_t k = 0; k < each; k++) {
            const uint32_t joint = part->joints[(size_t)i * each + k];
            assert_true(joint < part->boneCount);
            if (surface->mesh->weights[(size_t)vertex * each + k] > 0.0f) {
                assert_int_equal(part->bones[joint], surface->mesh->joints16[(size_t)vertex * each + k]);
                used[joint] = true;
            } else {
                assert_int_equal(joint, 0);
            }
        }
    }
    for (uint32_t i = 0; i < part->boneCount; i++) {
        assert_true(used[i]);
    }
}

static void checkRanges(const VkskinSplitPart *part) {
    uint32_t next = 0;
    assert_true(part->rangeCount >= 1);
    for (uint32_t i = 0; i < part->rangeCount; i++) {
        const VkskinSplitRange *range = &part->ranges[i];
        assert_true(i == 0 || part->ranges[i - 1].material < range->material);
        assert_int_equal(range->firstIndex, next);
        assert_true(range->indexCount >= 3 && range->indexCount % 3 == 0);
        next += range->indexCount;
    }
    assert_int_equal(next, part->indexCount);
}

/* Every triangle of the part is one of the mesh's that no part had yet: same corners from the same one on, same
 * material, and later in the mesh than the one before it in its range. */
static void checkTriangles(const TestSurface *surface, const VkskinSplitPart *part, bool *taken) {
    bool *used = ownZeros(part->vertexCount, sizeof *used);
    for (uint32_t r = 0; r < part->rangeCount; r++) {
        const VkskinSplitRange *range = &part->ranges[r];
        uint32_t triangle = 0;
        for (uint32_t i = range->firstIndex; i < range->firstIndex + range->indexCount; i += 3) {
            uint32_t corners[3];
            for (uint32_t k = 0; k < 3; k++) {
                assert_true(indexOf(part, i + k) < part->vertexCount);
                used[indexOf(part, i + k)] = true;
                corners[k] = part->vertices[indexOf(part, i + k)];
            }
            for (;; triangle++) {
                assert_true(triangle < surface->def.indexCount / 3);
                if (!taken[triangle] && materialOf(surface, triangle) == range->material &&
                    memcmp(corners, surface->mesh->indices + 3 * (size_t)triangle, sizeof corners) == 0) {
                    break;
                }
            }
            taken[triangle++] = true;
        }
    }
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        assert_true(used[i]);
    }
}

/* How many vertices all parts have together; all that is promised of them holds. */
static uint32_t checkSplit(const TestSurface *surface, VkskinSplit made, uint32_t maxBones) {
    const uint32_t vertexCount = surface->def.vertexCount;
    const uint32_t triangleCount = surface->def.indexCount / 3;
    uint32_t *order = ownZeros(vertexCount, sizeof *order);
    uint32_t *ranks = ownZeros(vertexCount, sizeof *ranks);
    bool *taken = ownZeros(triangleCount, sizeof *taken);
    uint32_t together = 0;
    OK(vkskinSortVertices(&surface->def, &surface->run, order));
    for (uint32_t i = 0; i < vertexCount; i++) {
        ranks[order[i]] = i;
    }
    for (uint32_t i = 0; i < vkskinGetSplitPartCount(made); i++) {
        const VkskinSplitPart part = partOf(made, i);
        assert_int_equal(part.wideIndices, part.vertexCount > 65535);
        checkBones(surface, &part, maxBones);
        checkVertices(surface, &part, ranks);
        checkRanges(&part);
        checkTriangles(surface, &part, taken);
        together += part.vertexCount;
    }
    for (uint32_t triangle = 0; triangle < triangleCount; triangle++) {
        assert_true(taken[triangle]);
    }
    return together;
}

/* In that many parts, with that many vertices together. */
static void assertSplit(const TestSurface *surface, uint32_t maxBones, uint32_t parts, uint32_t vertices) {
    VkskinSplit made = split(surface, maxBones);
    assert_int_equal(vkskinGetSplitPartCount(made), parts);
    assert_int_equal(checkSplit(surface, made, maxBones), vertices);
}

OWNING_TEST(keepsEveryTriangle) {
    static const uint32_t influences[] = {1, 3, 4, 6};
    for (uint32_t i = 0; i < 4; i++) {
        TestSurface *surface = randomSurface(30 + i, 400, 40, influences[i]);
        surface->def.materials = i == 1 ? NULL : surface->mesh->materials;
        for (uint32_t maxBones = 18; maxBones <= 64; maxBones += 11) {
            VkskinSplit made = split(surface, maxBones);
            checkSplit(surface, made, maxBones);
            assert_true(maxBones < 40 ? vkskinGetSplitPartCount(made) > 1 : vkskinGetSplitPartCount(made) == 1);
        }
    }
}

/* The limit is the bones of one triangle: each part is one distinct set of bones. */
OWNING_TEST(leastLimit) {
    TestSurface *surface = randomSurface(40, 200, 20, 1);
    surface->def.boneCount = 1000; /* most of them move no vertex */
    checkSplit(surface, split(surface, 3), 3);
}

/* A chain of 12 bones: 11 intervals of 2 bones. A part of 4 bones takes 3 intervals. Cut at 3 rings. */
OWNING_TEST(chainIsCutAtBones) {
    enum { RINGS = 4, SEGMENTS = 6 };
    TestSurface *tube = tubeSurface(12, RINGS, SEGMENTS);
    assertSplit(tube, 4, 4, tube->def.vertexCount + 3 * SEGMENTS);
    assertSplit(tube, 12, 1, tube->def.vertexCount);
}

/*
 * A triangle of bones 0, 1, 2, 5 and one of 3, 4, 2, 5: with a limit of 4 they are two parts, and both have the bones 2
 * and 5. Vertices 1 and 2 of the first, and 4 and 5 of the second, are of bone 2 and 5 alone.
 */
static TestSurface *twoParts(uint32_t vertexCount, uint32_t triangleCount) {
    static const uint16_t bones[6][2] = {{0, 1}, {2, 2}, {5, 5}, {3, 4}, {2, 2}, {5, 5}};
    TestSurface *surface = makeSurface(vertexCount, 6, 2, triangleCount);
    for (uint32_t vertex = 0; vertex < 6; vertex++) {
        meshSetInfluence(surface->mesh, vertex, 0, bones[vertex][0], 0.5f);
        meshSetInfluence(surface->mesh, vertex, 1, bones[vertex][1], 0.5f);
    }
    meshSetTriangle(surface->mesh, 0, 0, 1, 2);
    meshSetTriangle(surface->mesh, 1, 3, 4, 5);
    return surface;
}

/* The first part takes all of bones 2 and 5, although half of them belongs to the other part. */
OWNING_TEST(setsGoWhereTheirNeighboursAre) {
    TestSurface *surface = twoParts(12, 6);
    for (uint32_t vertex = 6; vertex < 12; vertex++) {
        meshSetInfluence(surface->mesh, vertex, 0, vertex < 9 ? 2 : 5, 1.0f);
    }
    meshSetTriangle(surface->mesh, 2, 4, 6, 7); /* bone 2, on the second part */
    meshSetTriangle(surface->mesh, 3, 6, 7, 8);
    meshSetTriangle(surface->mesh, 4, 2, 9, 10); /* bone 5, on the first part */
    meshSetTriangle(surface->mesh, 5, 9, 10, 11);
    assertSplit(surface, 4, 2, 12);
}

/* One triangle of bone 2 hangs on each part: together they are wrong in either. */
OWNING_TEST(trianglesGoWhereTheirNeighboursAre) {
    TestSurface *surface = twoParts(10, 4);
    for (uint32_t vertex = 6; vertex < 10; vertex++) {
        meshSetInfluence(surface->mesh, vertex, 0, 2, 1.0f);
    }
    meshSetTriangle(surface->mesh, 2, 1, 6, 7);
    meshSetTriangle(surface->mesh, 3, 4, 8, 9);
    assertSplit(surface, 4, 2, 10);
}

/* What the search came to when it was written; more parts, or a tenth more vertices in two of them, is a step back. */
OWNING_TEST(partsStayFew) {
    static const struct { uint32_t maxBones, parts, doubled; } known[] = {{10, 15, 236}, {16, 6, 105}, {24, 4, 62}};
    TestSurface *surface = randomSurface(50, 1200, 60, 2);
    bool *used = ownZeros(1200, sizeof *used);
    uint32_t usedCount = 0;
    for (uint32_t i = 0; i < surface->def.indexCount; i++) {
        usedCount += !used[surface->mesh->indices[i]];
        used[surface->mesh->indices[i]] = true;
    }
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        VkskinSplit made = split(surface, known[i].maxBones);
        const uint32_t doubled = checkSplit(surface, made, known[i].maxBones) - usedCount;
        assert_true(vkskinGetSplitPartCount(made) <= known[i].parts);
        assert_true(doubled <= known[i].doubled + known[i].doubled / 10);
    }
}

/* The index 0xffff, which may restart a strip, is of no part of 16-bit indices. */
OWNING_TEST(indicesAreAsWideAsTheyMustBe) {
    for (uint32_t vertexCount = 65535; vertexCount <= 65536; vertexCount++) {
        TestSurface *strip = makeSurface(vertexCount, 1, 1, vertexCount - 2);
        for (uint32_t vertex = 0; vertex < vertexCount; vertex++) {
            meshSetInfluence(strip->mesh, vertex, 0, 0, 1.0f);
        }
        for (uint32_t triangle = 0; triangle < vertexCount - 2; triangle++) {
            meshSetTriangle(strip->mesh, triangle, triangle, triangle + 1, triangle + 2);
        }
        VkskinSplit made = split(strip, 1);
        assert_int_equal(vkskinGetSplitPartCount(made), 1);
        assert_int_equal(partOf(made, 0).wideIndices, vertexCount == 65536);
        checkSplit(strip, made, 1);
    }
}

OWNING_TEST(refusesALimitBelowATriangle) {
    TestSurface *surface = twoParts(6, 2);
    VkskinSplit made = (VkskinSplit)(uintptr_t)8;
    meshSetInfluence(surface->mesh, 0, 1, 0, 0.5f); /* which leaves triangle 0 three bones */
    RETURNS(VKSKIN_ERROR_BONE_LIMIT, vkskinSplitMesh(&surface->def, 3, &surface->run, &made));
    assert_null(made);
    assertLogged(&surface->log, VKSKIN_ERROR_BONE_LIMIT,
                 "mesh test: triangle 1 is moved by 4 bones, a part may have 3");
}

static VkskinResult splitAll(TestSurface *surface) {
    VkskinSplit made = (VkskinSplit)(uintptr_t)8;
    const VkskinResult result = vkskinSplitMesh(&surface->def, 20, &surface->run, &made);
    assert_int_equal(result == VKSKIN_SUCCESS, made != NULL);
    vkskinDestroySplit(made);
    return result;
}

OWNING_TEST(cancelled) {
    assert_true(cancelEverywhere(randomSurface(60, 150, 30, 3), splitAll) > 2);
}

OWNING_TEST(getters) {
    TestSurface *tube = tubeSurface(3, 2, 3);
    VkskinSplit made = split(tube, 2);
    VkskinSplitPart part;
    assert_int_equal(vkskinGetSplitPartCount(made), 2);
    OK(vkskinGetSplitPart(made, 1, &part));
    RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinGetSplitPart(made, 2, &part));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetSplitPart(made, 0, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetSplitPart(NULL, 0, &part));
    assert_int_equal(vkskinGetSplitPartCount(NULL), 0);
    assert_int_equal(tube->log.count, 0);
    vkskinDestroySplit(NULL);
}
