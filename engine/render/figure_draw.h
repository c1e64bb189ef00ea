/*
 * figure_draw.h: draws a 2D character: the library skins it as one flat mesh in one dispatch; one pass draws its slots
 * from back to front, with a draw call where page, blend mode or clipping change. Debug views lie above.
 *
 * A frame: vkskinBeginFrame, figureDrawPrepare, vkskinRecordSkinning, figureDrawRecord.
 */
#ifndef ENGINE_FIGURE_DRAW_H
#define ENGINE_FIGURE_DRAW_H

#include "figure_pose.h"
#include "frames.h"
#include "model.h"
#include "skin_choice.h"
#include "skinning.h"
#include "target.h"

/* Of the targets that figures are drawn into: colours are mixed as the files have them. */
#define FIGURE_COLOUR_FORMAT VK_FORMAT_R8G8B8A8_UNORM

/* What the picture shows: its centre, and its height, in the figure's space. */
typedef struct FigureCamera {
    double centre[2], height;
} FigureCamera;

typedef struct FigureDraw FigureDraw;

/*
 * system: SKIN_SYSTEM_COMPUTE, or SKIN_SYSTEM_UNIFORM_2D, whose vertex shader skins: figure_source.h. width, height: of the
 * targets. The model, which has a figure, stays. Null on failure.
 */
FigureDraw *figureDrawCreate(Device *device, Skinning *skinning, SkinSystem system, const Model *model, uint32_t width,
                             uint32_t height, EngineError *error);

/* Vertices that lost influences because the system has room for four. */
uint32_t figureDrawTrimmed(const FigureDraw *draw);

/* The device must no longer use it; before the skinning is destroyed. Null is allowed. */
void figureDrawDestroy(FigureDraw *draw);

/* What a picture shows: bits. */
enum {
    FIGURE_SHOW_MESH = 1,      /* the slots */
    FIGURE_SHOW_WIREFRAME = 2, /* edges of the triangles that slots show, whole where polygons clip */
    FIGURE_SHOW_JOINTS = 4     /* a mark on each active bone and a line from its parent, which narrows */
};

/* Writes the pose of this frame and gives the library its command. slot: the frame's; its last use has finished. */
bool figureDrawPrepare(FigureDraw *draw, uint32_t slot, const FigurePose *pose, uint32_t shows, EngineError *error);

/*
 * Records the pass of the pose that figureDrawPrepare was given, outside a render pass. background: colour times alpha, and
 * alpha. The picture is then in `image`.
 */
bool figureDrawRecord(FigureDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const FigureCamera *camera, const float background[4], EngineError *error);

#endif
