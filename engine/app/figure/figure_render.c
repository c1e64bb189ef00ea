/* figure_render.c: vkskin render for 2D characters: one time of an animation as a picture, or many times as many. */
#include "figure_verbs.h"
#include "pictures.h"

typedef struct FigureRender {
    Session *session;
    const Arguments *arguments;
    const Figure *figure;
    FigurePose *pose;
    FigureMotion motion;
    PictureMoments moments;
    Skinning *skinning;
    FigureDraw *draw;
    uint32_t shows; /* bits: FIGURE_SHOW_MESH and so on */
    Frames frames;
    Target target;
    FigureCamera camera;
    float background[4];
} FigureRender;

/* ---- The camera ---- */

/* Shows all of the pictures' poses, or with --fit of the animation. */
static bool frameFigure(FigureRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    const PictureMoments *moments = &render->moments;
    const double from = optionsValue(arguments, "time")->number + moments->from;
    FigureBox box = FIGURE_EMPTY_BOX;
    if (optionsValue(arguments, "fit")->given) {
        figureMotionAddBoxes(render->pose, &render->motion, &box);
    } else {
        for (uint32_t i = 0; i < (moments->count > 1 ? moments->count : 1); i++) {
            figureMotionSet(render->pose, &render->motion, from + moments->step * i);
            figurePoseAddBox(render->pose, &box);
        }
    }
    return figureCameraFrame(&box, (double)pictureAspect(arguments), &render->camera) ||
           engineFail(error, "%s: no slot shows a region or a mesh", arguments->operands[0]);
}

/* ---- Pictures ---- */

static bool drawPose(FigureRender *render, double time, Picture *picture, EngineError *error) {
    Frame frame;
    const TargetImage image = targetOffscreenImage(&render->target);
    figureMotionSet(render->pose, &render->motion, time);
    if (!framesBegin(&render->frames, &frame, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(render->skinning->context, frame.slot);
    const FigureMember member = {.pose = render->pose, .place = FIGURE_UNPLACED};
    if (result >= 0 && !figureDrawPrepare(render->draw, frame.slot, &member, 1, render->shows, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinRecordSkinning(render->skinning->context, frame.commandBuffer);
    if (result < 0) {
        return skinningFail(render->skinning, error, "skinning", result);
    }
    figureDrawRecord(render->draw, frame.commandBuffer, &render->target, &image, &render->camera, render->background);
    return framesEnd(&render->frames, &frame, NULL, error) &&
           pictureRead(render->session->device, &render->target, render->background[3] < 1.0f, picture, error);
}

static bool drawAll(FigureRender *render, EngineError *error) {
    const double time = optionsValue(render->arguments, "time")->number;
    const PictureMoments *moments = &render->moments;
    PictureFiles files;
    Picture picture = {0};
    if (!pictureFilesBegin(render->arguments, &files, error)) {
        return false;
    }
    bool good = moments->count > 0 || drawPose(render, time, &picture, error);
    for (uint32_t i = 0; i < moments->count && good; i++) {
        Picture next = {0};
        good = drawPose(render, time + moments->from + moments->step * i, &next, error) &&
               pictureFilesTake(&files, i, &next, error);
        pictureFree(&next);
    }
    good = good && pictureFilesWrite(&files, moments->count, &picture, error);
    pictureFilesEnd(&files);
    pictureFree(&picture);
    return good;
}

/* ---- The verb ---- */

static bool openDevice(FigureRender *render, EngineError *error) {
    Session *session = render->session;
    const OptionValue *size = optionsValue(render->arguments, "size");
    const TargetDef target = {
        .width = size->width, .height = size->height, .colourFormat = FIGURE_COLOUR_FORMAT, .offscreen = true};
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    render->skinning = figureSkinning(session, error);
    if (!render->skinning || !framesCreate(session->device, &render->frames, error) ||
        !targetCreate(session->device, &target, &render->target, error)) {
        return false;
    }
    render->shows = optionsValue(render->arguments, "show")->choice + 1; /* bits, see FIGURE_SHOWS */
    const FigureDrawModel model = {session->models[0], 1};
    const FigureDrawDef def = {.system = session->skin.system,
                               .models = &model,
                               .modelCount = 1,
                               .shows = render->shows,
                               .colourFormat = FIGURE_COLOUR_FORMAT,
                               .width = size->width,
                               .height = size->height};
    render->draw = figureDrawCreate(session->device, render->skinning, &def, error);
    if (render->draw && figureDrawTrimmed(render->draw, 0) > 0) {
        sayWarning(session->verb, "%s: uniform-2d keeps the 4 largest influences; vertices with more: %u",
                   render->arguments->operands[0], figureDrawTrimmed(render->draw, 0));
    }
    return render->draw != NULL;
}

static bool findPose(FigureRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    uint32_t skins[OPTION_FILES_MAX], skinCount = 0;
    if (!figureMotionRead(arguments, render->figure, &render->motion, error) ||
        !figureFindSkins(arguments, render->figure, skins, &skinCount, error)) {
        return false;
    }
    render->moments = pictureMoments(arguments, figureMotionDuration(render->figure, &render->motion) -
                                                    optionsValue(arguments, "time")->number);
    if (optionsValue(arguments, "sheet")->given && render->moments.step == 0.0) {
        return engineFail(error, "--sheet needs a clip that goes on after --time");
    }
    figureBackground(arguments, render->background);
    render->pose = figurePoseCreate(render->figure, skins, skinCount, error);
    if (!render->pose) {
        return false;
    }
    figureNameSkins(arguments, render->pose);
    return frameFigure(render, error);
}

static void end(FigureRender *render) {
    if (render->session->device) {
        framesDestroy(&render->frames); /* waits for the device */
        figureDrawDestroy(render->draw);
        skinningDestroy(render->skinning);
        targetDestroy(render->session->device, &render->target);
    }
    figurePoseFree(render->pose);
}

static bool work(Session *session, EngineError *error) {
    static const char *const taken[] = {"output",     "clip",    "time",     "skin",  "size",       "fit",
                                        "background", "sheet",   "sequence", "force", "sandbox",    "system",
                                        "device",     "backend", "validate", "show",  "blend-clip", "reach"};
    const Arguments *arguments = session->arguments;
    if (!figureLoad(session, taken, COUNT_OF(taken), error)) {
        return false;
    }
    FigureRender render = {.session = session, .arguments = arguments, .figure = session->models[0]->figures};
    const bool good = findPose(&render, error) && openDevice(&render, error) && drawAll(&render, error);
    end(&render);
    return good;
}

int figureRender(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
