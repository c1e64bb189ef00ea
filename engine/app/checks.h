/*
 * weight_check.h: tells of weights that were not skinned as their file has them.
 */
#ifndef APP_CHECKS_H
#define APP_CHECKS_H

#include "scene.h"

/* A sum further from one is normalised: the library's own measure (VkskinMeshInfo.normalisedVertices). */
#define WEIGHT_CHECK_TOLERANCE 1e-4

/* What an error of weights that is told, VkskinMeshInfo.weightError, is true of. */
#define WEIGHT_CHECK_WHILE "while bones put a vertex no farther apart than its mesh is large"

/*
 * A warning line for each mesh whose vertices lost influences (VKSKIN_WARNING_INFLUENCES_TRIMMED), with what that may
 * cost in the model's unit (VkskinMeshInfo.weightError, brought into that unit), and for each whose weights were scaled to sum to one (VKSKIN_WARNING_WEIGHTS_NORMALISED).
 * A model that the scene has twice is told of once. paths: [scene->characterCount].
 */
bool weightCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error);

/* ---- * scale_check.h: tells users of encodings that hold no scale, or only uniform one, that a model's bones carry more. ---- */

/* Whether any palette of the character at that moment has VKSKIN_WARNING_SCALE_LOST in this way of skinning. clip: null
 * for rest. */
bool scaleIsLost(const Character *character, SkinWay way, VkskinClip clip, double time, bool *lost, EngineError *error);

/* Prints the warning, with the library's name for it. */
void scaleWarn(const char *verb, const char *path, SkinWay way);

/*
 * Warns of each character of a scene that loses scale at the start, the middle or the end of any of its clips, or at
 * rest where it has none. paths: [scene->characterCount].
 */
bool scaleCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error);

#endif
