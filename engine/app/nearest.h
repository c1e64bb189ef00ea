/*
 * nearest.h: which known word did a user mean.
 */
#ifndef CONSOLE_NEAREST_H
#define CONSOLE_NEAREST_H

#include <stddef.h>

/*
 * Single edits (insert, remove, replace, swap of neighbours) that lead from `a` to `b`, upper and lower case taken
 * as the same. Only the first 63 bytes of each count.
 */
size_t nearestDistance(const char *a, const char *b);

/*
 * The index of the word nearest to `word`, or -1 where none is near: nearer than a third of its length, or 2 edits,
 * whichever is more; a word that begins with `word` is near whatever its length. Of equals the first.
 */
int nearestWord(const char *word, const char *const *words, size_t count);

#endif
