/*
 * raster_layout.h: what the engine's raster shaders read, once for C and once for GLSL from the same lines.
 *
 * Vectors of four and matrices of four such columns only, so that std140, std430 and C agree.
 */
#ifndef RASTER_LAYOUT_H
#define RASTER_LAYOUT_H

#ifdef __STDC__
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#define RASTER_STRUCT(name) typedef struct name
#define RASTER_END(name)    name
#define RASTER_MATRIX(name) float name[16]
#define RASTER_VECTOR(name) float name[4]
#define RASTER_WORD(name)   uint32_t name
#else
#define RASTER_STRUCT(name) struct name
#define RASTER_END(name)
#define RASTER_MATRIX(name) mat4 name
#define RASTER_VECTOR(name) vec4 name
#define RASTER_WORD(name)   uint name
#endif

/* Descriptor sets and bindings. */
#define RASTER_SET_FRAME         0 /* data of the frame slot */
#define RASTER_SET_PAGE          1 /* skinned vertices, or the bones that a system's vertex shader reads */
#define RASTER_SET_MATERIAL      2 /* the maps of a material, as ModelMap counts them */
#define RASTER_SET_COUNT         3
#define RASTER_BINDING_FRAME     0
#define RASTER_BINDING_INSTANCES 1
#define RASTER_BINDING_SHADOW    2
#define RASTER_BINDING_BASE      0
#define RASTER_BINDING_EMISSION  1
#define RASTER_BINDING_NORMAL    2
#define RASTER_BINDING_SURFACE   3
#define RASTER_BINDING_OCCLUSION 4

/* Distance fields of letters: the value of a texel on the outline, and how many texels around it differ. */
#define RASTER_GLYPH_EDGE  128
#define RASTER_GLYPH_RANGE 5

/* Specialisation constants of the fragment shaders: 1 where the target does not encode sRGB by itself; the material's
 * ModelAlpha; samples in a pixel. */
#define RASTER_CONSTANT_ENCODE_SRGB 0
#define RASTER_CONSTANT_ALPHA       1
#define RASTER_CONSTANT_SAMPLES     8

/* RasterInstance.attributeKind: words a vertex, the VkskinVertexFormat, and which attributes there are. */
#define RASTER_ATTRIBUTE_WORDS_MASK   0xffu
#define RASTER_ATTRIBUTE_FORMAT_SHIFT 8
#define RASTER_ATTRIBUTE_FORMAT_MASK  0xffu
#define RASTER_ATTRIBUTE_NORMALS      0x10000u
#define RASTER_ATTRIBUTE_TANGENTS     0x20000u

#define RASTER_FORMAT_PACKED  0u
#define RASTER_FORMAT_FLOAT   1u
#define RASTER_FORMAT_SNORM10 2u

/* Specialisation constants of the vertex shaders that skin. */
#define RASTER_CONSTANT_PASS          2 /* one of RASTER_PASS */
#define RASTER_CONSTANT_INFLUENCES    3 /* influences per vertex */
#define RASTER_CONSTANT_ENCODING      4 /* VkskinPaletteEncoding */
#define RASTER_CONSTANT_EXACT_NORMALS 5 /* VkskinNormals */
#define RASTER_CONSTANT_PAIR          6 /* 1: an image holds pairs of texels */
#define RASTER_CONSTANT_BONES         7 /* bones in a uniform block */
#define RASTER_CONSTANT_COUNT         9

#define RASTER_PASS_SHADOW   0
#define RASTER_PASS_COLOUR   1
#define RASTER_PASS_DETAILED 2 /* with tangents and colours */
#define RASTER_PASS_NORMALS  3 /* lines along normals: two indices for each vertex; only of shaders that pull */
#define RASTER_PASS_MOTION   4 /* motion vectors; only of shaders that pull */

/* Motion vectors: x where there is no surface, and the pixels from which on the view has full colours. */
#define RASTER_MOTION_NONE 1e30f
#define RASTER_MOTION_FULL 16.0f

/* Vertex attributes of the vertex shaders that skin; 0 and 1 are texture coordinates and colours. */
#define RASTER_LOCATION_POSITION 2
#define RASTER_LOCATION_NORMAL   3
#define RASTER_LOCATION_TANGENT  4
#define RASTER_LOCATION_JOINTS   5
#define RASTER_LOCATION_WEIGHTS  6

/* Descriptor sets of 2D characters: of the frame slot; skinned vertices; what a page of the atlas shows of a 2D model. */
#define RASTER_SET_SPINE_FRAME    0
#define RASTER_SET_SPINE_VERTICES 1
#define RASTER_SET_SPINE_PICTURE  2
#define RASTER_SET_SPINE_COUNT    3

#define RASTER_JOINTS_2D   64  /* bones in a block of system_uniform_2d.vert */
#define RASTER_SPINE_BONES 680 /* bones in a block of spine_uniform.vert: 16 KiB, which every device binds */

RASTER_STRUCT(RasterFrame) {
    RASTER_MATRIX(viewProjection);
    RASTER_MATRIX(lightViewProjection);    /* to the shadow map: x and y in -1 to 1, depth 0 to 1 */
    RASTER_MATRIX(previousViewProjection); /* in the frame before */
    RASTER_VECTOR(eye);
    RASTER_VECTOR(sunDirection);  /* towards the sun, unit length */
    RASTER_VECTOR(fillDirection); /* towards the second light, unit length */
    RASTER_VECTOR(groundCentre);  /* x, height, z of the plane's middle, side of the plane */
    RASTER_VECTOR(groundSquare);  /* side of a square, length of the lines of normals, width and height of a pixel */
    RASTER_VECTOR(haze);          /* distance from the eye where it begins, distance that it takes; exposure; 0 */
    RASTER_VECTOR(shadow); /* one over the map's side, offset along the normal in world units, texels in use, 0 */
}
RASTER_END(RasterFrame);

/* A part of a character of the crowd, as it is drawn. Skinned vertices: word offsets from the start of the output page. Else
 * `first` and `attributes` say where the bones are, as the system's vertex shader counts. */
RASTER_STRUCT(RasterInstance) {
    RASTER_VECTOR(row0); /* mesh space to world, row-major */
    RASTER_VECTOR(row1);
    RASTER_VECTOR(row2);
    RASTER_WORD(first);         /* word offset of positions: 3 floats a vertex */
    RASTER_WORD(attributes);    /* word offset */
    RASTER_WORD(attributeKind); /* RASTER_ATTRIBUTE_... */
    RASTER_WORD(tint);          /* unorm 8 a channel, red lowest */
    RASTER_VECTOR(previous0);   /* the rows in the frame before */
    RASTER_VECTOR(previous1);
    RASTER_VECTOR(previous2);
    RASTER_WORD(previousFirst); /* as `first`, of the frame before */
    RASTER_WORD(spare0);
    RASTER_WORD(spare1);
    RASTER_WORD(spare2);
}
RASTER_END(RasterInstance);

/* Push constants of the crowd's fragment shaders. */
RASTER_STRUCT(RasterPart) {
    RASTER_VECTOR(baseColour); /* linear, alpha */
    RASTER_VECTOR(emission);   /* linear, 1 where light has no effect */
    RASTER_VECTOR(surface);    /* metallic, roughness, scale of the normal map (0: none), lowest alpha that is shown */
    RASTER_VECTOR(specular);   /* reflectance of what is not metallic, effect of the occlusion map */
}
RASTER_END(RasterPart);

/* Push constants of the vertex shader that draws crowds of the device, behind those of the fragment shader: the words of
 * VkskinCrowdConstants. */
#define RASTER_DRAW_WORDS  8
#define RASTER_DRAW_OFFSET 64

#ifdef __STDC__
typedef struct RasterDraw {
    uint32_t words[RASTER_DRAW_WORDS];
} RasterDraw;

static_assert(sizeof(RasterFrame) == 3 * 64 + 7 * 16, "RasterFrame has padding");
static_assert(sizeof(RasterInstance) == 128, "RasterInstance has padding");
static_assert(offsetof(RasterInstance, first) == 48, "words follow the rows");
static_assert(sizeof(RasterPart) == RASTER_DRAW_OFFSET, "every device has 128 bytes of push constants");
#endif

#endif
