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

Names namesOf(const ActionRow *row) {
    return row ? row->action->names(row->user) : Names{nullptr, 0, 0};
}

/* Help and key of an action, where the mouse rests on its item. */
void explain(const Action *action) {
    if (ImGui::IsItemHovered() && !ImGui::IsMouseDown(0)) {
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
std::string shownName(const Names &names, uint32_t index) {
    const char *name = nameAt(&names, index);
    return name[0] ? std::string(name) : "#" + std::to_string(index);
}

/* The lines of a list that are in view. */
template <typename Line> void eachLine(size_t count, Line line) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count));
    while (clipper.Step()) {
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; i++) {
            ImGui::PushID(i);
            line(static_cast<uint32_t>(i));
            ImGui::PopID();
        }
    }
}

/* A combo box. none: the entry for ACTION_NONE, or null. Returns whether *chosen was chosen. */
bool combo(const Names &names, uint32_t current, const char *none, uint32_t *chosen) {
    const std::string shown = current < names.count ? shownName(names, current) : none ? none : "";
    bool changed = false;
    if (!ImGui::BeginCombo("##choice", shown.c_str())) {
        return false;
    }
    if (none && ImGui::Selectable(none, current >= names.count)) {
        *chosen = ACTION_NONE;
        changed = true;
    }
    eachLine(names.count, [&](uint32_t index) {
        if (ImGui::Selectable(shownName(names, index).c_str(), index == current)) {
            *chosen = index;
            changed = true;
        }
    });
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
    const ActionRow *row = actionsFind(panels->table, word);
    std::string value;
    if (!row) {
        return;
    }
    ImGui::PushID(id);
    if (label[0]) {
        beginRow(label);
    }
    if (draw(&value)) {
        panels->requests.push_back({word, value});
    }
    explain(row->action);
    ImGui::PopID();
}

/* ---- Trees ---- */

struct Branch {
    uint32_t node;
    int depth;
};

/* Nodes below their parents, with their depths; with a filter those whose names have it, without depth. */
std::vector<Branch> branchesOf(const Names &names, const int32_t *parents, const char *filter) {
    std::vector<std::vector<uint32_t>> children(names.count + 1); /* the last: roots */
    for (uint32_t i = 0; i < names.count; i++) {
        const char *parent = reinterpret_cast<const char *>(parents) + i * names.stride;
        const int32_t index = *reinterpret_cast<const int32_t *>(parent);
        children[index < 0 ? names.count : static_cast<uint32_t>(index)].push_back(i);
    }
    std::vector<Branch> branches, open = {{names.count, -1}};
    while (!open.empty()) {
        const Branch at = open.back();
        open.pop_back();
        if (at.depth >= 0 && (!filter[0] || strcasestr(shownName(names, at.node).c_str(), filter))) {
            branches.push_back({at.node, filter[0] ? 0 : at.depth});
        }
        for (auto child = children[at.node].rbegin(); child != children[at.node].rend(); ++child) {
            open.push_back({*child, at.depth + 1});
        }
    }
    return branches;
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
    const bool ends = times.duration > 0.0 && std::isfinite(times.duration);
    double time = times.time;
    char format[64];
    std::snprintf(format, sizeof format, ends ? "%%.2f / %.2f s" : "%%.2f s", times.duration);
    ImGui::SetNextItemWidth(right - ImGui::GetCursorPosX());
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 3.0f);
    if (slider(&time, 0.0, ends ? times.duration : 60.0, format)) {
        panels->requests.push_back({"time", textOf(time)});
    }
    ImGui::SameLine();
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 3.0f);
}

void speedBox(Panels *panels, double speed) {
    static const char *const names[] = {"1/16 x", "1/8 x", "1/4 x", "1/2 x", "1 x", "2 x", "4 x", "8 x", "16 x"};
    const int least = -4; /* the first is 2 to this power */
    const long current = std::lround(std::log2(speed)) - least;
    uint32_t chosen = 0;
    ImGui::SetNextItemWidth(72.0f);
    if (combo({names, sizeof names[0], 9}, static_cast<uint32_t>(current), nullptr, &chosen)) {
        panels->requests.push_back({"speed", textOf(std::ldexp(1.0, static_cast<int>(chosen) + least))});
    }
}

const ImGuiWindowFlags FIXED =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;

void timeLine(Panels *panels, const PanelsTimes *times) {
    const float width = panels->width - PANELS_WIDTH;
    const bool canLoop = actionsFind(panels->table, "loop") != nullptr;
    ImGui::SetNextWindowPos(ImVec2(0.0f, panels->height - PANELS_HEIGHT));
    ImGui::SetNextWindowSize(ImVec2(width, PANELS_HEIGHT));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(14.0f, 15.0f));
    ImGui::Begin("time", nullptr, FIXED);
    timeButton(panels, "step-back", ICON_BACK);
    timeButton(panels, "pause", times->paused ? ICON_PLAY : ICON_PAUSE);
    timeButton(panels, "step", ICON_FORWARDS);
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

void showHelp(const Panels *panels) {
    ImGui::SetNextWindowPos(ImVec2(24.0f, 24.0f));
    ImGui::SetNextWindowSizeConstraints(
        ImVec2(0.0f, 0.0f), ImVec2(panels->width - PANELS_WIDTH - 48.0f, panels->height - PANELS_HEIGHT - 48.0f));
    ImGui::Begin("help", nullptr, (FIXED & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize);
    for (uint32_t i = 0; i < panels->table->count; i++) {
        const Action &action = *panels->table->rows[i].action;
        if (action.keys) {
            ImGui::PushStyleColor(ImGuiCol_Text, ACCENT);
            ImGui::TextUnformatted(action.keys);
            ImGui::PopStyleColor();
            ImGui::SameLine(84.0f);
            ImGui::TextUnformatted(action.help);
        }
    }
    ImGui::End();
}

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

UiWants panelsBegin(Panels *panels, const UiInput *input, const ActionTable *table) {
    panels->table = table;
    panels->width = static_cast<float>(input->width) / input->scale;
    panels->height = static_cast<float>(input->height) / input->scale;
    panels->requests.clear();
    panels->taken = 0;
    const UiWants wants = uiBegin(panels->ui, input);
    ImGui::SetNextWindowPos(ImVec2(panels->width - PANELS_WIDTH, 0.0f));
    ImGui::SetNextWindowSize(ImVec2(PANELS_WIDTH, panels->height));
    ImGui::Begin("side", nullptr, FIXED & ~ImGuiWindowFlags_NoScrollbar);
    return wants;
}

const UiPicture *panelsEnd(Panels *panels, const PanelsTimes *times, bool helps) {
    ImGui::End();
    timeLine(panels, times);
    if (helps) {
        showHelp(panels);
    }
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

bool panelsSection(Panels *panels, const char *title, bool opens) {
    panels->isHalf = false;
    ImGui::Dummy(ImVec2(0.0f, 2.0f));
    ImGui::SetNextItemOpen(opens || panels->height >= TALL_WINDOW, ImGuiCond_Once);
    ImGui::PushStyleColor(ImGuiCol_Header, CLEAR);
    const bool open = ImGui::CollapsingHeader(title);
    ImGui::PopStyleColor();
    return open;
}

void panelsChoice(Panels *panels, const char *word, const char *label, uint32_t current, const char *none) {
    item(panels, word, word, label, [&](std::string *value) {
        uint32_t chosen = 0;
        const bool changed = combo(namesOf(actionsFind(panels->table, word)), current, none, &chosen);
        *value = chosen == ACTION_NONE ? "none" : std::to_string(chosen);
        return changed;
    });
}

void panelsWords(Panels *panels, const char *word, const char *label, const Names *names, uint32_t current) {
    item(panels, word, word, label, [&](std::string *value) {
        uint32_t chosen = 0;
        const bool changed = combo(*names, current, nullptr, &chosen);
        *value = nameAt(names, chosen);
        return changed;
    });
}

void panelsNumber(Panels *panels, const char *word, const char *label, double number, const char *format) {
    const ActionRow *row = actionsFind(panels->table, word);
    item(panels, word, word, label, [&](std::string *value) {
        const bool changed = slider(&number, row->action->minimum, row->action->maximum, format);
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

void panelsTree(Panels *panels, const char *word, const int32_t *parents, uint32_t current) {
    const Names names = namesOf(actionsFind(panels->table, word));
    ImGui::SetNextItemWidth(-1.0f);
    ImGui::InputTextWithHint("##filter", "filter", panels->filterText, sizeof panels->filterText);
    const std::vector<Branch> branches = branchesOf(names, parents, panels->filterText);
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
    eachLine(branches.size(), [&](uint32_t i) {
        const auto [node, depth] = branches[i];
        const std::string shown = std::string(2 * std::min<size_t>(depth, 12), ' ') + shownName(names, node);
        if (ImGui::Selectable(shown.c_str(), node == current)) {
            panels->requests.push_back({word, node == current ? "none" : std::to_string(node)});
        }
    });
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
