/* model_bytes.h: any bytes as a model. It is whole in memory; its indices and numbers may be wrong. */
#ifndef TESTS_MODEL_BYTES_H
#define TESTS_MODEL_BYTES_H

#include "fuzz_bytes.h"
#include "model.h"

/* Never null. Every array has exactly the size that its counts say. Free it with modelFree. */
Model *modelOfBytes(FuzzBytes *bytes);

#endif
