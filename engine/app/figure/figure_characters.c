#include "figure_characters.h"

#include <stdlib.h>

#include "figure_options.h"
#include "pictures.h"

#define WARMUP_FRAMES 3

static bool findKind(FigureCharacters *characters, const Session *session, uint32_t index, EngineError *error) {
    Arguments own = *session->arguments; /* as of this one file */
    own.operands += index;
    const Figure *figure = session->models[index]->figures;
    FigureCrowdKind *kind = &characters->kinds[index];
    *kind = (FigureCrowdKind){.path = own.operands[0],
                              .figure = figure,
                              .skins = characters->skins[index],
                              .cycles = !optionsValue(&own, "clip")->given};
    if (!figureFindSkins(&own, figure, characters->skins[index], &kind->skinCount, error) ||
        !figureMotionRead(&own, figure, &kind->motion, error)) {
        return false;
    }
    FigurePose *pose = figurePoseCreate(figure, kind->skins, kind->skinCount, error);
    if (pose) {
        figureNameSkins(&own, pose);
    }
    figurePoseFree(pose);
    return pose != NULL;
}

static bool makeCrowd(FigureCharacters *characters, const Session *session, FigurePlacement placement,
                      EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *time = optionsValue(arguments, "time");
    const FigureCrowdDef def = {.kinds = characters->kinds,
                                .kindCount = arguments->operandCount,
                                .count = (uint32_t)optionsValue(arguments, "count")->integer,
                                .placement = placement,
                                .aspect = (double)pictureAspect(arguments),
                                .time = time->given ? time->number : -1.0,
                                .seed = (uint64_t)optionsValue(arguments, "seed")->integer};
    for (uint32_t i = 0; i < def.kindCount; i++) {
        if (!findKind(characters, session, i, error)) {
            return false;
        }
        characters->models[i] = (FigureDrawModel){session->models[i], figureCrowdCountOf(&def, i)};
    }
    return figureCrowdCreate(&def, &characters->crowd, error) &&
           (figureCameraFrame(&characters->crowd.box, def.aspect, &characters->camera) ||
            engineFail(error, "%s: too large to be drawn", arguments->operands[0]));
}

FigureCharacters *figureCharactersCreate(const Session *session, FigurePlacement placement, EngineError *error) {
    FigureCharacters *characters = engineAllocate(1, sizeof *characters, error); /* too large for a stack */
    if (characters && !makeCrowd(characters, session, placement, error)) {
        figureCharactersDestroy(characters);
        return NULL;
    }
    return characters;
}

void figureCharactersDestroy(FigureCharacters *characters) {
    if (characters) {
        figureCrowdFree(&characters->crowd);
        free(characters);
    }
}

FigureRunDef figureCharactersRun(FigureCharacters *characters, const Session *session, SkinSystem system) {
    const OptionValue *size = optionsValue(session->arguments, "size");
    return (FigureRunDef){.system = system,
                          .crowd = &characters->crowd,
                          .models = characters->models,
                          .modelCount = session->arguments->operandCount,
                          .camera = characters->camera,
                          .frames = (uint32_t)optionsValue(session->arguments, "frames")->integer,
                          .warmupFrames = WARMUP_FRAMES,
                          .width = size->width,
                          .height = size->height};
}
