/*
 * checks.h: warnings about a scene: weights that differ from the file, and scale that the palette encoding loses.
 */
#ifndef APP_CHECKS_H
#define APP_CHECKS_H

#include "scene.h"

/* The library normalises weights whose sum differs more from one (VkskinMeshInfo.normalisedVertices). */
#define WEIGHT_CHECK_TOLERANCE 1e-4

/* The condition under which VkskinMeshInfo.weightError is a bound. */
#define WEIGHT_CHECK_WHILE "while the bones of a vertex place it within one mesh diagonal"

/*
 * Prints a warning for each mesh with trimmed influences (VKSKIN_WARNING_INFLUENCES_TRIMMED), with the error bound in the
 * unit of the model, and for each mesh with normalised weights (VKSKIN_WARNING_WEIGHTS_NORMALISED). A model that is in the
 * scene twice is reported once. paths: [scene->characterCount].
 */
bool weightCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error);

/* Whether a palette of the character at that time returns VKSKIN_WARNING_SCALE_LOST. clip null: the rest pose. */
bool scaleIsLost(const Character *character, SkinMode mode, VkskinClip clip, double time, bool *lost,
                 EngineError *error);

/* Prints the warning. */
void scaleWarn(const char *verb, const char *path, SkinMode mode);

/*
 * Prints a warning for each character that loses scale at the start, middle or end of a clip, or in the rest pose if it
 * has no clips. paths: [scene->characterCount].
 */
bool scaleCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error);

#endif
