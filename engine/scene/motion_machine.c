#include "motion_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_STEP (1.0 / 60.0) /* seconds: a moment depends on its time alone, not on the frames before */

static int compareEvents(const void *a, const void *b) {
    const double first = ((const MotionEvent *)a)->seconds, second = ((const MotionEvent *)b)->seconds;
    return (first > second) - (first < second);
}

static VkskinMachine readStates(const char *path, const MotionClips *clips, EngineError *error) {
    const char **names = engineAllocate(clips->count, sizeof *names, error);
    float *durations = engineAllocate(clips->count, sizeof *durations, error);
    VkskinMachine states = NULL;
    for (uint32_t i = 0; names && durations && i < clips->count; i++) {
        const MotionClip clip = clips->at(clips->model, i);
        names[i] = clip.name;
        durations[i] = clip.duration;
    }
    if (names && durations) {
        states = machineRead(path, &(MachineClips){clips->count, names, durations}, error);
    }
    free(names);
    free(durations);
    return states;
}

static bool fill(MotionMachine *machine, const char *path, const MotionClips *clips, const MotionEvent *events,
                 uint32_t eventCount, EngineError *error) {
    machine->states = readStates(path, clips, error);
    for (uint32_t i = 0; machine->states && i < eventCount; i++) {
        if (vkskinFindMachineParameter(machine->states, events[i].name) == VKSKIN_NO_NAME) {
            return engineFail(error, "%.300s: no parameter '%s'", path, events[i].name);
        }
        machine->events[machine->eventCount++] = events[i];
    }
    qsort(machine->events, machine->eventCount, sizeof *machine->events, compareEvents);
    return machine->states != NULL;
}

MotionMachine *motionMachineCreate(const char *path, const MotionClips *clips, const MotionEvent *events,
                                   uint32_t eventCount, EngineError *error) {
    MotionMachine *machine = engineAllocate(1, sizeof *machine, error);
    if (machine && !fill(machine, path, clips, events, eventCount, error)) {
        motionMachineDestroy(machine);
        return NULL;
    }
    return machine;
}

void motionMachineDestroy(MotionMachine *machine) {
    if (machine) {
        vkskinDestroyMachine(machine->states);
        free(machine);
    }
}

/* Applies the events from `event` on that are not later than `now`. Returns the first later one. */
static uint32_t applyEvents(const MotionMachine *machine, uint32_t event, double now, float *parameters) {
    for (; event < machine->eventCount && machine->events[event].seconds <= now; event++) {
        const uint32_t parameter = vkskinFindMachineParameter(machine->states, machine->events[event].name);
        parameters[parameter] = machine->events[event].value;
    }
    return event;
}

/* In steps of a fixed length from the start. A last step of 0 seconds is for events after the others. */
static VkskinResult play(const MotionMachine *machine, double time, float *parameters, VkskinMachineSample *samples,
                         uint32_t *count) {
    VkskinMachineRun run;
    uint32_t event = 0;
    VkskinResult result = vkskinStartMachine(machine->states, &run, parameters);
    const double end = fmin(fmax(time, 0.0), MOTION_SECONDS_MAX);
    const uint32_t whole = (uint32_t)(end / MACHINE_STEP);
    for (uint32_t i = 0; i <= whole && result >= 0; i++) {
        const double now = i * MACHINE_STEP;
        event = applyEvents(machine, event, now, parameters);
        result = vkskinStepMachine(machine->states, &run, parameters, i < whole ? MACHINE_STEP : fmax(end - now, 0.0),
                                   samples, count);
    }
    if (result >= 0 && applyEvents(machine, event, end, parameters) > event) {
        result = vkskinStepMachine(machine->states, &run, parameters, 0.0, samples, count);
    }
    return result;
}

VkskinResult motionMachinePlay(const MotionMachine *machine, double time, VkskinMachineSample *samples,
                               uint32_t *count) {
    float *parameters = calloc(vkskinGetMachineParameterCount(machine->states) + 1, sizeof *parameters);
    if (!parameters) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    const VkskinResult result = play(machine, time, parameters, samples, count);
    free(parameters);
    return result;
}
