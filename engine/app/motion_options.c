#include "motion_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "option_values.h"

#define COLLAPSE_LAST 1e6 /* seconds: steps of 1/240 s are still exact */

_Static_assert(OPTION_FILES_MAX <= MOTION_SPRINGS_MAX, "each --spring has a place");

const Option MOTION_OPTIONS[] = {
    {"blend-clip", OPTION_TEXT, "CLIP:WEIGHT",
     .help = "a second clip, by index or name, and its weight from 0 to 1. Both clips play in step: each passes once "
             "while the weighted mean of their durations does",
     .content = OPTION_FOR_ALL},
    {"add-clip", OPTION_TEXT, "CLIP:WEIGHT",
     .help = "an additive clip and its weight from -1 to 1: its difference to its first moment is added"},
    {"reach", OPTION_TEXT, "NODE:X,Y,Z",
     .help = "bends the two bones above a node so that it reaches a point of the model's own space. BONE:X,Y of a 2D "
             "character puts the target of an IK constraint there",
     .content = OPTION_FOR_ALL},
    {"look", OPTION_TEXT, "NODE:X,Y,Z",
     .help = "turns a node so that it looks at a point of the model's own space. At rest it looks to where the model "
             "faces: along z, with y up"},
    {.name = NULL, .help = "poses"},
};

const Option SPRING_OPTIONS[] = {
    {"spring", OPTION_CHAINS, "NODE[:STIFFNESS,...]",
     .help = "lets the chain from a node to the deepest node below it swing: a tail, hair. "
             "NODE:STIFFNESS,DAMPING,GRAVITY; default 400,8,0. Stiffness is in 1/s^2, damping in 1/s, gravity in the "
             "model's units/s^2. The chain starts at rest at 0 seconds"},
    {.name = NULL, .help = "springs"},
};

const Option COLLAPSE_OPTIONS[] = {
    {"collapse", OPTION_TEXT, "TIME[:NODE]",
     .help = "lets the character fall from its pose at TIME seconds, as a ragdoll, for later moments of --time and "
             "--sequence; with NODE only what is at or below this node. docs/poses.md describes it"},
    {.name = NULL, .help = "falls"},
};

const Option MACHINE_OPTIONS[] = {
    {"machine", OPTION_INPUT, "FILE.json",
     .help = "a state machine that plays the clips from 0 seconds on, instead of --clip. docs/poses.md describes "
             "the file",
     .content = OPTION_FOR_ALL},
    {"parameters", OPTION_TEXT, "[SECONDS:]NAME=W,...",
     .help = "sets parameters of the state machine, from the start or at a time", .content = OPTION_FOR_ALL},
    {.name = NULL, .help = "state machines"},
};

/* Copies the text up to `end`. False: it is empty or too long. */
static bool copyName(const char *text, const char *end, MotionName name) {
    const size_t length = (size_t)(end - text);
    if (length == 0 || length >= MOTION_NAME_SIZE) {
        return false;
    }
    memcpy(name, text, length);
    name[length] = '\0';
    return true;
}

/* `count` numbers with commas between them, up to the end of the text. */
static bool readNumbers(const char *text, float *numbers, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        numbers[i] = strtof(text, &end);
        if (end == text || !isfinite(numbers[i]) || *end != (i + 1 < count ? ',' : '\0')) {
            return false;
        }
        text = end + 1;
    }
    return true;
}

/* NAME:NUMBERS; the name may hold colons. */
static bool readPair(const Arguments *arguments, const char *option, MotionName name, float *numbers, int count,
                     EngineError *error) {
    const OptionValue *value = optionsValue(arguments, option);
    const char *colon = value->given ? strrchr(value->text, ':') : NULL;
    if (!value->given || (colon && copyName(value->text, colon, name) && readNumbers(colon + 1, numbers, count))) {
        return true;
    }
    static const char *const forms[] = {NULL, "CLIP:WEIGHT", "BONE:X,Y", "NODE:X,Y,Z"};
    return engineFail(error, "--%s '%s': not %s", option, value->text, forms[count]);
}

static bool checkWeight(const char *option, float weight, float least, EngineError *error) {
    return (weight >= least && weight <= 1.0f) ||
           engineFail(error, "--%s: the weight %g is not in %g to 1", option, (double)weight, (double)least);
}

/* One of the events between commas: [SECONDS:]NAME=W. */
static bool readEvent(const char *text, const char *end, MotionEvent *event) {
    const char *colon = memchr(text, ':', (size_t)(end - text));
    const char *equals = end;
    while (equals > text && *equals != '=') {
        equals--;
    }
    if (colon && colon < equals) {
        char *after;
        event->seconds = strtod(text, &after);
        if (after != colon || !(event->seconds >= 0.0) || !isfinite(event->seconds)) {
            return false;
        }
        text = colon + 1;
    }
    char *after;
    event->value = strtof(equals + (*equals == '='), &after);
    return *equals == '=' && after == end && after > equals + 1 && isfinite(event->value) && equals > text &&
           copyName(text, equals, event->name);
}

static bool readEvents(const Arguments *arguments, MotionChoice *choice, EngineError *error) {
    const OptionValue *value = optionsValue(arguments, "parameters");
    const char *text = value->given ? value->text : "";
    while (*text) {
        const char *end = text + strcspn(text, ",");
        if (choice->eventCount == MOTION_EVENTS_MAX) {
            return engineFail(error, "--parameters: more than %u", MOTION_EVENTS_MAX);
        }
        if (!readEvent(text, end, &choice->events[choice->eventCount++])) {
            return engineFail(error, "--parameters '%.*s': not [SECONDS:]NAME=W", (int)(end - text), text);
        }
        text = *end ? end + 1 : end;
    }
    return true;
}

/* A name may hold colons: what follows the last one are numbers if it is empty or begins like a number. */
static bool readSpring(const char *text, MotionSpringChoice *choice, EngineError *error) {
    static const struct {
        const char *name;
        float usual, least, most;
    } numbers[] = {{"stiffness", 400.0f, 0.0f, 1e6f}, {"damping", 8.0f, 0.0f, 1e4f}, {"gravity", 0.0f, -1e6f, 1e6f}};
    float *const places[] = {&choice->stiffness, &choice->damping, &choice->gravity};
    const char *colon = strrchr(text, ':');
    colon = colon && (colon[1] == '\0' || strchr("0123456789+-.,", colon[1])) ? colon : NULL;
    const char *next = colon ? colon + 1 : NULL;
    bool good = copyName(text, colon ? colon : text + strlen(text), choice->node);
    for (size_t i = 0; i < COUNT_OF(numbers) && good; i++) {
        char *end = NULL;
        *places[i] = next ? strtof(next, &end) : numbers[i].usual;
        good = end != next || !next;
        if (good && !(*places[i] >= numbers[i].least && *places[i] <= numbers[i].most)) {
            return engineFail(error, "--spring '%s': the %s is not in %.0f to %.0f", text, numbers[i].name,
                              (double)numbers[i].least, (double)numbers[i].most);
        }
        good = good && (!next || *end == '\0' || (*end == ',' && i + 1 < COUNT_OF(numbers)));
        next = next && good && *end == ',' ? end + 1 : NULL;
    }
    return good || engineFail(error, "--spring '%s': not NODE[:STIFFNESS[,DAMPING[,GRAVITY]]]", text);
}

static bool readCollapse(const Arguments *arguments, MotionChoice *choice, EngineError *error) {
    const OptionValue *value = optionsValue(arguments, "collapse");
    MotionName time;
    choice->collapses = value->given;
    if (!value->given) {
        return true;
    }
    const char *end = value->text + strcspn(value->text, ":");
    const bool good = copyName(value->text, end, time) && optionNumberParse(time, "s", &choice->collapseTime) &&
                      choice->collapseTime >= 0.0 && choice->collapseTime <= COLLAPSE_LAST &&
                      (*end == '\0' || copyName(end + 1, end + strlen(end), choice->collapseNode));
    return good || engineFail(error, "--collapse '%s': not TIME[:NODE], with a time of 0 to %.0f seconds", value->text,
                              COLLAPSE_LAST);
}

static bool readSprings(const Arguments *arguments, MotionChoice *choice, EngineError *error) {
    bool good = true;
    for (; choice->springCount < arguments->chainCount && good; choice->springCount++) {
        good = readSpring(arguments->chains[choice->springCount], &choice->springs[choice->springCount], error);
    }
    return good;
}

bool motionOptionsRead(const Arguments *arguments, MotionChoice *choice, EngineError *error) {
    const int reach = contentDimensions(arguments) == 2 ? 2 : 3;
    *choice = (MotionChoice){.machine = optionsValue(arguments, "machine")->text};
    if (choice->machine && (optionsValue(arguments, "clip")->given || optionsValue(arguments, "blend-clip")->given)) {
        return engineFail(error, "--machine chooses the clips: leave out --clip and --blend-clip");
    }
    if (!choice->machine && optionsValue(arguments, "parameters")->given) {
        return engineFail(error, "--parameters sets those of a --machine");
    }
    return readPair(arguments, "blend-clip", choice->blendClip, &choice->blendWeight, 1, error) &&
           readPair(arguments, "add-clip", choice->addClip, &choice->addWeight, 1, error) &&
           readPair(arguments, "reach", choice->reachNode, choice->reachTarget, reach, error) &&
           readPair(arguments, "look", choice->lookNode, choice->lookTarget, 3, error) &&
           checkWeight("blend-clip", choice->blendWeight, 0.0f, error) &&
           checkWeight("add-clip", choice->addWeight, -1.0f, error) && readEvents(arguments, choice, error) &&
           readSprings(arguments, choice, error) && readCollapse(arguments, choice, error);
}
