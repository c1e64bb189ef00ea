#include "diagnostic.h"

#include "import.h"
#include "utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool diagnose(char *message, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, IMPORT_MESSAGE_SIZE, format, arguments);
    va_end(arguments);
    for (char *c = message; *c; c++) {
        if ((unsigned char)*c < 0x20 || *c == 0x7f) {
            *c = ' ';
        }
    }
    utf8Mend(message);
    return false;
}
