/*
 * source_mesh.h: a mesh as vertex shaders that skin read it: vertices with few influences, cut into pieces by influence
 * count or by the bones that a draw can have.
 */
#ifndef ENGINE_SOURCE_MESH_H
#define ENGINE_SOURCE_MESH_H

#include "skinned_model.h"

/* A range of indices that one call draws. */
typedef struct SystemPiece {
    uint32_t firstIndex, indexCount;
    uint32_t variant; /* variant of the pipelines */
    uint32_t block;   /* uniform systems: bytes from the first block of the part to that of the piece */
    uint32_t boneCount;
    const uint32_t *bones; /* [boneCount] of the mesh, of a split; null: all, in order */
} SystemPiece;

/* What is bound to draw a mesh. */
typedef struct SystemMesh {
    VkBuffer texcoords, colours; /* as SkinnedMesh */
    VkBuffer vertices;           /* SourceVertex; null: the shader pulls skinned vertices */
    VkBuffer indices;
    VkIndexType indexType;
    uint32_t pieceCount; /* 0: nothing to draw */
    const SystemPiece *pieces;
    uint32_t vertexCount;
    const uint32_t *origins; /* [vertexCount]: vertices of the model's mesh; null: those in order */
    uint32_t number;         /* among the meshes of the system */
    uint64_t firstVertex;    /* among their vertices */
} SystemMesh;

/* A vertex in the bind pose. Influences are sorted: the largest weight first. */
typedef struct SourceVertex {
    float position[3];
    float normal[3];
    float tangent[4];                        /* zero for meshes without */
    uint16_t joints[SKIN_SYSTEM_INFLUENCES]; /* indices into the piece's bones; unused: 0, or -1 with signed joints */
    float weights[SKIN_SYSTEM_INFLUENCES];   /* sum 1; unused: 0 */
} SourceVertex;

_Static_assert(sizeof(SourceVertex) == 64, "SourceVertex has padding");

#define SOURCE_JOINTS_MAX 32767u /* bones of a mesh */

typedef struct SourceMeshDef {
    const Model *model;
    uint32_t mesh;
    const SkinnedMesh *streams; /* borrowed */
    uint32_t maxInfluences;     /* 1 to SKIN_SYSTEM_INFLUENCES: the largest weights are kept and normalised */
    bool endsByNegative;        /* unused joints are -1 */
    bool byInfluences;          /* one piece for the triangles of each influence count */
    bool keepsOrder;            /* triangles stay in order: one piece, unless maxBones cuts it */
    uint32_t maxBones;          /* maximum bones of a piece; 0: no limit */
} SourceMeshDef;

typedef struct SourceMesh {
    SkinnedMesh own; /* streams and indices, where they differ from the character's */
    Buffer vertices;
    SystemPiece *pieces;
    uint32_t pieceCount;
    uint32_t *bones;   /* bones of all pieces */
    uint32_t *origins; /* as SystemMesh, of a split */
    SystemMesh drawn;
} SourceMesh;

/* On failure *mesh is to be destroyed. */
bool sourceMeshCreate(Skinning *skinning, const SourceMeshDef *def, SourceMesh *mesh, EngineError *error);

/* A zero one is allowed. */
void sourceMeshDestroy(Device *device, SourceMesh *mesh);

#endif
