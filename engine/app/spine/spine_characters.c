#include "spine_characters.h"

#include <stdlib.h>

#include "pictures.h"
#include "spine_options.h"

#define WARMUP_FRAMES 3

static bool findKind(SpineCharacters *characters, const Session *session, uint32_t index, EngineError *error) {
    Arguments own = *session->arguments; /* as of this one file */
    own.operands += index;
    const SpineModel *spine = session->models[index]->spines;
    SpinePopulationKind *kind = &characters->kinds[index];
    *kind = (SpinePopulationKind){.path = own.operands[0],
                                  .spine = spine,
                                  .skins = characters->skins[index],
                                  .cycles = !optionsValue(&own, "clip")->given};
    if (!spineFindSkins(&own, spine, characters->skins[index], &kind->skinCount, error) ||
        !spineMotionRead(&own, spine, &kind->motion, error)) {
        return false;
    }
    SpinePose *pose = spinePoseCreate(spine, kind->skins, kind->skinCount, error);
    if (pose) {
        spineNameSkins(&own, pose);
    }
    spinePoseFree(pose);
    return pose != NULL;
}

static bool makeCrowd(SpineCharacters *characters, const Session *session, SpinePlacement placement,
                      EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *time = optionsValue(arguments, "time");
    const SpinePopulationDef def = {.kinds = characters->kinds,
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
        characters->models[i] = (SpineDrawModel){session->models[i], spinePopulationCountOf(&def, i)};
    }
    return spinePopulationCreate(&def, &characters->population, error) &&
           (spineCameraFrame(&characters->population.box, def.aspect, &characters->camera) ||
            engineFail(error, "%s: too large to be drawn", arguments->operands[0]));
}

SpineCharacters *spineCharactersCreate(const Session *session, SpinePlacement placement, EngineError *error) {
    SpineCharacters *characters = engineAllocate(1, sizeof *characters, error); /* too large for a stack */
    if (characters && !makeCrowd(characters, session, placement, error)) {
        spineCharactersDestroy(characters);
        return NULL;
    }
    return characters;
}

void spineCharactersDestroy(SpineCharacters *characters) {
    if (characters) {
        spinePopulationFree(&characters->population);
        free(characters);
    }
}

SpineRunDef spineCharactersRun(SpineCharacters *characters, const Session *session, SkinSystem system) {
    const OptionValue *size = optionsValue(session->arguments, "size");
    return (SpineRunDef){.system = system,
                         .population = &characters->population,
                         .models = characters->models,
                         .modelCount = session->arguments->operandCount,
                         .camera = characters->camera,
                         .frames = (uint32_t)optionsValue(session->arguments, "frames")->integer,
                         .warmupFrames = WARMUP_FRAMES,
                         .width = size->width,
                         .height = size->height};
}
