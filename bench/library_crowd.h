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

#endif
