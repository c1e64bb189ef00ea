/* fuzz_refusals.h: commands with one thing wrong. */
#ifndef TESTS_FUZZ_REFUSALS_H
#define TESTS_FUZZ_REFUSALS_H

#include "fuzz_palette.h"

/*
 * Spoils a command that would be taken, in one way: vkskinSkinInstances must refuse it by the right name and take
 * nothing, also where a good one stands before it (`pair`; the frame then has room for two). meshBones: what the
 * instance's mesh has.
 */
void fuzzCommandRefusal(Gpu *gpu, VkskinContext context, Random *random, const FuzzRing *ring,
                        const VkskinSkinCommand *good, uint32_t meshBones, bool pair);

/* Overwrites one word of the command's palette, method or flags by any other. */
void fuzzCommandWord(Random *random, VkskinSkinCommand *command);

#endif
