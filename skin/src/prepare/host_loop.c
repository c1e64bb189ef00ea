#include "host_loop.h"

#include "diagnostics.h"
#include "surface.h"

#define STEP_WORK 500000u

void sknRunLoop(const VkskinSurfaceDef *surface, uint32_t count, void (*task)(void *data, uint32_t i), void *data) {
    if (surface->parallel != NULL) {
        surface->parallel(surface->parallelUser, count, task, data);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        task(data, i);
    }
}

VkskinResult sknTellProgress(const VkskinSurfaceDef *surface, double done) {
    if (surface->progress == NULL || surface->progress(surface->progressUser, (float)done)) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&surface->logger, VKSKIN_ERROR_CANCELLED, "mesh %s: the progress callback asked to stop",
                     sknSurfaceName(surface));
}

VkskinResult sknStep(Stage *stage, uint64_t work, uint64_t done, uint64_t all) {
    stage->work += work;
    if (stage->work < STEP_WORK) {
        return VKSKIN_SUCCESS;
    }
    stage->work = 0;
    return sknTellProgress(stage->surface, stage->from + (stage->to - stage->from) * (double)done / (double)all);
}
