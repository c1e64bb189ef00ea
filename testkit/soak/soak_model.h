/* soak_model.h: models that nobody made: random meshes on random skeletons with random clips. */
#ifndef ENGINE_SOAK_MODEL_H
#define ENGINE_SOAK_MODEL_H

#include "model.h"
#include "random.h"

#define SOAK_MAX_CLIPS 3u
#define SOAK_MORPHS    2u /* of every mesh; the second is applied after skinning */

/*
 * One mesh with painted blend weights and SOAK_MORPHS morph targets of all its vertices, one skin, one part at node 0, 1 to SOAK_MAX_CLIPS clips of all interpolations. rigid: nothing is scaled, so
 * that dual quaternions can hold it. To be freed by modelFree; a failed allocation ends the process.
 */
Model *newSoakModel(Random *random, bool rigid);

#endif
