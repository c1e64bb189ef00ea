#include "run_tasks.h"

void sknRunTasks(VkskinParallelFn parallel, void *parallelUser, uint32_t count, void (*task)(void *data, uint32_t i),
                 void *data) {
    if (parallel != NULL && count > 0) {
        parallel(parallelUser, count, task, data);
        return;
    }
    for (uint32_t i = 0; i < count; ++i) {
        task(data, i);
    }
}
