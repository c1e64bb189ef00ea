/* The main function of test programs that define none. */
#include "test.h"

int main(int argc, char **argv) {
    const char *slash = strrchr(argv[0], '/');
    return testRunGroup(slash != NULL ? slash + 1 : argv[0], argc > 1 ? argv[1] : NULL, NULL, NULL) != 0;
}
