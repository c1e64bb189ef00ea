// rows.glsl: a linear map by its rows. No array: some drivers keep those in memory.
#ifndef ROWS_GLSL
#define ROWS_GLSL

struct Rows {
    vec3 x, y, z;
};

#endif
