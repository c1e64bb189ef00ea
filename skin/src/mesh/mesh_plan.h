/*
 * mesh_plan.h: the layout of a mesh on the device: its vertices in classes by influence count, and the offset of every
 * stream. Made before memory is allocated; mesh_pack.h writes the mesh to it.
 */
#ifndef VKSKIN_MESH_PLAN_H
#define VKSKIN_MESH_PLAN_H

#include "host.h"
#include "mesh_def.h"

/* All offsets are in words from the mesh's start. The heads of the classes come first. */
typedef struct MeshPlan {
    uint32_t classCount;
    uint32_t influences[LAYOUT_CLASSES]; /* per class, ascending: 1 to 4, LAYOUT_MANY; or only 0 */
    LayoutClass classes[LAYOUT_CLASSES];
    uint32_t morphHeads; /* offset of morphs[] */
    LayoutMorph *morphs; /* [morphTargetCount] */
    uint32_t *sorted;    /* [vertexCount]: vertices of the def, class by class */
    uint32_t *places;    /* [vertexCount]: index in sorted[] of each vertex of the def */
    uint64_t words;      /* total; above 32 bits the plan is unusable */
    Arena arena;         /* memory of the arrays above */
} MeshPlan;

/* Words of normal and tangent per vertex in the mesh. */
uint32_t sknAttributeWords(const VkskinMeshDef *def);

/*
 * Plans a checked def. Writes influence statistics and the source size in bytes to info.
 * Error: OUT_OF_HOST_MEMORY; nothing is allocated then.
 */
VkskinResult sknPlanMesh(const Host *host, const VkskinMeshDef *def, MeshPlan *plan, VkskinMeshInfo *info);
void sknFreePlan(MeshPlan *plan);

/*
 * Plans the targets of a checked def, starting at word `at` of the mesh. Fills heads[morphTargetCount]; their offsets
 * count from the mesh's start. places[vertexCount]: sorted index of each vertex of the def. Returns the end, in words.
 */
uint64_t sknPlanMorphs(const VkskinMeshDef *def, const uint32_t *places, uint64_t at, LayoutMorph *heads);

/* The part of the info that follows from a checked def's fields; sknPlanMesh adds the rest. Streams of the output begin
 * at multiples of `alignment`. */
VkskinMeshInfo sknDescribeMesh(const VkskinMeshDef *def, uint32_t alignment);

/* Logs warnings about changed weights. Returns the last warning, or VKSKIN_SUCCESS. */
VkskinResult sknReportMesh(const Host *host, const VkskinMeshDef *def, const VkskinMeshInfo *info);

#endif
