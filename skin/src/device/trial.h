/*
 * trial.h: a crowd skinned on the device by given settings, in a context of its own, and how long that takes.
 */
#ifndef VKSKIN_TRIAL_H
#define VKSKIN_TRIAL_H

#include "context.h"

typedef struct Trial {
    const VkskinTuneDef *def;
    VkskinTuning tuning;
    VkskinContext context;
    VkskinMesh mesh;
    VkskinSkinCommand *commands; /* [def->instances] */
    uint32_t calls;              /* of record in the last run */
    VkskinResult recorded;       /* of the last of them */
    double milliseconds;         /* the fastest so far; 0: none */
} Trial;

/* What such a context is made of, but for its tuning. */
VkskinContextDef sknTrialContextDef(const VkskinTuneDef *tune, uint32_t boneCount);

/*
 * Makes the context, the mesh and its instances. On failure nothing is left over. Errors: those of the calls that make
 * them.
 */
VkskinResult sknOpenTrial(const VkskinTuneDef *def, const VkskinMeshDef *mesh, const VkskinTuning *tuning,
                          Trial *trial);
void sknCloseTrial(Trial *trial);

/* Skins all once. count: the time counts; the first run of a trial uploads, and should not. */
VkskinResult sknRunTrial(Trial *trial, bool count);

#endif
