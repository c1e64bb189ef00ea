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

/* Descriptor sets; each holds one storage buffer at binding 0. */
#define LAYOUT_SET_TABLE   0 /* this frame's jobs and instances */
#define LAYOUT_SET_MESH    1 /* a page of bind-pose vertices */
#define LAYOUT_SET_PALETTE 2 /* a page of this frame's palettes */
#define LAYOUT_SET_OUTPUT  3 /* a page of skinned vertices */
#define LAYOUT_SET_COUNT   4

/* Specialisation constants. */
#define LAYOUT_CONSTANT_WORKGROUP_SIZE       0
#define LAYOUT_CONSTANT_INFLUENCES           1 /* 1 to 4 */
#define LAYOUT_CONSTANT_FORMAT               2 /* VkskinVertexFormat */
#define LAYOUT_CONSTANT_ATTRIBUTES           3 /* 0: positions alone, 1: normals, 2: normals and tangents */
#define LAYOUT_CONSTANT_INSTANCES_PER_THREAD 4
#define LAYOUT_CONSTANT_COUNT                5

/*
 * All instances of one mesh in one dispatch. Threads count through its vertices, and then through its instances in
 * steps of INSTANCES_PER_THREAD: workgroups straddle instances, and only a job's last one has idle threads.
 */
LAYOUT_STRUCT(LayoutJob) {
    LAYOUT_WORD firstGroup;    /* of the dispatch */
    LAYOUT_WORD firstInstance; /* into the dispatch's instances */
    LAYOUT_WORD instanceCount;
    LAYOUT_WORD vertexCount;
    LAYOUT_WORD positions;        /* word offsets into the mesh page: 3 floats a vertex */
    LAYOUT_WORD attributes;       /* packed: 1 or 2 words a vertex; float: 3 or 7 */
    LAYOUT_WORD joints;           /* two 16-bit joints a word, (influences + 1) / 2 words a vertex */
    LAYOUT_WORD weights;          /* influences - 1 floats a vertex, the last weight is what is left of one */
    LAYOUT_WORD outputAttributes; /* words from an instance's output to its attributes */
}
LAYOUT_END(LayoutJob);
#define LAYOUT_JOB_WORDS 9

LAYOUT_STRUCT(LayoutInstance) {
    LAYOUT_WORD palette;  /* in 16-byte units from the start of the palette page */
    LAYOUT_WORD vertices; /* word offset of the positions into the output page */
}
LAYOUT_END(LayoutInstance);
#define LAYOUT_INSTANCE_WORDS 2

/* Push constants. */
LAYOUT_STRUCT(LayoutDispatch) {
    LAYOUT_WORD jobs;       /* word offset of the first job into the table, ascending by firstGroup */
    LAYOUT_WORD jobCount;   /* at least 1 */
    LAYOUT_WORD instances;  /* word offset of the first instance into the table */
    LAYOUT_WORD groupCount; /* groups that have work; the dispatch may be rounded up */
}
LAYOUT_END(LayoutDispatch);

#ifdef __STDC__
static_assert(sizeof(LayoutJob) == sizeof(LAYOUT_WORD[LAYOUT_JOB_WORDS]), "the kernels read jobs word by word");
static_assert(offsetof(LayoutJob, firstGroup) == 0, "the kernels search by the first word");
static_assert(offsetof(LayoutJob, outputAttributes) == sizeof(LAYOUT_WORD[LAYOUT_JOB_WORDS - 1]), "no padding");
static_assert(sizeof(LayoutInstance) == sizeof(LAYOUT_WORD[LAYOUT_INSTANCE_WORDS]), "so do they instances");
static_assert(sizeof(LayoutDispatch) == 16, "push constants of four words");
#endif

#endif
