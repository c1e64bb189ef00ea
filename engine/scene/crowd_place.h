/*
 * crowd_place.h: kinds, clips, start times, places and tints of a crowd's members, all from one seed.
 */
#ifndef ENGINE_CROWD_PLACE_H
#define ENGINE_CROWD_PLACE_H

#include "crowd.h"

/* Writes `character` of all members: kinds in turn, then shuffled. */
void crowdChooseKinds(Crowd *crowd, uint64_t seed);

/* Writes clip, time, place and tint of all members, and the crowd's bounds and memberHeight. */
bool crowdPlaceMembers(Crowd *crowd, const CrowdDef *def, EngineError *error);

#endif
