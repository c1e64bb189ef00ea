/*
 * Which of a surface's formats is taken: the same kind on every driver, whatever it lists first.
 */

#include "presenter.h"
#include "test.h"

#define SRGB  VK_COLOR_SPACE_SRGB_NONLINEAR_KHR
#define OTHER VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT

#define NONE 9

typedef struct Row {
    const char *what;
    uint32_t count;
    VkSurfaceFormatKHR offered[4];
    uint32_t chosen, plain; /* indices; plain NONE: none */
} Row;

static const Row ROWS[] = {
    {"sRGB first", 2, {{VK_FORMAT_B8G8R8A8_SRGB, SRGB}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 0, 1},
    {"UNORM first", 2, {{VK_FORMAT_B8G8R8A8_UNORM, SRGB}, {VK_FORMAT_B8G8R8A8_SRGB, SRGB}}, 1, 0},
    {"red first", 2, {{VK_FORMAT_R8G8B8A8_UNORM, SRGB}, {VK_FORMAT_R8G8B8A8_SRGB, SRGB}}, 1, 0},
    {"no sRGB", 2, {{VK_FORMAT_R5G6B5_UNORM_PACK16, SRGB}, {VK_FORMAT_R8G8B8A8_UNORM, SRGB}}, 1, 1},
    {"10 bits first", 2, {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, SRGB}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 1, 1},
    {"another colour space first", 2, {{VK_FORMAT_B8G8R8A8_SRGB, OTHER}, {VK_FORMAT_B8G8R8A8_UNORM, SRGB}}, 1, 1},
    {"none of those known",
     2,
     {{VK_FORMAT_R16G16B16A16_SFLOAT, OTHER}, {VK_FORMAT_R5G6B5_UNORM_PACK16, SRGB}},
     0,
     NONE},
    {"a single one", 1, {{VK_FORMAT_B8G8R8A8_UNORM, OTHER}}, 0, NONE},
    {"only sRGB", 1, {{VK_FORMAT_B8G8R8A8_SRGB, SRGB}}, 0, NONE},
};

TEST(choosesTheSameKind) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        const Row *row = &ROWS[i];
        VkSurfaceFormatKHR chosen = swapchainChooseFormat(row->offered, row->count, false);
        const VkFormat plain = swapchainChooseFormat(row->offered, row->count, true).format;
        const VkSurfaceFormatKHR *wanted = &row->offered[row->chosen];
        assert_int_equal(plain, row->plain == NONE ? VK_FORMAT_UNDEFINED : row->offered[row->plain].format);
        if (chosen.format != wanted->format || chosen.colorSpace != wanted->colorSpace) {
            fail_msg("%s: format %d was chosen, not %d", row->what, chosen.format, wanted->format);
        }
    }
}
