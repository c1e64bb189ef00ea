#include "spine_characters.h"

#include <stdlib.h>

#include "bone_labels.h"
#include "spine_options.h"

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
        for (uint32_t i = 0; i < OPTION_FILES_MAX; i++) {
            motionMachineDestroy(characters->kinds[i].motion.machine);
        }
        free(characters);
    }
}

SpineShow spineCharactersShow(SpineCharacters *characters, const Session *session) {
    return (SpineShow){.population = &characters->population,
                       .models = characters->models,
                       .modelCount = session->arguments->operandCount,
                       .shows = session->shows ? session->shows : SPINE_SHOW_MESH,
                       .paint = session->paint,
                       .camera = characters->camera};
}

static bool runShow(void *user, const RunDef *def, RunResult *result, Picture *picture, EngineError *error) {
    return spineRun(user, def, result, picture, error);
}

bool spinePicturesRun(Session *session, SpineShow *show, PictureRun run, RunResult *result, EngineError *error) {
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    run.run = runShow;
    run.user = show;
    show->device = session->device;
    show->system = session->skin.system;
    show->skinning = spineSkinning(session, error);
    spineBackground(session->arguments, show->background);
    const bool labels = optionsValue(session->arguments, "labels")->given;
    const bool good = show->skinning && (!labels || boneLabelsOfSpines(show, &run.overlay, error)) &&
                      picturesTake(session, &run, result, error);
    boneLabelsFree(&run.overlay);
    skinningDestroy(show->skinning);
    for (uint32_t i = 0; good && i < result->system.remarkCount; i++) {
        const bool one = session->arguments->operandCount == 1;
        sayWarning(session->verb, "%s%s%s %s", one ? session->arguments->operands[0] : "", one ? ": " : "",
                   SKIN_SYSTEM_NAMES[show->system], result->system.remarks[i]);
    }
    return good;
}
