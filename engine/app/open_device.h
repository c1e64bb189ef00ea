/*
 * open_device.h: the device that a verb works on, as --device and --validate ask for it.
 */
#ifndef COMMAND_OPEN_DEVICE_H
#define COMMAND_OPEN_DEVICE_H

#include "device.h"
#include "options.h"
#include "progress.h"

typedef struct OpenDevice {
    Device *device;
    const char *verb;
    Progress *progress; /* null, or a line that a message of the validation layer has to take away first */
    uint32_t messages;  /* of the validation layer */
} OpenDevice;

/*
 * Makes the device. base: what the verb needs besides (a window's extensions and `presents`, which gets no user of its
 * own), or null; its `select`, `validation`, `onMessage` and `user` are not looked at. *open stays where it is until
 * closeDevice.
 */
bool openDevice(const char *verb, const Arguments *arguments, const DeviceOptions *base, OpenDevice *open,
                EngineError *error);

/*
 * Destroys the device and returns the verb's exit status: `status`, or EXIT_FAILED when the validation layer spoke.
 * One that was never opened is allowed.
 */
int closeDevice(OpenDevice *open, int status);

#endif
