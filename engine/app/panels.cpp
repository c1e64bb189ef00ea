#include "panels.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <vector>

#include <imgui.h>

struct Panels {
    struct Request {
        const char *word;
        std::string value;
    };
    Ui *ui;
    const ActionTable *table;
    float width, height; /* points of the window */
    std::vector<Request> requests;
    size_t taken;
    bool isHalf; /* the last item was a switch in the left half */
    char filterText[64];
    uint32_t shownNode; /* that the tree has scrolled to */
};

namespace {

const float LABEL_WIDTH = 92.0f;
const float TREE_HEIGHT = 210.0f;
const float TALL_WINDOW = 1400.0f; /* points that have room for all sections */

constexpr ImU32 GROUND = IM_COL32(32, 34, 37, 255), FIELD = IM_COL32(46, 49, 53, 255), OVER = IM_COL32(59, 63, 69, 255),
                CHOSEN = IM_COL32(92, 143, 204, 90), ACCENT = IM_COL32(92, 143, 204, 255),
                INK = IM_COL32(222, 224, 230, 255), DIM = IM_COL32(148, 156, 166, 255), CLEAR = IM_COL32(0, 0, 0, 0);

void applyStyle() {
    ImGuiStyle &style = ImGui::GetStyle();
    style.WindowRounding = style.ChildRounding = 0.0f;
    style.FrameRounding = style.GrabRounding = style.PopupRounding = 3.0f;
    style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0.0f;
    style.WindowPadding = ImVec2(14.0f, 10.0f);
    style.FramePadding = ImVec2(7.0f, 3.0f);
    style.ItemSpacing = ImVec2(8.0f, 5.0f);
    style.ScrollbarSize = 9.0f;
    style.GrabMinSize = 9.0f;
    ImVec4 *colours = style.Colors;
    const struct {
        int colour;
        ImU32 value;
    } rows[] = {{ImGuiCol_WindowBg, GROUND},      {ImGuiCol_PopupBg, FIELD},
                {ImGuiCol_ChildBg, CLEAR},        {ImGuiCol_Text, INK},
                {ImGuiCol_TextDisabled, DIM},     {ImGuiCol_FrameBg, FIELD},
                {ImGuiCol_FrameBgHovered, OVER},  {ImGuiCol_FrameBgActive, OVER},
                {ImGuiCol_Button, FIELD},         {ImGuiCol_ButtonHovered, OVER},
                {ImGuiCol_ButtonActive, ACCENT},  {ImGuiCol_SliderGrab, ACCENT},
                {ImGuiCol_SliderGrabActive, INK}, {ImGuiCol_CheckMark, ACCENT},
                {ImGuiCol_Header, CHOSEN},        {ImGuiCol_HeaderHovered, OVER},
                {ImGuiCol_HeaderActive, OVER},    {ImGuiCol_PlotLines, ACCENT},
                {ImGuiCol_Separator, FIELD},      {ImGuiCol_ScrollbarBg, CLEAR},
                {ImGuiCol_ScrollbarGrab, OVER},   {ImGuiCol_PlotHistogram, ACCENT}};
    for (const auto &row : rows) {
        colours[row.colour] = ImGui::ColorConvertU32ToFloat4(row.value);
    }
}

const Action *actionOf(const Panels *panels, const char *word) {
    void *user;
    return actionsFind(panels->table, word, &user);
}

void request(Panels *panels, const Action *action, const std::string &value) {
    panels->requests.push_back({action->word, value});
}

/* Help and key of an action, where the mouse rests on its item. */
void explain(const Action *action) {
    if (ImGui::IsItemHovered() && ImGui::GetCurrentContext() && !ImGui::IsMouseDown(0)) {
        ImGui::BeginTooltip();
        ImGui::TextUnformatted(action->help);
        if (action->keys) {
            ImGui::TextDisabled("key %s", action->keys);
        }
        ImGui::EndTooltip();
    }
}

/* The label at the left; the item follows, up to the right edge. */
void beginRow(const char *label) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(ImGuiCol_Text, DIM);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushClipRect(at, ImVec2(at.x + LABEL_WIDTH - 6.0f, at.y + 40.0f), true);
    ImGui::TextUnformatted(label);
    ImGui::PopClipRect();
    ImGui::PopStyleColor();
    ImGui::SameLine(ImGui::GetStyle().WindowPadding.x + LABEL_WIDTH);
    ImGui::SetNextItemWidth(-1.0f);
}

std::string textOf(double value) {
    char text[48];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/* An entry of a list; an empty name shows as its number. */
std::string nameOf(const PanelsList &list, uint32_t index) {
    const char *name = list.at(list.user, index);
    return name && name[0] ? std::string(name) : "#" + std::to_string(index);
}

/* A combo box. Returns whether *chosen was chosen; PANELS_NONE is `none`. */
bool combo(const PanelsList &list, uint32_t current, const char *none, uint32_t *chosen) {
    const std::string shown = current < list.count ? nameOf(list, current) : none ? none : "";
    bool changed = false;
    if (!ImGui::BeginCombo("##choice", shown.c_str())) {
        return false;
    }
    if (none && ImGui::Selectable(none, current >= list.count)) {
        *chosen = PANELS_NONE;
        changed = true;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(list.count));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            const uint32_t index = static_cast<uint32_t>(i);
            ImGui::PushID(i);
            if (ImGui::Selectable(nameOf(list, index).c_str(), index == current)) {
                *chosen = index;
                changed = true;
            }
            ImGui::PopID();
        }
    }
    ImGui::EndCombo();
    return changed;
}

/* A slider whose value is a double; without a range a field to drag in. */
bool slider(double *value, double minimum, double maximum, const char *format) {
    float shown = static_cast<float>(*value);
    const float low = static_cast<float>(minimum), high = static_cast<float>(maximum);
    const bool changed = low < high
                             ? ImGui::SliderFloat("##value", &shown, low, high, format, ImGuiSliderFlags_AlwaysClamp)
                             : ImGui::DragFloat("##value", &shown, 0.02f, 0.0f, 0.0f, format);
    *value = static_cast<double>(shown);
    return changed;
}

/* An item: `draw` returns whether the user has changed it, and to which value. label: empty: it has its own. */
template <typename Draw> void item(Panels *panels, const char *word, const char *id, const char *label, Draw draw) {
    const Action *action = actionOf(panels, word);
    std::string value;
    if (!action) {
        return;
    }
    ImGui::PushID(id);
    if (label[0]) {
        beginRow(label);
    }
    if (draw(&value)) {
        request(panels, action, value);
    }
    explain(action);
    ImGui::PopID();
}

/* ---- Trees ---- */

struct Branch {
    uint32_t node, depth;
};

/* Nodes below their parents, with their depths; each node once, whatever `parent` says. */
std::vector<Branch> branchesOf(const PanelsList &list) {
    std::vector<uint32_t> first(list.count + 1, PANELS_NONE), next(list.count, PANELS_NONE);
    for (uint32_t i = list.count; i-- > 0;) {
        const uint32_t parent = list.parent(list.user, i);
        uint32_t &head = first[parent < list.count ? parent : list.count];
        next[i] = head;
        head = i;
    }
    std::vector<Branch> branches, open;
    if (first[list.count] != PANELS_NONE) {
        open.push_back({first[list.count], 0});
    }
    while (!open.empty()) {
        const Branch at = open.back();
        open.pop_back();
        branches.push_back(at);
        if (next[at.node] != PANELS_NONE) {
            open.push_back({next[at.node], at.depth});
        }
        if (first[at.node] != PANELS_NONE) {
            open.push_back({first[at.node], at.depth + 1});
        }
    }
    return branches;
}

void keepMatches(const PanelsList &list, const char *filter, std::vector<Branch> *branches) {
    std::vector<Branch> kept;
    for (const Branch &branch : *branches) {
        if (strcasestr(nameOf(list, branch.node).c_str(), filter)) {
            kept.push_back({branch.node, 0});
        }
    }
    branches->swap(kept);
}

/* ---- The time line ---- */

enum Icon { ICON_PLAY, ICON_PAUSE, ICON_BACK, ICON_FORWARDS };

bool iconButton(const char *id, Icon icon) {
    const float side = 30.0f;
    const bool pressed = ImGui::Button(id, ImVec2(side, side));
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 c(low.x + 0.5f * side, low.y + 0.5f * side);
    ImDrawList *list = ImGui::GetWindowDrawList();
    const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
    const float way = icon == ICON_BACK ? -1.0f : 1.0f;
    if (icon == ICON_PAUSE) {
        list->AddRectFilled(ImVec2(c.x - 5.0f, c.y - 6.0f), ImVec2(c.x - 2.0f, c.y + 6.0f), ink);
        list->AddRectFilled(ImVec2(c.x + 2.0f, c.y - 6.0f), ImVec2(c.x + 5.0f, c.y + 6.0f), ink);
    } else {
        list->AddTriangleFilled(ImVec2(c.x - 4.0f * way, c.y - 6.0f), ImVec2(c.x + 6.0f * way, c.y),
                                ImVec2(c.x - 4.0f * way, c.y + 6.0f), ink);
    }
    if (icon == ICON_BACK || icon == ICON_FORWARDS) {
        list->AddRectFilled(ImVec2(c.x - 7.0f * way, c.y - 6.0f), ImVec2(c.x - 5.0f * way, c.y + 6.0f), ink);
    }
    return pressed;
}

void timeButton(Panels *panels, const char *word, Icon icon) {
    item(panels, word, word, "", [&](std::string *) { return iconButton("##icon", icon); });
    ImGui::SameLine();
}

/* From the buttons to what stands at the right. */
void scrub(Panels *panels, const PanelsTimes &times, float right) {
    const Action *action = actionOf(panels, "time");
    const bool ends = times.duration > 0.0 && std::isfinite(times.duration);
    double time = times.time;
    char format[64];
    std::snprintf(format, sizeof format, ends ? "%%.2f / %.2f s" : "%%.2f s", times.duration);
    ImGui::SetNextItemWidth(right - ImGui::GetCursorPosX());
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 3.0f);
    if (slider(&time, 0.0, ends ? times.duration : 60.0, format) && action) {
        request(panels, action, textOf(time));
    }
    ImGui::SameLine();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 3.0f);
}

/* The first of speedName is 2 to this power. */
const int SPEED_LEAST = -4;

const char *speedName(const void *, uint32_t index) {
    static const char *const names[] = {"1/16 x", "1/8 x", "1/4 x", "1/2 x", "1 x", "2 x", "4 x", "8 x", "16 x"};
    return names[index];
}

void speedBox(Panels *panels, double speed) {
    const PanelsList list = {9, speedName, nullptr, nullptr};
    const long current = std::lround(std::log2(speed)) - SPEED_LEAST;
    uint32_t chosen = 0;
    ImGui::SetNextItemWidth(72.0f);
    if (combo(list, static_cast<uint32_t>(current), nullptr, &chosen)) {
        request(panels, actionOf(panels, "speed"), textOf(std::ldexp(1.0, static_cast<int>(chosen) + SPEED_LEAST)));
    }
}

const ImGuiWindowFlags FIXED =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

} // namespace

/* ---- Frames ---- */

Panels *panelsCreate(EngineError *error) {
    Panels *panels = new (std::nothrow) Panels();
    if (!panels) {
        engineFail(error, "out of memory");
        return nullptr;
    }
    panels->ui = uiCreate(error);
    if (!panels->ui) {
        delete panels;
        return nullptr;
    }
    applyStyle();
    return panels;
}

void panelsDestroy(Panels *panels) {
    if (panels) {
        uiDestroy(panels->ui);
        delete panels;
    }
}

UiAtlas panelsAtlas(const Panels *panels) {
    return uiAtlas(panels->ui);
}

void panelsBegin(Panels *panels, const UiInput *input, const ActionTable *table) {
    panels->table = table;
    panels->width = static_cast<float>(input->width) / input->scale;
    panels->height = static_cast<float>(input->height) / input->scale;
    panels->requests.clear();
    panels->taken = 0;
    uiBegin(panels->ui, input);
}

bool panelsWantMouse(const Panels *panels) {
    return uiWantsMouse(panels->ui);
}

bool panelsWantKeyboard(const Panels *panels) {
    return uiWantsKeyboard(panels->ui);
}

const UiPicture *panelsEnd(Panels *panels) {
    return uiEnd(panels->ui);
}

const char *panelsTake(Panels *panels, char value[ACTION_VALUE_SIZE]) {
    if (panels->taken == panels->requests.size()) {
        return nullptr;
    }
    const Panels::Request &next = panels->requests[panels->taken++];
    std::snprintf(value, ACTION_VALUE_SIZE, "%s", next.value.c_str());
    return next.word;
}

/* ---- The side panel ---- */

void panelsBeginSide(Panels *panels) {
    ImGui::SetNextWindowPos(ImVec2(panels->width - PANELS_WIDTH, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(PANELS_WIDTH, panels->height));
    ImGui::Begin("side", nullptr, FIXED & ~ImGuiWindowFlags_NoScrollbar);
}

void panelsEndSide(Panels *) {
    ImGui::End();
}

bool panelsSection(Panels *panels, const char *title, bool opens) {
    panels->isHalf = false;
    ImGui::Dummy(ImVec2(0.0f, 2.0f));
    ImGui::SetNextItemOpen(opens || panels->height >= TALL_WINDOW, ImGuiCond_Once);
    ImGui::PushStyleColor(ImGuiCol_Header, CLEAR);
    const bool open = ImGui::CollapsingHeader(title);
    ImGui::PopStyleColor();
    return open;
}

void panelsChoice(Panels *panels, const char *word, const char *label, const PanelsList *list, uint32_t current,
                  const char *none) {
    item(panels, word, word, label, [&](std::string *value) {
        uint32_t chosen = 0;
        const bool changed = combo(*list, current, none, &chosen);
        *value = chosen == PANELS_NONE ? "none" : std::to_string(chosen);
        return changed;
    });
}

void panelsWords(Panels *panels, const char *word, const char *label, const PanelsList *list, uint32_t current) {
    item(panels, word, word, label, [&](std::string *value) {
        uint32_t chosen = 0;
        const bool changed = combo(*list, current, nullptr, &chosen);
        *value = list->at(list->user, chosen);
        return changed;
    });
}

void panelsNumber(Panels *panels, const char *word, const char *label, double number, double minimum, double maximum,
                  const char *format) {
    item(panels, word, word, label, [&](std::string *value) {
        const bool changed = slider(&number, minimum, maximum, format);
        *value = textOf(number);
        return changed;
    });
}

void panelsSetting(Panels *panels, const char *word, const char *name, double number, double minimum, double maximum) {
    item(panels, word, name, name, [&](std::string *value) {
        const bool changed = slider(&number, minimum, maximum, "%.2f");
        *value = std::string(name) + "=" + textOf(number);
        return changed;
    });
}

void panelsSet(Panels *panels, const char *word, const char *name) {
    item(panels, word, name, name, [&](std::string *value) {
        *value = std::string(name) + "=1";
        return ImGui::Button("set", ImVec2(-1.0f, 0.0f));
    });
}

void panelsColour(Panels *panels, const char *word, const char *label, uint32_t colour, bool none) {
    item(panels, word, word, label, [&](std::string *value) {
        bool on = !none, changed = ImGui::Checkbox("##on", &on);
        float channels[3];
        char text[32];
        for (int i = 0; i < 3; i++) {
            channels[i] = none ? 0.25f : static_cast<float>(colour >> (16 - 8 * i) & 255u) / 255.0f;
        }
        if (on) {
            ImGui::SameLine();
            ImGui::SetNextItemWidth(-1.0f);
            changed = ImGui::ColorEdit3("##colour", channels, ImGuiColorEditFlags_DisplayHex) || changed;
        }
        std::snprintf(text, sizeof text, "%02lx%02lx%02lx", std::lround(channels[0] * 255.0f),
                      std::lround(channels[1] * 255.0f), std::lround(channels[2] * 255.0f));
        *value = on ? text : "none";
        return changed;
    });
}

void panelsSwitch(Panels *panels, const char *word, const char *label, bool on) {
    item(panels, word, word, "", [&](std::string *) {
        if (panels->isHalf) {
            ImGui::SameLine(0.5f * PANELS_WIDTH);
        }
        panels->isHalf = !panels->isHalf;
        return ImGui::Checkbox(label, &on);
    });
}

void panelsButtons(Panels *panels, const char *const *words, const char *const *labels, uint32_t count) {
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float width =
        (ImGui::GetContentRegionAvail().x - gap * static_cast<float>(count - 1)) / static_cast<float>(count);
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            ImGui::SameLine();
        }
        item(panels, words[i], words[i], "",
             [&](std::string *) { return ImGui::Button(labels[i], ImVec2(width, 0.0f)); });
    }
}

void panelsTree(Panels *panels, const char *word, const PanelsList *list, uint32_t current) {
    const Action *action = actionOf(panels, word);
    if (!action || list->count == 0) {
        return;
    }
    std::vector<Branch> branches = branchesOf(*list);
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##filter", "filter", panels->filterText, sizeof panels->filterText);
    if (panels->filterText[0]) {
        keepMatches(*list, panels->filterText, &branches);
    }
    const float line = ImGui::GetTextLineHeightWithSpacing();
    const float height = std::fmin(TREE_HEIGHT, line * static_cast<float>(branches.size()) + 4.0f);
    ImGui::BeginChild(word, ImVec2(0.0f, std::fmax(height, line)), false,
                      height < TREE_HEIGHT ? ImGuiWindowFlags_NoScrollbar : 0);
    for (size_t i = 0; i < branches.size() && panels->shownNode != current; i++) {
        if (branches[i].node == current) { /* another node was chosen: it comes into view */
            ImGui::SetScrollY(line * static_cast<float>(i) - 0.4f * TREE_HEIGHT);
        }
    }
    panels->shownNode = current;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(branches.size()), line);
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            const Branch &branch = branches[static_cast<size_t>(i)];
            const std::string shown =
                std::string(std::min<size_t>(branch.depth, 12) * 2, ' ') + nameOf(*list, branch.node);
            ImGui::PushID(static_cast<int>(branch.node));
            if (ImGui::Selectable(shown.c_str(), branch.node == current)) {
                request(panels, action, branch.node == current ? "none" : std::to_string(branch.node));
            }
            ImGui::PopID();
        }
    }
    ImGui::EndChild();
}

void panelsText(Panels *, const char *label, const char *text) {
    beginRow(label);
    ImGui::TextUnformatted(text);
}

void panelsMessage(Panels *, const char *text) {
    ImGui::PushStyleColor(ImGuiCol_Text, DIM);
    ImGui::PushTextWrapPos(0.0f);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

void panelsGraph(Panels *, const float *values, uint32_t count, uint32_t newest, float maximum, const char *text) {
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::PlotLines("##graph", values, static_cast<int>(count), static_cast<int>((newest + 1) % count), text, 0.0f,
                     maximum, ImVec2(0.0f, 54.0f));
}

/* ---- The time line ---- */

void panelsTimeLine(Panels *panels, const PanelsTimes *times) {
    const float width = panels->width - PANELS_WIDTH;
    ImGui::SetNextWindowPos(ImVec2(0.0f, panels->height - PANELS_HEIGHT));
    ImGui::SetNextWindowSize(ImVec2(width, PANELS_HEIGHT));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14.0f, 15.0f));
    ImGui::Begin("time", nullptr, FIXED);
    timeButton(panels, "step-back", ICON_BACK);
    timeButton(panels, "pause", times->paused ? ICON_PLAY : ICON_PAUSE);
    timeButton(panels, "step", ICON_FORWARDS);
    const bool canLoop = actionOf(panels, "loop") != nullptr;
    scrub(panels, *times, width - (canLoop ? 188.0f : 108.0f));
    ImGui::SetCursorPosY(18.0f);
    speedBox(panels, times->speed);
    if (canLoop) {
        ImGui::SameLine();
        panels->isHalf = false;
        panelsSwitch(panels, "loop", "loop", times->loops);
    }
    ImGui::End();
    ImGui::PopStyleVar();
}

void panelsHelp(Panels *panels) {
    ImGui::SetNextWindowPos(ImVec2(24.0f, 24.0f));
    ImGui::SetNextWindowSizeConstraints(
        ImVec2(0.0f, 0.0f), ImVec2(panels->width - PANELS_WIDTH - 48.0f, panels->height - PANELS_HEIGHT - 48.0f));
    ImGui::Begin("help", nullptr, (FIXED & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize);
    for (uint32_t g = 0; g < panels->table->groupCount; g++) {
        const ActionGroup &group = panels->table->groups[g];
        for (uint32_t i = 0; i < group.count; i++) {
            const Action &action = group.actions[i];
            if (action.keys) {
                ImGui::PushStyleColor(ImGuiCol_Text, ACCENT);
                ImGui::TextUnformatted(action.keys);
                ImGui::PopStyleColor();
                ImGui::SameLine(84.0f);
                ImGui::TextUnformatted(action.help);
            }
        }
    }
    ImGui::End();
}
