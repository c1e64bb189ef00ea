#include "bone_labels.h"

#include <stdlib.h>

#include "draw_overlay.h"
#include "labels.h"

/* What a run's overlay gets. */
typedef struct BoneLabels {
    Labels *labels;
    Label *found; /* labels of a frame */
    uint32_t count;
    VkskinAffine *world; /* nodes of a model */
    int32_t *ofBones;    /* nodes of a model, see overlayBones */
    const Population *population;
    const Camera *camera;
    const SpineShow *show;
} BoneLabels;

static bool record(BoneLabels *bones, const Frame *frame, const Target *target, EngineError *error) {
    const TargetImage image = targetOffscreenImage(target);
    return labelsRecord(bones->labels, bones->found, bones->count, frame, &image, target->width, target->height, error);
}

/* labels, nodes: the largest number of labels in a frame, and of nodes of a model. */
static BoneLabels *create(Device *device, VkFormat format, size_t labels, size_t nodes, RunOverlay *overlay,
                          EngineError *error) {
    BoneLabels *bones = engineAllocate(1, sizeof *bones, error);
    *overlay = (RunOverlay){.user = bones};
    if (bones && (bones->found = engineAllocate(labels + 1, sizeof *bones->found, error)) &&
        (bones->world = engineAllocate(nodes + 1, sizeof *bones->world, error)) &&
        (bones->ofBones = engineAllocate(nodes + 1, sizeof *bones->ofBones, error)) &&
        (bones->labels = labelsCreate(device, format, error))) {
        return bones;
    }
    boneLabelsFree(overlay);
    return NULL;
}

void boneLabelsFree(RunOverlay *overlay) {
    BoneLabels *bones = overlay->user;
    if (bones) {
        labelsDestroy(bones->labels);
        free(bones->found);
        free(bones->world);
        free(bones->ofBones);
        free(bones);
    }
    *overlay = (RunOverlay){.user = NULL};
}

/* ---- Models ---- */

static void addNode(BoneLabels *bones, const char *name, const float viewProjection[16], const VkskinAffine *world,
                    const Target *target) {
    float place[2];
    const float distance = cameraPlaceOf(viewProjection, world, place);
    if (distance > 0.0f) {
        bones->found[bones->count++] =
            (Label){.text = name,
                    .position = {place[0] * (float)target->width, place[1] * (float)target->height},
                    .distance = distance};
    }
}

static bool addCharacter(BoneLabels *bones, const Character *character, double clock, const float viewProjection[16],
                         const Target *target, EngineError *error) {
    const Model *model = bones->population->models[character->model]->model;
    if (!populationNodes(bones->population, character, clock, bones->world, error)) {
        return false;
    }
    overlayBones(model, bones->ofBones);
    for (uint32_t node = 0; node < model->nodeCount; node++) {
        if (bones->ofBones[node] != OVERLAY_NO_BONE) {
            addNode(bones, model->nodes[node].name, viewProjection, &bones->world[node], target);
        }
    }
    return true;
}

static bool recordModels(void *user, double clock, const Frame *frame, const Target *target, EngineError *error) {
    BoneLabels *bones = user;
    const Population *population = bones->population;
    float viewProjection[16];
    cameraViewProjection(bones->camera, (float)target->width / (float)target->height, viewProjection);
    bones->count = 0;
    for (uint32_t i = 0; i < population->characterCount; i++) {
        if (!addCharacter(bones, &population->characters[i], clock, viewProjection, target, error)) {
            return false;
        }
    }
    return record(bones, frame, target, error);
}

bool boneLabelsOfModels(Device *device, const Population *population, const Camera *camera, RunOverlay *overlay,
                        EngineError *error) {
    size_t labels = 0, nodes = 0;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        const size_t count = population->models[kind]->model->nodeCount;
        labels += populationKindSize(population, kind) * count;
        nodes = count > nodes ? count : nodes;
    }
    BoneLabels *bones = create(device, TARGET_OFFSCREEN_FORMAT, labels, nodes, overlay, error);
    if (bones) {
        bones->population = population;
        bones->camera = camera;
        overlay->record = recordModels;
    }
    return bones != NULL;
}

/* ---- 2D characters ---- */

static void addSpine(BoneLabels *bones, const SpineCharacter *character, uint32_t order, const Target *target) {
    const SpineCamera *camera = &bones->show->camera;
    const SpinePose *pose = character->pose;
    const double scale = target->height / camera->height;
    for (uint32_t b = 0; b < pose->spine->boneCount; b++) {
        const SpineMatrix m = spineMultiply(&character->place, &pose->bones[b].matrix);
        if (pose->bones[b].active) {
            bones->found[bones->count++] =
                (Label){.text = pose->spine->bones[b].name,
                        .position = {(float)((m.x0 - camera->centre[0]) * scale + 0.5 * target->width),
                                     (float)((camera->centre[1] - m.y0) * scale + 0.5 * target->height)},
                        .distance = -(float)order}; /* later ones are in front */
        }
    }
}

static bool recordSpines(void *user, double clock, const Frame *frame, const Target *target, EngineError *error) {
    BoneLabels *bones = user;
    const SpinePopulation *population = bones->show->population;
    (void)clock; /* the poses are those of the frame */
    bones->count = 0;
    for (uint32_t i = 0; i < population->count; i++) {
        addSpine(bones, &population->characters[i], i, target);
    }
    return record(bones, frame, target, error);
}

bool boneLabelsOfSpines(const SpineShow *show, RunOverlay *overlay, EngineError *error) {
    size_t labels = 0;
    for (uint32_t m = 0; m < show->modelCount; m++) {
        labels += show->models[m].count * (size_t)show->models[m].model->spines->boneCount;
    }
    BoneLabels *bones = create(show->device, SPINE_COLOUR_FORMAT, labels, 0, overlay, error);
    if (bones) {
        bones->show = show;
        overlay->record = recordSpines;
    }
    return bones != NULL;
}
