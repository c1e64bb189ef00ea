#include "lock.h"

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "a SRWLOCK is one word");

static SRWLOCK *wordOf(Lock *lock) {
    return (SRWLOCK *)&lock->word;
}

bool sknInitLock(Lock *lock) {
    lock->word = NULL;
    return true;
}

bool sknInitSharedLock(SharedLock *lock) {
    return sknInitLock(lock);
}

void sknDestroyLock(Lock *lock) {
    (void)lock;
}

void sknDestroySharedLock(SharedLock *lock) {
    (void)lock;
}

void sknLock(Lock *lock) {
    AcquireSRWLockExclusive(wordOf(lock));
}

void sknUnlock(Lock *lock) {
    ReleaseSRWLockExclusive(wordOf(lock));
}

void sknLockShared(SharedLock *lock) {
    AcquireSRWLockShared(wordOf(lock));
}

void sknUnlockShared(SharedLock *lock) {
    ReleaseSRWLockShared(wordOf(lock));
}

void sknLockAlone(SharedLock *lock) {
    AcquireSRWLockExclusive(wordOf(lock));
}

void sknUnlockAlone(SharedLock *lock) {
    ReleaseSRWLockExclusive(wordOf(lock));
}

#else

bool sknInitLock(Lock *lock) {
    return pthread_mutex_init(&lock->mutex, NULL) == 0;
}

/* glibc's default lets readers pass a waiting writer for ever. */
bool sknInitSharedLock(SharedLock *lock) {
    pthread_rwlockattr_t attributes;
    if (pthread_rwlockattr_init(&attributes) != 0) {
        return false;
    }
#if defined(__GLIBC__)
    (void)pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
#endif
    bool made = pthread_rwlock_init(&lock->lock, &attributes) == 0;
    (void)pthread_rwlockattr_destroy(&attributes);
    return made;
}

void sknDestroyLock(Lock *lock) {
    (void)pthread_mutex_destroy(&lock->mutex);
}

void sknDestroySharedLock(SharedLock *lock) {
    (void)pthread_rwlock_destroy(&lock->lock);
}

/* Neither call can fail for a mutex of the default kind that the same thread locks and unlocks. The same is true below. */
void sknLock(Lock *lock) {
    (void)pthread_mutex_lock(&lock->mutex);
}

void sknUnlock(Lock *lock) {
    (void)pthread_mutex_unlock(&lock->mutex);
}

void sknLockShared(SharedLock *lock) {
    (void)pthread_rwlock_rdlock(&lock->lock);
}

void sknUnlockShared(SharedLock *lock) {
    (void)pthread_rwlock_unlock(&lock->lock);
}

void sknLockAlone(SharedLock *lock) {
    (void)pthread_rwlock_wrlock(&lock->lock);
}

void sknUnlockAlone(SharedLock *lock) {
    (void)pthread_rwlock_unlock(&lock->lock);
}

#endif
