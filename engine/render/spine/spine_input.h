/*
 * spine_input.h: what the host writes for a frame of 2D characters, and how large it is: limits of the device are checked
 * before anything is made.
 */
#ifndef ENGINE_SPINE_INPUT_H
#define ENGINE_SPINE_INPUT_H

#include "spine_list.h"
#include "spine_skinned_model.h"
#include "spine_vertex_source.h"

/* Lists of indices: of slots, of edges. */
enum { SPINE_LIST_SLOTS, SPINE_LIST_EDGES, SPINE_LIST_COUNT };

/* Debug views of bones: each kind lies above those before it. */
enum { SPINE_JOINT_LINES, SPINE_JOINT_MARKS, SPINE_JOINT_TARGETS, SPINE_JOINT_KINDS };

/* What spine_vertex.glsl reads of a character. */
typedef struct SpineCharacterPlace {
    uint32_t source; /* word of the output page; with SKIN_SYSTEM_UNIFORM_2D a vertex of the frame's sources */
    uint32_t colour; /* in vectors of four */
} SpineCharacterPlace;

/* Maximum sizes of a frame, over all characters. */
typedef struct SpineSizes {
    bool inPasses;      /* the vertex shader skins */
    bool edges, joints; /* debug views may be shown */
    uint32_t characters;
    uint32_t vertexBits; /* low bits of an index that hold the vertex; the character's number is above them */
    uint64_t indices, slots, bones, weights, sources, outputs;
    uint64_t vertexMax;      /* maximum vertices of one 2D model */
    VkDeviceSize boneStride; /* bytes of a character's uniform block */
} SpineSizes;

/* models: [modelCount], measured. Sets firstSource of each. edges, joints: which debug views there are. */
SpineSizes spineSizes(const Device *device, SpineSkinnedModel *models, uint32_t modelCount, bool inPasses, bool edges,
                      bool joints);

/* Whether the device can bind and index it and has the memory: a line that names what it cannot, if not. */
bool spineSizesCheck(const Device *device, const SpineSizes *sizes, EngineError *error);

typedef struct SpineInput {
    Buffer indices[SPINE_LIST_COUNT];
    Buffer colours; /* [slots][SPINE_SLOT_FLOATS] */
    Buffer places;  /* SpineCharacterPlace */
    Buffer sources; /* SpineSourceVertex for SKIN_SYSTEM_UNIFORM_2D; those without deform keys are written at once */
    Buffer bones;   /* one block of boneStride bytes for each character; mapped */
    Buffer joints;  /* SpineJointVertex */
    VkDescriptorSet set, sourceSet;
} SpineInput;

/* Descriptor sets of a SpineInput, and storage buffers in them. */
#define SPINE_INPUT_SETS            2u
#define SPINE_INPUT_STORAGE_BUFFERS 3u

/* The caller calls spineInputDestroy also after a failure. */
bool spineInputCreate(Device *device, const SpineSizes *sizes, const SpinePipelines *pipelines, VkDescriptorPool pool,
                      const SpineSkinnedModel *models, uint32_t modelCount, SpineInput *input, EngineError *error);

/* A zero one is allowed. */
void spineInputDestroy(Device *device, SpineInput *input);

#endif
