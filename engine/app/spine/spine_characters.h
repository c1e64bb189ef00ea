/* spine_characters.h: the 2D characters of a command line as a population that a camera shows. For `crowd` and
 * `compare`; `render` shows one character. */
#ifndef APP_SPINE_CHARACTERS_H
#define APP_SPINE_CHARACTERS_H

#include "pictures.h"
#include "spine_run.h"

typedef struct SpineCharacters {
    uint32_t skins[SESSION_MODELS_MAX][OPTION_FILES_MAX];
    SpinePopulationKind kinds[SESSION_MODELS_MAX];
    SpineDrawModel models[SESSION_MODELS_MAX];
    SpinePopulation population;
    SpineCamera camera; /* shows all of them */
} SpineCharacters;

/*
 * Makes characters of the session's models by --count, --clip, --time, --seed and --skin, and by --blend-clip and --reach
 * if the verb has them.
 * Warns of empty slots. Null on failure.
 */
SpineCharacters *spineCharactersCreate(const Session *session, SpinePlacement placement, EngineError *error);

/* Null is allowed. */
void spineCharactersDestroy(SpineCharacters *characters);

/* Without a device. The background is transparent. Points to the characters. */
SpineShow spineCharactersShow(SpineCharacters *characters, const Session *session);

/*
 * Opens the device, and takes the pictures that the options ask for, with the session's system and --background. Warns if
 * vertices lost influences. run: its `run` and `user` are ignored.
 */
bool spinePicturesRun(Session *session, SpineShow *show, PictureRun run, RunResult *result, EngineError *error);

#endif
