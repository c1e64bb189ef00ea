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

#define WINDOW_KEYS_MAX 32u /* presses between two polls; further ones are lost */

/*
 * Name of a key: its character, so that letters follow the keyboard layout, or "space", "tab", "esc", "home", "end", "left",
 * "right", "f1", "back", "delete", "enter", "ctrl", "shift".
 */
typedef char WindowKey[8];

/* Input since the last poll. Movements and places are in pixels of the window: x to the right, y down. */
typedef struct WindowInput {
    float rotate[2];                 /* dragged with the left button */
    float pan[2];                    /* dragged with the right or middle button */
    float zoom;                      /* steps of the wheel; positive: away from the user */
    uint32_t presses;                /* presses of the left button */
    float press[2];                  /* where the last of them was */
    bool twice;                      /* the last of them was the second of a double click */
    bool held;                       /* whether the left button is down now */
    float cursor[2];                 /* where the mouse is, from the upper left of the window */
    WindowKey keys[WINDOW_KEYS_MAX]; /* [keyCount] in the order of the presses; holding a key counts once */
    uint32_t keyCount;
    char text[32];       /* UTF-8 that was typed; more is lost */
    const char *dropped; /* path of the first file that was dropped onto the window, until the next poll; or null */
} WindowInput;

/*
 * width, height: pixels, above 0; the user may change them. Null on failure; the error is "no display: ..." without a
 * display.
 */
Window *windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error);

/* It is hidden until this call. */
void windowShow(Window *window);

/* Destroy its surface first. Null is allowed. */
void windowDestroy(Window *window);

/* Instance extensions needed to present to a window. Null, with an error, if Vulkan cannot present here. */
const char *const *windowInstanceExtensions(uint32_t *count, EngineError *error);

/* A DevicePresentsFn: whether a queue family can present here. user is ignored. */
bool windowPresents(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family);

/* The caller destroys it with vkDestroySurfaceKHR. VK_NULL_HANDLE on failure. */
VkSurfaceKHR windowSurface(Window *window, VkInstance instance, EngineError *error);

/* Returns the input since the last call. False after the user has closed the window. */
bool windowPoll(Window *window, WindowInput *input);

/* Like windowPoll, but first waits for an event, at most `seconds`. */
bool windowWait(Window *window, double seconds, WindowInput *input);

/* The size of the window's content in pixels. False, with size 0 by 0, while it is minimised or has no area. */
bool windowShown(Window *window, uint32_t *width, uint32_t *height);

/* The window's width and height in the unit of WindowInput's movements, without what is reserved; at least 1. */
void windowSize(Window *window, float size[2]);

/* Space at the right and at the bottom that is not part of what windowSize returns: for panels. The same unit. */
void windowReserve(Window *window, float right, float bottom);

/* Pixels of a point: the scale of texts and panels on this screen. */
float windowScale(Window *window);

/* Whether the key of this name is down; one of the names that are not characters. */
bool windowHolds(Window *window, const char *key);

void windowSetTitle(Window *window, const char *title);

#endif
