#include "mesh_input.h"

#include <stdlib.h>
#include <string.h>

#include "model_mesh.h"
#include "output_spans.h"

/* The joints in a narrower format; joints without weight are cut off. */
static void *newJoints(const ModelMesh *mesh, VkskinJointFormat format) {
    size_t count = (size_t)mesh->vertexCount * mesh->influences;
    size_t size = format == VKSKIN_JOINTS_U8 ? 1 : format == VKSKIN_JOINTS_U16 ? 2 : 4;
    char *joints = newZeroed(count, size);
    for (size_t i = 0; i < count; i++) {
        memcpy(joints + i * size, &mesh->joints[i], size); /* little-endian: the low bytes come first */
    }
    return joints;
}

static void fillTarget(MeshInput *input, uint32_t index, const ModelMorph *morph, bool flat, bool after) {
    VkskinMorphTarget *target = &input->targets[index];
    *target = (VkskinMorphTarget){
        .vertexCount = morph->vertexCount,
        .vertices = morph->vertices,
        .positions = morph->positions,
        .normals = flat ? NULL : morph->normals,
        .tangents = flat ? NULL : morph->tangents,
        .afterSkinning = after,
    };
    if (flat) {
        input->flatDeltas[index] = newZeroed(morph->vertexCount, 2 * sizeof(float));
        for (size_t i = 0; i < morph->vertexCount; i++) {
            memcpy(input->flatDeltas[index] + 2 * i, morph->positions + 3 * i, 2 * sizeof(float));
        }
        target->positions = input->flatDeltas[index];
    }
}

void meshInputFill(MeshInput *input, const ModelMesh *mesh, VkskinJointFormat joints, bool flat,
                   const bool *morphsAfter) {
    if (mesh->morphCount > MESH_MAX_MORPHS) {
        abort();
    }
    meshInputFree(input);
    VkskinMeshDef *def = &input->def;
    *def = meshDefOfModel(mesh);
    def->jointFormat = joints;
    def->joints = input->joints = newJoints(mesh, joints);
    def->dimensions = flat ? 2 : 3;
    def->positionStride = 3 * sizeof(float); /* flat meshes skip z */
    def->normals = flat ? NULL : def->normals;
    def->tangents = flat ? NULL : def->tangents;
    def->morphTargets = input->targets;
    def->morphTargetCount = mesh->morphCount;
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        fillTarget(input, m, &mesh->morphs[m], flat, morphsAfter != NULL && morphsAfter[m]);
    }
}

void meshInputFree(MeshInput *input) {
    free(input->joints);
    free(input->centres);
    for (uint32_t m = 0; m < MESH_MAX_MORPHS; m++) {
        free(input->flatDeltas[m]);
    }
    for (uint32_t i = 0; i < VKSKIN_MAX_PASS_THROUGH; i++) {
        free((void *)(uintptr_t)input->passThrough[i].data);
    }
    memset(input, 0, sizeof *input);
}

void meshInputAddCentres(MeshInput *input, const uint32_t *indices, uint32_t indexCount, const float *replaced) {
    VkskinMeshDef *def = &input->def;
    def->indexCount = indexCount;
    def->indices = indices;
    def->centresSize = vkskinCentresSize(def->vertexCount);
    def->centres = input->centres = newZeroed(1, def->centresSize);
    if (vkskinComputeCentres(def, NULL, input->centres, def->centresSize) != VKSKIN_SUCCESS) {
        abort();
    }
    def->indices = NULL;
    if (replaced != NULL) {
        memcpy((char *)input->centres + MESH_CENTRES_HEAD, replaced, (size_t)def->vertexCount * 3 * sizeof(float));
    }
}

/* With any stride. */
static void addPassThrough(MeshInput *input, Random *random, uint32_t index) {
    uint32_t size = input->layout.passThrough[index].size;
    size_t stride = randomBelow(random, 2) == 0 ? 0 : size + randomBelow(random, 6);
    size_t step = stride != 0 ? stride : size;
    unsigned char *data = newZeroed(input->def.vertexCount, step);
    for (uint32_t v = 0; v < input->def.vertexCount; v++) {
        for (uint32_t w = 0; w < size / 4; w++) {
            uint32_t word = passThroughWord(index, v, w);
            memcpy(data + step * v + (size_t)4 * w, &word, sizeof word);
        }
    }
    input->passThrough[index] = (VkskinPassThroughData){data, stride};
}

void meshInputAddLayout(MeshInput *input, Random *random) {
    input->layout = randomLayout(random, &input->def);
    input->def.layout = &input->layout;
    input->def.passThrough = input->passThrough;
    for (uint32_t i = 0; i < input->layout.passThroughCount; i++) {
        addPassThrough(input, random, i);
    }
}
