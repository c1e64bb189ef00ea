#include "utf8.h"

size_t utf8Length(const char *text) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = bytes[0] < 0x80 ? 1 : (bytes[0] & 0xe0) == 0xc0 ? 2 : (bytes[0] & 0xf0) == 0xe0 ? 3 : 4;
    if (bytes[0] >= 0x80 && (bytes[0] < 0xc2 || bytes[0] > 0xf4)) {
        return 0;
    }
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return length;
}

void utf8Mend(char *text) {
    while (*text) {
        size_t length = utf8Length(text);
        if (length == 0) {
            *text = '?';
            length = 1;
        }
        text += length;
    }
}
