#include "host_loop.h"

#include "diagnostics.h"
#include "surface.h"

#define STEP_WORK 500000u

VkskinResult sknTellProgress(const Surface *surface, double done) {
    if (surface->run.progress == NULL || surface->run.progress(surface->run.progressUser, (float)done)) {
        return VKSKIN_SUCCESS;
    }
    return sknReport(&surface->run.logger, VKSKIN_ERROR_CANCELLED, "mesh %s: the progress callback asked to stop",
                     sknMeshName(surface->mesh));
}

VkskinResult sknStep(Stage *stage, uint64_t work, uint64_t done, uint64_t all) {
    stage->work += work;
    if (stage->work < STEP_WORK) {
        return VKSKIN_SUCCESS;
    }
    stage->work = 0;
    return sknTellProgress(stage->surface, stage->from + (stage->to - stage->from) * (double)done / (double)all);
}
