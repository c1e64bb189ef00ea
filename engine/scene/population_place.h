/*
 * population_place.h: kinds, clips, start times, places and tints of a population's characters, all from one seed.
 */
#ifndef ENGINE_CROWD_PLACE_H
#define ENGINE_CROWD_PLACE_H

#include "population.h"

/* Writes `character` of all characters: kinds in turn, then shuffled. */
void populationChooseKinds(Population *population, uint64_t seed);

/* Writes clip, time, place and tint of all characters, and the population's bounds and characterHeight. */
bool populationPlaceCharacters(Population *population, const PopulationDef *def, EngineError *error);

#endif
