/* Checks the def of a state machine and copies it. */
#include <math.h>
#include <string.h>

#include "cookie.h"
#include "machine.h"
#include "playback.h"

VkskinMachineDef vkskinDefaultMachineDef(void) {
    return (VkskinMachineDef){.cookie = VKSKIN_COOKIE_MACHINE};
}

/* ---- Checks ---- */

/* Messages begin with "KIND INDEX". */
typedef struct Place {
    const VkskinLogger *logger;
    const char *kind;
    uint32_t index;
} Place;

static VkskinResult complain(const Place *place, VkskinResult result, const char *text) {
    return sknReport(place->logger, result, "machine: %s %u: %s", place->kind, place->index, text);
}

/* Reports the first broken rule. */
static VkskinResult checkItem(const Place *place, const Rule *rules, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (rules[i].broken) {
            return complain(place, rules[i].result, rules[i].message);
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkArrays(const VkskinMachineDef *def, const VkskinMachine *place) {
    const Subject subject = {&def->logger, "machine", ""};
    const Rule rules[] = {
        {place == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "the place for the handle is null"},
        {!sknHostAllocatorIsComplete(def->allocator), VKSKIN_ERROR_NULL_ARGUMENT,
         "the host allocator lacks a function"},
    };
    const Range ranges[] = {
        {"clipCount", def->clipCount, 1, VKSKIN_MACHINE_ITEMS_MAX},
        {"parameterCount", def->parameterCount, 0, VKSKIN_MACHINE_ITEMS_MAX},
        {"stateCount", def->stateCount, 1, VKSKIN_MACHINE_ITEMS_MAX},
        {"transitionCount", def->transitionCount, 0, VKSKIN_MACHINE_ITEMS_MAX},
    };
    const Rule arrays[] = {
        {def->clipDurations == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "clipDurations is null"},
        {def->parameters == NULL && def->parameterCount > 0, VKSKIN_ERROR_NULL_ARGUMENT, "parameters is null"},
        {def->states == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "states is null"},
        {def->transitions == NULL && def->transitionCount > 0, VKSKIN_ERROR_NULL_ARGUMENT, "transitions is null"},
        {def->start >= def->stateCount, VKSKIN_ERROR_INVALID_VALUE, "start is not a state"},
    };
    VkskinResult result = sknCheckRules(&subject, rules, SKN_COUNT(rules));
    result = result < 0 ? result : sknCheckRanges(&subject, ranges, SKN_COUNT(ranges));
    return result < 0 ? result : sknCheckRules(&subject, arrays, SKN_COUNT(arrays));
}

static VkskinResult checkClip(const VkskinMachineDef *def, uint32_t index) {
    const Place place = {&def->logger, "clip", index};
    const float seconds = def->clipDurations[index];
    const Rule rules[] = {
        {!isfinite(seconds) || seconds < 0.0f, VKSKIN_ERROR_INVALID_VALUE, "its duration is negative or not finite"},
    };
    return checkItem(&place, rules, SKN_COUNT(rules));
}

static VkskinResult checkParameter(const VkskinMachineDef *def, uint32_t index) {
    const Place place = {&def->logger, "parameter", index};
    const VkskinParameter *parameter = &def->parameters[index];
    const Rule rules[] = {
        {parameter->name == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "its name is null"},
        {!isfinite(parameter->value), VKSKIN_ERROR_INVALID_VALUE, "its value is not finite"},
    };
    VkskinResult result = checkItem(&place, rules, SKN_COUNT(rules));
    for (uint32_t i = 0; i < index && result == VKSKIN_SUCCESS; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a rule checked it */
        if (strcmp(def->parameters[i].name, parameter->name) == 0) {
            result = complain(&place, VKSKIN_ERROR_INVALID_VALUE, "another one has its name");
        }
    }
    return result;
}

static VkskinResult checkPoints(const VkskinMachineDef *def, const Place *place, const VkskinState *state) {
    for (uint32_t i = 0; i < state->pointCount; i++) {
        const VkskinStatePoint *point = &state->points[i];
        const Rule rules[] = {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it */
            {point->clip >= def->clipCount, VKSKIN_ERROR_INVALID_VALUE, "a clip is not below clipCount"},
            {!isfinite(point->value), VKSKIN_ERROR_INVALID_VALUE, "the value of a clip is not finite"},
            {i > 0 && !(point->value > state->points[i - 1].value), VKSKIN_ERROR_INVALID_VALUE,
             "the values of its clips do not ascend"},
        };
        const VkskinResult result = checkItem(place, rules, SKN_COUNT(rules));
        if (result < 0) {
            return result;
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkState(const VkskinMachineDef *def, uint32_t index) {
    const Place place = {&def->logger, "state", index};
    const VkskinState *state = &def->states[index];
    const Rule rules[] = {
        {state->name == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "its name is null"},
        {state->pointCount == 0 || state->pointCount > VKSKIN_MACHINE_ITEMS_MAX, VKSKIN_ERROR_INVALID_VALUE,
         "pointCount is out of range"},
        {state->points == NULL, VKSKIN_ERROR_NULL_ARGUMENT, "points is null"},
        {state->pointCount > 1 && state->parameter >= def->parameterCount, VKSKIN_ERROR_INVALID_VALUE,
         "its parameter is not below parameterCount"},
        {!isfinite(state->speed) || state->speed == 0.0f, VKSKIN_ERROR_INVALID_VALUE, "its speed is 0 or not finite"},
        {!sknPlayModeIsKnown(state->mode), VKSKIN_ERROR_INVALID_VALUE, "its mode is unknown"},
    };
    VkskinResult result = checkItem(&place, rules, SKN_COUNT(rules));
    result = result < 0 ? result : checkPoints(def, &place, state);
    for (uint32_t i = 0; i < index && result == VKSKIN_SUCCESS; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): a rule checked it */
        if (strcmp(def->states[i].name, state->name) == 0) {
            result = complain(&place, VKSKIN_ERROR_INVALID_VALUE, "another one has its name");
        }
    }
    return result;
}

static VkskinResult checkConditions(const VkskinMachineDef *def, const Place *place,
                                    const VkskinTransition *transition) {
    for (uint32_t i = 0; i < transition->conditionCount; i++) {
        const VkskinCondition *condition = &transition->conditions[i];
        const Rule rules[] = {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it */
            {condition->parameter >= def->parameterCount, VKSKIN_ERROR_INVALID_VALUE,
             "a condition's parameter is not below parameterCount"},
            {(uint32_t)condition->compare >= VKSKIN_COMPARE_COUNT, VKSKIN_ERROR_INVALID_VALUE,
             "a condition's comparison is unknown"},
            {!isfinite(condition->value), VKSKIN_ERROR_INVALID_VALUE, "a condition's value is not finite"},
        };
        const VkskinResult result = checkItem(place, rules, SKN_COUNT(rules));
        if (result < 0) {
            return result;
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkTransition(const VkskinMachineDef *def, uint32_t index) {
    const Place place = {&def->logger, "transition", index};
    const VkskinTransition *transition = &def->transitions[index];
    const Rule rules[] = {
        {transition->from >= def->stateCount && transition->from != VKSKIN_ANY_STATE, VKSKIN_ERROR_INVALID_VALUE,
         "from is not a state"},
        {transition->to >= def->stateCount, VKSKIN_ERROR_INVALID_VALUE, "to is not a state"},
        {!isfinite(transition->duration) || transition->duration < 0.0f, VKSKIN_ERROR_INVALID_VALUE,
         "its duration is negative or not finite"},
        {(uint32_t)transition->fade > VKSKIN_FADE_SMOOTH, VKSKIN_ERROR_INVALID_VALUE, "its fade is unknown"},
        {!isfinite(transition->exitTime) || transition->exitTime < 0.0f, VKSKIN_ERROR_INVALID_VALUE,
         "its exitTime is negative or not finite"},
        {transition->conditionCount > VKSKIN_MACHINE_ITEMS_MAX, VKSKIN_ERROR_INVALID_VALUE,
         "conditionCount is out of range"},
        {transition->conditions == NULL && transition->conditionCount > 0, VKSKIN_ERROR_NULL_ARGUMENT,
         "conditions is null"},
    };
    const VkskinResult result = checkItem(&place, rules, SKN_COUNT(rules));
    return result < 0 ? result : checkConditions(def, &place, transition);
}

static VkskinResult checkEach(const VkskinMachineDef *def, uint32_t count,
                              VkskinResult (*check)(const VkskinMachineDef *def, uint32_t index)) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < count && result == VKSKIN_SUCCESS; i++) {
        result = check(def, i);
    }
    return result;
}

static VkskinResult checkDef(const VkskinMachineDef *def, const VkskinMachine *place) {
    VkskinResult result = checkArrays(def, place);
    result = result < 0 ? result : checkEach(def, def->clipCount, checkClip);
    result = result < 0 ? result : checkEach(def, def->parameterCount, checkParameter);
    result = result < 0 ? result : checkEach(def, def->stateCount, checkState);
    return result < 0 ? result : checkEach(def, def->transitionCount, checkTransition);
}

/* ---- The copy ---- */

static const char *copyName(Arena *arena, const char *name) {
    return sknArenaCopy(arena, name, strlen(name) + 1, 1);
}

/* The arrays inside the items of a copy still belong to the def. */
static void copyItems(struct VkskinMachine_T *machine, Arena *arena) {
    for (uint32_t i = 0; i < machine->parameterCount; i++) {
        machine->parameters[i].name = copyName(arena, machine->parameters[i].name);
    }
    for (uint32_t i = 0; i < machine->stateCount; i++) {
        VkskinState *state = &machine->states[i];
        state->name = copyName(arena, state->name);
        state->points = sknArenaCopy(arena, state->points, state->pointCount, sizeof *state->points);
    }
    for (uint32_t i = 0; i < machine->transitionCount; i++) {
        VkskinTransition *transition = &machine->transitions[i];
        transition->conditions =
            sknArenaCopy(arena, transition->conditions, transition->conditionCount, sizeof *transition->conditions);
    }
}

VkskinResult vkskinCreateMachine(const VkskinMachineDef *def, VkskinMachine *machine) {
    if (machine != NULL) {
        *machine = NULL;
    }
    VkskinResult result = sknCheckCookie(def, VKSKIN_COOKIE_MACHINE);
    result = result < 0 ? result : checkDef(def, machine);
    if (result < 0) {
        return result;
    }
    Arena arena = sknMakeArena(def->allocator);
    struct VkskinMachine_T copy = {
        .clipCount = def->clipCount,
        .parameterCount = def->parameterCount,
        .stateCount = def->stateCount,
        .transitionCount = def->transitionCount,
        .clipDurations = sknArenaCopy(&arena, def->clipDurations, def->clipCount, sizeof *def->clipDurations),
        .parameters = sknArenaCopy(&arena, def->parameters, def->parameterCount, sizeof *def->parameters),
        .states = sknArenaCopy(&arena, def->states, def->stateCount, sizeof *def->states),
        .transitions = sknArenaCopy(&arena, def->transitions, def->transitionCount, sizeof *def->transitions),
        .start = def->start,
    };
    if (!arena.failed) {
        copyItems(&copy, &arena);
    }
    VkskinMachine made = sknArenaCopy(&arena, &copy, 1, sizeof copy);
    if (arena.failed) {
        sknFreeArena(&arena);
        return sknReport(&def->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "machine: no host memory for %u states",
                         def->stateCount);
    }
    made->arena = arena;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a rule checked it, in another file */
    *machine = made;
    return VKSKIN_SUCCESS;
}

void vkskinDestroyMachine(VkskinMachine machine) {
    if (machine != NULL) {
        sknFreeArena(&machine->arena);
    }
}

uint32_t vkskinGetMachineParameterCount(VkskinMachine machine) {
    return machine != NULL ? machine->parameterCount : 0;
}

uint32_t vkskinFindMachineParameter(VkskinMachine machine, const char *name) {
    for (uint32_t i = 0; machine != NULL && name != NULL && i < machine->parameterCount; i++) {
        if (strcmp(machine->parameters[i].name, name) == 0) {
            return i;
        }
    }
    return VKSKIN_NO_NAME;
}

const VkskinParameter *vkskinGetMachineParameter(VkskinMachine machine, uint32_t parameter) {
    return machine != NULL && parameter < machine->parameterCount ? &machine->parameters[parameter] : NULL;
}

const char *vkskinGetMachineStateName(VkskinMachine machine, uint32_t state) {
    return machine != NULL && state < machine->stateCount ? machine->states[state].name : NULL;
}
