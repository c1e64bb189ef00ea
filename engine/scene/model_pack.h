/*
 * model_pack.h: the skeleton and the clips of a model as a packed animation set (vkskin_pack.h).
 *
 * Errors are in millimetres on a character as tall as those of a crowd, POPULATION_FIELD_HEIGHT metres, because the units of
 * files differ. The error of a clip is that of the corners of the boxes around all vertices of each node.
 */
#ifndef ENGINE_MODEL_PACK_H
#define ENGINE_MODEL_PACK_H

#include "engine_error.h"
#include "model.h"
#include "vkskin/vkskin_pack.h"

#define POPULATION_FIELD_HEIGHT 1.8f /* world units */

typedef struct ModelPackDef {
    double millimetres; /* maximum error, above 0 */
    VkskinAnimationProfile profile;
    VkskinParallelFn parallel; /* or null */
    void *parallelUser;
    VkskinLogger logger;
} ModelPackDef;

/* The packed clips that the model has, borrowed; without a block where it has none. modelPackFree is allowed. */
PackedModel modelPackBorrow(const Model *model);

/* A bound that is not reached is logged, and is no failure. Free it in both cases. */
bool modelPack(const Model *model, const ModelPackDef *def, PackedModel *packed, EngineError *error);
void modelPackFree(PackedModel *packed);

/* Enlarges the boxes of the nodes by the vertices of a part that they move. index: of the part. boxes: [nodeCount] */
VkskinResult modelAddBoxes(const Model *model, uint32_t index, VkskinAnimationBox *boxes);

/* A clip of a block, and the time of one of its rows of keys, in seconds. row: below clip->keyCount */
const VkskinAnimationClip *modelPackedClip(const void *block, uint32_t clip);
float modelPackRowTime(const void *block, const VkskinAnimationClip *clip, uint32_t row);

/* Tracks of a clip, packed ones too. */
uint32_t modelPackTracks(const Model *model, uint32_t clip);

/* Sums over the clips of a packed model. The error is in millimetres. */
typedef struct ModelPackTotals {
    uint64_t sourceBytes, bytes;
    double error;
} ModelPackTotals;

/* Totals of one clip. */
ModelPackTotals modelPackClip(const PackedModel *packed, uint32_t clip);

ModelPackTotals modelPackTotals(const Model *model, const PackedModel *packed);

#endif
