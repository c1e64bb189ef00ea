/*
 * blob.h: a model, or the reason why there is none, as bytes: how the parser's process answers.
 *
 * Between two processes of one program on one machine: plain structs, the machine's byte order, no version. The
 * reader believes nothing: every count is held against the bytes that are left before memory is taken for it, and
 * the model is checked whole (model_check.h) before anyone sees it.
 */
#ifndef ENGINE_BLOB_H
#define ENGINE_BLOB_H

#include "model.h"

#include <stdio.h>

/* Writes a model; of null, `message` as the reason. False: a write failed. */
bool blobWrite(FILE *file, const Model *model, const char *message);

/*
 * Reads what blobWrite wrote: a model to be freed by modelFree. Null: `message` (IMPORT_MESSAGE_SIZE bytes) holds
 * the reason that the writer gave, or "PATH: ..." with what is wrong with the bytes.
 */
Model *blobRead(const uint8_t *bytes, size_t size, const char *path, char *message);

#endif
