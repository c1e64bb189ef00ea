/*
 * verb_render.c: vkskin render MODEL: a picture of one character.
 */
#include <string.h>

#include "crowd_run.h"
#include "outputs.h"
#include "terminal.h"
#include "single.h"
#include "verbs.h"

enum { RENDER_SIZE = SINGLE_OPTION_COUNT, RENDER_OPTION_COUNT };

static const Option RENDER_OPTIONS[RENDER_OPTION_COUNT] = {
    SINGLE_OPTIONS("FILE.png", "the picture to write"),
    [RENDER_SIZE] = PICTURE_SIZE_OPTION("width and height in pixels"),
};

#define VIEW_YAW   0.5f
#define VIEW_PITCH 0.2f
#define VIEW_FIELD 0.6f

/* From behind the camera, over its left shoulder: what faces the viewer is lit. */
static const float SUN[3] = {-0.35f, 1.0f, 0.9f};

/* Looks at the bounds of the character at its moment, from slightly beside and above. */
static bool frameCharacter(const Single *single, const char *path, double time, float aspect, DrawScene *view,
                           EngineError *error) {
    const Character *character = single->scene->characters[0];
    VkskinClip clip = single->clip == LOAD_REST_POSE ? NULL : character->clips[single->clip];
    Bounds bounds;
    if (!characterBounds(character, clip, time, VKSKIN_WRAP_CLAMP, &bounds, error)) {
        return false;
    }
    bounds = boundsTransform(&bounds, &character->modelToCommon);
    if (!boundsCanBeDrawn(&bounds)) {
        return engineFail(error, "%s: its vertices are too far away at this time to be drawn", path);
    }
    *view = drawDefaultScene(single->scene->crowd, aspect);
    view->camera = cameraFrame(&bounds, VIEW_YAW, VIEW_PITCH, VIEW_FIELD, aspect);
    view->groundHeight = bounds.min[1];
    memcpy(view->sunDirection, SUN, sizeof view->sunDirection);
    return true;
}

static bool writeRendered(const Single *single, const Arguments *arguments, EngineError *error) {
    const OptionValue *size = &arguments->values[RENDER_SIZE];
    float aspect = (float)size->width / (float)size->height;
    DrawScene view;
    CrowdResult result;
    Picture picture;
    if (!frameCharacter(single, arguments->operands[0], arguments->values[SINGLE_TIME].number, aspect, &view, error)) {
        return false;
    }
    CrowdRunDef run = {.frames = 1, .width = size->width, .height = size->height, .view = &view};
    if (!crowdRun(single->scene, &run, &result, &picture, error)) {
        return false;
    }
    bool good = outputPictureWrite(&picture, arguments->values[SINGLE_OUTPUT].text, error);
    pictureFree(&picture);
    return good;
}

static int runRender(const Arguments *arguments) {
    const char *verb = verbRender.name;
    const char *output = arguments->values[SINGLE_OUTPUT].text;
    SingleDef def;
    EngineError error;
    Single single;
    int status = singleDef(verb, arguments, &def);
    if (status == EXIT_GOOD) {
        status = outputPictureCheck(verb, "-o", output);
    }
    if (status == EXIT_GOOD) {
        status = outputsCheckApart(arguments, verb, &(OutputName){"-o", output}, 1);
    }
    if (status != EXIT_GOOD) {
        return status;
    }
    bool good = singleOpen(&def, arguments, &single, &error) && writeRendered(&single, arguments, &error);
    return singleClose(&single, good ? EXIT_GOOD : sayFailure(verb, "%s", error.message));
}

const Verb verbRender = {
    .name = "render",
    .summary = "draws one character at one time of a clip",
    .usage = "MODEL [--clip N|NAME] [--time SECONDS] [options] -o FILE.png",
    .details = "The camera frames the bounds of the character at that time.\n",
    .options = RENDER_OPTIONS,
    .optionCount = RENDER_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runRender,
    .operandHelp = LOAD_MODEL_HELP,
};
