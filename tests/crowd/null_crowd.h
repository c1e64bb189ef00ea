/*
 * null_crowd.h: a crowd of the CPU backend on the null driver, used through the public interface alone. A vertex of a
 * character shows its pose: y is twice the number of its clip and how much of it has passed, z its morph weight, x the model
 * and the part. Functions fail the test unless all calls succeed.
 */
#ifndef TESTS_NULL_CROWD_H
#define TESTS_NULL_CROWD_H

#include "crowd/crowd_layout.h"
#include "host_doubles.h"
#include "null_driver.h"
#include "vkskin/vkskin_crowd.h"

#define CAPACITY  700u
#define MODELS    2u
#define CLIPS     4u
#define STEPPING  2u /* index of the clip whose morph weight is 1 at the end */
#define VERTICES  3u
#define MODEL_X   0.25f /* between the vertices of models */
#define PART_X    0.05f
#define PART_MASK 4u /* mask of the second part of the second model */

extern const float nullCrowdDurations[CLIPS];

typedef struct Host {
    NullDriver *driver;
    VkskinContext context;
    VkskinCrowd crowd;
    VkskinCrowdView views[VKSKIN_MAX_CROWD_VIEWS];
    uint32_t viewCount, slot, tick;
    uint32_t generation;                   /* generation of the first character */
    uint64_t begun, recorded[2], finished; /* numbers of frames: the newest; by slot; whose counters are read */
} Host;

/* slots: of each model. */
void makeHost(Host *host, uint32_t slots);
void freeHost(Host *host);

void beginFrame(Host *host);

/* Records in a frame that has begun. Then either submits it, or cancels it and begins it again. */
VkCommandBuffer recordFrame(Host *host);
void submitFrame(Host *host, VkCommandBuffer commands);
void cancelFrame(Host *host, VkCommandBuffer commands);

/* Output of a character in a view: its record and the words of its vertices, by part. */
typedef struct Drawn {
    LayoutCrowdSlot record;
    uint32_t views;                          /* bit v */
    uint32_t parts;                          /* bit p */
    uint32_t places[VKSKIN_MAX_CROWD_VIEWS]; /* in the lists */
    float now[2][VERTICES][3], before[2][VERTICES][3];
} Drawn;

/* All characters that the last frame draws, by index. */
void readDrawn(const Host *host, Drawn drawn[CAPACITY]);

#endif
