/*
 * spine_draw.h: draws 2D characters: many characters of a few 2D models, or one, which is the same with a count of 1.
 *
 * The library skins each character as an instance of its 2D model's flat mesh, all of them in one dispatch per output page.
 * Its bones already have the character's place, so that vertices are in the world. One pass draws all slots from back to
 * front, character after character. An index of a vertex has the character's number in its high bits, so that neighbours in
 * this order share a draw call, also those of different characters. A new call begins where 2D model, page of the atlas, blend
 * mode, clipping or output page change; with SKIN_SYSTEM_UNIFORM_2D also with each character. Debug views lie above.
 *
 * A frame: vkskinBeginFrame, spineDrawPrepare, vkskinRecordSkinning, spineDrawRecord. All calls from one thread.
 */
#ifndef ENGINE_SPINE_DRAW_H
#define ENGINE_SPINE_DRAW_H

#include "frames.h"
#include "model.h"
#include "paint.h"
#include "skin_choice.h"
#include "skinning.h"
#include "spine_camera.h"
#include "spine_population.h"
#include "target.h"

/* Format of offscreen targets that 2D models are drawn into: colours are mixed as the files have them. */
#define SPINE_COLOUR_FORMAT VK_FORMAT_R8G8B8A8_UNORM

/* What a picture shows: bits. */
enum {
    SPINE_SHOW_MESH = 1,      /* the slots */
    SPINE_SHOW_WIREFRAME = 2, /* edges of the triangles that slots show, whole where polygons clip */
    SPINE_SHOW_JOINTS = 4,    /* for each active bone a mark, and a line from its parent that narrows */
    SPINE_SHOW_TARGETS = 8    /* for each target of an IK constraint a larger mark */
};

/* A model with a 2D model, and how many characters of it a frame has at most. */
typedef struct SpineDrawModel {
    const Model *model;
    uint32_t count;
} SpineDrawModel;

typedef struct SpineDrawDef {
    SkinSystem
        system; /* SKIN_SYSTEM_COMPUTE, or SKIN_SYSTEM_UNIFORM_2D, whose vertex shader skins: spine_vertex_source.h */
    const SpineDrawModel *models; /* [modelCount] */
    uint32_t modelCount;
    uint32_t shows;         /* all bits that frames may show */
    Paint paint;            /* at first, see spineDrawSetPaint */
    VkFormat colourFormat;  /* format of the targets: four linear channels of 8 bits */
    uint32_t width, height; /* pixels of the targets */
} SpineDrawDef;

typedef struct SpineDraw SpineDraw;

/*
 * The models stay. Null on failure: also where the characters are more than the device or its memory can hold, which the
 * message names.
 */
SpineDraw *spineDrawCreate(Device *device, Skinning *skinning, const SpineDrawDef *def, EngineError *error);

/* With its meshes in the library. The device must no longer use it. Call it before skinningDestroy. Null is allowed. */
void spineDrawDestroy(SpineDraw *draw);

/*
 * For targets of another size. The device must not use it now. After a failure only spineDrawResize and spineDrawDestroy
 * may follow.
 */
bool spineDrawResize(SpineDraw *draw, uint32_t width, uint32_t height, EngineError *error);

/*
 * Shows colours of a paint in place of pictures, whose alpha stays, without blend modes; a type of null: the pictures. Waits for
 * the device. On failure the old paint stays, of some models perhaps the new one.
 */
bool spineDrawSetPaint(SpineDraw *draw, const Paint *paint, EngineError *error);

/* Vertices of a model that lost influences because the system has room for four. */
uint32_t spineDrawTrimmed(const SpineDraw *draw, uint32_t model);

/* Vertices of a character: of all pictures of all attachments. */
uint32_t spineDrawVertices(const SpineDraw *draw, uint32_t model);

/*
 * Writes the poses of this frame, on the threads of the Skinning, and gives the library its commands. characters: [count], from
 * back to front; they and their poses are only read, until the call returns. Neighbours share output pages if characters of
 * a model keep their order. slot: the frame's; its last use has finished. shows: bits of the def's.
 */
bool spineDrawPrepare(SpineDraw *draw, uint32_t slot, const SpineCharacter *characters, uint32_t count, uint32_t shows,
                      EngineError *error);

/*
 * Records the pass of the characters that spineDrawPrepare was given, outside a render pass. background: colour times alpha,
 * and alpha. The picture is then in `image`.
 */
void spineDrawRecord(SpineDraw *draw, VkCommandBuffer commandBuffer, const Target *target, const TargetImage *image,
                     const SpineCamera *camera, const float background[4]);

/* Draw calls of the last pass. */
uint32_t spineDrawCalls(const SpineDraw *draw);

/* The instance that skins a character of the last frame, as spineDrawPrepare counts them. Zero with SKIN_SYSTEM_UNIFORM_2D. */
VkskinInstance spineDrawInstance(const SpineDraw *draw, uint32_t character);

#endif
