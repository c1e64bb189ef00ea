/*
 * lock.h: mutual exclusion, by what the system has: POSIX threads or Windows' slim locks.
 */
#ifndef VKSKIN_LOCK_H
#define VKSKIN_LOCK_H

#include <stdbool.h>

#if defined(_WIN32)
typedef struct Lock {
    void *word; /* a SRWLOCK: zero is a lock that nobody holds */
} Lock;
#else
#include <pthread.h>
typedef struct Lock {
    pthread_mutex_t mutex;
} Lock;
#endif

/* False where the system has no room for another one. */
bool sknInitLock(Lock *lock);
/* Nobody holds it. */
void sknDestroyLock(Lock *lock);

/* Waits until it is free. Not recursive. */
void sknLock(Lock *lock);
void sknUnlock(Lock *lock);

#endif
