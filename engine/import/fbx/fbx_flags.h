/* fbx_flags.h: the bits of KeyAttrFlags of a record AnimationCurve. For the parser's process. */
#ifndef ENGINE_FBX_FLAGS_H
#define ENGINE_FBX_FLAGS_H

#define FBX_FLAG_CONSTANT      0x2
#define FBX_FLAG_LINEAR        0x4
#define FBX_FLAG_CUBIC         0x8
#define FBX_FLAG_NEXT          0x100 /* constant keys only */
#define FBX_FLAG_AUTO          0x100 /* cubic keys only: the slope follows from the neighbours */
#define FBX_FLAG_TCB           0x200
#define FBX_FLAG_USER          0x400
#define FBX_FLAG_CLAMP         0x1000
#define FBX_FLAG_TIME_FREE     0x2000
#define FBX_FLAG_PROGRESSIVE   0x4000
#define FBX_FLAG_WEIGHTED      0x1000000
#define FBX_FLAG_WEIGHTED_NEXT 0x2000000
#define FBX_WEIGHT_ONE         10000.0 /* the weight 1, in 16 bits; each key has two weights */

#endif
