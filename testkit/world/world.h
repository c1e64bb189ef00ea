/*
 * world.h: one world of random calls of the library: contexts, characters, meshes, instances, buffers of the host, palettes
 * and crowds that are created, changed and destroyed at random, and a model of what must be true of each.
 *
 * The user of a world has the device, the frames and the checks: the soak runs for long on a device that lags and reads
 * samples back, guard.fuzz has guard pages around every buffer. The same seed gives the same operations on every driver.
 */
#ifndef TESTKIT_WORLD_H
#define TESTKIT_WORLD_H

#include "device.h"
#include "host_memory.h"
#include "model_objects.h"
#include "parallel.h"
#include "random.h"
#include "resources.h"
#include "vertex_error.h"

/* ---- Failures: world_checks.c ---- */

/* Runs `body`. Returns false and fills *error if it calls worldFail. One call at a time in the process. */
bool worldTry(void (*body)(void *user), void *user, EngineError *error);

/* The first failed check ends the body of worldTry. What that leaves behind is freed with the process. */
_Noreturn void worldFail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails with the name of the call and of the result. */
void worldCheckVulkan(const char *call, VkResult result);

/* ---- Output ranges of destroyed instances: world_checks.c ---- */

#define WORLD_RANGES_MAX 256u

typedef struct WorldRange {
    VkBuffer buffer;
    VkDeviceSize begin, end;
    uint64_t freeFrame; /* the first frame that may use the range again */
} WorldRange;

/* The latest output ranges of destroyed instances, as a ring. Zero it first. A frame in flight may still use such a
 * range. A driver that runs one submission after the other gives right bytes even if the range is reused too early. */
typedef struct WorldRanges {
    WorldRange ranges[WORLD_RANGES_MAX];
    uint32_t next;
} WorldRanges;

void worldRangesAdd(WorldRanges *ranges, const VkskinMeshInfo *info, const VkskinOutput *output, uint64_t freeFrame);

/* Whether an output of `frame` overlaps a range that may still be in use. */
bool worldRangesMeet(const WorldRanges *ranges, const VkskinMeshInfo *info, const VkskinOutput *output, uint64_t frame);

/* ---- A context with random settings: world_context.c ---- */

#define WORLD_MAX_FRAMES    3u /* in flight */
#define WORLD_MAX_INSTANCES 256u
#define WORLD_WAYS          2u
#define WORLD_MAX_BUFFERS   2u

/* What the user of a world gives to its contexts. */
typedef struct WorldHost {
    Device *device;
    VkskinBackend backend;
    VkskinVulkanFunctions functions;
    const VkskinMemoryCallbacks *memory; /* null: the library allocates */
    HostMemory *counted;                 /* null: not counted; of the library and its driver objects */
    uint64_t (*objectsAlive)(void);      /* driver objects of `functions`; null: not counted */
    VkPipelineCache cache;
    uint64_t kindsSeed; /* contexts of the same one have the same kinds and kernels; 0: each has its own */
    bool simple;        /* one way, positions only, no morph targets: kernels that take many seconds each */
    bool validated;     /* no context has as many output regions as frames in flight, unless both are 1 */
    bool dense;         /* many instances, palettes at the ends of pages, odd commands and records */
} WorldHost;

/* A method, and an encoding that it reads. */
typedef struct WorldWay {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
} WorldWay;

/* The kinds of meshes and methods in a context. Each context has only some of them, because some drivers take long to
 * compile a kernel. */
typedef struct WorldKinds {
    WorldWay ways[WORLD_WAYS]; /* ways for meshes with three dimensions */
    bool flat;                 /* there are flat meshes too */
    bool morphs;               /* meshes have their models' morph targets, and some of these have no bones */
    uint32_t vectors;          /* 0: positions, 1: and normals, 2: and tangents */
    VkskinVertexFormat format;
    VkskinNormals normals;
    uint32_t instancesPerThread, workgroupSize; /* 0: as tuned */
    VkskinPaletteBinding binding;
} WorldKinds;

/* How far the palette ring of a frame is filled, so that a palette can be put at the very end of a page. */
typedef struct WorldRing {
    bool fixed;                  /* it does not grow */
    VkDeviceSize pageSize, size; /* bytes of a page, except the last; bytes of a frame */
    uint32_t page;               /* page of the latest palette */
    VkDeviceSize used;           /* bytes of that page */
} WorldRing;

/* A buffer of the host for outputs. Its regions are in descending order, some with gaps that hold poison; the last one may
 * begin at 0, and the first one end with the buffer. */
typedef struct WorldBuffer {
    Buffer memory;          /* zero: a free entry */
    VkskinMemoryBlock lent; /* block of WorldHost.memory */
    VkskinOutputBufferDef def;
    VkskinOutputBuffer handle;
    VkDeviceSize next; /* in a region: behind the latest output that the host placed */
    bool closing;      /* gets no more instances */
} WorldBuffer;

typedef struct WorldContext {
    VkskinContext handle;
    const WorldHost *host; /* borrowed */
    WorldBuffer buffers[WORLD_MAX_BUFFERS];
    VkskinBackend backend;   /* in use */
    ParallelPool pool;       /* threads of the CPU backend */
    uint32_t framesInFlight; /* 1 to WORLD_MAX_FRAMES */
    uint32_t regions, maxInstances, maxBones;
    bool hostBarriers;
    WorldKinds kinds;
    WorldRing ring;
    uint32_t slot;     /* slot of the current frame */
    uint64_t frame;    /* counts from 1 */
    char message[256]; /* the library's latest log message */
} WorldContext;

/* Creates no kernels. *context must stay in place until worldContextDestroy. On failure its handle is null. first: it has
 * several frames in flight, barriers of the library, a ring that fills, and palettes that are read in place. */
void worldContextCreate(const WorldHost *host, Random *random, bool first, WorldContext *context);

/* Creates the kernels that the mesh needs. */
void worldContextKernels(WorldContext *context, VkskinMesh mesh);

/* The device must have finished. Fails if the context leaves host memory or driver objects. */
void worldContextDestroy(WorldContext *context);

/* Accepts success and warnings; else fails with "CALL: message (NAME)". */
void worldContextCheck(const WorldContext *context, const char *call, VkskinResult result);

/* A full barrier where the host owns them; else nothing. */
void worldContextBarrier(const WorldContext *context, VkCommandBuffer commandBuffer);

/* Where the host owns barriers: records pending uploads between full barriers. */
void worldContextUploads(const WorldContext *context, VkCommandBuffer commandBuffer);

/* ---- Buffers of the host: world_buffer.c ---- */

#define WORLD_NO_BUFFER    WORLD_MAX_BUFFERS
#define WORLD_BUFFER_BYTES ((VkDeviceSize)192 * 1024) /* bytes of a region, at most a third more */

/* Where an instance is. */
typedef struct WorldPlace {
    uint32_t buffer;     /* index, or WORLD_NO_BUFFER: in pages of the library */
    VkDeviceSize offset; /* in a region of the buffer, or VKSKIN_OFFSET_AUTOMATIC */
} WorldPlace;

/* Adds a buffer to the context in a free entry. */
void worldBufferAdd(WorldContext *context, Random *random, uint32_t index);

/* Tries to remove a buffer and to destroy it. used: it has instances, so the library must refuse. Returns whether it was
 * removed; if not, destroyed instances are still in flight. */
bool worldBufferRemove(WorldContext *context, uint32_t index, bool used);

/* Creates an instance in the buffer, at a place of the host or of the library. Returns false if it has no room there. */
bool worldBufferPlace(WorldContext *context, Random *random, VkskinInstanceDef def, const VkskinMeshInfo *info,
                      WorldPlace *place, VkskinInstance *instance);

/* Fails if the output is not at the place. */
void worldBufferCheck(const WorldContext *context, const WorldPlace *place, const VkskinMeshInfo *info,
                      const VkskinOutput *output);

/* Those that are in the context. */
uint32_t worldBuffersCount(const WorldContext *context);

/* After the context was destroyed. Fails if something was written between the regions. */
void worldBuffersDestroy(WorldContext *context);

/* ---- Characters: world_model.c ---- */

#define WORLD_MAX_CLIPS 3u
#define WORLD_MORPHS    2u /* morph targets of every mesh; the second one is applied after skinning */

/* A random model and the library's objects made of it. */
typedef struct WorldCharacter {
    Model *model;            /* one mesh, skin and part; clips of all interpolations */
    bool rigid;              /* without scale, so that dual quaternions and quaternions can encode its bones */
    bool flat;               /* in the plane z = 0 */
    uint32_t unweightedBone; /* moves the vertices without weights, or VKSKIN_NO_BONE: there are none */
    double diagonal;         /* diagonal of the mesh in bind pose */
    ModelObjects objects;
} WorldCharacter;

/* maxBones: of its skin. memory: counts the library's allocations; it must outlive the character. */
WorldCharacter *worldCharacterCreate(Random *random, bool flat, uint32_t maxBones, HostMemory *memory);
void worldCharacterDestroy(WorldCharacter *character);

/* ---- Poses and palettes: world_pose.c ---- */

typedef struct WorldPose {
    WorldWay way;
    bool odd;                         /* pose of a command that held anything: the output is unknown */
    bool made;                        /* entries of any kind, from `seed`; else the character at a time of a clip */
    int32_t clip;                     /* -1: rest */
    double time;                      /* seconds; clips loop */
    uint64_t seed;                    /* where `made` */
    uint32_t wildOfTen;               /* so many of ten entries are wild: any bits; 0: none is */
    uint32_t bones;                   /* entries of the palette */
    float morphWeights[WORLD_MORPHS]; /* zeros where the context's meshes have no morph targets */
} WorldPose;

/* A palette of the current frame. Instances of the same character may share it. */
typedef struct WorldPalette {
    const WorldCharacter *character;
    WorldPose pose;
    VkskinPalette handle;
} WorldPalette;

/* The reference's bones of a pose; free both arrays. */
typedef struct WorldBones {
    ReferenceMatrix *bones; /* [bones of the pose] */
    bool *wild;             /* [bones of the pose], or null: none is */
} WorldBones;

WorldBones worldPoseBones(const WorldCharacter *character, const WorldPose *pose);
void worldBonesFree(WorldBones *bones);

/* Allocates a palette and fills it with a random pose, some flush with the end of their page. Returns false if the ring is
 * full. */
bool worldPaletteTake(WorldContext *context, Random *random, WorldCharacter *character, WorldPalette *palette);

/* ---- The objects of a world, and what the library must know of each: world_objects.c ----
 *
 * Characters outlive contexts; meshes and instances do not. The lists are unordered. */

#define WORLD_MAX_CHARACTERS 8u
#define WORLD_MAX_MESHES     16u
#define WORLD_MAX_PALETTES   512u /* maximum palettes of a frame */

typedef struct WorldMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    WorldCharacter *character;
    uint32_t maxInfluences;
    float minWeight;
    bool boneless, morphed, previousPositions;
    float *centres;            /* [vertexCount][3], or null */
    float *influencePositions; /* [vertexCount][influences][2], or null */
    float *influenceDeltas;    /* deltas of the target before the bones, as influencePositions */
} WorldMesh;

typedef struct WorldInstance {
    VkskinInstance handle;
    WorldMesh *mesh;
    WorldPlace place;
    uint64_t updateFrame; /* the context's frame of the latest update; 0: no output yet */
    uint64_t recordFrame; /* the frame that last recorded one */
    bool moved;           /* the latest update was not the first one and no teleport */
    WorldPose pose;       /* pose of the latest update */
    WorldPose before;     /* pose of the update before; valid if `moved` */
} WorldInstance;

/* What a run counts: the field, its name in the soak's table and in its JSON, and what did not happen if it is 0 although it
 * must not; null: it may. The end of a context destroys meshes and instances too. A character has a skeleton and a skin;
 * skinned: in submitted frames; held back: submitted while an earlier submission was still held back; of crowds: in checked
 * frames. */
#define WORLD_COUNTS(X)                                                                                                \
    X(framesSubmitted, "  submitted", "framesSubmitted", "frame was submitted")                                        \
    X(framesHeldBack, "  behind a waiting one", "framesHeldBack", "frame was submitted behind a waiting one")          \
    X(framesAbandoned, "  abandoned", "framesAbandoned", "frame was abandoned")                                        \
    X(framesCancelled, "  cancelled", "framesCancelled", "frame was cancelled")                                        \
    X(framesRepeated, "  in the slot before", "framesRepeated", "slot was used again at once")                         \
    X(contexts, "contexts", "contexts", NULL)                                                                          \
    X(charactersMade, "skeletons made", "skeletonsMade", NULL)                                                         \
    X(charactersDestroyed, "  destroyed", "skeletonsDestroyed", "skeleton was destroyed")                              \
    X(clipsMade, "clips made", "clipsMade", "clip was made")                                                           \
    X(meshesMade, "meshes made", "meshesMade", NULL)                                                                   \
    X(meshesDestroyed, "  destroyed", "meshesDestroyed", "mesh was destroyed")                                         \
    X(meshesReplaced, "  replaced", "meshesReplaced", "mesh was replaced")                                             \
    X(meshesPassing, "  with pass-through", "meshesPassing", "mesh had pass-through attributes")                       \
    X(instancesMade, "instances made", "instancesMade", NULL)                                                          \
    X(instancesDestroyed, "  destroyed", "instancesDestroyed", "instance was destroyed")                               \
    X(instancesHosted, "  in host buffers", "instancesHosted", "instance was in a buffer of the host")                 \
    X(instancesSkinned, "  skinned", "instancesSkinned", NULL)                                                         \
    X(teleports, "  teleported", "teleports", "instance teleported")                                                   \
    X(ringFull, "  without palette room", "ringFull", "palette ring was full")                                         \
    X(buffersMade, "host buffers made", "buffersMade", NULL)                                                           \
    X(buffersRemoved, "  removed", "buffersRemoved", "buffer of the host was removed")                                 \
    X(commands, "commands", "commands", NULL)                                                                          \
    X(oddAccepted, "  odd and accepted", "oddAccepted", NULL)                                                          \
    X(oddRefused, "  odd and refused", "oddRefused", "odd command was refused")                                        \
    X(verticesSkinned, "vertices skinned", "verticesSkinned", "vertex was skinned")                                    \
    X(instancesChecked, "instances checked", "instancesChecked", NULL)                                                 \
    X(verticesChecked, "vertices checked", "verticesChecked", "vertex was checked")                                    \
    X(verticesLeftOut, "  decided by rounding", "verticesLeftOut", NULL)                                               \
    X(crowdsMade, "crowds made", "crowdsMade", NULL)                                                                   \
    X(crowdsMorphed, "  with morph weights", "crowdsMorphed", NULL)                                                    \
    X(crowdFramesChecked, "  frames checked", "crowdFramesChecked", "frame of a crowd was checked")                    \
    X(crowdInstancesCompared, "  characters compared", "crowdInstancesCompared", "character of a crowd was compared")  \
    X(crowdCharactersSkinned, "  characters skinned", "crowdCharactersSkinned", NULL)                                  \
    X(crowdCharactersRefused, "  without a slot", "crowdCharactersRefused",                                            \
      "character of a crowd was left without a slot")                                                                  \
    X(crowdsFull, "  without an index", "crowdsFull", NULL)

typedef struct WorldCounts {
#define WORLD_COUNT(field, text, json, missing) uint64_t field;
    WORLD_COUNTS(WORLD_COUNT)
} WorldCounts;

typedef struct World {
    Random random;
    WorldContext *context; /* borrowed */
    HostMemory poseMemory; /* memory of skeletons, clips and skins */
    WorldRanges ranges;
    WorldCounts counts;
    WorldCharacter *characters[WORLD_MAX_CHARACTERS];
    WorldMesh *meshes[WORLD_MAX_MESHES];
    WorldInstance *instances[WORLD_MAX_INSTANCES];
    WorldPalette palettes[WORLD_MAX_PALETTES]; /* palettes of the current frame */
    uint32_t characterCount, meshCount, instanceCount, paletteCount;
    uint32_t commandCount; /* given in the current frame */
    /* Null, or called before an output that the current frame records is given up. */
    void (*onGone)(void *user, const VkskinMeshInfo *info, const VkskinOutput *output);
    void *user; /* passed to onGone */
} World;

/* A new frame has begun: creates and destroys objects before anything is skinned in it: mostly instances, rarely
 * characters. */
void worldBegin(World *world);

/* Creates or destroys a few objects between vkskinSkinInstances and the record, or between record and submission. */
void worldBetween(World *world);

/* The current output of an instance that has one. */
VkskinOutput worldOutput(const World *world, const WorldInstance *instance);

/* Fails if an instance updated in this frame is not at its place, or overlaps the output of a destroyed one that is still
 * in flight. */
void worldCheckPlaces(const World *world);

/* Device memory that meshes and instances need, without the buffers of the host. */
uint64_t worldBytes(const World *world);

/* Forgets meshes and instances, which the end of the context destroys. */
void worldForgetContext(World *world);

/* Destroys the characters after the last context. Fails if they leave memory. */
void worldEnd(World *world);

/* The mesh as the library has it, for the reference; borrows the arrays of its character. */
ModelMesh worldMeshModel(const WorldMesh *mesh);

/* ---- Skinning: world_skin.c ---- */

/*
 * Gives some of the instances that were not skinned in this frame a new pose: at least one, if the palette ring has
 * room. submitted: the frame will be submitted. If not, the world keeps the state of the frame before, as the library
 * must.
 */
void worldSkin(World *world, bool submitted);

/* Skins some instances and records them, sometimes in several parts, with other operations between these. */
void worldRecord(World *world, VkCommandBuffer commandBuffer, bool submitted);

/* ---- A crowd of the context: world_crowd.c ---- */

typedef struct WorldCrowd WorldCrowd;

/* Where a frame is recorded, and where it is read back: samples first, then crowds. */
typedef struct WorldTarget {
    VkCommandBuffer commandBuffer;
    Buffer readback;
} WorldTarget;

#define WORLD_READBACK_BYTES ((VkDeviceSize)256 * 1024) /* bytes for samples; those of crowds follow */
#define WORLD_CROWD_BYTES    ((VkDeviceSize)4 << 20)

/* With clips and meshes of its own, and a second crowd that gets the same calls. world: borrowed. */
WorldCrowd *worldCrowdCreate(World *world, uint64_t seed);

/* Device memory of both crowds. */
uint64_t worldCrowdBytes(const WorldCrowd *crowd);

/* Between two frames. */
void worldCrowdDestroy(WorldCrowd *crowd);

/* The end of the context destroys it. */
void worldCrowdForget(WorldCrowd *crowd);

/* Random calls for some characters, at any time. */
void worldCrowdChange(WorldCrowd *crowd);

/* Once in a frame. cancelled: the frame will be; it records the first crowd only. Else the slot's readback buffer gets
 * copies of lists and vertices. */
void worldCrowdRecord(WorldCrowd *crowd, const WorldTarget *target, bool cancelled);

/* After vkskinCancelFrame of a frame that recorded the crowd in this slot. */
void worldCrowdCancel(WorldCrowd *crowd, uint32_t slot);

/* After a frame has begun in this slot. Fails if the lists or vertices of its last frame are not those of the second
 * crowd. */
void worldCrowdCompare(WorldCrowd *crowd, const WorldTarget *target);

/* After a frame has begun. Fails if the counters of the latest finished frame are not those of the loop. */
void worldCrowdCheck(WorldCrowd *crowd);

/* ---- Samples of a frame, compared with the reference: world_samples.c ----
 *
 * The expected values are computed at record time, because mesh, skeleton and clip may be destroyed before the device has
 * finished. */

#define WORLD_MAX_SAMPLES     2u
#define WORLD_SAMPLE_VERTICES 128u

/* What a vertex must be, unless a wild bone moves it. */
typedef struct WorldExpected {
    ReferenceVertex vertex;
    bool known;
} WorldExpected;

typedef struct WorldSample {
    VkskinInstance instance;
    VkskinMeshInfo info;
    double diagonal;
    uint32_t firstVertex, vertexCount; /* the sampled vertices of the mesh */
    VkskinOutput copy;                 /* the output to read, or its copy; offsets into the bytes to read */
    uint32_t firstRead;                /* the first sampled vertex there */
    bool previousUnknown;              /* previous positions are not read */
    WorldExpected expected[WORLD_SAMPLE_VERTICES];
    WorldExpected before[WORLD_SAMPLE_VERTICES]; /* their positions are the expected previous positions */
} WorldSample;

/* Samples of one frame. */
typedef struct WorldSamples {
    uint32_t count;
    uint64_t frame;    /* number of the frame in the run */
    VkDeviceSize used; /* bytes of the readback buffer */
    WorldSample samples[WORLD_MAX_SAMPLES];
} WorldSamples;

typedef struct WorldVerdict {
    VertexError worst[VKSKIN_VERTEX_FORMAT_COUNT]; /* the largest errors of each vertex format */
    uint64_t digest;                               /* FNV-1a of all checked bytes */
} WorldVerdict;

/* Whether the output of an instance is known well enough to be compared. */
bool worldIsKnown(const WorldInstance *instance);

/* Chooses up to `most` vertices of a known instance and computes what they must be; `copy` is the output itself. */
void worldSampleTake(World *world, const WorldInstance *instance, uint32_t most, WorldSample *sample);

/* Compares. bytes: where the offsets of `copy` begin. A difference is reported with frame, instance, vertex and both
 * values. */
void worldSampleCheck(const WorldSample *sample, uint64_t frame, const void *bytes, WorldCounts *counts,
                      WorldVerdict *verdict);

/* Samples some instances that have output, and makes the copies readable by the host. */
void worldSamplesRecord(WorldSamples *samples, World *world, WorldTarget *target, uint64_t frame);

/* Compares after the frame has finished, and clears the list. */
void worldSamplesCheck(WorldSamples *samples, const WorldTarget *target, WorldCounts *counts, WorldVerdict *verdict);

#endif
