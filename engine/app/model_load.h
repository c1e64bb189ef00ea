/* model_load.h: model files as a command line asks for them, with clips of other files. */
#ifndef APP_MODEL_LOAD_H
#define APP_MODEL_LOAD_H

#include "import.h"
#include "model.h"
#include "options.h"

/* A group with the options of every verb that reads models: --clips, --ticks-per-second, --up, --sandbox. */
extern const Option READ_OPTIONS[];

/* The format of MODEL '-', such as "glb": the value of --format. */
const char *modelLoadFormat(const Arguments *arguments);

/* what: what is done with the levels. */
#define LODS_OPTION(what)                                                                                              \
    {                                                                                                                  \
        "lods", OPTION_INTEGER, "N",                                                                                   \
            .help = what " up to N levels of detail of each model, of about 1, 1/2, 1/4 and 1/8 of the vertices; a "   \
                         "packed file that has levels keeps them",                                                     \
            .defaultValue = "1", .minimum = 1, .maximum = MODEL_LODS_MAX + 1                                           \
    }

/*
 * Makes the levels that --lods asks for, unless the model has levels. Prints a line for each one that is left out. The
 * vertices of the model are in the order of vkskinSortVertices.
 */
bool modelLoadLods(const Arguments *arguments, Model *model, const char *path, EngineError *error);

/* Keeps only the level that --level asks for, with flat triangles. */
bool modelLoadLevel(const Arguments *arguments, Model *model, const char *path, EngineError *error);

typedef enum ModelNeed {
    MODEL_WITH_MESHES, /* files with clips only and 2D characters are refused */
    MODEL_OR_SPINE,
    MODEL_OR_CLIPS
} ModelNeed;

/*
 * Reads the model as READ_OPTIONS say, with progress on the terminal, and adds the clips of the files of --clips. Prints
 * a warning where a layer of the sandbox is missing; but with MODEL_OR_CLIPS also Model.warnings.
 * sandbox: receives what was active; or null. Import forks: load before a device is made.
 */
Model *modelLoad(const Arguments *arguments, const char *path, ModelNeed need, ImportSandbox *sandbox,
                 EngineError *error);

#endif
