/*
 * bone_labels.h: names of bones in the pictures of a run, for RunDef.overlay.
 */
#ifndef ENGINE_BONE_LABELS_H
#define ENGINE_BONE_LABELS_H

#include "population_run.h"
#include "spine_run.h"

/*
 * The names of the nodes that move vertices, at their places in each frame. *overlay is zero on failure. population and camera
 * must outlive it.
 */
bool boneLabelsOfModels(Device *device, const Population *population, const Camera *camera, RunOverlay *overlay,
                        EngineError *error);

/* The same for the active bones of 2D characters. */
bool boneLabelsOfSpines(const SpineShow *show, RunOverlay *overlay, EngineError *error);

/* The device must no longer use it. A zero one is allowed. */
void boneLabelsFree(RunOverlay *overlay);

#endif
