/* diagnostic.h: the one line that says what is wrong with a file. */
#ifndef ENGINE_DIAGNOSTIC_H
#define ENGINE_DIAGNOSTIC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes one line into `message` (IMPORT_MESSAGE_SIZE bytes): cut where it is too long, every control character (a
 * file's names may hold any) a space, every byte that is no UTF-8 a '?'. Always false, so that
 * `return diagnose(...)` fails.
 */
bool diagnose(char *message, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
