/* glb_pictures.h: the textures of a model as PNG files in memory, for .glb files. */
#ifndef APP_GLB_PICTURES_H
#define APP_GLB_PICTURES_H

#include "engine_error.h"
#include "model.h"

/* Made once for all files of a sequence. */
typedef struct GlbPictures {
    const Model *model;
    uint32_t count;  /* number of the model's textures */
    uint8_t **bytes; /* [count]; null: no material uses it */
    size_t *sizes;   /* [count], bytes */
} GlbPictures;

/* The model must stay. False: *error is written, and *pictures is zero. */
bool glbPicturesCreate(const Model *model, GlbPictures *pictures, EngineError *error);

/* Zero ones are allowed. */
void glbPicturesFree(GlbPictures *pictures);

/* The most bytes that they may take. */
uint64_t glbPicturesSizeMax(const Model *model);

#endif
