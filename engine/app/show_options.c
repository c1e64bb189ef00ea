#include "show_options.h"

#include "content.h"

const char *const SHOW_WORDS[] = {"mesh", "wireframe", "joints", "normals", "boxes", "motion", "bodies", NULL};

#define SHOWS_2D 7 /* the first three words */

const Option SHOW_OPTIONS[] = {
    {"paint", OPTION_TEXT, "NAME", .help = PAINT_HELP, .content = OPTION_FOR_ALL},
    {"show", OPTION_WORDS, "WORD+WORD...",
     .help =
         "what the picture has: mesh; wireframe, edges of triangles; joints, bones; normals, of systems compute and "
         "crowd; boxes, of each character for the whole clip; bodies, of ragdolls; motion, vectors of the same systems "
         "as colours, to the "
         "frame 1/60 s before. 2D characters have the first three",
     .defaultValue = "mesh", .choices = SHOW_WORDS, .content = OPTION_FOR_ALL},
    {.name = NULL},
};

/* ---- Bones ---- */

/* Any model may have it; the names are those of the first. */
static bool checkBone(const Arguments *arguments, const Model *const *models, const char *bone, EngineError *error) {
    char hint[NAME_HINT_SIZE];
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        if (paintFindBone(models[i], bone) != PAINT_NO_BONE) {
            return true;
        }
    }
    const Names names = contentBones(models[0]);
    nameHint(hint, &names, bone, "'vkskin info' lists them");
    return engineFail(error, "%.200s: no bone '%.80s'; %s", arguments->operands[0], bone, hint);
}

/* ---- Options ---- */

static bool paintRead(const Arguments *arguments, const Model *const *models, const char *text, Paint *paint,
                      EngineError *error) {
    if (!paintParse(text, paint, error)) {
        return false;
    }
    if (paint->type && !paint->type->flat && contentIsFlat(models[0])) {
        return engineFail(error, "2D characters have no paint '%s'", paint->type->name);
    }
    return !paint->bone || checkBone(arguments, models, paint->bone, error);
}

bool showOptionsRead(const Arguments *arguments, const Model *const *models, uint32_t *shows, Paint *paint,
                     EngineError *error) {
    const OptionValue *painted = optionsValue(arguments, "paint");
    *shows = (uint32_t)optionsValue(arguments, "show")->integer;
    *paint = (Paint){.type = NULL};
    if ((*shows & ~(uint32_t)SHOWS_2D) != 0 && contentIsFlat(models[0])) {
        return engineFail(error, "--show normals, boxes, motion and bodies are not for 2D characters");
    }
    if (painted->given && !paintRead(arguments, models, painted->text, paint, error)) {
        return false;
    }
    paint->firstLevel = (uint32_t)optionsValue(arguments, "level")->integer; /* 0 for verbs without it */
    return true;
}
