/*
 * ui_draw.h: draws the lists of ui.h over a finished picture, with one pipeline and one sample a pixel.
 */
#ifndef ENGINE_UI_DRAW_H
#define ENGINE_UI_DRAW_H

#include "frames.h"
#include "target.h"
#include "ui.h"

typedef struct UiDraw UiDraw;

/* colourFormat: of the pictures. Null on failure. */
UiDraw *uiDrawCreate(Device *device, const UiAtlas *atlas, VkFormat colourFormat, EngineError *error);

/* The device must no longer use it. Null is allowed. */
void uiDrawDestroy(UiDraw *draw);

/*
 * Records the lists, outside a render pass. slot: the frame's; its last use has finished. image: the picture, of width x height
 * pixels; its drawing may end with IMAGE_COLOUR as `after`, and this begin with it as `before`.
 */
bool uiDrawRecord(UiDraw *draw, uint32_t slot, VkCommandBuffer commandBuffer, const UiPicture *picture,
                  const TargetImage *image, uint32_t width, uint32_t height, EngineError *error);

#endif
