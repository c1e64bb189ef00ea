/*
 * run_command.h: runs the program under test and keeps all that it said; and folders for what it writes.
 */
#ifndef TEST_RUN_COMMAND_H
#define TEST_RUN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#define COMMAND_ARGUMENTS_MAX 32

typedef struct CommandRun {
    int status;   /* exit status; 128 + the signal's number when one ended it */
    char *output; /* standard output, ended by a zero */
    char *errors; /* standard error */
} CommandRun;

/*
 * Runs `vkskin` with these arguments, ended by null. Its environment is the test's, standard input is empty, both
 * outputs are no terminals. What fails here fails the test.
 */
CommandRun runCommand(const char *const *arguments);

/*
 * The backend that bake, render and crowd run with where their arguments have no --backend. Null: the program's default.
 * Tests of what these verbs compute run once with each backend: see runWithBackends.
 */
extern const char *commandBackend;

/* Runs all tests with "compute", then with "cpu" as commandBackend. Returns the number of failures. */
int runWithBackends(void);

/* RUN("info", path) */
#define RUN(...) runCommand((const char *const[]){__VA_ARGS__, NULL})

void commandRunFree(CommandRun *run);

/* A new empty folder below the system's place for temporary files, its path in `path` (at least 64 bytes). */
void makeFolder(char *path);

/* Entries in a folder, hidden ones too. */
int countEntries(const char *folder);

void removeFolder(const char *folder);

/* A whole file with a zero after it, to be freed; *size may be null. What fails fails the test. */
char *readWhole(const char *path, size_t *size);

void writeWhole(const char *path, const char *text);

#endif
