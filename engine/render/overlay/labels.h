/*
 * labels.h: names next to points of a picture: nearer ones first, and none over another.
 */
#ifndef ENGINE_LABELS_H
#define ENGINE_LABELS_H

#include "frames.h"
#include "target.h"

typedef struct Label {
    const char *text;  /* UTF-8; empty: left out */
    float position[2]; /* pixels from the upper left of the picture: the point */
    float
        distance; /* where labels would overlap, the one with the smallest distance is shown, then the first by text */
} Label;

typedef struct Labels Labels;

/* Makes letters and a pipeline. colourFormat: of the pictures. Null on failure. */
Labels *labelsCreate(Device *device, VkFormat colourFormat, EngineError *error);

/* The device must no longer use it. Null is allowed. */
void labelsDestroy(Labels *labels);

/*
 * Records labels over a picture of width x height pixels, with marks at their points; see uiDrawRecord. A line is LABEL_LINE
 * pixels high, more in pictures above LABEL_HEIGHT pixels. Sorts `list`. Labels whose points are outside are left out.
 */
bool labelsRecord(Labels *labels, Label *list, uint32_t count, const Frame *frame, const TargetImage *image,
                  uint32_t width, uint32_t height, EngineError *error);

#define LABEL_LINE   15.0f
#define LABEL_HEIGHT 720

#endif
