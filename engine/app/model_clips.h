/* model_clips.h: clips of one model file for the nodes of another. */
#ifndef APP_MODEL_CLIPS_H
#define APP_MODEL_CLIPS_H

#include "engine_error.h"
#include "model.h"

/*
 * Moves the clips of `from` to `model`. Each track goes to the node of the same name, of several to one that carries no
 * mesh; a track of morph weights to a node whose mesh has as many targets. If up axis or unit differ, the keys are
 * converted. Names of nodes that the model does not have become a warning. path, file: of the model and the clips, for
 * messages. False: no track has a node.
 */
bool modelTakeClips(Model *model, Model *from, const char *path, const char *file, EngineError *error);

#endif
