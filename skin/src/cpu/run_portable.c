#include "lane_run.h"

void sknSkinRunPortable(const CpuRunWork *work) {
    skinRun(work);
}
