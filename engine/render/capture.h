/*
 * capture.h: a swapchain image as a picture: what the user sees, read back.
 */
#ifndef ENGINE_CAPTURE_H
#define ENGINE_CAPTURE_H

#include "picture.h"
#include "presenter.h"

/* A copy on its way. */
typedef struct Capture {
    Buffer buffer; /* zero: none */
    uint32_t width, height;
    bool swapped; /* blue comes first */
} Capture;

/*
 * Records the copy of the frame's image, which drawing left in TRANSFER_SRC_OPTIMAL, and leaves it in
 * PRESENT_SRC_KHR: call it last before presenterEnd. Fails where the images cannot be copied from or are not of
 * 8 bits; *capture is zero then.
 */
bool captureRecord(const Presenter *presenter, const PresenterFrame *frame, Capture *capture, EngineError *error);

/* After presenterEnd: waits for the device and hands out the pixels. Frees the capture; on failure *picture is zero. */
bool captureTake(Device *device, Capture *capture, Picture *picture, EngineError *error);

#endif
