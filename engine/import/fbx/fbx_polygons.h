/* fbx_polygons.h: polygons in space as triangles. For the parser's process. */
#ifndef ENGINE_FBX_POLYGONS_H
#define ENGINE_FBX_POLYGONS_H

#include <cstddef>
#include <cstdint>
#include <vector>

/* Polygons with more corners are cut as convex ones: the time would grow with the square of their number. */
#define FBX_CONCAVE_MAX 2048

/*
 * Appends the triangles of a polygon as numbers of its corners, in its own direction of rotation: three for each of
 * `count` - 2 triangles. positions: [count][3], finite. count: at least 3. A polygon that is not flat is cut as its
 * projection along its mean normal. False: it is concave and has more than FBX_CONCAVE_MAX corners.
 */
bool fbxTriangulate(const double *positions, size_t count, std::vector<uint32_t> *triangles);

#endif
