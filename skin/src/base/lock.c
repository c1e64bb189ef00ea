#include "lock.h"

/* ---- Of the system ---- */

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "a SRWLOCK is one word");
_Static_assert(sizeof(CONDITION_VARIABLE) == sizeof(void *), "a CONDITION_VARIABLE is one word");

static SRWLOCK *wordOf(Lock *lock) {
    return (SRWLOCK *)&lock->word;
}

bool sknInitLock(Lock *lock) {
    lock->word = NULL;
    return true;
}

void sknDestroyLock(Lock *lock) {
    (void)lock;
}

void sknLock(Lock *lock) {
    AcquireSRWLockExclusive(wordOf(lock));
}

void sknUnlock(Lock *lock) {
    ReleaseSRWLockExclusive(wordOf(lock));
}

static bool initSignal(Signal *signal) {
    signal->word = NULL;
    return true;
}

static void destroySignal(Signal *signal) {
    (void)signal;
}

/* With the lock held. It may return too early. */
static void waitFor(Signal *signal, Lock *lock) {
    (void)SleepConditionVariableSRW((CONDITION_VARIABLE *)&signal->word, wordOf(lock), INFINITE, 0);
}

static void give(Signal *signal) {
    WakeConditionVariable((CONDITION_VARIABLE *)&signal->word);
}

/* Always the same of a thread; threads that run at the same time mostly differ. A _Thread_local would need a DLL of the
 * compiler. */
static uint32_t threadNumber(void) {
    return (uint32_t)GetCurrentThreadId() / 4; /* they are multiples of 4 */
}

#else

bool sknInitLock(Lock *lock) {
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

void sknDestroyLock(Lock *lock) {
    (void)pthread_mutex_destroy(&lock->mutex);
}

/* Neither call can fail for a mutex of the default kind that the same thread locks and unlocks. The same is true below. */
void sknLock(Lock *lock) {
    (void)pthread_mutex_lock(&lock->mutex);
}

void sknUnlock(Lock *lock) {
    (void)pthread_mutex_unlock(&lock->mutex);
}

static bool initSignal(Signal *signal) {
    return pthread_cond_init(&signal->condition, NULL) == 0;
}

static void destroySignal(Signal *signal) {
    (void)pthread_cond_destroy(&signal->condition);
}

/* With the lock held. It may return too early. */
static void waitFor(Signal *signal, Lock *lock) {
    (void)pthread_cond_wait(&signal->condition, &lock->mutex);
}

static void give(Signal *signal) {
    (void)pthread_cond_signal(&signal->condition);
}

static uint32_t threadNumber(void) {
    static _Atomic uint32_t threads;
    static _Thread_local uint32_t number; /* from 1; 0: none yet */
    if (number == 0) {
        number = atomic_fetch_add_explicit(&threads, 1, memory_order_relaxed) + 1;
    }
    return number;
}

#endif

/* ---- Shared ---- */

/* On failure nothing is left. */
bool sknInitSharedLock(SharedLock *lock) {
    for (uint32_t i = 0; i < LOCK_LINES; i++) {
        atomic_init(&lock->lines[i].readers, 0);
    }
    atomic_init(&lock->wanted, 0);
    if (!sknInitLock(&lock->alone)) {
        return false;
    }
    if (sknInitLock(&lock->leaving)) {
        if (initSignal(&lock->left)) {
            return true;
        }
        sknDestroyLock(&lock->leaving);
    }
    sknDestroyLock(&lock->alone);
    return false;
}

void sknDestroySharedLock(SharedLock *lock) {
    destroySignal(&lock->left);
    sknDestroyLock(&lock->leaving);
    sknDestroyLock(&lock->alone);
}

/* The line in which this thread counts, in every lock. */
static _Atomic uint32_t *readersOf(SharedLock *lock) {
    return &lock->lines[threadNumber() % LOCK_LINES].readers;
}

/*
 * A thread counts first and looks at `wanted` then; one that wants the lock alone does the reverse. In the single order of
 * these operations at least one of the two sees the other.
 */
void sknLockShared(SharedLock *lock) {
    atomic_fetch_add(readersOf(lock), 1);
    if (atomic_load(&lock->wanted) == 0) {
        return;
    }
    sknUnlockShared(lock);
    sknLock(&lock->alone);
    atomic_fetch_add(readersOf(lock), 1);
    sknUnlock(&lock->alone);
}

void sknUnlockShared(SharedLock *lock) {
    atomic_fetch_sub(readersOf(lock), 1);
    if (atomic_load(&lock->wanted) != 0) {
        sknLock(&lock->leaving);
        give(&lock->left);
        sknUnlock(&lock->leaving);
    }
}

static bool isShared(SharedLock *lock) {
    for (uint32_t i = 0; i < LOCK_LINES; i++) {
        if (atomic_load(&lock->lines[i].readers) != 0) {
            return true;
        }
    }
    return false;
}

void sknLockAlone(SharedLock *lock) {
    sknLock(&lock->alone);
    atomic_store(&lock->wanted, 1);
    if (isShared(lock)) {
        sknLock(&lock->leaving);
        while (isShared(lock)) {
            waitFor(&lock->left, &lock->leaving);
        }
        sknUnlock(&lock->leaving);
    }
}

void sknUnlockAlone(SharedLock *lock) {
    atomic_store(&lock->wanted, 0);
    sknUnlock(&lock->alone);
}
