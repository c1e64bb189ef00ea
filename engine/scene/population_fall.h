/* population_fall.h: characters of a population that the CPU poses collapse, and return to their clip. */
#ifndef ENGINE_POPULATION_FALL_H
#define ENGINE_POPULATION_FALL_H

#include "population_pick.h"

#define POPULATION_FALL_PUSH 0.8f /* m/s, of ragdoll.h: what a hit adds to the velocity of the centre of mass */

/*
 * Lets a character fall from the pose at Population.clock, or, if it falls, fade back to its clip; *falls: which of both. ray,
 * pick: it is hit where the ray picked it, along the ray; null: it only falls. Call it between frames. The model's characters
 * must have a motion.
 */
bool populationCollapse(Population *population, uint32_t character, const PickRay *ray, const PopulationPick *pick,
                        bool *falls, EngineError *error);

#endif
