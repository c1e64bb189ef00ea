/*
 * The processor's cases, each run once: right output passes its check, output that was not written or is wrong does
 * not. The linker puts this file's functions between the cases and the library (--wrap), where they spoil results.
 */
#include "bench_case.h"
#include "scalar_loop.h"
#include "test.h"
#include "vkskin/vkskin_pose.h"

typedef enum Fault {
    FAULT_NONE,
    FAULT_VERTEX,   /* one vertex is off by a thousandth, in an instance that is checked whole */
    FAULT_INSTANCE, /* one instance in the midst has another's bones */
    FAULT_MISSING   /* the last instance is not skinned */
} Fault;

static Fault fault;

#define SPOILT_VERTEX   7u
#define SPOILT_INSTANCE 77u

/* ---- Between the cases and what they call ---- */

VkskinResult __real_vkskinSkinOnCpu(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                    const VkskinCpuRun *run);
VkskinResult __wrap_vkskinSkinOnCpu(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                    const VkskinCpuRun *run);
void __real_scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes);
void __wrap_scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes);
VkskinResult __real_vkskinPoseBatch(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters, uint32_t count,
                                    VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run);
VkskinResult __wrap_vkskinPoseBatch(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters, uint32_t count,
                                    VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run);
VkskinResult __real_vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                       VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount);
VkskinResult __wrap_vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                       VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount);

VkskinResult __wrap_vkskinSkinOnCpu(VkskinCpuMesh mesh, const VkskinCpuCommand *commands, uint32_t count,
                                    const VkskinCpuRun *run) {
    const uint32_t skinned = fault == FAULT_MISSING ? count - 1 : count;
    const VkskinResult result = __real_vkskinSkinOnCpu(mesh, commands, skinned, run);
    if (fault == FAULT_VERTEX) {
        ((float *)commands[0].streams[0])[3 * SPOILT_VERTEX] *= 1.001f;
    } else if (fault == FAULT_INSTANCE) {
        VkskinCpuCommand command = commands[SPOILT_INSTANCE];
        command.palette = commands[0].palette;
        assert_int_equal(__real_vkskinSkinOnCpu(mesh, &command, 1, run), VKSKIN_SUCCESS);
    }
    return result;
}

static uint32_t calls; /* calls of scalarSkin or vkskinWritePalette, one for each instance or character */

void __wrap_scalarSkin(const ScalarMesh *mesh, const float *palette, float *positions, float *attributes) {
    static const float *firstPalette;
    firstPalette = calls == 0 ? palette : firstPalette;
    const bool other = fault == FAULT_INSTANCE && calls == SPOILT_INSTANCE;
    const bool missing = fault == FAULT_MISSING && calls == SPOILT_INSTANCE;
    if (!missing) {
        __real_scalarSkin(mesh, other ? firstPalette : palette, positions, attributes);
    }
    if (fault == FAULT_VERTEX && calls == 0) {
        positions[3 * SPOILT_VERTEX] *= 1.001f;
    }
    calls++;
}

VkskinResult __wrap_vkskinPoseBatch(VkskinPoseBatch crowd, const VkskinPoseBatchCharacter *characters, uint32_t count,
                                    VkskinPaletteEncoding encoding, uint32_t boneCount, const VkskinCpuRun *run) {
    const uint32_t posed = fault == FAULT_MISSING ? count - 1 : count;
    const VkskinResult result = __real_vkskinPoseBatch(crowd, characters, posed, encoding, boneCount, run);
    if (fault == FAULT_VERTEX) {
        ((float *)characters[0].palette)[12 * SPOILT_VERTEX + 3] += 0.001f;
    } else if (fault == FAULT_INSTANCE) {
        const size_t size = (size_t)boneCount * vkskinPaletteStride(encoding);
        memcpy(characters[97].palette, characters[0].palette, size); /* every 97th is looked at */
    }
    return result;
}

VkskinResult __wrap_vkskinWritePalette(VkskinSkin skin, const VkskinAffine *world, uint32_t worldCount,
                                       VkskinPaletteEncoding encoding, void *palette, uint32_t boneCount) {
    const bool missing = fault == FAULT_MISSING && calls == SPOILT_INSTANCE;
    VkskinResult result = VKSKIN_SUCCESS;
    if (!missing) {
        result = __real_vkskinWritePalette(skin, world, worldCount, encoding, palette, boneCount);
    }
    if (fault == FAULT_VERTEX && calls == 0) {
        ((float *)palette)[12 * SPOILT_VERTEX + 3] += 0.001f;
    } else if (fault == FAULT_INSTANCE && calls == 97) {
        memset(palette, 0, (size_t)boneCount * vkskinPaletteStride(encoding));
    }
    calls++;
    return result;
}

/* ---- The cases ---- */

static bool runOnce(const BenchCase *benchCase, void *state, EngineError *error) {
    RunTime time = {0};
    calls = 0;
    if (!benchCase->functions->poison(state, error) || !benchCase->functions->run(state, &time, error)) {
        fail_msg("%s: %s", benchCase->name, error->message);
    }
    assert_true(time.work > 0.0);
    return benchCase->functions->check(state, error);
}

static void expectCaught(const BenchCase *benchCase, void *state, Fault planted) {
    const char *words = planted == FAULT_MISSING ? "was not written" : "off by";
    EngineError error = {.message = ""};
    fault = planted;
    const bool passed = runOnce(benchCase, state, &error);
    fault = FAULT_NONE;
    if (passed || !strstr(error.message, words)) {
        fail_msg("%s, fault %d: %s", benchCase->name, planted, passed ? "passed" : error.message);
    }
}

static void tryCase(const BenchCase *benchCase, Fault planted) {
    const BenchEnvironment environment = {.quick = true};
    const CaseFunctions *functions = benchCase->functions;
    EngineError error = {.message = ""};
    void *state = benchCasePrepare(benchCase, &environment, &error);
    TEST_GOOD(state, error);
    assert_true(functions->poison(state, &error));
    assert_false(functions->check(state, &error));
    assert_non_null(strstr(error.message, "was not written"));
    error.message[0] = '\0';
    TEST_GOOD(runOnce(benchCase, state, &error), error);
    if (benchCase->kind != CASE_LIMIT) {
        assert_true(functions->traffic(state).vertices > 0.0);
        expectCaught(benchCase, state, planted);
    }
    benchCaseDestroy(benchCase, state);
}

/* Those of --quick: with sanitizers the others take minutes. Each is given another fault than the one before it, so that
 * the loops and the library meet all of them. */
TEST(checksTellRightFromWrong) {
    static const Fault FAULTS[] = {FAULT_VERTEX, FAULT_INSTANCE, FAULT_MISSING};
    const CaseTable table = cpuCases();
    uint32_t tried = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        if (table.cases[i].quick) {
            tryCase(&table.cases[i], FAULTS[tried++ % 3]);
        }
    }
    assert_true(tried >= 10);
}

/* A level that the processor lacks is no failure. */
TEST(levelsThatAreNotThereAreLeftOut) {
    const CaseTable table = cpuCases();
    uint32_t found = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        const BenchCase *benchCase = &table.cases[i];
        if (strstr(benchCase->name, "avx2")) {
            const char *why = benchCaseUnsupported(benchCase);
            assert_int_equal(why == NULL, vkskinGetCpuLevel() >= VKSKIN_CPU_AVX2);
            found++;
        }
    }
    assert_true(found > 0);
}
