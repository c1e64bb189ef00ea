/*
 * physical_device.h: what the physical devices of an instance are, and which one a user means.
 */
#ifndef ENGINE_PHYSICAL_DEVICE_H
#define ENGINE_PHYSICAL_DEVICE_H

#include "device.h"

#define PHYSICAL_DEVICE_MAX 32

typedef struct PhysicalDevice {
    VkPhysicalDevice handle;
    uint32_t family; /* with graphics and compute, and presenting where that was asked; valid when suitable */
    DeviceInfo info;
} PhysicalDevice;

typedef struct PhysicalDevices {
    uint32_t count; /* at least 1; devices beyond PHYSICAL_DEVICE_MAX are not looked at */
    PhysicalDevice devices[PHYSICAL_DEVICE_MAX];
} PhysicalDevices;

/* Looks at all devices in the loader's order. options: null when nothing but drawing is asked. */
bool physicalDevicesGet(VkInstance instance, const DeviceOptions *options, PhysicalDevices *devices,
                        EngineError *error);

/* The device that `select` means (see DeviceOptions). Null on failure. */
const PhysicalDevice *physicalDevicesSelect(const PhysicalDevices *devices, const char *select, EngineError *error);

#endif
