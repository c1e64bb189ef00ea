/* figure_render.c: vkskin render for 2D characters: one time of an animation as a picture, or many times as many. */
#include <math.h>
#include <stdlib.h>

#include "figure_draw.h"
#include "figure_motion.h"
#include "figure_verbs.h"
#include "pictures.h"

#define MARGIN 1.05 /* of the picture's sides */
#define GREY   0.85f

#define FIT_PER_SECOND  30.0
#define FIT_SAMPLES_MAX 256.0

typedef struct FigureRender {
    Session *session;
    const Arguments *arguments;
    const Figure *figure;
    FigurePose *pose;
    FigureMotion motion;
    PictureMoments moments;
    Skinning *skinning;
    FigureDraw *draw;
    uint32_t shows; /* of FIGURE_SHOW_MESH and so on */
    Frames frames;
    Target target;
    FigureCamera camera;
    float background[4];
} FigureRender;

/* ---- The camera ---- */

typedef struct Box {
    double low[2], high[2];
} Box;

/* The vertices of what all slots show. */
static bool addPose(const FigurePose *pose, Box *box, EngineError *error) {
    for (uint32_t s = 0; s < pose->figure->slotCount; s++) {
        const int32_t index = pose->slots[s].attachment;
        const FigureAttachment *attachment = index >= 0 ? &pose->figure->attachments[index] : NULL;
        if (!attachment || attachment->frameCount == 0) {
            continue;
        }
        double *positions = engineAllocate(attachment->vertexCount, 2 * sizeof *positions, error);
        if (!positions) {
            return false;
        }
        figurePoseVertices(pose, s, positions);
        for (uint32_t i = 0; i < 2 * attachment->vertexCount; i++) {
            box->low[i % 2] = fmin(box->low[i % 2], positions[i]);
            box->high[i % 2] = fmax(box->high[i % 2], positions[i]);
        }
        free(positions);
    }
    return true;
}

/* Shows all of the pictures' poses, or with --fit of the animation. */
static bool frameFigure(FigureRender *render, EngineError *error) {
    const bool fit = optionsValue(render->arguments, "fit")->given;
    const double duration = figureMotionDuration(render->figure, &render->motion);
    const uint32_t steps = fit ? (uint32_t)fmin(ceil(duration * FIT_PER_SECOND), FIT_SAMPLES_MAX - 1.0)
                           : render->moments.count > 1 ? render->moments.count - 1
                                                       : 0;
    const double from = fit ? 0.0 : optionsValue(render->arguments, "time")->number + render->moments.from;
    const double step = fit ? duration / fmax(steps, 1.0) : render->moments.step;
    Box box = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (uint32_t i = 0; i <= steps; i++) {
        figureMotionSet(render->pose, &render->motion, from + step * i);
        if (!addPose(render->pose, &box, error)) {
            return false;
        }
    }
    const double width = box.high[0] - box.low[0], height = box.high[1] - box.low[1];
    if (!(width >= 0.0 && isfinite(width) && isfinite(height))) {
        return engineFail(error, "%s: no slot shows a region or a mesh", render->arguments->operands[0]);
    }
    const double most = fmax(height, width / (double)pictureAspect(render->arguments));
    render->camera = (FigureCamera){
        .centre = {(box.low[0] + box.high[0]) / 2.0, (box.low[1] + box.high[1]) / 2.0},
        .height = most > 0.0 ? most * MARGIN : 1.0,
    };
    return true;
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
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.backend = session->skin.backend;
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    render->skinning = skinningCreate(session->device, &context, error);
    if (!render->skinning || !framesCreate(session->device, &render->frames, error) ||
        !targetCreate(session->device, &target, &render->target, error)) {
        return false;
    }
    render->shows = optionsValue(render->arguments, "show")->choice + 1; /* bits, see SHOWS in verb_render.c */
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
    uint32_t skins[OPTION_FILES_MAX];
    if (!figureMotionRead(arguments, render->figure, &render->motion, error) ||
        !figureFindSkins(arguments, render->figure, skins, error)) {
        return false;
    }
    render->moments = pictureMoments(arguments, figureMotionDuration(render->figure, &render->motion) -
                                                    optionsValue(arguments, "time")->number);
    if (optionsValue(arguments, "sheet")->given && render->moments.step == 0.0) {
        return engineFail(error, "--sheet needs a clip that goes on after --time");
    }
    if (!pictureBackground(arguments, render->background)) {
        for (int c = 0; c < 4; c++) {
            render->background[c] = c < 3 ? GREY : 1.0f;
        }
    }
    render->pose = figurePoseCreate(render->figure, skins, arguments->nameCount, error);
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
    if (!figureCheckOptions(arguments, taken, COUNT_OF(taken), error)) {
        return false;
    }
    if (session->skin.system != SKIN_SYSTEM_COMPUTE && session->skin.system != SKIN_SYSTEM_UNIFORM_2D) {
        return engineFail(error, "%s: system '%s' does not draw 2D characters; 'compute' and 'uniform-2d' do",
                          arguments->operands[0], SKIN_SYSTEM_NAMES[session->skin.system]);
    }
    Model *model = modelLoad(arguments, arguments->operands[0], MODEL_OR_FIGURE, NULL, error);
    if (!model) {
        return false;
    }
    session->models[session->modelCount++] = model;
    if (model->figureCount == 0) {
        return engineFail(error, "%s: not a 2D character", arguments->operands[0]);
    }
    FigureRender render = {.session = session, .arguments = arguments, .figure = model->figures};
    const bool good = findPose(&render, error) && openDevice(&render, error) && drawAll(&render, error);
    end(&render);
    return good;
}

int figureRender(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
