#if defined(VKSKIN_HAS_AVX2)
#include "crowd_lanes.h"

const CrowdLevel sknCrowdAvx2 = {LANES, poseBatch};
#endif
