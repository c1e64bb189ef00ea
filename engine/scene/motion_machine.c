#include "motion_machine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MACHINE_STEP (1.0 / 60.0) /* seconds: a moment depends on its time alone, not on the frames before */

static int compareEvents(const void *a, const void *b) {
    const double first = ((const MotionEvent *)a)->seconds, second = ((const MotionEvent *)b)->seconds;
    return (first > second) - (first < second);
}

static void sortEvents(MotionMachine *machine) {
    qsort(machine->events, machine->eventCount, sizeof *machine->events, compareEvents);
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
    sortEvents(machine);
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

bool motionMachineSet(MotionMachine *machine, double seconds, const char *name, float value, EngineError *error) {
    if (vkskinFindMachineParameter(machine->states, name) == VKSKIN_NO_NAME) {
        return engineFail(error, "no parameter '%.100s' in the state machine", name);
    }
    MotionEvent *event = NULL;
    for (uint32_t i = 0; i < machine->eventCount; i++) {
        MotionEvent *earlier = &machine->events[i];
        if (strcmp(earlier->name, name) == 0 && earlier->seconds <= seconds &&
            earlier->seconds > seconds - MOTION_SET_PAUSE) {
            event = earlier;
        }
    }
    if (!event && machine->eventCount == MOTION_EVENTS_MAX) {
        return engineFail(error, "at most %u changes of parameters", MOTION_EVENTS_MAX);
    }
    event = event ? event : &machine->events[machine->eventCount++];
    *event = (MotionEvent){.seconds = seconds, .value = value};
    snprintf(event->name, sizeof event->name, "%s", name);
    sortEvents(machine);
    return true;
}

float motionMachineValue(const MotionMachine *machine, double seconds, uint32_t parameter) {
    const VkskinParameter *start = vkskinGetMachineParameter(machine->states, parameter);
    float value = start->value;
    for (uint32_t i = 0; i < machine->eventCount && machine->events[i].seconds <= seconds; i++) {
        value = strcmp(machine->events[i].name, start->name) == 0 ? machine->events[i].value : value;
    }
    return value;
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

/* In steps of a fixed length from where the cursor is. The last, shorter one is not the cursor's: `last` has its parameters. */
static VkskinResult play(const MotionMachine *machine, MotionCursor *cursor, double end, float *last,
                         VkskinMachineSample *samples, uint32_t *count) {
    const size_t size = vkskinGetMachineParameterCount(machine->states) * sizeof *last;
    const uint32_t whole = (uint32_t)(end / MACHINE_STEP);
    VkskinResult result = VKSKIN_SUCCESS;
    for (; cursor->steps < whole && result >= 0; cursor->steps++) {
        cursor->event = applyEvents(machine, cursor->event, cursor->steps * MACHINE_STEP, cursor->parameters);
        result = vkskinStepMachine(machine->states, &cursor->run, cursor->parameters, MACHINE_STEP, samples, count);
    }
    if (result < 0) {
        return result;
    }
    VkskinMachineRun run = cursor->run;
    memcpy(last, cursor->parameters, size);
    const uint32_t event = applyEvents(machine, cursor->event, whole * MACHINE_STEP, last);
    result = vkskinStepMachine(machine->states, &run, last, fmax(end - whole * MACHINE_STEP, 0.0), samples, count);
    if (result >= 0 && applyEvents(machine, event, end, last) > event) { /* no time passes after the last events */
        result = vkskinStepMachine(machine->states, &run, last, 0.0, samples, count);
    }
    return result;
}

VkskinResult motionMachinePlay(const MotionMachine *machine, MotionCursor *cursor, double time,
                               VkskinMachineSample *samples, uint32_t *count) {
    const size_t parameters = (size_t)vkskinGetMachineParameterCount(machine->states) + 1;
    const double end = fmin(fmax(time, 0.0), MOTION_SECONDS_MAX);
    MotionCursor alone = {0}, *at = cursor ? cursor : &alone;
    VkskinResult result = VKSKIN_SUCCESS;
    if (!at->parameters || at->steps > (uint32_t)(end / MACHINE_STEP)) {
        at->parameters = at->parameters ? at->parameters : calloc(2 * parameters, sizeof *at->parameters);
        at->steps = at->event = 0;
        result = at->parameters ? vkskinStartMachine(machine->states, &at->run, at->parameters)
                                : VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    if (result >= 0) {
        result = play(machine, at, end, at->parameters + parameters, samples, count);
    }
    free(alone.parameters);
    return result;
}
