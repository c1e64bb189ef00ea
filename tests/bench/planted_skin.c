/*
 * planted_skin.c: a bench whose library makes mistakes, by the environment variable PLANTED: "swapped", two characters
 * get each other's palette; "skipped", one character is skinned the first time alone.
 */
#include <stdlib.h>
#include <string.h>

#include "vkskin/vkskin.h"

VkskinResult __real_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results);
VkskinResult __wrap_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results);

static VkskinResult skinSwapped(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                VkskinResult *results) {
    VkskinSkinCommand *changed = malloc(count * sizeof *changed);
    if (!changed) {
        return VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    }
    memcpy(changed, commands, count * sizeof *changed);
    changed[3].palette = commands[4].palette;
    changed[4].palette = commands[3].palette;
    VkskinResult result = __real_vkskinSkinInstances(context, changed, count, results);
    free(changed);
    return result;
}

VkskinResult __wrap_vkskinSkinInstances(VkskinContext context, const VkskinSkinCommand *commands, uint32_t count,
                                        VkskinResult *results) {
    const char *planted = getenv("PLANTED");
    VkskinStats stats;
    if (planted && strcmp(planted, "swapped") == 0) {
        return skinSwapped(context, commands, count, results);
    }
    bool later = vkskinGetStats(context, &stats) >= 0 && stats.frame > 1;
    bool skips = later && planted && strcmp(planted, "skipped") == 0;
    return __real_vkskinSkinInstances(context, commands, skips ? count - 1 : count, results);
}
