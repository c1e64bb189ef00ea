/*
 * methods.h: the methods, and which encodings each reads: a pair of the two is what code is written for.
 */
#ifndef VKSKIN_METHODS_H
#define VKSKIN_METHODS_H

#include "vkskin/vkskin_mesh.h"

typedef struct MethodPair {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    bool stretches; /* blended bones are no similarity: normals have an exact way */
} MethodPair;

#define METHOD_PAIRS 9
#define NO_PAIR      UINT32_MAX

/* Of a method's pairs, the first is that of vkskinMethodEncoding. */
extern const MethodPair sknMethodPairs[METHOD_PAIRS];

/* NO_PAIR where the method does not read the encoding; both may be any value. */
uint32_t sknFindMethodPair(VkskinMethod method, VkskinPaletteEncoding encoding);

/* The pair that a mesh without bones, or a flat one, is skinned by. */
uint32_t sknPlainPair(uint32_t dimensions);

#endif
