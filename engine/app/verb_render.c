/*
 * verb_render.c: vkskin render MODEL: one character at one time of a clip as a picture, or at many times as many.
 */
#include <string.h>

#include "spine_verbs.h"
#include "outputs.h"
#include "pictures.h"
#include "single.h"
#include "verbs.h"

#define VIEW_YAW   0.5f
#define VIEW_PITCH 0.2f

/* From behind the camera, over its left shoulder: what faces the viewer is lit. */
static const float SUN[3] = {-0.35f, 1.0f, 0.9f};

/* Looks at the character from slightly beside and above, unless an option moves the camera. */
static bool frameCharacter(const Session *session, DrawScene *view, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Crowd *crowd = session->scene->crowd;
    Bounds bounds;
    if (!pictureBounds(arguments, crowd, &crowd->members[0], arguments->operands[0], &bounds, error)) {
        return false;
    }
    *view = drawDefaultScene(crowd, pictureAspect(arguments));
    view->camera = pictureCamera(arguments, &bounds, VIEW_YAW, VIEW_PITCH);
    view->groundHeight = bounds.min[1];
    memcpy(view->sunDirection, SUN, sizeof view->sunDirection);
    return true;
}

static bool render(Session *session, EngineError *error) {
    DrawScene view;
    CrowdResult result;
    return openSingle(session, chosenFormat(session->arguments), false, error) &&
           frameCharacter(session, &view, error) && picturesRun(session, 0, 1, true, view, &result, error);
}

static int runRender(const Arguments *arguments) {
    if (importIsSpine(arguments->operands[0])) {
        return spineRender(arguments);
    }
    return spineRefuseOptions(arguments) ? sessionRun(arguments, render) : EXIT_FAILED;
}

static const Option RENDER_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE.png", .help = "the picture to write", .choices = PICTURE_ENDINGS, .letter = 'o',
     .required = true},
    SYSTEM_OPTION("compute"),
    {.group = SYSTEM_OPTIONS},
    {.group = MOMENT_OPTIONS},
    {.group = PICTURE_OPTIONS},
    {"sheet", OPTION_SIZE, "COLUMNSxROWS",
     .help =
         "one picture of so many moments of the clip, from --time on in even steps, from left to right and from top "
         "to bottom; --size is that of each moment",
     .minimum = 1, .maximum = 64},
    SKIN_NAME_OPTION,
    SPINE_SHOW_OPTION,
    FORCE_OPTION,
};

const Verb verbRender = {
    .name = "render",
    .summary = "draws one character at one time of a clip",
    .usage = "MODEL [--clip N|NAME|none] [--time SECONDS] [options] -o FILE.png",
    .details = "The picture shows the whole character at that time, unless --camera or --fit moves the camera.\n",
    .options = RENDER_OPTIONS,
    .optionCount = COUNT_OF(RENDER_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runRender,
    .examples = {"model.gltf --clip none --camera 90,10 -o side.png",
                 "model.gltf --background none --fit --sequence 0:1:12 -o walk.png"},
    .operandHelp = MODEL_HELP,
};
