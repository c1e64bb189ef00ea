#include "quantity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void quantityCount(char text[QUANTITY_SIZE], uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
}

void quantityScaled(char text[QUANTITY_SIZE], double value, const char *unit) {
    static const char *const PREFIXES[] = {"", "k", "M", "G", "T"};
    size_t prefix = 0;
    while (value >= 999.95 && prefix + 1 < sizeof PREFIXES / sizeof PREFIXES[0]) {
        value /= 1000.0;
        prefix++;
    }
    int decimals = value >= 99.95 || value == 0.0 ? 0 : value >= 9.995 ? 1 : 2;
    const char *space = PREFIXES[prefix][0] || unit[0] ? " " : "";
    snprintf(text, QUANTITY_SIZE, "%.*f%s%s%s", decimals, value, space, PREFIXES[prefix], unit);
}
