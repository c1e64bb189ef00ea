/*
 * blend.c and points.c against the portable code of lanes.c: every run size, influence count, format and instruction
 * level, past the caches or not, at any alignment, with bones that a block shares, partly shares or does not share.
 */
#include "cpu_run.h"
#include "cpu_scenes.h"
#include "methods.h"
#include "model_mesh.h"
#include "vertex_error.h"

#define BONES     64u
#define MOST      200u /* maximum number of vertices */
#define PLACES    6u   /* maximum influences */
#define INSTANCES 3u
#define GUARD     16u /* words before and after all that is written */
#define POISON    0x7fa5a5a5u

/* How the vertices of a mesh share bones. */
typedef enum Bones { BONES_ALIKE, BONES_NEAR, BONES_APART } Bones;

typedef struct Shape {
    uint32_t vertices, influences, attributes;
    Bones bones;
    VkskinVertexFormat format;
    VkskinNormals normals;
    bool points; /* flat, with a position per influence */
} Shape;

static void destroyMesh(void *mesh) {
    sknFreeCpuMesh(mesh);
}

static CpuMesh *makeMesh(const Shape *shape) {
    Random random = {shape->vertices * 8 + shape->influences};
    const RandomMeshDef source = {shape->vertices, BONES, shape->influences, .minInfluences = shape->influences};
    ModelMesh model = randomMesh(&random, &source);
    for (uint32_t v = 0; v < shape->vertices; v++) {
        uint32_t near = shape->bones == BONES_NEAR ? v % 3 / 2 : 0;
        for (uint32_t i = 0; i < shape->influences; i++) {
            size_t at = (size_t)v * shape->influences + i;
            /* The fourth influence names the first bone again. */
            model.joints[at] = shape->bones == BONES_APART ? (v * 5 + i * 11) % BONES : 7 + near + i % 3;
        }
    }
    VkskinMeshDef def = meshDefOfModel(&model);
    def.normals = shape->attributes > 0 ? model.normals : NULL;
    def.tangents = shape->attributes == 2 ? model.tangents : NULL;
    def.format = shape->format;
    def.normalRule = shape->normals;
    if (shape->points) {
        float *points = ownZeros((size_t)shape->vertices * shape->influences, 2 * sizeof *points);
        for (size_t i = 0; i < (size_t)2 * shape->vertices * shape->influences; i++) {
            points[i] = randomFloat(&random, -1.0f, 1.0f);
        }
        def.dimensions = 2;
        def.positions = NULL;
        def.influencePositions = points;
    }
    const Host host = {.allocator = NULL};
    CpuMesh *mesh;
    assert_true(sknMakeCpuMesh(&host, &def, 16, &mesh) >= 0);
    assert_int_equal(mesh->runCount, 1);
    randomMeshFree(&model);
    return own(mesh, destroyMesh);
}

/* Entries of all sizes: mirroring, zero, and with squares that underflow or overflow a float. */
static void fillPalette(float *palette, uint32_t seed) {
    static const float sizes[] = {1.0f, -1.0f, 1e-25f, 1.0f, 1e25f, 0.0f, 2.0f};
    Random random = {100 + (uint64_t)seed};
    for (uint32_t b = 0; b < BONES; b++) {
        float size = seed == 0 ? 1.0f : sizes[b % (COUNT_OF(sizes))];
        for (uint32_t e = 0; e < 12; e++) {
            palette[b * 12 + e] = size * randomFloat(&random, -1.0f, 1.0f);
        }
    }
}

/* Instances one after another, `shift` words past a cache line, between guards. */
typedef struct Output {
    uint32_t *memory;
    size_t words;
    CpuTarget targets[INSTANCES];
} Output;

static Output makeOutput(const CpuMesh *mesh, const CpuCommand *commands, uint32_t shift) {
    size_t positions = (size_t)mesh->positionWords * mesh->info.vertexCount;
    size_t attributes = (size_t)mesh->attributeWords * mesh->info.vertexCount;
    Output output = {.words = (positions + attributes + GUARD) * INSTANCES + shift + GUARD};
    output.memory = ownLines(4 * output.words);
    for (size_t i = 0; i < output.words; i++) {
        output.memory[i] = POISON;
    }
    uint32_t *at = output.memory + GUARD + shift;
    for (uint32_t i = 0; i < INSTANCES; i++) {
        output.targets[i] = (CpuTarget){&commands[i], (float *)(void *)at, attributes > 0 ? at + positions : NULL};
        at += positions + attributes + GUARD;
    }
    return output;
}

static void assertGuards(const Output *output, const Output *same) {
    for (size_t i = 0; i < output->words; i++) {
        assert_int_equal(output->memory[i] == POISON, same->memory[i] == POISON);
    }
}

/* ---- Comparison ---- */

static void assertNear(double a, double b, double size) {
    if (isnan(a) || isnan(b)) {
        assert_true(isnan(a) && isnan(b));
        return;
    }
    assert_true(a == b || fabs(a - b) <= 4e-6 * size);
}

static double largestOf(const float *palette) {
    double largest = 1.0;
    for (uint32_t i = 0; i < BONES * 12; i++) {
        largest = fabs((double)palette[i]) > largest ? fabs((double)palette[i]) : largest;
    }
    return largest;
}

static void assertAlike(const CpuMesh *mesh, const CpuTarget *a, const CpuTarget *b) {
    const VkskinOutput layout = {.positionStride = 4 * mesh->positionWords,
                                 .attributeOffset = 4 * (VkDeviceSize)mesh->positionWords * mesh->info.vertexCount,
                                 .attributeStride = 4 * mesh->attributeWords};
    const double size = 4.0 * largestOf(a->command->palette);
    static const double steps[VKSKIN_VERTEX_FORMAT_COUNT] = {100.0, 1.0,
                                                             500.0}; /* step of the word's bits, by format */
    const double step = steps[mesh->info.format];
    for (uint32_t vertex = 0; vertex < mesh->info.vertexCount; vertex++) {
        const ReadVertex u = readVertex(a->positions, 0, &layout, &mesh->info, vertex);
        const ReadVertex v = readVertex(b->positions, 0, &layout, &mesh->info, vertex);
        for (int i = 0; i < 3; i++) {
            assertNear((double)u.position[i], (double)v.position[i], size);
            assertNear(u.normal[i], v.normal[i], step);
            assertNear(u.tangent[i], v.tangent[i], step);
        }
        assert_true(u.tangent[3] == v.tangent[3]);
    }
}

/* ---- Tests ---- */

static void compareRuns(const CpuMesh *mesh, const CpuCommand *commands, VkskinCpuLevel level, uint32_t shift) {
    Output plain = makeOutput(mesh, commands, shift);
    CpuRunWork work = {mesh, &mesh->runs[0], plain.targets, INSTANCES, false};
    sknSkinRunPortable(&work);
    for (int stream = 0; stream < 2; stream++) {
        Output fast = makeOutput(mesh, commands, shift);
        work.targets = fast.targets;
        work.stream = stream == 1;
        CpuRunFn run = sknFindFastRun(level, &work);
        assert_non_null(run);
        run(&work);
        assertGuards(&plain, &fast);
        for (uint32_t i = 0; i < INSTANCES; i++) {
            assertAlike(mesh, &plain.targets[i], &fast.targets[i]);
        }
    }
}

static uint32_t pairOf(const Shape *shape) {
    return sknFindMethodPair(VKSKIN_METHOD_LINEAR_BLEND, shape->points ? VKSKIN_PALETTE_MAT2X3 : VKSKIN_PALETTE_MAT3X4);
}

static void compare(const Shape *shape, bool extreme, uint32_t shift) {
    static float palettes[INSTANCES][BONES * 12];
    CpuCommand commands[INSTANCES];
    CpuMesh *mesh = makeMesh(shape);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        fillPalette(palettes[i], extreme ? i + 1 : 0);
        commands[i] = (CpuCommand){.palette = palettes[i], .pair = pairOf(shape)};
    }
    for (VkskinCpuLevel level = VKSKIN_CPU_AVX2; level <= vkskinGetCpuLevel(); level++) {
        compareRuns(mesh, commands, level, shift);
    }
    destroyOwned(0);
}

OWNING_TEST(everySize) {
    for (uint32_t vertices = 1; vertices <= MOST; vertices += vertices < 40 ? 1 : 9) {
        for (uint32_t attributes = 0; attributes < 3; attributes++) {
            for (VkskinVertexFormat format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
                Shape shape = {vertices, vertices % 4 + 1, attributes, BONES_NEAR, format, VKSKIN_NORMALS_CHEAP, false};
                compare(&shape, false, vertices % 5 == 0 && format == vertices % 3 ? 1 : 0);
            }
        }
    }
}

OWNING_TEST(everyBlend) {
    for (uint32_t influences = 1; influences <= PLACES; influences++) {
        for (Bones bones = BONES_ALIKE; bones <= BONES_APART; bones++) {
            for (uint32_t kind = 0; kind < 2 * VKSKIN_VERTEX_FORMAT_COUNT; kind++) {
                Shape shape = {100, influences, 2, bones, kind / 2, (VkskinNormals)(kind % 2), false};
                compare(&shape, false, 0);
            }
        }
    }
}

OWNING_TEST(everyPoint) {
    for (uint32_t vertices = 1; vertices <= MOST; vertices += vertices < 40 ? 1 : 9) {
        for (Bones bones = BONES_ALIKE; bones <= BONES_APART; bones++) {
            Shape shape = {vertices, vertices % PLACES + 1, 0, bones, VKSKIN_VERTEX_FLOAT, VKSKIN_NORMALS_CHEAP, true};
            compare(&shape, false, vertices % 5 == 0 ? 1 : 0);
        }
    }
}

OWNING_TEST(everyAlignment) {
    for (uint32_t shift = 0; shift < 16; shift++) {
        Shape shape = {64,   2, shift % 3, BONES_ALIKE, shift / 3 % VKSKIN_VERTEX_FORMAT_COUNT, VKSKIN_NORMALS_CHEAP,
                       false};
        compare(&shape, false, shift);
    }
}

/* One bone per vertex, so that each size appears alone. */
OWNING_TEST(extremeSizes) {
    for (uint32_t kind = 0; kind < 2 * VKSKIN_VERTEX_FORMAT_COUNT; kind++) {
        Shape shape = {MOST, 1, 2, kind % 2 == 0 ? BONES_APART : BONES_NEAR, kind / 2, VKSKIN_NORMALS_CHEAP, false};
        compare(&shape, true, 0);
    }
}

/* A NaN in the bone of a neighbour does not reach a vertex. */
static void compareForeignNan(bool points) {
    static float palette[BONES * 12];
    Shape shape = {48, 1, points ? 0 : 2, BONES_NEAR, VKSKIN_VERTEX_FLOAT, VKSKIN_NORMALS_CHEAP, points};
    CpuMesh *mesh = makeMesh(&shape);
    const size_t entry = points ? 6 : 12;
    fillPalette(palette, 0);
    for (size_t e = 0; e < entry; e++) {
        palette[8 * entry + e] = NAN; /* the bone of every third vertex */
    }
    CpuCommand commands[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        commands[i] = (CpuCommand){.palette = palette, .pair = pairOf(&shape)};
    }
    for (VkskinCpuLevel level = VKSKIN_CPU_AVX2; level <= vkskinGetCpuLevel(); level++) {
        Output output = makeOutput(mesh, commands, 0);
        CpuRunWork work = {mesh, &mesh->runs[0], output.targets, INSTANCES, false};
        sknFindFastRun(level, &work)(&work);
        for (uint32_t v = 0; v < shape.vertices; v++) {
            assert_int_equal(isnan(output.targets[0].positions[mesh->positionWords * v]) != 0, v % 3 == 2);
        }
    }
}

OWNING_TEST(foreignNan) {
    compareForeignNan(false);
    compareForeignNan(true);
}

/* A sorted mesh has one run per part: its output needs no reordering. */
OWNING_TEST(sortedMeshesAreNotMixed) {
    const Host host = {.allocator = NULL};
    CpuMesh *mesh;
    OK(sknMakeCpuMesh(&host, &makeCpuScene(5000, SCENE_SORTED)->def, 16, &mesh));
    own(mesh, destroyMesh);
    assert_null(mesh->places);
    assert_int_equal(mesh->runCount, mesh->partCount);
    assert_int_equal(mesh->partCount, 5);
    for (uint32_t p = 0; p < mesh->partCount; p++) {
        assert_int_equal(mesh->parts[p].firstVertex % LANES, 0); /* whole cache lines of the output */
    }
    assert_true(mesh->info.sorted);
}
