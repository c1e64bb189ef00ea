/*
 * soak_parts.h: the parts of the soak: instruments, characters, the context and its frames in flight, buffers of the
 * host, the world of objects, samples. Private to this folder and its test.
 */
#ifndef TESTKIT_SOAK_PARTS_H
#define TESTKIT_SOAK_PARTS_H

#include "host_memory.h"
#include "model_objects.h"
#include "parallel.h"
#include "random.h"
#include "resources.h"
#include "soak.h"

/* ---- Instruments: soak_instruments.c ---- */

/* Runs `body`. Returns false and fills *error if it calls soakFail. One call at a time in the process. */
bool soakTry(void (*body)(void *user), void *user, EngineError *error);

/* The first failed check ends the body of soakTry. What that leaves behind is freed with the process. */
_Noreturn void soakFail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Fails with the name of the call and of the result. */
void soakCheckVulkan(const char *call, VkResult result);

/* Resident bytes of the process, without freed memory as far as the allocator gives it back; 0 where the system does not
 * report them. */
uint64_t soakMemoryResident(void);

/* For VkskinContextDef.functions: functions that create or destroy an object count it and call volk's; the others are
 * null. Transfers can read every buffer. One count per process, because Vulkan's functions have no user pointer. */
VkskinVulkanFunctions soakObjectsFunctions(void);

/* Objects created through the table and not destroyed yet, device memory included. */
uint64_t soakObjectsAlive(void);

/* The second half may exceed the first one by `share` of it plus `slack`. */
typedef struct SoakBound {
    const char *what; /* begins the failure's line */
    double share;
    double slack;
} SoakBound;

/* half: 0 or 1. */
void soakSeriesAdd(SoakSeries *series, uint32_t half, double value);

/* Compares the means. A half without values passes. */
bool soakSeriesIsFlat(const SoakSeries *series, const SoakBound *bound, EngineError *error);

#define SOAK_RANGES_MAX 256u

typedef struct SoakRange {
    VkBuffer buffer;
    VkDeviceSize begin, end;
    uint64_t freeFrame; /* the first frame that may use the range again */
} SoakRange;

/* The latest output ranges of destroyed instances, as a ring. Zero it first. A frame in flight may still use such a
 * range. A driver that runs one submission after the other gives right bytes even if the range is reused too early. */
typedef struct SoakRanges {
    SoakRange ranges[SOAK_RANGES_MAX];
    uint32_t next;
} SoakRanges;

void soakRangesAdd(SoakRanges *ranges, const VkskinOutput *output, uint64_t freeFrame);

/* Whether an output of `frame` overlaps a range that may still be in use. */
bool soakRangesMeet(const SoakRanges *ranges, const VkskinOutput *output, uint64_t frame);

/* ---- Frames in flight on a device that lags: soak_context.c ----
 *
 * Every submission waits for its slot's timeline semaphore. The host signals it later: at the latest when it needs the slot
 * again. Until then the device has not begun the frame, while the host writes the data of the next frames. */

#define SOAK_MAX_FRAMES     3u
#define SOAK_READBACK_BYTES ((VkDeviceSize)256 * 1024) /* of samples; those of crowds follow */
#define SOAK_CROWD_BYTES    ((VkDeviceSize)4 << 20)

typedef struct SoakSlot {
    VkCommandPool pool;
    VkCommandBuffer commandBuffer;
    VkFence fence;
    Buffer readback;
    VkSemaphore gate;    /* reaches the submission's number when the device may run it. One per slot: the validation
                            layer misreports a semaphore with several pending waits */
    uint64_t submission; /* number of the latest one, counted from 1 over all slots; 0: none in flight */
} SoakSlot;

typedef struct SoakFrames {
    Device *device;
    SoakSlot slots[SOAK_MAX_FRAMES];
    uint64_t submitted; /* number of submissions */
    uint64_t opened;    /* number of submissions that the device may run */
} SoakFrames;

void soakFramesCreate(Device *device, SoakFrames *frames);

/* Lets all submissions run and waits for them. *frames may be zero, or left by a failure. */
void soakFramesDestroy(SoakFrames *frames);

/* Lets the slot's latest submission run and waits for it. */
void soakFramesWait(SoakFrames *frames, uint32_t slot);

/* Begins the slot's command buffer. Call soakFramesWait first. */
void soakFramesRecord(SoakFrames *frames, uint32_t slot);

/* Submits the slot, then lets the device run all but the latest `lag` submissions. */
void soakFramesSubmit(SoakFrames *frames, uint32_t slot, uint64_t lag);

/* ---- A context with random settings: soak_context.c ---- */

#define SOAK_MAX_INSTANCES 48u

/* The kinds of meshes and methods in a context. Each context has only some of them, because some drivers take long to
 * compile a kernel. */
typedef struct SoakKinds {
    uint32_t methods; /* bit m: method m; linear blending is always set */
    bool quaternions; /* linear blending uses quaternion palettes for rigid characters */
    bool morphs;      /* meshes have their models' morph targets */
    uint32_t vectors; /* 0: positions, 1: and normals, 2: and tangents */
    VkskinVertexFormat format;
    VkskinNormals normals;
} SoakKinds;

#define SOAK_MAX_BUFFERS  2u
#define SOAK_BUFFER_BYTES ((VkDeviceSize)192 * 1024) /* of a region, at least */

/* A buffer of the host for outputs. Its regions are in descending order, with gaps that hold poison. */
typedef struct SoakBuffer {
    Buffer memory; /* zero: a free entry */
    VkskinOutputBufferDef def;
    VkskinOutputBuffer handle;
    VkDeviceSize next; /* in a region: behind the latest output that the host placed */
    bool closing;      /* gets no more instances */
} SoakBuffer;

typedef struct SoakContext {
    VkskinContext handle;
    Device *device; /* borrowed */
    SoakBuffer buffers[SOAK_MAX_BUFFERS];
    VkskinBackend backend;   /* in use */
    ParallelPool pool;       /* of the CPU backend */
    uint32_t framesInFlight; /* 1 to SOAK_MAX_FRAMES */
    uint32_t regions;
    bool hostBarriers;
    SoakKinds kinds;
    uint32_t slot;      /* of the current frame */
    uint64_t frame;     /* counts from 1 */
    HostMemory *memory; /* borrowed; of the library and its driver objects */
    char message[256];  /* the library's latest log message */
} SoakContext;

/* Creates no kernels. *context must stay in place until soakContextDestroy. On failure its handle is null. */
void soakContextCreate(Device *device, Random *random, const SoakDef *soak, bool first, HostMemory *memory,
                       SoakContext *context);

/* Creates the kernels that the mesh needs. */
void soakContextKernels(SoakContext *context, VkskinMesh mesh);

/* The device must have finished. Fails if the context leaves host memory or driver objects. */
void soakContextDestroy(SoakContext *context);

/* Accepts success and warnings; else fails with "CALL: message (NAME)". */
void soakContextCheck(const SoakContext *context, const char *call, VkskinResult result);

/* A full barrier where the host owns them; else nothing. */
void soakContextBarrier(const SoakContext *context, VkCommandBuffer commandBuffer);

/* Where the host owns barriers: records pending uploads between full barriers. */
void soakContextUploads(const SoakContext *context, VkCommandBuffer commandBuffer);

/* Records pending uploads and the skinning, with barriers. */
void soakContextRecord(SoakContext *context, VkCommandBuffer commandBuffer);

/* ---- Buffers of the host: soak_buffer.c ---- */

#define SOAK_NO_BUFFER SOAK_MAX_BUFFERS

/* Where an instance is. */
typedef struct SoakPlace {
    uint32_t buffer;     /* index, or SOAK_NO_BUFFER: in pages of the library */
    VkDeviceSize offset; /* in a region of the buffer, or VKSKIN_OFFSET_AUTOMATIC */
} SoakPlace;

/* Adds a buffer to the context in a free entry. */
void soakBufferAdd(SoakContext *context, Random *random, uint32_t index);

/* Tries to remove a buffer and to destroy it. used: it has instances, so the library must refuse. Returns whether it was
 * removed; if not, destroyed instances are still in flight. */
bool soakBufferRemove(SoakContext *context, uint32_t index, bool used);

/* Creates an instance in the buffer, at a place of the host or of the library. Returns false if it has no room there. */
bool soakBufferPlace(SoakContext *context, Random *random, VkskinInstanceDef def, const VkskinMeshInfo *info,
                     SoakPlace *place, VkskinInstance *instance);

/* Fails if the output is not at the place. */
void soakBufferCheck(const SoakContext *context, const SoakPlace *place, const VkskinMeshInfo *info,
                     const VkskinOutput *output);

/* Those that are in the context. */
uint32_t soakBuffersCount(const SoakContext *context);

/* After the context was destroyed. Fails if something was written between the regions. */
void soakBuffersDestroy(SoakContext *context);

/* ---- Characters: soak_character.c ---- */

#define SOAK_MAX_CLIPS 3u
#define SOAK_MORPHS    2u /* of every mesh; the second one is applied after skinning */

/* A random model and the library's objects made of it. */
typedef struct SoakCharacter {
    Model *model;    /* one mesh, skin and part; clips of all interpolations */
    bool rigid;      /* without scale, so that dual quaternions and quaternions can encode its bones */
    double diagonal; /* of the mesh in bind pose */
    ModelObjects objects;
} SoakCharacter;

typedef struct SoakPose {
    int32_t clip; /* -1: rest */
    double time;  /* seconds; clips loop */
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    float morphWeights[SOAK_MORPHS]; /* zeros where the context's meshes have no morph targets */
} SoakPose;

/* memory: counts the library's allocations; it must outlive the character. */
SoakCharacter *soakCharacterCreate(Random *random, HostMemory *memory);
void soakCharacterDestroy(SoakCharacter *character);

/* A random pose, with a method and an encoding that the character supports. */
SoakPose soakCharacterPose(const SoakCharacter *character, const SoakKinds *kinds, Random *random);

/* Writes the palette of a pose with the library. palette: memory for boneCount entries of the pose's encoding. */
void soakCharacterPalette(SoakCharacter *character, const SoakPose *pose, void *palette, uint32_t boneCount);

/* ---- The objects of a soak, and what the library must know of each: soak_world.c ----
 *
 * Characters outlive contexts; meshes and instances do not. The lists are unordered. */

#define SOAK_MAX_CHARACTERS 8u
#define SOAK_MAX_MESHES     16u

typedef struct SoakMesh {
    VkskinMesh handle;
    VkskinMeshInfo info;
    SoakCharacter *character;
    uint32_t maxInfluences;
    float *centres; /* [vertexCount][3], or null */
    bool previousPositions;
} SoakMesh;

typedef struct SoakInstance {
    VkskinInstance handle;
    SoakMesh *mesh;
    SoakPlace place;
    uint64_t updateFrame; /* the context's frame of the latest update; 0: no output yet */
    bool moved;           /* the latest update was not the first one and no teleport */
    SoakPose pose;        /* of the latest update */
    SoakPose before;      /* of the update before; valid where `moved` */
} SoakInstance;

typedef struct SoakWorld {
    Random random;
    SoakContext *context;  /* borrowed */
    HostMemory poseMemory; /* of skeletons, clips and skins */
    SoakRanges ranges;
    SoakCounts counts;
    SoakCharacter *characters[SOAK_MAX_CHARACTERS];
    SoakMesh *meshes[SOAK_MAX_MESHES];
    SoakInstance *instances[SOAK_MAX_INSTANCES];
    uint32_t characterCount, meshCount, instanceCount;
} SoakWorld;

/* Creates and destroys objects before anything is skinned in a frame: mostly instances, rarely characters. */
void soakWorldBegin(SoakWorld *world);

/* Creates or destroys a few objects between vkskinSkinInstances and the record, or between record and submission. */
void soakWorldBetween(SoakWorld *world);

/*
 * Gives some of the instances that were not skinned in this frame a new pose: at least one, if the palette ring has
 * room. submitted: the frame will be submitted. If not, the world keeps the state of the frame before, as the library
 * must.
 */
void soakWorldSkin(SoakWorld *world, bool submitted);

/* The current output of an instance that has one. */
VkskinOutput soakWorldOutput(const SoakWorld *world, const SoakInstance *instance);

/* Fails if an instance updated in this frame is not at its place, or overlaps the output of a destroyed one that is still
 * in flight. */
void soakWorldCheckPlaces(const SoakWorld *world);

/* Device memory that meshes and instances need, without the buffers of the host. */
uint64_t soakWorldBytes(const SoakWorld *world);

/* Forgets meshes and instances, which the end of the context destroys. */
void soakWorldForgetContext(SoakWorld *world);

/* Destroys the characters after the last context. Fails if they leave memory. */
void soakWorldEnd(SoakWorld *world);

/* ---- A crowd of the context: soak_crowd.c ---- */

#define SOAK_CROWD_MODELS 2u

typedef struct SoakCrowd SoakCrowd;

/* With clips and meshes of its own, and a second crowd that gets the same calls. world: borrowed. */
SoakCrowd *soakCrowdCreate(SoakWorld *world, uint64_t seed);

/* Device memory of both crowds. */
uint64_t soakCrowdBytes(const SoakCrowd *crowd);

/* Between two frames. */
void soakCrowdDestroy(SoakCrowd *crowd);

/* The end of the context destroys it. */
void soakCrowdForget(SoakCrowd *crowd);

/* Random calls for some characters, at any time. */
void soakCrowdChange(SoakCrowd *crowd);

/* Once in a frame. cancelled: the frame will be; it records the first crowd only. Else the slot's readback buffer gets
 * copies of lists and vertices. */
void soakCrowdRecord(SoakCrowd *crowd, const SoakSlot *slot, bool cancelled);

/* After vkskinCancelFrame of a frame that recorded the crowd in this slot. */
void soakCrowdCancel(SoakCrowd *crowd, uint32_t slot);

/* After a frame has begun in this slot. Fails if the lists or vertices of its last frame are not those of the second
 * crowd. */
void soakCrowdCompare(SoakCrowd *crowd, const SoakSlot *slot);

/* After a frame has begun. Fails if the counters of the latest finished frame are not those of the loop. */
void soakCrowdCheck(SoakCrowd *crowd);

/* ---- Samples of a frame, compared with the reference: soak_samples.c ----
 *
 * The frame's own command buffer copies the sampled vertices. The expected values are computed at record time, because
 * mesh, skeleton and clip may be destroyed before the device has finished. */

#define SOAK_MAX_SAMPLES     2u
#define SOAK_SAMPLE_VERTICES 128u

typedef struct SoakSample {
    VkskinInstance instance;
    VkskinMeshInfo info;
    double diagonal;
    uint32_t firstVertex, vertexCount; /* the sampled vertices of the mesh */
    VkskinOutput copy;                 /* of the sampled vertices; offsets into the readback buffer */
    ReferenceVertex expected[SOAK_SAMPLE_VERTICES];
    ReferenceVertex before[SOAK_SAMPLE_VERTICES]; /* their positions are the expected previous positions */
} SoakSample;

/* Of one frame. */
typedef struct SoakSamples {
    uint32_t count;
    uint64_t frame;    /* of the soak */
    VkDeviceSize used; /* bytes of the readback buffer */
    SoakSample samples[SOAK_MAX_SAMPLES];
} SoakSamples;

/* Samples some instances that have output, and makes the copies readable by the host. */
void soakSamplesRecord(SoakSamples *samples, SoakWorld *world, SoakSlot *slot, uint64_t frame);

/* Compares after the frame has finished, and clears the list. A difference is reported with frame, instance, vertex
 * and both values. */
void soakSamplesCheck(SoakSamples *samples, const SoakSlot *slot, SoakCounts *counts, SoakVerdict *verdict);

#endif
