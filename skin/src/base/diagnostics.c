#include "diagnostics.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_BYTES 256

VkskinResult sknReport(const VkskinLogger *logger, VkskinResult result, const char *format, ...) {
    if (logger == NULL || logger->log == NULL) {
        return result;
    }
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    /* One line, whatever a host's names hold. */
    for (char *at = message; *at != '\0'; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f) { /* DEL */
            *at = ' ';
        }
    }
    logger->log(logger->user, result, message);
    return result;
}
