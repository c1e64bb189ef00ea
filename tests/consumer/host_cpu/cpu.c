/*
 * A user's program without Vulkan, compiled as C11 and as C++17: skins a triangle on the CPU by the palette of one
 * bone, checks the vertices and prints one line.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <vkskin/vkskin_cpu.h>
#include <vkskin/vkskin_pose.h>

#ifdef __cplusplus
#define ZERO                                                                                                           \
    {}
#else
#define ZERO                                                                                                           \
    { 0 }
#endif

#define SKIN(call) check((call) == VKSKIN_SUCCESS, #call)

static const float positions[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
static const uint8_t joints[3] = {0, 0, 0};
static const float weights[3] = {1, 1, 1};

static void check(int good, const char *call) {
    if (!good) {
        fprintf(stderr, "%s failed\n", call);
        exit(1);
    }
}

static VkskinCpuMesh createMesh(void) {
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    mesh.vertexCount = 3;
    mesh.boneCount = 1;
    mesh.positions = positions[0];
    mesh.influencesPerVertex = 1;
    mesh.jointFormat = VKSKIN_JOINTS_U8;
    mesh.joints = joints;
    mesh.weights = weights;
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &mesh;
    VkskinCpuMesh made = NULL;
    SKIN(vkskinCreateCpuMesh(&def, &made));
    return made;
}

/* Writes the palette of one bone, turned by half a turn about z: (x, y) becomes (-x, -y). */
static void writePalette(VkskinAffine *palette) {
    VkskinTransform turned = vkskinIdentityTransform();
    turned.rotation[2] = 1;
    turned.rotation[3] = 0;
    const VkskinAffine world = vkskinAffineFromTransform(&turned);
    const uint32_t node = 0;
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = 1;
    def.boneCount = 1;
    def.boneNodes = &node;
    VkskinSkin skin = NULL;
    SKIN(vkskinCreateSkin(&def, &skin));
    SKIN(vkskinWritePalette(skin, &world, 1, VKSKIN_PALETTE_MAT3X4, palette, 1));
    vkskinDestroySkin(skin);
}

int main(void) {
    VkskinAffine palette;
    float skinned[3][3];
    writePalette(&palette);
    VkskinCpuMesh mesh = createMesh();
    VkskinCpuCommand command = ZERO;
    command.palette = &palette;
    command.boneCount = 1;
    command.streams[0] = skinned;
    SKIN(vkskinSkinOnCpu(mesh, &command, 1, NULL));
    vkskinDestroyCpuMesh(mesh);
    for (int i = 0; i < 6; i++) {
        check(fabsf(skinned[i / 2][i % 2] + positions[i / 2][i % 2]) < 1e-6f, "comparing the vertices");
    }
    printf("skinned by vkskin %d.%d.%d\n", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    return 0;
}
