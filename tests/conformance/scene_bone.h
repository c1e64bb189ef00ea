/* scene_bone.h: random bones that an encoding can hold. */
#ifndef TESTS_SCENE_BONE_H
#define TESTS_SCENE_BONE_H

#include "scene.h"

/*
 * Tame: turned by up to 1.5 radians, so that two may differ by twice as much, moved within a unit cube, stretched and
 * sheared to within a half and twice their size, never mirrored.
 * Wild: turned by any angle, the quaternions of two bones may be antipodes; scales along any axis from -2 to 2, some of
 * them 0.
 */
ReferenceMatrix sceneBone(Random *random, VkskinPaletteEncoding encoding, SceneKind kind);

/* As it is, then moved by the distance along x; or, with `mesh`, where mesh and output both lie that far away. */
ReferenceMatrix sceneBoneMoved(const ReferenceMatrix *bone, float distance, bool mesh);

#endif
