/*
 * layout.h: every structure that host and device share, for C and for GLSL.
 *
 * A structure is one list of fields. Each field is a 32-bit word. The list generates the C struct, the GLSL struct, the
 * number of words and the GLSL function that reads the structure. So fields may be reordered freely.
 *
 * A "word offset" counts 32-bit words from the start of the bound page.
 */
#ifndef VKSKIN_LAYOUT_H
#define VKSKIN_LAYOUT_H

#ifdef __STDC__
#include <assert.h>
#include <stdint.h>
#define LAYOUT_MEMBER(field) uint32_t field;
#define LAYOUT_STRUCT(name, fields)                                                                                    \
    typedef struct name {                                                                                              \
        fields(LAYOUT_MEMBER)                                                                                          \
    } name;                                                                                                            \
    static_assert(sizeof(name) == sizeof(uint32_t[LAYOUT_WORDS(fields)]), "no padding: kernels read word by word")
#else
#define LAYOUT_MEMBER(field) uint field;
#define LAYOUT_STRUCT(name, fields)                                                                                    \
    struct name {                                                                                                      \
        fields(LAYOUT_MEMBER)                                                                                          \
    }
/* Defines `name read(uint at)`. It reads the fields in the order of the list, starting at words[at]. */
#define LAYOUT_READER(name, read, fields, words)                                                                       \
    name read(uint at) {                                                                                               \
        name value;                                                                                                    \
        fields(words) return value;                                                                                    \
    }
#endif

/* The number of fields of a list. */
#define LAYOUT_ONE(field)    +1
#define LAYOUT_WORDS(fields) (0 fields(LAYOUT_ONE))

/* Descriptor sets. Each has one storage buffer at binding 0. Binding 1 of the palette set is a texel view of it. */
#define LAYOUT_SET_TABLE   0 /* this frame's jobs and instances */
#define LAYOUT_SET_MESH    1 /* one page of bind-pose vertices */
#define LAYOUT_SET_PALETTE 2 /* one page of this frame's palettes */
#define LAYOUT_SET_OUTPUT  3 /* one page of skinned vertices */
#define LAYOUT_SET_COUNT   4

/* Specialisation constants. */
#define LAYOUT_CONSTANT_WORKGROUP_SIZE       0
#define LAYOUT_CONSTANT_INFLUENCES           1 /* per vertex: 0 (no bones) to 4; KERNEL_MANY handles more */
#define LAYOUT_CONSTANT_FORMAT               2 /* VkskinVertexFormat */
#define LAYOUT_CONSTANT_ATTRIBUTES           3 /* 0: positions only, 1: normals, 2: normals and tangents */
#define LAYOUT_CONSTANT_INSTANCES_PER_THREAD 4
#define LAYOUT_CONSTANT_EXACT_NORMALS        5 /* 1: transform normals by the inverse transpose */
#define LAYOUT_CONSTANT_PALETTE_TEXELS       6 /* 1: read palettes of whole float4 as texels */
#define LAYOUT_CONSTANT_OWN_LAYOUT           7 /* 1: the mesh has a layout of its own; 0: two streams without gaps */
#define LAYOUT_CONSTANT_INFLUENCE_POSITIONS  8 /* 1: a position per influence; of kernels for flat meshes */
#define LAYOUT_CONSTANT_COUNT                9

/*
 * Vertices are grouped by influence count. A class is one group of a mesh: 1, 2, 3, 4, or LAYOUT_MANY. In LAYOUT_MANY
 * each vertex has its own count.
 */
#define LAYOUT_MANY            5
#define LAYOUT_CLASSES         5    /* maximum number of classes of a mesh */
#define LAYOUT_MOST_INFLUENCES 255u /* per vertex */

/* LayoutClass.influenceFormat: log2 of the bytes of a stored joint, and of a stored weight. */
#define LAYOUT_JOINT_FORMAT(format)  ((format)&3u)
#define LAYOUT_WEIGHT_FORMAT(format) ((format) >> 2)
#define LAYOUT_WEIGHT_FLOAT          2u

/*
 * A class of a mesh and the word offsets of its streams in the mesh page; 0 for a stream that the mesh does not have.
 * The structure lies in the mesh page itself. The streams of a class have the order of its vertices.
 */
#define LAYOUT_CLASS_FIELDS(FIELD)                                                                                     \
    FIELD(vertexCount)                                                                                                 \
    FIELD(firstVertex)     /* index of the first vertex over all classes; morph targets use these indices */           \
    FIELD(firstOutput)     /* if order is 0: index of the first vertex in the output, which has the host's order */    \
    FIELD(order)           /* one word per vertex: its index in the output */                                          \
    FIELD(positions)       /* 3 floats per vertex; 2 in flat meshes, per vertex or per influence, as joints */         \
    FIELD(attributes)      /* float: 3 or 7 words per vertex; else 1 or 2 */                                           \
    FIELD(starts)          /* LAYOUT_MANY: index of the first influence of each vertex, and one past the last */       \
    FIELD(joints)          /* 1, 2 or 4 bytes each, without gaps, in descending order of weight */                     \
    FIELD(weights)         /* as joints; only LAYOUT_MANY stores the last weight of a vertex, 1 - the others' sum */   \
    FIELD(influenceFormat) /* see LAYOUT_JOINT_FORMAT */                                                               \
    FIELD(blendWeights)    /* 1 float per vertex */                                                                    \
    FIELD(centres)         /* 3 floats per vertex */                                                                   \
    FIELD(outputPosition)  /* output...: words from an instance's output to the attribute of the first vertex */       \
    FIELD(outputNormal)                                                                                                \
    FIELD(outputTangent)                                                                                               \
    FIELD(positionStride) /* ...Stride: words from a vertex to the next; read only with OWN_LAYOUT */                  \
    FIELD(normalStride)                                                                                                \
    FIELD(tangentStride)                                                                                               \
    FIELD(positionW) /* 1: a fourth component of 1 follows each position */
LAYOUT_STRUCT(LayoutClass, LAYOUT_CLASS_FIELDS);
#define LAYOUT_CLASS_WORDS LAYOUT_WORDS(LAYOUT_CLASS_FIELDS)

/*
 * A morph target: one bit per vertex that it moves, in blocks of 32 vertices, and the deltas in ascending vertex order.
 * A block is two words: the bits, and the number of bits set in the earlier blocks of the target.
 */
#define LAYOUT_MORPH_FIELDS(FIELD)                                                                                     \
    FIELD(firstBlock)                                                                                                  \
    FIELD(blockCount)                                                                                                  \
    FIELD(blocks)                                                                                                      \
    FIELD(positions) /* 3 floats per moved vertex; 2 in flat meshes, or 2 per influence; 0: none */                    \
    FIELD(width)   /* positions of a moved vertex: 1, or as many as the kept influences of any vertex of the target */ \
    FIELD(normals) /* 3 floats per moved vertex; 0: none */                                                            \
    FIELD(tangents) /* 3 floats per moved vertex; 0: none */
LAYOUT_STRUCT(LayoutMorph, LAYOUT_MORPH_FIELDS);
#define LAYOUT_MORPH_WORDS LAYOUT_WORDS(LAYOUT_MORPH_FIELDS)

/*
 * Instances of one class in one dispatch. The thread index counts vertices of the class, then groups of
 * INSTANCES_PER_THREAD instances. A workgroup may cover two instances; only a job's last workgroup has idle threads.
 */
#define LAYOUT_JOB_FIELDS(FIELD)                                                                                       \
    FIELD(firstGroup)    /* index of the job's first workgroup in the dispatch */                                      \
    FIELD(firstInstance) /* index into the instances */                                                                \
    FIELD(instanceCount)                                                                                               \
    FIELD(vertexClass) /* word offset of the class in the mesh page */
LAYOUT_STRUCT(LayoutJob, LAYOUT_JOB_FIELDS);
#define LAYOUT_JOB_WORDS LAYOUT_WORDS(LAYOUT_JOB_FIELDS)

#define LAYOUT_INSTANCE_FIELDS(FIELD)                                                                                  \
    FIELD(palette)  /* in 16-byte units from the start of the palette page */                                          \
    FIELD(vertices) /* word offset of the positions in the output page */                                              \
    FIELD(morphs)   /* word offset of a LayoutMorphs in the table; 0: all weights are zero */
LAYOUT_STRUCT(LayoutInstance, LAYOUT_INSTANCE_FIELDS);
#define LAYOUT_INSTANCE_WORDS LAYOUT_WORDS(LAYOUT_INSTANCE_FIELDS)

/* An instance's morph weights: this head, then one LayoutMorphWeight per target, targets before skinning first. */
#define LAYOUT_MORPHS_FIELDS(FIELD)                                                                                    \
    FIELD(before) /* number of targets before skinning */                                                              \
    FIELD(after)
LAYOUT_STRUCT(LayoutMorphs, LAYOUT_MORPHS_FIELDS);

#define LAYOUT_MORPH_WEIGHT_FIELDS(FIELD)                                                                              \
    FIELD(morph)  /* word offset of the LayoutMorph in the mesh page */                                                \
    FIELD(weight) /* float */
LAYOUT_STRUCT(LayoutMorphWeight, LAYOUT_MORPH_WEIGHT_FIELDS);
#define LAYOUT_MORPH_WEIGHT_WORDS LAYOUT_WORDS(LAYOUT_MORPH_WEIGHT_FIELDS)

/* Push constants. */
#define LAYOUT_DISPATCH_FIELDS(FIELD)                                                                                  \
    FIELD(jobs)       /* word offset of the first job in the table; jobs ascend by firstGroup */                       \
    FIELD(jobCount)   /* at least 1 */                                                                                 \
    FIELD(instances)  /* word offset of the first instance in the table */                                             \
    FIELD(groupCount) /* groups with work; the dispatch may be larger */
LAYOUT_STRUCT(LayoutDispatch, LAYOUT_DISPATCH_FIELDS);

#ifdef __STDC__
static_assert(sizeof(LayoutMorphs) == sizeof(LayoutMorphWeight), "the head takes one place of the weights");
#endif

#endif
