#include "window.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "device.h"

struct Window {
    GLFWwindow *glfw;
    WindowInput input; /* since the last poll */
    double cursor[2];  /* position in the last event; events may arrive late if frames are slow */
    double pressed;    /* time of the last press of the left button, and its place */
    float pressedAt[2];
    float reserved[2]; /* set by windowReserve */
    char *dropped;     /* path of WindowInput.dropped */
};

/* Two presses within so many seconds and pixels are a double click. */
#define TWICE_SECONDS 0.4
#define TWICE_RANGE   4.0

/* ---- Callbacks ---- */

static const struct {
    int key;
    WindowKey name;
} NAMES[] = {
    {GLFW_KEY_SPACE, "space"},
    {GLFW_KEY_TAB, "tab"},
    {GLFW_KEY_ESCAPE, "esc"},
    {GLFW_KEY_HOME, "home"},
    {GLFW_KEY_END, "end"},
    {GLFW_KEY_LEFT, "left"},
    {GLFW_KEY_RIGHT, "right"},
    {GLFW_KEY_F1, "f1"},
    {GLFW_KEY_BACKSPACE, "back"},
    {GLFW_KEY_DELETE, "delete"},
    {GLFW_KEY_ENTER, "enter"},
    {GLFW_KEY_LEFT_CONTROL, "ctrl"},
    {GLFW_KEY_RIGHT_CONTROL, "ctrl"},
    {GLFW_KEY_LEFT_SHIFT, "shift"},
    {GLFW_KEY_RIGHT_SHIFT, "shift"},
};
#define NAME_COUNT (sizeof NAMES / sizeof NAMES[0])

static void onKey(GLFWwindow *glfw, int key, int scancode, int action, int modifiers) {
    (void)modifiers;
    Window *window = glfwGetWindowUserPointer(glfw);
    const char *name = NULL;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        name = key == NAMES[i].key ? NAMES[i].name : name;
    }
    name = name ? name : glfwGetKeyName(key, scancode);
    if (action == GLFW_PRESS && name && strlen(name) < sizeof(WindowKey) && window->input.keyCount < WINDOW_KEYS_MAX) {
        memcpy(window->input.keys[window->input.keyCount++], name, strlen(name) + 1);
    }
}

bool windowHolds(Window *window, const char *key) {
    bool holds = false;
    for (size_t i = 0; i < NAME_COUNT; i++) {
        holds = holds || (strcmp(NAMES[i].name, key) == 0 && glfwGetKey(window->glfw, NAMES[i].key) == GLFW_PRESS);
    }
    return holds;
}

static void onText(GLFWwindow *glfw, unsigned code) {
    Window *window = glfwGetWindowUserPointer(glfw);
    char *text = window->input.text;
    const size_t length = strlen(text);
    if (code < 0x80 && length + 1 < sizeof window->input.text) {
        text[length] = (char)code;
    } else if (code < 0x800 && length + 2 < sizeof window->input.text) {
        text[length] = (char)(0xC0 | code >> 6);
        text[length + 1] = (char)(0x80 | (code & 0x3F));
    }
}

static bool buttonDown(GLFWwindow *glfw, int button) {
    return glfwGetMouseButton(glfw, button) == GLFW_PRESS;
}

static void addMovement(float movement[2], const Window *window, double x, double y) {
    movement[0] += (float)(x - window->cursor[0]);
    movement[1] += (float)(y - window->cursor[1]);
}

static void onCursor(GLFWwindow *glfw, double x, double y) {
    Window *window = glfwGetWindowUserPointer(glfw);
    if (buttonDown(glfw, GLFW_MOUSE_BUTTON_LEFT)) {
        addMovement(window->input.rotate, window, x, y);
    } else if (buttonDown(glfw, GLFW_MOUSE_BUTTON_RIGHT) || buttonDown(glfw, GLFW_MOUSE_BUTTON_MIDDLE)) {
        addMovement(window->input.pan, window, x, y);
    }
    window->cursor[0] = x;
    window->cursor[1] = y;
    if (hypot(x - (double)window->pressedAt[0], y - (double)window->pressedAt[1]) > TWICE_RANGE) {
        window->pressed = -TWICE_SECONDS; /* drags are no clicks */
    }
}

/* Where the last event of the mouse was. */
static void onButton(GLFWwindow *glfw, int button, int action, int modifiers) {
    (void)modifiers;
    Window *window = glfwGetWindowUserPointer(glfw);
    if (button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS) {
        const float x = (float)window->cursor[0], y = (float)window->cursor[1];
        const double now = glfwGetTime();
        window->input.presses++;
        window->input.twice = now - window->pressed <= TWICE_SECONDS;
        window->input.press[0] = window->pressedAt[0] = x;
        window->input.press[1] = window->pressedAt[1] = y;
        window->pressed = window->input.twice ? -TWICE_SECONDS : now; /* the third press begins anew */
    }
}

static void onScroll(GLFWwindow *glfw, double x, double y) {
    (void)x;
    Window *window = glfwGetWindowUserPointer(glfw);
    window->input.zoom += (float)y;
}

static void onDrop(GLFWwindow *glfw, int count, const char **paths) {
    Window *window = glfwGetWindowUserPointer(glfw);
    free(window->dropped);
    window->dropped = count > 0 ? strdup(paths[0]) : NULL;
    window->input.dropped = window->dropped;
}

/* ---- The window ---- */

/* Fails with "WHAT: GLFW's message". Returns null. */
static void *failGlfw(EngineError *error, const char *what) {
    const char *description = NULL;
    int code = glfwGetError(&description);
    engineFail(error, "%s: %s", what, code != GLFW_NO_ERROR && description ? description : "no reason given");
    return NULL;
}

static Window *openWindow(uint32_t width, uint32_t height, const char *title, EngineError *error) {
    Window *window = engineAllocate(1, sizeof *window, error);
    if (!window) {
        return NULL;
    }
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    window->glfw = glfwCreateWindow((int)width, (int)height, title, NULL, NULL);
    if (!window->glfw) {
        free(window);
        return failGlfw(error, "no window");
    }
    window->pressed = -TWICE_SECONDS;
    glfwGetCursorPos(window->glfw, &window->cursor[0], &window->cursor[1]);
    glfwSetWindowUserPointer(window->glfw, window);
    glfwSetKeyCallback(window->glfw, onKey);
    glfwSetCursorPosCallback(window->glfw, onCursor);
    glfwSetMouseButtonCallback(window->glfw, onButton);
    glfwSetScrollCallback(window->glfw, onScroll);
    glfwSetCharCallback(window->glfw, onText);
    glfwSetDropCallback(window->glfw, onDrop);
    return window;
}

Window *windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error) {
    if (!glfwInit()) {
        return failGlfw(error, "no display");
    }
    Window *window = openWindow(width, height, title, error);
    if (!window) {
        glfwTerminate();
    }
    return window;
}

void windowShow(Window *window) {
    glfwShowWindow(window->glfw);
}

void windowDestroy(Window *window) {
    if (!window) {
        return;
    }
    glfwDestroyWindow(window->glfw);
    free(window->dropped);
    free(window);
    glfwTerminate();
}

const char *const *windowInstanceExtensions(uint32_t *count, EngineError *error) {
    const char **names = glfwGetRequiredInstanceExtensions(count);
    if (names) {
        return names;
    }
    /* GLFW does not distinguish a missing driver from one without window support. */
    uint32_t none = 0;
    return deviceList(NULL, &none, error) ? failGlfw(error, "Vulkan cannot present to a window here") : NULL;
}

bool windowPresents(void *user, VkInstance instance, VkPhysicalDevice physicalDevice, uint32_t family) {
    (void)user;
    return glfwGetPhysicalDevicePresentationSupport(instance, physicalDevice, family) == GLFW_TRUE;
}

VkSurfaceKHR windowSurface(Window *window, VkInstance instance, EngineError *error) {
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    VkResult result = glfwCreateWindowSurface(instance, window->glfw, NULL, &surface);
    return engineVulkan(error, "glfwCreateWindowSurface", result) ? surface : VK_NULL_HANDLE;
}

static bool takeInput(Window *window, WindowInput *input) {
    *input = window->input;
    input->held = buttonDown(window->glfw, GLFW_MOUSE_BUTTON_LEFT);
    input->cursor[0] = (float)window->cursor[0];
    input->cursor[1] = (float)window->cursor[1];
    window->input = (WindowInput){0};
    return !glfwWindowShouldClose(window->glfw);
}

bool windowPoll(Window *window, WindowInput *input) {
    glfwPollEvents();
    return takeInput(window, input);
}

bool windowWait(Window *window, double seconds, WindowInput *input) {
    glfwWaitEventsTimeout(seconds);
    return takeInput(window, input);
}

bool windowShown(Window *window, uint32_t *width, uint32_t *height) {
    int w = 0, h = 0;
    glfwGetFramebufferSize(window->glfw, &w, &h);
    bool shown = w > 0 && h > 0 && !glfwGetWindowAttrib(window->glfw, GLFW_ICONIFIED);
    *width = shown ? (uint32_t)w : 0;
    *height = shown ? (uint32_t)h : 0;
    return shown;
}

void windowSize(Window *window, float size[2]) {
    int w = 0, h = 0;
    glfwGetWindowSize(window->glfw, &w, &h);
    size[0] = fmaxf((float)w - window->reserved[0], 1.0f);
    size[1] = fmaxf((float)h - window->reserved[1], 1.0f);
}

void windowReserve(Window *window, float right, float bottom) {
    window->reserved[0] = right;
    window->reserved[1] = bottom;
}

float windowScale(Window *window) {
    float x = 1.0f, y = 1.0f;
    glfwGetWindowContentScale(window->glfw, &x, &y);
    return x > 0.0f ? x : 1.0f;
}

void windowSetTitle(Window *window, const char *title) {
    glfwSetWindowTitle(window->glfw, title);
}
