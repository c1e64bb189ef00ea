/*
 * keep_modules.c: joins `vkskin` in builds with sanitizers, so that no shared object is unloaded. A driver that has
 * gone when leaks are looked for cannot be named, and the suppressions, which name drivers alone, would not find it.
 */
#include <dlfcn.h>

int dlclose(void *handle) {
    (void)handle;
    return 0;
}
