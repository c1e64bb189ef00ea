#include "nearest.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define LENGTH_MAX 63

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t shownLength(const char *word) {
    return smaller(strlen(word), LENGTH_MAX);
}

static int lowered(char letter) {
    return tolower((unsigned char)letter);
}

size_t nearestDistance(const char *a, const char *b) {
    size_t rows[LENGTH_MAX + 1][LENGTH_MAX + 1];
    size_t aLength = shownLength(a);
    size_t bLength = shownLength(b);
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

int nearestWord(const char *word, const char *const *words, size_t count) {
    size_t length = strlen(word);
    size_t limit = length / 3 > 2 ? length / 3 : 2;
    int best = -1;
    size_t bestDistance = limit + 1;
    for (size_t i = 0; i < count; i++) {
        size_t distance = nearestDistance(word, words[i]);
        if (length > 0 && strncasecmp(word, words[i], length) == 0) {
            distance = smaller(distance, 1);
        }
        /* As many edits as letters would make any short word near. */
        if (distance < bestDistance && distance < strlen(words[i])) {
            best = (int)i;
            bestDistance = distance;
        }
    }
    return best;
}
