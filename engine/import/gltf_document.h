/*
 * gltf_document.h: a glTF file as it is, in plain C structs. Made by gltf_document.cpp, the only C++ of the project.
 *
 * Nothing here is checked but the file's syntax: indices may point anywhere, counts may lie. An index of -1 means
 * that the file has none. All pointers live until gltfDocumentFree.
 */
#ifndef ENGINE_GLTF_DOCUMENT_H
#define ENGINE_GLTF_DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct GltfBuffer {
    const uint8_t *bytes;
    size_t size;
} GltfBuffer;

typedef struct GltfView {
    int buffer;
    size_t offset, length;
    size_t stride; /* 0: elements follow each other */
} GltfView;

/* Some elements of an accessor, replaced. */
typedef struct GltfSparse {
    int count; /* 0: none */
    int indexView, indexOffset, indexComponent;
    int valueView, valueOffset;
} GltfSparse;

typedef struct GltfAccessor {
    int view; /* -1: zeros */
    size_t offset, count;
    int component;  /* the file's number for the component type: 5120 to 5126 */
    int components; /* 1 (SCALAR) to 16 (MAT4); 0: unknown */
    bool normalized;
    GltfSparse sparse;
} GltfAccessor;

typedef struct GltfAttribute {
    const char *name; /* "POSITION", "JOINTS_0" ... */
    int accessor;
} GltfAttribute;

/* What a morph target adds to attributes of its primitive. */
typedef struct GltfTarget {
    const GltfAttribute *attributes;
    size_t attributeCount;
} GltfTarget;

typedef struct GltfPrimitive {
    const GltfAttribute *attributes;
    size_t attributeCount;
    const GltfTarget *targets;
    size_t targetCount;
    int indices, material;
    int mode; /* 0 points ... 4 triangles, 5 strip, 6 fan */
} GltfPrimitive;

typedef struct GltfMesh {
    const char *name;
    const GltfPrimitive *primitives;
    size_t primitiveCount;
    const double *weights; /* of the targets at rest; of any length, like the names */
    size_t weightCount;
    const char *const *targetNames; /* by a habit of exporters: extras.targetNames */
    size_t targetNameCount;
} GltfMesh;

typedef struct GltfNode {
    const char *name;
    int mesh, skin;
    const int *children;
    size_t childCount;
    const double *weights; /* of the mesh's targets, in place of the mesh's own; none: weightCount 0 */
    size_t weightCount;
    bool hasMatrix; /* then `matrix` counts, column-major; else the other three */
    double matrix[16];
    double translation[3], rotation[4], scale[3];
} GltfNode;

typedef struct GltfSkin {
    int inverseBinds;
    const int *joints;
    size_t jointCount;
} GltfSkin;

typedef struct GltfChannel {
    int sampler, node;
    const char *path; /* "translation", "rotation", "scale", "weights" */
} GltfChannel;

typedef struct GltfSampler {
    int input, output;
    const char *interpolation; /* "LINEAR", "STEP", "CUBICSPLINE" */
} GltfSampler;

typedef struct GltfAnimation {
    const char *name;
    const GltfChannel *channels;
    size_t channelCount;
    const GltfSampler *samplers;
    size_t samplerCount;
} GltfAnimation;

typedef struct GltfMaterial {
    const char *name;
    double baseColor[4];                  /* linear */
    int image;                            /* of the base colour; -1: none, -2: the file names one that is not there */
    int texcoord;                         /* which TEXCOORD_n it reads */
    double offset[2], rotation, scale[2]; /* of those, by KHR_texture_transform; (0 0), 0 and (1 1) without it */
} GltfMaterial;

typedef struct GltfImage {
    const uint8_t *bytes; /* the picture file; null: not found */
    size_t size;
} GltfImage;

typedef struct GltfDocument {
    const GltfBuffer *buffers;
    const GltfView *views;
    const GltfAccessor *accessors;
    const GltfMesh *meshes;
    const GltfNode *nodes;
    const GltfSkin *skins;
    const GltfAnimation *animations;
    const GltfMaterial *materials;
    const GltfImage *images;
    size_t bufferCount, viewCount, accessorCount, meshCount, nodeCount, skinCount, animationCount, materialCount;
    size_t imageCount;
    const int *sceneNodes; /* the roots of the scene to show */
    size_t sceneNodeCount;
    bool hasScene; /* false: the file has no scenes, every node is shown */
    const char *const *requiredExtensions;
    size_t requiredExtensionCount;
} GltfDocument;

/*
 * Reads a file's bytes: binary (.glb) or text. Buffers and pictures beside it are read from `folder` (ends with a
 * slash, or is empty) and from nowhere above it. Null: `message` (IMPORT_MESSAGE_SIZE bytes) says "PATH: why".
 */
const GltfDocument *gltfDocumentRead(const uint8_t *bytes, size_t size, const char *folder, const char *path,
                                     char *message);
void gltfDocumentFree(const GltfDocument *document);

/* From now on an allocation of any C++ code that fails ends the process: see childOutOfMemory. */
void gltfGuardMemory(void);

#ifdef __cplusplus
}
#endif

#endif
