#include "palette_checks.h"

#include <math.h>

/* Relative. A float matrix of a rotation is orthogonal within 1e-6. */
#define UNEQUAL_SCALE 1e-3f

/* Whether a symmetric matrix is not a multiple of the identity. */
static bool isUneven(const float diagonal[3], const float others[3], float tolerance) {
    float largest = fmaxf(fmaxf(fabsf(diagonal[0]), fabsf(diagonal[1])), fabsf(diagonal[2]));
    for (int i = 0; i < 3; i++) {
        if (fabsf(diagonal[i] - diagonal[(i + 1) % 3]) > tolerance * largest ||
            fabsf(others[i]) > tolerance * largest) {
            return true;
        }
    }
    return false;
}

/* The product of the transposed matrix and the matrix is a multiple of the identity if the scale is uniform. */
static bool matrixIsUneven(const float *rows) {
    float diagonal[3] = {0}, others[3] = {0};
    for (int row = 0; row < 3; row++) {
        for (int i = 0; i < 3; i++) {
            diagonal[i] += rows[4 * row + i] * rows[4 * row + i];
            others[i] += rows[4 * row + i] * rows[4 * row + (i + 1) % 3];
        }
    }
    return isUneven(diagonal, others, 2.0f * UNEQUAL_SCALE);
}

/* Encodings without stretch are never uneven; flat meshes have no normals. */
static bool boneIsUneven(VkskinPaletteEncoding encoding, const float *entry) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return matrixIsUneven(entry);
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return isUneven(entry + 8, entry + 11, UNEQUAL_SCALE);
    default:
        return false;
    }
}

static void checkBones(const VkskinLogger *logger, uint32_t index, Mesh *mesh, VkskinPaletteEncoding encoding,
                       const float *entries) {
    const uint32_t floats = vkskinPaletteStride(encoding) / sizeof *entries;
    for (uint32_t bone = 0; bone < mesh->info.boneCount && !mesh->normalsReported; bone++) {
        if (boneIsUneven(encoding, entries + (size_t)bone * floats)) {
            mesh->normalsReported = true;
            sknReport(logger, VKSKIN_WARNING_NORMALS_CHEAP,
                      "vkskinRecordSkinning: %s (%u, %u): bone %u has non-uniform scale or shear, but normalRule is "
                      "VKSKIN_NORMALS_CHEAP, which is wrong for it: set VKSKIN_NORMALS_EXACT; if bones are rigid, the "
                      "palette is not 3 rows of 4",
                      mesh->label, index + 1, mesh->header.generation, bone);
        }
    }
}

void sknCheckPalettes(VkskinContext context) {
    const Commands commands = sknUnrecorded(&context->recording->commands);
    for (uint32_t i = 0; context->def.checkPalettes && i < commands.count; i++) {
        const Command *command = &commands.commands[i];
        const MethodPair *pair = &sknMethodPairs[sknKernelVariant(command->key.kernel).pair];
        Mesh *mesh = sknMesh(context, command->key.mesh);
        bool cheap = mesh->attributes != KERNEL_POSITIONS && mesh->info.normalRule == VKSKIN_NORMALS_CHEAP;
        if (cheap && pair->stretches) {
            const float *page = sknRecordedPage(context, command->key.palettePage)->host.memory.mapped;
            checkBones(&context->gpu.logger, command->key.mesh, mesh, pair->encoding,
                       page + (size_t)4 * command->target.palette);
        }
    }
}
