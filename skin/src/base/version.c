#include "vkskin/vkskin_base.h"

uint32_t vkskinVersion(void) {
    return VKSKIN_VERSION;
}
