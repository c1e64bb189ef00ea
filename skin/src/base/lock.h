/*
 * lock.h: two kinds of locks. Lock: a mutex. SharedLock: held by many threads shared, or by one alone. POSIX threads, or
 * an SRWLOCK on Windows.
 */
#ifndef VKSKIN_LOCK_H
#define VKSKIN_LOCK_H

#include <stdbool.h>

#if defined(_WIN32)
typedef struct Lock {
    void *word; /* an SRWLOCK; zero: not held */
} Lock;
typedef Lock SharedLock;
#else
#include <pthread.h>
typedef struct Lock {
    pthread_mutex_t mutex;
} Lock;
typedef struct SharedLock {
    pthread_rwlock_t lock;
} SharedLock;
#endif

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
