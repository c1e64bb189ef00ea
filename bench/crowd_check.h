/*
 * crowd_check.h: compares skinned crowds with the reference.
 *
 * Three instances are compared whole. Every instance (an evenly spread part of very large crowds) is compared at some
 * vertices, which differ from instance to instance. No vertex of these instances may still hold the poison.
 */
#ifndef BENCH_CROWD_CHECK_H
#define BENCH_CROWD_CHECK_H

#include "crowd_scene.h"
#include "reference.h"
#include "vertex_error.h"

/* Every 32-bit word of a poisoned output; as a float it is NaN. */
#define CROWD_POISON 0xffc0deadu

/* The layout of a case's output. */
typedef struct CrowdOutput {
    ReferenceDef def;               /* how it was skinned */
    VkskinPaletteEncoding encoding; /* of the palettes; its loss is not an error */
    VkskinVertexFormat format;      /* of normals and tangents; it sets the allowed error */
    bool positionsAlone;            /* no normals and tangents */
    /* Makes the vertices of an instance readable until the next call. False: *error is set. */
    bool (*fetch)(void *user, uint32_t instance, EngineError *error);
    ReadVertex (*read)(const void *user, uint32_t vertex);
    /* Whether a vertex still is poison, in any of its streams. */
    bool (*isPoison)(const void *user, uint32_t vertex);
    void *user;
} CrowdOutput;

/* False: "instance I, vertex V: ..." */
bool crowdCheck(const CrowdScene *scene, const CrowdOutput *output, EngineError *error);

/* Whether all of a stream's `size` bytes, a multiple of 4, are poison. */
bool crowdIsPoison(const void *bytes, size_t size);

#endif
