/*
 * Commands whose method, encoding, morph weights or kernels do not go with their mesh: each refused by its name, and the
 * right command that comes after them skins as if they had not been.
 */
#include <math.h>
#include <string.h>

#include "scene.h"

#define REFUSED(expected, part, call) gpuCheckRefusal(gpu, #call, (call), (expected), (part))

static VkskinContext morphContext(Gpu *gpu, uint32_t maxMorphWeights) {
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 1;
    def.maxMorphWeights = maxMorphWeights;
    return gpuContext(gpu, &def);
}

static void checkPositions(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z) {
    recordAndRun(gpu, context);
    checkPositions(gpu, context, instance, y, z);
}

static void morphWeights(void **state) {
    Gpu *gpu = *state;
    static const float weights[3] = {2.0f, 3.0f, 4.0f};
    static const float notFinite[2][2] = {{1.0f, NAN}, {-INFINITY, 1.0f}};
    VkskinContext context = morphContext(gpu, MARKER_MORPHS + 1); /* of one command */
    VkskinMesh mesh = markerMorphMesh(gpu, context, 20, true);
    VkskinInstance instances[2] = {markerInstance(gpu, context, mesh), markerInstance(gpu, context, mesh)};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand right = {.instance = instances[0],
                               .palette = markerPalette(gpu, context, 10.0f, 20.0f),
                               .morphWeights = weights,
                               .morphWeightCount = MARKER_MORPHS};
    VkskinSkinCommand wrong = right;
    wrong.morphWeightCount = 3;
    REFUSED(VKSKIN_ERROR_MORPH_OUT_OF_RANGE, "command 0: 3 morph weights, the mesh has 2 targets",
            vkskinSkinInstances(context, &wrong, 1));
    wrong = right;
    wrong.morphWeights = NULL;
    REFUSED(VKSKIN_ERROR_NULL_ARGUMENT, "command 0: morphWeights is null", vkskinSkinInstances(context, &wrong, 1));
    wrong.morphWeights = notFinite[0];
    REFUSED(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "command 0: morph weight 1 is nan",
            vkskinSkinInstances(context, &wrong, 1));
    wrong.morphWeights = notFinite[1];
    REFUSED(VKSKIN_ERROR_WEIGHT_NOT_FINITE, "command 0: morph weight 0 is -inf",
            vkskinSkinInstances(context, &wrong, 1));
    /* Two commands take two places more than there are: none is taken, and the first has its three places still. */
    VkskinSkinCommand pair[2] = {right, right};
    pair[1].instance = instances[1];
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS,
            "command 1: its morph weights take 3 places, 0 are left of maxMorphWeights (3)",
            vkskinSkinInstances(context, pair, 2));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &right, 1));
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS, "command 0", vkskinSkinInstances(context, &pair[1], 1));
    pair[1].morphWeightCount = 0;
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &pair[1], 1)); /* no weight, no place */
    checkPositions(gpu, context, instances[0], 12.0f, 23.0f);
    vkskinDestroyContext(context);
}

/* Zeros take no place: also where there is none. */
static void zeroWeightsTakeNoPlace(void **state) {
    Gpu *gpu = *state;
    static const float weights[MARKER_MORPHS] = {0.0f, -0.0f};
    static const float one[MARKER_MORPHS] = {0.0f, 1.0f};
    VkskinContext context = morphContext(gpu, 0);
    VkskinInstance instance = markerInstance(gpu, context, markerMorphMesh(gpu, context, 20, true));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand command = {.instance = instance,
                                 .palette = markerPalette(gpu, context, 10.0f, 20.0f),
                                 .morphWeights = one,
                                 .morphWeightCount = MARKER_MORPHS};
    REFUSED(VKSKIN_ERROR_TOO_MANY_MORPHS, "2 places, 0 are left", vkskinSkinInstances(context, &command, 1));
    command.morphWeights = weights;
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
    checkPositions(gpu, context, instance, 10.0f, 20.0f);
    vkskinDestroyContext(context);
}

/* ---- Methods and encodings ---- */

static VkskinPalette paletteOf(Gpu *gpu, VkskinContext context, VkskinPaletteEncoding encoding) {
    VkskinPalette palette;
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, encoding, 1, &palette, &data));
    memset(data, 0, vkskinPaletteStride(encoding));
    return palette;
}

static VkskinMesh flatMesh(Gpu *gpu, VkskinContext context) {
    static const float positions[3][2] = {{0, 0}, {1, 0}, {0, 1}}, weights[3] = {1, 1, 1};
    static const uint8_t joints[3];
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMesh mesh;
    def.vertexCount = 3;
    def.boneCount = 1;
    def.dimensions = 2;
    def.positions = positions[0];
    def.influencesPerVertex = 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &mesh));
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    return mesh;
}

/* Every method with every encoding, on a mesh of three dimensions and on a flat one. */
static void encodings(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = morphContext(gpu, 16);
    VkskinInstance instances[2] = {markerInstance(gpu, context, markerMesh(gpu, context, 20, false)),
                                   markerInstance(gpu, context, flatMesh(gpu, context))};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t e = 0; e < VKSKIN_PALETTE_ENCODING_COUNT; e++) {
        VkskinSkinCommand command = {.palette = paletteOf(gpu, context, (VkskinPaletteEncoding)e)};
        for (uint32_t i = 0; i < 2 * VKSKIN_METHOD_COUNT; i++) {
            bool flat = i % 2 == 1;
            command.method = (VkskinMethod)(i / 2);
            command.instance = instances[i % 2];
            bool reads =
                vkskinMethodReads(command.method, command.palette.encoding) && flat == (e == VKSKIN_PALETTE_MAT2X3);
            if (!reads) {
                REFUSED(VKSKIN_ERROR_PALETTE_ENCODING,
                        flat ? "of a mesh of 2 dimensions does not read" : "of a mesh of 3 dimensions does not read",
                        vkskinSkinInstances(context, &command, 1));
            }
        }
    }
    markerSkin(gpu, context, instances[0], 1.0f, 2.0f);
    checkPositions(gpu, context, instances[0], 1.0f, 2.0f);
    vkskinDestroyContext(context);
}

static void missingData(void **state) {
    Gpu *gpu = *state;
    VkskinContext context = morphContext(gpu, 16);
    VkskinInstance instance = markerInstance(gpu, context, markerMesh(gpu, context, 20, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    VkskinSkinCommand command = {.instance = instance,
                                 .palette = paletteOf(gpu, context, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION),
                                 .method = VKSKIN_METHOD_PAINTED_BLEND};
    REFUSED(VKSKIN_ERROR_METHOD_DATA_MISSING, "painted blend needs blend weights, the mesh was made without",
            vkskinSkinInstances(context, &command, 1));
    command.method = VKSKIN_METHOD_CENTRES_OF_ROTATION;
    REFUSED(VKSKIN_ERROR_METHOD_DATA_MISSING, "centres of rotation needs centres, the mesh was made without",
            vkskinSkinInstances(context, &command, 1));
    markerSkin(gpu, context, instance, 1.0f, 2.0f);
    checkPositions(gpu, context, instance, 1.0f, 2.0f);
    vkskinDestroyContext(context);
}

/* ---- Kernels ---- */

/* A vertex of so many influences; normals by the exact rule; morph targets, or nothing but them. */
static VkskinInstance needyInstance(Gpu *gpu, VkskinContext context, uint32_t influences, bool exact, bool morphs) {
    static const float position[3] = {1, 2, 3}, normal[3] = {0, 0, 1};
    static const uint8_t joints[6];
    float weights[6];
    const VkskinMorphTarget target = {.vertexCount = 1, .positions = position};
    VkskinMeshDef def = vkskinDefaultMeshDef();
    VkskinMesh mesh;
    for (uint32_t i = 0; i < 6; i++) {
        weights[i] = 1.0f / (float)(influences > 0 ? influences : 1);
    }
    def.vertexCount = 1;
    def.boneCount = influences > 0 ? 1 : 0;
    def.positions = position;
    def.normals = exact ? normal : NULL;
    def.normalRule = exact ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    def.influencesPerVertex = influences > 0 ? influences : 1;
    def.jointFormat = VKSKIN_JOINTS_U8;
    def.joints = joints;
    def.weights = weights;
    def.morphTargets = &target;
    def.morphTargetCount = morphs ? 1 : 0;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &mesh));
    return markerInstance(gpu, context, mesh);
}

/* What the kernels of one plain mesh do not serve. */
static void missingKernels(void **state) {
    Gpu *gpu = *state;
    static const float weight = 1.0f;
    static const struct {
        uint32_t influences;
        bool exact, morphs;
        const char *part;
    } cases[] = {
        {6, false, false, "no kernels for linear blend of MAT3X4, packed vertices: vkskinCreatePipelines"},
        {1, true, false, "no kernels for linear blend of MAT3X4, packed vertices, exact normals:"},
        {1, false, true, "no kernels for linear blend of MAT3X4, packed vertices, morphs:"},
        {0, false, true, "no kernels for a mesh without bones, packed vertices, morphs:"},
    };
    VkskinContext context = morphContext(gpu, 16);
    VkskinInstance plain = markerInstance(gpu, context, markerMesh(gpu, context, 20, false));
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        VkskinSkinCommand command = {
            .instance = needyInstance(gpu, context, cases[i].influences, cases[i].exact, cases[i].morphs),
            .palette = markerPalette(gpu, context, 1.0f, 2.0f),
            .morphWeights = &weight,
            .morphWeightCount = cases[i].morphs ? 1 : 0};
        REFUSED(VKSKIN_ERROR_PIPELINE_MISSING, cases[i].part, vkskinSkinInstances(context, &command, 1));
        if (cases[i].influences == 0) {
            command.morphWeightCount = 0;
            REFUSED(VKSKIN_ERROR_PIPELINE_MISSING,
                    "no kernels for a mesh without bones, packed vertices:", vkskinSkinInstances(context, &command, 1));
        }
    }
    markerSkin(gpu, context, plain, 1.0f, 2.0f);
    checkPositions(gpu, context, plain, 1.0f, 2.0f);
    vkskinDestroyContext(context);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(morphWeights), GPU_TEST(zeroWeightsTakeNoPlace), GPU_TEST(encodings),
                                       GPU_TEST(missingData), GPU_TEST(missingKernels)};
    return gpuRunTests("bad ways", tests, sizeof tests / sizeof tests[0], argc > 1 ? argv[1] : NULL);
}
