/* scene_mesh.h: the vertices, influences and morph targets of a scene. */
#ifndef TESTS_SCENE_MESH_H
#define TESTS_SCENE_MESH_H

#include "scene.h"

/* Fills the scene's mesh. Its bones (used, usedCount) must stand. */
void makeSceneMesh(Random *random, Scene *scene, SceneKind kind);
void freeSceneMesh(Scene *scene);

/* Memory of zeros; a failed allocation ends the process. */
void *newZeros(size_t count, size_t size);

#endif
