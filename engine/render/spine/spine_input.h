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

/* Buffers of a frame, all mapped. */
enum {
    SPINE_INPUT_SLOTS = SPINE_LIST_SLOTS, /* indices of both lists */
    SPINE_INPUT_EDGES = SPINE_LIST_EDGES,
    SPINE_INPUT_COLOURS, /* [slots][SPINE_SLOT_FLOATS] */
    SPINE_INPUT_PLACES,  /* SpineCharacterPlace */
    SPINE_INPUT_SOURCES, /* SpineSourceVertex for SKIN_SYSTEM_UNIFORM_2D; those without deform keys are written at once */
    SPINE_INPUT_BONES,   /* one block of boneStride bytes for each character */
    SPINE_INPUT_JOINTS, /* SpineJointVertex */
    SPINE_INPUT_COUNT
};

typedef struct SpineInput {
    Buffer buffers[SPINE_INPUT_COUNT];
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
