/* gltf_accessor.h: the numbers of an accessor, whatever way the file keeps them. */
#ifndef ENGINE_GLTF_ACCESSOR_H
#define ENGINE_GLTF_ACCESSOR_H

#include "gltf_source.h"

/* The accessor of an attribute; -1: there is none. */
int gltfFindAttribute(const GltfAttribute *attributes, size_t count, const char *name);

/* How many elements an accessor claims to have; 0 where there is no such accessor. */
size_t gltfAccessorCount(const GltfSource *source, int accessor);

/*
 * Reads all elements of `components` numbers each: strides, offsets, sparse replacements and normalised integers are
 * resolved, an accessor without a buffer view gives zeros. Every byte read is held against buffer view and buffer.
 * Null: source->message says what is wrong with `what` ("POSITION of mesh 'body'"). Free with free().
 */
float *gltfReadFloats(const GltfSource *source, int accessor, int components, const char *what);

/* The same for indices: unsigned integers, taken as they are. */
uint32_t *gltfReadUnsigned(const GltfSource *source, int accessor, int components, const char *what);

#endif
