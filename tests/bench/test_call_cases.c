/*
 * The cases of the host's calls: their checks pass, and detect a palette of another instance, a command that is left out
 * and an output that is not returned.
 */
#include "bench_case.h"
#include "test.h"
#include "vkskin/vkskin.h"

typedef enum Fault { FAULT_NONE, FAULT_PALETTE, FAULT_MISSING, FAULT_COUNT } Fault;

static Fault fault;

/* ---- The library with faults ---- */

VkskinResult __real_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results);
VkskinResult __wrap_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results);
VkskinResult __real_vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);
VkskinResult __wrap_vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output);
VkskinResult __real_vkskinGetOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                                     VkskinOutput *outputs);
VkskinResult __wrap_vkskinGetOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                                     VkskinOutput *outputs);

static VkskinPalette firstPalette;

/* The last command of the call gets the first palette of all, or is left out. */
VkskinResult __wrap_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results) {
    firstPalette = firstPalette.serial == 0 ? commands[0].palette : firstPalette;
    VkskinSkinCommand last = commands[count - 1];
    if (fault == FAULT_NONE || last.palette.offset == firstPalette.offset) {
        return __real_vkskinSkinInstances(context, commands, count, results);
    }
    last.palette = fault == FAULT_PALETTE ? firstPalette : last.palette;
    VkskinResult result = __real_vkskinSkinInstances(context, commands, count - 1, results);
    return result < 0 || fault == FAULT_MISSING ? result : __real_vkskinSkinInstances(context, &last, 1, NULL);
}

VkskinResult __wrap_vkskinGetOutput(VkskinContext context, VkskinInstance instance, VkskinOutput *output) {
    return fault == FAULT_MISSING ? VKSKIN_SUCCESS : __real_vkskinGetOutput(context, instance, output);
}

VkskinResult __wrap_vkskinGetOutputs(VkskinContext context, const VkskinInstance *instances, uint32_t count,
                                     VkskinOutput *outputs) {
    return __real_vkskinGetOutputs(context, instances, fault == FAULT_MISSING ? count - 1 : count, outputs);
}

/* ---- The cases ---- */

static bool runOnce(const BenchCase *benchCase, void *state, EngineError *error) {
    RunTime time = {0};
    firstPalette = (VkskinPalette){0};
    if (!benchCase->functions->poison(state, error) || !benchCase->functions->run(state, &time, error)) {
        fail_msg("%s: %s", benchCase->name, error->message);
    }
    assert_true(time.work > 0.0);
    return benchCase->functions->check(state, error);
}

static void tryCase(const BenchCase *benchCase) {
    const BenchEnvironment environment = {.quick = true};
    EngineError error = {.message = ""};
    void *state = benchCasePrepare(benchCase, &environment, &error);
    TEST_GOOD(state, error);
    for (Fault planted = FAULT_NONE; planted < FAULT_COUNT; planted++) {
        fault = planted;
        const bool passed = runOnce(benchCase, state, &error);
        fault = FAULT_NONE;
        if (passed != (planted == FAULT_NONE)) {
            fail_msg("%s, fault %d: %s", benchCase->name, planted, passed ? "passed" : error.message);
        }
    }
    benchCaseDestroy(benchCase, state);
}

/* Those of 1,000 instances: the others differ in the number only. */
TEST(checksTellRightFromWrong) {
    const CaseTable table = callCases();
    uint32_t tried = 0;
    for (uint32_t i = 0; i < table.count; i++) {
        if (table.cases[i].instances == 1000) {
            tryCase(&table.cases[i]);
            tried++;
        }
    }
    assert_int_equal(tried, 9);
}
