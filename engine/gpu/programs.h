/*
 * programs.h: shaders, descriptor sets and graphics pipelines.
 */
#ifndef ENGINE_PROGRAMS_H
#define ENGINE_PROGRAMS_H

#include "device.h"

/* A shader that the build compiled. Its name is that of the source file, such as "crowd.vert". */
typedef struct ShaderCode {
    const char *name;
    const uint32_t *words; /* SPIR-V */
    size_t byteCount;
} ShaderCode;

/* Null on failure. */
VkShaderModule shaderCreate(Device *device, const ShaderCode *code, EngineError *error);

bool setLayoutCreate(Device *device, const VkDescriptorSetLayoutBinding *bindings, uint32_t count,
                     VkDescriptorSetLayout *layout, EngineError *error);

/* push: one range; size 0: none. */
bool pipelineLayoutCreate(Device *device, const VkDescriptorSetLayout *sets, uint32_t setCount,
                          VkPushConstantRange push, VkPipelineLayout *layout, EngineError *error);

bool descriptorPoolCreate(Device *device, const VkDescriptorPoolSize *sizes, uint32_t sizeCount, uint32_t setCount,
                          VkDescriptorPool *pool, EngineError *error);
bool descriptorSetAllocate(Device *device, VkDescriptorPool pool, VkDescriptorSetLayout layout, VkDescriptorSet *set,
                           EngineError *error);

/* size: bytes from the start; VK_WHOLE_SIZE: all. */
void descriptorWriteBuffer(Device *device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type,
                           VkBuffer buffer, VkDeviceSize size);
void descriptorWriteRange(Device *device, VkDescriptorSet set, uint32_t binding, VkDescriptorType type, VkBuffer buffer,
                          VkDeviceSize offset, VkDeviceSize size);

/* A combined image sampler; the image is in SHADER_READ_ONLY_OPTIMAL. */
void descriptorWriteImage(Device *device, VkDescriptorSet set, uint32_t binding, VkSampler sampler, VkImageView view);

typedef struct GraphicsPipelineDef {
    const char *name;                                  /* for debuggers and messages */
    VkShaderModule vertex, fragment;                   /* fragment null: only depth is written */
    const VkSpecializationInfo *constants;             /* specialisation constants of both shaders; null: none */
    const VkPipelineVertexInputStateCreateInfo *input; /* null: the vertex shader reads buffers */
    VkPrimitiveTopology topology;
    bool edges;                    /* draws edges of polygons; needs Device.fillModeNonSolid */
    VkSampleCountFlagBits samples; /* 0: 1 */
    const VkFormat *colourFormats; /* [colourCount], at most PIPELINE_COLOURS_MAX; every channel is written */
    uint32_t colourCount;
    VkFormat depthFormat; /* undefined: no depth test */
    VkCompareOp depthCompare;
    bool writesDepth;
    float slopeBias; /* depth bias by slope; 0: none */
    bool blends;     /* colours are mixed by their alpha, not premultiplied; the target's alpha then covers both */
    const VkPipelineColorBlendAttachmentState *mix; /* replaces `blends`; null: none */
    VkFormat stencilFormat; /* undefined: no stencil. Else the test is for the dynamic reference, of bit 0 */
    VkStencilOp stencilPass;
    VkCompareOp stencilCompare;
    bool
        choosesSides; /* not with a stencil: vkCmdSetCullMode and vkCmdSetFrontFace apply; without it both sides are drawn */
    VkPipelineLayout layout;
} GraphicsPipelineDef;

#define PIPELINE_COLOURS_MAX 4

/* Viewport and scissor are dynamic: viewportSet. On failure *pipeline is null. */
bool graphicsPipelineCreate(Device *device, const GraphicsPipelineDef *def, VkPipeline *pipeline, EngineError *error);

/* Viewport and scissor over a whole target. */
void viewportSet(VkCommandBuffer commandBuffer, uint32_t width, uint32_t height);

/* load, store: what becomes of its values before and after the pass. */
VkRenderingAttachmentInfo passAttachment(VkImageView view, VkImageLayout layout, VkAttachmentLoadOp load,
                                         VkAttachmentStoreOp store);

/* Begins a pass over a whole target, with viewportSet. Null: there is no such attachment. */
void passBegin(VkCommandBuffer commandBuffer, uint32_t width, uint32_t height, const VkRenderingAttachmentInfo *colour,
               const VkRenderingAttachmentInfo *depth, const VkRenderingAttachmentInfo *stencil);

#endif
