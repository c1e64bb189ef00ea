#if defined(VKSKIN_HAS_AVX512)
#include "crowd_lanes.h"

const CrowdLevel sknCrowdAvx512 = {LANES, poseBatch};
#endif
