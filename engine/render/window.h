/*
 * window.h: one window on the user's screen (GLFW) and the user's input.
 *
 * One at a time, on the main thread. The order: windowCreate, a device made with windowInstanceExtensions and
 * windowPresents, windowSurface; then windowPoll or windowWait once a frame.
 */
#ifndef ENGINE_WINDOW_H
#define ENGINE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include <volk.h>

#include "engine_error.h"

typedef struct Window Window;

/* Letters follow the keyboard layout. */
typedef enum WindowKey {
    WINDOW_KEY_PAUSE,         /* space */
    WINDOW_KEY_NEXT_CLIP,     /* right, ] */
    WINDOW_KEY_PREVIOUS_CLIP, /* left, [ */
    WINDOW_KEY_METHOD,        /* m */
    WINDOW_KEY_RESET,         /* r */
    WINDOW_KEY_HELP,          /* h */
    WINDOW_KEY_COUNT
} WindowKey;

/* Input since the last poll. Movements are in pixels of the window: x to the right, y down. */
typedef struct WindowInput {
    float rotate[2];                    /* dragged with the left button */
    float pan[2];                       /* with the right or the middle one */
    float zoom;                         /* steps of the wheel, away from the user positive */
    uint32_t pressed[WINDOW_KEY_COUNT]; /* how often; holding a key counts once */
} WindowInput;

/*
 * width, height: pixels, above 0; the user may change them. Null on failure: "no display: ..." where there is none.
 */
Window *windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error);

/* Its surface is destroyed before. Null is allowed. */
void windowDestroy(Window *window);

/* Instance extensions that presenting to a window takes. Null, with an error, when Vulkan cannot present here. */
const char *const *windowInstanceExtensions(uint32_t *count, EngineError *error);

/* Whether a queue family can present here: a DevicePresentsFn. user: not looked at. */
bool windowPresents(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family);

/* The caller destroys it by vkDestroySurfaceKHR. VK_NULL_HANDLE on failure. */
VkSurfaceKHR windowSurface(Window *window, VkInstance instance, EngineError *error);

/* Returns the input since the last call. False after the user has closed the window or pressed Esc. */
bool windowPoll(Window *window, WindowInput *input);

/* The same, but first waits for an event, at most `seconds`. */
bool windowWait(Window *window, double seconds, WindowInput *input);

/* The size of its picture in pixels. False, and zero by zero, while it is minimised or has no area. */
bool windowShown(Window *window, uint32_t *width, uint32_t *height);

/* In the unit of WindowInput's movements; at least 1. */
float windowHeight(Window *window);

void windowSetTitle(Window *window, const char *title);

#endif
