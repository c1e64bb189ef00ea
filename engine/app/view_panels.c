#include "view_panels.h"

#include <math.h>
#include <string.h>

#include "count_of.h"
#include "terminal.h"

#define LONGEST_FRAME 0.5   /* seconds; a single longer one is a start or a pause, and is left out of the graph */
#define GRAPH_LEAST   20.0f /* milliseconds at the top of the graph, at least */

/* ---- Messages ---- */

static void addMessage(void *user, const char *text) {
    ViewMessages *messages = user;
    if (messages->count == VIEW_MESSAGES) {
        memmove(messages->lines[0], messages->lines[1], sizeof messages->lines - sizeof messages->lines[0]);
        messages->count--;
    }
    char *line = messages->lines[messages->count++];
    snprintf(line, VIEW_MESSAGE_BYTES, "%s", text);
    for (char *end = line; *end; end++) { /* line ends are hidden characters for utf8Mend */
        *end = (char)(*end == '\n' ? ' ' : *end);
    }
    utf8Mend(line);
}

void viewMessagesHear(ViewMessages *messages) {
    sayHear(messages ? addMessage : NULL, messages);
}

void viewPanelsEnd(ViewPanels *panels) {
    uiDrawDestroy(panels->draw);
    panelsDestroy(panels->panels);
    panels->draw = NULL;
    panels->panels = NULL;
}

/* ---- Input ---- */

static uint32_t heldKeys(Window *window) {
    static const char *const names[] = {
        [UI_KEY_TAB] = "tab",    [UI_KEY_LEFT] = "left",     [UI_KEY_RIGHT] = "right",    [UI_KEY_HOME] = "home",
        [UI_KEY_END] = "end",    [UI_KEY_DELETE] = "delete", [UI_KEY_BACKSPACE] = "back", [UI_KEY_ENTER] = "enter",
        [UI_KEY_ESCAPE] = "esc", [UI_KEY_CTRL] = "ctrl",     [UI_KEY_SHIFT] = "shift"};
    uint32_t held = 0;
    for (size_t key = 0; key < COUNT_OF(names); key++) {
        held |= windowHolds(window, names[key]) ? 1u << key : 0;
    }
    return held;
}

/* What the panels use is not for the scene. */
static void takeInput(UiWants wants, WindowInput *input) {
    if (wants.mouse) {
        memset(input->rotate, 0, sizeof input->rotate);
        memset(input->pan, 0, sizeof input->pan);
        input->zoom = 0.0f;
        input->presses = 0;
        input->twice = input->held = false;
    }
    input->keyCount = wants.keyboard ? 0 : input->keyCount;
}

static void addFrame(ViewPanels *panels, double seconds) {
    const bool lone = seconds >= LONGEST_FRAME && panels->lastSeconds < LONGEST_FRAME;
    panels->newest = (panels->newest + 1) % VIEW_GRAPH_FRAMES;
    panels->frames[panels->newest] = lone ? 0.0f : (float)(1e3 * seconds);
    panels->lastSeconds = seconds;
}

bool viewPanelsBegin(ViewPanels *panels, Window *window, WindowInput *input, const ActionTable *table, bool isScripted,
                     double seconds, EngineError *error) {
    uint32_t width, height;
    const float before = panels->shown ? panels->scale : 0.0f;
    addFrame(panels, seconds);
    panels->picture = NULL;
    panels->scale = windowScale(window);
    panels->shown = !panels->hidden && windowShown(window, &width, &height) &&
                    (float)width >= PANELS_LEAST_WIDTH * panels->scale &&
                    (float)height >= PANELS_LEAST_HEIGHT * panels->scale;
    windowReserve(window, 0.0f, 0.0f);
    if ((panels->shown ? panels->scale : 0.0f) != before && !deviceWait(panels->device, error)) {
        return false;
    }
    if (panels->shown && !panels->panels) {
        panels->panels = panelsCreate(error);
    }
    if (!panels->shown || !panels->panels) {
        return !panels->shown;
    }
    float size[2];
    windowSize(window, size);
    const float perUnit = (float)width / size[0];
    const UiInput ui = {.width = width,
                        .height = height,
                        .scale = panels->scale,
                        .seconds = (float)fmax(seconds, 1e-4),
                        .hasMouse = !isScripted,
                        .mouse = {input->cursor[0] * perUnit, input->cursor[1] * perUnit},
                        .buttons = input->held || input->presses > 0 ? 1 : 0,
                        .wheel = input->zoom,
                        .keys = heldKeys(window),
                        .text = input->text[0] ? input->text : NULL};
    windowReserve(window, PANELS_WIDTH * panels->scale / perUnit, PANELS_HEIGHT * panels->scale / perUnit);
    takeInput(panelsBegin(panels->panels, &ui, table), input);
    return true;
}

/* ---- The loop's own items ---- */

static void addGraph(ViewPanels *panels) {
    float most = GRAPH_LEAST, sum = 0.0f, count = 0.0f;
    char text[64];
    for (uint32_t i = 0; i < VIEW_GRAPH_FRAMES; i++) {
        most = fmaxf(most, panels->frames[i]);
        sum += panels->frames[i];
        count += panels->frames[i] > 0.0f ? 1.0f : 0.0f;
    }
    snprintf(text, sizeof text, "%.1f ms, up to %.1f", (double)(sum / fmaxf(count, 1.0f)), (double)most);
    panelsGraph(panels->panels, panels->frames, VIEW_GRAPH_FRAMES, panels->newest, most, text);
}

bool viewPanelsFrames(ViewPanels *panels) {
    const bool open = panelsSection(panels->panels, "Frames", false);
    if (open) {
        addGraph(panels);
    }
    return open;
}

#define PAINTS_MAX 32u

void viewPanelsPaint(Panels *panels, const Paint *paint, bool isFlat) {
    const char *words[PAINTS_MAX] = {"none"};
    Names names = {words, sizeof words[0], 1};
    char named[ACTION_VALUE_SIZE] = ""; /* the one of a bone */
    uint32_t current = 0;
    if (paint->bone) {
        snprintf(named, sizeof named, "%s:%.1000s", paint->type->name, paint->bone);
    }
    for (uint32_t i = 0; i < PAINT_TYPE_COUNT && names.count < PAINTS_MAX; i++) {
        const PaintType *type = &PAINT_TYPES[i];
        const bool isNow = paint->type == type;
        if ((!type->named || isNow) && (type->flat || !isFlat)) {
            current = isNow ? names.count : current;
            words[names.count++] = type->named ? named : type->name;
        }
    }
    panelsWords(panels, "paint", "paint", &names, current);
}

void viewPanelsMachine(Panels *panels, const MotionMachine *machine, double seconds) {
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    uint32_t count = 0;
    if (motionMachinePlay(machine, NULL, seconds, samples, &count) >= 0 && count > 0) {
        panelsText(panels, "state", vkskinGetMachineStateName(machine->states, samples[count - 1].state));
    }
    for (uint32_t i = 0; i < vkskinGetMachineParameterCount(machine->states); i++) {
        const VkskinParameter *parameter = vkskinGetMachineParameter(machine->states, i);
        if (parameter->trigger) {
            panelsSet(panels, "parameter", parameter->name);
        } else {
            panelsSetting(panels, "parameter", parameter->name, (double)motionMachineValue(machine, seconds, i), 0.0,
                          0.0);
        }
    }
}

void viewPanelsFinish(ViewPanels *panels, const ViewMessages *messages, const PanelsTimes *times) {
    if (messages->count > 0 && panelsSection(panels->panels, "Messages", true)) {
        for (uint32_t i = messages->count; i-- > 0;) {
            panelsMessage(panels->panels, messages->lines[i]);
        }
    }
    panels->picture = panelsEnd(panels->panels, times, panels->helps);
}

/* ---- Drawing ---- */

void viewPanelsArea(const ViewPanels *panels, Target *target) {
    const float width = ceilf((float)target->width - PANELS_WIDTH * panels->scale);
    const float height = ceilf((float)target->height - PANELS_HEIGHT * panels->scale);
    target->width = (uint32_t)fmaxf(width, 1.0f);
    target->height = (uint32_t)fmaxf(height, 1.0f);
}

bool viewPanelsRecord(ViewPanels *panels, const Frame *frame, const Target *target, const TargetImage *image,
                      EngineError *error) {
    if (panels->draw && panels->format != target->colourFormat) {
        if (!deviceWait(panels->device, error)) {
            return false;
        }
        uiDrawDestroy(panels->draw);
        panels->draw = NULL;
    }
    if (!panels->draw) {
        const UiAtlas atlas = panelsAtlas(panels->panels);
        panels->format = target->colourFormat;
        panels->draw = uiDrawCreate(panels->device, &atlas, target->colourFormat, error);
    }
    return panels->draw && uiDrawRecord(panels->draw, frame->slot, frame->commandBuffer, panels->picture, image,
                                        target->width, target->height, error);
}
