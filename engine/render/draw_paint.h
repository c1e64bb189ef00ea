/*
 * draw_paint.h: the colours of a paint on the device: one buffer for all meshes that a system draws. Another paint gets a
 * new buffer; the old one is freed when the frames that may read it have finished.
 */
#ifndef ENGINE_DRAW_PAINT_H
#define ENGINE_DRAW_PAINT_H

#include "paint.h"
#include "system.h"

typedef struct PaintBuffer PaintBuffer;

typedef struct DrawPaint {
    PaintBuffer *first; /* the current one, then older ones; null: none */
    uint32_t slot;      /* frame slot of the last drawPaintUse */
} DrawPaint;

/* Once per frame, in slot `slot`, whose last use has finished: makes the colours, if the paint differs from that of the
 * frame before. On failure the old ones stay. */
bool drawPaintUse(DrawPaint *painted, const System *system, const Paint *paint, uint32_t slot, EngineError *error);

/* The colours of a mesh of the system: like SystemMesh.colours, from *offset on. */
VkBuffer drawPaintColours(const DrawPaint *painted, const SystemMesh *mesh, VkDeviceSize *offset);

/* The device must no longer use it. A zero one is allowed. */
void drawPaintDestroy(Device *device, DrawPaint *painted);

#endif
