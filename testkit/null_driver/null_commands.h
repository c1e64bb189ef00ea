/*
 * null_commands.h: what a command buffer of the null driver holds until it is run or dropped.
 */
#ifndef TESTS_NULL_COMMANDS_H
#define TESTS_NULL_COMMANDS_H

#include "null_object.h"

typedef struct NullDispatch {
    uint64_t pipeline; /* 0: none bound yet; likewise the sets */
    uint64_t sets[NULL_MAX_SETS];
    uint32_t push[NULL_MAX_PUSH_WORDS];
    uint32_t pushBytes; /* given so far, from the start */
    uint32_t groups[3];
} NullDispatch;

typedef enum NullCommandKind {
    NULL_COMMAND_COPY,
    NULL_COMMAND_DISPATCH,
    NULL_COMMAND_RESET,
    NULL_COMMAND_TIMESTAMP,
    NULL_COMMAND_BARRIER
} NullCommandKind;

typedef struct NullCommand {
    NullCommandKind kind;
    union {
        struct {
            uint64_t source, target;
            VkBufferCopy region;
        } copy;
        NullDispatch dispatch;
        struct {
            uint64_t pool;
            uint32_t first, count;
        } queries;
        uint64_t barrierBuffer;
    };
} NullCommand;

/* What VkCommandBuffer points to. */
typedef struct NullCommandBuffer {
    uint32_t magic;
    NullDriver *driver;
    struct NullCommandBuffer *previous, *next; /* of the driver's */
    uint32_t touched;                          /* see null_touch.h */
    NullDispatch current;                      /* bound so far */
    uint32_t labels;                           /* open */
    NullCommand *commands;
    uint32_t count, capacity;
} NullCommandBuffer;

/* The driver is locked; nullUnlock when done. A handle that is none ends the process. */
NullCommandBuffer *nullLockCommands(VkCommandBuffer commandBuffer);

/* Takes it from the driver's list and frees it. The driver is locked. */
void nullFreeCommands(NullCommandBuffer *commands);

/* Whether all that the commands refer to is there and wide enough; faults tell what is not. `call` says when. */
bool nullCheckCopy(NullDriver *driver, const NullCommand *command, const char *call);
bool nullCheckDispatch(NullDriver *driver, const NullDispatch *dispatch, const char *call);
bool nullCheckQueries(NullDriver *driver, const NullCommand *command, const char *call);

#endif
