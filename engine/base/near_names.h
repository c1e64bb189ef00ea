/*
 * near_names.h: finds the names that a user means, and names that are near a wrong one. Case is that of ASCII letters.
 */
#ifndef ENGINE_NEAR_NAMES_H
#define ENGINE_NEAR_NAMES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NEAREST_LENGTH_MAX 63 /* bytes of a word that count */

/* The edit distance of two words: insert, remove, replace, swap neighbours. Ignores case. At most NEAREST_LENGTH_MAX. */
size_t nearestDistance(const char *a, const char *b);

/*
 * The index of the nearest word, or -1. A word is near within a third of the length of `word` or 2 edits, whichever is
 * larger. A word that starts with `word` is always near. Of equal distances the first wins.
 */
int nearestWord(const char *word, const char *const *words, size_t count);

/* Names that are members of an array of structs. They are valid as long as the array. */
typedef struct Names {
    const void *first; /* const char *const *: the name of the first struct */
    size_t stride;     /* bytes from one struct to the next */
    uint32_t count;
} Names;

/* Names of an array whose structs have the member `name`. */
#define NAMES_OF(array, count)                                                                                         \
    (Names) {                                                                                                          \
        (count) > 0 ? (const void *)&(array)->name : NULL, sizeof *(array), (count)                                    \
    }

/* index: below names->count. */
const char *nameAt(const Names *names, uint32_t index);

/*
 * The index of the first one that is `name`. Without one, the index of the first that differs only in case, if no other
 * name does. count: neither.
 */
uint32_t nameFind(const Names *names, const char *name);

/* The index that the text is, in digits alone and below names->count; else nameFind. count: neither. */
uint32_t nameOrIndexFind(const Names *names, const char *text);

#define NAME_HINT_SIZE 240

/* What a message says of a wrong name: "did you mean 'Walk', 'Wake' or 'Walk2'?", the nearest first, else `otherwise`. */
void nameHint(char text[NAME_HINT_SIZE], const Names *names, const char *wrong, const char *otherwise);

#ifdef __cplusplus
}
#endif

#endif
