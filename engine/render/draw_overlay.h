/*
 * draw_overlay.h: lines of overlays: bones, boxes and bodies, and indices for the lines of normals.
 */
#ifndef ENGINE_DRAW_OVERLAY_H
#define ENGINE_DRAW_OVERLAY_H

#include "pipelines.h"
#include "ragdoll_shape.h"

/* In the order of drawing. */
typedef enum OverlayLines {
    OVERLAY_BOXES,
    OVERLAY_BODIES,
    OVERLAY_BONES,
    OVERLAY_MARKS,
    OVERLAY_LINES_COUNT
} OverlayLines;

typedef struct DrawOverlays {
    Buffer lines[FRAMES_IN_FLIGHT];       /* OverlayVertex, mapped */
    uint32_t firsts[OVERLAY_LINES_COUNT]; /* vertices of the frame: the first one */
    uint32_t counts[OVERLAY_LINES_COUNT];
    RagdollShape **shapes; /* [shapeCount]: of each kind, or null */
    uint32_t shapeCount;
    bool hasNormals;
    Buffer *normals; /* [normalCount] indices of 32 bits, of each mesh and run: one driver ignores offsets of indices */
    uint32_t normalCount;
} DrawOverlays;

/*
 * Makes the lines of the frame in slot `slot`, whose last use has finished: those of `shows` (DRAW_SHOW_...) at Population.clock of all
 * characters that the colour pass shows. Refuses lines of more than 256 MiB.
 */
bool drawOverlaysLines(DrawOverlays *overlays, Device *device, const Population *population, uint32_t shows,
                       uint32_t slot, EngineError *error);

#define OVERLAY_NO_BONE (-2)

/*
 * The bones that parts of a model use. of: [nodeCount]: the closest ancestor that is a bone, -1: none; OVERLAY_NO_BONE: the
 * node is no bone itself. Returns the number of bones.
 */
uint32_t overlayBones(const Model *model, int32_t *of);

/* Makes the indices of normals, if there are none. */
bool drawOverlaysNormals(DrawOverlays *overlays, const System *system, EngineError *error);

/* Draws that the normals of a mesh take: each has as many indices as the mesh, because a device may have written the count. */
uint32_t overlayRuns(const SystemMesh *mesh);

/* The indices of these draws. mesh: of the system. */
Buffer *overlayNormals(const DrawOverlays *overlays, const SystemMesh *mesh);

/* The device must no longer use them. A zero one is allowed. */
void drawOverlaysDestroy(Device *device, DrawOverlays *overlays);

#endif
