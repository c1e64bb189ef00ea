/*
 * actions.h: what a user of the viewer can do, as tables. A row drives a key, a panel's item, a line of the help and a line
 * of a script.
 *
 * A script has one action per line: its word, then its value if it takes one. Lines that are empty or begin with # do nothing.
 */
#ifndef APP_ACTIONS_H
#define APP_ACTIONS_H

#include <stdio.h>

#include "engine_error.h"
#include "near_names.h"
#include "option.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACTION_VALUE_SIZE 1024 /* bytes of a value, with its zero */
#define ACTION_NONE       UINT32_MAX
#define SCRIPT_LINES_MAX  65536u
#define SCRIPT_BYTES_MAX  (1u << 20)

typedef struct ActionValue {
    const char *text;             /* as it was written; "" for an action without a value */
    double number;                /* also of a setting */
    uint32_t index;               /* with Action.names; ACTION_NONE: "none" */
    uint32_t colour;              /* by actionColour: 0xRRGGBB or OPTION_COLOUR_NONE */
    float place[2];               /* by actionPlace: shares of the picture from the upper left */
    char name[ACTION_VALUE_SIZE]; /* by actionSetting */
} ActionValue;

/* False, with *error: nothing has changed. */
typedef bool (*ActionFn)(void *user, const ActionValue *value, EngineError *error);

/* The text is a number if there is a range, one of the names if there are some, what `read` takes, or any text. */
typedef struct Action {
    const char *word; /* lower case, with hyphens */
    const char *keys; /* window.h names them, with spaces between; null: none. Only actions without a value have some */
    const char *example;     /* some value that every model has, as a user writes it; null: the action takes no value */
    const char *help;        /* phrase */
    double minimum, maximum; /* inclusive; both 0: no number. Without a value the minimum is the number */
    Names (*names)(const void *user);
    bool (*read)(ActionValue *value, EngineError *error); /* reads the text of the value */
    void (*act)(void *user, const ActionValue *value);    /* what it does */
    ActionFn run;                                         /* the same, where it can fail */
    ActionFn check; /* null, or whether a value will do; only reads `user`. Before it runs, and before the window */
} Action;

/* Values of Action.read: NAME=NUMBER, split at the last '=', the number finite as a float; a colour; X,Y. */
bool actionSetting(ActionValue *value, EngineError *error);
bool actionColour(ActionValue *value, EngineError *error);
bool actionPlace(ActionValue *value, EngineError *error);

/* An action, and what it is for. */
typedef struct ActionRow {
    const Action *action;
    void *user;
} ActionRow;

#define ACTIONS_MAX 128u

/* Words and keys are unique. */
typedef struct ActionTable {
    ActionRow rows[ACTIONS_MAX];
    uint32_t count;
} ActionTable;

/* The actions are borrowed. At most ACTIONS_MAX. */
void actionsAdd(ActionTable *table, const Action *actions, uint32_t count, void *user);

/* Null: there is none. */
const ActionRow *actionsFind(const ActionTable *table, const char *word);
const ActionRow *actionsFindKey(const ActionTable *table, const char *key);

/* Runs the action of a word. value: as in a script, or null. The error names the word where the value will not do. */
bool actionsRun(const ActionTable *table, const char *word, const char *value, EngineError *error);

/* A line for each action: keys, word with its example, help. */
void actionsPrint(const ActionTable *table, FILE *file);

/* ---- Scripts ---- */

typedef struct ScriptLine {
    uint32_t number;          /* from 1 */
    const char *word, *value; /* value: "" without one */
} ScriptLine;

typedef struct Script {
    const char *path; /* as it was given; borrowed */
    char *text;
    ScriptLine *lines; /* [lineCount] */
    uint32_t lineCount;
    uint32_t next;  /* line to run next */
    uint32_t waits; /* frames to show before it */
} Script;

/*
 * Reads a file. "PATH:LINE: why" on failure: no such action, no value or one too many, one that cannot be read. Names are looked
 * up when an action is checked or runs. scriptFree also after a failure.
 */
bool scriptRead(const char *path, const ActionTable *table, Script *script, EngineError *error);

/*
 * Whether the values of lines that are still to run will do, as Action.check tests: up to one of the actions `until`, words with
 * spaces between them, which change what the values behind them are for.
 */
bool scriptCheck(const Script *script, const ActionTable *table, const char *until, EngineError *error);

/* A zero one is allowed. */
void scriptFree(Script *script);

/* Puts "PATH:LINE: " of the line that ran last before the message. Returns false. */
bool scriptFail(const Script *script, EngineError *error);

#ifdef __cplusplus
}
#endif

#endif
