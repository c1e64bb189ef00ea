#include "model_pack.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "model_bounds.h"
#include "model_mesh.h"
#include "model_pose.h"

/* ---- Objects of the library ---- */

typedef struct PackObjects {
    VkskinSkeleton skeleton;
    VkskinClip *clips;         /* [clipCount] */
    VkskinAnimationBox *boxes; /* [nodeCount] */
} PackObjects;

VkskinResult modelAddBoxes(const Model *model, uint32_t index, VkskinAnimationBox *boxes) {
    const ModelPart *part = &model->parts[index];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    VkskinAffine identity = vkskinIdentityAffine();
    VkskinSkin skin = NULL;
    VkskinResult result = modelCreateSkin(model, part->skin, &identity, NULL, (VkskinLogger){0}, &skin);
    if (result >= 0) {
        const VkskinMeshDef def = meshDefOfModel(mesh);
        result = vkskinAddAnimationBoxes(skin, &def, boxes);
    }
    vkskinDestroySkin(skin);
    return result;
}

static VkskinResult createObjects(const Model *model, VkskinLogger logger, PackObjects *objects) {
    VkskinResult result = modelCreateSkeleton(model, NULL, logger, &objects->skeleton);
    for (uint32_t i = 0; i < model->clipCount && result >= 0; i++) {
        result = modelCreateClip(model, i, NULL, logger, &objects->clips[i]);
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        objects->boxes[i] = vkskinEmptyAnimationBox();
    }
    for (uint32_t i = 0; i < model->partCount && result >= 0; i++) {
        result = modelAddBoxes(model, i, objects->boxes);
    }
    return result;
}

static void destroyObjects(const Model *model, PackObjects *objects) {
    for (uint32_t i = 0; i < model->clipCount && objects->clips; i++) {
        vkskinDestroyClip(objects->clips[i]);
    }
    vkskinDestroySkeleton(objects->skeleton);
    free(objects->clips);
    free(objects->boxes);
}

/* ---- Packing ---- */

/* Passes messages on, and keeps the last failure for the error of the call. */
typedef struct Keeper {
    VkskinLogger next;
    char failure[ENGINE_ERROR_SIZE];
} Keeper;

static void keepFailure(void *user, VkskinResult result, const char *message) {
    Keeper *keeper = user;
    if (result < 0) {
        snprintf(keeper->failure, sizeof(keeper->failure), "%s", message);
    }
    if (keeper->next.log) {
        keeper->next.log(keeper->next.user, result, message);
    }
}

static VkskinResult packObjects(const ModelPackDef *def, const PackObjects *objects, uint32_t clipCount,
                                PackedModel *packed) {
    VkskinAnimationDef animation = vkskinDefaultAnimationDef();
    animation.skeleton = objects->skeleton;
    animation.clips = objects->clips;
    animation.clipCount = clipCount;
    animation.boxes = objects->boxes;
    animation.maxError = (float)(def->millimetres * packed->unitsPerMillimetre);
    animation.profile = def->profile;
    animation.parallel = def->parallel;
    animation.parallelUser = def->parallelUser;
    animation.logger = def->logger;
    return vkskinPackAnimation(&animation, &packed->block, &packed->size, packed->stats);
}

bool modelPack(const Model *model, const ModelPackDef *def, PackedModel *packed, EngineError *error) {
    double height = 0.0;
    Keeper keeper = {.next = def->logger};
    ModelPackDef kept = *def;
    kept.logger = (VkskinLogger){keepFailure, &keeper};
    PackObjects objects = {.clips = engineAllocate(model->clipCount, sizeof(*objects.clips), error),
                           .boxes = engineAllocate(model->nodeCount, sizeof(*objects.boxes), error)};
    *packed = (PackedModel){.stats = engineAllocate(model->clipCount, sizeof(*packed->stats), error)};
    bool good = objects.clips && objects.boxes && packed->stats && modelHeight(model, &height, error);
    if (good) {
        packed->unitsPerMillimetre = height / (1000.0 * (double)POPULATION_FIELD_HEIGHT);
        VkskinResult result = createObjects(model, kept.logger, &objects);
        if (result >= 0) {
            result = packObjects(&kept, &objects, model->clipCount, packed);
        }
        good = result >= 0 || engineVkskin(error, "packing the clips", result, keeper.failure);
    }
    destroyObjects(model, &objects);
    return good;
}

PackedModel modelPackBorrow(const Model *model) {
    PackedModel packed = model->packed;
    packed.borrowed = true;
    return packed;
}

void modelPackFree(PackedModel *packed) {
    if (!packed->borrowed) {
        vkskinFreeAnimation(packed->block, NULL);
        free(packed->stats);
    }
    *packed = (PackedModel){0};
}

const VkskinAnimationClip *modelPackedClip(const void *block, uint32_t clip) {
    const VkskinAnimationHeader *header = block;
    return (const VkskinAnimationClip *)((const uint32_t *)block + header->clipsAt) + clip;
}

float modelPackRowTime(const void *block, const VkskinAnimationClip *clip, uint32_t row) {
    if (clip->timesAt != 0) {
        return ((const float *)block)[clip->timesAt + row];
    }
    return clip->keyCount > 1 ? (float)((double)clip->duration * row / (clip->keyCount - 1)) : 0.0f;
}

uint32_t modelPackTracks(const Model *model, uint32_t clip) {
    const VkskinAnimationHeader *header = model->packed.block;
    uint32_t count = model->clips[clip].trackCount;
    if (header) {
        const VkskinAnimationClip *packed = modelPackedClip(header, clip);
        count += packed->rotationCount + packed->vectorCount + packed->holdCount;
    }
    return count;
}

ModelPackTotals modelPackClip(const PackedModel *packed, uint32_t clip) {
    const VkskinAnimationStats *stats = &packed->stats[clip];
    return (ModelPackTotals){.sourceBytes = stats->sourceBytes,
                             .bytes = stats->bytes,
                             .error = (double)stats->error / packed->unitsPerMillimetre};
}

ModelPackTotals modelPackTotals(const Model *model, const PackedModel *packed) {
    ModelPackTotals totals = {0};
    for (uint32_t i = 0; i < model->clipCount; i++) {
        const ModelPackTotals clip = modelPackClip(packed, i);
        totals.sourceBytes += clip.sourceBytes;
        totals.bytes += clip.bytes;
        totals.error = fmax(totals.error, clip.error);
    }
    return totals;
}
