/* State machines in the API fuzzer. */
#include "api_run.h"

#include <math.h>
#include <string.h>

#include "vkskin/vkskin_machine.h"

#define ITEMS_MAX 4u /* clips, parameters, states, transitions, and points or conditions of one */
#define STEPS_MAX 15u

/* Usually the name of this index; sometimes null or that of another. */
static const char *takeName(FuzzBytes *bytes, uint32_t index) {
    static const char *const names[ITEMS_MAX + 1] = {"a", "b", "c", "", NULL};
    const uint8_t byte = fuzzByte(bytes);
    return names[byte < 0xf0 ? index : byte % COUNT_OF(names)];
}

/* The bits of the bytes choose between usual and any. */
static void takeState(FuzzBytes *bytes, const VkskinMachineDef *def, uint32_t index, VkskinState *state) {
    static const ApiField fields[] = {{0xf0, offsetof(VkskinState, parameter)},
                                      {0xf1, offsetof(VkskinState, mode)},
                                      {0xf2, offsetof(VkskinState, speed)}};
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t count = kind % (ITEMS_MAX + 1);
    float *values = apiTakeSteps(bytes, count, 1.0f);
    uint32_t *clips = fuzzIndices(bytes, count, def->clipCount);
    VkskinStatePoint *points = fuzzRoom(bytes, count * sizeof *points);
    for (uint32_t i = 0; i < count; i++) {
        points[i] = (VkskinStatePoint){.clip = clips[i], .value = values[i]};
    }
    *state = (VkskinState){
        .name = takeName(bytes, index),
        .pointCount = kind == 0xf3 ? VKSKIN_MACHINE_ITEMS_MAX + 1 : count,
        .points = points,
        .speed = kind & 0x80 ? fuzzFloat(bytes) : 1.0f,
        .mode = (VkskinPlayMode)((kind >> 4) % 3),
    };
    API_SPOIL(bytes, state, fields, kind);
}

static void takeTransition(FuzzBytes *bytes, const VkskinMachineDef *def, VkskinTransition *transition) {
    static const ApiField fields[] = {{0xf0, offsetof(VkskinTransition, from)},
                                      {0xf1, offsetof(VkskinTransition, to)},
                                      {0xf2, offsetof(VkskinTransition, fade)}};
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t count = kind % (ITEMS_MAX + 1);
    uint32_t *ends = fuzzIndices(bytes, 2, def->stateCount),
             *parameters = fuzzIndices(bytes, count, def->parameterCount);
    VkskinCondition *conditions = fuzzRoom(bytes, count * sizeof *conditions);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t compare = fuzzByte(bytes);
        conditions[i] = (VkskinCondition){
            .parameter = parameters[i], .compare = (VkskinCompare)(compare % 5), .value = fuzzFloat(bytes)};
    }
    *transition = (VkskinTransition){
        .from = kind & 0x10 ? VKSKIN_ANY_STATE : ends[0],
        .to = ends[1],
        .duration = kind & 0x20 ? fuzzFloat(bytes) : 0.5f,
        .fade = (VkskinFade)(kind >> 6 & 1),
        .exitTime = kind & 0x80 ? fuzzFloat(bytes) : 0.0f,
        .whole = (kind & 8) != 0,
        .conditionCount = kind == 0xf3 ? VKSKIN_MACHINE_ITEMS_MAX + 1 : count,
        .conditions = conditions,
    };
    API_SPOIL(bytes, transition, fields, kind);
}

/* Sets the counts and arrays of exactly these sizes. */
static void takeArrays(FuzzBytes *bytes, VkskinMachineDef *def) {
    def->clipCount = fuzzByte(bytes) % (ITEMS_MAX + 1);
    def->parameterCount = fuzzByte(bytes) % (ITEMS_MAX + 1);
    def->stateCount = fuzzByte(bytes) % (ITEMS_MAX + 1);
    def->transitionCount = fuzzByte(bytes) % (ITEMS_MAX + 1);
    VkskinParameter *parameters = fuzzRoom(bytes, def->parameterCount * sizeof *parameters);
    VkskinState *states = fuzzRoom(bytes, def->stateCount * sizeof *states);
    VkskinTransition *transitions = fuzzRoom(bytes, def->transitionCount * sizeof *transitions);
    def->clipDurations = apiTakeSteps(bytes, def->clipCount, 0.5f);
    for (uint32_t i = 0; i < def->parameterCount; i++) {
        const char *name = takeName(bytes, i);
        const float value = fuzzFloat(bytes);
        parameters[i] = (VkskinParameter){.name = name, .value = value, .trigger = (fuzzByte(bytes) & 1) != 0};
    }
    for (uint32_t i = 0; i < def->stateCount; i++) {
        takeState(bytes, def, i, &states[i]);
    }
    for (uint32_t i = 0; i < def->transitionCount; i++) {
        takeTransition(bytes, def, &transitions[i]);
    }
    def->parameters = parameters;
    def->states = states;
    def->transitions = transitions;
}

/* A def that is refused before its arrays are read, so these keep their sizes. */
static void spoilDef(FuzzBytes *bytes, VkskinMachineDef *def) {
    static const size_t counts[] = {offsetof(VkskinMachineDef, clipCount), offsetof(VkskinMachineDef, parameterCount),
                                    offsetof(VkskinMachineDef, stateCount),
                                    offsetof(VkskinMachineDef, transitionCount)};
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t tooMany = VKSKIN_MACHINE_ITEMS_MAX + 1;
    def->start = kind & 1 ? fuzzNumber(bytes) : 0;
    def->cookie += kind == 0xf0;
    def->clipDurations = kind == 0xf2 ? NULL : def->clipDurations;
    def->parameters = kind == 0xf4 ? NULL : def->parameters;
    def->states = kind == 0xf6 ? NULL : def->states;
    def->transitions = kind == 0xf8 ? NULL : def->transitions;
    if (kind >= 0xfc) {
        memcpy((char *)def + counts[kind - 0xfc], &tooMany, sizeof tooMany);
    }
}

/* Rarely changes a member, as a host must not. */
static void spoilRun(FuzzBytes *bytes, VkskinMachineRun *run) {
    const uint8_t kind = fuzzByte(bytes);
    VkskinMachineFade *fade = &run->fades[fuzzByte(bytes) % VKSKIN_MACHINE_FADES_MAX];
    run->fadeCount = kind == 0xf0 ? fuzzNumber(bytes) : run->fadeCount;
    fade->state = kind == 0xf1 ? fuzzNumber(bytes) : fade->state;
    fade->fade = kind == 0xf2 ? (VkskinFade)fuzzNumber(bytes) : fade->fade;
    fade->duration = kind == 0xf3 ? fuzzFloat(bytes) : fade->duration;
    fade->elapsed = kind == 0xf4 ? (double)fuzzFloat(bytes) : fade->elapsed;
    fade->phase = kind == 0xf5 ? (double)fuzzFloat(bytes) : fade->phase;
    fade->played = kind == 0xf6 ? (double)fuzzFloat(bytes) : fade->played;
}

static void checkSamples(VkskinMachine machine, const VkskinMachineSample *samples, uint32_t count,
                         const float *durations) {
    float sum = 0.0f;
    FUZZ_CHECK(count >= 1 && count <= VKSKIN_MACHINE_SAMPLES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const double duration = (double)durations[samples[i].clip];
        FUZZ_CHECK(samples[i].weight > 0.0f && vkskinGetMachineStateName(machine, samples[i].state) != NULL);
        FUZZ_CHECK(samples[i].step.from >= 0.0 && samples[i].step.from <= duration);
        FUZZ_CHECK(samples[i].step.to >= 0.0 && samples[i].step.to <= duration);
        sum += samples[i].weight;
    }
    FUZZ_CHECK(fabsf(sum - 1.0f) < 1e-5f);
}

/* A step that fails changes neither the run nor the parameters. machine may be null. */
static void play(FuzzBytes *bytes, VkskinMachine machine, const float *durations) {
    const uint32_t count = vkskinGetMachineParameterCount(machine);
    float *parameters = fuzzRoom(bytes, count * sizeof *parameters), before[ITEMS_MAX];
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    VkskinMachineRun run, runBefore;
    memset(&run, 0, sizeof run);
    FUZZ_CHECK(apiCheck(vkskinStartMachine(machine, &run, parameters)) == (machine != NULL));
    for (uint32_t step = fuzzByte(bytes) & STEPS_MAX; step > 0; step--) {
        uint32_t number = 0;
        apiSpoilFloats(bytes, parameters, count);
        spoilRun(bytes, &run);
        memcpy(before, parameters, count * sizeof *parameters);
        memcpy(&runBefore, &run, sizeof run);
        const double seconds = (double)fuzzFloat(bytes) * 0.125;
        if (apiCheck(vkskinStepMachine(machine, &run, parameters, seconds, samples, &number))) {
            checkSamples(machine, samples, number, durations);
        } else {
            FUZZ_CHECK(memcmp(before, parameters, count * sizeof *parameters) == 0);
            FUZZ_CHECK(memcmp(&runBefore, &run, sizeof run) == 0 && number == 0);
        }
    }
}

void apiMachine(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    uint32_t left = fuzzByte(bytes) % 32;
    HostMemory memory = {.refuses = apiRefusesNth, .user = &left};
    const VkskinHostAllocator allocator = hostMemoryAllocator(&memory);
    VkskinMachineDef def = vkskinDefaultMachineDef();
    VkskinMachine machine;
    takeArrays(bytes, &def);
    const float *durations = def.clipDurations;
    def.logger = apiLogger();
    def.allocator = &allocator;
    spoilDef(bytes, &def);
    FUZZ_CHECK(apiCheck(vkskinCreateMachine(&def, &machine)) == (machine != NULL));
    const uint32_t found = vkskinFindMachineParameter(machine, takeName(bytes, 0));
    FUZZ_CHECK(found == VKSKIN_NO_NAME || found < vkskinGetMachineParameterCount(machine));
    FUZZ_CHECK(vkskinGetMachineStateName(machine, fuzzNumber(bytes)) == NULL || machine != NULL);
    play(bytes, machine, durations);
    vkskinDestroyMachine(machine);
    FUZZ_CHECK(memory.blocks == 0);
}
