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

bool showOptionsRead(const Arguments *arguments, const Model *const *models, uint32_t *shows, Paint *paint,
                     EngineError *error) {
    const OptionValue *painted = optionsValue(arguments, "paint");
    *shows = (uint32_t)optionsValue(arguments, "show")->integer;
    *paint = (Paint){.type = NULL};
    if ((*shows & ~(uint32_t)SHOWS_2D) != 0 && contentIsFlat(models[0])) {
        return engineFail(error, "--show normals, boxes, motion and bodies are not for 2D characters");
    }
    if (painted->given && !paintRead(painted->text, models, arguments->operandCount, paint, error)) {
        return paint->bone && engineFailAt(error, arguments->operands[0]);
    }
    paint->firstLevel = (uint32_t)optionsValue(arguments, "level")->integer; /* 0 for verbs without it */
    return true;
}
