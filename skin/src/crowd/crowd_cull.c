#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "crowd/crowd_rules.h"
#include "crowd_stages.h"
#include "run_tasks.h"

/* Characters of a task. */
#define TASK_CHARACTERS 4096u

void sknCrowdApply(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    memcpy(arrays->work + CROWD_WORK_PLANES, arrays->planes, CROWD_PLANE_WORDS * sizeof *arrays->work);
    *sknCrowdStats(arrays->work) = (LayoutCrowdStats){0};
    for (uint32_t i = 0; i < push->changes; i++) {
        const LayoutCrowdChange *change = &arrays->changes[i];
        crowdApply(&arrays->states[change->character], &arrays->colds[change->character], change, push->tick);
    }
}

/* ---- Culling ---- */

typedef struct Box {
    float centre[3], extent[3];
} Box;

static float floatOf(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static Box boxOf(const LayoutCrowdBounds *bounds) {
    return (Box){{floatOf(bounds->centreX), floatOf(bounds->centreY), floatOf(bounds->centreZ)},
                 {floatOf(bounds->extentX), floatOf(bounds->extentY), floatOf(bounds->extentZ)}};
}

/* The union of the boxes of two clips, enlarged by the larger margin. */
static Box fadeBox(const LayoutCrowdBounds *a, const LayoutCrowdBounds *b) {
    const float margin = fmaxf(floatOf(a->margin), floatOf(b->margin));
    const Box from = boxOf(a);
    const Box to = boxOf(b);
    Box box;
    for (int i = 0; i < 3; i++) {
        const float low = fminf(from.centre[i] - from.extent[i], to.centre[i] - to.extent[i]) - margin;
        const float high = fmaxf(from.centre[i] + from.extent[i], to.centre[i] + to.extent[i]) + margin;
        box.centre[i] = (low + high) * 0.5f;
        box.extent[i] = (high - low) * 0.5f;
    }
    return box;
}

/*
 * Whether a plane has the whole box behind it. The box is in model space: the plane is taken there. Rounding may move the
 * result by a few units in the last place of the largest term, so the box counts as larger by that.
 */
static bool isBehind(const float plane[4], const float m[12], const Box *box) {
    float distance = plane[3];
    float reach = 0;
    float size = fabsf(plane[3]);
    for (int r = 0; r < 3; r++) {
        distance += plane[r] * m[4 * r + 3];
        size += fabsf(plane[r] * m[4 * r + 3]);
    }
    for (int c = 0; c < 3; c++) {
        const float normal = plane[0] * m[c] + plane[1] * m[4 + c] + plane[2] * m[8 + c];
        distance += normal * box->centre[c];
        reach += fabsf(normal) * box->extent[c];
        size += (fabsf(plane[0] * m[c]) + fabsf(plane[1] * m[4 + c]) + fabsf(plane[2] * m[8 + c])) *
                (fabsf(box->centre[c]) + box->extent[c]);
    }
    return distance + reach < -CROWD_SLACK * size;
}

static uint32_t viewsOf(const uint32_t *work, const LayoutCrowdPush *push, const float m[12], const Box *box) {
    uint32_t views = 0;
    for (uint32_t view = 0; view < CROWD_VIEWS; view++) {
        bool visible = (push->views >> view & 1u) != 0;
        const uint32_t planes = push->planes >> (8 * view) & 0xffu;
        for (uint32_t p = 0; visible && p < planes; p++) {
            float plane[4];
            memcpy(plane, work + CROWD_WORK_PLANES + (size_t)4 * (view * CROWD_PLANES + p), sizeof plane);
            visible = !isBehind(plane, m, box);
        }
        views |= (visible ? 1u : 0u) << view;
    }
    return views;
}

static bool isNear(const float m[12]) {
    for (int i = 0; i < 12; i++) {
        if (!(fabsf(m[i]) <= CROWD_FAR)) {
            return false;
        }
    }
    return true;
}

/* What a task counts. */
typedef struct Bad {
    uint32_t clip, model, place;
} Bad;

/* The key of a character that exists. */
static uint32_t keyOf(const CrowdArrays *arrays, const LayoutCrowdPush *push, LayoutCrowdState *state,
                      const LayoutCrowdCold *cold, Bad *bad) {
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    const uint32_t model = state->flags & CROWD_MODEL_MASK;
    const bool teleported = (state->flags & CROWD_TELEPORTED) != 0;
    (void)crowdAdvance(state, cold, push->tick);
    state->flags &= ~CROWD_TELEPORTED;
    float m[12];
    memcpy(m, state, sizeof m);
    const bool near = isNear(m);
    bad->model += model >= head->modelCount;
    bad->place += !near;
    const uint32_t clipA = state->clips & 0xffffu;
    const uint32_t clipB = state->clips >> 16;
    const bool fading = (state->flags & CROWD_FADING) != 0;
    bad->clip += clipA >= head->clipCount || (fading && clipB >= head->clipCount);
    if (model >= head->modelCount || !near || (state->flags & CROWD_HIDDEN) != 0) {
        return 0;
    }
    const LayoutCrowdBounds *bounds =
        (const LayoutCrowdBounds *)(arrays->tables + sknCrowdModel(arrays->tables, model)->boundsAt);
    const LayoutCrowdBounds *from = &bounds[crowdKnownClip(clipA, head->clipCount)];
    const Box box = fading ? fadeBox(from, &bounds[crowdKnownClip(clipB, head->clipCount)]) : boxOf(from);
    return viewsOf(arrays->work, push, m, &box) | model << CROWD_KEY_MODEL_SHIFT |
           (teleported ? CROWD_KEY_TELEPORTED : 0u);
}

typedef struct CullTask {
    const CrowdArrays *arrays;
    const LayoutCrowdPush *push;
    _Atomic uint32_t badClip, badModel, badPlace;
} CullTask;

static void cullTask(void *data, uint32_t index) {
    CullTask *task = data;
    const CrowdArrays *arrays = task->arrays;
    const LayoutCrowdHead *head = sknCrowdHead(arrays->tables);
    uint32_t *keys = arrays->work + head->keys;
    const uint32_t first = index * TASK_CHARACTERS;
    const uint32_t left = head->capacity - first;
    const uint32_t end = first + (left < TASK_CHARACTERS ? left : TASK_CHARACTERS);
    Bad bad = {0};
    for (uint32_t c = first; c < end; c++) {
        LayoutCrowdState *state = &arrays->states[c];
        keys[c] = (state->flags & CROWD_EXISTS) != 0 ? keyOf(arrays, task->push, state, &arrays->colds[c], &bad) : 0u;
    }
    atomic_fetch_add_explicit(&task->badClip, bad.clip, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badModel, bad.model, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badPlace, bad.place, memory_order_relaxed);
}

void sknCrowdCull(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    CullTask task = {.arrays = arrays, .push = push};
    const uint32_t tasks = (sknCrowdHead(arrays->tables)->capacity + TASK_CHARACTERS - 1) / TASK_CHARACTERS;
    sknRunTasks(run->parallel, run->parallelUser, tasks, cullTask, &task);
    LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    stats->badClip = task.badClip;
    stats->badModel = task.badModel;
    stats->badPlace = task.badPlace;
}
