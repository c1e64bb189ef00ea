/*
 * verbs.h: the verbs of the command.
 */
#ifndef COMMAND_VERBS_H
#define COMMAND_VERBS_H

#include "options.h"

#ifdef VKSKIN_HAS_WINDOW
#define WINDOW_VERBS(X) X(verbView) /* verb_view.c */
#else
#define WINDOW_VERBS(X)
#endif

/* In the order of the help. As X(variable). */
#define VERBS(X)                                                                                                       \
    X(verbDevices) /* verb_devices.c */                                                                                \
    X(verbInfo)    /* verb_info.c */                                                                                   \
    X(verbPack)    /* verb_pack.c */                                                                                   \
    X(verbBake)    /* verb_bake.c */                                                                                   \
    X(verbRender)  /* verb_render.c */                                                                                 \
    X(verbCrowd)   /* verb_crowd.c */                                                                                  \
    X(verbCompare) /* verb_compare.c */                                                                                \
    WINDOW_VERBS(X)                                                                                                    \
    X(verbCompletion) /* verb_completion.c */

#define DECLARE_VERB(verb) extern const Verb verb;
VERBS(DECLARE_VERB)

#endif
