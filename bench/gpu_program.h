/*
 * gpu_program.h: the pipelines of the bench's own shaders (bench/shaders): compute programs, and point programs that
 * draw skinned vertices as points.
 */
#ifndef BENCH_GPU_PROGRAM_H
#define BENCH_GPU_PROGRAM_H

#include "crowd_scene.h"
#include "device_clock.h"
#include "resources.h"

#define PROGRAM_BUFFERS_MAX 4

/* A shader that was compiled when the bench was built; the type of the generated table. */
typedef struct BenchShader {
    const char *name;     /* its file in bench/shaders, such as "baseline.comp" */
    const uint32_t *code; /* SPIR-V */
    size_t size;          /* bytes */
} BenchShader;

/* One descriptor set of buffers at bindings 0 up, the pool for such sets, and push constants. */
typedef struct ProgramLayout {
    VkDescriptorType type; /* of all bindings: STORAGE_BUFFER or STORAGE_BUFFER_DYNAMIC */
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

/*
 * A graphics pipeline that draws each vertex as a point into three float images. `timed` puts the points behind the far
 * plane, so that no pixel is written. `probe` writes one pixel for each vertex, for reading back.
 */
typedef struct PointProgram {
    Device *device;
    uint32_t width, height; /* of the images */
    Image images[POINT_IMAGES];
    ProgramLayout layout; /* POINT_BUFFERS storage buffers */
    VkPipeline timed, probe;
} PointProgram;

typedef struct PointProgramDef {
    const char *vertexShader;                          /* in bench/shaders */
    const VkPipelineVertexInputStateCreateInfo *input; /* null: the shader pulls its vertices from the buffers */
    uint32_t bones;                                    /* specialisation constant 1 */
    uint32_t vertices;                                 /* the images have at least so many pixels */
    uint32_t sets;                                     /* the number of calls of programBind */
} PointProgramDef;

/* On failure *program is zero. */
bool pointProgramCreate(Device *device, const PointProgramDef *def, PointProgram *program, EngineError *error);

/* A zero program is allowed. */
void pointProgramDestroy(PointProgram *program);

/* Begins a pass after the passes before it, and binds `timed` or `probe`. The probe's pass clears the images to
 * `clear`. */
void pointProgramBegin(const PointProgram *program, VkCommandBuffer commandBuffer, bool probe, float clear);
void pointProgramEnd(VkCommandBuffer commandBuffer);

/* Records the draw of one instance into a pass that pointProgramBegin began. */
typedef void (*DrawnProbeFn)(void *user, VkCommandBuffer commandBuffer, uint32_t instance);

/* Draws one instance with a point program's `probe`, reads the images back and compares them with the reference. */
typedef struct DrawnProbe {
    DeviceClock *clock;
    PointProgram *program;
    VkskinVertexFormat format; /* of the drawn vertices: it sets the allowed error */
    Buffer readback;           /* created by drawnProbeCreate */
    DrawnProbeFn draw;
    void *user; /* passed to `draw` */
} DrawnProbe;

/* Set the other members first. */
bool drawnProbeCreate(DrawnProbe *probe, EngineError *error);
void drawnProbeDestroy(DrawnProbe *probe);

/* As crowdCheck. */
bool drawnProbeCheck(DrawnProbe *probe, const CrowdScene *scene, EngineError *error);

#endif
