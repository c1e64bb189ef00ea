/* Faults that check_dll.sh must detect: a name that no header declares, a POSIX function, an aligned stack. */
#include <sched.h>

void strayName(void);

void strayName(void) {
    (void)sched_yield();
    __asm__ volatile("vmovaps %%ymm0, (%%rsp)" ::: "memory");
}
