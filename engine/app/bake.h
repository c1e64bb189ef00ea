/*
 * bake.h: a scene's character as it was skinned last, read back into Geometry.
 */
#ifndef COMMAND_BAKE_H
#define COMMAND_BAKE_H

#include "engine_error.h"
#include "geometry.h"
#include "scene.h"

/*
 * The parts of the scene's first member, each from its mesh's space to the model's world space by its meshToModel,
 * normals by the inverse transpose; where that matrix mirrors, triangles are turned round, so that they still show
 * their outside. The scene was made with `readback` and skinned by sceneSkinOnce. *geometry borrows names of the
 * model; on failure it is zero.
 */
bool bakeGeometry(Scene *scene, Geometry *geometry, EngineError *error);

#endif
