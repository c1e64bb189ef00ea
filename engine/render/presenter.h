/*
 * presenter.h: frames on their way to a window: swapchain, target and frame slots together, made again when the
 * window's size changes.
 *
 * A frame: presenterBegin, record into the frame's command buffer, presenterEnd.
 */
#ifndef ENGINE_PRESENTER_H
#define ENGINE_PRESENTER_H

#include "frames.h"
#include "swapchain.h"
#include "target.h"
#include "window.h"

typedef struct Presenter {
    Device *device;
    Window *window;
    VkSurfaceKHR surface;
    Swapchain swapchain; /* zero while the window has no area */
    Target target;       /* of the swapchain's size and format */
    Frames frames;
    /* Signalled when an image may be drawn into. One more than frame slots: an image is acquired before its slot is
     * known to be free. */
    VkSemaphore acquired[FRAMES_MAX + 1];
    uint32_t nextAcquired;
    uint32_t width, height; /* of the window when the swapchain was made */
    bool stale;             /* the swapchain must be made again */
} Presenter;

typedef struct PresenterFrame {
    Frame frame;
    uint32_t image; /* index into the swapchain's */
    VkSemaphore acquired;
} PresenterFrame;

typedef enum PresenterState {
    PRESENTER_READY,  /* the frame is begun */
    PRESENTER_HIDDEN, /* there is nothing to draw into: wait for the window's events */
    PRESENTER_BUSY,   /* no image within a tenth of a second: look after the window, then try again */
    PRESENTER_FAILED
} PresenterState;

/*
 * device: made with windowInstanceExtensions, windowPresents and VK_KHR_swapchain. framesInFlight: 1 to FRAMES_MAX.
 * On failure *presenter is zero.
 */
bool presenterCreate(Device *device, Window *window, uint32_t framesInFlight, Presenter *presenter, EngineError *error);

/* Waits for the device. A zero one is allowed. */
void presenterDestroy(Presenter *presenter);

PresenterState presenterBegin(Presenter *presenter, PresenterFrame *frame, EngineError *error);

/* The image to draw the frame into, to be left in finalLayout: PRESENT_SRC_KHR by the time of presenterEnd. */
TargetImage presenterImage(const Presenter *presenter, const PresenterFrame *frame, VkImageLayout finalLayout);

/* Submits the frame and presents its image. The first use of the image must be as a colour attachment. */
bool presenterEnd(Presenter *presenter, PresenterFrame *frame, EngineError *error);

#endif
