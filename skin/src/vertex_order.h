/*
 * vertex_order.h: vertices by number of influences, then by their bones.
 */
#ifndef VKSKIN_VERTEX_ORDER_H
#define VKSKIN_VERTEX_ORDER_H

#include "influence_lists.h"

/*
 * Sorts vertices[count] by the length of their lists, then by the bones in them; those alike keep their order. A vertex
 * without influences stands among those with one, first. `room` is [count], overwritten.
 */
void sknOrderVertices(const InfluenceLists *lists, uint32_t *vertices, uint32_t count, uint32_t *room);

#endif
