#include "cpu_output.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "guarded_output.h"

/* Where one instance's vertices lie: positions, then attributes, each in memory of its own. */
typedef struct Output {
    GuardedOutput positions, attributes;
} Output;

static VkskinOutput layoutOf(const VkskinMeshInfo *info) {
    uint32_t stride = info->hasTangents ? 28 : info->hasNormals ? 12 : 0;
    uint32_t packed = info->hasTangents ? 8 : info->hasNormals ? 4 : 0;
    return (VkskinOutput){
        .positionStride = 4 * info->dimensions,
        .attributeStride = info->format == VKSKIN_VERTEX_PACKED ? packed : stride,
    };
}

static Output makeOutput(const VkskinMeshInfo *info, unsigned char fill) {
    VkskinOutput layout = layoutOf(info);
    return (Output){
        .positions = guardedOutput((size_t)info->vertexCount * layout.positionStride, fill),
        .attributes = guardedOutput((size_t)info->vertexCount * layout.attributeStride, fill),
    };
}

static void skinScene(VkskinCpuMesh mesh, const Scene *scene, VkskinCpuLevel level, const Output *outputs) {
    const RowReading *reading = rowReadingOf(&scene->row);
    VkskinCpuCommand commands[SCENE_INSTANCES];
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        commands[i] = (VkskinCpuCommand){
            .palette = scene->instances[i].palette,
            .encoding = reading->encoding,
            .boneCount = scene->mesh.boneCount,
            .method = reading->blend,
            .morphWeights = scene->instances[i].morphWeights,
            .morphWeightCount = scene->instances[i].morphWeightCount,
            .positions = (float *)(void *)outputs[i].positions.bytes,
            .attributes = outputs[i].attributes.size > 0 ? outputs[i].attributes.bytes : NULL,
        };
    }
    VkskinCpuRun run = {.level = level};
    assert_int_equal(vkskinSkinOnCpu(mesh, commands, SCENE_INSTANCES, &run), VKSKIN_SUCCESS);
}

static void readOutput(const Output *output, const VkskinMeshInfo *info, ReadVertex *vertices) {
    VkskinOutput layout = layoutOf(info);
    size_t positions = output->positions.size;
    unsigned char *bytes = malloc(positions + output->attributes.size);
    assert_non_null(bytes);
    memcpy(bytes, output->positions.bytes, positions);
    memcpy(bytes + positions, output->attributes.bytes, output->attributes.size);
    layout.attributeOffset = positions;
    for (uint32_t v = 0; v < info->vertexCount; v++) {
        vertices[v] = readVertex(bytes, 0, &layout, info, v);
    }
    free(bytes);
}

ReadVertex *newCpuOutput(const Scene *scene, VkskinCpuLevel level, VkskinMeshInfo *info) {
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    def.mesh = &scene->def;
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    assert_int_equal(vkskinGetCpuMeshInfo(mesh, info), VKSKIN_SUCCESS);
    Output first[SCENE_INSTANCES], second[SCENE_INSTANCES];
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        first[i] = makeOutput(info, 0x00);
        second[i] = makeOutput(info, 0xff);
    }
    skinScene(mesh, scene, level, first);
    skinScene(mesh, scene, level, second);
    vkskinDestroyCpuMesh(mesh);
    ReadVertex *vertices = calloc((size_t)SCENE_INSTANCES * info->vertexCount, sizeof *vertices);
    assert_non_null(vertices);
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        assert_memory_equal(first[i].positions.bytes, second[i].positions.bytes, first[i].positions.size);
        assert_memory_equal(first[i].attributes.bytes, second[i].attributes.bytes, first[i].attributes.size);
        readOutput(&first[i], info, vertices + (size_t)i * info->vertexCount);
        guardedOutputFree(&first[i].positions);
        guardedOutputFree(&first[i].attributes);
        guardedOutputFree(&second[i].positions);
        guardedOutputFree(&second[i].attributes);
    }
    return vertices;
}
