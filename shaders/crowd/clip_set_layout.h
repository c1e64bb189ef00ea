/*
 * clip_set_layout.h: the tables of a clip set, for C and for GLSL. See kernels/layout.h.
 *
 * A clip set begins with a packed block of vkskin_anim.h. The tables follow it: a LayoutClipSet at word bytes / 4 of the
 * block. All word offsets count from the start of the block.
 */
#ifndef VKSKIN_CLIP_SET_LAYOUT_H
#define VKSKIN_CLIP_SET_LAYOUT_H

#include "kernels/layout.h"

#define CLIP_SET_FIELDS(FIELD)                                                                                         \
    FIELD(nodes) /* word offset of LayoutClipNode [nodeCount], parents before their children */                        \
    FIELD(                                                                                                             \
        channels) /* word offset of uint [clipCount][nodeCount][3], nodes in that order: CLIP_CHANNEL_ and a place */  \
    FIELD(reserved0)                                                                                                   \
    FIELD(reserved1)
LAYOUT_STRUCT(LayoutClipSet, CLIP_SET_FIELDS);
#define CLIP_SET_WORDS LAYOUT_WORDS(CLIP_SET_FIELDS)

#define CLIP_NODE_FIELDS(FIELD)                                                                                        \
    FIELD(node)   /* its index */                                                                                      \
    FIELD(parent) /* index of its parent's node, or CLIP_NO_PARENT */                                                  \
    FIELD(pre)    /* word offset of 12 floats, the pre-transform; 0: the identity */                                   \
    FIELD(scales) /* 0: its scale is 1 in all clips */
LAYOUT_STRUCT(LayoutClipNode, CLIP_NODE_FIELDS);
#define CLIP_NODE_WORDS LAYOUT_WORDS(CLIP_NODE_FIELDS)
#define CLIP_NO_PARENT  0xffffffffu

/* A channel: translation, rotation, scale. The upper two bits say what is at the place, a word offset. */
#define CLIP_CHANNELS       3u
#define CLIP_CHANNEL_VALUE  0u /* floats: x, y, z, for a rotation also w: of unit length */
#define CLIP_CHANNEL_THREE  1u /* a VkskinAnimationRotation of three numbers */
#define CLIP_CHANNEL_FOUR   2u /* a VkskinAnimationRotation of four numbers */
#define CLIP_CHANNEL_VECTOR 3u /* a VkskinAnimationVector */
#define CLIP_CHANNEL_SHIFT  30u
#define CLIP_PLACE_MASK     0x3fffffffu

#endif
