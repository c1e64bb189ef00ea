/* spine_render.c: vkskin render for 2D characters: one time of an animation as a picture, or many times as many. */
#include "content.h"
#include "frames.h"
#include "pictures.h"
#include "spine_draw.h"
#include "spine_options.h"

typedef struct SpineRender {
    Session *session;
    const Arguments *arguments;
    const SpineModel *spine;
    SpinePose *pose;
    SpineMotion motion;
    PictureMoments moments;
    Skinning *skinning;
    SpineDraw *draw;
    uint32_t shows; /* bits: SPINE_SHOW_MESH and so on */
    Frames frames;
    Target target;
    SpineCamera camera;
    float background[4];
} SpineRender;

/* ---- The camera ---- */

/* Shows all of the pictures' poses, or with --fit of the animation. */
static bool frameSpine(SpineRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    const PictureMoments *moments = &render->moments;
    const double from = optionsValue(arguments, "time")->number + moments->from;
    SpineBox box = SPINE_EMPTY_BOX;
    if (optionsValue(arguments, "fit")->given) {
        spineMotionAddBoxes(render->pose, &render->motion, &box);
    } else {
        for (uint32_t i = 0; i < (moments->count > 1 ? moments->count : 1); i++) {
            spineMotionSet(render->pose, &render->motion, from + moments->step * i);
            spinePoseAddBox(render->pose, &box);
        }
    }
    return spineCameraFrame(&box, (double)pictureAspect(arguments), &render->camera) ||
           engineFail(error, "%s: no slot shows a region or a mesh", arguments->operands[0]);
}

/* ---- Pictures ---- */

static bool drawPose(SpineRender *render, double time, Picture *picture, EngineError *error) {
    Frame frame;
    const TargetImage image = targetOffscreenImage(&render->target);
    spineMotionSet(render->pose, &render->motion, time);
    if (!framesBegin(&render->frames, &frame, error)) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(render->skinning->context, frame.slot);
    const SpineCharacter character = {.pose = render->pose, .place = SPINE_UNPLACED};
    if (result >= 0 && !spineDrawPrepare(render->draw, frame.slot, &character, 1, render->shows, error)) {
        return false;
    }
    result = result < 0 ? result : vkskinRecordSkinning(render->skinning->context, frame.commandBuffer);
    if (result < 0) {
        return skinningFail(render->skinning, error, "skinning", result);
    }
    spineDrawRecord(render->draw, frame.commandBuffer, &render->target, &image, &render->camera, render->background);
    return framesEnd(&render->frames, &frame, NULL, error) &&
           pictureRead(render->session->device, &render->target, render->background[3] < 1.0f, picture, error);
}

static bool drawAll(SpineRender *render, EngineError *error) {
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

static bool openDevice(SpineRender *render, EngineError *error) {
    Session *session = render->session;
    const OptionValue *size = optionsValue(render->arguments, "size");
    const TargetDef target = {
        .width = size->width, .height = size->height, .colourFormat = SPINE_COLOUR_FORMAT, .offscreen = true};
    if (!sessionOpenDevice(session, NULL, error)) {
        return false;
    }
    render->skinning = spineSkinning(session, error);
    if (!render->skinning || !framesCreate(session->device, &render->frames, error) ||
        !targetCreate(session->device, &target, &render->target, error)) {
        return false;
    }
    render->shows = optionsValue(render->arguments, "show")->choice + 1; /* bits, see SPINE_SHOWS */
    const SpineDrawModel model = {session->models[0], 1};
    const SpineDrawDef def = {.system = session->skin.system,
                              .models = &model,
                              .modelCount = 1,
                              .shows = render->shows,
                              .colourFormat = SPINE_COLOUR_FORMAT,
                              .width = size->width,
                              .height = size->height};
    render->draw = spineDrawCreate(session->device, render->skinning, &def, error);
    if (render->draw && spineDrawTrimmed(render->draw, 0) > 0) {
        sayWarning(session->verb, "%s: uniform-2d keeps the 4 largest influences; vertices with more: %u",
                   render->arguments->operands[0], spineDrawTrimmed(render->draw, 0));
    }
    return render->draw != NULL;
}

static bool findPose(SpineRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    uint32_t skins[OPTION_FILES_MAX], skinCount = 0;
    if (!spineMotionRead(arguments, render->spine, &render->motion, error) ||
        !spineFindSkins(arguments, render->spine, skins, &skinCount, error)) {
        return false;
    }
    render->moments = pictureMoments(arguments, spineMotionDuration(render->spine, &render->motion) -
                                                    optionsValue(arguments, "time")->number);
    if (optionsValue(arguments, "sheet")->given && render->moments.step == 0.0) {
        return engineFail(error, "--sheet needs a clip that goes on after --time");
    }
    spineBackground(arguments, render->background);
    render->pose = spinePoseCreate(render->spine, skins, skinCount, error);
    if (!render->pose) {
        return false;
    }
    spineNameSkins(arguments, render->pose);
    return frameSpine(render, error);
}

static void end(SpineRender *render) {
    if (render->session->device) {
        framesDestroy(&render->frames); /* waits for the device */
        spineDrawDestroy(render->draw);
        skinningDestroy(render->skinning);
        targetDestroy(render->session->device, &render->target);
    }
    spinePoseFree(render->pose);
}

static bool work(Session *session, EngineError *error) {
    const Arguments *arguments = session->arguments;
    if (!spineLoad(session, error)) {
        return false;
    }
    SpineRender render = {.session = session, .arguments = arguments, .spine = session->models[0]->spines};
    const bool good = findPose(&render, error) && openDevice(&render, error) && drawAll(&render, error);
    end(&render);
    return good;
}

int spineRender(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
