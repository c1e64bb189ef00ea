/*
 * blob.h: the answer of the parser's process, as bytes: a model, or the reason for the failure.
 *
 * Writer and reader are two processes of one program on one machine: plain structs, the machine's byte order, no
 * version. The fields follow the tables of model_fields.h. The reader trusts nothing: it compares every count with
 * its limit of memory before it allocates any, and checks the whole model (modelCheck) before it returns it.
 */
#ifndef ENGINE_BLOB_H
#define ENGINE_BLOB_H

#include "engine_error.h"
#include "model.h"

#include <stdio.h>

/* Writes `model`; where it is null, the reason. False: a write failed. */
bool blobWrite(FILE *file, const Model *model, const EngineError *reason);

/*
 * Reads what blobWrite wrote, up to the end of the file, straight into the model's arrays. `limit`: bytes of memory that
 * the model may take. Free it with modelFree. Null: *error holds the writer's reason, or what is wrong.
 */
Model *blobRead(FILE *file, uint64_t limit, EngineError *error);

#endif
