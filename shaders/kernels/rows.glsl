// rows.glsl: the rows of a 3x3 matrix. Not an array: some drivers keep arrays in memory.
#ifndef ROWS_GLSL
#define ROWS_GLSL

struct Rows {
    vec3 x, y, z;
};

#endif
