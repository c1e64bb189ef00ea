/*
 * lock.h: a mutex: pthread_mutex_t, or an SRWLOCK on Windows.
 */
#ifndef VKSKIN_LOCK_H
#define VKSKIN_LOCK_H

#include <stdbool.h>

#if defined(_WIN32)
typedef struct Lock {
    void *word; /* an SRWLOCK; zero: not held */
} Lock;
#else
#include <pthread.h>
typedef struct Lock {
    pthread_mutex_t mutex;
} Lock;
#endif

/* False if the system cannot create another mutex. */
bool sknInitLock(Lock *lock);
/* The lock must not be held. */
void sknDestroyLock(Lock *lock);

/* Waits until the lock is free. Not recursive. */
void sknLock(Lock *lock);
void sknUnlock(Lock *lock);

#endif
