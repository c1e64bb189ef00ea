/*
 * methods.h: the pairs of a method and an encoding that it reads. Each pair has a kernel.
 */
#ifndef VKSKIN_METHODS_H
#define VKSKIN_METHODS_H

#include "vkskin/vkskin_mesh.h"

typedef struct MethodPair {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    bool stretches; /* the blended transform may scale or shear: exact normals differ from cheap ones */
} MethodPair;

#define NO_PAIR UINT32_MAX

/* Indices into sknMethodPairs: PAIR_LINEAR_BLEND_MAT3X4 and so on. */
#define PAIR_INDEX(method, encoding) PAIR_##method##_##encoding,
enum { VKSKIN_METHOD_ENCODINGS(PAIR_INDEX) METHOD_PAIRS };

/* In the order of VKSKIN_METHOD_ENCODINGS. */
extern const MethodPair sknMethodPairs[METHOD_PAIRS];

/* The kernel of each pair: shaders/kernels/NAME.comp. */
#define KERNEL_LINEAR_BLEND_MAT3X4                           skin_linear_blend
#define KERNEL_LINEAR_BLEND_QUATERNION                       skin_linear_blend_quaternion
#define KERNEL_LINEAR_BLEND_QUATERNION_HALF                  skin_linear_blend_quaternion_half
#define KERNEL_LINEAR_BLEND_QUATERNION_SNORM16               skin_linear_blend_quaternion_snorm16
#define KERNEL_LINEAR_BLEND_MAT2X3                           skin_linear_blend_flat
#define KERNEL_DUAL_QUATERNION_DUAL_QUATERNION               skin_dual_quaternion
#define KERNEL_SCALED_DUAL_QUATERNION_SCALED_DUAL_QUATERNION skin_scaled_dual_quaternion
#define KERNEL_PAINTED_BLEND_SCALED_DUAL_QUATERNION          skin_painted_blend
#define KERNEL_CENTRES_OF_ROTATION_SCALED_DUAL_QUATERNION    skin_centres_of_rotation

/* Returns NO_PAIR if the method does not read the encoding. Both may be any value. */
uint32_t sknFindMethodPair(VkskinMethod method, VkskinPaletteEncoding encoding);

/* The pair that skins meshes without bones. */
uint32_t sknPlainPair(uint32_t dimensions);

/* Whether an encoding is for flat meshes, and only for these. */
bool sknIsFlatEncoding(VkskinPaletteEncoding encoding);

/* Returns the name of the data that the method needs and the mesh does not have, or null. */
const char *sknMissingMethodData(VkskinMethod method, bool hasBlendWeights, bool hasCentres);

#endif
