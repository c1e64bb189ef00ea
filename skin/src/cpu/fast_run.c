#include "fast_run.h"

#include "methods.h"

static bool blendsMatrices(const CpuRunWork *work) {
    const MethodPair *pair = &sknMethodPairs[work->targets[0].command->pair];
    return pair->method == VKSKIN_METHOD_LINEAR_BLEND && pair->encoding == VKSKIN_PALETTE_MAT3X4 &&
           work->run->influences > 0;
}

CpuRunFn sknFindFastRun(VkskinCpuLevel level, const CpuRunWork *work) {
    if (!blendsMatrices(work)) {
        return NULL;
    }
    switch (level) {
#if defined(VKSKIN_HAS_AVX512)
    case VKSKIN_CPU_AVX512:
        return sknBlendRunAvx512;
#endif
#if defined(VKSKIN_HAS_AVX2)
    case VKSKIN_CPU_AVX2:
        return sknBlendRunAvx2;
#endif
    default:
        return NULL;
    }
}
