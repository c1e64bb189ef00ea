/*
 * single.h: one character at one time of a clip, for `bake` and `render`.
 */
#ifndef APP_SINGLE_H
#define APP_SINGLE_H

#include "session.h"

/* A group: clip, time, and the options for reading and skinning. */
extern const Option MOMENT_OPTIONS[];

/* Seconds until what the scene's character plays ends; INFINITY: it does not, or is at rest. */
double singleDuration(const Session *session);

/* Reads the model and finds the clip, opens the device and makes a scene of one character at that time. */
bool openSingle(Session *session, VkskinVertexFormat format, bool readback, EngineError *error);

#endif
