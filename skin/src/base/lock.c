#include "lock.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "a SRWLOCK is one word");

bool sknInitLock(Lock *lock) {
    lock->word = NULL;
    return true;
}

void sknDestroyLock(Lock *lock) {
    (void)lock;
}

void sknLock(Lock *lock) {
    AcquireSRWLockExclusive((SRWLOCK *)&lock->word);
}

void sknUnlock(Lock *lock) {
    ReleaseSRWLockExclusive((SRWLOCK *)&lock->word);
}

#else

bool sknInitLock(Lock *lock) {
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

void sknDestroyLock(Lock *lock) {
    (void)pthread_mutex_destroy(&lock->mutex);
}

/* Neither call can fail for a mutex of the default kind that the same thread locks and unlocks. */
void sknLock(Lock *lock) {
    (void)pthread_mutex_lock(&lock->mutex);
}

void sknUnlock(Lock *lock) {
    (void)pthread_mutex_unlock(&lock->mutex);
}

#endif
