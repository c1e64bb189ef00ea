/*
 * window.h: one window on the user's screen (GLFW) and the user's input.
 *
 * One window at a time, on the main thread. Call in this order: windowCreate, deviceCreate with
 * windowInstanceExtensions and windowPresents, windowSurface; then windowPoll or windowWait once per frame.
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
    WINDOW_KEY_BLEND,         /* b */
    WINDOW_KEY_ADD,           /* n */
    WINDOW_KEY_SOLVE,         /* k */
    WINDOW_KEY_SKIN,          /* s */
    WINDOW_KEY_WIREFRAME,     /* w */
    WINDOW_KEY_JOINTS,        /* j */
    WINDOW_KEY_TARGETS,       /* t */
    WINDOW_KEY_STEP,          /* . */
    WINDOW_KEY_FASTER,        /* +, = */
    WINDOW_KEY_SLOWER,        /* - */
    WINDOW_KEY_RESET,         /* r */
    WINDOW_KEY_HELP,          /* h */
    WINDOW_KEY_COUNT
} WindowKey;

/* Input since the last poll. Movements and places are in pixels of the window: x to the right, y down. */
typedef struct WindowInput {
    float rotate[2];                    /* dragged with the left button */
    float pan[2];                       /* dragged with the right or middle button */
    float zoom;                         /* steps of the wheel; positive: away from the user */
    uint32_t presses;                   /* presses of the left button */
    float press[2];                     /* where the last of them was */
    bool held;                          /* whether the left button is down now */
    float cursor[2];                    /* where the mouse is, from the upper left of the window */
    uint32_t pressed[WINDOW_KEY_COUNT]; /* number of presses; holding a key counts once */
} WindowInput;

/*
 * width, height: pixels, above 0; the user may change them. Null on failure; the error is "no display: ..." without a
 * display.
 */
Window *windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error);

/* Destroy its surface first. Null is allowed. */
void windowDestroy(Window *window);

/* Instance extensions needed to present to a window. Null, with an error, if Vulkan cannot present here. */
const char *const *windowInstanceExtensions(uint32_t *count, EngineError *error);

/* A DevicePresentsFn: whether a queue family can present here. user is ignored. */
bool windowPresents(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family);

/* The caller destroys it with vkDestroySurfaceKHR. VK_NULL_HANDLE on failure. */
VkSurfaceKHR windowSurface(Window *window, VkInstance instance, EngineError *error);

/* Returns the input since the last call. False after the user has closed the window or pressed Esc. */
bool windowPoll(Window *window, WindowInput *input);

/* Like windowPoll, but first waits for an event, at most `seconds`. */
bool windowWait(Window *window, double seconds, WindowInput *input);

/* The size of the window's content in pixels. False, with size 0 by 0, while it is minimised or has no area. */
bool windowShown(Window *window, uint32_t *width, uint32_t *height);

/* The window's width and height in the unit of WindowInput's movements; at least 1. */
void windowSize(Window *window, float size[2]);

void windowSetTitle(Window *window, const char *title);

#endif
