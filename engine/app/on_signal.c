#include "on_signal.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define SIGNAL_COUNT 4

static const int SIGNALS[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct sigaction former[SIGNAL_COUNT];
static OnSignalFn cleanUps[ON_SIGNAL_MAX];
static volatile sig_atomic_t cleanUpCount;
static pthread_t owner;

static void fillSet(sigset_t *set) {
    sigemptyset(set);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaddset(set, SIGNALS[i]);
    }
}

/* The signal comes again, to its former action, when the handler that calls this has returned. */
static void passOn(int number) {
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (SIGNALS[i] == number) {
            sigaction(number, &former[i], NULL);
        }
    }
    raise(number);
}

static void handle(int number) {
    int reason = errno;
    if (pthread_equal(pthread_self(), owner)) {
        for (int i = 0; i < cleanUpCount; i++) {
            cleanUps[i]();
        }
        passOn(number);
    } else {
        pthread_kill(owner, number);
    }
    errno = reason;
}

static void install(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    fillSet(&action.sa_mask);
    owner = pthread_self();
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (sigaction(SIGNALS[i], NULL, &former[i]) == 0 && former[i].sa_handler != SIG_IGN) {
            sigaction(SIGNALS[i], &action, NULL);
        }
    }
}

void onSignalAdd(OnSignalFn cleanUp) {
    for (int i = 0; i < cleanUpCount; i++) {
        if (cleanUps[i] == cleanUp) {
            return;
        }
    }
    assert(cleanUpCount < ON_SIGNAL_MAX);
    cleanUps[cleanUpCount] = cleanUp;
    if (cleanUpCount++ == 0) {
        install();
    }
}

void onSignalHold(sigset_t *before) {
    sigset_t held;
    fillSet(&held);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void onSignalRelease(const sigset_t *before) {
    pthread_sigmask(SIG_SETMASK, before, NULL);
}
