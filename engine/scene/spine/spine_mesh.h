/*
 * spine_mesh.h: a 2D model as one flat mesh of the library: every picture of every attachment, with one position per
 * influence. The mesh stays on the device; a pose changes the palette, the morph weights and what is drawn.
 *
 * A key of a deform timeline is a morph target, whose deltas are the key's offsets: two weights mix two keys, times the
 * animation's share where several are mixed.
 */
#ifndef ENGINE_SPINE_MESH_H
#define ENGINE_SPINE_MESH_H

#include "spine_pose.h"
#include "vkskin/vkskin_mesh.h"

/* What skinning does not change. */
typedef struct SpineVertex {
    float texcoord[2]; /* coordinates in the picture's page */
    uint32_t slot;
    uint32_t paint; /* 0: the picture; else the colour of a paint: unorm 8 a channel, red lowest */
} SpineVertex;

/* Some of SpineMesh.indices. */
typedef struct SpineRange {
    uint32_t first, count;
} SpineRange;

/* The morph targets of a deform timeline. */
typedef struct SpineKeys {
    const SpineTimeline *timeline;
    uint32_t firstKey; /* in SpineMesh.morphOfKey */
} SpineKeys;

typedef struct SpineMesh {
    const SpineModel *spine;
    uint32_t vertexCount, indexCount, pictureCount, keysCount, morphCount;
    uint32_t influences;   /* places per vertex */
    float *positions;      /* [vertexCount][influences][2], in the space of each bone */
    float *weights;        /* [vertexCount][influences] */
    uint32_t *joints;      /* [vertexCount][influences]: bones of the 2D model */
    SpineVertex *vertices; /* [vertexCount] */
    uint32_t *indices;     /* [indexCount] triangles; of a clipping polygon a fan, which may fold over itself */
    SpineRange *pictures;  /* [pictureCount] */
    uint32_t
        *firstPicture;     /* [attachmentCount + 1]: pictures of an attachment: its frames; one of a clipping polygon */
    uint32_t *firstVertex; /* [attachmentCount + 1] */
    SpineKeys *keys;       /* [keysCount], in the order of the addresses of their timelines */
    uint32_t *morphOfKey;  /* SPINE_NO_MORPH: all offsets of the key are 0 */
    VkskinMorphTarget *morphs; /* [morphCount]; they own their arrays */
} SpineMesh;

#define SPINE_NO_MORPH UINT32_MAX

/* The 2D model must stay. The caller calls spineMeshFree also after a failure. */
bool spineMeshCreate(const SpineModel *spine, SpineMesh *mesh, EngineError *error);
void spineMeshFree(SpineMesh *mesh);

/* Points into the mesh. */
VkskinMeshDef spineMeshDef(const SpineMesh *mesh);

/*
 * palette: [boneCount of the 2D model][6], as VKSKIN_PALETTE_MAT2X3: from each bone to the 2D model's space, and by `place` from
 * there to the world. weights: [morphCount]. Both are only written.
 */
void spineMeshPose(const SpineMesh *mesh, const SpinePose *pose, const SpineMatrix *place, float *palette,
                   float *weights);

/* The triangles of what the slot shows; count 0: none. */
SpineRange spineMeshShown(const SpineMesh *mesh, const SpinePose *pose, uint32_t slot);

#endif
