/*
 * make_scene.h: a scene made with what takes long shown.
 */
#ifndef COMMAND_MAKE_SCENE_H
#define COMMAND_MAKE_SCENE_H

#include "open_device.h"
#include "scene.h"

/* sceneCreate with the progress of centres of rotation on a terminal, in place of the def's. */
Scene *makeScene(OpenDevice *open, const SceneDef *def, EngineError *error);

#endif
