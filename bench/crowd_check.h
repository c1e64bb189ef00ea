/*
 * crowd_check.h: compares skinned crowds with the reference.
 *
 * Three instances are compared whole. Every instance (an evenly spread part of very large crowds) is compared at some
 * vertices, which differ from instance to instance. No vertex of these instances may still hold the poison.
 */
#ifndef BENCH_CROWD_CHECK_H
#define BENCH_CROWD_CHECK_H

#include "crowd_scene.h"
#include "vkskin/vkskin.h"

/* Every 32-bit word of a poisoned output; as a float it is NaN. */
#define CROWD_POISON 0xffc0deadu

/* The output of a case. */
typedef struct CrowdOutput {
    VkskinVertexFormat format;    /* format of normals and tangents in memory */
    VkskinVertexFormat precision; /* precision of normals and tangents: it sets the allowed error */
    bool positionsAlone;          /* no normals and tangents */
    /* Makes the vertices of an instance readable until the next call. Returns their memory; null: *error is set.
     * layout: receives the offsets from there, and the strides. */
    const char *(*fetch)(void *user, uint32_t instance, VkskinOutput *layout, EngineError *error);
    void *user;
} CrowdOutput;

/* False: "instance I, vertex V: ..." */
bool crowdCheck(const CrowdScene *scene, const CrowdOutput *output, EngineError *error);

#endif
