/*
 * gpu_program.h: the pipelines of the bench's own shaders (bench/shaders): compute programs, and point programs that
 * draw skinned vertices as points.
 */
#ifndef BENCH_GPU_PROGRAM_H
#define BENCH_GPU_PROGRAM_H

#include "crowd_scene.h"
#include "device_clock.h"
#include "programs.h"
#include "resources.h"

#define PROGRAM_BUFFERS_MAX 4

/* One descriptor set of buffers at bindings 0 up, the pool for such sets, and push constants. */
typedef struct ProgramLayout {
    VkDescriptorType type; /* type of all bindings: STORAGE_BUFFER or STORAGE_BUFFER_DYNAMIC */
    uint32_t bufferCount;  /* 1 to PROGRAM_BUFFERS_MAX */
    VkDescriptorSetLayout sets;
    VkPipelineLayout handle;
    VkDescriptorPool pool;
} ProgramLayout;

typedef struct BufferRange {
    VkBuffer buffer;
    VkDeviceSize size; /* VK_WHOLE_SIZE: all of it */
} BufferRange;

/* Allocates a set and writes ranges[bufferCount] into it. The set lives as long as the program. */
bool programBind(Device *device, const ProgramLayout *layout, const BufferRange *ranges, VkDescriptorSet *set,
                 EngineError *error);

/* A compute pipeline. Its buffers have dynamic offsets: vkCmdBindDescriptorSets takes one for each. */
typedef struct ComputeProgram {
    Device *device;
    ProgramLayout layout;
    VkPipeline pipeline;
} ComputeProgram;

typedef struct ComputeProgramDef {
    const char *shader;   /* in bench/shaders */
    uint32_t bufferCount; /* 1 to PROGRAM_BUFFERS_MAX */
    uint32_t pushSize;    /* bytes of push constants, 0 for none */
    uint32_t sets;        /* the number of calls of programBind */
} ComputeProgramDef;

/* On failure *program is zero. */
bool computeProgramCreate(Device *device, const ComputeProgramDef *def, ComputeProgram *program, EngineError *error);

/* A zero program is allowed. */
void computeProgramDestroy(ComputeProgram *program);

#define POINT_IMAGES  3 /* position, normal, tangent */
#define POINT_BUFFERS 2
#define POINT_FLOATS  10 /* floats of a vertex that was read back: position, normal, tangent */

/*
 * A graphics pipeline that draws each vertex as a point into three float images. `timed` puts the points behind the far
 * plane, so that no pixel is written. `probe` writes one pixel for each vertex, for reading back.
 */
typedef struct PointProgram {
    Device *device;
    DeviceClock *clock;
    uint32_t width, height; /* size of the images */
    Image images[POINT_IMAGES];
    ProgramLayout layout; /* POINT_BUFFERS storage buffers */
    VkPipeline timed, probe;
    Buffer readback; /* copy of the images */
    float *vertices; /* [width * height][POINT_FLOATS] */
} PointProgram;

typedef struct PointProgramDef {
    const char *vertexShader;                          /* in bench/shaders */
    const VkPipelineVertexInputStateCreateInfo *input; /* null: the shader pulls its vertices from the buffers */
    uint32_t bones;                                    /* specialisation constant 1 */
    uint32_t vertices;                                 /* the images have at least so many pixels */
    uint32_t sets;                                     /* the number of calls of programBind */
} PointProgramDef;

/* *program: zero. Destroy it also on failure. */
bool pointProgramCreate(DeviceClock *clock, const PointProgramDef *def, PointProgram *program, EngineError *error);

/* The same with the pipelines only. */
bool pointProgramCompile(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error);

/* A zero program is allowed. */
void pointProgramDestroy(PointProgram *program);

/* Begins a pass after the passes before it, and binds `timed` or `probe`. The probe's pass clears the images. End it
 * with vkCmdEndRendering. */
void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe);

/* Records the draw of one instance into a pass that pointProgramBegin began. */
typedef void (*PointDrawFn)(void *user, VkCommandBuffer commandBuffer, uint32_t instance);

/* Draws instances with the `probe`, reads the images back and compares them with the reference, as crowdCheck.
 * precision: of the drawn normals and tangents. */
bool pointProgramCheck(PointProgram *program, const CrowdScene *scene, VkskinVertexFormat precision, PointDrawFn draw,
                       void *user, EngineError *error);

#endif
