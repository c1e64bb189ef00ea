/*
 * soak_events.h: what happens to a world in a frame, drawn by lot.
 */
#ifndef ENGINE_SOAK_EVENTS_H
#define ENGINE_SOAK_EVENTS_H

#include "soak_world.h"

/* A frame's births and deaths, before anything is skinned: of instances mostly, of characters seldom. */
bool soakEventsBegin(SoakWorld *world, EngineError *error);

/*
 * Some of it again at an odd moment: between vkskinSkinInstances and the record, or between the record and the
 * submission.
 */
bool soakEventsBetween(SoakWorld *world, EngineError *error);

/*
 * New poses for some of the instances that have none in this frame, given to vkskinSkinInstances; at least for one,
 * where the palette ring has room. submitted: the frame will be; otherwise the world keeps what it knew, as the library
 * must.
 */
bool soakEventsSkin(SoakWorld *world, bool submitted, EngineError *error);

#endif
