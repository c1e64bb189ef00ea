/*
 * character_mesh.h: one mesh of a character: the library's mesh of it, and its static streams on the device.
 */
#ifndef ENGINE_CHARACTER_MESH_H
#define ENGINE_CHARACTER_MESH_H

#include "character.h"

/* On failure nothing is left over. */
bool characterMeshCreate(Skinning *skinning, const CharacterDef *def, const ModelMesh *source, CharacterMesh *mesh,
                         EngineError *error);

/* The device no longer uses it. A zero one is allowed. */
void characterMeshDestroy(Skinning *skinning, CharacterMesh *mesh);

#endif
