#include "marker.h"

#include "instance_of.h"

#include <stdlib.h>
#include <string.h>

#include "vkskin/vkskin_pose.h"

/* Every vertex on bones 0 to boneCount - 1 by equal shares. */
static VkskinResult tryMesh(VkskinContext context, uint32_t vertexCount, uint32_t boneCount, bool previous,
                            VkskinMesh *mesh) {
    float *positions = calloc(vertexCount, 3 * sizeof *positions);
    float *weights = calloc((size_t)vertexCount * boneCount, sizeof *weights);
    uint8_t *joints = calloc((size_t)vertexCount * boneCount, sizeof *joints);
    assert_true(positions != NULL && weights != NULL && joints != NULL);
    for (size_t v = 0; v < vertexCount; v++) {
        positions[3 * v] = (float)v;
        for (uint32_t b = 0; b < boneCount; b++) {
            weights[v * boneCount + b] = 1.0f / (float)boneCount;
            joints[v * boneCount + b] = (uint8_t)b;
        }
    }
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = "marker";
    def.vertexCount = vertexCount;
    def.boneCount = boneCount;
    def.positions = positions;
    def.influencesPerVertex = boneCount;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.previousPositions = previous;
    VkskinResult result = vkskinCreateMesh(context, &def, mesh);
    free(positions);
    free(weights);
    free(joints);
    return result;
}

static VkskinMesh createMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, uint32_t boneCount, bool previous) {
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, tryMesh(context, vertexCount, boneCount, previous, &mesh));
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    return mesh;
}

VkskinResult markerTryMesh(VkskinContext context, uint32_t vertexCount, bool previousPositions, VkskinMesh *mesh) {
    return tryMesh(context, vertexCount, 1, previousPositions, mesh);
}

VkskinMesh markerMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool previousPositions) {
    return createMesh(gpu, context, vertexCount, 1, previousPositions);
}

VkskinMesh markerTwoBoneMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount) {
    return createMesh(gpu, context, vertexCount, 2, false);
}

VkskinMesh markerMorphMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool bone) {
    float(*positions)[3] = calloc(vertexCount, sizeof *positions);
    float(*deltas)[3] = calloc(vertexCount, MARKER_MORPHS * sizeof *deltas);
    float *weights = calloc(vertexCount, sizeof *weights);
    uint8_t *joints = calloc(vertexCount, sizeof *joints);
    assert_true(positions != NULL && deltas != NULL && weights != NULL && joints != NULL);
    for (size_t v = 0; v < vertexCount; v++) {
        positions[v][0] = (float)v;
        weights[v] = 1.0f;
        deltas[v][1] = 1.0f;
        deltas[vertexCount + v][2] = 1.0f;
    }
    const VkskinMorphTarget targets[MARKER_MORPHS] = {
        {.vertexCount = vertexCount, .positions = deltas[0]},
        {.vertexCount = vertexCount, .positions = deltas[vertexCount], .afterSkinning = true},
    };
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMesh mesh;
    def.name = "morphing marker";
    def.vertexCount = vertexCount;
    def.boneCount = bone ? 1 : 0;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.morphTargets = targets;
    def.morphTargetCount = MARKER_MORPHS;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &mesh));
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    free(positions);
    free(deltas);
    free(weights);
    free(joints);
    return mesh;
}

void markerWrite(void *palette, float y, float z) {
    VkskinAffine affine = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    affine.m[1][3] = y;
    affine.m[2][3] = z;
    memcpy(palette, &affine, sizeof affine);
}

VkskinPalette markerPalette(Gpu *gpu, VkskinContext context, float y, float z) {
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 1, &palette, &data));
    markerWrite(data, y, z);
    return palette;
}

void markerSkin(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    VkskinSkinCommand command = {.instance = instance, .palette = markerPalette(gpu, context, y, z)};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
}

void markerSkinTwoBones(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    VkskinSkinCommand command = {.instance = instance};
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, 2, &command.palette, &data));
    markerWrite(data, y, z);
    markerWrite((char *)data + vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4), y, z);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
}

uint32_t markerMismatches(const void *bytes, uint32_t vertexCount, float y, float z) {
    uint32_t mismatches = 0;
    for (uint32_t v = 0; v < vertexCount; v++) {
        float position[3];
        memcpy(position, (const char *)bytes + (size_t)v * sizeof position, sizeof position);
        mismatches += position[0] != (float)v || position[1] != y || position[2] != z;
    }
    return mismatches;
}

VkskinInstance markerInstance(Gpu *gpu, VkskinContext context, VkskinMesh mesh) {
    VkskinInstance instance;
    GPU_VKSKIN(gpu, instanceOf(context, mesh, &instance));
    return instance;
}

VkskinOutput markerOutput(Gpu *gpu, VkskinContext context, VkskinInstance instance) {
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    return output;
}
