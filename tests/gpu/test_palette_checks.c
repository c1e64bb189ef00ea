/*
 * VkskinContextDef.checkPalettes: a mesh with cheap normals whose palette has non-uniform scale or shear is reported, once,
 * with kernels and with the CPU backend. Nothing else is.
 */
#include "marker_scene.h"

typedef struct CheckCase {
    const char *label;
    float scale[3]; /* scale of bone 1 */
    float shear;    /* shear of x by y, after the scale */
    VkskinMethod method;
    bool off;   /* checkPalettes is false */
    bool exact; /* the mesh has exact normals */
    bool plain; /* it has no normals */
    bool warns;
} CheckCase;

static const CheckCase cases[] = {
    {"rotation", {1, 1, 1}, .warns = false},
    {"uniform", {3, 3, 3}, .warns = false},
    {"mirrored", {-2, 2, 2}, .warns = false},
    {"zero", {0, 0, 0}, .warns = false},
    {"within the tolerance", {1, 1.0005f, 1}, .warns = false},
    {"flattened", {1, 0.5f, 1}, .warns = true},
    {"slightly", {1, 1, 1.002f}, .warns = true},
    {"one axis zero", {1, 1, 0}, .warns = true},
    {"sheared", {1, 1, 1}, .shear = 0.01f, .warns = true},
    {"flattened, stretches apart", {1, 0.5f, 1}, .method = VKSKIN_METHOD_SCALED_DUAL_QUATERNION, .warns = true},
    {"mirrored, stretches apart", {-2, 2, 2}, .method = VKSKIN_METHOD_SCALED_DUAL_QUATERNION, .warns = false},
    {"exact normals", {1, 0.5f, 1}, .exact = true, .warns = false},
    {"no normals", {1, 0.5f, 1}, .plain = true, .warns = false},
    {"not asked for", {1, 0.5f, 1}, .off = true, .warns = false},
};

static VkskinInstance makeStrip(Gpu *gpu, VkskinContext context, const CheckCase *row) {
    TestMesh *built = meshBuild((MeshSpec){2, 2, .attributes = row->plain ? 0 : MESH_NORMALS});
    VkskinMesh mesh;
    built->def.name = row->label;
    built->def.normalRule = row->exact ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &built->def, &mesh));
    meshFree(built);
    gpuMeshKernels(gpu, context, mesh, VKSKIN_METHOD_BIT(row->method));
    return markerInstance(gpu, context, mesh);
}

/* Bone 0 is only moved; bone 1 is scaled, sheared and rotated. */
static void skinStrip(Gpu *gpu, VkskinContext context, VkskinInstance instance, const CheckCase *row, uint32_t slot) {
    const uint32_t nodes[2] = {0, 1};
    VkskinSkin skin;
    VkskinSkinDef def = skinDefOf(2, 2, nodes, NULL);
    GPU_VKSKIN(gpu, vkskinCreateSkin(&def, &skin));
    VkskinAffine world[2] = {vkskinIdentityAffine(), vkskinIdentityAffine()}, stretch = vkskinIdentityAffine();
    const VkskinTransform turn = {{1, 2, 3}, {0.6f, 0, 0, 0.8f}, {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        stretch.m[i][i] = row->scale[i];
    }
    stretch.m[0][1] = row->shear;
    const VkskinAffine turned = vkskinAffineFromTransform(&turn);
    world[1] = vkskinMultiplyAffine(&turned, &stretch);
    VkskinSkinCommand command = {.instance = instance, .method = row->method};
    const VkskinPaletteEncoding encoding = vkskinMethodEncoding(row->method);
    void *data;
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, slot));
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, encoding, 2, &command.palette, &data));
    GPU_VKSKIN(gpu, vkskinWritePalette(skin, world, 2, encoding, data, 2));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1, NULL));
    vkskinDestroySkin(skin);
}

static void runCase(Gpu *gpu, VkskinBackend backend, const CheckCase *row) {
    VkskinContextDef def = smallDef(gpu, backend, 2, backend == VKSKIN_BACKEND_CPU ? 2 : 1);
    def.checkPalettes = !row->off;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinInstance instance = makeStrip(gpu, context, row);
    const uint32_t logged = gpu->log.count;
    for (uint32_t frame = 0; frame < 3; frame++) {
        skinStrip(gpu, context, instance, row, frame % 2);
        recordAndRun(gpu, context);
    }
    if (gpu->log.count - logged != row->warns) {
        fail_msg("%s: %u warnings, expected %u", row->label, gpu->log.count - logged, row->warns);
    }
    if (row->warns) {
        assert_int_equal(gpu->log.last, VKSKIN_WARNING_NORMALS_CHEAP);
        char mesh[64];
        snprintf(mesh, sizeof mesh, "mesh %.31s (", row->label);
        assert_non_null(strstr(gpu->log.lastText, mesh));
        assert_non_null(strstr(gpu->log.lastText, "bone 1 has non-uniform scale or shear"));
        assert_non_null(strstr(gpu->log.lastText, "set VKSKIN_NORMALS_EXACT"));
    }
    gpu->log.count = 0;
    gpuDestroyContext(gpu, context);
}

GPU_TEST(cheapNormalsAreReported) {
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        runCase(gpu, VKSKIN_BACKEND_COMPUTE, &cases[i]);
        runCase(gpu, VKSKIN_BACKEND_CPU, &cases[i]);
    }
}
