/*
 * mesh_plan.h: the layout of a mesh on the device: its vertices in classes by influence count, and the offset of every
 * stream. Made before memory is allocated; mesh_pack.h writes the mesh to it.
 */
#ifndef VKSKIN_MESH_PLAN_H
#define VKSKIN_MESH_PLAN_H

#include "host.h"
#include "mesh_def.h"

/* All offsets are in words from the mesh's start, where the heads of the classes lie. */
typedef struct MeshPlan {
    uint32_t classCount;
    uint32_t influences[LAYOUT_CLASSES]; /* of each class: ascending, 1 to 4, then LAYOUT_MANY; or 0 alone */
    LayoutClass classes[LAYOUT_CLASSES];
    uint32_t morphHeads; /* where morphs[] goes */
    LayoutMorph *morphs; /* [morphTargetCount] */
    uint32_t *sorted;    /* [vertexCount]: the def's vertices, classes following one another */
    uint32_t *places;    /* [vertexCount]: where each of the def's vertices stands in there */
    uint64_t words;      /* of all; where they are more than 32 bits can say, the plan is of no use */
} MeshPlan;

/* Words of normals and tangents a vertex of the def. */
uint32_t sknAttributeWords(const VkskinMeshDef *def);

/*
 * Plans a checked def, and says in info what its influences come to and how many bytes the source takes.
 * Error: OUT_OF_HOST_MEMORY, and then the plan holds none.
 */
VkskinResult sknPlanMesh(const Host *host, const VkskinMeshDef *def, MeshPlan *plan, VkskinMeshInfo *info);
void sknFreePlan(const Host *host, MeshPlan *plan);

/* What a checked def says itself, the bytes of its output with it; sknPlanMesh adds the rest. */
VkskinMeshInfo sknDescribeMesh(const VkskinMeshDef *def);

/* Logs warnings about changed weights. Returns the last warning, or VKSKIN_SUCCESS. */
VkskinResult sknReportMesh(const Host *host, const VkskinMeshDef *def, const VkskinMeshInfo *info);

#endif
