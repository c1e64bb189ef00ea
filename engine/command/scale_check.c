#include "scale_check.h"

#include <stdlib.h>

#include "say.h"

/* Room for any palette of the character, and the nodes' matrices at a moment. */
typedef struct Scratch {
    VkskinAffine *world;
    void *palette;
} Scratch;

static bool createScratch(const Character *character, Scratch *scratch, EngineError *error) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        uint32_t bones = character->palettes[i].boneCount;
        most = bones > most ? bones : most;
    }
    scratch->world = calloc(character->model->nodeCount, sizeof *scratch->world);
    scratch->palette = calloc(most, vkskinPaletteStride(VKSKIN_PALETTE_DUAL_QUATERNION));
    if (!scratch->world || !scratch->palette) {
        return engineFail(error, "out of memory");
    }
    return true;
}

static void freeScratch(Scratch *scratch) {
    free(scratch->world);
    free(scratch->palette);
}

static bool checkMoment(const Character *character, VkskinClip clip, double time, Scratch *scratch, bool *lost,
                        EngineError *error) {
    if (!characterPose(character, clip, time, VKSKIN_WRAP_CLAMP, scratch->world, error)) {
        return false;
    }
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        VkskinResult result =
            vkskinWritePalette(character->palettes[i].skin, scratch->world, character->model->nodeCount,
                               VKSKIN_PALETTE_DUAL_QUATERNION, scratch->palette, character->palettes[i].boneCount);
        if (result < 0) {
            return engineFail(error, "a palette of dual quaternions: %s", vkskinResultName(result));
        }
        *lost |= result == VKSKIN_WARNING_SCALE_LOST;
    }
    return true;
}

bool scaleIsLost(const Character *character, VkskinClip clip, double time, bool *lost, EngineError *error) {
    Scratch scratch = {0};
    *lost = false;
    bool good = createScratch(character, &scratch, error) && checkMoment(character, clip, time, &scratch, lost, error);
    freeScratch(&scratch);
    return good;
}

/* At the start, the middle and the end of every clip; at rest where there is none. */
static bool isLostAnywhere(const Character *character, bool *lost, EngineError *error) {
    Scratch scratch = {0};
    *lost = false;
    bool good = createScratch(character, &scratch, error);
    if (good && character->clipCount == 0) {
        good = checkMoment(character, NULL, 0.0, &scratch, lost, error);
    }
    for (uint32_t i = 0; i < character->clipCount; i++) {
        double duration = (double)vkskinGetClipDuration(character->clips[i]);
        for (int half = 0; half <= 2 && good; half++) {
            good = checkMoment(character, character->clips[i], duration * half / 2.0, &scratch, lost, error);
        }
    }
    freeScratch(&scratch);
    return good;
}

void scaleWarn(const char *verb, const char *path) {
    sayWarning(verb, "%s: %s: dual quaternions cannot hold the scale of its bones; '--method lbs' keeps it", path,
               vkskinResultName(VKSKIN_WARNING_SCALE_LOST));
}

bool scaleCheckScene(const char *verb, const Scene *scene, char *const *paths, EngineError *error) {
    if (scene->crowd->members[0].method != VKSKIN_METHOD_DUAL_QUATERNION) {
        return true;
    }
    for (uint32_t i = 0; i < scene->characterCount; i++) {
        bool lost;
        if (!isLostAnywhere(scene->characters[i], &lost, error)) {
            return false;
        }
        if (lost) {
            scaleWarn(verb, paths[i]);
        }
    }
    return true;
}
