/* Steps of a state machine. */
#include <math.h>
#include <string.h>

#include "machine.h"
#include "playback.h"

#define POINTS_MIXED 2

/* ---- Checks ---- */

static bool isFadeValid(VkskinMachine machine, const VkskinMachineFade *fade) {
    return fade->state < machine->stateCount && (uint32_t)fade->fade <= VKSKIN_FADE_SMOOTH &&
           isfinite(fade->duration) && fade->duration >= 0.0f && isfinite(fade->elapsed) && fade->elapsed >= 0.0 &&
           fade->phase >= 0.0 && fade->phase <= 1.0 && isfinite(fade->played) && fade->played >= 0.0;
}

static bool isStepValid(VkskinMachine machine, const VkskinMachineRun *run, const float *parameters, double seconds) {
    bool good =
        isfinite(seconds) && seconds >= 0.0 && run->fadeCount >= 1 && run->fadeCount <= VKSKIN_MACHINE_FADES_MAX;
    for (uint32_t i = 0; good && i < run->fadeCount; i++) {
        good = isFadeValid(machine, &run->fades[i]);
    }
    for (uint32_t i = 0; good && i < machine->parameterCount; i++) {
        good = isfinite(parameters[i]) != 0;
    }
    return good;
}

/* ---- Transitions ---- */

static VkskinMachineFade fadeTo(VkskinMachine machine, uint32_t state) {
    return (VkskinMachineFade){.state = state, .phase = machine->states[state].speed < 0.0f ? 1.0 : 0.0};
}

static bool holds(const VkskinCondition *condition, const float *parameters) {
    const float value = parameters[condition->parameter];
    switch (condition->compare) {
    case VKSKIN_COMPARE_GREATER:
        return value > condition->value;
    case VKSKIN_COMPARE_LESS:
        return value < condition->value;
    case VKSKIN_COMPARE_EQUAL:
        return value == condition->value;
    case VKSKIN_COMPARE_NOT_EQUAL:
        return value != condition->value;
    case VKSKIN_COMPARE_COUNT:
        break;
    }
    return false;
}

static bool mayBegin(const VkskinTransition *transition, const VkskinMachineRun *run, const float *parameters) {
    const VkskinMachineFade *current = &run->fades[run->fadeCount - 1];
    const bool leaves =
        transition->from == VKSKIN_ANY_STATE ? transition->to != current->state : transition->from == current->state;
    bool begins = leaves && current->played >= (double)transition->exitTime &&
                  (transition->duration == 0.0f || run->fadeCount < VKSKIN_MACHINE_FADES_MAX);
    for (uint32_t i = 0; begins && i < transition->conditionCount; i++) {
        begins = holds(&transition->conditions[i], parameters);
    }
    return begins;
}

static void begin(VkskinMachine machine, const VkskinTransition *transition, VkskinMachineRun *run) {
    VkskinMachineFade fade = fadeTo(machine, transition->to);
    fade.fade = transition->fade;
    fade.duration = transition->duration;
    fade.whole = transition->whole;
    run->fadeCount = transition->duration == 0.0f ? 0 : run->fadeCount;
    run->fades[run->fadeCount++] = fade;
}

static void resetTriggers(VkskinMachine machine, const VkskinTransition *transition, float *parameters) {
    for (uint32_t i = 0; i < transition->conditionCount; i++) {
        const uint32_t parameter = transition->conditions[i].parameter;
        if (machine->parameters[parameter].trigger) {
            parameters[parameter] = 0.0f;
        }
    }
}

/* The transition that begins now, or null. */
static const VkskinTransition *findTransition(VkskinMachine machine, const VkskinMachineRun *run,
                                              const float *parameters) {
    const VkskinMachineFade *current = &run->fades[run->fadeCount - 1];
    if (run->fadeCount > 1 && current->whole) {
        return NULL;
    }
    for (uint32_t i = 0; i < machine->transitionCount; i++) {
        if (mayBegin(&machine->transitions[i], run, parameters)) {
            return &machine->transitions[i];
        }
    }
    return NULL;
}

/* ---- Playing ---- */

/* Between which points of a state a value lies: the share of the second, 0 if only the first is seen. */
static float findPoints(const VkskinState *state, float value, uint32_t points[POINTS_MIXED]) {
    uint32_t above = 0; /* the first point that is not below the value */
    while (above < state->pointCount && state->points[above].value < value) {
        above++;
    }
    points[1] = above < state->pointCount ? above : state->pointCount - 1;
    points[0] = above > 0 ? above - 1 : 0;
    const double low = state->points[points[0]].value;
    const double high = state->points[points[1]].value;
    const float share = low < high ? (float)(((double)value - low) / (high - low)) : 0.0f;
    if (share == 1.0f) {
        points[0] = points[1];
    }
    return share == 1.0f ? 0.0f : share;
}

/* The clips of a state that are seen with these parameters. Returns their number. */
static uint32_t mixPoints(VkskinMachine machine, const VkskinState *state, const float *parameters,
                          uint32_t clips[POINTS_MIXED], VkskinSyncClip mix[POINTS_MIXED]) {
    uint32_t points[POINTS_MIXED] = {0, 0};
    const float share = state->pointCount > 1 ? findPoints(state, parameters[state->parameter], points) : 0.0f;
    for (uint32_t i = 0; i < POINTS_MIXED; i++) {
        clips[i] = state->points[points[i]].clip;
        mix[i] =
            (VkskinSyncClip){.duration = machine->clipDurations[clips[i]], .weight = i == 0 ? 1.0f - share : share};
    }
    return share > 0.0f ? 2 : 1;
}

/* Where the phase of a state goes. Returns it before it is wrapped. */
static double movePhase(const VkskinState *state, VkskinMachineFade *fade, double seconds, double duration) {
    const double move = duration > 0.0 ? seconds * state->speed / duration : state->speed < 0.0f ? -1.0 : 1.0;
    const bool moves = seconds > 0.0 && !fade->ended;
    double to = moves && (duration > 0.0 || state->mode != VKSKIN_PLAY_LOOP) ? fade->phase + move : fade->phase;
    fade->played += moves ? fabs(move) : 0.0;
    if (state->mode != VKSKIN_PLAY_LOOP && moves) {
        fade->ended = move > 0.0 ? to >= 1.0 : to <= 0.0;
        to = to < 0.0 ? 0.0 : to > 1.0 ? 1.0 : to;
    }
    return to;
}

/* The steps of the clips of a state; its phase and what it has played are moved. False: too many loops. */
static bool playState(VkskinMachine machine, const float *parameters, double seconds, VkskinMachineFade *fade,
                      VkskinMachineSample *samples, uint32_t *count) {
    const VkskinState *state = &machine->states[fade->state];
    uint32_t clips[POINTS_MIXED];
    VkskinSyncClip mix[POINTS_MIXED];
    *count = mixPoints(machine, state, parameters, clips, mix);
    const double from = fade->phase;
    const bool hadEnded = fade->ended;
    double to = movePhase(state, fade, seconds, sknSyncDuration(mix, *count));
    int32_t loops;
    if (state->mode == VKSKIN_PLAY_ONCE && fade->ended && !hadEnded) {
        to = state->speed < 0.0f ? 1.0 : 0.0;
    }
    fade->phase = to;
    if (state->mode == VKSKIN_PLAY_LOOP && !sknLoopTime(to, 1.0, &fade->phase, &loops)) {
        return false;
    }
    for (uint32_t i = 0; i < *count; i++) {
        VkskinPlayStep step = {.from = from * mix[i].duration, .to = to * mix[i].duration, .ended = fade->ended};
        if (state->mode == VKSKIN_PLAY_LOOP && !sknSyncStep(&mix[i], from, to, &step)) {
            return false;
        }
        samples[i] =
            (VkskinMachineSample){.state = fade->state, .clip = clips[i], .weight = mix[i].weight, .step = step};
    }
    return isfinite(fade->played) != 0;
}

/* Forgets the states below one that has faded in. */
static void dropFaded(VkskinMachineRun *run) {
    uint32_t bottom = run->fadeCount - 1;
    while (bottom > 0 && run->fades[bottom].elapsed < (double)run->fades[bottom].duration) {
        bottom--;
    }
    run->fadeCount -= bottom;
    memmove(run->fades, run->fades + bottom, run->fadeCount * sizeof *run->fades);
}

/* weights: [fadeCount]: the share of each state. */
static void weighFades(const VkskinMachineRun *run, float weights[VKSKIN_MACHINE_FADES_MAX]) {
    float left = 1.0f;
    for (uint32_t i = run->fadeCount; i-- > 1;) {
        const float weight = vkskinFadeWeight(run->fades[i].elapsed, run->fades[i].duration, run->fades[i].fade);
        weights[i] = left * weight;
        left *= 1.0f - weight;
    }
    weights[0] = left;
}

static bool play(VkskinMachine machine, VkskinMachineRun *run, const float *parameters, double seconds,
                 VkskinMachineSample *samples, uint32_t *count) {
    float weights[VKSKIN_MACHINE_FADES_MAX] = {0};
    for (uint32_t i = 0; i < run->fadeCount; i++) {
        run->fades[i].elapsed += seconds;
        if (!isfinite(run->fades[i].elapsed)) {
            return false;
        }
    }
    dropFaded(run);
    weighFades(run, weights);
    *count = 0;
    for (uint32_t i = 0; i < run->fadeCount; i++) {
        VkskinMachineSample of[POINTS_MIXED];
        uint32_t number;
        if (!playState(machine, parameters, seconds, &run->fades[i], of, &number)) {
            return false;
        }
        for (uint32_t k = 0; k < number; k++) {
            of[k].weight *= weights[i];
            if (of[k].weight > 0.0f) {
                samples[(*count)++] = of[k];
            }
        }
    }
    return true;
}

/* ---- Public calls ---- */

VkskinResult vkskinStartMachine(VkskinMachine machine, VkskinMachineRun *run, float *parameters) {
    if (machine == NULL || run == NULL || (parameters == NULL && machine->parameterCount > 0)) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    memset(run, 0, sizeof *run);
    run->fadeCount = 1;
    run->fades[0] = fadeTo(machine, machine->start);
    for (uint32_t i = 0; i < machine->parameterCount; i++) {
        parameters[i] = machine->parameters[i].value;
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinStepMachine(VkskinMachine machine, VkskinMachineRun *run, float *parameters, double seconds,
                               VkskinMachineSample *samples, uint32_t *count) {
    if (machine == NULL || run == NULL || samples == NULL || count == NULL ||
        (parameters == NULL && machine->parameterCount > 0)) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    if (!isStepValid(machine, run, parameters, seconds)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    /* On copies: a step that fails changes nothing. */
    VkskinMachineSample played[VKSKIN_MACHINE_SAMPLES_MAX];
    uint32_t number;
    VkskinMachineRun next = *run;
    const VkskinTransition *transition = findTransition(machine, run, parameters);
    if (transition != NULL) {
        begin(machine, transition, &next);
    }
    if (!play(machine, &next, parameters, seconds, played, &number)) {
        return VKSKIN_ERROR_INVALID_VALUE;
    }
    if (transition != NULL) {
        resetTriggers(machine, transition, parameters);
    }
    memcpy(samples, played, number * sizeof *played);
    *count = number;
    *run = next;
    return VKSKIN_SUCCESS;
}
