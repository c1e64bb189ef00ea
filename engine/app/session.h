/*
 * session.h: the path of a verb from its arguments to a scene on a device: skinning options, models, device, tuning, and
 * warnings about the scene. Keep a Session at its address from sessionRead to sessionEnd.
 */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "device.h"
#include "model_load.h"
#include "paint.h"
#include "scene.h"
#include "terminal.h"

/* ---- Options that several verbs have: entries of an Option table ---- */

/* The members of a Verb that takes up to `most` models, and a device. */
#define TAKES_MODELS(most)                                                                                             \
    .operandName = "MODEL", .operandsMin = 1, .operandsMax = (most), .takesDevice = true,                              \
    .operandHelp = "a file: " IMPORT_FORMATS "; or builtin:strip, a flat strip that waves"

/* what: the start of its help. without: what happens without it. */
#define MAX_ERROR_OPTION(what, without)                                                                                \
    {                                                                                                                  \
        "max-error", OPTION_NUMBER, "MM",                                                                              \
            .help = (what " with at most this error, in millimetres on a character 1.8 m high; default: " without),    \
            .unit = "mm", .minimum = 0.001, .maximum = 1000.0                                                          \
    }

/* The names of VkskinNormals and VkskinWeightFormat, null-terminated. */
extern const char *const SKIN_NORMALS_NAMES[];
extern const char *const SKIN_WEIGHTS_NAMES[];

/* The names of VkskinVertexFormat, null-terminated. */
extern const char *const SKIN_FORMAT_NAMES[];

/* The one ending of pictures, and those of pictures that may be animated; null-terminated. */
extern const char *const PICTURE_ENDINGS[];
extern const char *const ANIMATED_ENDINGS[];

/* who: its OptionContent. */
#define BACKEND_OPTION(who)                                                                                            \
    {                                                                                                                  \
        "backend", OPTION_CHOICE, "compute|cpu|auto",                                                                  \
            .help = "compute: kernels on the device; cpu: the processors of this machine; auto: cpu if the device is " \
                    "a CPU, else compute",                                                                             \
            .defaultValue = "auto", .choices = SKIN_BACKEND_NAMES, .content = (who)                                    \
    }

/* what, byDefault: the start and the end of its help. For findClip. */
#define CLIP_OPTION(what, byDefault)                                                                                   \
    {                                                                                                                  \
        "clip", OPTION_TEXT, "N|NAME|none",                                                                            \
            .help = what ", by index from 0 or by name in any case; none: the rest pose" byDefault,                    \
            .content = OPTION_FOR_ALL                                                                                  \
    }

/* A group with all options for reading (READ_OPTIONS) and skinning but --backend, which sessionRead reads. */
extern const Option SKIN_OPTIONS[];

/* For example "; vertex-buffer, from a storage buffer". */
#define SYSTEM_HELP(system, name, help) "; " name ", " help

/* byDefault: see sessionMakeScene. */
#define SYSTEM_OPTION(byDefault)                                                                                       \
    {                                                                                                                  \
        "system", OPTION_CHOICE, "NAME", .help = "how bones reach the vertices" SKIN_SYSTEMS(SYSTEM_HELP),             \
                                         .defaultValue = (byDefault), .choices = SKIN_SYSTEM_NAMES,                    \
                                         .content = OPTION_FOR_ALL                                                     \
    }

/* A group of the verbs with a SYSTEM_OPTION: the other options of systems, and the format of skinned vertices. */
extern const Option SYSTEM_OPTIONS[];

/* The value of --vertex-format, for SceneDef.format. */
VkskinVertexFormat chosenFormat(const Arguments *arguments);

#define SEED_MAX 9007199254740991.0 /* exact as a double */
/* who: its OptionContent. */
#define SEED_OPTION(who)                                                                                               \
    {                                                                                                                  \
        "seed", OPTION_INTEGER, "N", .help = "random seed for positions, clips and start times", .defaultValue = "1",  \
                                     .minimum = 0, .maximum = SEED_MAX, .content = (who)                               \
    }

/* what: its help. */
#define SIZE_OPTION(what)                                                                                              \
    {                                                                                                                  \
        "size", OPTION_SIZE, "WxH", .help = (what), .defaultValue = "1280x720", .minimum = 1, .maximum = 16384,        \
                                    .content = OPTION_FOR_ALL                                                          \
    }

/* what: "picture" or "file". */
#define SEQUENCE_OPTION(what)                                                                                          \
    {                                                                                                                  \
        "sequence", OPTION_SERIES, "FROM:TO:FPS[:FIRST]",                                                              \
            .help = "one " what " for each step of 1/FPS seconds from FROM to TO, which are added to --time: "         \
                    "FILE-0000, FILE-0001 and so on, from number FIRST on. All of them are written, or none",          \
            .content = OPTION_FOR_ALL                                                                                  \
    }

/* The names of PopulationTint, null-terminated. */
extern const char *const TINT_NAMES[];
#define TINT_OPTION                                                                                                    \
    {                                                                                                                  \
        "tint", OPTION_CHOICE, "auto|on|off",                                                                          \
            .help = "whether characters of a crowd differ in colour; auto: those without textures and colours of "     \
                    "their own",                                                                                       \
            .defaultValue = "auto", .choices = TINT_NAMES                                                              \
    }

#define TUNING_OPTION                                                                                                  \
    {                                                                                                                  \
        "tuning", OPTION_UPDATED, "FILE",                                                                              \
            .help = "file with the kernel settings of this device. If it is missing, damaged or from another device, " \
                    "driver or version, the settings are measured again, which takes seconds, and written. A file "    \
                    "that is no tuning is refused; default: chosen by device type"                                     \
    }

/* ---- From arguments to a scene ---- */

#define SESSION_MODELS_MAX 64

typedef struct Session {
    const char *verb;
    const Arguments *arguments;
    SkinChoice skin; /* complete; points to `morphs` */
    MorphSetting morphs[OPTION_SETTINGS_MAX];
    MotionChoice motion;                     /* values of the motion options */
    const Model *models[SESSION_MODELS_MAX]; /* models of the operands; entries may share a model */
    uint32_t modelCount;
    uint32_t clips[SESSION_MODELS_MAX]; /* chosen clip of each model, after sessionChooseClips */
    bool clipsChosen;
    uint32_t shows; /* from --show and --paint, after the models are loaded */
    Paint paint;
    Device *device;
    Scene *scene;
    Progress *progress;   /* null, or the progress line to erase before a message of the validation layer */
    uint32_t messages;    /* messages of the validation layer so far */
    bool scaleLost;       /* sessionCheckScale has printed its warning */
    EngineError fallback; /* why the system is compute instead of crowd, the verb's default; empty: it is not so */
    bool isRepeated;      /* the scene is made once more: the warnings about its models were printed */
    uint32_t said;        /* warnings of the library that were printed: bit VkskinResult */
} Session;

/* Reads the skinning options. EXIT_GOOD, or EXIT_USAGE and a line: options that exclude each other. */
int sessionRead(Session *session, const Arguments *arguments);

/* The order of the vertices and triangles of a model. */
typedef enum LoadOrder { LOAD_AS_FILE, LOAD_OPTIMISED } LoadOrder;

/*
 * Reads the operands, a file that is named twice once, and calls sessionCheckMorphs.
 * order: LOAD_OPTIMISED for models that are skinned and drawn often, LOAD_AS_FILE if they are exported.
 */
bool sessionLoad(Session *session, LoadOrder order, EngineError *error);

/* Reads one of the operands again. Null on failure. The caller frees the model. */
Model *sessionLoadModel(const Session *session, const char *path, LoadOrder order, EngineError *error);

/* The index of the first operand that is the same text as operand `index`: it has the same model. */
uint32_t sessionFirstNamed(const Session *session, uint32_t index);

/*
 * Creates the device. base: further needs of the verb (window extensions, `presents`), or null; its `select`,
 * `validation`, `onMessage` and `user` are ignored.
 */
bool sessionOpenDevice(Session *session, const DeviceOptions *base, EngineError *error);

/*
 * Applies --tuning, checks that the system draws the models, creates the scene and calls sessionCheckWeights. The models,
 * their clips, the skinning options and the tuning are those of the session; `def` has the rest. If the system is crowd only
 * by default, and a crowd cannot show what the user asks for, the system becomes compute, and `fallback` says why.
 */
bool sessionMakeScene(Session *session, const SceneDef *def, EngineError *error);

/*
 * After a failure: whether the scene may be made again with the system compute. It may if the system is crowd only by
 * default, and the crowd, or the device, cannot do what was asked; not if memory is short. Then the scene is destroyed,
 * the system is compute, and `fallback` says why.
 */
bool sessionFallBack(Session *session, const EngineError *error);

/* Applies --time to all characters of the scene. */
void sessionSetTimes(const Session *session);

/* Destroys the scene, if there is one. good: first prints warnings of the library that were not printed yet. */
void sessionEndScene(Session *session, bool good);

/*
 * sessionEndScene; frees all; prints the error where `good` is false. Returns the verb's exit status: EXIT_FAILED also
 * after a message of the validation layer.
 */
int sessionEnd(Session *session, bool good, const EngineError *error);

/* The three steps of a verb: sessionRead, `work`, sessionEnd. */
int sessionRun(const Arguments *arguments, bool (*work)(Session *session, EngineError *error));

/* Shows a progress line, which messages of the validation layer do not break. total: as for progressBegin. */
void sessionBeginProgress(Session *session, Progress *progress, const char *what, uint64_t total);
void sessionEndProgress(Session *session);

/* ---- Models ---- */

#define REST_POSE UINT32_MAX /* what Character.clip has for the rest pose */

/*
 * The clip that a user names: by its index, else by its name (the first of that name; case counts); "none" is the rest
 * pose. wanted: null for the first clip, or for the rest pose of a model without clips. path: for the message.
 */
bool findClip(const Model *model, const char *path, const char *wanted, uint32_t *clip, EngineError *error);

/* Finds the clip of --clip in each model, for sessionMakeScene. Without this call characters have random clips. */
bool sessionChooseClips(Session *session, EngineError *error);

/* ---- Checks: session_checks.c ---- */

/* The library normalises weights whose sum differs more from one (VkskinMeshInfo.normalisedVertices). */
#define WEIGHT_CHECK_TOLERANCE 1e-4

/* The condition under which VkskinMeshInfo.weightError is a bound. */
#define WEIGHT_CHECK_WHILE "while the bones of a vertex place it within one mesh diagonal"

/* Whether each morph setting names a target of one of the models; if not, *error lists the targets. */
bool sessionCheckMorphs(const Session *session, EngineError *error);

/*
 * Prints a warning for each mesh with trimmed influences (VKSKIN_WARNING_INFLUENCES_TRIMMED), with the error bound in the
 * unit of the model, and one for each model with weights that are normalised by more than 1 in 1,000
 * (VKSKIN_WARNING_WEIGHTS_NORMALISED).
 */
bool sessionCheckWeights(const Session *session, EngineError *error);

/* Whether the system of the session draws a model on the session's device: a line that begins with its path, if not. */
bool sessionCheckSystem(const Session *session, const Model *model, const char *path, uint32_t count,
                        EngineError *error);

/*
 * Prints a warning for each character whose palettes lose scale (VKSKIN_WARNING_SCALE_LOST): at the clip and the time of
 * `character`, or, where that is null, at the start, middle or end of a clip, or in the rest pose if it has no clips. With a
 * system that refuses them it fails.
 */
bool sessionCheckScale(Session *session, const Character *character, EngineError *error);

/* Both checks of one character, after its model was replaced: index as in Session.models. */
bool sessionCheckReplaced(Session *session, uint32_t index, EngineError *error);

#endif
