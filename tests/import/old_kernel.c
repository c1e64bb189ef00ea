/*
 * old_kernel.c: old_kernel landlock|seccomp COMMAND...: runs the command as on a kernel without that layer of the sandbox.
 * The calls that would find the layer fail as they do there. VKSKIN_TEST_MISSING names it for the command.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

static bool refuse(scmp_filter_ctx filter, const char *layer) {
    if (strcmp(layer, "landlock") == 0) {
        return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0) == 0;
    }
    return seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(seccomp), 0) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                            SCMP_A0(SCMP_CMP_EQ, PR_GET_SECCOMP, 0)) == 0 &&
           seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                            SCMP_A0(SCMP_CMP_EQ, PR_SET_SECCOMP, 0)) == 0;
}

int main(int count, char **texts) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (count < 3 || !filter || !refuse(filter, texts[1]) || seccomp_load(filter) != 0) {
        fputs("old_kernel: not possible\n", stderr);
        return EXIT_FAILURE;
    }
    seccomp_release(filter);
    setenv("VKSKIN_TEST_MISSING", texts[1], 1);
    execvp(texts[2], texts + 2);
    perror(texts[2]);
    return EXIT_FAILURE;
}
