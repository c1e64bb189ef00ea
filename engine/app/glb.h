/*
 * glb.h: a .glb file (glTF 2.0) while it is made: the document, the bytes that it refers to, materials with their pictures.
 *
 * The calls fail only if memory runs out. `good` then becomes false, and glbWrite fails. Indices that they return count within
 * their list of the document, from 0.
 */
#ifndef APP_GLB_H
#define APP_GLB_H

#include <stdio.h>

#include "glb_pictures.h"
#include "outputs.h"

/* The lists of the document. */
typedef enum GlbList {
    GLB_NODES = 0,
    GLB_MESHES,
    GLB_SKINS,
    GLB_ANIMATIONS,
    GLB_MATERIALS,
    GLB_TEXTURES,
    GLB_SAMPLERS,
    GLB_IMAGES,
    GLB_ACCESSORS,
    GLB_VIEWS,
    GLB_LIST_COUNT
} GlbList;

enum { GLB_BYTE = 5121, GLB_SHORT = 5123, GLB_INTEGER = 5125, GLB_FLOAT = 5126 }; /* unsigned, but for the float */
enum { GLB_NO_TARGET = 0, GLB_VERTICES = 34962, GLB_INDICES = 34963 };

#define GLB_NONE UINT64_MAX

/* Extensions of materials, as bits of Glb.extensions. */
typedef enum GlbExtension { GLB_STRENGTH = 0, GLB_SPECULAR, GLB_UNLIT, GLB_EXTENSION_COUNT } GlbExtension;

typedef struct Glb {
    const GlbPictures *pictures;
    cJSON *object, *lists[GLB_LIST_COUNT]; /* lists are null while they are empty: the format forbids empty ones */
    uint64_t counts[GLB_LIST_COUNT];
    cJSON *scene, *view; /* the scene's list of nodes, null while it is empty; the view that grows */
    uint64_t viewAt;     /* where its bytes begin */
    uint64_t
        *textures;    /* [textures of the model][MODEL_WRAP_COUNT][MODEL_WRAP_COUNT]: index in the document + 1, or 0 */
    uint64_t *images; /* [textures of the model]: the same of the picture */
    unsigned extensions; /* that materials use */
    FILE *stream;        /* writes `bytes`, which glbWrite reads */
    char *bytes;
    size_t room, size; /* size: bytes so far */
    bool good;
} Glb;

/* pictures: stay until glbFree. comment: begins with the program's name. To be freed on failure too. */
void glbBegin(Glb *glb, const GlbPictures *pictures, const char *comment);
void glbFree(Glb *glb);

/* Adds members to an object of the document. */
#define GLB_SET(glb, object, ...) JSON_ADD(object, &(glb)->good, __VA_ARGS__)

/* A new last object of a list. Its index is that of glbLast. */
#define GLB_ADD(glb, list, ...) GLB_SET(glb, glbAdd(glb, list), __VA_ARGS__)
cJSON *glbAdd(Glb *glb, GlbList list);
uint64_t glbLast(const Glb *glb, GlbList list);

/* Adds an index to the list `name` of an object, and makes the list for the first one. */
void glbRefer(Glb *glb, cJSON *object, const char *name, uint64_t index);

/* Begins the view that glbPut fills. stride: bytes, or 0. Returns its index. */
uint64_t glbBeginView(Glb *glb, uint64_t stride, int target);
void glbEndView(Glb *glb);

/* Adds numbers to the view, after zeros up to a multiple of 4 bytes. Returns where they begin in the view. */
uint64_t glbPut(Glb *glb, const void *numbers, int component, size_t count);

/* A view with these numbers alone. Returns its index. */
uint64_t glbView(Glb *glb, uint64_t stride, int target, const void *numbers, int component, size_t count);

/* width: numbers of an element: 1 to 4, or 16. view: GLB_NONE: all elements are zero. */
cJSON *glbAccessor(Glb *glb, uint64_t view, uint64_t offset, int component, uint64_t count, size_t width);

/* A view with these numbers alone, and its accessor, which is returned. */
cJSON *glbArray(Glb *glb, const void *numbers, int component, uint64_t count, size_t width, int target);

/* Minimum and maximum of values[count][width], width at most 3. zero: some elements of the accessor are 0, too. */
void glbRange(Glb *glb, cJSON *accessor, const float *values, size_t count, size_t width, bool zero);

/* The node's matrix: columns, with the last row (0 0 0 1). */
void glbMatrix(Glb *glb, cJSON *node, const float linear[3][3]);

/* Adds a material with its textures and their pictures. Returns its index. */
uint64_t glbMaterial(Glb *glb, const ModelMaterial *material);

extern const char *const GLB_EXTENSION_NAMES[GLB_EXTENSION_COUNT];

/* Completes the document and writes all of the file. path: for the message. False: *error says why. */
bool glbWrite(Glb *glb, FILE *file, const char *path, EngineError *error);

#endif
