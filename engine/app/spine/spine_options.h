/* spine_options.h: the options of 2D characters. */
#ifndef APP_SPINE_OPTIONS_H
#define APP_SPINE_OPTIONS_H

#include "session.h"
#include "spine_play.h"

/* The choices of --place: the names of SpinePlacement, null-terminated. */
extern const char *const SPINE_PLACE_NAMES[];

/* The choices of --curves: the names of SpineCurves, null-terminated. */
extern const char *const SPINE_CURVES_NAMES[];

#define SPINE_CURVES_OPTION                                                                                            \
    {                                                                                                                  \
        "curves", OPTION_CHOICE, "runtime|exact",                                                                      \
            .help = "of a 2D character: curves of keys and paths as straight pieces, as the official runtime has "     \
                    "them, or exact",                                                                                  \
            .defaultValue = "runtime", .choices = SPINE_CURVES_NAMES, .content = OPTION_FOR_SPINE                      \
    }

/* Default brightness of the background. */
#define SPINE_GREY 0.85f

/*
 * Reads the characters of the operands, for a verb that draws them. Fails also for systems that do not draw 2D characters.
 * The session owns the models.
 */
bool spineLoad(Session *session, EngineError *error);

/* A context with the session's backend, on its device. Null on failure. */
Skinning *spineSkinning(const Session *session, EngineError *error);

/* The colour of --background, or else grey. */
void spineBackground(const Arguments *arguments, float colour[4]);

/* The index of a skin; -1: none has the name. */
int32_t spineFindSkin(const SpineModel *spine, const char *name);

/* Reads --clip, --blend-clip, --reach, --curves and --machine. The caller destroys motion->machine, also after a failure. */
bool spineMotionRead(const Arguments *arguments, const SpineModel *spine, SpineMotion *motion, EngineError *error);

/* momentRead of what the motion plays. With physics nothing ends: they go on after the last key. */
bool spineMoment(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion, double *time,
                 EngineError *error);

/* For momentShown: seconds; INFINITY where nothing ends. */
double spineMomentDuration(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion);

/* momentShown of the same. */
double spineMomentShown(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion, double time);

/*
 * skins: receives those of --skin, *count. Without --skin: none, or one if nothing could be shown without it: the skin that
 * fills the most slots of the setup pose.
 */
bool spineFindSkins(const Arguments *arguments, const SpineModel *spine, uint32_t skins[OPTION_FILES_MAX],
                    uint32_t *count, EngineError *error);

/*
 * Without --skin: a line with the skins of the file, if it has others than 'default' and slots that need them. The line also
 * names the skin that spineFindSkins chose.
 */
void spineNameSkins(const Arguments *arguments, const SpinePose *pose);

#define SKIN_NAME_OPTION                                                                                               \
    {                                                                                                                  \
        "skin", OPTION_NAMES, "NAME",                                                                                  \
            .help = "of a 2D character: also show what this skin has; repeatable, the last one counts where several "  \
                    "have the same; default: only the skin 'default', or if it shows nothing the skin that fills the " \
                    "most slots",                                                                                      \
            .content = OPTION_FOR_SPINE                                                                                \
    }

#endif
