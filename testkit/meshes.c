#include "meshes.h"

void *newZeros(size_t count, size_t size) {
    void *zeros = calloc(count > 0 ? count : 1, size);
    assert_non_null(zeros);
    return zeros;
}

/* ---- Markers ---- */

static const VkskinOutputLayout markerLayout = {
    .streamCount = 1,
    .strides = {sizeof(MarkerVertex)},
    .position = {0, offsetof(MarkerVertex, position)},
    .passThroughCount = 2,
    .passThrough = {{{0, offsetof(MarkerVertex, tag)}, 4, VK_FORMAT_R8G8B8A8_UNORM},
                    {{0, offsetof(MarkerVertex, other)}, 4, VK_FORMAT_R32_UINT}},
};

uint32_t markerTag(uint32_t vertex) {
    return 0x5a000000u + vertex;
}

/* [vertexCount][2]: a tag and its complement. */
static uint32_t *newTags(uint32_t vertexCount) {
    uint32_t *tags = newZeros(vertexCount, 2 * sizeof *tags);
    for (uint32_t v = 0; v < vertexCount; v++) {
        tags[2 * (size_t)v] = markerTag(v);
        tags[2 * (size_t)v + 1] = ~markerTag(v);
    }
    return tags;
}

/* [vertexCount][3]: (0, 1, 0). */
static float *newLifts(uint32_t vertexCount) {
    float *lifts = newZeros(vertexCount, 3 * sizeof *lifts);
    for (size_t v = 0; v < vertexCount; v++) {
        lifts[3 * v + 1] = 1.0f;
    }
    return lifts;
}

VkskinResult markerCreate(VkskinContext context, const MarkerDef *def, VkskinMesh *mesh) {
    TestMesh *built = meshBuild(
        (MeshSpec){def->vertexCount, def->boneCount, def->boneCount,
                   .attributes = (def->exactNormals ? MESH_NORMALS : 0) | (def->centres ? MESH_CENTRES : 0),
                   .triangles = 1, .morphs = def->morphs ? MARKER_MORPHS : 0, .jointBytes = 1, .flat = def->flat});
    uint32_t *tags = newTags(def->vertexCount);
    float *lifts = newLifts(def->vertexCount);
    const VkskinPassThroughData passed[] = {{tags, 8}, {tags + 1, 8}};
    built->def.name = "marker";
    built->def.normalRule = def->exactNormals ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    built->def.previousPositions = def->previousPositions;
    built->def.layout = def->passThrough ? &markerLayout : NULL;
    built->def.passThrough = def->passThrough ? passed : NULL;
    built->targets[0].positions = lifts;
    VkskinResult result =
        def->replaces ? vkskinReplaceMesh(context, *mesh, &built->def) : vkskinCreateMesh(context, &built->def, mesh);
    meshFree(built);
    free(tags);
    free(lifts);
    return result;
}

VkskinMesh markerMeshOf(Gpu *gpu, VkskinContext context, const MarkerDef *def) {
    VkskinMesh mesh;
    GPU_VKSKIN(gpu, markerCreate(context, def, &mesh));
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    return mesh;
}

VkskinResult markerTryMesh(VkskinContext context, uint32_t vertexCount, bool previousPositions, VkskinMesh *mesh) {
    const MarkerDef def = {.vertexCount = vertexCount, .boneCount = 1, .previousPositions = previousPositions};
    return markerCreate(context, &def, mesh);
}

VkskinMesh markerMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool previousPositions) {
    const MarkerDef def = {.vertexCount = vertexCount, .boneCount = 1, .previousPositions = previousPositions};
    return markerMeshOf(gpu, context, &def);
}

VkskinInstance markerInstance(Gpu *gpu, VkskinContext context, VkskinMesh mesh) {
    VkskinInstance instance;
    GPU_VKSKIN(gpu, vkskinCreateInstances(context, mesh, 1, &instance));
    return instance;
}

VkskinOutput markerOutput(Gpu *gpu, VkskinContext context, VkskinInstance instance) {
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinGetOutput(context, instance, &output));
    return output;
}

void markerWrite(void *palette, float y, float z) {
    VkskinAffine affine = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    affine.m[1][3] = y;
    affine.m[2][3] = z;
    memcpy(palette, &affine, sizeof affine);
}

VkskinPalette markerPalettes(Gpu *gpu, VkskinContext context, uint32_t bones, float y, float z) {
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, bones, &palette, &data));
    for (uint32_t b = 0; b < bones; b++) {
        markerWrite((char *)data + (size_t)b * vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4), y, z);
    }
    return palette;
}

VkskinPalette markerPalette(Gpu *gpu, VkskinContext context, float y, float z) {
    return markerPalettes(gpu, context, 1, y, z);
}

void markerSkin(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    markerSkinBones(gpu, context, instance, 1, y, z);
}

void markerSkinBones(Gpu *gpu, VkskinContext context, VkskinInstance instance, uint32_t bones, float y, float z) {
    VkskinSkinCommand command = {.instance = instance, .palette = markerPalettes(gpu, context, bones, y, z)};
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
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
