#include "content.h"

#include <math.h>

#include "import.h"
#include "spine_model.h"
#include "terminal.h"

static const struct {
    uint32_t dimensions;
    OptionContent others; /* options that are not for this kind */
    const char *refusal;  /* line for such an option */
} KINDS[CONTENT_COUNT] = {
    [CONTENT_MODEL] = {3, OPTION_FOR_SPINE, "%s: --%s is for 2D characters"},
    [CONTENT_SPINE] = {2, OPTION_FOR_MODELS, "%s: --%s is not for 2D characters"},
};

bool contentIsFlatName(const char *path) {
    return importIsSpine(path);
}

static ContentKind kindOf(const char *path) {
    return contentIsFlatName(path) ? CONTENT_SPINE : CONTENT_MODEL;
}

uint32_t contentDimensions(const Arguments *arguments) {
    return KINDS[kindOf(arguments->operands[0])].dimensions;
}

static bool checkOptions(const Arguments *arguments, ContentKind kind) {
    const Option *option = NULL;
    for (uint32_t i = 0; (option = optionsAt(arguments->verb, i)) != NULL; i++) {
        if (arguments->values[i].given && option->content == KINDS[kind].others) {
            sayFailure(arguments->verb->name, KINDS[kind].refusal, arguments->operands[0], option->name);
            return false;
        }
    }
    return true;
}

bool contentCheck(const Arguments *arguments, ContentKind *kind) {
    *kind = kindOf(arguments->operands[0]);
    for (uint32_t i = 1; i < arguments->operandCount; i++) {
        if (kindOf(arguments->operands[i]) != *kind) {
            sayFailure(arguments->verb->name, "2D characters or other models, not both");
            return false;
        }
    }
    return checkOptions(arguments, *kind);
}

int contentRun(const Arguments *arguments, const ContentRun runs[CONTENT_COUNT]) {
    ContentKind kind;
    if (!runs[kindOf(arguments->operands[0])]) {
        return sayFailure(
            arguments->verb->name,
            "%s: 2D characters are not packed; every verb reads the .json with its .atlas and pictures as they are",
            arguments->operands[0]);
    }
    return contentCheck(arguments, &kind) ? runs[kind](arguments) : EXIT_FAILED;
}

bool contentIsFlat(const Model *model) {
    return model->spineCount > 0;
}

ContentCounts contentCounts(const Model *model) {
    ContentCounts counts = {.nodes = model->nodeCount, .clips = model->clipCount, .warnings = model->warningCount};
    for (uint32_t i = 0; i < model->meshCount; i++) {
        counts.vertices += model->meshes[i].vertexCount;
        counts.triangles += model->meshes[i].indexCount / 3.0;
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        counts.seconds += (double)model->clips[i].duration;
    }
    if (contentIsFlat(model)) {
        counts.vertices = counts.triangles = (double)NAN;
        counts.nodes = model->spines->boneCount;
        counts.clips = model->spines->animationCount;
        for (uint32_t i = 0; i < model->spines->animationCount; i++) {
            counts.seconds += (double)model->spines->animations[i].duration;
        }
    }
    return counts;
}

#define CONTENT_WORK(name, ofModels, ofSpine)                                                                          \
    int name(const Arguments *arguments) {                                                                             \
        static const ContentRun runs[CONTENT_COUNT] = {[CONTENT_MODEL] = (ofModels), [CONTENT_SPINE] = (ofSpine)};     \
        return contentRun(arguments, runs);                                                                            \
    }

CONTENT_WORK(contentBake, modelBake, spineBake)
CONTENT_WORK(contentCompare, modelCompare, spineCompare)
CONTENT_WORK(contentCrowd, modelCrowd, spineCrowd)
CONTENT_WORK(contentInfo, modelInfo, spineInfo)
CONTENT_WORK(contentPack, modelPackFile, NULL)
CONTENT_WORK(contentRender, modelRender, spineRender)
