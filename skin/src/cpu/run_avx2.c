#include "lane_run.h"

#if defined(VKSKIN_HAS_AVX2)
void sknSkinRunAvx2(const CpuRunWork *work) {
    skinRun(work);
}
#endif
