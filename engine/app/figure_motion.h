/* figure_motion.h: what options ask of the pose of a 2D character: a clip, a second clip mixed in, a target of IK. */
#ifndef APP_FIGURE_MOTION_H
#define APP_FIGURE_MOTION_H

#include "figure_play.h"
#include "options.h"

/* Reads --clip, --blend-clip and --reach. */
bool figureMotionRead(const Arguments *arguments, const Figure *figure, FigureMotion *motion, EngineError *error);

#endif
