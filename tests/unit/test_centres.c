/* Centres of rotation: by hand, by the definition written out; threads, progress, stored bytes. */
#include "centres.h"
#include "surfaces.h"

/* The surface as the library reads it. */
static VkskinResult match(const TestSurface *surface, const unsigned char *centres, size_t size) {
    const Surface read = sknSurface(&surface->def, &surface->run);
    return sknMatchCentres(&read, centres, size);
}

static unsigned char *compute(const TestSurface *surface) {
    const size_t size = vkskinCentresSize(surface->def.vertexCount);
    unsigned char *centres = ownZeros(1, size);
    OK(vkskinComputeCentres(&surface->def, &surface->run, centres, size));
    return centres;
}

static void expectCentre(const unsigned char *centres, uint32_t vertex, const double *expected, double tolerance) {
    float centre[3];
    sknReadCentre(centres, vertex, centre);
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs((double)centre[axis] - expected[axis]) <= tolerance)) {
            fail_msg("vertex %u, axis %d: %.9g is not %.9g within %g", vertex, axis, (double)centre[axis],
                     expected[axis], tolerance);
        }
    }
}

/* Triangle 0 of vertices 0 to 2 with the centre (1, 1, 0) and area 4.5, triangle 1 of 3 to 5 about (10, 1, 0). */
static TestSurface *twoTriangles(void) {
    TestSurface *surface = makeSurface(6, 3, 2, 2);
    meshSetPosition(surface->mesh, 1, 3.0f, 0.0f, 0.0f);
    meshSetPosition(surface->mesh, 2, 0.0f, 3.0f, 0.0f);
    meshSetPosition(surface->mesh, 3, 9.0f, 0.0f, 0.0f);
    meshSetPosition(surface->mesh, 4, 12.0f, 0.0f, 0.0f);
    meshSetPosition(surface->mesh, 5, 9.0f, 3.0f, 0.0f);
    meshSetTriangle(surface->mesh, 0, 0, 1, 2);
    meshSetTriangle(surface->mesh, 1, 3, 4, 5);
    return surface;
}

static void setWeights(TestSurface *surface, uint32_t firstVertex, uint16_t a, float weightA, uint16_t b,
                       float weightB) {
    for (uint32_t vertex = firstVertex; vertex < firstVertex + 3; vertex++) {
        meshSetInfluence(surface->mesh, vertex, 0, a, weightA);
        meshSetInfluence(surface->mesh, vertex, 1, b, weightB);
    }
}

/* (0.5 * 0.4 - 0.5 * 0.6) / 0.1 is 1: the other triangle counts by a factor of e. */
OWNING_TEST(weightedByLikeness) {
    TestSurface *surface = twoTriangles();
    setWeights(surface, 0, 0, 0.5f, 1, 0.5f);
    setWeights(surface, 3, 0, 0.6f, 1, 0.4f);
    unsigned char *centres = compute(surface);
    const double own = 0.25 * 0.25;
    const double other = 0.25 * 0.24 * exp(-1.0);
    expectCentre(centres, 0, (const double[3]){(own * 1.0 + other * 10.0) / (own + other), 1.0, 0.0}, 1e-6);
    const double otherOwn = 0.24 * 0.24;
    expectCentre(centres, 3, (const double[3]){(other * 1.0 + otherOwn * 10.0) / (other + otherOwn), 1.0, 0.0}, 1e-6);
}

static void expectOwnPositions(const TestSurface *surface) {
    unsigned char *centres = compute(surface);
    for (uint32_t vertex = 0; vertex < surface->def.vertexCount; vertex++) {
        const float *position = surface->mesh->positions + 3 * (size_t)vertex;
        expectCentre(centres, vertex, (const double[3]){position[0], position[1], position[2]}, 0.0);
    }
}

OWNING_TEST(ownPositions) {
    TestSurface *surface = twoTriangles(); /* no weights at all */
    expectOwnPositions(surface);
    setWeights(surface, 0, 2, 0.5f, 1, 0.0f); /* one influence */
    expectOwnPositions(surface);
    for (uint32_t vertex = 0; vertex < 6; vertex++) { /* two bones, and no triangle that has both and an area */
        meshSetInfluence(surface->mesh, vertex, 0, 0, 0.5f);
        meshSetInfluence(surface->mesh, vertex, 1, 1, 0.5f);
    }
    meshSetTriangle(surface->mesh, 0, 0, 1, 1);
    meshSetTriangle(surface->mesh, 1, 4, 4, 4);
    expectOwnPositions(surface);
}

/* ---- Equation 1 as it stands, over all triangles and all pairs of bones ---- */

static void denseWeights(const TestSurface *surface, uint32_t vertex, double *weights) {
    const uint32_t each = surface->def.influencesPerVertex;
    double sum = 0.0;
    memset(weights, 0, surface->def.boneCount * sizeof *weights);
    for (size_t i = (size_t)vertex * each; i < (size_t)(vertex + 1) * each; i++) {
        weights[surface->mesh->joints16[i]] += (double)surface->mesh->weights[i];
        sum += (double)surface->mesh->weights[i];
    }
    for (uint32_t bone = 0; bone < surface->def.boneCount; bone++) {
        weights[bone] /= sum;
    }
}

static double likeness(const double *p, const double *t, uint32_t boneCount) {
    double sum = 0.0;
    for (uint32_t j = 0; j < boneCount; j++) {
        for (uint32_t k = 0; k < boneCount; k++) {
            double d = (p[j] * t[k] - p[k] * t[j]) / 0.1;
            sum += j != k ? p[j] * p[k] * t[j] * t[k] * exp(-d * d) : 0.0;
        }
    }
    return sum;
}

static double areaOf(const float *a, const float *b, const float *c) {
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        v[i] = (double)c[i] - (double)a[i];
    }
    double x = u[1] * v[2] - u[2] * v[1];
    double y = u[2] * v[0] - u[0] * v[2];
    double z = u[0] * v[1] - u[1] * v[0];
    return 0.5 * sqrt(x * x + y * y + z * z);
}

/* False where the vertex has no centre. */
static bool centreByEquation(const TestSurface *surface, uint32_t vertex, double *centre) {
    enum { MOST_BONES = 16 };
    const uint32_t boneCount = surface->def.boneCount;
    double p[MOST_BONES], corner[MOST_BONES], t[MOST_BONES];
    double weight = 0.0;
    double sum[3] = {0};
    denseWeights(surface, vertex, p);
    for (uint32_t triangle = 0; triangle < surface->def.indexCount / 3; triangle++) {
        const uint32_t *corners = surface->mesh->indices + 3 * (size_t)triangle;
        const float *at[3];
        memset(t, 0, sizeof t);
        for (int i = 0; i < 3; i++) {
            at[i] = surface->mesh->positions + 3 * (size_t)corners[i];
            denseWeights(surface, corners[i], corner);
            for (uint32_t bone = 0; bone < boneCount; bone++) {
                t[bone] += corner[bone] / 3.0;
            }
        }
        double share = likeness(p, t, boneCount) * areaOf(at[0], at[1], at[2]);
        weight += share;
        for (int axis = 0; axis < 3; axis++) {
            sum[axis] += share * ((double)at[0][axis] + (double)at[1][axis] + (double)at[2][axis]) / 3.0;
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        centre[axis] = sum[axis] / weight;
    }
    return weight > 0.0;
}

OWNING_TEST(agreesWithTheEquation) {
    static const uint32_t influences[] = {2, 4, 9};
    for (uint32_t i = 0; i < 3; i++) {
        TestSurface *surface = randomSurface(20 + i, 60, 11, influences[i]);
        unsigned char *centres = compute(surface);
        uint32_t compared = 0;
        for (uint32_t vertex = 0; vertex < 60; vertex++) {
            double expected[3];
            if (centreByEquation(surface, vertex, expected)) {
                expectCentre(centres, vertex, expected, 2e-6); /* the mesh is 1 wide; weights are floats */
                compared++;
            }
        }
        assert_true(compared > 20);
    }
}

/* ---- Threads and progress ---- */

OWNING_TEST(threadsChangeNothing) {
    TestSurface *surface = randomSurface(5, 3000, 40, 4);
    ProgressMemory progress;
    watchProgress(surface, &progress);
    unsigned char *alone = compute(surface);
    assert_true(progress.calls > 2);
    assert_float_equal(progress.first, 0.0f, 0.0f);
    assert_float_equal(progress.last, 1.0f, 0.0f);
    watchProgress(surface, &progress);
    Crew crew = {.threads = 4};
    surface->run.parallel = lendCrew;
    surface->run.parallelUser = &crew;
    unsigned char *together = compute(surface);
    assert_true(progress.calls > 2);
    assert_memory_equal(alone, together, vkskinCentresSize(3000));
}

/* Before the first centre is computed, too: many influences have very many pairs of bones. */
OWNING_TEST(tellsProgressFromTheBeginning) {
    TestSurface *surface = randomSurface(7, 400, 60, 48);
    for (uint32_t i = 0; i < 400 * 48; i++) {
        meshSetInfluence(surface->mesh, i / 48, i % 48, (uint16_t)(i % 60), 1.0f);
    }
    const size_t size = vkskinCentresSize(400);
    unsigned char *centres = ownZeros(1, size);
    ProgressMemory progress;
    for (uint32_t stop = 2; stop <= 4; stop++) {
        watchProgress(surface, &progress);
        progress.stopAt = stop;
        RETURNS(VKSKIN_ERROR_CANCELLED, vkskinComputeCentres(&surface->def, &surface->run, centres, size));
        assert_true(progress.last > 0.0f && progress.last < 0.1f);
    }
}

static VkskinResult computeAll(TestSurface *surface) {
    static unsigned char centres[32 + 12 * 1500], untouched[32 + 12 * 1500];
    memset(centres, 0, sizeof centres);
    const VkskinResult result = vkskinComputeCentres(&surface->def, &surface->run, centres, sizeof centres);
    assert_true(result == VKSKIN_SUCCESS || memcmp(centres, untouched, sizeof centres) == 0);
    return result;
}

OWNING_TEST(cancelled) {
    cancelEverywhere(randomSurface(6, 1500, 20, 3), computeAll);
}

/* ---- Stored and given back ---- */

OWNING_TEST(storedAnywhere) {
    TestSurface *surface = randomSurface(7, 50, 9, 3);
    const size_t size = vkskinCentresSize(50);
    assert_int_equal(size, 32 + 12 * 50);
    unsigned char *centres = compute(surface);
    unsigned char *stored = ownZeros(1, size + 1);
    memcpy(stored + 1, centres, size); /* aligned to nothing */
    OK(match(surface, stored + 1, size));
    for (uint32_t vertex = 0; vertex < 50; vertex++) {
        float centre[3];
        sknReadCentre(stored + 1, vertex, centre);
        assert_memory_equal(centre, centres + 32 + 12 * (size_t)vertex, sizeof centre);
    }
}

static void refuse(TestSurface *surface, const unsigned char *centres, size_t size, const char *why) {
    char message[200];
    snprintf(message, sizeof message, "mesh test: the centres of rotation %s", why);
    RETURNS(VKSKIN_ERROR_CENTRES_MISMATCH, match(surface, centres, size));
    assertLogged(&surface->log, VKSKIN_ERROR_CENTRES_MISMATCH, message);
}

OWNING_TEST(refusedForOtherMeshes) {
    TestSurface *surface = randomSurface(8, 40, 9, 3);
    const size_t size = vkskinCentresSize(40);
    unsigned char *centres = compute(surface);
    surface->mesh->positions[3 * 39 + 2] += 0.001f;
    refuse(surface, centres, size, "were computed for other positions");
    surface->mesh->positions[3 * 39 + 2] -= 0.001f;
    OK(match(surface, centres, size));
    surface->mesh->weights[0] *= 2.0f;
    refuse(surface, centres, size, "were computed for other joints or weights");
    surface->mesh->weights[0] *= 0.5f;
    surface->mesh->joints16[0] ^= 1;
    refuse(surface, centres, size, "were computed for other joints or weights");
    surface->mesh->joints16[0] ^= 1;
    uint32_t unused = 0;
    while (surface->mesh->weights[unused] > 0.0f) {
        unused++;
    }
    surface->mesh->joints16[unused] ^= 1; /* it has no weight */
    OK(match(surface, centres, size));
    surface->def.vertexCount = 39;
    refuse(surface, centres, size, "have another size than vkskinCentresSize returns");
    refuse(surface, centres, vkskinCentresSize(39), "are of another number of vertices");
}

/* The same influences in the same order, one of them with the next vertex. */
OWNING_TEST(refusedWhereAnInfluenceMoved) {
    TestSurface *surface = makeSurface(3, 4, 3, 1);
    meshSetInfluence(surface->mesh, 0, 0, 0, 0.5f);
    meshSetInfluence(surface->mesh, 0, 1, 1, 0.5f);
    meshSetInfluence(surface->mesh, 1, 2, 2, 1.0f);
    meshSetInfluence(surface->mesh, 2, 0, 3, 1.0f);
    unsigned char *centres = compute(surface);
    meshSetInfluence(surface->mesh, 0, 1, 0, 0.0f);
    meshSetInfluence(surface->mesh, 1, 1, 1, 0.5f);
    refuse(surface, centres, vkskinCentresSize(3), "were computed for other joints or weights");
}

OWNING_TEST(refusedWhereSpoilt) {
    static const struct {
        size_t byte;
        const char *why;
    } bytes[] = {
        {0, "are not what vkskinComputeCentres writes"},
        {8, "are of another version of the library, or of a machine of another byte order"},
        {12, "are of another number of vertices"},
        {16, "were computed for other positions"},
        {31, "were computed for other joints or weights"},
    };
    TestSurface *surface = randomSurface(9, 40, 9, 3);
    const size_t size = vkskinCentresSize(40);
    unsigned char *centres = compute(surface);
    for (size_t i = 0; i < COUNT_OF(bytes); i++) {
        centres[bytes[i].byte] ^= 0x40;
        refuse(surface, centres, size, bytes[i].why);
        centres[bytes[i].byte] ^= 0x40;
    }
    const float infinite = INFINITY;
    memcpy(centres + size - sizeof infinite, &infinite, sizeof infinite);
    refuse(surface, centres, size, "are not all finite");
}
