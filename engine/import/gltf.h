/*
 * gltf.h: .gltf and .glb files: the document as it stands in the file, and its conversion to a model. For the parser's
 * process.
 *
 *     gltf_document.cpp   parses the file with tinygltf, copies it to the structs below
 *     gltf_accessor.c     reads numbers from buffers
 *     gltf.c              nodes, clips, materials
 *     gltf_mesh.c         primitives, morph targets, skins, parts
 */
#ifndef ENGINE_GLTF_H
#define ENGINE_GLTF_H

#include "engine_error.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a file. Null: *error is written. */
Model *gltfParse(const char *path, EngineError *error);

/*
 * ---- The document ----
 *
 * Only the file's syntax is checked: an index may point anywhere, a count may be wrong. An index of -1 means that the
 * file has none. Pointers are valid until gltfDocumentFree.
 */

typedef struct GltfBuffer {
    const uint8_t *bytes;
    size_t size;
} GltfBuffer;

typedef struct GltfView {
    int buffer;
    size_t offset, length;
    size_t stride; /* 0: elements are contiguous */
} GltfView;

/* Elements of an accessor that are replaced. */
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

/* A morph target: deltas of attributes of its primitive. */
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
    const double *weights; /* of the targets at rest; the count need not match, nor that of the names */
    size_t weightCount;
    const char *const *targetNames; /* extras.targetNames, which many exporters write */
    size_t targetNameCount;
} GltfMesh;

typedef struct GltfNode {
    const char *name;
    int mesh, skin;
    const int *children;
    size_t childCount;
    const double *weights; /* of the mesh's targets, in place of the mesh's own; weightCount 0: none */
    size_t weightCount;
    bool hasMatrix; /* true: `matrix` is used, column-major; false: the other three */
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
    int image;                            /* of the base colour; -1: none, -2: the file names one that does not exist */
    int texcoord;                         /* the n of the TEXCOORD_n that it reads */
    double offset[2], rotation, scale[2]; /* KHR_texture_transform; without it (0 0), 0, (1 1) */
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
    bool hasScene; /* false: the file has no scene, and every node is shown */
    const char *const *requiredExtensions;
    size_t requiredExtensionCount;
} GltfDocument;

/*
 * Parses a file's bytes, binary (.glb) or text. path: its name says which. Buffers and pictures beside the file are read
 * from `folder` (ends with a slash, or is empty) and below, nowhere else. Null: *error is written.
 */
const GltfDocument *gltfDocumentRead(const uint8_t *bytes, size_t size, const char *folder, const char *path,
                                     EngineError *error);
void gltfDocumentFree(const GltfDocument *document);

/* From now on a failed allocation in C++ code ends the process: see childOutOfMemory. */
void gltfGuardMemory(void);

/* ---- Its conversion ---- */

/* Null: *error is written. */
Model *gltfConvert(const GltfDocument *document, EngineError *error);

typedef struct GltfSource {
    const GltfDocument *document;
    Model *model;         /* being made */
    uint32_t *modelNodes; /* [document->nodeCount]: the model's node for each of the document's */
    bool *shown;          /* [model->nodeCount]: in the scene */
    EngineError *error;
} GltfSource;

/* The accessor of an attribute; -1: the attribute is absent. */
int gltfFindAttribute(const GltfAttribute *attributes, size_t count, const char *name);

/* How many elements an accessor claims to have; 0 where the accessor does not exist. */
size_t gltfAccessorCount(const GltfSource *source, int accessor);

/*
 * Reads all elements of an accessor, `components` numbers each. Resolves strides, offsets, sparse replacements and
 * normalised integers. An accessor without a buffer view gives zeros. Every read is checked against buffer view and
 * buffer. Null: source->error says what is wrong with `what` ("POSITION of mesh 'body'"). free() the result.
 */
float *gltfReadFloats(const GltfSource *source, int accessor, int components, const char *what);

/* The same for unsigned integers, not normalised. */
uint32_t *gltfReadUnsigned(const GltfSource *source, int accessor, int components, const char *what);

/* The number of morph targets of a mesh, as its first primitive has them. */
size_t gltfTargetCount(const GltfMesh *mesh);

/* Makes the model's meshes, skins and parts. Its nodes and materials are complete. False: source->error is written. */
bool gltfConvertMeshes(const GltfSource *source);

#ifdef __cplusplus
}
#endif

#endif
