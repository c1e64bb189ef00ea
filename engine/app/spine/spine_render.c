/* spine_render.c: vkskin render for 2D characters: one time of an animation as a picture, or many times as many. */
#include "content.h"
#include "spine_characters.h"
#include "spine_options.h"

typedef struct SpineRender {
    const Arguments *arguments;
    const SpineModel *spine;
    SpinePose *pose;
    SpineMotion motion;
    double time; /* from --time or --frame */
    PictureMoments moments;
    SpineCamera camera;
} SpineRender;

/* Shows all of the pictures' poses, or with --fit of the animation. */
static bool frameSpine(SpineRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    const PictureMoments *moments = &render->moments;
    const double from = render->time + moments->from;
    SpineBox box = SPINE_EMPTY_BOX;
    if (optionsValue(arguments, "fit")->given) {
        spineMotionAddBoxes(render->pose, &render->motion, &box);
    } else {
        for (uint32_t i = 0; i < (moments->count > 1 ? moments->count : 1); i++) {
            const double time = spineMomentShown(arguments, render->spine, &render->motion, from + moments->step * i);
            spineMotionPlay(render->pose, &render->motion, time);
            spinePoseAddBox(render->pose, &box);
        }
    }
    return spineCameraFrame(&box, (double)pictureAspect(arguments), &render->camera) ||
           engineFail(error, "%s: no slot shows a region or a mesh", arguments->operands[0]);
}

static bool findPose(SpineRender *render, EngineError *error) {
    const Arguments *arguments = render->arguments;
    uint32_t skins[OPTION_FILES_MAX], skinCount = 0;
    if (!spineMotionRead(arguments, render->spine, &render->motion, error) ||
        !spineMoment(arguments, render->spine, &render->motion, &render->time, error) ||
        !spineFindSkins(arguments, render->spine, skins, &skinCount, error)) {
        return false;
    }
    render->moments = pictureMoments(arguments, spineMotionDuration(render->spine, &render->motion) - render->time);
    render->pose = spinePoseCreate(render->spine, skins, skinCount, error);
    if (!render->pose) {
        return false;
    }
    spineNameSkins(arguments, render->pose);
    return frameSpine(render, error);
}

/* The one character where its file has it, at --time and the moments after it. */
static bool takePictures(Session *session, SpineRender *render, EngineError *error) {
    const SpineDrawModel model = {session->models[0], 1};
    SpineCharacter character = {.pose = render->pose, .place = SPINE_UNPLACED};
    SpineActor actor = {.motion = render->motion, .start = render->time};
    const bool loops = optionsValue(session->arguments, "loop")->given;
    actor.duration = loops ? spineMotionDuration(render->spine, &render->motion) : 0.0;
    const SpinePopulationKind kind = {.spine = render->spine};
    SpinePopulation population = {
        .count = 1, .characters = &character, .actors = &actor, .poses = &render->pose, .kinds = &kind, .plays = true};
    SpineShow show = {.population = &population,
                      .models = &model,
                      .modelCount = 1,
                      .shows = session->shows,
                      .paint = session->paint,
                      .camera = render->camera};
    const double duration = spineMomentDuration(session->arguments, render->spine, &render->motion);
    const PictureRun run = {
        .frames = 1, .still = true, .moments = render->moments, .start = render->time, .duration = duration};
    RunResult result;
    return spinePicturesRun(session, &show, run, &result, error);
}

static bool work(Session *session, EngineError *error) {
    if (!spineLoad(session, error)) {
        return false;
    }
    SpineRender render = {.arguments = session->arguments, .spine = session->models[0]->spines};
    const bool good = findPose(&render, error) && takePictures(session, &render, error);
    spinePoseFree(render.pose);
    motionMachineDestroy(render.motion.machine);
    return good;
}

int spineRender(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
