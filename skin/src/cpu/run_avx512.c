#include "lane_run.h"

#if defined(VKSKIN_HAS_AVX512)
void sknSkinRunAvx512(const CpuRunWork *work) {
    skinRun(work);
}
#endif
