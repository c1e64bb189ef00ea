#include <stdio.h>
#include <string.h>

/* Built without hardening: copies an unknown length to the stack. */
int main(int argc, char **argv) {
    char text[16];
    strcpy(text, argv[argc - 1]);
    return puts(text) < 0;
}
