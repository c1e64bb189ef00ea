/* spine.h: the reader of Spine files, for the parser's process and the fuzzer. */
#ifndef ENGINE_SPINE_H
#define ENGINE_SPINE_H

#include "engine_error.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads the text of a skeleton in JSON with that of its atlas. Pictures are read from `folder` (ends with a slash, or is
 * empty) and below. Null: *error is written.
 */
Model *spineParseTexts(const char *json, size_t jsonSize, const char *atlas, size_t atlasSize, const char *folder,
                       EngineError *error);

#ifdef __cplusplus
}
#endif

#endif
