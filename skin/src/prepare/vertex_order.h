/*
 * vertex_order.h: vertices by number of influences, then by their bones.
 */
#ifndef VKSKIN_VERTEX_ORDER_H
#define VKSKIN_VERTEX_ORDER_H

#include "influence_lists.h"

/*
 * Sorts items[count], which have lists, by the length of the list, then by the bones in it, then by their own number.
 * What no bone moves stands first. `room` is [count], overwritten.
 */
void sknOrderByBones(const InfluenceLists *lists, uint32_t *items, uint32_t count, uint32_t *room);

#endif
