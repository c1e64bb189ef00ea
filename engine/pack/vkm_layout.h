/*
 * vkm_layout.h: the bytes of a packed model, a file whose name ends in .vkm. docs/formats.md describes them for other
 * writers and readers.
 *
 * All numbers are little-endian. A file is a VkmHeader, then chunks. A chunk is a VkmChunk and its payload; zeros up to
 * a multiple of 16 bytes follow it. A payload begins with one of the structs below. "At" is the number of bytes from
 * the start of the payload to an array or a text (UTF-8 with a final zero).
 *
 * In a payload, arrays and texts follow the struct in the order in which this header lists the members that name them: first
 * the tables of the head struct, then what each row of the first table names, then of the second. They do not overlap.
 * So a reader may write to an array without changing another one. Arrays start at multiples of 4 bytes, those with no
 * elements may have any At.
 */
#ifndef ENGINE_VKM_LAYOUT_H
#define ENGINE_VKM_LAYOUT_H

#include "model.h"

#define VKM_ENDING           ".vkm"
#define VKM_MAGIC            "\x89VKM\r\n\x1a\n"
#define VKM_MAGIC_SIZE       8
#define VKM_MAJOR            1u
#define VKM_MINOR            2u
#define VKM_ALIGNMENT        16u
#define VKM_NO_TEXTURE       UINT32_MAX
#define VKM_TYPE(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

typedef struct VkmHeader {
    char magic[VKM_MAGIC_SIZE]; /* VKM_MAGIC */
    uint16_t major, minor;      /* version of the format: readers refuse a newer major, and ignore the minor */
    uint32_t chunkCount;
    uint64_t fileBytes; /* bytes of the whole file */
    uint64_t checksum;  /* checksum of the members above: see vkm_checksum.h */
} VkmHeader;

typedef struct VkmChunk {
    uint32_t type;     /* VKM_TYPE; four printable ASCII characters */
    uint32_t version;  /* version of the payload's layout, from 1 */
    uint64_t bytes;    /* bytes of the payload, without the zeros behind it */
    uint64_t checksum; /* checksum of the payload, seeded with that of the members above */
    uint64_t reserved; /* 0 */
} VkmChunk;

/*
 * The chunks that this version knows, as X(NAME, a, b, c, d, version, needed). A file has each type at most once. Chunks
 * may have any order. Readers skip chunks of unknown type.
 */
#define VKM_CHUNKS(X)                                                                                                  \
    X(INFO, 'I', 'N', 'F', 'O', 1, true)  /* VkmInfo */                                                                \
    X(SKEL, 'S', 'K', 'E', 'L', 1, true)  /* VkmSkeleton */                                                            \
    X(TEXR, 'T', 'E', 'X', 'R', 1, false) /* VkmTextures */                                                            \
    X(PICT, 'P', 'I', 'C', 'T', 1, false) /* VkmPictures; with TEXR. Version 1.1 skips it */                           \
    X(MATR, 'M', 'A', 'T', 'R', 1, false) /* VkmMaterials */                                                           \
    X(MRPH, 'M', 'R', 'P', 'H', 1, false) /* VkmMorphs */                                                              \
    X(MESH, 'M', 'E', 'S', 'H', 1, false) /* VkmMeshes */                                                              \
    X(CLIP, 'C', 'L', 'I', 'P', 1, false) /* VkmClips; with ANIM */                                                    \
    X(ANIM, 'A', 'N', 'I', 'M', 1, false) /* block of vkskin_pack.h; with CLIP */

#define VKM_CHUNK_ENUM(name, a, b, c, d, version, needed) VKM_##name,
typedef enum VkmChunkKind { VKM_CHUNKS(VKM_CHUNK_ENUM) VKM_CHUNK_COUNT } VkmChunkKind;

/* ---- INFO ---- */

typedef struct VkmInfo {
    uint32_t up;         /* ModelUp */
    float metres;        /* length of the unit; 0: unknown */
    uint32_t repairs[8]; /* the members of ModelRepairs in their order */
    uint32_t warningCount;
    uint32_t reserved;   /* 0 */
    uint64_t warningsAt; /* uint64_t [warningCount]: At of a text each */
} VkmInfo;

/* ---- SKEL ---- */

typedef struct VkmNode {
    uint64_t nameAt;
    int32_t parent;         /* below the node's own index; -1: root */
    uint32_t reserved;      /* 0 */
    float rest[10];         /* VkskinTransform: translation, rotation x y z w, scale */
    float preTransform[12]; /* VkskinAffine: three rows of four */
} VkmNode;

typedef struct VkmSkin {
    uint32_t boneCount;
    uint32_t reserved;       /* 0 */
    uint64_t boneNodesAt;    /* uint32_t [boneCount] */
    uint64_t inverseBindsAt; /* float [boneCount][12] */
} VkmSkin;

typedef struct VkmSkeleton {
    uint32_t nodeCount, skinCount;
    uint64_t nodesAt; /* VkmNode [nodeCount] */
    uint64_t skinsAt; /* VkmSkin [skinCount] */
} VkmSkeleton;

/* ---- TEXR ---- */

/* Either a file (`pathAt`; no pixels) or pixels (`pixelsAt`; the path is empty). */
typedef struct VkmTexture {
    uint64_t nameAt;
    uint64_t pathAt;        /* below the folder of the packed file, with '/' between the steps; "": pixels */
    uint32_t width, height; /* size of the pixels; 0 with a path */
    uint64_t pixelsAt;      /* uint8_t [height][width][4], upper row first */
} VkmTexture;

typedef struct VkmTextures {
    uint32_t textureCount;
    uint32_t reserved;   /* 0 */
    uint64_t texturesAt; /* VkmTexture [textureCount] */
} VkmTextures;

/* ---- PICT: files of pictures inside ---- */

/* The texture has no path, and one texel: its average colour, which readers of version 1.1 show. */
typedef struct VkmPicture {
    uint32_t texture;  /* strictly ascending */
    uint32_t size;     /* above 0 */
    uint64_t sourceAt; /* uint8_t [size]: a PNG or JPEG file */
} VkmPicture;

typedef struct VkmPictures {
    uint32_t pictureCount;
    uint32_t reserved;   /* 0 */
    uint64_t picturesAt; /* VkmPicture [pictureCount] */
} VkmPictures;

/* ---- MATR: members as in ModelMaterial ---- */

typedef struct VkmMaterial {
    uint64_t nameAt;
    float baseColor[4], emission[3], specular[3];
    float metallic, roughness, normalScale, occlusion, alphaCutoff;
    uint32_t alpha, oneSided, unlit;
    uint32_t maps[MODEL_MAP_COUNT]; /* textures; VKM_NO_TEXTURE: none */
    uint32_t wraps[MODEL_MAP_COUNT][2];
    uint32_t reserved; /* 0 */
} VkmMaterial;

typedef struct VkmMaterials {
    uint32_t materialCount;
    uint32_t reserved;    /* 0 */
    uint64_t materialsAt; /* VkmMaterial [materialCount] */
} VkmMaterials;

/* ---- MRPH: the targets of all meshes, mesh after mesh ---- */

typedef struct VkmMorph {
    uint64_t nameAt;
    uint32_t vertexCount;
    uint32_t has;                                /* VKM_HAS bits: POSITIONS, NORMALS, TANGENTS */
    uint64_t verticesAt;                         /* uint32_t [vertexCount], strictly ascending */
    uint64_t positionsAt, normalsAt, tangentsAt; /* float [vertexCount][3], if `has` says so */
} VkmMorph;

typedef struct VkmMorphs {
    uint32_t morphCount;
    uint32_t reserved; /* 0 */
    uint64_t morphsAt; /* VkmMorph [morphCount] */
} VkmMorphs;

/* ---- MESH ---- */

#define VKM_HAS_POSITIONS     1u
#define VKM_HAS_NORMALS       2u
#define VKM_HAS_TANGENTS      4u
#define VKM_HAS_TEXCOORDS     8u
#define VKM_HAS_COLOURS       16u
#define VKM_HAS_BLEND_WEIGHTS 32u

/* Arrays as in ModelMesh. Vertices should be in the order of vkskinSortVertices. */
typedef struct VkmMesh {
    uint64_t nameAt;
    uint32_t vertexCount, influences, boneCount, indexCount, material;
    uint32_t morphCount; /* the next ones of MRPH */
    uint32_t has;        /* VKM_HAS bits: TANGENTS, TEXCOORDS, COLOURS, BLEND_WEIGHTS; positions and normals always */
    uint32_t lodCount;   /* coarser levels, of all meshes the same number. Version 1.0 writes 0 and ignores them */
    uint64_t lodsAt;     /* VkmLod [lodCount], from fine to coarse. See VkmMeshes for their order */
    uint64_t positionsAt, normalsAt, tangentsAt, texcoordsAt, coloursAt, jointsAt, weightsAt, indicesAt, blendWeightsAt;
} VkmMesh;

/* A level of a mesh, as in ModelLod: some of the vertices of the mesh, with all their attributes and morph targets. */
typedef struct VkmLod {
    float error;
    uint32_t vertexCount, influences, indexCount;
    uint64_t verticesAt; /* uint32_t [vertexCount], vertices of the mesh */
    uint64_t indicesAt;  /* uint32_t [indexCount], each below this vertexCount */
} VkmLod;

typedef struct VkmPart {
    uint32_t mesh, skin, node, carrier;
    uint32_t hasMorphWeights; /* 1 or 0 */
    uint32_t reserved;        /* 0 */
    uint64_t morphWeightsAt;  /* float [morphCount of the mesh] */
} VkmPart;

/* What lodsAt names comes last in the payload, mesh after mesh: the table, then the arrays of each of its rows. */
typedef struct VkmMeshes {
    uint32_t meshCount, partCount;
    uint64_t meshesAt; /* VkmMesh [meshCount] */
    uint64_t partsAt;  /* VkmPart [partCount] */
} VkmMeshes;

/* ---- CLIP: what the block of ANIM does not hold ---- */

/* The keys of morph weights, exactly as in the source: see VkskinTrack. */
typedef struct VkmWeights {
    uint32_t node, interpolation, keyCount, weightCount;
    uint64_t timesAt;  /* float [keyCount] */
    uint64_t valuesAt; /* float [keyCount][vkskinInterpolationParts][weightCount] */
} VkmWeights;

typedef struct VkmClip {
    uint64_t nameAt;
    float duration, assumedTicks; /* as in ModelClip */
    uint32_t weightsCount;        /* the next ones of `weights` */
    /* As in VkskinAnimationStats, of the packer. */
    uint32_t keyCount, trackCount, holdCount, uniform;
    uint32_t bytes;
    uint64_t sourceBytes;
    float error;       /* maximum error, in the model's unit */
    uint32_t reserved; /* 0 */
} VkmClip;

typedef struct VkmClips {
    uint32_t clipCount, weightsCount;
    double unitsPerMillimetre; /* model units per millimetre, if the character is 1.8 m high; above 0 */
    uint64_t clipsAt;          /* VkmClip [clipCount] */
    uint64_t weightsAt;        /* VkmWeights [weightsCount] */
} VkmClips;

_Static_assert(sizeof(VkmHeader) == 32 && sizeof(VkmChunk) == 32 && sizeof(VkmInfo) == 56 && sizeof(VkmNode) == 104 &&
                   sizeof(VkmSkin) == 24 && sizeof(VkmSkeleton) == 24 && sizeof(VkmTexture) == 32 &&
                   sizeof(VkmTextures) == 16 && sizeof(VkmPicture) == 16 && sizeof(VkmPictures) == 16 &&
                   sizeof(VkmMaterial) == 144 && sizeof(VkmMaterials) == 16 && sizeof(VkmMorph) == 48 &&
                   sizeof(VkmMorphs) == 16 && sizeof(VkmMesh) == 120 && sizeof(VkmLod) == 32 && sizeof(VkmPart) == 32 &&
                   sizeof(VkmMeshes) == 24 && sizeof(VkmWeights) == 32 && sizeof(VkmClip) == 56 &&
                   sizeof(VkmClips) == 32,
               "no padding");
_Static_assert(sizeof(ModelRepairs) == sizeof(((VkmInfo *)0)->repairs), "repairs");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "files are used in place");

#endif
