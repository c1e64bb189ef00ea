/*
 * model.h: a character as described by a file, in plain arrays. Import makes it, the engine draws it.
 *
 * A model owns all memory that it points to. Each array is one malloc allocation, or lies in Model.image, the bytes of a
 * packed file; modelFree frees them all. Clips and their arrays are never in the image: they may move to another model.
 * A model does not depend on Vulkan or a file format. Parent nodes come before their children. Lengths are in the
 * file's unit, axes are the file's (Model.up, Model.metres).
 *
 * To add a field: add it here, add its row to the struct's table in model_fields.c, then fill it in the importers. Freeing,
 * checking, the parser's answer, gathering, welding and the fuzzer's models follow from the table (model_fields.h).
 */
#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "vkskin/vkskin_pack.h"
#include "vkskin/vkskin_pose.h"

#define MODEL_TEXTURE_SIDE  8192u                /* maximum width and height of a texture, in texels */
#define MODEL_TEXTURE_BYTES ((size_t)1024 << 20) /* maximum size of all textures of a model together */

typedef struct ModelNode {
    char *name;     /* never null; need not be unique */
    int32_t parent; /* -1: root; else below the node's own index */
    VkskinTransform rest;
    VkskinAffine preTransform; /* identity, except if the rest matrix has no T R S form */
} ModelNode;

/* The bones of a part: the nodes that move it. A rigid part has one bone: its own node, with identity inverse bind. */
typedef struct ModelSkin {
    uint32_t boneCount;         /* at least 1 */
    uint32_t *boneNodes;        /* [boneCount] */
    VkskinAffine *inverseBinds; /* [boneCount] */
} ModelSkin;

/*
 * A morph target: deltas of some vertices. They are multiplied by a weight and added before skinning, in the mesh's
 * space. A target that moves nothing is kept, so that targets keep the file's numbering.
 */
typedef struct ModelMorph {
    char *name;           /* never null; need not be unique */
    uint32_t vertexCount; /* number of vertices that it moves; may be 0 */
    uint32_t *vertices;   /* [vertexCount], strictly ascending, each below the mesh's vertexCount */
    float *positions;     /* [vertexCount][3], finite, or null: all zero */
    float *normals;       /* as positions; if the file has no normals: those of the morphed faces minus the mesh's */
    float *tangents;      /* as positions; null if the mesh has no tangents */
} ModelMorph;

#define MODEL_LODS_MAX       3u
#define MODEL_LOD_INFLUENCES 4u

/* A mesh in a coarser level of detail: the vertices of the mesh that it keeps. modelLodMesh makes a mesh of it. */
typedef struct ModelLod {
    float error;         /* maximum distance to the mesh, in the model's unit, at least 0: see model_lods.h */
    uint32_t influences; /* per vertex, 1 to MODEL_LOD_INFLUENCES; those with the largest weights are kept */
    uint32_t vertexCount;
    uint32_t *vertices; /* [vertexCount]: vertices of the mesh */
    uint32_t indexCount;
    uint32_t *indices; /* [indexCount], as those of the mesh, each below this vertexCount */
} ModelLod;

typedef struct ModelMesh {
    char *name;
    uint32_t vertexCount;
    float *positions;    /* [vertexCount][3] */
    float *normals;      /* [vertexCount][3], never null: computed from the faces if the file has none */
    float *tangents;     /* [vertexCount][4], w is the handedness, or null */
    float *texcoords;    /* [vertexCount][2], (0, 0) is the upper left of the image, or null */
    float *colours;      /* [vertexCount][4], 0 to 1, linear: times the base colour and its alpha; null: all 1 */
    uint32_t influences; /* per vertex, at least 1; unused ones have weight 0 and joint 0 */
    uint32_t *joints;    /* [vertexCount][influences], indices into the bones of the part's skin */
    float *weights;      /* [vertexCount][influences], as in the file (not normalised), finite, >= 0, sum > 0 */
    uint32_t boneCount;  /* every joint is below it */
    uint32_t indexCount; /* multiple of 3: triangles, counter-clockwise seen from outside */
    uint32_t *indices;   /* [indexCount], each below vertexCount */
    uint32_t material;
    uint32_t morphCount;
    ModelMorph *morphs;  /* [morphCount]; all meshes made from one mesh of the file have the same number and names */
    float *blendWeights; /* [vertexCount], painted blend from 0 (linear) to 1 (dual quaternions), or null */
    uint32_t lodCount;   /* the same of all meshes, up to MODEL_LODS_MAX */
    ModelLod *lods;      /* [lodCount], from fine to coarse */
} ModelMesh;

/*
 * A mesh placed at a node with a skin. Parts may share a mesh, a skin or a node. The nodes of parts that share a skin
 * have the same world matrix at rest. The skin has at least as many bones as the mesh.
 */
typedef struct ModelPart {
    uint32_t mesh;
    uint32_t skin;
    /* The node whose world matrix at rest is the skin's meshToModel: the carrier, or its closest ancestor whose matrix
     * has an inverse. If there is none, the carrier. meshToModel is then the identity: any invertible matrix gives the
     * same vertices. */
    uint32_t node;
    uint32_t carrier;    /* the node that carries the mesh: tracks of its morph weights drive this part */
    float *morphWeights; /* [morphCount of the mesh] at rest, finite, or null: all zero */
} ModelPart;

typedef struct ModelTexture {
    char *name;             /* name of the file in the model, or of a picture in the model; never null */
    char *path;             /* path of the file that was read, below the model's folder; "": a picture in the model */
    uint32_t width, height; /* 1 to MODEL_TEXTURE_SIDE */
    uint8_t *pixels;        /* [height][width][4], upper row first; sRGB or linear as the map that uses it */
    uint32_t sourceSize;
    uint8_t *source; /* [sourceSize]: the PNG or JPEG file that the pixels are of; null: not known */
} ModelTexture;

/* The textures of a material, all with the mesh's texture coordinates. */
typedef enum ModelMap {
    MODEL_MAP_BASE = 0, /* sRGB: times baseColor */
    MODEL_MAP_EMISSION, /* sRGB: times emission; the first MODEL_MAP_SRGB are sRGB */
    MODEL_MAP_NORMAL, /* x, y and z from -1 to 1 in red, green and blue: along the tangent, the bitangent, the normal */
    MODEL_MAP_SURFACE,   /* green: times roughness, blue: times metallic */
    MODEL_MAP_OCCLUSION, /* red: share of the sky's light that arrives */
    MODEL_MAP_COUNT
} ModelMap;

#define MODEL_MAP_SRGB 2

/* What a texture shows beyond its border. */
typedef enum ModelWrap { MODEL_WRAP_REPEAT = 0, MODEL_WRAP_CLAMP, MODEL_WRAP_MIRROR, MODEL_WRAP_COUNT } ModelWrap;

typedef enum ModelAlpha {
    MODEL_ALPHA_OPAQUE = 0, /* alpha has no effect */
    MODEL_ALPHA_MASK,       /* drawn where alpha is at least alphaCutoff */
    MODEL_ALPHA_BLEND       /* mixed with what is behind */
} ModelAlpha;

/* modelPlainMaterial gives the defaults. Colours are linear. */
typedef struct ModelMaterial {
    char *name;
    float baseColor[4];        /* colour of diffuse light; of reflections too, as far as the material is metallic */
    float emission[3];         /* light that the surface sends, at least 0 */
    float specular[3];         /* reflectance of what is not metallic, seen straight on, 0 to 1 */
    float metallic, roughness; /* 0 to 1 */
    float normalScale;         /* factor of x and y of MODEL_MAP_NORMAL */
    float occlusion;           /* effect of MODEL_MAP_OCCLUSION, 0 to 1 */
    float alphaCutoff;         /* at least 0 */
    ModelAlpha alpha;
    uint32_t oneSided;                   /* 1: seen from behind, triangles are invisible; else 0 */
    uint32_t unlit;                      /* 1: shows its base colour without light; else 0 */
    int32_t maps[MODEL_MAP_COUNT];       /* indices into the model's textures, may be shared; -1: none */
    ModelWrap wraps[MODEL_MAP_COUNT][2]; /* wrap of each map: along u, along v */
} ModelMaterial;

typedef struct ModelClip {
    char *name;
    float duration;     /* seconds, at least 0; 0: a pose */
    float assumedTicks; /* ticks per second that import assumed; 0: the file states its own, or has times in seconds */
    float framesPerSecond; /* as the file states it, for people who count frames; 0: it does not. Not in a .vkm file */
    uint32_t trackCount;
    VkskinTrack *tracks; /* [trackCount]; the model owns their times and values */
} ModelClip;

/* Repairs made by import, so that a user can correct the file. */
typedef struct ModelRepairs {
    uint32_t weightsNegative;    /* influences with a negative or not finite weight, taken as 0 */
    uint32_t verticesUnweighted; /* vertices without a weight in a skinned mesh: bound to the mesh's node */
    uint32_t normalsComputed;    /* meshes without normals */
    uint32_t trianglesDropped;   /* points, lines, and corners past the last whole triangle */
    uint32_t nodesSheared;       /* nodes with a sheared matrix, kept as pre-transform */
    uint32_t tracksDropped;      /* tracks of unknown nodes, or without keys */
    uint32_t texturesMissing;    /* named but not found or not readable: base colour used */
    uint32_t texturesTooLarge;   /* above MODEL_TEXTURE_SIDE or _BYTES: base colour used */
} ModelRepairs;

/* The axis of the model's space that points up. */
typedef enum ModelUp { MODEL_UP_Y, MODEL_UP_Z, MODEL_UP_X } ModelUp;

/* One sentence, without a full stop, about something in the file that the model does not show as its author meant it. */
typedef struct ModelWarning {
    char *text; /* names the node, mesh, clip or texture */
} ModelWarning;

/* The skeleton and the clips of a model as a packed animation set. See model_pack.h. */
typedef struct PackedModel {
    void *block; /* null: none */
    size_t size;
    VkskinAnimationStats *stats; /* [clipCount of the model] */
    double unitsPerMillimetre;   /* model units per millimetre, on a character 1.8 m high */
    bool borrowed;               /* block and stats belong to a Model, which outlives this struct */
} PackedModel;

/* A file that was read for a model, as stat() knows it. */
typedef struct ModelFile {
    uint64_t device, inode;
} ModelFile;

typedef struct Model {
    uint32_t nodeCount, skinCount, meshCount, partCount, textureCount, materialCount, clipCount, warningCount,
        spineCount, fileCount;
    ModelNode *nodes;
    ModelSkin *skins;
    ModelMesh *meshes;
    ModelPart *parts;
    ModelTexture *textures;
    ModelMaterial *materials;
    ModelClip *clips;
    ModelWarning *warnings;
    struct SpineModel
        *spines;      /* [spineCount], at most one: a 2D character (spine_model.h), without meshes, nodes and clips */
    ModelFile *files; /* [fileCount], or null: the model's file and those that it names; a built-in model has none */
    ModelUp up;
    float metres; /* length of the file's unit; 0: the file does not state it */
    ModelRepairs repairs;
    /* Only of a packed file (engine/pack). With it, `clips` have tracks of morph weights alone; modelUnpack gives them
     * those of the block. Code that changes clips calls it first. */
    PackedModel packed; /* the block is in `image`; the model owns the stats */
    void *image;        /* the bytes of the file: arrays and texts of the model may lie in them; or null */
    size_t imageSize;
} Model;

/* White, not metallic, of medium roughness, without maps. name: taken over. */
ModelMaterial modelPlainMaterial(char *name);

/* Adds a warning, once for each text; after MODEL_WARNINGS_MAX only a last one that says so. False: out of memory. */
__attribute__((format(printf, 2, 3))) bool modelWarn(Model *model, const char *format, ...);
#define MODEL_WARNINGS_MAX 64

/* Frees a model and all memory that it points to. Null and partly made models are allowed. */
void modelFree(Model *model);

/* Forgets the packed clips. See modelUnpack. */
void modelDropPacked(Model *model);

/* Gives a mesh copies of its arrays that lie in Model.image, so that code may free them. False: out of memory. */
bool modelOwnMesh(const Model *model, ModelMesh *mesh);

/* Copies a mesh with all its arrays. to: receives the copy, for modelFreeMesh, on failure too. False: out of memory. */
bool modelCopyMesh(const ModelMesh *from, ModelMesh *to);

/* Frees the arrays of a mesh and zeroes it. Does not free the struct itself. The mesh has no array in Model.image. */
void modelFreeMesh(ModelMesh *mesh);

/* Frees the name and the tracks of a clip and zeroes it. Does not free the struct itself. */
void modelFreeClip(ModelClip *clip);

/*
 * The clip that a user names: its index from 0, in digits alone, else its name, for nameFind.
 * clipCount: there is no such clip.
 */
uint32_t modelClipNamed(const Model *model, const char *wanted);

/*
 * Whether a model obeys the rules of this header: every index in range, every number finite, at least one part, or no
 * mesh and at least one clip, or a 2D model. Each array must be as long as its count. False: *error names the first fault.
 */
struct EngineError;
bool modelCheck(const Model *model, struct EngineError *error);

/* The same. *kind receives the name of the struct with the fault, such as "mesh"; static memory. */
bool modelCheckKind(const Model *model, const char **kind, struct EngineError *error);

/* True if no element of values[count] is NaN or infinite. */
bool finiteAll(const float *values, size_t count);

#endif
