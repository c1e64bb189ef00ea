#include "assembly.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define BLOCKS_MAX 4096u
#define LOOPS_MAX  128u

/* Lines, from the first block's label to the branch back. */
typedef struct Loop {
    uint32_t first, last;
} Loop;

typedef struct Loops {
    Loop loops[LOOPS_MAX]; /* [count] */
    uint32_t count;
} Loops;

/* ---- Lines ---- */

static const char *nextLine(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* The number after "BB", or BLOCKS_MAX: there is none. */
static uint32_t blockAt(const char *text) {
    const unsigned long block = strncmp(text, "BB", 2) == 0 ? strtoul(text + 2, NULL, 10) : BLOCKS_MAX;
    return block < BLOCKS_MAX ? (uint32_t)block : BLOCKS_MAX;
}

/* The target of a branch, or BLOCKS_MAX. */
static uint32_t branchTarget(const char *operation) {
    const bool branch = strncmp(operation, "s_branch ", 9) == 0 || strncmp(operation, "s_cbranch_", 10) == 0;
    return branch ? blockAt(operation + strcspn(operation, " ") + 1) : BLOCKS_MAX;
}

/* The first row whose prefix fits holds. */
static const struct {
    const char *prefix;
    OperationKind kind;
} KINDS[] = {
    {"v_nop", OPERATION_WAIT},
    {"v_", OPERATION_VECTOR},
    {"s_wait", OPERATION_WAIT},
    {"s_nop", OPERATION_WAIT},
    {"s_clause", OPERATION_WAIT},
    {"s_delay", OPERATION_WAIT},
    {"s_inst_prefetch", OPERATION_WAIT},
    {"s_set_inst", OPERATION_WAIT},
    {"s_code_end", OPERATION_WAIT},
    {"s_sendmsg", OPERATION_WAIT},
    {"s_load_", OPERATION_SCALAR_MEMORY},
    {"s_buffer_load", OPERATION_SCALAR_MEMORY},
    {"s_", OPERATION_SCALAR},
    {"ds_", OPERATION_SHARED},
    {"buffer_", OPERATION_MEMORY},
    {"tbuffer_", OPERATION_MEMORY},
    {"global_", OPERATION_MEMORY},
    {"flat_", OPERATION_MEMORY},
    {"scratch_", OPERATION_MEMORY},
    {"image_", OPERATION_MEMORY},
    {"exp ", OPERATION_MEMORY},
};

/* OPERATION_KIND_COUNT: the line is no operation. */
static OperationKind kindOf(const char *operation) {
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strncmp(operation, KINDS[i].prefix, strlen(KINDS[i].prefix)) == 0) {
            return KINDS[i].kind;
        }
    }
    return OPERATION_KIND_COUNT;
}

/* ---- Loops ---- */

/* Branches back to the same block make one loop. */
static void addLoop(Loops *loops, uint32_t first, uint32_t last) {
    for (uint32_t i = 0; i < loops->count; i++) {
        if (loops->loops[i].first == first) {
            loops->loops[i].last = last;
            return;
        }
    }
    if (loops->count < LOOPS_MAX) {
        loops->loops[loops->count++] = (Loop){first, last};
    }
}

static void findLoops(const char *text, Loops *loops) {
    uint32_t places[BLOCKS_MAX + 1] = {0}; /* line of each label, from 1; 0: not yet seen */
    uint32_t number = 1;
    for (const char *line = text; *line; line = nextLine(line), number++) {
        const uint32_t target = branchTarget(line + strspn(line, " \t"));
        places[blockAt(line)] = number;
        if (target < BLOCKS_MAX && places[target] > 0) {
            addLoop(loops, places[target], number);
        }
    }
}

static bool holds(const Loop *loop, uint32_t line) {
    return line >= loop->first && line <= loop->last;
}

static uint32_t depthOf(const Loops *loops, uint32_t line) {
    uint32_t depth = 0;
    for (uint32_t i = 0; i < loops->count; i++) {
        depth += holds(&loops->loops[i], line);
    }
    return depth;
}

/* The longest loop that is in no other one. */
static Loop longestLoop(const Loops *loops) {
    Loop longest = {1, 0};
    for (uint32_t i = 0; i < loops->count; i++) {
        const Loop *loop = &loops->loops[i];
        if (loop->last + 1 - loop->first > longest.last + 1 - longest.first) {
            longest = *loop;
        }
    }
    return longest;
}

/* ---- Counting ---- */

AssemblyCounts assemblyCount(const char *text) {
    AssemblyCounts counts = {0};
    Loops loops = {.count = 0};
    uint32_t number = 1;
    findLoops(text, &loops);
    const Loop kernel = longestLoop(&loops);
    counts.loops = loops.count;
    for (const char *line = text; *line; line = nextLine(line), number++) {
        const OperationKind kind = kindOf(line + strspn(line, " \t"));
        OperationCounts *where = !holds(&kernel, number)        ? &counts.outside
                                 : depthOf(&loops, number) == 1 ? &counts.loop
                                                                : &counts.inner;
        if (kind < OPERATION_KIND_COUNT) {
            where->of[kind]++;
        }
    }
    return counts;
}
