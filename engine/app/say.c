#include "say.h"

#include <stdarg.h>

#include "engine_error.h"
#include "options.h"

#define LINE_SIZE 1024

void sayClean(FILE *file, const char *text) {
    while (*text) {
        unsigned char letter = (unsigned char)*text;
        size_t length = letter < 0x20 || letter == 0x7f ? 0 : utf8Length(text);
        if (length == 0) {
            fputc('?', file);
            length = 1;
        } else {
            fwrite(text, 1, length, file);
        }
        text += length;
    }
}

static void sayLine(const char *verb, const char *kind, const char *format, va_list values) {
    char line[LINE_SIZE];
    vsnprintf(line, sizeof line, format, values);
    fprintf(stderr, "vkskin %s: %s", verb, kind);
    sayClean(stderr, line);
    fputc('\n', stderr);
}

int sayFailure(const char *verb, const char *format, ...) {
    va_list values;
    va_start(values, format);
    sayLine(verb, "", format, values);
    va_end(values);
    return EXIT_FAILED;
}

void sayWarning(const char *verb, const char *format, ...) {
    va_list values;
    va_start(values, format);
    sayLine(verb, "warning: ", format, values);
    va_end(values);
}
