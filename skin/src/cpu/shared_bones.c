#include "shared_bones.h"

#define MOST_BONES 12u

/* Blocks with more bones are faster skinned by each vertex's own. */
static uint32_t worthSharing(uint32_t influences) {
    return 2 * influences + 1 < MOST_BONES ? 2 * influences + 1 : MOST_BONES;
}

/* Of one block. */
typedef struct BlockBones {
    uint32_t count;
    SharedBone bones[MOST_BONES];
    Row weights[MOST_BONES];
} BlockBones;

static bool addJoint(BlockBones *block, uint32_t most, uint32_t lane, uint32_t joint, float weight) {
    uint32_t b = 0;
    while (b < block->count && block->bones[b].joint != joint) {
        b++;
    }
    if (b == block->count) {
        if (b == most) {
            return false;
        }
        block->bones[b] = (SharedBone){.joint = joint};
        block->weights[b] = (Row){{0}};
        block->count++;
    }
    block->bones[b].lanes |= 1u << lane;
    block->weights[b].f[lane] += weight;
    return true;
}

/* None where there would be too many. */
static void findBones(const CpuMesh *mesh, const Row *rows, uint32_t influences, BlockBones *block) {
    uint32_t most = worthSharing(influences);
    block->count = 0;
    for (uint32_t k = 0; k < influences; k++) {
        const Row *weights = rows + mesh->map.influences + 2 * (size_t)k;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            if (!addJoint(block, most, lane, weights[1].u[lane], weights[0].f[lane])) {
                block->count = 0;
                return;
            }
        }
    }
}

/* Of all blocks, one after another. Only counted where there is no memory for them yet. Returns how many. */
static uint32_t shareBones(CpuMesh *mesh) {
    uint32_t total = 0;
    for (uint32_t r = 0; r < mesh->runCount; r++) {
        const CpuRun *run = &mesh->runs[r];
        for (uint32_t b = 0; b * LANES < run->vertexCount; b++) {
            uint32_t influences;
            const Row *rows = sknRunBlock(mesh, run, b, &influences);
            BlockBones block;
            findBones(mesh, rows, influences, &block);
            mesh->firstBones[run->firstBlock + b] = total;
            for (uint32_t i = 0; i < block.count && mesh->sharedWeights != NULL; i++) {
                mesh->sharedBones[total + i] = block.bones[i];
                mesh->sharedWeights[total + i] = block.weights[i];
            }
            total += block.count;
        }
    }
    mesh->firstBones[mesh->blockCount] = total;
    return total;
}

bool sknShareBones(const VkskinHostAllocator *allocator, CpuMesh *mesh) {
    mesh->firstBones = sknHostAllocateArray(allocator, (size_t)mesh->blockCount + 1, sizeof *mesh->firstBones);
    if (mesh->firstBones == NULL) {
        return false;
    }
    uint32_t total = shareBones(mesh);
    if (total == 0) {
        return true;
    }
    mesh->sharedBones = sknHostAllocateArray(allocator, total, sizeof *mesh->sharedBones);
    mesh->sharedWeights = sknHostAllocateLines(allocator, (size_t)total * sizeof *mesh->sharedWeights);
    if (mesh->sharedBones == NULL || mesh->sharedWeights == NULL) {
        return false;
    }
    shareBones(mesh);
    return true;
}
