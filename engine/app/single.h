/*
 * single.h: one character at one time of a clip, on a device: the start of bake and render.
 */
#ifndef COMMAND_SINGLE_H
#define COMMAND_SINGLE_H

#include <math.h>

#include "load.h"
#include "setup.h"
#include "skin_options.h"

/* The options of bake and of render, which head their tables; a verb's own follow from SINGLE_OPTION_COUNT on. */
enum { SINGLE_OUTPUT, SINGLE_CLIP, SINGLE_TIME, SINGLE_SKIN, SINGLE_OPTION_COUNT = SINGLE_SKIN + SKIN_OPTION_COUNT };

/* The entries of an Option table. file, what: of --output, its value's name and the help's phrase. */
#define SINGLE_OPTIONS(file, what)                                                                                     \
    [SINGLE_OUTPUT] =                                                                                                  \
        {.name = "output", .letter = 'o', .kind = OPTION_TEXT, .valueName = (file), .required = true, .help = (what)}, \
    [SINGLE_CLIP] = {.name = "clip",                                                                                   \
                     .kind = OPTION_TEXT,                                                                              \
                     .valueName = "N|NAME",                                                                            \
                     .help = "the clip, by index from 0 or by name; default: the first, or the rest pose of a "        \
                             "model without clips"},                                                                   \
    [SINGLE_TIME] = {.name = "time",                                                                                   \
                     .kind = OPTION_NUMBER,                                                                            \
                     .valueName = "SECONDS",                                                                           \
                     .defaultValue = "0",                                                                              \
                     .minimum = 0.0,                                                                                   \
                     .maximum = INFINITY,                                                                              \
                     .help = "time in the clip; after its end the last frame holds"},                                  \
    SKIN_OPTIONS(SINGLE_SKIN)

typedef struct SingleDef {
    const char *verb;
    const char *path;
    const char *clip; /* as the user wrote it, or null: see loadFindClip */
    double time;      /* seconds; past the end the last frame holds */
    SkinOptions skin;
    VkskinVertexFormat format;
    bool readback;
} SingleDef;

typedef struct Single {
    LoadedModels loaded;
    OpenDevice open;
    Scene *scene;
    uint32_t clip; /* LOAD_REST_POSE: none */
} Single;

/* What a user wishes; packed vertices that are not read back. EXIT_GOOD, or EXIT_USAGE after a line. *def stays where it
 * is. */
int singleDef(const char *verb, const Arguments *arguments, SingleDef *def);

/*
 * Loads the model, finds the clip, opens the device and makes the scene of one member. Where the method cannot hold
 * the scale of the bones at that moment, or weights are not skinned as the file has them, a warning is printed.
 * *single stays where it is until singleClose, which must be called on failure too.
 */
bool singleOpen(const SingleDef *def, const Arguments *arguments, Single *single, EngineError *error);

/* Frees all. Returns the verb's exit status as closeDevice does. */
int singleClose(Single *single, int status);

#endif
