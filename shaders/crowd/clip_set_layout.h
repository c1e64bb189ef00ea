/*
 * clip_set_layout.h: the tables of a clip set, for C and for GLSL. See kernels/layout.h.
 *
 * A clip set begins with a packed block of vkskin_pack.h. The tables follow it: a LayoutClipSet at word bytes / 4 of the
 * block. All word offsets count from the start of the block.
 */
#ifndef VKSKIN_CLIP_SET_LAYOUT_H
#define VKSKIN_CLIP_SET_LAYOUT_H

#include "kernels/layout.h"

#define CLIP_SET_FIELDS(FIELD)                                                                                         \
    FIELD(nodes)    /* word offset of LayoutClipNode [nodeCount], depth first: each subtree without gaps */            \
    FIELD(channels) /* word offset of uint [clipCount][nodeCount][3], in that order: CLIP_CHANNEL_, place */           \
    FIELD(rounds)   /* doubling rounds of a workgroup that composes CLIP_CHUNK nodes: see crowd_pose.comp */           \
    FIELD(reserved)
LAYOUT_STRUCT(LayoutClipSet, CLIP_SET_FIELDS);
#define CLIP_SET_WORDS LAYOUT_WORDS(CLIP_SET_FIELDS)

#define CLIP_NODE_FIELDS(FIELD)                                                                                        \
    FIELD(node)   /* index of the node in the skeleton */                                                              \
    FIELD(parent) /* place of its parent in this order, or CLIP_NO_PARENT */                                           \
    FIELD(pre)    /* word offset of 12 floats, the pre-transform; 0: the identity */                                   \
    FIELD(flags)  /* CLIP_NODE_ bits */
LAYOUT_STRUCT(LayoutClipNode, CLIP_NODE_FIELDS);
#define CLIP_NODE_WORDS LAYOUT_WORDS(CLIP_NODE_FIELDS)
#define CLIP_NO_PARENT  0xffffffffu

/* Nodes in a row are a run: each is the child of the one before, and only the first one has a translation that moves, a
 * scale or a pre-transform. Only the last one has children outside of the run. */
#define CLIP_NODE_SCALES 0x1u /* the scale is not 1 in all clips */
#define CLIP_NODE_BEGINS 0x2u /* the first node of a run */
#define CLIP_NODE_SPLITS 0x4u /* a node other than the next one is a child */

/* Nodes that a workgroup composes at a time: its invocations. */
#define CLIP_CHUNK 64u

/* Each round doubles the number of nodes in a product. */
#define CLIP_MOST_ROUNDS 6u

/* A channel: translation, rotation, scale. The upper two bits say what is at the place, a word offset. */
#define CLIP_CHANNELS       3u
#define CLIP_CHANNEL_VALUE  0u /* floats: x, y, z, for a rotation also w: of unit length */
#define CLIP_CHANNEL_THREE  1u /* VkskinAnimationRotation of three numbers */
#define CLIP_CHANNEL_FOUR   2u /* VkskinAnimationRotation of four numbers */
#define CLIP_CHANNEL_VECTOR 3u /* VkskinAnimationVector */
#define CLIP_CHANNEL_SHIFT  30u
#define CLIP_PLACE_MASK     0x3fffffffu

#endif
