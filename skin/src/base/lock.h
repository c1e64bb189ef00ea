/*
 * lock.h: two kinds of locks. Lock: a mutex. SharedLock: held by many threads shared, or by one alone. POSIX threads, or
 * an SRWLOCK on Windows.
 *
 * Threads that take a SharedLock shared count in cache lines of their own, so that they do not wait for each other's
 * memory. Taking it alone costs a look at all of these lines.
 */
#ifndef VKSKIN_LOCK_H
#define VKSKIN_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(_WIN32)
typedef struct Lock {
    void *word; /* SRWLOCK; zero: not held */
} Lock;
typedef struct Signal {
    void *word; /* CONDITION_VARIABLE */
} Signal;
#else
#include <pthread.h>
typedef struct Lock {
    pthread_mutex_t mutex;
} Lock;
typedef struct Signal {
    pthread_cond_t condition;
} Signal;
#endif

/* Threads share lines if there are more of them. */
#define LOCK_LINES 16u

typedef struct ReaderLine {
    _Atomic uint32_t readers; /* threads of this line that hold the lock shared, or are about to wait */
    unsigned char rest[124];  /* processors fetch lines in pairs */
} ReaderLine;

typedef struct SharedLock {
    unsigned char before[128]; /* other data must not share the first line */
    ReaderLine lines[LOCK_LINES];
    _Atomic uint32_t wanted; /* 1: a thread holds the lock alone, or waits until no other holds it */
    Lock alone;              /* held by that thread; others wait here */
    Lock leaving;            /* for `left` */
    Signal left;             /* signalled when a thread that held the lock shared has left */
} SharedLock;

/* False if the system cannot create another lock. */
bool sknInitLock(Lock *lock);
bool sknInitSharedLock(SharedLock *lock);
/* The lock must not be held. */
void sknDestroyLock(Lock *lock);
void sknDestroySharedLock(SharedLock *lock);

/* Waits until the lock is free. Not recursive. */
void sknLock(Lock *lock);
void sknUnlock(Lock *lock);

/* Waits until no thread holds the lock alone, or waits to do so. Not recursive. */
void sknLockShared(SharedLock *lock);
void sknUnlockShared(SharedLock *lock);

/* Waits until no other thread holds the lock. Not recursive. */
void sknLockAlone(SharedLock *lock);
void sknUnlockAlone(SharedLock *lock);

#endif
