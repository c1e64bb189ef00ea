/*
 * single.h: one character of one model at one moment, on a device: what bake and render start from.
 */
#ifndef COMMAND_SINGLE_H
#define COMMAND_SINGLE_H

#include "load.h"
#include "open_device.h"

typedef struct SingleDef {
    const char *verb;
    const char *path;
    const char *clip; /* as the user named it, or null: see loadFindClip */
    double time;      /* seconds; past the end the last frame holds */
    VkskinMethod method;
    uint32_t maxInfluences; /* 1 to 4 */
    VkskinVertexFormat format;
    bool readback;
} SingleDef;

typedef struct Single {
    LoadedModels loaded;
    OpenDevice open;
    Scene *scene;
    uint32_t clip; /* that was found; LOAD_REST_POSE: none */
} Single;

/*
 * Loads the model, finds the clip, opens the device and makes the scene of one member. Where the method cannot hold
 * the scale of the bones at that moment, or weights are not skinned as the file has them, a warning is printed. *single stays where it is until singleClose, which
 * must be called on failure too.
 */
bool singleOpen(const SingleDef *def, const Arguments *arguments, Single *single, EngineError *error);

/* Frees all. Returns the verb's exit status as closeDevice does. */
int singleClose(Single *single, int status);

#endif
