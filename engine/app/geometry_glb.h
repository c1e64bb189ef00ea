/* geometry_glb.h: geometry as a .glb file: glTF 2.0 in one binary file, with materials and their pictures. */
#ifndef APP_GEOMETRY_GLB_H
#define APP_GEOMETRY_GLB_H

#include <stdio.h>

#include "geometry.h"

/* The textures of a model as PNG files in memory, made once for all files of a sequence. */
typedef struct GlbPictures {
    const Model *model;
    uint32_t count;  /* of the model's textures */
    uint8_t **bytes; /* [count]; null: no material uses it */
    size_t *sizes;   /* [count], bytes */
} GlbPictures;

/* The model must stay. False: *error is written, and *pictures is zero. */
bool glbPicturesCreate(const Model *model, GlbPictures *pictures, EngineError *error);

/* Zero ones are allowed. */
void glbPicturesFree(GlbPictures *pictures);

/* The most bytes that they may take. */
uint64_t glbPicturesSizeMax(const Model *model);

/* Writes all of the file. False: *error says why. */
bool glbWrite(FILE *file, const Geometry *geometry, const GlbPictures *pictures, const char *comment, const char *path,
              EngineError *error);

#endif
