#include "crowd_lanes.h"

const CrowdLevel sknCrowdPortable = {LANES, poseBatch};
