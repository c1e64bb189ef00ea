/*
 * crowd_check.h: what the picture and the counters of crowd.c must show. The numbers follow from its clips, views and slots.
 */
#ifndef EXAMPLE_CROWD_CHECK_H
#define EXAMPLE_CROWD_CHECK_H

#include "host.h"

#include <stdio.h>
#include <vkskin/vkskin_crowd.h>

enum { COLUMNS = 64, COUNT = COLUMNS * COLUMNS, CELL = 8, SIDE = COLUMNS * CELL };
enum { MODELS = 2, VIEWS = 2 };
/* The colour view sees the columns below 32, the shadow view those from 16 on. They share too few slots: characters that
 * only the shadow view sees get what the others leave. */
enum { COLOUR_END = 32, SHADOW_BEGIN = 16, SLOTS = COUNT - 1024, COLOURS = COLOUR_END * COLUMNS };
/* Drawn by the shadow view: the colour view's characters that it sees, and those that got the other slots. */
enum { SHADOWS = (COLOUR_END - SHADOW_BEGIN) * COLUMNS + SLOTS - COLOURS };
#define COLOUR 0xff40bfffu /* ABGR */
/* The character that the host follows, of the colour view alone: its sword is SWORD units to the right of its hand, from
 * frame FOLLOW on, or one frame earlier if the device was idle meanwhile. For some frames it is an instance: its previous
 * positions are ECHO units to the right, and in frame WALK_ON it leaves the path of its clip, which begins again. */
enum { HERO_ROW = 40, HERO_COLUMN = 6, SWORD = 4, ECHO = 2, FOLLOW = 3, SWAP_AT = 6, WALK_ON = 8, SWAP_BACK = 9 };

/* swapped: counters may be of a frame in which the hero is hidden, or gets its slot back. */
static bool isCount(uint32_t count, uint32_t expected, bool swapped) {
    return count == expected || (swapped && count + 1 >= expected && count <= expected + 1);
}

static void checkStats(const VkskinCrowdStats *stats, bool swapped) {
    if (!isCount(stats->skinned, SLOTS, swapped) || !isCount(stats->refused, COUNT - SLOTS, swapped) ||
        !isCount(stats->drawn[0], COLOURS, swapped) || !isCount(stats->drawn[1], SHADOWS, swapped)) {
        hostFail("counters: %u skinned, %u refused, %u and %u drawn", stats->skinned, stats->refused, stats->drawn[0],
                 stats->drawn[1]);
    }
}

/* Whether the triangle of a cell covers the pixel (x, y) of the cell. */
static bool covers(unsigned frame, unsigned row, unsigned column, unsigned x, unsigned y) {
    const unsigned character = frame >= 2 && row < COLUMNS / 2 ? column ^ 1 : column;
    const unsigned right = (character % 2 * 2 + frame) % 4, down = frame % 4;
    if (frame < 2 || row < COLUMNS / 4 || row >= 3 * COLUMNS / 4) {
        return x == right && y == 0;
    }
    return frame == 2 ? 2 * x == right && 2 * y == down : x == 0 && y == down; /* frame 2: the middle of the fade */
}

static bool coversHero(unsigned frame, unsigned x, unsigned y) {
    return frame < WALK_ON ? covers(frame, HERO_ROW, HERO_COLUMN, x, y) : x == 0 && y == CELL / 2 + frame % 4;
}

static void check(unsigned frame, const void *picture) {
    unsigned drawn[VIEWS] = {0};
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        const unsigned column = i % SIDE / CELL, y = i / SIDE % CELL, view = y / (CELL / 2);
        const uint32_t pixel = ((const uint32_t *)picture)[i];
        const bool hero = i / SIDE / CELL == HERO_ROW && column == HERO_COLUMN;
        const bool sword = hero && frame + 1 >= FOLLOW && coversHero(frame, i % CELL - SWORD, y);
        const bool echo = hero && frame >= SWAP_AT && frame <= SWAP_BACK && coversHero(frame - 1, i % CELL - ECHO, y);
        const bool body = hero ? coversHero(frame, i % CELL, y)
                               : (view == 0 ? column < COLOUR_END : column >= SHADOW_BEGIN) &&
                                     covers(frame, i / SIDE / CELL, column, i % CELL, y % (CELL / 2));
        const bool may = sword || echo || body;
        const bool must = may && column < COLOUR_END && !(sword && frame < FOLLOW); /* the others have a slot, or not */
        drawn[view] += pixel == COLOUR && !hero;
        if (pixel == COLOUR ? !may : must || pixel != 0) {
            hostFail("frame %u: pixel (%u, %u) is %08x", frame, i % SIDE, i / SIDE, (unsigned)pixel);
        }
    }
    if (!isCount(drawn[1], SHADOWS, frame >= SWAP_AT && frame <= SWAP_BACK)) {
        hostFail("frame %u: %u shadows", frame, drawn[1]);
    }
    printf("frame %u: %u characters and %u shadows\n", frame, drawn[0], drawn[1]);
}

#endif
