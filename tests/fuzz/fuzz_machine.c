/*
 * fuzz_machine.c: an input is a state machine as JSON. A machine that is accepted plays a while, with parameters that are
 * taken from the text.
 */
#include <math.h>
#include <string.h>

#include "fuzz_target.h"
#include "machine_json.h"

#define PARAMETERS_MAX 16384
#define STEPS          32

static const char *const clipNames[] = {"Idle", "Walk", "Run", "Pose"};
static const float durations[] = {2, 1, 0.5f, 0};

static void play(VkskinMachine machine, const char *text) {
    static float parameters[PARAMETERS_MAX];
    const size_t length = strlen(text);
    VkskinMachineRun run;
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    FUZZ_CHECK(vkskinStartMachine(machine, &run, parameters) == VKSKIN_SUCCESS);
    for (size_t step = 0; step < STEPS; step++) {
        const uint32_t count = vkskinGetMachineParameterCount(machine);
        float sum = 0.0f;
        uint32_t number = 0;
        if (count > 0) {
            parameters[step % count] = (float)text[step * 7 % length] / 16.0f;
        }
        /* Refused only for a clip that would loop too often. */
        if (vkskinStepMachine(machine, &run, parameters, (double)(step % 5) / 8.0, samples, &number) < 0) {
            continue;
        }
        FUZZ_CHECK(number >= 1 && number <= VKSKIN_MACHINE_SAMPLES_MAX);
        for (uint32_t i = 0; i < number; i++) {
            const double duration = (double)durations[samples[i].clip];
            FUZZ_CHECK(samples[i].step.to >= 0.0 && samples[i].step.to <= duration);
            FUZZ_CHECK(samples[i].step.from >= 0.0 && samples[i].step.from <= duration);
            FUZZ_CHECK(vkskinGetMachineStateName(machine, samples[i].state) != NULL);
            sum += samples[i].weight;
        }
        FUZZ_CHECK(fabsf(sum - 1.0f) < 1e-5f);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const MachineClips clips = {COUNT_OF(clipNames), clipNames, durations};
    EngineError error;
    char *text = malloc(size + 1);
    FUZZ_CHECK(text);
    memcpy(text, bytes, size);
    text[size] = '\0';
    VkskinMachine machine = machineParse(text, "m.json", &clips, &error);
    if (machine) {
        play(machine, text);
    } else {
        FUZZ_CHECK(strncmp(error.message, "m.json:", 7) == 0);
    }
    vkskinDestroyMachine(machine);
    free(text);
    return 0;
}
