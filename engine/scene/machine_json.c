#include "machine_json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "count_of.h"

#define FIELD_SIZE 96

/* What is read, and where it is written. */
typedef struct Reader {
    const char *text, *path;
    const cJSON *root;
    const MachineClips *clips;
    EngineError *error;
    VkskinMachineDef def;
    VkskinParameter *parameters;
    VkskinState *states;
    VkskinTransition *transitions;
    VkskinStatePoint *points;    /* points of all states */
    VkskinCondition *conditions; /* conditions of all transitions */
    uint32_t pointCount, conditionCount;
} Reader;

/* ---- Messages ---- */

static uint32_t lineAt(const char *text, const char *at) {
    uint32_t line = 1;
    for (; text < at; text++) {
        line += *text == '\n';
    }
    return line;
}

/* How many values begin before `wanted`, in the order of the text. cJSON refuses texts that are nested more deeply. */
static size_t valuesBefore(const cJSON *root, const cJSON *wanted) {
    const cJSON *open[CJSON_NESTING_LIMIT + 1];
    uint32_t depth = 0;
    size_t count = 0;
    const cJSON *at = root;
    while (at != wanted) {
        count++;
        if (at->child) {
            open[depth++] = at;
            at = at->child;
            continue;
        }
        while (!at->next && depth > 0) {
            at = open[--depth];
        }
        if (!at->next) {
            break; /* the last one */
        }
        at = at->next;
    }
    return count;
}

static const char *skipString(const char *at) {
    for (at++; *at && *at != '"'; at++) {
        at += *at == '\\' && at[1] != '\0';
    }
    return *at ? at + 1 : at;
}

static const char *skipSpace(const char *at) {
    while (*at && (unsigned char)*at <= ' ') {
        at++;
    }
    return at;
}

/* The value number `index`, from 0, of a text that cJSON has accepted. */
static const char *valueAt(const char *text, size_t index) {
    const char *at = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* cJSON skips this mark too */
    while (*at) {
        at = skipSpace(at);
        if (*at == '\0' || strchr(",:]}", *at)) {
            at += *at != '\0';
            continue;
        }
        const char *end = *at == '"'                 ? skipString(at)
                          : *at == '{' || *at == '[' ? at + 1
                                                     : at + strcspn(at, ",]} \t\r\n");
        const bool name = *at == '"' && *skipSpace(end) == ':';
        if (!name && index-- == 0) {
            return at;
        }
        at = end > at ? end : at + 1;
    }
    return at;
}

/* item: where it is. field: its name. */
static bool fail(const Reader *reader, const cJSON *item, const char *field, const char *what, const char *detail) {
    const uint32_t line = lineAt(reader->text, valueAt(reader->text, valuesBefore(reader->root, item)));
    return engineFail(reader->error, "%.200s:%u: %s%s%s%s", reader->path, line, field, field[0] != '\0' ? ": " : "",
                      what, detail);
}

/* "OWNER.NAME", or "NAME" in the root. */
static void nameField(char field[FIELD_SIZE], const char *owner, const char *name) {
    snprintf(field, FIELD_SIZE, "%.50s%s%.40s", owner, owner[0] != '\0' ? "." : "", name);
}

/* name: a field of `owner`. */
static bool failIn(const Reader *reader, const cJSON *item, const char *owner, const char *name, const char *what,
                   const char *detail) {
    char field[FIELD_SIZE];
    nameField(field, owner, name);
    return fail(reader, item, field, what, detail);
}

static void nameElement(char element[FIELD_SIZE], const char *field, uint32_t index) {
    snprintf(element, FIELD_SIZE, "%.70s[%u]", field, index);
}

/* ---- Fields ---- */

/* Whether an object has only these fields, null-terminated, each once. */
static bool checkFields(const Reader *reader, const cJSON *object, const char *owner, const char *const *names) {
    if (!cJSON_IsObject(object)) {
        return fail(reader, object, owner, "must be an object", "");
    }
    const cJSON *member;
    cJSON_ArrayForEach(member, object) {
        uint32_t i = 0;
        while (names[i] && strcmp(names[i], member->string) != 0) {
            i++;
        }
        if (!names[i]) {
            return failIn(reader, member, owner, member->string, "unknown field", "");
        }
        if (cJSON_GetObjectItemCaseSensitive(object, member->string) != member) {
            return failIn(reader, member, owner, member->string, "given twice", "");
        }
    }
    return true;
}

/* A number that a float can hold; *value is the default. */
static bool readNumber(const Reader *reader, const cJSON *object, const char *owner, const char *name, bool required,
                       float *value) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        return !required || failIn(reader, object, owner, name, "missing", "");
    }
    if (!cJSON_IsNumber(item) || !isfinite((float)item->valuedouble)) {
        return failIn(reader, item, owner, name, "must be a finite number", "");
    }
    *value = (float)item->valuedouble;
    return true;
}

static bool readText(const Reader *reader, const cJSON *object, const char *owner, const char *name,
                     const cJSON **item) {
    *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!*item) {
        return failIn(reader, object, owner, name, "missing", "");
    }
    return (cJSON_IsString(*item) && (*item)->valuestring[0] != '\0') ||
           failIn(reader, *item, owner, name, "must be a text that is not empty", "");
}

/* One of some words; *choice is the default. */
static bool readChoice(const Reader *reader, const cJSON *object, const char *owner, const char *name,
                       const char *const *words, const char *allowed, uint32_t *choice) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    for (uint32_t i = 0; item && words[i]; i++) {
        if (cJSON_IsString(item) && strcmp(item->valuestring, words[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    return !item || failIn(reader, item, owner, name, "must be ", allowed);
}

/* Names in elements that are `stride` bytes apart. */
typedef struct NameList {
    const char *const *first;
    size_t stride;
    uint32_t count;
    const char *unknown; /* the message */
    bool any;            /* "any" is VKSKIN_ANY_STATE */
} NameList;

static bool findName(const Reader *reader, const cJSON *object, const char *owner, const char *field,
                     const NameList *names, uint32_t *index) {
    const cJSON *item;
    if (!readText(reader, object, owner, field, &item)) {
        return false;
    }
    const char *name = (const char *)names->first;
    for (*index = 0; *index < names->count; ++*index, name += names->stride) {
        if (strcmp(*(const char *const *)(const void *)name, item->valuestring) == 0) {
            return true;
        }
    }
    *index = VKSKIN_ANY_STATE;
    return (names->any && strcmp(item->valuestring, "any") == 0) ||
           failIn(reader, item, owner, field, names->unknown, item->valuestring);
}

static bool findClip(const Reader *reader, const cJSON *object, const char *owner, uint32_t *clip) {
    const NameList names = {reader->clips->names, sizeof(char *), reader->clips->count, "no such clip: ", false};
    return findName(reader, object, owner, "clip", &names, clip);
}

static bool findParameter(const Reader *reader, const cJSON *object, const char *owner, uint32_t *parameter) {
    const NameList names = {&reader->parameters->name, sizeof(VkskinParameter), reader->def.parameterCount,
                            "no such parameter: ", false};
    return findName(reader, object, owner, "parameter", &names, parameter);
}

static bool findState(const Reader *reader, const cJSON *object, const char *owner, const char *name, bool any,
                      uint32_t *state) {
    const NameList names = {&reader->states->name, sizeof(VkskinState), reader->def.stateCount, "no such state: ", any};
    return findName(reader, object, owner, name, &names, state);
}

/* ---- Parameters ---- */

static bool readParameters(Reader *reader) {
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(reader->root, "parameters");
    const cJSON *item;
    if (object && !cJSON_IsObject(object)) {
        return fail(reader, object, "parameters", "must be an object", "");
    }
    cJSON_ArrayForEach(item, object) {
        VkskinParameter *parameter = &reader->parameters[reader->def.parameterCount++];
        *parameter = (VkskinParameter){.name = item->string};
        parameter->trigger = cJSON_IsString(item) && strcmp(item->valuestring, "trigger") == 0;
        parameter->value = cJSON_IsNumber(item) ? (float)item->valuedouble : 0.0f;
        if ((!parameter->trigger && !cJSON_IsNumber(item)) || !isfinite(parameter->value)) {
            return failIn(reader, item, "parameters", item->string, "must be a finite number, or \"trigger\"", "");
        }
        if (cJSON_GetObjectItemCaseSensitive(object, item->string) != item) {
            return failIn(reader, item, "parameters", item->string, "given twice", "");
        }
    }
    return true;
}

/* ---- States ---- */

static bool readPoint(Reader *reader, const cJSON *item, const char *owner, const VkskinState *state) {
    static const char *const names[] = {"clip", "at", NULL};
    VkskinStatePoint *point = &reader->points[reader->pointCount++];
    if (!checkFields(reader, item, owner, names) || !findClip(reader, item, owner, &point->clip) ||
        !readNumber(reader, item, owner, "at", true, &point->value)) {
        return false;
    }
    return point == state->points || point->value > point[-1].value ||
           failIn(reader, cJSON_GetObjectItemCaseSensitive(item, "at"), owner, "at", "must be above the one before",
                  "");
}

static bool readBlend(Reader *reader, const cJSON *blend, const char *owner, VkskinState *state) {
    static const char *const names[] = {"parameter", "clips", NULL};
    const cJSON *clips = cJSON_GetObjectItemCaseSensitive(blend, "clips");
    const cJSON *item;
    char field[FIELD_SIZE];
    nameField(field, owner, "clips");
    if (!checkFields(reader, blend, owner, names) || !findParameter(reader, blend, owner, &state->parameter)) {
        return false;
    }
    if (!cJSON_IsArray(clips) || !clips->child) {
        return fail(reader, clips ? clips : blend, field, "must be an array of at least one clip", "");
    }
    cJSON_ArrayForEach(item, clips) {
        char element[FIELD_SIZE];
        nameElement(element, field, state->pointCount++);
        if (!readPoint(reader, item, element, state)) {
            return false;
        }
    }
    return true;
}

static bool readState(Reader *reader, const cJSON *item, uint32_t index) {
    static const char *const names[] = {"name", "clip", "blend", "speed", "play", NULL};
    static const char *const modes[] = {
        [VKSKIN_PLAY_LOOP] = "loop", [VKSKIN_PLAY_HOLD] = "hold", [VKSKIN_PLAY_ONCE] = "once", NULL};
    VkskinState *state = &reader->states[index];
    const cJSON *name;
    char owner[FIELD_SIZE], field[FIELD_SIZE];
    uint32_t mode = VKSKIN_PLAY_LOOP;
    nameElement(owner, "states", index);
    *state = (VkskinState){.points = &reader->points[reader->pointCount], .speed = 1.0f};
    if (!checkFields(reader, item, owner, names) || !readText(reader, item, owner, "name", &name) ||
        !readNumber(reader, item, owner, "speed", false, &state->speed) ||
        !readChoice(reader, item, owner, "play", modes, "\"loop\", \"hold\" or \"once\"", &mode)) {
        return false;
    }
    state->name = name->valuestring;
    state->mode = (VkskinPlayMode)mode;
    for (uint32_t i = 0; i < index; i++) {
        if (strcmp(reader->states[i].name, state->name) == 0) {
            return failIn(reader, name, owner, "name", "another state has this name", "");
        }
    }
    if (state->speed == 0.0f) {
        return failIn(reader, cJSON_GetObjectItemCaseSensitive(item, "speed"), owner, "speed", "must not be 0", "");
    }
    const cJSON *blend = cJSON_GetObjectItemCaseSensitive(item, "blend");
    if ((blend != NULL) == (cJSON_GetObjectItemCaseSensitive(item, "clip") != NULL)) {
        return fail(reader, item, owner, "needs either a clip or a blend", "");
    }
    nameField(field, owner, "blend");
    if (blend) {
        return readBlend(reader, blend, field, state);
    }
    state->pointCount = 1;
    return findClip(reader, item, owner, &reader->points[reader->pointCount++].clip);
}

/* ---- Transitions ---- */

/* {"parameter": NAME} alone: the parameter is not 0, for triggers. */
static bool readCondition(Reader *reader, const cJSON *item, const char *owner) {
    static const char *const names[] = {"parameter", "above", "below", "equal", "not", NULL};
    static const VkskinCompare compares[] = {VKSKIN_COMPARE_GREATER, VKSKIN_COMPARE_LESS, VKSKIN_COMPARE_EQUAL,
                                             VKSKIN_COMPARE_NOT_EQUAL};
    VkskinCondition *condition = &reader->conditions[reader->conditionCount++];
    uint32_t given = 0;
    *condition = (VkskinCondition){.compare = VKSKIN_COMPARE_NOT_EQUAL};
    if (!checkFields(reader, item, owner, names) || !findParameter(reader, item, owner, &condition->parameter)) {
        return false;
    }
    for (uint32_t i = 0; i < COUNT_OF(compares); i++) {
        if (cJSON_GetObjectItemCaseSensitive(item, names[i + 1])) {
            condition->compare = compares[i];
            given++;
            if (!readNumber(reader, item, owner, names[i + 1], true, &condition->value)) {
                return false;
            }
        }
    }
    return given <= 1 || fail(reader, item, owner, "has more than one comparison", "");
}

static bool readConditions(Reader *reader, const cJSON *transition, const char *owner, VkskinTransition *read) {
    const cJSON *when = cJSON_GetObjectItemCaseSensitive(transition, "when");
    const cJSON *item;
    char field[FIELD_SIZE];
    nameField(field, owner, "when");
    if (when && !cJSON_IsArray(when)) {
        return fail(reader, when, field, "must be an array", "");
    }
    cJSON_ArrayForEach(item, when) {
        char element[FIELD_SIZE];
        nameElement(element, field, read->conditionCount++);
        if (!readCondition(reader, item, element)) {
            return false;
        }
    }
    return true;
}

static bool readTransition(Reader *reader, const cJSON *item, uint32_t index) {
    static const char *const names[] = {"from", "to", "seconds", "fade", "exit", "whole", "when", NULL};
    static const char *const fades[] = {[VKSKIN_FADE_LINEAR] = "linear", [VKSKIN_FADE_SMOOTH] = "smooth", NULL};
    VkskinTransition *read = &reader->transitions[index];
    char owner[FIELD_SIZE];
    uint32_t fade = VKSKIN_FADE_LINEAR;
    nameElement(owner, "transitions", index);
    *read = (VkskinTransition){.conditions = &reader->conditions[reader->conditionCount]};
    if (!checkFields(reader, item, owner, names) || !findState(reader, item, owner, "from", true, &read->from) ||
        !findState(reader, item, owner, "to", false, &read->to) ||
        !readNumber(reader, item, owner, "seconds", false, &read->duration) ||
        !readNumber(reader, item, owner, "exit", false, &read->exitTime) ||
        !readChoice(reader, item, owner, "fade", fades, "\"linear\" or \"smooth\"", &fade)) {
        return false;
    }
    read->fade = (VkskinFade)fade;
    const cJSON *whole = cJSON_GetObjectItemCaseSensitive(item, "whole");
    read->whole = cJSON_IsTrue(whole);
    const float numbers[] = {read->duration, read->exitTime};
    static const char *const fields[] = {"seconds", "exit"};
    for (int i = 0; i < 2; i++) {
        if (numbers[i] < 0.0f) {
            return failIn(reader, cJSON_GetObjectItemCaseSensitive(item, fields[i]), owner, fields[i],
                          "must not be negative", "");
        }
    }
    if (whole && !cJSON_IsBool(whole)) {
        return failIn(reader, whole, owner, "whole", "must be true or false", "");
    }
    return readConditions(reader, item, owner, read);
}

/* ---- The text ---- */

/* An array of the root; null if it is missing and not required. */
static bool readArray(const Reader *reader, const char *name, bool required, const cJSON **array) {
    *array = cJSON_GetObjectItemCaseSensitive(reader->root, name);
    if (!*array && required) {
        return fail(reader, reader->root, name, "missing", "");
    }
    if (*array && (!cJSON_IsArray(*array) || (required && !(*array)->child))) {
        return fail(reader, *array, name, required ? "must be an array that is not empty" : "must be an array", "");
    }
    return true;
}

static bool readAll(Reader *reader) {
    static const char *const names[] = {"parameters", "start", "states", "transitions", NULL};
    const cJSON *states, *transitions, *item;
    if (!checkFields(reader, reader->root, "", names) || !readParameters(reader) ||
        !readArray(reader, "states", true, &states) || !readArray(reader, "transitions", false, &transitions)) {
        return false;
    }
    cJSON_ArrayForEach(item, states) {
        if (!readState(reader, item, reader->def.stateCount)) {
            return false;
        }
        reader->def.stateCount++;
    }
    cJSON_ArrayForEach(item, transitions) {
        if (!readTransition(reader, item, reader->def.transitionCount)) {
            return false;
        }
        reader->def.transitionCount++;
    }
    return !cJSON_GetObjectItemCaseSensitive(reader->root, "start") ||
           findState(reader, reader->root, "", "start", false, &reader->def.start);
}

static void complainOfDef(void *user, VkskinResult result, const char *message) {
    const Reader *reader = user;
    engineFail(reader->error, "%.200s: %s (%s)", reader->path, message, vkskinResultName(result));
}

/* Each array has room for every value of the text: none can have more elements. */
static VkskinMachine makeMachine(Reader *reader, size_t room) {
    VkskinMachine machine = NULL;
    reader->parameters = engineAllocate(room, sizeof *reader->parameters, reader->error);
    reader->states = engineAllocate(room, sizeof *reader->states, reader->error);
    reader->transitions = engineAllocate(room, sizeof *reader->transitions, reader->error);
    reader->points = engineAllocate(room, sizeof *reader->points, reader->error);
    reader->conditions = engineAllocate(room, sizeof *reader->conditions, reader->error);
    if (reader->parameters && reader->states && reader->transitions && reader->points && reader->conditions &&
        readAll(reader)) {
        reader->def.clipCount = reader->clips->count;
        reader->def.clipDurations = reader->clips->durations;
        reader->def.parameters = reader->parameters;
        reader->def.states = reader->states;
        reader->def.transitions = reader->transitions;
        reader->def.logger = (VkskinLogger){complainOfDef, reader};
        (void)vkskinCreateMachine(&reader->def, &machine); /* null: complainOfDef has the reason */
    }
    free(reader->parameters);
    free(reader->states);
    free(reader->transitions);
    free(reader->points);
    free(reader->conditions);
    return machine;
}

VkskinMachine machineParse(const char *text, const char *path, const MachineClips *clips, EngineError *error) {
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithOpts(text, &end, true);
    if (!root) {
        engineFail(error, "%.200s:%u: no JSON", path, lineAt(text, end ? end : text));
        return NULL;
    }
    Reader reader = {.text = text, .path = path, .root = root, .clips = clips, .error = error};
    reader.def = vkskinDefaultMachineDef();
    const size_t values = valuesBefore(root, NULL);
    VkskinMachine machine = NULL;
    if (values > MACHINE_VALUES_MAX) {
        engineFail(error, "%.200s: more than %u values", path, MACHINE_VALUES_MAX);
    } else {
        machine = makeMachine(&reader, values);
    }
    cJSON_Delete(root);
    return machine;
}

VkskinMachine machineRead(const char *path, const MachineClips *clips, EngineError *error) {
    struct stat info;
    char *text = calloc(MACHINE_TEXT_MAX + 1, 1);
    VkskinMachine machine = NULL;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        engineFail(error, "%.400s: not a regular file", path);
        free(text);
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    const size_t length = file && text ? fread(text, 1, MACHINE_TEXT_MAX + 1, file) : 0;
    if (!text) {
        engineFail(error, "out of memory");
    } else if (!file || ferror(file)) {
        engineFail(error, "%.300s: cannot be read: %s", path, strerror(errno));
    } else if (length > MACHINE_TEXT_MAX) {
        engineFail(error, "%.400s: larger than 1 MiB", path);
    } else if (strlen(text) != length) {
        engineFail(error, "%.400s: has a zero byte, so it is no text", path);
    } else {
        machine = machineParse(text, path, clips, error);
    }
    if (file) {
        fclose(file);
    }
    free(text);
    return machine;
}
