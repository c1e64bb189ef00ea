/*
 * skin_options.h: how characters are to be skinned: the options of all verbs that skin, as entries of an Option table,
 * and what a user gave for them.
 */
#ifndef COMMAND_SKIN_OPTIONS_H
#define COMMAND_SKIN_OPTIONS_H

#include "engine_error.h"
#include "options.h"
#include "scene.h"

/* Their order, from the index that a verb's table has them at. */
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

/* "cheap" and "exact", "float", "16" and "8": by VkskinNormals and VkskinWeightFormat, ended by null. */
extern const char *const SKIN_NORMALS_NAMES[];
extern const char *const SKIN_WEIGHTS_NAMES[];

#define SKIN_BLEND_DEFAULT "0.5"

/* One of SKIN_BACKEND_NAMES: an entry of an Option table. */
#define BACKEND_OPTION                                                                                                 \
    {                                                                                                                  \
        .name = "backend", .kind = OPTION_CHOICE, .valueName = "compute|cpu|auto", .defaultValue = "compute",          \
        .choices = SKIN_BACKEND_NAMES,                                                                                 \
        .help =                                                                                                        \
            "what skins: compute, kernels on the device; cpu, this machine's processors; auto, cpu on devices that "   \
            "are CPUs"                                                                                                 \
    }

/* "|dqs" and "; dqs, dual quaternions": the rest of the option's value name and help. */
#define SKIN_WAY_CHOICE(way, method, encoding, name, title, help) "|" name
#define SKIN_WAY_HELP(way, method, encoding, name, title, help)   "; " name ", " help

/* Entries of an Option table from index `first` on. */
#define SKIN_OPTIONS(first)                                                                                            \
    [(first) +                                                                                                         \
        SKIN_OPTION_METHOD] = {.name = "method",                                                                       \
                               .kind = OPTION_CHOICE,                                                                  \
                               .valueName = "lbs" SKIN_WAY_OTHERS(SKIN_WAY_CHOICE),                                    \
                               .defaultValue = "lbs",                                                                  \
                               .choices = SKIN_WAY_NAMES,                                                              \
                               .help = "skinning method: lbs, linear" SKIN_WAY_OTHERS(SKIN_WAY_HELP)},                 \
        [(first) + SKIN_OPTION_BLEND] = {.name = "blend",                                                              \
                                         .kind = OPTION_NUMBER,                                                        \
                                         .valueName = "W",                                                             \
                                         .defaultValue = SKIN_BLEND_DEFAULT,                                           \
                                         .minimum = 0.0,                                                               \
                                         .maximum = 1.0,                                                               \
                                         .help =                                                                       \
                                             "of '--method blend': 0 is lbs, 1 is dqs-scaled; for all vertices of "    \
                                             "meshes whose file paints none (a glTF attribute _BLEND)"},               \
        [(first) + SKIN_OPTION_NORMALS] = {.name = "normals",                                                          \
                                           .kind = OPTION_CHOICE,                                                      \
                                           .valueName = "cheap|exact",                                                 \
                                           .defaultValue = "cheap",                                                    \
                                           .choices = SKIN_NORMALS_NAMES,                                              \
                                           .help =                                                                     \
                                               "how normals follow bones: cheap is right for rigid ones and uniform "  \
                                               "scale, exact for all"},                                                \
        [(first) +                                                                                                     \
            SKIN_OPTION_WEIGHTS] = {.name = "weights",                                                                 \
                                    .kind = OPTION_CHOICE,                                                             \
                                    .valueName = "float|16|8",                                                         \
                                    .defaultValue = "float",                                                           \
                                    .choices = SKIN_WEIGHTS_NAMES,                                                     \
                                    .help = "how weights are kept on the device: in floats, or in that many bits"},    \
        [(first) + SKIN_OPTION_MAX_INFLUENCES] = {.name = "max-influences",                                            \
                                                  .kind = OPTION_INTEGER,                                              \
                                                  .valueName = "N",                                                    \
                                                  .defaultValue = "0",                                                 \
                                                  .minimum = 0,                                                        \
                                                  .maximum = 255,                                                      \
                                                  .help = "bones that a vertex keeps, the weightiest; 0 for all"},     \
        [(first) + SKIN_OPTION_MORPH] =                                                                                \
            {.name = "morph",                                                                                          \
             .kind = OPTION_SETTING,                                                                                   \
             .valueName = "NAME=W",                                                                                    \
             .help =                                                                                                   \
                 "the weight of a morph target, whatever the file and the clip say: of all targets of that name, or "  \
                 "where there is none, of that number in each mesh; may be given for each, and the last one of a "     \
                 "target counts; 'vkskin info' lists them"},                                                           \
        [(first) + SKIN_OPTION_BACKEND] = BACKEND_OPTION

/* What a user gave. Stays where it is: `choice` points into it. */
typedef struct SkinOptions {
    SkinChoice choice;
    MorphSetting morphs[OPTION_SETTINGS_MAX];
} SkinOptions;

/* EXIT_GOOD, or EXIT_USAGE after a line. first: as SKIN_OPTIONS was given it. */
int skinOptionsRead(const char *verb, const Arguments *arguments, uint32_t first, SkinOptions *options);

/* Whether each morph setting is of some target of these models; else the error lists those there are. paths:
 * [modelCount]. */
bool skinOptionsCheckMorphs(const SkinChoice *choice, const SceneModel *models, uint32_t modelCount, char *const *paths,
                            EngineError *error);

#endif
