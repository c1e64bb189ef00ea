/*
 * blend.c against the portable code of lanes.c: every run size, influence count, format and instruction level, past the
 * caches or not, at any alignment, with bones that a block shares, partly shares or does not share.
 */

#include <math.h>

#include "cpu_run.h"
#include "methods.h"
#include "random.h"
#include "test.h"

#define BONES     64u
#define MOST      200u /* maximum number of vertices */
#define PLACES    6u   /* maximum influences */
#define INSTANCES 3u
#define GUARD     16u /* words before and after all that is written */
#define POISON    0x7fa5a5a5u

/* How the vertices of a mesh share bones. */
typedef enum Bones { BONES_ALIKE, BONES_NEAR, BONES_APART } Bones;

typedef struct Source {
    float positions[MOST * 3], normals[MOST * 3], tangents[MOST * 4], weights[MOST * PLACES];
    uint32_t joints[MOST * PLACES];
} Source;

typedef struct Shape {
    uint32_t vertices, influences, attributes;
    Bones bones;
    VkskinVertexFormat format;
    VkskinNormals normals;
} Shape;

static void fillSource(const Shape *shape, Source *source) {
    Random random = {shape->vertices * 8 + shape->influences};
    for (uint32_t v = 0; v < shape->vertices; v++) {
        for (uint32_t i = 0; i < 3; i++) {
            source->positions[3 * v + i] = randomFloat(&random, -1.0f, 1.0f);
        }
        randomDirection(&random, source->normals + 3 * (size_t)v);
        randomDirection(&random, source->tangents + 4 * (size_t)v);
        source->tangents[4 * v + 3] = v % 3 == 0 ? -1.0f : 1.0f;
        uint32_t near = shape->bones == BONES_NEAR ? v % 3 / 2 : 0;
        uint32_t most = shape->bones == BONES_NEAR ? 3 : PLACES; /* then some vertices name a bone twice */
        for (uint32_t i = 0; i < shape->influences; i++) {
            size_t at = (size_t)v * shape->influences + i;
            source->joints[at] = shape->bones == BONES_APART ? (v * 5 + i * 11) % BONES : 7 + near + i % most;
            source->weights[at] = randomFloat(&random, 0.1f, 1.0f);
        }
    }
}

static CpuMesh *makeMesh(const Shape *shape, const Source *source) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = shape->vertices;
    def.boneCount = BONES;
    def.positions = source->positions;
    def.normals = shape->attributes > 0 ? source->normals : NULL;
    def.tangents = shape->attributes == 2 ? source->tangents : NULL;
    def.influencesPerVertex = shape->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = source->joints;
    def.weights = source->weights;
    def.format = shape->format;
    def.normalRule = shape->normals;
    const Host host = {.allocator = NULL};
    CpuMesh *mesh;
    assert_true(sknMakeCpuMesh(&host, &def, &mesh) >= 0);
    assert_int_equal(mesh->runCount, 1);
    return mesh;
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
    output.memory = aligned_alloc(64, (4 * output.words + 63) / 64 * 64);
    assert_non_null(output.memory);
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

static void unpack(int32_t x, int32_t y, double yMost, double v[3]) {
    v[0] = x / 32767.0;
    v[1] = y / yMost;
    v[2] = 1.0 - fabs(v[0]) - fabs(v[1]);
    double fold = v[2] < 0.0 ? -v[2] : 0.0;
    v[0] += v[0] >= 0.0 ? -fold : fold;
    v[1] += v[1] >= 0.0 ? -fold : fold;
}

static void assertWordsNear(uint32_t a, uint32_t b, bool tangent) {
    double u[3], v[3];
    int32_t shift = tangent ? 1 : 0;
    unpack((int16_t)a, (int32_t)(a << shift) >> (16 + shift), tangent ? 16383.0 : 32767.0, u);
    unpack((int16_t)b, (int32_t)(b << shift) >> (16 + shift), tangent ? 16383.0 : 32767.0, v);
    assert_true(!tangent || a >> 31 == b >> 31);
    for (int i = 0; i < 3; i++) {
        assert_true(fabs(u[i] - v[i]) < 2e-4); /* a step of either word */
    }
}

static double largestOf(const float *palette) {
    double largest = 1.0;
    for (uint32_t i = 0; i < BONES * 12; i++) {
        largest = fabs((double)palette[i]) > largest ? fabs((double)palette[i]) : largest;
    }
    return largest;
}

static void assertAlike(const CpuMesh *mesh, const CpuTarget *a, const CpuTarget *b) {
    double size = 4.0 * largestOf(a->command->palette);
    for (uint32_t i = 0; i < 3 * mesh->info.vertexCount; i++) {
        assertNear((double)a->positions[i], (double)b->positions[i], size);
    }
    for (uint32_t i = 0; i < mesh->attributeWords * mesh->info.vertexCount; i++) {
        if (mesh->info.format == VKSKIN_VERTEX_PACKED) {
            assertWordsNear(a->attributes[i], b->attributes[i], mesh->info.hasTangents && i % 2 == 1);
            continue;
        }
        float values[2];
        memcpy(&values[0], a->attributes + i, 4);
        memcpy(&values[1], b->attributes + i, 4);
        assertNear((double)values[0], (double)values[1], 1.0);
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
        free(fast.memory);
    }
    free(plain.memory);
}

static void compare(const Shape *shape, bool extreme, uint32_t shift) {
    static Source source;
    static float palettes[INSTANCES][BONES * 12];
    CpuCommand commands[INSTANCES];
    fillSource(shape, &source);
    CpuMesh *mesh = makeMesh(shape, &source);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        fillPalette(palettes[i], extreme ? i + 1 : 0);
        uint32_t pair = sknFindMethodPair(VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4);
        commands[i] = (CpuCommand){.palette = palettes[i], .pair = pair};
    }
    for (VkskinCpuLevel level = VKSKIN_CPU_AVX2; level <= vkskinGetCpuLevel(); level++) {
        compareRuns(mesh, commands, level, shift);
    }
    sknFreeCpuMesh(mesh);
}

TEST(everySize) {
    for (uint32_t vertices = 1; vertices <= MOST; vertices += vertices < 40 ? 1 : 9) {
        for (uint32_t attributes = 0; attributes < 3; attributes++) {
            Shape shape = {vertices, vertices % 4 + 1, attributes, BONES_NEAR, vertices % 2, VKSKIN_NORMALS_CHEAP};
            compare(&shape, false, vertices % 5 == 0 ? 1 : 0);
            shape.format = 1 - shape.format;
            compare(&shape, false, 0);
        }
    }
}

TEST(everyBlend) {
    for (uint32_t influences = 1; influences <= PLACES; influences++) {
        for (Bones bones = BONES_ALIKE; bones <= BONES_APART; bones++) {
            for (uint32_t kind = 0; kind < 4; kind++) {
                Shape shape = {100, influences, 2, bones, kind % 2, (VkskinNormals)(kind / 2)};
                compare(&shape, false, 0);
            }
        }
    }
}

TEST(everyAlignment) {
    for (uint32_t shift = 0; shift < 16; shift++) {
        Shape shape = {64, 2, shift % 3, BONES_ALIKE, shift / 8 % 2, VKSKIN_NORMALS_CHEAP};
        compare(&shape, false, shift);
    }
}

/* One bone per vertex, so that each size appears alone. */
TEST(extremeSizes) {
    for (uint32_t kind = 0; kind < 4; kind++) {
        Shape shape = {MOST, 1, 2, kind / 2 == 0 ? BONES_APART : BONES_NEAR, kind % 2, VKSKIN_NORMALS_CHEAP};
        compare(&shape, true, 0);
    }
}

/* A NaN in the bone of a neighbour does not reach a vertex. */
TEST(foreignNan) {
    static Source source;
    static float palette[BONES * 12];
    Shape shape = {48, 1, 2, BONES_NEAR, VKSKIN_VERTEX_FLOAT, VKSKIN_NORMALS_CHEAP};
    fillSource(&shape, &source);
    CpuMesh *mesh = makeMesh(&shape, &source);
    fillPalette(palette, 0);
    for (uint32_t e = 0; e < 12; e++) {
        palette[8 * 12 + e] = NAN; /* the bone of every third vertex */
    }
    uint32_t pair = sknFindMethodPair(VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4);
    CpuCommand commands[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        commands[i] = (CpuCommand){.palette = palette, .pair = pair};
    }
    for (VkskinCpuLevel level = VKSKIN_CPU_AVX2; level <= vkskinGetCpuLevel(); level++) {
        Output output = makeOutput(mesh, commands, 0);
        CpuRunWork work = {mesh, &mesh->runs[0], output.targets, INSTANCES, false};
        sknFindFastRun(level, &work)(&work);
        for (uint32_t v = 0; v < shape.vertices; v++) {
            assert_int_equal(isnan(output.targets[0].positions[3 * v]) != 0, v % 3 == 2);
        }
        free(output.memory);
    }
    sknFreeCpuMesh(mesh);
}
