#include "method.h"

#include "vkskin/vkskin.h"

const char *const METHOD_NAMES[] = {
    [VKSKIN_METHOD_LINEAR_BLEND] = "lbs",
    [VKSKIN_METHOD_DUAL_QUATERNION] = "dqs",
    NULL,
};
