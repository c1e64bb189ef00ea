/*
 * uniform_2d.c: flat models, skinned by two arrays of 64 vectors in a uniform block: the 2x2 matrices of the joints, and
 * their translations. A vertex has up to four joints; a negative one ends its list.
 */
#include <math.h>
#include <string.h>

#include "uniform_blocks.h"

#define PLANE_TOLERANCE 1e-4f /* maximum part of a bone's matrix outside the plane, relative to its largest element */

/* Two arrays, as the shader declares them. */
typedef struct JointBlock {
    float matrices[RASTER_JOINTS_2D][4]; /* the rows of the 2x2 matrix */
    float moves[RASTER_JOINTS_2D][4];    /* x, y, 0, 0 */
} JointBlock;

static bool checkMesh(const SystemNeed *need, const ModelMesh *mesh, EngineError *error) {
    if (mesh->boneCount > RASTER_JOINTS_2D) {
        return systemFail(need->skin, error, "mesh '%.100s' has %u bones; its block holds %d", mesh->name,
                          mesh->boneCount, RASTER_JOINTS_2D);
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        if (mesh->positions[3 * (size_t)v + 2] != 0.0f) {
            return systemFail(need->skin, error, "mesh '%.100s' is not flat: vertex %u has z = %g", mesh->name, v,
                              (double)mesh->positions[3 * (size_t)v + 2]);
        }
    }
    return true;
}

static bool check(const SystemNeed *need, EngineError *error) {
    if (need->device->limits.maxUniformBufferRange < sizeof(JointBlock)) {
        return systemFail(need->skin, error, "its block has %zu bytes; maxUniformBufferRange of '%.100s' is %u",
                          sizeof(JointBlock), need->device->info.name, need->device->limits.maxUniformBufferRange);
    }
    for (uint32_t i = 0; i < need->modelCount; i++) {
        for (uint32_t mesh = 0; mesh < need->models[i]->meshCount; mesh++) {
            if (!checkMesh(need, &need->models[i]->meshes[mesh], error)) {
                return false;
            }
        }
    }
    return true;
}

static void prepare(System *system) {
    system->constants.bones = RASTER_JOINTS_2D;
    system->stats.bonesPerDraw = RASTER_JOINTS_2D;
    system->stats.bytesPerBone = (uint32_t)(sizeof(JointBlock) / RASTER_JOINTS_2D);
}

static uint32_t pieceBytes(uint32_t bones) {
    (void)bones;
    return sizeof(JointBlock);
}

/* Whether the bone moves points of the plane z = 0 within it and does not turn it over. */
static bool staysInPlane(const float entry[12]) {
    float largest = 0.0f;
    for (int i = 0; i < 12; i++) {
        largest = i % 4 != 3 ? fmaxf(largest, fabsf(entry[i])) : largest;
    }
    const float most = PLANE_TOLERANCE * largest;
    const float move = PLANE_TOLERANCE * fmaxf(1.0f, fmaxf(fabsf(entry[3]), fabsf(entry[7])));
    return fabsf(entry[2]) <= most && fabsf(entry[6]) <= most && fabsf(entry[8]) <= most && fabsf(entry[9]) <= most &&
           entry[10] > 0.0f && fabsf(entry[11]) <= move;
}

static uint32_t write(const float (*palette)[12], const SystemPiece *piece, void *block) {
    JointBlock joints;
    for (uint32_t i = 0; i < piece->boneCount; i++) {
        const float *entry = palette[i];
        const float matrix[4] = {entry[0], entry[1], entry[4], entry[5]}, move[4] = {entry[3], entry[7]};
        if (!staysInPlane(entry)) {
            return i + 1;
        }
        memcpy(joints.matrices[i], matrix, sizeof(matrix));
        memcpy(joints.moves[i], move, sizeof(move));
    }
    memcpy(block, joints.matrices, piece->boneCount * sizeof(*joints.matrices));
    memcpy((char *)block + offsetof(JointBlock, moves), joints.moves, piece->boneCount * sizeof(*joints.moves));
    return 0;
}

static bool create(System *system, EngineError *error) {
    static const UniformBlocksDef def = {.blockBytes = sizeof(JointBlock),
                                         .pieceBytes = pieceBytes,
                                         .write = write,
                                         .refusal = "leaves the plane z = 0 of its mesh"};
    return uniformBlocksCreate(system, &def, error);
}

const SystemType UNIFORM_2D_TYPE = {
    .size = sizeof(UniformBlocks),
    .shader = "system_uniform_2d.vert",
    .joints = VK_FORMAT_R16G16B16A16_SINT,
    .check = check,
    .prepare = prepare,
    .create = create,
    UNIFORM_BLOCKS_TYPE,
};
