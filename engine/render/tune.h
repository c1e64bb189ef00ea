/*
 * tune.h: the settings that kernels are fastest with on a device: found by a run, and whether old ones are of it.
 */
#ifndef ENGINE_TUNE_H
#define ENGINE_TUNE_H

#include "device.h"
#include "vkskin/vkskin.h"

/* runs: of the device so far. Called on the thread of tuneDevice. */
typedef void (*TuneProgressFn)(void *user, uint32_t runs);

/* By vkskinTune with its defaults; each run is submitted on its own and timed by the wall clock around a fence. Takes
 * seconds on some drivers. progress: null for none. */
bool tuneDevice(Device *device, TuneProgressFn progress, void *user, VkskinTuning *tuning, EngineError *error);

/* *fits: whether the library takes the tuning for this device. False where it cannot be asked. */
bool tuneFits(Device *device, const VkskinTuning *tuning, bool *fits, EngineError *error);

#endif
