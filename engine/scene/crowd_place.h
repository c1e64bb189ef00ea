/*
 * crowd_place.h: who stands where in a crowd, and moves how: kinds, clips, times, places and tints from one seed.
 */
#ifndef ENGINE_CROWD_PLACE_H
#define ENGINE_CROWD_PLACE_H

#include "crowd.h"

/* Which kind each member is: i modulo kinds, shuffled. Writes `character` of all members. */
void crowdChooseKinds(Crowd *crowd, uint64_t seed);

/* Writes clip, time, place and tint of all members, and the crowd's bounds and member height. */
bool crowdPlaceMembers(Crowd *crowd, uint64_t seed, CrowdPlacement placement, EngineError *error);

#endif
