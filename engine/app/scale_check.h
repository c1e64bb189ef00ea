/*
 * scale_check.h: tells users of encodings that hold no scale, or only uniform one, that a model's bones carry more.
 */
#ifndef COMMAND_SCALE_CHECK_H
#define COMMAND_SCALE_CHECK_H

#include "scene.h"

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
