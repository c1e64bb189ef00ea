/*
 * figure_draw.h: draws 2D characters: many characters of a few figures, or one, which is the same with a count of 1.
 *
 * The library skins each character as an instance of its figure's flat mesh, all of them in one dispatch per output page.
 * Its bones already have the character's place, so that vertices are in the world. One pass draws all slots from back to
 * front, character after character. An index of a vertex has the character's number in its high bits, so that neighbours in
 * this order share a draw call, also those of different characters. A new call begins where figure, page of the atlas, blend
 * mode, clipping or output page change; with SKIN_SYSTEM_UNIFORM_2D also with each character. Debug views lie above.
 *
 * A frame: vkskinBeginFrame, figureDrawPrepare, vkskinRecordSkinning, figureDrawRecord. All calls from one thread.
 */
#ifndef ENGINE_FIGURE_DRAW_H
#define ENGINE_FIGURE_DRAW_H

#include "figure_camera.h"
#include "figure_crowd.h"
#include "frames.h"
#include "model.h"
#include "skin_choice.h"
#include "skinning.h"
#include "target.h"

/* Format of offscreen targets that figures are drawn into: colours are mixed as the files have them. */
#define FIGURE_COLOUR_FORMAT VK_FORMAT_R8G8B8A8_UNORM

/* What a picture shows: bits. */
enum {
    FIGURE_SHOW_MESH = 1,      /* the slots */
    FIGURE_SHOW_WIREFRAME = 2, /* edges of the triangles that slots show, whole where polygons clip */
    FIGURE_SHOW_JOINTS = 4,    /* for each active bone a mark, and a line from its parent that narrows */
    FIGURE_SHOW_TARGETS = 8    /* for each target of an IK constraint a larger mark */
};

/* A model with a figure, and how many characters of it a frame has at most. */
typedef struct FigureDrawModel {
    const Model *model;
    uint32_t count;
} FigureDrawModel;

typedef struct FigureDrawDef {
    SkinSystem system; /* SKIN_SYSTEM_COMPUTE, or SKIN_SYSTEM_UNIFORM_2D, whose vertex shader skins: figure_source.h */
    const FigureDrawModel *models; /* [modelCount] */
    uint32_t modelCount;
    uint32_t shows;         /* all bits that frames may show */
    VkFormat colourFormat;  /* format of the targets: four linear channels of 8 bits */
    uint32_t width, height; /* pixels of the targets */
} FigureDrawDef;

typedef struct FigureDraw FigureDraw;

/*
 * The models stay. Null on failure: also where the characters are more than the device or its memory can hold, which the
 * message names.
 */
FigureDraw *figureDrawCreate(Device *device, Skinning *skinning, const FigureDrawDef *def, EngineError *error);

/* With its meshes in the library. The device must no longer use it. Call it before skinningDestroy. Null is allowed. */
void figureDrawDestroy(FigureDraw *draw);

/*
 * For targets of another size. The device must not use it now. After a failure only figureDrawResize and figureDrawDestroy
 * may follow.
 */
bool figureDrawResize(FigureDraw *draw, uint32_t width, uint32_t height, EngineError *error);

/* Vertices of a model that lost influences because the system has room for four. */
uint32_t figureDrawTrimmed(const FigureDraw *draw, uint32_t model);

/* Vertices of a character: of all pictures of all attachments. */
uint32_t figureDrawVertices(const FigureDraw *draw, uint32_t model);

/*
 * Writes the poses of this frame, on the threads of the Skinning, and gives the library its commands. members: [count], from
 * back to front; they and their poses are only read, until the call returns. Neighbours share output pages if characters of
 * a model keep their order. slot: the frame's; its last use has finished. shows: bits of the def's.
 */
bool figureDrawPrepare(FigureDraw *draw, uint32_t slot, const FigureMember *members, uint32_t count, uint32_t shows,
                       EngineError *error);

/*
 * Records the pass of the members that figureDrawPrepare was given, outside a render pass. background: colour times alpha,
 * and alpha. The picture is then in `image`.
 */
void figureDrawRecord(FigureDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                      const FigureCamera *camera, const float background[4]);

/* Draw calls of the last pass. */
uint32_t figureDrawCalls(const FigureDraw *draw);

/* The instance that skins a member of the last frame, as figureDrawPrepare counts them. Zero with SKIN_SYSTEM_UNIFORM_2D. */
VkskinInstance figureDrawInstance(const FigureDraw *draw, uint32_t member);

#endif
