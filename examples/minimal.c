/*
 * minimal.c: the smallest program that skins a mesh. It bends a strip of two quads about the x axis for three frames,
 * two in flight, and reads the vertices back. A renderer would bind the output as vertex buffers instead of copying it.
 */
#include "host.h"

enum { FRAMES = 3, VERTICES = 6, BONES = 2 };

/* Bone 0 moves the lower end, bone 1 the upper end. The middle lies on the axis of bone 1 and belongs to both. */
static const float positions[VERTICES][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 2, 0}, {1, 2, 0}};
static const float normals[VERTICES][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
static const uint8_t joints[VERTICES][2] = {{0, 0}, {0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 0}};
static const float weights[VERTICES][2] = {{1, 0}, {1, 0}, {.5f, .5f}, {.5f, .5f}, {1, 0}, {1, 0}};

/* The palettes, 3x4 matrices in rows. Bone 1 rotates by 0, 90 and 180 degrees about the x axis through (0, 1, 0). */
static const float palettes[FRAMES][BONES][3][4] = {
    {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
    {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {{1, 0, 0, 0}, {0, 0, -1, 1}, {0, 1, 0, -1}}},
    {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {{1, 0, 0, 0}, {0, -1, 0, 2}, {0, 0, -1, 0}}},
};

/* Computed by hand: the upper end stands, then lies at the height of the axis, then is folded onto the lower end. */
static const float upperEnd[FRAMES][3] = {{1, 2, 0}, {1, 1, 1}, {1, 0, 0}};
static const float middle[3] = {0, 1, 0};
static const float lowerEnd[3] = {0, 0, 0};

typedef struct Skinner {
    VkskinContext context;
    VkskinMesh mesh;
    VkskinInstance instance;
} Skinner;

/* At load time: opens a context with the mesh and its kernels, and creates an instance, which owns output memory. */
static void load(Skinner *skinner, const Host *host) {
    VkskinContextDef def = hostContextDef(host);
    def.framesInFlight = HOST_IN_FLIGHT;
    /* The output is read back. A renderer keeps the defaults: vertex buffers and the stages that read them. */
    def.outputUsage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT;
    def.consumerAccess = VK_ACCESS_TRANSFER_READ_BIT;

    VkskinMeshDef strip = vkskinDefaultMeshDef();
    strip.name = "strip";
    strip.vertexCount = VERTICES;
    strip.boneCount = BONES;
    strip.positions = positions[0];
    strip.normals = normals[0];
    strip.influencesPerVertex = 2;
    strip.jointFormat = VKSKIN_JOINTS_U8;
    strip.joints = joints;
    strip.weights = weights[0];
    HOST_SKIN(vkskinOpen(&def, &strip, 1, VKSKIN_METHOD_LINEAR_BLEND_BIT, &skinner->context, &skinner->mesh));
    HOST_SKIN(vkskinCreateInstances(skinner->context, skinner->mesh, 1, &skinner->instance));
}

/* Every frame, after the wait for the slot's fence. Returns the location of the vertices. */
static VkskinOutput skin(Skinner *skinner, const HostFrames *frames, const float bones[BONES][3][4]) {
    HOST_SKIN(vkskinBeginFrame(skinner->context, frames->slot));

    const VkskinMatrices matrices = {.data = bones[0][0], .count = BONES, .order = VKSKIN_MATRIX_ROW_MAJOR};
    HOST_SKIN(vkskinSkinMatrices(skinner->context, VKSKIN_METHOD_LINEAR_BLEND, &skinner->instance, &matrices, 1));

    /* Records all uploads, dispatches and barriers. Transfers recorded after it may read the output. */
    HOST_SKIN(vkskinRecordSkinning(skinner->context, frames->commands));

    VkskinOutput output;
    HOST_SKIN(vkskinGetOutput(skinner->context, skinner->instance, &output));
    return output;
}

static void check(unsigned frame, const void *bytes) {
    const float(*skinned)[3] = bytes;
    hostCheckPosition("lower end", frame, skinned[0], lowerEnd);
    hostCheckPosition("middle", frame, skinned[2], middle);
    hostCheckPosition("upper end", frame, skinned[5], upperEnd[frame]);
}

int main(void) {
    Host host;
    hostOpen(&host, "minimal", NULL);
    Skinner skinner;
    load(&skinner, &host);
    HostFrames frames = hostFramesCreate(&host, FRAMES, sizeof positions, check);
    while (hostFramesNext(&frames)) {
        VkskinOutput output = skin(&skinner, &frames, palettes[frames.frame]);
        hostRecordReadback(&frames, &output);
        hostFramesSubmit(&frames, (HostTimeline){0});
    }
    vkskinDestroyContext(skinner.context); /* also destroys its meshes and instances */
    hostFramesDestroy(&frames);
    return hostClose(&host);
}
