/*
 * engine_error.h: one-line error messages, and functions that make text from files safe to print.
 *
 * A function that can fail takes an EngineError. On failure it writes one line into it and returns false or null; on
 * success it writes nothing. The first message counts: callers pass the error on and do not overwrite it. They may add
 * where it happened.
 */
#ifndef ENGINE_ERROR_H
#define ENGINE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ENGINE_ERROR_SIZE 512

typedef struct EngineError {
    char message[ENGINE_ERROR_SIZE]; /* one line of UTF-8 without a line end */
    bool unsupported; /* the way that was chosen cannot do what was asked; another way may. engineFail: false */
} EngineError;

/*
 * Writes the line and returns false, so that `return engineFail(...)` reads well. Names from files may hold any bytes:
 * those at which utf8Length is 0 become '?'. A longer line is cut at ENGINE_ERROR_SIZE.
 * No argument may point into *error.
 */
bool engineFail(EngineError *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "WHERE: " before the message, for example the path of a file. Returns false. */
bool engineFailAt(EngineError *error, const char *where);

/* Whether `result`, the VkResult of a call, is VK_SUCCESS. If not, the line is "CALL: VK_ERROR_...". */
bool engineVulkan(EngineError *error, const char *call, int result);

/* "VK_ERROR_DEVICE_LOST" for a VkResult; "VkResult N" for one without a name here. Static or per-thread memory. */
const char *engineVulkanResultName(int result);

/*
 * "WHAT: MESSAGE (VKSKIN_ERROR_...)" for a call of vkskin that failed. result: its VkskinResult. message: what the library
 * logged, or empty. Sets EngineError.unsupported unless memory is short or the device failed: nothing else changes these.
 * Returns false.
 */
bool engineVkskin(EngineError *error, const char *what, int result, const char *message);

/* Zeroed memory for `count` objects, to be freed with free(). Null: "out of memory". */
void *engineAllocate(size_t count, size_t size, EngineError *error);

/*
 * Length in bytes, 1 to 4, of the UTF-8 sequence at `text` (zero-terminated), and its code. The final zero counts 1. 0: the
 * bytes are not UTF-8.
 */
size_t utf8Code(const char *text, uint32_t *code);

/* The same. 0 also for a hidden character: a control character, one that separates lines or sets the direction of text. */
size_t utf8Length(const char *text);

/* Replaces every byte at which utf8Length is 0 with '?'. */
void utf8Mend(char *text);

#ifdef __cplusplus
}
#endif

#endif
