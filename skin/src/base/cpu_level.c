#include "cpu_level.h"

/* __builtin_cpu_supports also checks that the operating system saves the wide registers. */

static bool hasAvx2(void) {
#if defined(VKSKIN_HAS_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

static bool hasAvx512(void) {
#if defined(VKSKIN_HAS_AVX512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

VkskinCpuLevel vkskinGetCpuLevel(void) {
    if (!hasAvx2()) {
        return VKSKIN_CPU_PORTABLE;
    }
    return hasAvx512() ? VKSKIN_CPU_AVX512 : VKSKIN_CPU_AVX2;
}

VkskinCpuLevel sknResolveCpuLevel(VkskinCpuLevel level) {
    const VkskinCpuLevel best = vkskinGetCpuLevel();
    if (level == VKSKIN_CPU_AUTO) {
        return best;
    }
    return (uint32_t)level <= (uint32_t)best ? level : VKSKIN_CPU_LEVEL_COUNT;
}
