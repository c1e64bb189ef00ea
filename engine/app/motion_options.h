/*
 * motion_options.h: the options that change poses beyond the clip: a second clip, an additive clip, IK, springs, falls, a
 * state machine.
 */
#ifndef APP_MOTION_OPTIONS_H
#define APP_MOTION_OPTIONS_H

#include "engine_error.h"
#include "motion.h"
#include "options.h"

/* A group: --blend-clip, --add-clip, --reach, --look. */
extern const Option MOTION_OPTIONS[];

/* A group: --spring. Crowds do not have it. */
extern const Option SPRING_OPTIONS[];

/* A group: --collapse. Crowds do not have it. */
extern const Option COLLAPSE_OPTIONS[];

/* A group: --machine, --parameters. */
extern const Option MACHINE_OPTIONS[];

/*
 * Reads the options of all groups; `choice` points to texts of the arguments. False: an option has another form than its
 * help states, or options exclude each other.
 */
bool motionOptionsRead(const Arguments *arguments, MotionChoice *choice, EngineError *error);

#endif
