/*
 * model.h: a character as a file describes it, in plain arrays: what import makes and the engine draws.
 *
 * A model owns all that it points to, each array in memory of its own from malloc; modelFree frees it.
 * It knows neither Vulkan nor any file format. Node order: parents first. Lengths in the file's own unit and axes.
 */
#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "vkskin/vkskin_pose.h"

#define MODEL_TEXTURE_SIDE  8192u                /* texels that a texture has at most, across and down */
#define MODEL_TEXTURE_BYTES ((size_t)1024 << 20) /* that the pixels of a model's textures take at most, together */

typedef struct ModelNode {
    char *name;     /* never null; need not be unique */
    int32_t parent; /* -1: root; else below the node's own index */
    VkskinTransform rest;
    VkskinAffine preTransform; /* identity but for a rest matrix that has no T R S form */
} ModelNode;

/* Bones of a mesh part: which nodes move it. Rigid parts have one bone: their own node, identity inverse bind. */
typedef struct ModelSkin {
    uint32_t boneCount;
    uint32_t *boneNodes;        /* [boneCount] */
    VkskinAffine *inverseBinds; /* [boneCount] */
} ModelSkin;

/*
 * A morph target: what is added to some vertices, times a weight, before the bones move them. Deltas are in the mesh's
 * own space. One that moves nothing is there all the same, so that the file's numbers of targets hold.
 */
typedef struct ModelMorph {
    char *name;           /* never null; need not be unique */
    uint32_t vertexCount; /* moved ones; 0 for a target that moves nothing */
    uint32_t *vertices;   /* [vertexCount], ascending, no two the same, each below the mesh's */
    float *positions;     /* [vertexCount][3], finite, or null: nowhere */
    float *normals;       /* likewise; where the file has no normals, those of the morphed faces minus the mesh's */
    float *tangents;      /* likewise; null where the mesh has no tangents */
} ModelMorph;

typedef struct ModelMesh {
    char *name;
    uint32_t vertexCount;
    float *positions;    /* [vertexCount][3] */
    float *normals;      /* [vertexCount][3]; always there: computed from the faces where the file has none */
    float *tangents;     /* [vertexCount][4], w the handedness, or null */
    float *texcoords;    /* [vertexCount][2], (0, 0) the image's upper left, or null */
    uint32_t influences; /* per vertex, at least 1; unused ones have weight 0 and joint 0 */
    uint32_t *joints;    /* [vertexCount][influences] into the bones of the part's skin */
    float *weights;      /* [vertexCount][influences] as the file has them (not normalised), finite, >= 0, sum > 0 */
    uint32_t boneCount;  /* all joints lie below */
    uint32_t indexCount; /* a multiple of 3: triangles, counter-clockwise seen from outside */
    uint32_t *indices;   /* [indexCount], each below vertexCount */
    uint32_t material;
    uint32_t morphCount;
    ModelMorph *morphs;  /* [morphCount]; the meshes that a file's one mesh becomes have the same in number and name */
    float *blendWeights; /* [vertexCount], 0 (linear) to 1 (dual quaternions), of a painted blend, or null */
} ModelMesh;

/*
 * A mesh placed at a node by a skin. Several parts may share a mesh, or a skin, or a node; the nodes of parts that
 * share a skin have the same world at rest. The skin has at least as many bones as the mesh.
 */
typedef struct ModelPart {
    uint32_t mesh;
    uint32_t skin;
    /* The node that carries the mesh, or where that one's world at rest has no inverse, the closest above it that has:
     * its world at rest is the skin's meshToModel. Where none has, the node that carries the mesh, whose world cannot
     * serve: meshToModel is then the identity (any invertible one places the vertices alike). */
    uint32_t node;
    uint32_t carrier;    /* the node that carries the mesh: tracks of its morph weights are this part's */
    float *morphWeights; /* [morphCount of the mesh] at rest, finite, or null: all zero */
} ModelPart;

typedef struct ModelTexture {
    uint32_t width, height; /* 1 to MODEL_TEXTURE_SIDE */
    uint8_t *pixels;        /* [height][width][4], sRGB, upper row first */
} ModelTexture;

typedef struct ModelMaterial {
    char *name;
    float baseColor[4]; /* linear */
    int32_t texture;    /* multiplied with it; -1: none. Materials may share one */
} ModelMaterial;

typedef struct ModelClip {
    char *name;
    float duration; /* seconds; 0: a pose */
    uint32_t trackCount;
    VkskinTrack *tracks; /* times and values belong to the model */
} ModelClip;

/* What import had to mend, so that a user can mend the file. */
typedef struct ModelRepairs {
    uint32_t weightsNegative;    /* influences whose weight was negative or not finite, taken as 0 */
    uint32_t verticesUnweighted; /* vertices without any weight in a skinned mesh: tied to the mesh's node */
    uint32_t normalsComputed;    /* meshes without normals */
    uint32_t trianglesDropped;   /* faces that are points or lines */
    uint32_t nodesSheared;       /* nodes whose matrix has shear, kept as a pre-transform */
    uint32_t tracksDropped;      /* of nodes that do not exist, or without keys */
    uint32_t texturesMissing;    /* named but not found or not readable: base colour used */
    uint32_t texturesTooLarge;   /* above MODEL_TEXTURE_SIDE or _BYTES: base colour used */
} ModelRepairs;

typedef struct Model {
    uint32_t nodeCount, skinCount, meshCount, partCount, textureCount, materialCount, clipCount;
    ModelNode *nodes;
    ModelSkin *skins;
    ModelMesh *meshes;
    ModelPart *parts;
    ModelTexture *textures;
    ModelMaterial *materials;
    ModelClip *clips;
    ModelRepairs repairs;
} Model;

/* Frees a model and all it points to. Null is allowed. */
void modelFree(Model *model);

/* Frees what a mesh points to and leaves it zero; the struct stays its owner's. */
void modelFreeMesh(ModelMesh *mesh);

#endif
