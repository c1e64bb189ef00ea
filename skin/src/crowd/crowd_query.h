/*
 * crowd_query.h: states of some characters come back to the host. Each frame copies those that it asked for into memory
 * of its frame slot; when the slot is begun again, they are the answers.
 */
#ifndef VKSKIN_CROWD_QUERY_H
#define VKSKIN_CROWD_QUERY_H

#include "context.h"
#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_crowd.h"

struct Crowd;

/* What a frame copies of a character. */
typedef struct CrowdAnswer {
    LayoutCrowdState state;
    LayoutCrowdCold cold;
} CrowdAnswer;

#define CROWD_ANSWER_WORDS (CROWD_STATE_WORDS + CROWD_COLD_WORDS)
_Static_assert(sizeof(CrowdAnswer) == CROWD_ANSWER_WORDS * sizeof(uint32_t), "copies fill it");

/* The characters that a frame asks for. */
typedef struct CrowdQuestion {
    VkskinCharacter *characters; /* [most] */
    CrowdAnswer *answers;        /* [most]; on the device: only of the latest frame that has finished */
    uint32_t count;
    uint32_t tick;
} CrowdQuestion;

typedef struct CrowdQueries {
    uint32_t most;
    CrowdQuestion next, slots[VKSKIN_MAX_FRAMES_IN_FLIGHT], finished;
    uint64_t frame;       /* number of the finished one; 0: none */
    VkBufferCopy *copies; /* [2][most] */
} CrowdQueries;

/* Host memory for `most` characters. False: no memory. */
bool sknMakeCrowdQueries(Arena *arena, uint32_t most, bool onCpu, uint32_t slots, CrowdQueries *queries);

/* After the passes of a frame: notes what it asks for, and copies the states or records the copies. `to`: byte offset of
 * the answers in the input of the slot. Returns whether it recorded something. */
void sknAnswerOnCpu(struct Crowd *crowd, uint32_t slot, uint32_t tick);
bool sknRecordAnswers(VkskinContext context, VkCommandBuffer commandBuffer, struct Crowd *crowd, uint32_t slot,
                      uint32_t tick);

/* The frame of a slot has finished: its answers are the latest ones. */
void sknReadAnswers(VkskinContext context, struct Crowd *crowd, uint32_t slot, uint64_t frame);

/* Byte offset of the answers in the input of a frame slot, and their size. */
VkDeviceSize sknAnswersAt(const struct Crowd *crowd);

#endif
