/* conform_settings.h: how a context skins, and not what. */
#ifndef TESTS_CONFORM_SETTINGS_H
#define TESTS_CONFORM_SETTINGS_H

#include "vkskin/vkskin.h"

/* All zero: kernels with what the library chooses. */
typedef struct ConformSettings {
    VkskinBackend backend;
    VkskinPaletteBinding binding;
    uint32_t instancesPerThread;
    bool driverConstants;   /* the driver specialises the kernels, as on devices other than CPUs */
    uint32_t workgroupSize; /* at most: where the device takes no such workgroups, the largest that it takes */
} ConformSettings;

#endif
