#include "window.h"

#include <stdlib.h>
#include <string.h>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "device.h"

struct Window {
    GLFWwindow *glfw;
    WindowInput input; /* since the last poll */
    double cursor[2];  /* position in the last event; events may arrive late if frames are slow */
};

/* ---- Callbacks ---- */

static void countKey(Window *window, WindowKey key) {
    window->input.pressed[key]++;
}

/* Keys that produce a character are identified by the character, so that the keyboard layout applies. */
static void onNamedKey(Window *window, const char *name) {
    static const struct {
        const char *name;
        WindowKey key;
    } keys[] = {
        {"]", WINDOW_KEY_NEXT_CLIP}, {"[", WINDOW_KEY_PREVIOUS_CLIP}, {"m", WINDOW_KEY_METHOD},
        {"r", WINDOW_KEY_RESET},     {"h", WINDOW_KEY_HELP},          {"b", WINDOW_KEY_BLEND},
        {"n", WINDOW_KEY_ADD},       {"k", WINDOW_KEY_SOLVE},         {"s", WINDOW_KEY_SKIN},
        {"w", WINDOW_KEY_WIREFRAME}, {"j", WINDOW_KEY_JOINTS},        {".", WINDOW_KEY_STEP},
        {"+", WINDOW_KEY_FASTER},    {"=", WINDOW_KEY_FASTER},        {"-", WINDOW_KEY_SLOWER},
        {"t", WINDOW_KEY_TARGETS},
    };
    for (size_t i = 0; name && i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(name, keys[i].name) == 0) {
            countKey(window, keys[i].key);
        }
    }
}

static void onKey(GLFWwindow *glfw, int key, int scancode, int action, int modifiers) {
    (void)modifiers;
    Window *window = glfwGetWindowUserPointer(glfw);
    if (action != GLFW_PRESS) {
        return;
    }
    switch (key) {
    case GLFW_KEY_ESCAPE:
        glfwSetWindowShouldClose(glfw, GLFW_TRUE);
        break;
    case GLFW_KEY_SPACE:
        countKey(window, WINDOW_KEY_PAUSE);
        break;
    case GLFW_KEY_RIGHT:
        countKey(window, WINDOW_KEY_NEXT_CLIP);
        break;
    case GLFW_KEY_LEFT:
        countKey(window, WINDOW_KEY_PREVIOUS_CLIP);
        break;
    default:
        onNamedKey(window, glfwGetKeyName(key, scancode));
        break;
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
}

/* Where the last event of the mouse was. */
static void onButton(GLFWwindow *glfw, int button, int action, int modifiers) {
    (void)modifiers;
    Window *window = glfwGetWindowUserPointer(glfw);
    if (button == GLFW_MOUSE_BUTTON_LEFT && action == GLFW_PRESS) {
        window->input.presses++;
        window->input.press[0] = (float)window->cursor[0];
        window->input.press[1] = (float)window->cursor[1];
    }
}

static void onScroll(GLFWwindow *glfw, double x, double y) {
    (void)x;
    Window *window = glfwGetWindowUserPointer(glfw);
    window->input.zoom += (float)y;
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
    window->glfw = glfwCreateWindow((int)width, (int)height, title, NULL, NULL);
    if (!window->glfw) {
        free(window);
        return failGlfw(error, "no window");
    }
    glfwGetCursorPos(window->glfw, &window->cursor[0], &window->cursor[1]);
    glfwSetWindowUserPointer(window->glfw, window);
    glfwSetKeyCallback(window->glfw, onKey);
    glfwSetCursorPosCallback(window->glfw, onCursor);
    glfwSetMouseButtonCallback(window->glfw, onButton);
    glfwSetScrollCallback(window->glfw, onScroll);
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

void windowDestroy(Window *window) {
    if (!window) {
        return;
    }
    glfwDestroyWindow(window->glfw);
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
    size[0] = w > 1 ? (float)w : 1.0f;
    size[1] = h > 1 ? (float)h : 1.0f;
}

void windowSetTitle(Window *window, const char *title) {
    glfwSetWindowTitle(window->glfw, title);
}
