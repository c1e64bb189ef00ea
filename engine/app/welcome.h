/* welcome.h: what `vkskin` shows without arguments. */
#ifndef APP_WELCOME_H
#define APP_WELCOME_H

#include <stdio.h>

/*
 * Prints five commands for a model at hand: the first one of the current folder by name, else one of the Debian package
 * assimp-testmodels, else builtin:strip.
 */
void welcomePrint(FILE *file);

#endif
