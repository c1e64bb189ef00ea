/*
 * presenter.h: shows frames in a window. Owns the swapchain, the target and the frame slots. Recreates the swapchain if
 * the window's size changes.
 *
 * A frame: presenterBegin, record into the frame's command buffer, presenterEnd.
 */
#ifndef ENGINE_PRESENTER_H
#define ENGINE_PRESENTER_H

#include "frames.h"
#include "target.h"
#include "window.h"

#define SWAPCHAIN_MAX_IMAGES 16

typedef struct Swapchain {
    VkSwapchainKHR handle;
    VkSurfaceFormatKHR format;
    VkExtent2D extent;
    bool plain;    /* the user asked for a plain format: see swapchainChooseFormat */
    bool readable; /* images can be copied from */
    uint32_t imageCount;
    VkImage images[SWAPCHAIN_MAX_IMAGES];
    VkImageView views[SWAPCHAIN_MAX_IMAGES];
    /* Signalled when drawing to an image is done. One per image: only a new acquire of the image proves that presenting
     * no longer waits for the semaphore. */
    VkSemaphore drawn[SWAPCHAIN_MAX_IMAGES];
} Swapchain;

/*
 * Chooses a format that gives the same picture on every driver: 8-bit sRGB in the sRGB colour space, else 8-bit UNORM
 * in that space (the shaders then encode), else the first format. count: above 0.
 * plain: colours are written and mixed as the screen shows them: only 8-bit UNORM, else VK_FORMAT_UNDEFINED.
 */
VkSurfaceFormatKHR swapchainChooseFormat(const VkSurfaceFormatKHR *formats, uint32_t count, bool plain);

/* The format that the swapchain of this surface will have. False also if a plain one is not offered. */
bool swapchainSurfaceFormat(Device *device, VkSurfaceKHR surface, bool plain, VkSurfaceFormatKHR *chosen,
                            EngineError *error);

typedef struct Presenter {
    Device *device;
    Window *window;
    VkSurfaceKHR surface;
    Swapchain swapchain; /* zero while the window has no area */
    Target target;       /* target in the swapchain's size and format */
    Frames frames;
    /* Signalled when an image may be drawn into. One more than frame slots: an image is acquired before the wait for
     * the slot. */
    VkSemaphore acquired[FRAMES_IN_FLIGHT + 1];
    uint32_t nextAcquired;
    uint32_t width, height; /* size of the window when the swapchain was made */
    bool stale;             /* the swapchain must be made again */
} Presenter;

typedef struct PresenterFrame {
    Frame frame;
    uint32_t image; /* index into the swapchain's images */
    VkSemaphore acquired;
} PresenterFrame;

typedef enum PresenterState {
    PRESENTER_READY,  /* the frame has begun */
    PRESENTER_HIDDEN, /* the window has no area: wait for its events */
    PRESENTER_BUSY,   /* no image within a tenth of a second: poll the window, then try again */
    PRESENTER_FAILED
} PresenterState;

/*
 * device: made with windowInstanceExtensions, windowPresents and VK_KHR_swapchain. plain: as for swapchainChooseFormat. On
 * failure *presenter is zero.
 */
bool presenterCreate(Device *device, Window *window, bool plain, Presenter *presenter, EngineError *error);

/* Waits for the device. A zero presenter is allowed. */
void presenterDestroy(Presenter *presenter);

PresenterState presenterBegin(Presenter *presenter, PresenterFrame *frame, EngineError *error);

/* The image to draw the frame into. capture: captureRecord follows; else presenterEnd. */
TargetImage presenterImage(const Presenter *presenter, const PresenterFrame *frame, bool capture);

/* Submits the frame and presents its image. The first use of the image must be as a colour attachment. */
bool presenterEnd(Presenter *presenter, PresenterFrame *frame, EngineError *error);

/* A screenshot that the device is copying. */
typedef struct Capture {
    Buffer buffer; /* zero: none */
    uint32_t width, height;
    bool swapped; /* blue comes first */
} Capture;

/*
 * Records a copy of the frame's image, which must be in TRANSFER_SRC_OPTIMAL, and leaves it in PRESENT_SRC_KHR. Call it
 * last before presenterEnd. Fails if the images cannot be copied from or are not 8-bit; *capture is then zero.
 */
bool captureRecord(const Presenter *presenter, const PresenterFrame *frame, Capture *capture, EngineError *error);

/* Call after presenterEnd. Waits for the device and returns the pixels. Frees the capture. On failure *picture is
 * zero. */
bool captureTake(Device *device, Capture *capture, Picture *picture, EngineError *error);

#endif
