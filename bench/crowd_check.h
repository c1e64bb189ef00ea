/*
 * crowd_check.h: skinned crowds held against the reference.
 *
 * Three instances are looked at whole, every instance (of very large crowds a part, evenly spread) at some vertices that
 * differ from instance to instance, and no vertex of these instances may still hold the pattern that the output was
 * poisoned with.
 */
#ifndef BENCH_CROWD_CHECK_H
#define BENCH_CROWD_CHECK_H

#include "crowd_scene.h"
#include "reference.h"
#include "vertex_error.h"

/* Each 32-bit word of a poisoned output: as a float it is not a number. */
#define CROWD_POISON 0xffc0deadu

/* How the output of a case is laid out and read. */
typedef struct CrowdOutput {
    ReferenceDef def;               /* how it was skinned */
    VkskinPaletteEncoding encoding; /* of the palettes: what it lost of the bones is no error */
    VkskinVertexFormat format;      /* of normals and tangents: their bounds */
    bool positionsAlone;            /* there are no normals and tangents */
    /* Makes the vertices of an instance readable until the next call: at its first one. False: the line is written. */
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
