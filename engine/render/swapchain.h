/*
 * swapchain.h: the images of a surface, and which of the formats on offer they have.
 */
#ifndef ENGINE_SWAPCHAIN_H
#define ENGINE_SWAPCHAIN_H

#include "device.h"

#define SWAPCHAIN_MAX_IMAGES 16

typedef struct Swapchain {
    VkSwapchainKHR handle;
    VkSurfaceFormatKHR format;
    VkExtent2D extent;
    bool readable; /* its images may be copied from */
    uint32_t imageCount;
    VkImage images[SWAPCHAIN_MAX_IMAGES];
    VkImageView views[SWAPCHAIN_MAX_IMAGES];
    /* Signalled when an image's drawing is done: one an image, because nothing but acquiring the image again tells
     * that presenting it no longer waits. */
    VkSemaphore drawn[SWAPCHAIN_MAX_IMAGES];
} Swapchain;

/*
 * The format whose picture is the same on every driver, whatever it lists first: 8 bits sRGB in the sRGB colour
 * space; else 8 bits UNORM there (the shaders then encode); else the first. formats: [count], count above 0.
 */
VkSurfaceFormatKHR swapchainChooseFormat(const VkSurfaceFormatKHR *formats, uint32_t count);

/* That choice for a surface: the format that its swapchain will have. */
bool swapchainSurfaceFormat(Device *device, VkSurfaceKHR surface, VkSurfaceFormatKHR *chosen, EngineError *error);

/*
 * Images of `width` by `height` where the surface leaves the choice, else of its own size; presented in step with
 * the screen (FIFO). *swapchain: zero, or one of this surface, which the device no longer uses and which is
 * destroyed, on failure too. A surface without area gives a zero swapchain and true.
 */
bool swapchainRemake(Device *device, VkSurfaceKHR surface, uint32_t width, uint32_t height, Swapchain *swapchain,
                     EngineError *error);

/* The device no longer uses it. A zero one is allowed. */
void swapchainDestroy(Device *device, Swapchain *swapchain);

#endif
