/*
 * fuzz_spine.c: bytes as a Spine skeleton in JSON, a line "----" and its atlas, read in this process, checked, and
 * evaluated at several times of each animation with all skins.
 */
#include <string.h>

#include "figure_pose.h"
#include "fuzz_target.h"
#include "spine.h"

#define SEPARATOR "\n----\n"
#define TIMES     3
#define SKINS_MAX 16u

static void evaluate(const Figure *figure) {
    uint32_t skins[SKINS_MAX], skinCount = figure->skinCount < SKINS_MAX ? figure->skinCount : SKINS_MAX;
    EngineError error;
    size_t most = 1;
    for (uint32_t i = 0; i < skinCount; i++) {
        skins[i] = i;
    }
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        most = figure->attachments[i].vertexCount > most ? figure->attachments[i].vertexCount : most;
    }
    FigurePose *pose = figurePoseCreate(figure, skins, skinCount, &error);
    double *positions = calloc(most * 2, sizeof *positions);
    FUZZ_CHECK(pose && positions);
    for (int32_t animation = -1; animation < (int32_t)figure->animationCount && animation < 8; animation++) {
        for (int time = 0; time < TIMES; time++) {
            const FigurePlay plays[] = {{animation, 0.4 * time, 1.0},
                                        {animation - 1, 0.3 * time, animation > 0 ? 0.5 : 0.0}};
            const FigurePull pull = {figure->boneCount - 1, {3.0, 4.0}};
            figurePoseMix(pose, plays, 2, &pull, (uint32_t)time % 2);
            for (uint32_t slot = 0; slot < figure->slotCount; slot++) {
                const FigureSlotState *state = &pose->slots[slot];
                FUZZ_CHECK(pose->drawOrder[slot] < figure->slotCount);
                if (state->attachment >= 0) {
                    const FigureAttachment *shown = &figure->attachments[state->attachment];
                    FUZZ_CHECK(shown->frameCount == 0 || state->frame < shown->frameCount);
                    figurePoseVertices(pose, slot, positions);
                }
            }
        }
    }
    free(positions);
    figurePoseFree(pose);
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
        evaluate(model->figures);
    }
    modelFree(model);
    return 0;
}
