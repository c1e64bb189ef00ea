/*
 * Which of a surface's formats is taken: the same kind on every driver, whatever it lists first.
 */

#include "presenter.h"
#include "test.h"

#define SRGB  VK_COLOR_SPACE_SRGB_NONLINEAR_KHR
#define OTHER VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT

typedef struct Row {
    const char *what;
    uint32_t count;
    VkSurfaceFormatKHR offered[4];
    uint32_t chosen;
} Row;

static const Row ROWS[] = {
    {"sRGB first", 2, {{VK_FORMAT_B8G8R8A8_SRGB, SRGB}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 0},
    {"UNORM first", 2, {{VK_FORMAT_B8G8R8A8_UNORM, SRGB}, {VK_FORMAT_B8G8R8A8_SRGB, SRGB}}, 1},
    {"red first", 2, {{VK_FORMAT_R8G8B8A8_UNORM, SRGB}, {VK_FORMAT_R8G8B8A8_SRGB, SRGB}}, 1},
    {"no sRGB", 2, {{VK_FORMAT_R5G6B5_UNORM_PACK16, SRGB}, {VK_FORMAT_R8G8B8A8_UNORM, SRGB}}, 1},
    {"10 bits first", 2, {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, SRGB}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 1},
    {"another colour space first", 2, {{VK_FORMAT_B8G8R8A8_SRGB, OTHER}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 1},
    {"none of those known", 2, {{VK_FORMAT_R16G16B16A16_SFLOAT, OTHER}, {VK_FORMAT_R5G6B5_UNORM_PACK16, SRGB}}, 0},
    {"a single one", 1, {{VK_FORMAT_B8G8R8A8_UNORM, OTHER}}, 0},
};

TEST(choosesTheSameKind) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Row *row = &ROWS[i];
        VkSurfaceFormatKHR chosen = swapchainChooseFormat(row->offered, row->count);
        const VkSurfaceFormatKHR *wanted = &row->offered[row->chosen];
        if (chosen.format != wanted->format || chosen.colorSpace != wanted->colorSpace) {
            fail_msg("%s: format %d was chosen, not %d", row->what, chosen.format, wanted->format);
        }
    }
}
