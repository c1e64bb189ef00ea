/*
 * figure_input.h: what the host writes for a frame of 2D characters, and how large it is: limits of the device are checked
 * before anything is made.
 */
#ifndef ENGINE_FIGURE_INPUT_H
#define ENGINE_FIGURE_INPUT_H

#include "figure_list.h"
#include "figure_model.h"
#include "figure_source.h"

/* Lists of indices: of slots, of edges. */
enum { FIGURE_LIST_SLOTS, FIGURE_LIST_EDGES, FIGURE_LIST_COUNT };

/* Debug views of bones: each kind lies above those before it. */
enum { FIGURE_JOINT_LINES, FIGURE_JOINT_MARKS, FIGURE_JOINT_TARGETS, FIGURE_JOINT_KINDS };

/* What figure_vertex.glsl reads of a member. */
typedef struct FigureMemberPlace {
    uint32_t source; /* word of the output page; with SKIN_SYSTEM_UNIFORM_2D a vertex of the frame's sources */
    uint32_t colour; /* in vectors of four */
} FigureMemberPlace;

/* Maximum sizes of a frame, over all members. */
typedef struct FigureSizes {
    bool inPasses;      /* the vertex shader skins */
    bool edges, joints; /* debug views may be shown */
    uint32_t members;
    uint32_t vertexBits; /* low bits of an index that hold the vertex; the member's number is above them */
    uint64_t indices, slots, bones, weights, sources, outputs;
    uint64_t vertexMax;      /* maximum vertices of one figure */
    VkDeviceSize boneStride; /* bytes of a member's uniform block */
} FigureSizes;

/* models: [modelCount], measured. Sets firstSource of each. edges, joints: which debug views there are. */
FigureSizes figureSizes(const Device *device, FigureModel *models, uint32_t modelCount, bool inPasses, bool edges,
                        bool joints);

/* Whether the device can bind and index it and has the memory: a line that names what it cannot, if not. */
bool figureSizesCheck(const Device *device, const FigureSizes *sizes, EngineError *error);

typedef struct FigureInput {
    Buffer indices[FIGURE_LIST_COUNT];
    Buffer colours; /* [slots][FIGURE_SLOT_FLOATS] */
    Buffer places;  /* FigureMemberPlace */
    Buffer sources; /* FigureSourceVertex for SKIN_SYSTEM_UNIFORM_2D; those without deform keys are written at once */
    Buffer bones;   /* one block of boneStride bytes for each member; mapped */
    Buffer joints;  /* FigureJointVertex */
    VkDescriptorSet set, sourceSet;
} FigureInput;

/* Descriptor sets of a FigureInput, and storage buffers in them. */
#define FIGURE_INPUT_SETS            2u
#define FIGURE_INPUT_STORAGE_BUFFERS 3u

/* The caller calls figureInputDestroy also after a failure. */
bool figureInputCreate(Device *device, const FigureSizes *sizes, const FigurePipelines *pipelines,
                       VkDescriptorPool pool, const FigureModel *models, uint32_t modelCount, FigureInput *input,
                       EngineError *error);

/* A zero one is allowed. */
void figureInputDestroy(Device *device, FigureInput *input);

#endif
