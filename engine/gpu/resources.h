/*
 * resources.h: buffers and images of the engine, and uploads at load time.
 *
 * Each resource has its own device memory: the engine has few of them. On failure, create functions leave *resource
 * zero. Destroy functions accept a zero resource and set it to zero. They free at once: the device must no longer use
 * it.
 */
#ifndef ENGINE_RESOURCES_H
#define ENGINE_RESOURCES_H

#include "commands.h"

typedef enum BufferMemory {
    BUFFER_DEVICE = 0,  /* device-local, not mapped */
    BUFFER_UPLOAD = 1,  /* written by the host, coherent, persistently mapped; device-local too if available */
    BUFFER_READBACK = 2 /* read by the host, coherent, persistently mapped; cached if available */
} BufferMemory;

typedef struct Buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    VkDeviceSize size; /* bytes */
    void *mapped;      /* null for BUFFER_DEVICE */
} Buffer;

/* size: bytes, above 0. name: for debuggers and messages. */
bool bufferCreate(Device *device, VkDeviceSize size, VkBufferUsageFlags usage, BufferMemory memory, const char *name,
                  Buffer *buffer, EngineError *error);
void bufferDestroy(Device *device, Buffer *buffer);

/* Makes a buffer for copies to the host. */
bool bufferCreateReadback(Device *device, VkDeviceSize size, const char *name, Buffer *buffer, EngineError *error);

/* Makes a device buffer and fills it with `size` bytes of `data` before it returns. Adds TRANSFER_DST to usage. */
bool bufferCreateFilled(Device *device, const void *data, VkDeviceSize size, VkBufferUsageFlags usage, const char *name,
                        Buffer *buffer, EngineError *error);

typedef struct Image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
    VkFormat format;
    uint32_t width, height;
    uint32_t mipLevels;
    VkSampleCountFlagBits samples;
} Image;

typedef struct ImageDef {
    uint32_t width, height;
    VkFormat format;
    VkImageUsageFlags usage;
    VkImageAspectFlags aspect;
    uint32_t mipLevels;            /* 0: 1 */
    VkSampleCountFlagBits samples; /* 0: 1 */
    const char *name;
} ImageDef;

bool imageCreate(Device *device, const ImageDef *def, Image *image, EngineError *error);
void imageDestroy(Device *device, Image *image);

/* VK_FILTER_LINEAR filters between mip levels too; VK_FILTER_NEAREST reads the largest one. u, v: beyond the image. */
bool samplerCreate(Device *device, VkFilter filter, VkSamplerAddressMode u, VkSamplerAddressMode v, VkSampler *sampler,
                   EngineError *error);

/* A view of a 2D image. */
bool imageCreateView(Device *device, VkImage image, VkFormat format, VkImageAspectFlags aspect, uint32_t mipLevels,
                     VkImageView *view, EngineError *error);

/* Makes a texture with all mip levels, ready for fragment shaders. pixels: [height][width][4]. srgb: shaders read linear
 * colours of sRGB texels; mip levels are means of linear values. */
bool imageCreateTexture(Device *device, const uint8_t *pixels, uint32_t width, uint32_t height, bool srgb,
                        const char *name, Image *image, EngineError *error);

/* The same for one byte a texel, which shaders read as 0 to 1 in red, with one level. texels: [height][width]. */
bool imageCreateBytes(Device *device, const uint8_t *texels, uint32_t width, uint32_t height, const char *name,
                      Image *image, EngineError *error);

#endif
