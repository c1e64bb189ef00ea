/* model_bytes.h: any bytes as a model that is whole in memory, though its indices, counts and numbers may be wrong. */
#ifndef TESTS_MODEL_BYTES_H
#define TESTS_MODEL_BYTES_H

#include "fuzz_bytes.h"
#include "model.h"

/* Never null. Every array has exactly the size that its counts say. */
Model *modelOfBytes(FuzzBytes *bytes);

#endif
