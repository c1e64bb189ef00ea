#include <stdatomic.h>
#include <string.h>

#include "crowd/crowd_rules.h"
#include "crowd_lanes.h"
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

/* level: available, not VKSKIN_CPU_AUTO. */
static CrowdLevel levelOf(VkskinCpuLevel level) {
#if defined(VKSKIN_HAS_AVX2)
    if (level == VKSKIN_CPU_AVX2) {
        return sknCrowdLevelAvx2;
    }
#endif
#if defined(VKSKIN_HAS_AVX512)
    if (level == VKSKIN_CPU_AVX512) {
        return sknCrowdLevelAvx512;
    }
#endif
    (void)level;
    return sknCrowdLevelPortable;
}

typedef struct CullTask {
    const CrowdArrays *arrays;
    const LayoutCrowdPush *push;
    CrowdLevel level;
    _Atomic uint32_t badClip, badModel, badPlace;
} CullTask;

static void cullTask(void *data, uint32_t index) {
    CullTask *task = data;
    const uint32_t first = index * TASK_CHARACTERS;
    const uint32_t left = sknCrowdHead(task->arrays->tables)->capacity - first;
    CrowdBad bad = {0};
    task->level.cull(task->arrays, task->push, first, first + (left < TASK_CHARACTERS ? left : TASK_CHARACTERS), &bad);
    atomic_fetch_add_explicit(&task->badClip, bad.clip, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badModel, bad.model, memory_order_relaxed);
    atomic_fetch_add_explicit(&task->badPlace, bad.place, memory_order_relaxed);
}

void sknCrowdCull(const CrowdArrays *arrays, const LayoutCrowdPush *push, const VkskinCpuRun *run) {
    CullTask task = {.arrays = arrays, .push = push, .level = levelOf(run->level)};
    const uint32_t tasks = (sknCrowdHead(arrays->tables)->capacity + TASK_CHARACTERS - 1) / TASK_CHARACTERS;
    sknRunTasks(run->parallel, run->parallelUser, tasks, cullTask, &task);
    LayoutCrowdStats *stats = sknCrowdStats(arrays->work);
    stats->badClip = task.badClip;
    stats->badModel = task.badModel;
    stats->badPlace = task.badPlace;
}
