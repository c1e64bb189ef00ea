/*
 * diagnostics.h: the one way by which a result becomes a message of the host's logger.
 */
#ifndef VKSKIN_DIAGNOSTICS_H
#define VKSKIN_DIAGNOSTICS_H

#include "vkskin/vkskin_base.h"

#if defined(__GNUC__)
#define VKSKIN_PRINTF(formatIndex, firstArgument) __attribute__((format(printf, formatIndex, firstArgument)))
#else
#define VKSKIN_PRINTF(formatIndex, firstArgument)
#endif

/*
 * Tells `logger` of `result` and returns it: `return sknReport(...)`. `format` is printf's: one line of English without
 * a line end that says what and where; it is cut at 255 bytes. Null or a logger without a function: silent.
 */
VkskinResult sknReport(const VkskinLogger *logger, VkskinResult result, const char *format, ...) VKSKIN_PRINTF(3, 4);

#endif
