#include "ui.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <vector>

#include <imgui.h>

extern "C" {
#include "glyphs.h"
}

struct Ui {
    ImGuiContext *context;
    ImFont *font;
    std::vector<ImDrawVert> vertices; /* those of all lists, here and below */
    std::vector<ImDrawIdx> indices;
    std::vector<UiCommand> commands;
    UiPicture picture;
};

namespace {

static_assert(sizeof(UiVertex) == sizeof(ImDrawVert) && offsetof(UiVertex, place) == offsetof(ImDrawVert, uv) &&
                  offsetof(UiVertex, colour) == offsetof(ImDrawVert, col) && sizeof(ImDrawIdx) == sizeof(uint16_t),
              "vertices of ImGui are used as they are");

/* ---- The font ---- */

/* ImGui takes the height of lines from the file, and blanks; all else are our own fields. */
ImFont *addFont(ImFontAtlas *atlas) {
    static const ImWchar blanks[] = {' ', ' ', 0xA0, 0xA0, 0};
    size_t size;
    void *file = const_cast<void *>(glyphsFont(&size));
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = 1;
    return atlas->AddFontFromMemoryTTF(file, static_cast<int>(size), GLYPH_HEIGHT, &config, blanks);
}

void addGlyphs(ImFontAtlas *atlas, ImFont *font, const Glyph *glyphs, uint32_t count) {
    std::vector<int> places(count);
    for (uint32_t i = 0; i < count; i++) {
        const Glyph &glyph = glyphs[i];
        if (glyph.texels) {
            places[i] = atlas->AddCustomRectFontGlyph(
                font, static_cast<ImWchar>(glyph.code), glyph.width, glyph.height, glyph.advance,
                ImVec2(static_cast<float>(glyph.left), static_cast<float>(glyph.top)));
        }
    }
    atlas->TexDesiredWidth = 2048;
    atlas->Build();
    for (uint32_t i = 0; i < count; i++) {
        const Glyph &glyph = glyphs[i];
        const ImFontAtlasCustomRect *place = atlas->GetCustomRectByIndex(places[i]);
        for (int row = 0; glyph.texels && row < glyph.height; row++) {
            std::memcpy(atlas->TexPixelsAlpha8 + static_cast<ptrdiff_t>(place->Y + row) * atlas->TexWidth + place->X,
                        glyph.texels + static_cast<ptrdiff_t>(row) * glyph.width, static_cast<size_t>(glyph.width));
        }
    }
}

bool makeFont(Ui *ui, EngineError *error) {
    uint32_t count;
    Glyph *glyphs = glyphsCreate(&count, error);
    if (!glyphs) {
        return false;
    }
    ImFontAtlas *atlas = ImGui::GetIO().Fonts;
    atlas->Flags |=
        ImFontAtlasFlags_NoBakedLines | ImFontAtlasFlags_NoMouseCursors | ImFontAtlasFlags_NoPowerOfTwoHeight;
    ui->font = addFont(atlas);
    addGlyphs(atlas, ui->font, glyphs, count);
    glyphsFree(glyphs, count);
    ui->font->Scale = UI_LINE / GLYPH_HEIGHT;
    return true;
}

/* ---- Input ---- */

const ImGuiKey KEYS[] = {ImGuiKey_Tab,    ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home,  ImGuiKey_End,
                         ImGuiKey_Delete, ImGuiKey_Backspace, ImGuiKey_Enter,      ImGuiKey_Escape};
static_assert(sizeof KEYS / sizeof *KEYS == UI_KEY_CTRL, "each key that ImGui names");

void configure(ImGuiIO &io) {
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    io.ConfigFlags |= ImGuiConfigFlags_NoMouseCursorChange;
    for (int key = 0; key < UI_KEY_CTRL; key++) {
        io.KeyMap[KEYS[key]] = key;
    }
}

/* ---- Draw lists ---- */

/* As ImGui's callback of a command: the commands after it have another `grow`, which is in its data. */
void setGrow(const ImDrawList *, const ImDrawCmd *) {
}

void addGrow(ImDrawList *list, float grow) {
    void *data = nullptr;
    std::memcpy(&data, &grow, sizeof grow);
    list->AddCallback(setGrow, data);
}

void addList(Ui *ui, const ImDrawList &list) {
    const auto firstVertex = static_cast<uint32_t>(ui->vertices.size());
    const auto firstIndex = static_cast<uint32_t>(ui->indices.size());
    float grow = 0.0f;
    for (const ImDrawCmd &command : list.CmdBuffer) {
        if (command.UserCallback == setGrow) {
            std::memcpy(&grow, &command.UserCallbackData, sizeof grow);
        } else if (!command.UserCallback && command.ElemCount > 0) {
            const ImVec4 &clip = command.ClipRect;
            ui->commands.push_back({{clip.x, clip.y, clip.z, clip.w},
                                    firstVertex + command.VtxOffset,
                                    firstIndex + command.IdxOffset,
                                    command.ElemCount,
                                    grow});
        }
    }
    ui->vertices.insert(ui->vertices.end(), list.VtxBuffer.begin(), list.VtxBuffer.end());
    ui->indices.insert(ui->indices.end(), list.IdxBuffer.begin(), list.IdxBuffer.end());
}

/* The end of the text that is shown: whole characters. */
const char *endOf(const char *text) {
    size_t size = strnlen(text, UI_TEXT_BYTES + 1);
    if (size > UI_TEXT_BYTES) {
        for (size = UI_TEXT_BYTES; size > 0 && (text[size] & 0xC0) == 0x80;) {
            size--;
        }
    }
    return text + size;
}

} // namespace

Ui *uiCreate(EngineError *error) {
    Ui *ui = new (std::nothrow) Ui();
    if (!ui) {
        engineFail(error, "out of memory");
        return nullptr;
    }
    ui->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(ui->context);
    configure(ImGui::GetIO());
    if (!makeFont(ui, error)) {
        uiDestroy(ui);
        return nullptr;
    }
    return ui;
}

void uiDestroy(Ui *ui) {
    if (ui) {
        ImGui::DestroyContext(ui->context);
        delete ui;
    }
}

UiAtlas uiAtlas(const Ui *ui) {
    const ImFontAtlas *atlas = ui->font->ContainerAtlas;
    return {atlas->TexPixelsAlpha8, static_cast<uint32_t>(atlas->TexWidth), static_cast<uint32_t>(atlas->TexHeight)};
}

UiWants uiBegin(Ui *ui, const UiInput *input) {
    ImGui::SetCurrentContext(ui->context);
    ImGuiIO &io = ImGui::GetIO();
    const float scale = input->scale > 0.0f ? input->scale : 1.0f;
    ui->picture.scale = scale;
    io.DisplaySize = ImVec2(static_cast<float>(input->width) / scale, static_cast<float>(input->height) / scale);
    io.DisplayFramebufferScale = ImVec2(scale, scale);
    io.DeltaTime = input->seconds > 0.0f ? input->seconds : 1.0f / 60.0f;
    io.MousePos =
        input->hasMouse ? ImVec2(input->mouse[0] / scale, input->mouse[1] / scale) : ImVec2(-FLT_MAX, -FLT_MAX);
    for (uint32_t button = 0; button < 3; button++) {
        io.MouseDown[button] = (input->buttons >> button & 1u) != 0;
    }
    io.MouseWheel = input->wheel;
    for (uint32_t key = 0; key < UI_KEY_CTRL; key++) {
        io.KeysDown[key] = (input->keys >> key & 1u) != 0;
    }
    io.KeyCtrl = (input->keys >> UI_KEY_CTRL & 1u) != 0;
    io.KeyShift = (input->keys >> UI_KEY_SHIFT & 1u) != 0;
    if (input->text) {
        io.AddInputCharactersUTF8(input->text);
    }
    ImGui::NewFrame();
    return {io.WantCaptureMouse, io.WantTextInput};
}

const UiPicture *uiEnd(Ui *ui) {
    ImGui::Render();
    const ImDrawData *data = ImGui::GetDrawData();
    ui->vertices.clear();
    ui->indices.clear();
    ui->commands.clear();
    for (int i = 0; i < data->CmdListsCount; i++) {
        addList(ui, *data->CmdLists[i]);
    }
    ui->picture = {ui->picture.scale,
                   reinterpret_cast<const UiVertex *>(ui->vertices.data()),
                   ui->indices.data(),
                   ui->commands.data(),
                   static_cast<uint32_t>(ui->vertices.size()),
                   static_cast<uint32_t>(ui->indices.size()),
                   static_cast<uint32_t>(ui->commands.size())};
    return &ui->picture;
}

void uiText(Ui *ui, const UiText *style, const char *text) {
    /* All outlines come first, so that no letter's outline covers its neighbour. */
    ImDrawList *list = ImGui::GetForegroundDrawList();
    const float widest = GLYPH_RANGE - 1.0f;
    for (int pass = style->outline > 0.0f ? 0 : 1; pass < 2; pass++) {
        const uint8_t *colour = pass == 0 ? style->outlineColour : style->colour;
        const float outline = pass == 0 ? style->outline / style->size : 0.0f;
        const float grow = (style->weight + outline) * GLYPH_HEIGHT;
        addGrow(list, std::min(std::max(grow, -widest), widest));
        list->AddText(ui->font, style->size, ImVec2(style->position[0], style->position[1]),
                      IM_COL32(colour[0], colour[1], colour[2], colour[3]), text, endOf(text));
    }
    addGrow(list, 0.0f);
}

void uiTextSize(const Ui *ui, float size, const char *text, float extent[2]) {
    const ImVec2 found = ui->font->CalcTextSizeA(size, FLT_MAX, 0.0f, text, endOf(text));
    extent[0] = found.x;
    extent[1] = found.y;
}
