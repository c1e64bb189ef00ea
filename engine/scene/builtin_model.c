#include "builtin_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The strip stands on y = 0. A vertex follows the bones below and above it, and in the middle of a bone this one alone. */
#define BONES       10u
#define ROWS        81u /* rows of vertices, from bottom to top */
#define COLUMNS     5u
#define BONE_LENGTH 0.2f
#define HALF_WIDTH  0.25f
#define KEYS        61u
#define SECONDS     2.0f
#define SWING       0.32f /* radians, of a bone against the one below */
#define TURN        6.2831853f

bool builtinIsNamed(const char *path) {
    return strncmp(path, BUILTIN_PREFIX, strlen(BUILTIN_PREFIX)) == 0;
}

/* ---- Bones ---- */

static bool addBones(Model *model, EngineError *error) {
    ModelSkin *skin = model->skins = engineAllocate(1, sizeof(*skin), error);
    model->nodes = engineAllocate(BONES + 1, sizeof(*model->nodes), error);
    if (!skin || !model->nodes) {
        return false;
    }
    model->skinCount = 1;
    skin->boneNodes = engineAllocate(BONES, sizeof(*skin->boneNodes), error);
    skin->inverseBinds = engineAllocate(BONES, sizeof(*skin->inverseBinds), error);
    if (!skin->boneNodes || !skin->inverseBinds) {
        return false;
    }
    skin->boneCount = BONES;
    for (uint32_t i = 0; i <= BONES; i++) { /* node 0 carries the mesh, node b + 1 is bone b */
        ModelNode *node = &model->nodes[model->nodeCount++];
        *node = (ModelNode){.name = strdup(i == 0 ? "strip" : "bone"),
                            .parent = (int32_t)i - 1,
                            .rest = vkskinIdentityTransform(),
                            .preTransform = vkskinIdentityAffine()};
        node->rest.translation[1] = i > 1 ? BONE_LENGTH : 0.0f;
        if (!node->name) {
            return engineFail(error, "out of memory");
        }
    }
    for (uint32_t b = 0; b < BONES; b++) {
        skin->boneNodes[b] = b + 1;
        skin->inverseBinds[b] = vkskinIdentityAffine();
        skin->inverseBinds[b].m[1][3] = -BONE_LENGTH * (float)b;
    }
    return true;
}

/* ---- The mesh ---- */

static bool allocateMesh(ModelMesh *mesh, EngineError *error) {
    const size_t vertices = (size_t)ROWS * COLUMNS;
    *mesh = (ModelMesh){.name = strdup("strip"), .influences = 2, .boneCount = BONES};
    mesh->positions = engineAllocate(vertices, 3 * sizeof(float), error);
    mesh->normals = engineAllocate(vertices, 3 * sizeof(float), error);
    mesh->colours = engineAllocate(vertices, 4 * sizeof(float), error);
    mesh->joints = engineAllocate(vertices, 2 * sizeof(uint32_t), error);
    mesh->weights = engineAllocate(vertices, 2 * sizeof(float), error);
    mesh->indices = engineAllocate((size_t)6 * (ROWS - 1) * (COLUMNS - 1), sizeof(uint32_t), error);
    if (!mesh->name || !mesh->positions || !mesh->normals || !mesh->colours || !mesh->joints || !mesh->weights ||
        !mesh->indices) {
        return engineFail(error, "out of memory");
    }
    mesh->vertexCount = (uint32_t)vertices;
    return true;
}

static void setVertex(ModelMesh *mesh, uint32_t row, uint32_t column) {
    const size_t v = (size_t)row * COLUMNS + column;
    const float along = (float)row / (float)(ROWS - 1) * (float)BONES; /* in bones */
    const uint32_t bone = along < (float)BONES ? (uint32_t)along : BONES - 1;
    const float within = along - (float)bone;
    const bool lower = within < 0.5f ? bone == 0 : bone == BONES - 1; /* without a second bone */
    const float shade = (bone & 1) != 0 ? 0.75f : 0.25f;
    const float colour[4] = {0.9f, shade, 0.15f, 1.0f};
    mesh->positions[3 * v] = ((float)column / (float)(COLUMNS - 1) * 2.0f - 1.0f) * HALF_WIDTH;
    mesh->positions[3 * v + 1] = along * BONE_LENGTH;
    mesh->normals[3 * v + 2] = 1.0f;
    memcpy(mesh->colours + 4 * v, colour, sizeof(colour));
    mesh->joints[2 * v] = bone;
    mesh->joints[2 * v + 1] = lower ? 0 : within < 0.5f ? bone - 1 : bone + 1;
    mesh->weights[2 * v + 1] = lower ? 0.0f : fabsf(0.5f - within);
    mesh->weights[2 * v] = 1.0f - mesh->weights[2 * v + 1];
}

static bool addMesh(Model *model, EngineError *error) {
    model->meshes = engineAllocate(1, sizeof(*model->meshes), error);
    model->parts = engineAllocate(1, sizeof(*model->parts), error);
    model->materials = engineAllocate(1, sizeof(*model->materials), error);
    if (!model->meshes || !model->parts || !model->materials) {
        return false;
    }
    model->meshCount = model->partCount = model->materialCount = 1;
    model->materials[0] = modelPlainMaterial(strdup("strip"));
    ModelMesh *mesh = &model->meshes[0];
    if (!allocateMesh(mesh, error)) {
        return false;
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        for (uint32_t column = 0; column < COLUMNS; column++) {
            setVertex(mesh, row, column);
            if (row + 1 < ROWS && column + 1 < COLUMNS) {
                const uint32_t v = row * COLUMNS + column;
                const uint32_t corners[6] = {v, v + 1, v + COLUMNS, v + COLUMNS, v + 1, v + COLUMNS + 1};
                memcpy(mesh->indices + mesh->indexCount, corners, sizeof(corners));
                mesh->indexCount += 6;
            }
        }
    }
    return model->materials[0].name || engineFail(error, "out of memory");
}

/* ---- The clip ---- */

/* A wave that runs up the strip. */
static bool setTrack(VkskinTrack *track, uint32_t bone, EngineError *error) {
    float *times = engineAllocate(KEYS, sizeof(*times), error);
    float *values = engineAllocate(KEYS, 4 * sizeof(*values), error);
    *track = (VkskinTrack){
        .node = bone + 1, .channel = VKSKIN_CHANNEL_ROTATION, .keyCount = KEYS, .times = times, .values = values};
    for (uint32_t key = 0; times && values && key < KEYS; key++) {
        const float phase = (float)key / (float)(KEYS - 1) - (float)bone / (float)BONES;
        const float angle = SWING * sinf(TURN * phase);
        times[key] = SECONDS * (float)key / (float)(KEYS - 1);
        values[4 * key + 2] = sinf(0.5f * angle);
        values[4 * key + 3] = cosf(0.5f * angle);
    }
    return times && values;
}

static bool addClip(Model *model, EngineError *error) {
    ModelClip *clip = model->clips = engineAllocate(1, sizeof(*clip), error);
    if (!clip) {
        return false;
    }
    model->clipCount = 1;
    *clip = (ModelClip){.name = strdup("wave"), .duration = SECONDS};
    clip->tracks = engineAllocate(BONES, sizeof(*clip->tracks), error);
    bool made = clip->tracks && (clip->name || engineFail(error, "out of memory"));
    for (uint32_t bone = 0; made && bone < BONES; bone++) {
        made = setTrack(&clip->tracks[clip->trackCount++], bone, error);
    }
    return made;
}

Model *builtinModel(const char *path, EngineError *error) {
    if (strcmp(path, BUILTIN_STRIP) != 0) {
        engineFail(error, "%s: no built-in model; known: " BUILTIN_STRIP, path);
        return NULL;
    }
    Model *model = engineAllocate(1, sizeof(*model), error);
    if (!model || !addBones(model, error) || !addMesh(model, error) || !addClip(model, error) ||
        !modelCheck(model, error)) {
        modelFree(model);
        return NULL;
    }
    return model;
}
