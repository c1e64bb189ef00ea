/*
 * child.h: a program that runs beside the test, and what it prints. Failures fail the running test.
 */
#ifndef TESTS_CHILD_H
#define TESTS_CHILD_H

#include <sys/types.h>

#define CHILD_OUTPUT_SIZE 65536

typedef struct Child {
    pid_t pid; /* 0: none runs */
    int output;
    char text[CHILD_OUTPUT_SIZE]; /* standard output and error so far */
    size_t length;
} Child;

/* Starts arguments[0], found by PATH; the list ends with null. It dies with the test. */
void childStart(Child *child, const char *const *arguments);

/* Ends and reaps it. One that does not run is allowed. */
void childKill(Child *child);

/* Reads until `text` was printed; fails after `seconds`, or when the program ends without it. */
void childExpect(Child *child, const char *text, double seconds);

/* Reads for `seconds`; fails when the program ends. */
void childLetRun(Child *child, double seconds);

/* Reads until it ends by itself, and returns its exit status; fails after `seconds`, or when a signal ended it. */
int childWait(Child *child, double seconds);

/* Forgets what was printed so far. */
void childForget(Child *child);

/* How often `text` was printed. */
int childCount(const Child *child, const char *text);

/* Seconds of processor time that it used so far, all threads. */
double childProcessorTime(const Child *child);

/* Seconds of the monotonic clock. */
double childNow(void);

#endif
