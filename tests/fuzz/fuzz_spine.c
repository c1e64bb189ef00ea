/*
 * fuzz_spine.c: bytes as a Spine skeleton in JSON, a line "----" and its atlas, read in this process, checked, and
 * evaluated at several times of each animation with all skins.
 */
#include <string.h>

#include "fuzz_target.h"
#include "spine.h"
#include "spine_pose.h"

#define SEPARATOR "\n----\n"
#define TIMES     3
#define SKINS_MAX 16u

static void evaluate(const SpineModel *spine) {
    uint32_t skins[SKINS_MAX], skinCount = spine->skinCount < SKINS_MAX ? spine->skinCount : SKINS_MAX;
    EngineError error;
    size_t most = 1;
    for (uint32_t i = 0; i < skinCount; i++) {
        skins[i] = i;
    }
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        most = spine->attachments[i].vertexCount > most ? spine->attachments[i].vertexCount : most;
    }
    SpinePose *pose = spinePoseCreate(spine, skins, skinCount, &error);
    double *positions = calloc(most * 2, sizeof *positions);
    FUZZ_CHECK(pose && positions);
    for (int32_t animation = -1; animation < (int32_t)spine->animationCount && animation < 8; animation++) {
        for (int time = 0; time < TIMES; time++) {
            const SpinePlay plays[] = {{animation, 0.4 * time, 1.0},
                                       {animation - 1, 0.3 * time, animation > 0 ? 0.5 : 0.0}};
            const SpinePull pull = {spine->boneCount - 1, {3.0, 4.0}};
            spinePoseMix(pose, plays, 2, &pull, (uint32_t)time % 2);
            for (uint32_t slot = 0; slot < spine->slotCount; slot++) {
                const SpineSlotState *state = &pose->slots[slot];
                FUZZ_CHECK(pose->drawOrder[slot] < spine->slotCount);
                if (state->attachment >= 0) {
                    const SpineAttachment *shown = &spine->attachments[state->attachment];
                    FUZZ_CHECK(shown->frameCount == 0 || state->frame < shown->frameCount);
                    spinePoseVertices(pose, slot, positions);
                }
            }
        }
    }
    free(positions);
    spinePoseFree(pose);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    const char *text = (const char *)bytes;
    const char *found = size > 0 ? memmem(text, size, SEPARATOR, sizeof SEPARATOR - 1) : NULL;
    const size_t json = found ? (size_t)(found - text) : size;
    const size_t skip = found ? json + sizeof SEPARATOR - 1 : size;
    Model *model = spineParseTexts(text, json, text + skip, size - skip, FUZZ_FIXTURES, &error);
    FUZZ_CHECK(model || error.message[0] != '\0');
    if (model) {
        /* What the reader accepts, the parent's check accepts too. */
        FUZZ_CHECK(modelCheck(model, &error));
        evaluate(model->spines);
    }
    modelFree(model);
    return 0;
}
