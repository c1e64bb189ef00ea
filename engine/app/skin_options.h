/*
 * skin_options.h: the skinning options of all verbs, as entries of an Option table, and their values.
 */
#ifndef COMMAND_SKIN_OPTIONS_H
#define COMMAND_SKIN_OPTIONS_H

#include "engine_error.h"
#include "options.h"
#include "scene.h"

/* Their order from the first index in the table of a verb. */
enum {
    SKIN_OPTION_METHOD,
    SKIN_OPTION_BLEND,
    SKIN_OPTION_NORMALS,
    SKIN_OPTION_WEIGHTS,
    SKIN_OPTION_MAX_INFLUENCES,
    SKIN_OPTION_MORPH,
    SKIN_OPTION_BACKEND,
    SKIN_OPTION_COUNT
};

/* The names of VkskinNormals and VkskinWeightFormat, null-terminated. */
extern const char *const SKIN_NORMALS_NAMES[];
extern const char *const SKIN_WEIGHTS_NAMES[];

#define SKIN_BLEND_DEFAULT "0.5"

/* An entry of an Option table; its choices are SKIN_BACKEND_NAMES. */
#define BACKEND_OPTION                                                                                                 \
    {                                                                                                                  \
        .name = "backend", .kind = OPTION_CHOICE, .valueName = "compute|cpu|auto", .defaultValue = "auto",             \
        .choices = SKIN_BACKEND_NAMES,                                                                                 \
        .help =                                                                                                        \
            "compute: kernels on the device; cpu: the processors of this machine; auto: cpu if the device is a CPU, "  \
            "else compute"                                                                                             \
    }

/* "|dqs" and "; dqs, dual quaternions": the rest of the option's value name and help. */
#define SKIN_MODE_CHOICE(mode, method, encoding, name, title, help) "|" name
#define SKIN_MODE_HELP(mode, method, encoding, name, title, help)   "; " name ", " help

/* Entries of an Option table from index `first` on. */
#define SKIN_OPTIONS(first)                                                                                            \
    [(first) +                                                                                                         \
        SKIN_OPTION_METHOD] = {.name = "method",                                                                       \
                               .kind = OPTION_CHOICE,                                                                  \
                               .valueName = "lbs" SKIN_MODE_OTHERS(SKIN_MODE_CHOICE),                                  \
                               .defaultValue = "lbs",                                                                  \
                               .choices = SKIN_MODE_NAMES,                                                             \
                               .help = "skinning method: lbs, linear" SKIN_MODE_OTHERS(SKIN_MODE_HELP)},               \
        [(first) + SKIN_OPTION_BLEND] = {.name = "blend",                                                              \
                                         .kind = OPTION_NUMBER,                                                        \
                                         .valueName = "W",                                                             \
                                         .defaultValue = SKIN_BLEND_DEFAULT,                                           \
                                         .minimum = 0.0,                                                               \
                                         .maximum = 1.0,                                                               \
                                         .help = "for '--method blend': 0 is lbs, 1 is dqs-scaled; used for meshes "   \
                                                 "without painted weights (the glTF attribute _BLEND)"},               \
        [(first) + SKIN_OPTION_NORMALS] = {.name = "normals",                                                          \
                                           .kind = OPTION_CHOICE,                                                      \
                                           .valueName = "cheap|exact",                                                 \
                                           .defaultValue = "cheap",                                                    \
                                           .choices = SKIN_NORMALS_NAMES,                                              \
                                           .help = "normal transform: cheap is correct for rigid bones and uniform "   \
                                                   "scale, exact for every bone"},                                     \
        [(first) +                                                                                                     \
            SKIN_OPTION_WEIGHTS] = {.name = "weights",                                                                 \
                                    .kind = OPTION_CHOICE,                                                             \
                                    .valueName = "float|16|8",                                                         \
                                    .defaultValue = "float",                                                           \
                                    .choices = SKIN_WEIGHTS_NAMES,                                                     \
                                    .help =                                                                            \
                                        "weight format on the device: float, or unsigned integers of 16 or 8 bits"},   \
        [(first) +                                                                                                     \
            SKIN_OPTION_MAX_INFLUENCES] = {.name = "max-influences",                                                   \
                                           .kind = OPTION_INTEGER,                                                     \
                                           .valueName = "N",                                                           \
                                           .defaultValue = "0",                                                        \
                                           .minimum = 0,                                                               \
                                           .maximum = 255,                                                             \
                                           .help =                                                                     \
                                               "maximum influences per vertex; the largest weights are kept; 0: all"}, \
        [(first) + SKIN_OPTION_MORPH] =                                                                                \
            {.name = "morph",                                                                                          \
             .kind = OPTION_SETTING,                                                                                   \
             .valueName = "NAME=W",                                                                                    \
             .help =                                                                                                   \
                 "weight of a morph target, instead of the weight in file and clip. NAME: all targets of that name, "  \
                 "or the number of a target in each mesh; repeatable, the last weight of a target counts; 'vkskin "    \
                 "info' lists the targets"},                                                                           \
        [(first) + SKIN_OPTION_BACKEND] = BACKEND_OPTION

/* The parsed options. Keep it at its address: `choice` points into it. */
typedef struct SkinOptions {
    SkinChoice choice;
    MorphSetting morphs[OPTION_SETTINGS_MAX];
} SkinOptions;

/* EXIT_GOOD, or EXIT_USAGE and a line. first: the same as for SKIN_OPTIONS. */
int skinOptionsRead(const char *verb, const Arguments *arguments, uint32_t first, SkinOptions *options);

/* Whether each morph setting names a target of one of the models; if not, *error lists the targets. paths:
 * [modelCount]. */
bool skinOptionsCheckMorphs(const SkinChoice *choice, const SceneModel *models, uint32_t modelCount, char *const *paths,
                            EngineError *error);

#endif
