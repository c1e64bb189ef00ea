#include "spine_scene.h"

#include "random.h"

enum {
    BONE_ROOT,
    BONE_HIP,
    BONE_LIMBS,                                   /* per limb: upper, lower, hand, target */
    BONE_EYE = BONE_LIMBS + 4 * (int)SPINE_LIMBS, /* and what it looks at */
    BONE_RAIL = BONE_EYE + 2,                     /* two bones that bend the path */
    BONE_TAIL = BONE_RAIL + 2,                    /* eight in a chain */
    BONE_FIN = BONE_TAIL + 8,                     /* four */
    BONE_GUIDE = BONE_FIN + 4,                    /* and four bones that follow it */
    BONE_HAIR = BONE_GUIDE + 5,                   /* the others: two chains */
    HAIR_HALF = ((int)SPINE_BONES - BONE_HAIR) / 2
};

static const char *const PATH_SLOT = "path", *const MESH_SLOT = "mesh";

uint32_t spineSceneLower(uint32_t limb) {
    return (uint32_t)BONE_LIMBS + 4 * limb + 1;
}

uint32_t spineSceneTarget(uint32_t limb) {
    return (uint32_t)BONE_LIMBS + 4 * limb + 3;
}

/* ---- Bones ---- */

static void placeBone(SpineScene *scene, uint32_t bone, int32_t parent, float x, float y, float rotation,
                      float length) {
    scene->bones[bone] = (SpineBone){
        .name = (char *)"bone",
        .parent = parent,
        .length = length,
        .local = {
            [SPINE_X] = x, [SPINE_Y] = y, [SPINE_ROTATION] = rotation, [SPINE_SCALE_X] = 1.0f, [SPINE_SCALE_Y] = 1.0f}};
}

static void placeChain(SpineScene *scene, uint32_t first, uint32_t count, uint32_t parent, float x, float y,
                       float rotation) {
    for (uint32_t i = 0; i < count; i++) {
        placeBone(scene, first + i, (int32_t)(i == 0 ? parent : first + i - 1), i == 0 ? x : 18.0f, i == 0 ? y : 0.0f,
                  i == 0 ? rotation : 6.0f, 18.0f);
    }
}

static void placeBones(SpineScene *scene) {
    placeBone(scene, BONE_ROOT, -1, 0.0f, 0.0f, 0.0f, 0.0f);
    placeBone(scene, BONE_HIP, BONE_ROOT, 0.0f, 20.0f, 5.0f, 40.0f);
    for (uint32_t limb = 0; limb < SPINE_LIMBS; limb++) {
        const uint32_t upper = (uint32_t)BONE_LIMBS + 4 * limb;
        const float x = limb % 2 ? 60.0f : -60.0f, y = limb < 2 ? 50.0f : -50.0f;
        placeBone(scene, upper, BONE_HIP, x, y, limb % 2 ? 20.0f : 160.0f, 60.0f);
        placeBone(scene, upper + 1, (int32_t)upper, 60.0f, 0.0f, 30.0f, 50.0f);
        placeBone(scene, upper + 2, (int32_t)upper + 1, 50.0f, 0.0f, 10.0f, 20.0f);
        placeBone(scene, upper + 3, BONE_ROOT, 1.9f * x, 1.2f * y, 0.0f, 0.0f);
    }
    placeBone(scene, BONE_EYE, BONE_HIP, 10.0f, 90.0f, 0.0f, 10.0f);
    placeBone(scene, BONE_EYE + 1, BONE_ROOT, 150.0f, 120.0f, 0.0f, 0.0f);
    placeBone(scene, BONE_RAIL, BONE_ROOT, -150.0f, -80.0f, 0.0f, 0.0f);
    placeBone(scene, BONE_RAIL + 1, BONE_ROOT, 150.0f, -80.0f, 0.0f, 0.0f);
    placeChain(scene, BONE_TAIL, 8, BONE_HIP, 0.0f, -40.0f, -90.0f);
    placeChain(scene, BONE_FIN, 4, BONE_HIP, 20.0f, -20.0f, -60.0f);
    placeBone(scene, BONE_GUIDE, BONE_HIP, 30.0f, 60.0f, 40.0f, 20.0f);
    for (uint32_t i = 1; i < 5; i++) {
        placeBone(scene, (uint32_t)BONE_GUIDE + i, BONE_HIP, 15.0f * (float)i, 30.0f, 10.0f * (float)i, 15.0f);
    }
    placeChain(scene, BONE_HAIR, HAIR_HALF, BONE_HIP, -20.0f, 80.0f, 100.0f);
    placeChain(scene, BONE_HAIR + HAIR_HALF, SPINE_BONES - BONE_HAIR - HAIR_HALF, BONE_HIP, 20.0f, 80.0f, 70.0f);
}

/* ---- Constraints ---- */

static void constrain(SpineScene *scene, SpineConstraint constraint, uint32_t first, uint32_t count) {
    const uint32_t index = scene->spine.constraintCount++;
    for (uint32_t i = 0; i < count; i++) {
        scene->constraintBones[index][i] = first + i;
    }
    constraint.name = (char *)"constraint";
    constraint.boneCount = count;
    constraint.bones = scene->constraintBones[index];
    scene->constraints[index] = constraint;
}

static void placeConstraints(SpineScene *scene) {
    const SpineConstraint follow = {.kind = SPINE_TRANSFORM,
                                    .target = BONE_GUIDE,
                                    .values = {0.6f, 0.3f, 0.3f, 0.4f, 0.4f, 0.5f},
                                    .offsets = {[SPINE_X] = 5.0f, [SPINE_ROTATION] = 10.0f}};
    SpineConstraint local = follow;
    local.modes[SPINE_TRANSFORM_LOCAL] = 1;
    for (uint32_t limb = 0; limb < SPINE_LIMBS; limb++) {
        constrain(scene,
                  (SpineConstraint){.kind = SPINE_IK,
                                    .target = spineSceneTarget(limb),
                                    .values = {[SPINE_IK_MIX] = 1.0f, [SPINE_IK_BEND] = limb % 2 ? 1.0f : -1.0f}},
                  spineSceneLower(limb) - 1, 2);
    }
    constrain(scene,
              (SpineConstraint){
                  .kind = SPINE_IK, .target = BONE_EYE + 1, .values = {[SPINE_IK_MIX] = 0.8f, [SPINE_IK_BEND] = 1.0f}},
              BONE_EYE, 1);
    constrain(scene, follow, BONE_GUIDE + 1, 2);
    constrain(scene, local, BONE_GUIDE + 3, 2);
    constrain(scene,
              (SpineConstraint){.kind = SPINE_PATH_FOLLOW,
                                .target = 1,
                                .modes = {1, SPINE_SPACING_LENGTH, SPINE_ROTATE_CHAIN},
                                .values = {1.0f, 1.0f, 1.0f, 0.1f, 0.0f}},
              BONE_TAIL, 8);
    constrain(scene,
              (SpineConstraint){.kind = SPINE_PATH_FOLLOW,
                                .target = 1,
                                .modes = {1, SPINE_SPACING_PERCENT, SPINE_ROTATE_TANGENT},
                                .values = {1.0f, 1.0f, 1.0f, 0.3f, 0.05f}},
              BONE_FIN, 4);
}

/* ---- The animation ---- */

/* Values start at the setup pose's: `around` is 1 for scales. */
static void animate(SpineScene *scene, Random *random, SpineTimelineKind kind, uint32_t target, float around,
                    float maxDelta, bool curved) {
    const uint32_t index = scene->animation.timelineCount++;
    const SpineTimelineType *type = &SPINE_TIMELINE_TYPES[kind];
    SpineSceneKeys *keys = &scene->keys[index];
    for (uint32_t k = 0; k < SPINE_KEYS; k++) {
        keys->times[k] = (float)(SPINE_SECONDS * k / (SPINE_KEYS - 1));
        keys->shapes[k] = curved ? SPINE_BEZIER : SPINE_LINEAR;
        for (uint32_t c = 0; c < type->channels; c++) {
            keys->values[k * type->channels + c] =
                around + (c < type->curves ? randomFloat(random, -maxDelta, maxDelta) : 0);
        }
    }
    for (uint32_t k = 0; k + 1 < SPINE_KEYS; k++) {
        const float step = keys->times[k + 1] - keys->times[k];
        for (uint32_t c = 0; c < type->curves; c++) {
            float *handles = keys->handles + ((size_t)k * type->curves + c) * 4;
            handles[0] = keys->times[k] + 0.4f * step;
            handles[1] = keys->values[k * type->channels + c];
            handles[2] = keys->times[k] + 0.6f * step;
            handles[3] = keys->values[(k + 1) * type->channels + c];
        }
    }
    scene->timelines[index] = (SpineTimeline){.kind = kind,
                                              .target = target,
                                              .keyCount = SPINE_KEYS,
                                              .channels = type->channels,
                                              .curves = type->curves,
                                              .times = keys->times,
                                              .values = keys->values,
                                              .shapes = keys->shapes,
                                              .handles = keys->handles};
}

static void placeKeys(SpineScene *scene, bool curved) {
    Random random = {.state = 60};
    scene->animation =
        (SpineAnimation){.name = (char *)"move", .duration = (float)SPINE_SECONDS, .timelines = scene->timelines};
    for (uint32_t b = BONE_TAIL; b < SPINE_BONES; b++) {
        animate(scene, &random, SPINE_TIMELINE_ROTATE, b, 0.0f, 20.0f, curved);
    }
    for (uint32_t limb = 0; limb < SPINE_LIMBS; limb++) {
        animate(scene, &random, SPINE_TIMELINE_TRANSLATE, spineSceneTarget(limb), 0.0f, 20.0f, curved);
        animate(scene, &random, SPINE_TIMELINE_ROTATE, spineSceneTarget(limb) - 1, 0.0f, 20.0f, curved);
    }
    animate(scene, &random, SPINE_TIMELINE_TRANSLATE, BONE_EYE + 1, 0.0f, 40.0f, curved);
    animate(scene, &random, SPINE_TIMELINE_TRANSLATE, BONE_RAIL + 1, 0.0f, 30.0f, curved);
    animate(scene, &random, SPINE_TIMELINE_ROTATE, BONE_RAIL, 0.0f, 20.0f, curved);
    animate(scene, &random, SPINE_TIMELINE_SCALE, BONE_GUIDE, 1.0f, 0.2f, curved);
    animate(scene, &random, SPINE_TIMELINE_SHEAR, BONE_GUIDE, 0.0f, 10.0f, curved);
    if (scene->spine.constraintCount > 0) {
        const uint32_t paths = SPINE_CONSTRAINTS - 2, transforms = SPINE_CONSTRAINTS - 4;
        animate(scene, &random, SPINE_TIMELINE_TRANSFORM, transforms, 0.5f, 0.4f, curved);
        animate(scene, &random, SPINE_TIMELINE_PATH_POSITION, paths, 0.2f, 0.1f, curved);
        animate(scene, &random, SPINE_TIMELINE_PATH_POSITION, paths + 1, 0.4f, 0.2f, curved);
        animate(scene, &random, SPINE_TIMELINE_RGBA, 0, 0.7f, 0.3f, curved);
    }
}

/* ---- Attachments ---- */

/* A point of the 2D model in the space of a bone of the setup pose. */
static void inBone(const SpineMatrix *m, double x, double y, float offset[3]) {
    const double determinant = m->a * m->d - m->b * m->c;
    offset[0] = (float)((m->d * (x - m->x0) - m->b * (y - m->y0)) / determinant);
    offset[1] = (float)((m->a * (y - m->y0) - m->c * (x - m->x0)) / determinant);
}

static uint32_t influencesOf(Random *random) {
    const uint32_t percent = randomBelow(random, 100);
    return percent < 30 ? 1 : percent < 65 ? 2 : percent < 80 ? 3 : 4;
}

/* Weights sum to 1 within rounding. */
static void bindVertex(SpineScene *scene, const SpinePose *setup, Random *random, uint32_t vertex) {
    static const float weights[SPINE_INFLUENCES][SPINE_INFLUENCES] = {
        {1.0f}, {0.7f, 0.3f}, {0.5f, 0.3f, 0.2f}, {0.4f, 0.3f, 0.2f, 0.1f}};
    SpineAttachment *mesh = &scene->attachments[0];
    const uint32_t count = influencesOf(random), first = randomBelow(random, SPINE_BONES);
    const uint32_t row = vertex / SPINE_COLUMNS;
    const double x = SPINE_SIZE * 0.7 * ((double)(vertex % SPINE_COLUMNS) / (SPINE_COLUMNS - 1) - 0.5);
    const double y = SPINE_SIZE * 0.7 * ((double)row / (SPINE_ROWS - 1) - 0.5);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = mesh->influenceCount++;
        const double apart = i == 0 ? 0.0 : SPINE_SIZE * 0.05;
        scene->vertexOf[at] = vertex;
        scene->boneOf[at] = (first + i) % SPINE_BONES;
        inBone(&setup->bones[scene->boneOf[at]].matrix, x + apart * (double)randomFloat(random, -1.0f, 1.0f),
               y + apart * (double)randomFloat(random, -1.0f, 1.0f), scene->offsets[at]);
        scene->offsets[at][2] = weights[count - 1][i];
    }
}

/* Separate ones, so that drawing reads each vertex once: two of each block of 3 x 2 vertices, and of the last column. */
static void placeTriangles(SpineScene *scene) {
    static const uint32_t block[6] = {0, 1, SPINE_COLUMNS, 2, SPINE_COLUMNS + 1, SPINE_COLUMNS + 2};
    uint32_t next = 0;
    for (uint32_t r = 0; r < SPINE_ROWS; r += 2) {
        for (uint32_t c = 0; c + 2 < SPINE_COLUMNS; c += 3) {
            for (uint32_t i = 0; i < 6; i++) {
                scene->indices[next++] = r * SPINE_COLUMNS + c + block[i];
            }
        }
    }
    for (uint32_t r = 0; r < SPINE_ROWS; r++) {
        scene->indices[next++] = r * SPINE_COLUMNS + SPINE_COLUMNS - 1;
    }
    scene->attachments[0].indexCount = next;
}

static void placeMesh(SpineScene *scene, const SpinePose *setup) {
    Random random = {.state = 600};
    SpineAttachment *mesh = &scene->attachments[0];
    *mesh = (SpineAttachment){.kind = SPINE_MESH,
                              .vertexCount = SPINE_VERTICES,
                              .vertices = scene->vertexOf,
                              .bones = scene->boneOf,
                              .offsets = &scene->offsets[0][0],
                              .indices = scene->indices,
                              .colour = {1.0f, 1.0f, 1.0f, 1.0f},
                              .frameCount = 1,
                              .frames = &scene->frame,
                              .clipEnd = -1};
    for (uint32_t v = 0; v < SPINE_VERTICES; v++) {
        bindVertex(scene, setup, &random, v);
    }
    placeTriangles(scene);
    scene->frame = (SpineFrame){.page = -1, .vertexCount = SPINE_VERTICES, .texcoords = &scene->texcoords[0][0]};
}

/* A wave below the character; each vertex follows both bones of the rail. */
static void placePath(SpineScene *scene, const SpinePose *setup) {
    SpineAttachment *path = &scene->attachments[1];
    const uint32_t vertices = 3 * SPINE_PATH_CURVES;
    *path = (SpineAttachment){.kind = SPINE_PATH,
                              .slot = 1,
                              .source = 1,
                              .vertexCount = vertices,
                              .vertices = scene->pathVertexOf,
                              .bones = scene->pathBoneOf,
                              .offsets = &scene->pathOffsets[0][0],
                              .colour = {1.0f, 1.0f, 1.0f, 1.0f},
                              .clipEnd = -1,
                              .constantSpeed = 1,
                              .lengthCount = vertices / 3 - 1};
    for (uint32_t v = 0; v < vertices; v++) {
        const double along = (double)v / (vertices - 1);
        for (uint32_t i = 0; i < 2; i++) {
            const uint32_t at = path->influenceCount++;
            scene->pathVertexOf[at] = v;
            scene->pathBoneOf[at] = (uint32_t)BONE_RAIL + i;
            inBone(&setup->bones[BONE_RAIL + (int)i].matrix, 320.0 * along - 160.0, -80.0 + 40.0 * sin(9.0 * along),
                   scene->pathOffsets[at]);
            scene->pathOffsets[at][2] = (float)(i == 0 ? 1.0 - along : along);
        }
    }
}

bool spineSceneFill(bool constraints, bool curves, SpineScene *scene, EngineError *error) {
    scene->spine = (SpineModel){.version = (char *)"made",
                                .bounds = {-200.0f, -200.0f, 400.0f, 400.0f},
                                .nameCount = 1,
                                .boneCount = SPINE_BONES,
                                .names = &scene->name,
                                .bones = scene->bones,
                                .slots = scene->slots,
                                .skins = &scene->skin,
                                .attachments = scene->attachments,
                                .constraints = scene->constraints,
                                .animations = &scene->animation};
    scene->name.text = (char *)"shown";
    scene->skin.name = (char *)"default";
    scene->slots[0] = (SpineSlot){.name = (char *)MESH_SLOT, .bone = BONE_HIP, .colour = {1.0f, 1.0f, 1.0f, 1.0f}};
    scene->slots[1] = (SpineSlot){.name = (char *)PATH_SLOT, .bone = BONE_ROOT, .colour = {1.0f, 1.0f, 1.0f, 1.0f}};
    placeBones(scene);
    SpinePose *setup = spinePoseCreate(&scene->spine, NULL, 0, error); /* bones only: there are no slots yet */
    if (!setup) {
        return false;
    }
    placeMesh(scene, setup);
    placePath(scene, setup);
    spinePoseFree(setup);
    scene->spine.slotCount = 2;
    scene->spine.skinCount = 1;
    scene->spine.attachmentCount = 2;
    if (constraints) {
        placeConstraints(scene);
    }
    placeKeys(scene, curves);
    scene->spine.animationCount = 1;
    return true;
}
