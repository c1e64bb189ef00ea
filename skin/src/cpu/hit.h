/*
 * hit.h: triangles in clusters, the memory of a pose, and the tests of boxes and triangles.
 */
#ifndef VKSKIN_HIT_INTERNAL_H
#define VKSKIN_HIT_INTERNAL_H

#include "influences.h"
#include "vkskin/vkskin_hit.h"

#define CLUSTER       64u                   /* triangles of a cluster, and boxes of a block: the bits of a mask */
#define CLUSTER_WORDS ((size_t)9 * CLUSTER) /* one row for each axis of each corner */
#define BLOCK_WORDS                                                                                                    \
    ((size_t)6 * CLUSTER)        /* one row for each axis of the low corners of 64 boxes, then of the high ones */
#define BOUNDS_WORDS ((size_t)8) /* low and high of all boxes, and two words without use */

/*
 * The memory of a pose, in floats: the bounds of all boxes, the blocks of boxes, the clusters of triangles. Lanes without
 * a triangle repeat the last one. Boxes without a cluster are empty.
 */
struct VkskinHitMesh_T {
    VkskinHostAllocator allocator;
    VkskinLogger logger;
    uint32_t clusterCount, blockCount;
    uint32_t *triangles;  /* [clusterCount][CLUSTER]: the triangle of each lane */
    uint32_t *corners;    /* [clusterCount][CLUSTER][3]: its vertices */
    InfluenceLists lists; /* those of the vertices, joined; null in a mesh without bones */
    uint32_t unweightedBone;
};

static inline const float *sknHitBlock(const float *pose, uint32_t block) {
    return pose + BOUNDS_WORDS + BLOCK_WORDS * block;
}

static inline const float *sknHitCluster(VkskinHitMesh mesh, const float *pose, uint32_t cluster) {
    return sknHitBlock(pose, mesh->blockCount) + CLUSTER_WORDS * cluster;
}

/* A ray for the tests. Axis 2 of the shear is the one along which the direction is longest. */
typedef struct HitRay {
    float origin[3];
    uint32_t axes[3];  /* axes of the shear: x, y and z */
    float shear[2];    /* direction along x and y of the shear, divided by the one along z */
    double depth;      /* direction along z of the shear */
    float inverse[3];  /* 1 / direction */
    float margin[3];   /* margin of boxes, with the sign of the direction */
    bool backwards[3]; /* the direction is below 0 */
} HitRay;

/*
 * hit_lanes.c, for each level. The boxes of a block that the ray enters before it leaves them and not after `limit`, one
 * bit each; enters[CLUSTER] receives the distances.
 */
typedef uint64_t (*HitBoxesFn)(const HitRay *ray, const float *block, float limit, float *enters);
uint64_t sknHitBoxesPortable(const HitRay *ray, const float *block, float limit, float *enters);
uint64_t sknHitBoxesAvx2(const HitRay *ray, const float *block, float limit, float *enters);
uint64_t sknHitBoxesAvx512(const HitRay *ray, const float *block, float limit, float *enters);

/* The triangles of a cluster that the line of the ray may hit: all that it hits, and rarely others. */
typedef uint64_t (*HitTrianglesFn)(const HitRay *ray, const float *cluster);
uint64_t sknHitTrianglesPortable(const HitRay *ray, const float *cluster);
uint64_t sknHitTrianglesAvx2(const HitRay *ray, const float *cluster);
uint64_t sknHitTrianglesAvx512(const HitRay *ray, const float *cluster);

#endif
