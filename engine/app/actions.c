#include "actions.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "option_values.h"

/* ---- Tables ---- */

void actionsAdd(ActionTable *table, const Action *actions, uint32_t count, void *user) {
    for (uint32_t i = 0; i < count; i++) {
        table->rows[table->count++] = (ActionRow){&actions[i], user};
    }
}

/* Whether `names`, with spaces between them, hold `name`. */
static bool listHolds(const char *names, const char *name) {
    const size_t length = strlen(name);
    while (names && *names) {
        const size_t size = strcspn(names, " ");
        if (size == length && strncmp(names, name, size) == 0) {
            return true;
        }
        names += size + (names[size] == ' ');
    }
    return false;
}

const ActionRow *actionsFind(const ActionTable *table, const char *word) {
    const ActionRow *row = table->rows, *end = row + table->count;
    while (row < end && strcmp(row->action->word, word) != 0) {
        row++;
    }
    return row < end ? row : NULL;
}

const ActionRow *actionsFindKey(const ActionTable *table, const char *key) {
    const ActionRow *row = table->rows, *end = row + table->count;
    while (row < end && !listHolds(row->action->keys, key)) {
        row++;
    }
    return row < end ? row : NULL;
}

static bool refuseWord(const ActionTable *table, const char *word, EngineError *error) {
    const char *words[ACTIONS_MAX];
    const Names names = {words, sizeof words[0], table->count};
    char hint[NAME_HINT_SIZE];
    for (uint32_t i = 0; i < table->count; i++) {
        words[i] = table->rows[i].action->word;
    }
    nameHint(hint, &names, word, "the key h, or the action help, prints all");
    return engineFail(error, "no action '%.100s'; %s", word, hint);
}

void actionsPrint(const ActionTable *table, FILE *file) {
    for (uint32_t i = 0; i < table->count; i++) {
        const Action *action = table->rows[i].action;
        const int length = fprintf(file, "%-8s  %s %s", action->keys ? action->keys : "", action->word,
                                   action->example ? action->example : "");
        fprintf(file, "%*s  %s\n", length < 36 ? 36 - length : 0, "", action->help);
    }
    fflush(file);
}

/* ---- Values ---- */

/* Finite, up to a character or the end of the text. *text: receives what is behind it. */
static bool readNumber(const char **text, char end, float *number) {
    char *rest;
    *number = strtof(*text, &rest);
    const bool good = rest != *text && *rest == end && isfinite(*number);
    *text = rest + (*rest != '\0');
    return good;
}

bool actionSetting(ActionValue *value, EngineError *error) {
    const char *equals = strrchr(value->text, '=');
    const char *rest = equals ? equals + 1 : "";
    float number;
    if (!readNumber(&rest, '\0', &number) || equals == value->text) {
        return engineFail(error, "'%.100s' is not NAME=NUMBER", value->text);
    }
    value->number = (double)number;
    snprintf(value->name, sizeof value->name, "%.*s", (int)(equals - value->text), value->text);
    return true;
}

bool actionColour(ActionValue *value, EngineError *error) {
    static const Option option = {.name = "colour", .kind = OPTION_COLOUR};
    OptionValue read = {0};
    const bool good = optionValueParse(&option, value->text, &read);
    value->colour = read.colour;
    return good || engineFail(error, "'%.100s' is no colour, such as 404040, or none", value->text);
}

bool actionPlace(ActionValue *value, EngineError *error) {
    const char *rest = value->text;
    const float *at = value->place;
    return (readNumber(&rest, ',', &value->place[0]) && readNumber(&rest, '\0', &value->place[1]) && at[0] >= 0.0f &&
            at[0] <= 1.0f && at[1] >= 0.0f && at[1] <= 1.0f) ||
           engineFail(error, "'%.100s' is not X,Y: two shares of the picture, 0 to 1", value->text);
}

static bool readName(const Action *action, const Names *names, ActionValue *value, EngineError *error) {
    char hint[NAME_HINT_SIZE];
    value->index = strcmp(value->text, "none") == 0 ? ACTION_NONE : nameOrIndexFind(names, value->text);
    if (value->index < names->count || value->index == ACTION_NONE) {
        return true;
    }
    nameHint(hint, names, value->text, "'vkskin info' lists them");
    return engineFail(error, "'%s' finds no '%.100s'; %s", action->word, value->text, hint);
}

static bool readRange(const Action *action, ActionValue *value, EngineError *error) {
    char *end;
    value->number = strtod(value->text, &end);
    return (end != value->text && *end == '\0' && value->number >= action->minimum &&
            value->number <= action->maximum) ||
           engineFail(error, "'%s' takes a number from %g to %g, not '%.100s'", action->word, action->minimum,
                      action->maximum, value->text);
}

/* Reads the value of an action. text: "" without one. user: null: names are not looked up. */
static bool readValue(const Action *action, const void *user, const char *text, ActionValue *value,
                      EngineError *error) {
    *value = (ActionValue){.text = text, .number = action->minimum};
    if ((action->example != NULL) != (text[0] != '\0')) {
        return action->example ? engineFail(error, "'%s' needs a value, such as '%s %s'", action->word, action->word,
                                            action->example)
                               : engineFail(error, "'%s' takes no value, not '%.100s'", action->word, text);
    }
    if (action->read) {
        return action->read(value, error);
    }
    if (action->names && user) {
        const Names names = action->names(user);
        return readName(action, &names, value, error);
    }
    return !action->example || action->minimum >= action->maximum || readRange(action, value, error);
}

/* The row of a word, with its value. Null: *error. */
static const ActionRow *require(const ActionTable *table, const char *word, const char *text, ActionValue *value,
                                EngineError *error) {
    const ActionRow *row = actionsFind(table, word);
    if (!row) {
        refuseWord(table, word, error);
    }
    return row && readValue(row->action, row->user, text, value, error) ? row : NULL;
}

static bool check(const ActionRow *row, const ActionValue *value, EngineError *error) {
    return row && (!row->action->check || row->action->check(row->user, value, error));
}

bool actionsRun(const ActionTable *table, const char *word, const char *text, EngineError *error) {
    ActionValue value;
    const ActionRow *row = require(table, word, text ? text : "", &value, error);
    if (!check(row, &value, error)) {
        return false;
    }
    if (row->action->act) {
        row->action->act(row->user, &value);
    }
    return row->action->act || row->action->run(row->user, &value, error);
}

/* ---- Scripts ---- */

static bool readText(const char *path, Script *script, EngineError *error) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return engineFail(error, "%.300s: %s", path, strerror(errno));
    }
    script->text = engineAllocate(SCRIPT_BYTES_MAX + 2, 1, error);
    const size_t size = script->text ? fread(script->text, 1, SCRIPT_BYTES_MAX + 1, file) : 0;
    const bool good = script->text && (!ferror(file) || engineFail(error, "%.300s: it cannot be read", path));
    fclose(file);
    return good && (size <= SCRIPT_BYTES_MAX || engineFail(error, "%.300s: a script has at most 1 MiB", path)) &&
           (strlen(script->text) == size || engineFail(error, "%.300s: no script: it holds a zero byte", path));
}

/* Cuts blanks at both ends. */
static char *trim(char *text) {
    static const char blanks[] = " \t\r";
    text += strspn(text, blanks);
    size_t length = strlen(text);
    while (length > 0 && strchr(blanks, text[length - 1])) {
        length--;
    }
    text[length] = '\0';
    return text;
}

/* Adds a line, cut at its word. */
static bool addLine(Script *script, const ActionTable *table, uint32_t number, char *text, EngineError *error) {
    ActionValue value;
    char *word = trim(text), *rest = word + strcspn(word, " \t");
    if (word[0] == '\0' || word[0] == '#') {
        return true;
    }
    if (*rest) {
        *rest = '\0';
        rest = trim(rest + 1);
    }
    script->lines[script->lineCount++] = (ScriptLine){number, word, rest};
    script->next = script->lineCount;
    return ((strlen(rest) < ACTION_VALUE_SIZE || engineFail(error, "the value is too long")) &&
            require(table, word, rest, &value, error)) ||
           scriptFail(script, error);
}

bool scriptRead(const char *path, const ActionTable *table, Script *script, EngineError *error) {
    *script = (Script){.path = path};
    if (!readText(path, script, error)) {
        return false;
    }
    script->lines = engineAllocate(SCRIPT_LINES_MAX, sizeof *script->lines, error);
    bool good = script->lines != NULL;
    char *text = script->text;
    for (uint32_t number = 1; good && text; number++) {
        char *next = strchr(text, '\n');
        if (next) {
            *next++ = '\0';
        }
        good = (number <= SCRIPT_LINES_MAX ||
                engineFail(error, "%.300s: a script has at most %u lines", path, SCRIPT_LINES_MAX)) &&
               addLine(script, table, number, text, error);
        text = next;
    }
    script->next = 0;
    return good;
}

bool scriptCheck(const Script *script, const ActionTable *table, const char *until, EngineError *error) {
    Script at = *script;
    for (at.next = script->next + 1; at.next <= at.lineCount; at.next++) {
        const ScriptLine *line = &script->lines[at.next - 1];
        ActionValue value;
        const ActionRow *row = require(table, line->word, line->value, &value, error);
        if (!check(row, &value, error)) {
            return scriptFail(&at, error);
        }
        if (listHolds(until, line->word)) {
            return true;
        }
    }
    return true;
}

void scriptFree(Script *script) {
    free(script->text);
    free(script->lines);
    *script = (Script){0};
}

bool scriptFail(const Script *script, EngineError *error) {
    char where[400];
    snprintf(where, sizeof where, "%.300s:%u", script->path, script->lines[script->next - 1].number);
    return engineFailAt(error, where);
}
