/*
 * engine_error.h: where the engine's functions say what went wrong.
 *
 * A function that can fail takes an EngineError and returns false (or null) after writing one line into it.
 * Nothing is written on success. The first message counts: callers pass the sink on and do not overwrite it.
 */
#ifndef ENGINE_ERROR_H
#define ENGINE_ERROR_H

#include <stdbool.h>

#define ENGINE_ERROR_SIZE 512

typedef struct EngineError {
    char message[ENGINE_ERROR_SIZE]; /* one line without a line end */
} EngineError;

/* Writes the line (cut at ENGINE_ERROR_SIZE) and returns false, so that `return engineFail(...)` reads well. */
__attribute__((format(printf, 2, 3))) bool engineFail(EngineError *error, const char *format, ...);

/* "WHAT: VK_ERROR_...": `result` is a VkResult. Returns false. */
bool engineFailVulkan(EngineError *error, const char *what, int result);

/* "VK_ERROR_DEVICE_LOST" for a VkResult; "VkResult N" for one without a name here. Static, or per-thread memory. */
const char *engineVulkanResultName(int result);

#endif
