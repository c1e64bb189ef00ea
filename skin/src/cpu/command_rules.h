/*
 * command_rules.h: the checks that skinning commands of both backends share. A message names the call and the command.
 */
#ifndef VKSKIN_COMMAND_RULES_H
#define VKSKIN_COMMAND_RULES_H

#include "host.h"
#include "vkskin/vkskin_mesh.h"

typedef struct CommandRules {
    const VkskinLogger *logger;
    const VkskinMeshInfo *info; /* mesh of the command */
    const char *call;           /* the public function */
    uint32_t at;                /* the command's index in the call */
} CommandRules;

/* Error: INVALID_VALUE if the method is unknown. */
VkskinResult sknCheckMethodValue(const CommandRules *rules, VkskinMethod method);

/*
 * For a mesh with bones and a known method. Errors: PALETTE_ENCODING if the method or the mesh's dimensions do not read
 * the encoding, METHOD_DATA_MISSING if the mesh lacks what the method needs, PALETTE_TOO_SMALL.
 */
VkskinResult sknCheckPaletteUse(const CommandRules *rules, VkskinMethod method, VkskinPaletteEncoding encoding,
                                uint32_t boneCount);

/* Errors: MORPH_OUT_OF_RANGE if there are more weights than targets, NULL_ARGUMENT, WEIGHT_NOT_FINITE. */
VkskinResult sknCheckMorphWeights(const CommandRules *rules, const float *weights, uint32_t count);

#endif
