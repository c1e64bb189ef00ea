/*
 * layout.h: every structure that host and device share, once for C and once for GLSL from the same lines.
 *
 * All is made of 32-bit words. A "word offset" counts them from the start of the bound page.
 */
#ifndef VKSKIN_LAYOUT_H
#define VKSKIN_LAYOUT_H

#ifdef __STDC__
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#define LAYOUT_STRUCT(name) typedef struct name
#define LAYOUT_END(name)    name
#define LAYOUT_WORD         uint32_t
#else
#define LAYOUT_STRUCT(name) struct name
#define LAYOUT_END(name)
#define LAYOUT_WORD uint
#endif

/* Descriptor sets; each holds one storage buffer at binding 0. That of palettes has the same as texels at binding 1. */
#define LAYOUT_SET_TABLE   0 /* this frame's jobs and instances */
#define LAYOUT_SET_MESH    1 /* a page of bind-pose vertices */
#define LAYOUT_SET_PALETTE 2 /* a page of this frame's palettes */
#define LAYOUT_SET_OUTPUT  3 /* a page of skinned vertices */
#define LAYOUT_SET_COUNT   4

/* Specialisation constants. */
#define LAYOUT_CONSTANT_WORKGROUP_SIZE       0
#define LAYOUT_CONSTANT_INFLUENCES           1 /* of every vertex: 0 (no bones) to 4; else code of its own */
#define LAYOUT_CONSTANT_FORMAT               2 /* VkskinVertexFormat */
#define LAYOUT_CONSTANT_ATTRIBUTES           3 /* 0: positions alone, 1: normals, 2: normals and tangents */
#define LAYOUT_CONSTANT_INSTANCES_PER_THREAD 4
#define LAYOUT_CONSTANT_EXACT_NORMALS        5 /* 1: by the inverse transpose */
#define LAYOUT_CONSTANT_PALETTE_TEXELS       6 /* 1: palettes of whole float4 are read as texels */
#define LAYOUT_CONSTANT_COUNT                7

/* Vertices of as many influences are a class of their mesh: 1, 2, 3, 4, or more, which each vertex counts itself. */
#define LAYOUT_MANY    5
#define LAYOUT_CLASSES 5 /* that a mesh may have at most */

/* LayoutClass.influenceFormat: log2 of a stored joint's bytes, and of a stored weight's. */
#define LAYOUT_JOINT_FORMAT(format)  ((format)&3u)
#define LAYOUT_WEIGHT_FORMAT(format) ((format) >> 2)
#define LAYOUT_WEIGHT_FLOAT          2u

/*
 * A class of a mesh and where its streams lie: word offsets into the mesh page; 0 for a stream that is not there. Lies
 * in the mesh page itself. Streams of a class are in the order of its vertices, which is that of the mesh.
 */
LAYOUT_STRUCT(LayoutClass) {
    LAYOUT_WORD vertexCount;
    LAYOUT_WORD firstVertex; /* of the class, when classes follow one another: morph targets count so */
    LAYOUT_WORD firstOutput; /* where order is 0: of the class in the output, which has the host's order */
    LAYOUT_WORD order;       /* a vertex's place in the output, a word each */
    LAYOUT_WORD positions;   /* 3 floats a vertex, 2 in flat meshes */
    LAYOUT_WORD attributes;  /* packed: 1 or 2 words a vertex; float: 3 or 7 */
    LAYOUT_WORD starts;      /* LAYOUT_MANY: where a vertex's influences start; one more than vertices */
    LAYOUT_WORD joints;      /* 1, 2 or 4 bytes each, without gaps, a vertex's largest influence first */
    LAYOUT_WORD weights;     /* likewise; save LAYOUT_MANY without a vertex's last, which is what is left of one */
    LAYOUT_WORD influenceFormat;
    LAYOUT_WORD blendWeights;     /* a float a vertex */
    LAYOUT_WORD centres;          /* 3 floats a vertex */
    LAYOUT_WORD outputAttributes; /* words from an instance's output to its attributes */
}
LAYOUT_END(LayoutClass);
#define LAYOUT_CLASS_WORDS 13

/*
 * A morph target: the vertices that it moves, as bits of blocks of 32 vertices, and their deltas in ascending order.
 * A block is two words: the bits, and how many are set in the target's blocks before it.
 */
LAYOUT_STRUCT(LayoutMorph) {
    LAYOUT_WORD firstBlock;
    LAYOUT_WORD blockCount;
    LAYOUT_WORD blocks;
    LAYOUT_WORD positions; /* as LayoutClass.positions; 0: none */
    LAYOUT_WORD normals;   /* 3 floats a moved vertex; 0: none */
    LAYOUT_WORD tangents;  /* likewise */
}
LAYOUT_END(LayoutMorph);
#define LAYOUT_MORPH_WORDS 6

/*
 * Instances of one class in one dispatch. Threads count through its vertices, and then through its instances in steps
 * of INSTANCES_PER_THREAD: workgroups straddle instances, and only a job's last one has idle threads.
 */
LAYOUT_STRUCT(LayoutJob) {
    LAYOUT_WORD firstGroup;    /* of the dispatch */
    LAYOUT_WORD firstInstance; /* into the instances */
    LAYOUT_WORD instanceCount;
    LAYOUT_WORD vertexClass; /* word offset of the class into the mesh page */
}
LAYOUT_END(LayoutJob);
#define LAYOUT_JOB_WORDS 4

LAYOUT_STRUCT(LayoutInstance) {
    LAYOUT_WORD palette;  /* in 16-byte units from the start of the palette page */
    LAYOUT_WORD vertices; /* word offset of the positions into the output page */
    LAYOUT_WORD morphs;   /* word offset of a LayoutMorphs into the table; 0: no target has a weight */
}
LAYOUT_END(LayoutInstance);
#define LAYOUT_INSTANCE_WORDS 3

/* The targets that have a weight: this head, then a LayoutMorphWeight for each, those before skinning first. */
LAYOUT_STRUCT(LayoutMorphs) {
    LAYOUT_WORD before; /* targets */
    LAYOUT_WORD after;
}
LAYOUT_END(LayoutMorphs);

LAYOUT_STRUCT(LayoutMorphWeight) {
    LAYOUT_WORD morph;  /* word offset of the LayoutMorph into the mesh page */
    LAYOUT_WORD weight; /* a float */
}
LAYOUT_END(LayoutMorphWeight);
#define LAYOUT_MORPH_WEIGHT_WORDS 2 /* and those of the head */

/* Push constants. */
LAYOUT_STRUCT(LayoutDispatch) {
    LAYOUT_WORD jobs;       /* word offset of the first job into the table, ascending by firstGroup */
    LAYOUT_WORD jobCount;   /* at least 1 */
    LAYOUT_WORD instances;  /* word offset of the first instance into the table */
    LAYOUT_WORD groupCount; /* groups that have work; the dispatch may be rounded up */
}
LAYOUT_END(LayoutDispatch);

#ifdef __STDC__
#define LAYOUT_HAS_WORDS(name, words) sizeof(name) == sizeof(LAYOUT_WORD[words])
static_assert(LAYOUT_HAS_WORDS(LayoutClass, LAYOUT_CLASS_WORDS), "the kernels read all of these word by word");
static_assert(LAYOUT_HAS_WORDS(LayoutMorph, LAYOUT_MORPH_WORDS), "word by word");
static_assert(LAYOUT_HAS_WORDS(LayoutJob, LAYOUT_JOB_WORDS), "word by word");
static_assert(offsetof(LayoutJob, firstGroup) == 0, "the kernels search by the first word");
static_assert(LAYOUT_HAS_WORDS(LayoutInstance, LAYOUT_INSTANCE_WORDS), "word by word");
static_assert(LAYOUT_HAS_WORDS(LayoutMorphs, LAYOUT_MORPH_WEIGHT_WORDS), "word by word");
static_assert(LAYOUT_HAS_WORDS(LayoutMorphWeight, LAYOUT_MORPH_WEIGHT_WORDS), "word by word");
static_assert(sizeof(LayoutDispatch) == 16, "push constants of four words");
#endif

#endif
