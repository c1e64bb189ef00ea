/* figure_characters.h: the 2D characters of a command line as a crowd that a camera shows. For `crowd` and `compare`. */
#ifndef APP_FIGURE_CHARACTERS_H
#define APP_FIGURE_CHARACTERS_H

#include "figure_run.h"
#include "session.h"

typedef struct FigureCharacters {
    uint32_t skins[SESSION_MODELS_MAX][OPTION_FILES_MAX];
    FigureCrowdKind kinds[SESSION_MODELS_MAX];
    FigureDrawModel models[SESSION_MODELS_MAX];
    FigureCrowd crowd;
    FigureCamera camera; /* shows all of them */
} FigureCharacters;

/*
 * Makes characters of the session's models by --count, --clip, --time, --seed and --skin, and by --blend-clip and --reach
 * if the verb has them.
 * Warns of empty slots. Null on failure.
 */
FigureCharacters *figureCharactersCreate(const Session *session, FigurePlacement placement, EngineError *error);

/* Null is allowed. */
void figureCharactersDestroy(FigureCharacters *characters);

/* By --frames and --size. The background is transparent. Points to the characters. */
FigureRunDef figureCharactersRun(FigureCharacters *characters, const Session *session, SkinSystem system);

#endif
