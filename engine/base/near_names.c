#include "near_names.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static int lowered(char letter) {
    return tolower((unsigned char)letter);
}

size_t nearestDistance(const char *a, const char *b) {
    size_t rows[NEAREST_LENGTH_MAX + 1][NEAREST_LENGTH_MAX + 1];
    size_t aLength = strnlen(a, NEAREST_LENGTH_MAX);
    size_t bLength = strnlen(b, NEAREST_LENGTH_MAX);
    for (size_t i = 0; i <= aLength; i++) {
        for (size_t j = 0; j <= bLength; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            size_t replaced = rows[i - 1][j - 1] + (lowered(a[i - 1]) != lowered(b[j - 1]));
            rows[i][j] = smaller(replaced, smaller(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && lowered(a[i - 1]) == lowered(b[j - 2]) && lowered(a[i - 2]) == lowered(b[j - 1])) {
                rows[i][j] = smaller(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows[aLength][bLength];
}

/* The limit within which a word is near. */
static size_t nearLimit(const char *word) {
    const size_t third = strlen(word) / 3;
    return third > 2 ? third : 2;
}

/* The distance of a name that may be meant; above nearLimit: it is not near. */
static size_t nearness(const char *word, const char *name) {
    size_t distance = nearestDistance(word, name);
    if (word[0] != '\0' && strncasecmp(word, name, strlen(word)) == 0) {
        distance = smaller(distance, 1);
    }
    /* With as many edits as letters any short word would be near. */
    return distance < strlen(name) ? distance : SIZE_MAX;
}

int nearestWord(const char *word, const char *const *words, size_t count) {
    int best = -1;
    size_t bestDistance = nearLimit(word) + 1;
    for (size_t i = 0; i < count; i++) {
        const size_t distance = nearness(word, words[i]);
        if (distance < bestDistance) {
            best = (int)i;
            bestDistance = distance;
        }
    }
    return best;
}

/* ---- Names in arrays ---- */

const char *nameAt(const Names *names, uint32_t index) {
    return *(const char *const *)((const char *)names->first + index * names->stride);
}

uint32_t nameFind(const Names *names, const char *name) {
    uint32_t found = names->count, alike = 0;
    for (uint32_t i = 0; i < names->count; i++) {
        const char *other = nameAt(names, i);
        if (strcmp(other, name) == 0) {
            return i;
        }
        /* The same name twice is one name. */
        if (strcasecmp(other, name) == 0 && (alike == 0 || strcmp(other, nameAt(names, found)) != 0)) {
            found = alike++ == 0 ? i : found;
        }
    }
    return alike == 1 ? found : names->count;
}

uint32_t nameOrIndexFind(const Names *names, const char *text) {
    const bool digits = text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
    const unsigned long index = digits ? strtoul(text, NULL, 10) : ULONG_MAX; /* saturates */
    return index < names->count ? (uint32_t)index : nameFind(names, text);
}

#define HINTS_MAX 3

void nameHint(char text[NAME_HINT_SIZE], const Names *names, const char *wrong, const char *otherwise) {
    const char *hints[HINTS_MAX];
    size_t count = 0, used = 0;
    for (size_t distance = 0; distance <= nearLimit(wrong) && count < HINTS_MAX; distance++) {
        for (uint32_t i = 0; i < names->count && count < HINTS_MAX; i++) {
            bool again = nearness(wrong, nameAt(names, i)) != distance;
            for (size_t k = 0; k < count && !again; k++) {
                again = strcmp(hints[k], nameAt(names, i)) == 0;
            }
            if (!again) {
                hints[count++] = nameAt(names, i);
            }
        }
    }
    snprintf(text, NAME_HINT_SIZE, "%s", otherwise);
    for (size_t k = 0; k < count; k++) {
        const char *joint = k == 0 ? "did you mean " : k + 1 < count ? ", " : " or ";
        used += (size_t)snprintf(text + used, NAME_HINT_SIZE - used, "%s'%.60s'%s", joint, hints[k],
                                 k + 1 < count ? "" : "?");
    }
}
