/*
 * library_crowd.h: a crowd skinned by the library: one mesh, an instance and a palette for each character.
 *
 * The work is what vkskinRecordSkinning recorded; the host's time is that of vkskinAllocatePalette, vkskinSkinInstances
 * and vkskinRecordSkinning together. Palettes are written between them and not counted: that is the poses' business.
 */
#ifndef BENCH_LIBRARY_CROWD_H
#define BENCH_LIBRARY_CROWD_H

#include "bench_case.h"
#include "crowd_scene.h"
#include "skin_choice.h"
#include "vkskin/vkskin.h"

/* CrowdShape.instances: as many as half of the device's memory takes. */
#define LIBRARY_CROWD_MOST 0

/* BenchCase.parameters of these cases. */
typedef struct LibraryCrowdDef {
    CrowdShape shape; /* instances may be LIBRARY_CROWD_MOST */
    SkinWay way;
    VkskinVertexFormat format;
    VkskinWeightFormat weights;
    uint32_t instancesPerThread;         /* 0: the library's choice */
    VkskinPaletteBinding paletteBinding; /* zero is the library's choice */
} LibraryCrowdDef;

extern const CaseFunctions LIBRARY_CROWD;

/* ---- The same as a part of another case ---- */

typedef struct LibraryCrowd LibraryCrowd;

/* Null on failure. */
LibraryCrowd *libraryCrowdCreate(const LibraryCrowdDef *def, const BenchEnvironment *environment, EngineError *error);

/* Null is allowed; nothing of it is on the device. */
void libraryCrowdDestroy(LibraryCrowd *crowd);

const CrowdScene *libraryCrowdScene(const LibraryCrowd *crowd);

/* Fills the output with CROWD_POISON. */
bool libraryCrowdPoison(LibraryCrowd *crowd, EngineError *error);

/* Writes the palettes and records the skinning; *host as RunTime has it. */
bool libraryCrowdRecord(LibraryCrowd *crowd, VkCommandBuffer commandBuffer, double *host, EngineError *error);

/* Where an instance's vertices lie, once they were skinned: in every frame the same. */
bool libraryCrowdOutput(LibraryCrowd *crowd, uint32_t instance, VkskinOutput *output, EngineError *error);

CaseTraffic libraryCrowdTraffic(const LibraryCrowd *crowd);

#endif
