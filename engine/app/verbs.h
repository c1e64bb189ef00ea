/*
 * verbs.h: the verbs of the command, one file each.
 */
#ifndef COMMAND_VERBS_H
#define COMMAND_VERBS_H

#include "options.h"

extern const Verb verbDevices; /* verb_devices.c */
extern const Verb verbInfo;    /* verb_info.c */
extern const Verb verbBake;    /* verb_bake.c */
extern const Verb verbRender;  /* verb_render.c */
extern const Verb verbCrowd;   /* verb_crowd.c */
#ifdef VKSKIN_HAS_WINDOW
extern const Verb verbView; /* verb_view.c */
#endif

#endif
