#include "pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "animation.h"
#include "bone_labels.h"
#include "files.h"
#include "moment.h"
#include "outputs.h"
#include "sequence.h"
#include "single.h"

#define FIELD_OF_VIEW   0.6f
#define DEGREE          0.017453293f /* in radians */
#define FIT_PER_SECOND  30.0
#define FIT_SAMPLES_MAX 256.0

const Option PICTURE_OPTIONS[] = {
    SIZE_OPTION("width and height in pixels"),
    {"camera", OPTION_CAMERA, "VIEW|AZIMUTH,ELEVATION[,DISTANCE]",
     .help =
         "where the camera stands: front, back, left, right, side, top, bottom, or AZIMUTH: degrees about the up axis, "
         "0 in front (+Z), 90 at the left side (+X) of the character, and ELEVATION: degrees above the horizon, -89 to "
         "89. DISTANCE from the centre: in the unit of the model; in a crowd, whose characters are 1.8 m high, in "
         "metres; default: all is in the picture"},
    {"background", OPTION_COLOUR, "COLOUR|none",
     .help = "a colour instead of sky and ground, by name or as RRGGBB, or none: the picture is transparent there",
     .content = OPTION_FOR_ALL},
    SEQUENCE_OPTION("picture"),
    KEEP_OPTION,
    {.name = NULL, .help = "pictures"},
};

float pictureAspect(const Arguments *arguments) {
    const OptionValue *size = optionsValue(arguments, "size");
    return (float)size->width / (float)size->height;
}

/* The view of --camera, without its distance. */
static CameraFit pictureFit(const Arguments *arguments, float yaw, float pitch) {
    const OptionValue *value = optionsValue(arguments, "camera");
    return (CameraFit){.yaw = value->given ? (float)value->camera.azimuth * DEGREE : yaw,
                       .pitch = value->given ? (float)value->camera.elevation * DEGREE : pitch,
                       .fieldOfView = FIELD_OF_VIEW,
                       .aspect = pictureAspect(arguments),
                       .share = PICTURE_SHARE};
}

Camera pictureCamera(const Arguments *arguments, const Bounds *bounds, float yaw, float pitch) {
    const double distance = optionsValue(arguments, "camera")->camera.distance;
    const CameraFit fit = pictureFit(arguments, yaw, pitch);
    Camera camera = cameraFrame(bounds, fit.yaw, fit.pitch, fit.fieldOfView, fit.aspect);
    if (distance > 0.0) {
        cameraSetDistance(&camera, (float)distance);
    }
    return camera;
}

static double clipDuration(const Population *population, const Character *character) {
    const SkinnedModel *skinned = population->models[character->model];
    return clipSourceDuration(&skinned->source, character->clip);
}

/* A sheet's last moment is a step before the end: the clip may be a circle. */
PictureMoments pictureMoments(const Arguments *arguments, double rest) {
    const OptionSeries *series = &optionsValue(arguments, "sequence")->series;
    const OptionValue *sheet = optionsValue(arguments, "sheet");
    if (sheet->given) {
        const uint32_t count = (uint32_t)(sheet->width * sheet->height);
        return (PictureMoments){.step = fmax(rest, 0.0) / count, .count = count};
    }
    return (PictureMoments){series->from, series->count > 0 ? 1.0 / series->perSecond : 0.0, series->count,
                            series->first};
}

static PictureMoments momentsOf(const Arguments *arguments, const Population *population, const Character *character) {
    return pictureMoments(arguments, clipDuration(population, character) - character->time);
}

/* Adds the vertices at all moments that the picture or the pictures show. */
static bool addMoments(const Arguments *arguments, const Population *population, const Character *character,
                       const BoundsSpaces *spaces, Bounds *bounds, EngineError *error) {
    const SkinnedModel *skinned = population->models[character->model];
    const PictureMoments moments = momentsOf(arguments, population, character);
    double duration = clipDuration(population, character);
    double from = 0.0;
    uint32_t steps = (uint32_t)fmin(ceil(duration * FIT_PER_SECOND), FIT_SAMPLES_MAX - 1.0);
    VkskinWrap wrap = VKSKIN_WRAP_CLAMP; /* the last pose belongs to the clip, also where that loops */
    if (!optionsValue(arguments, "fit")->given) {
        wrap = character->wrap;
        from = character->time + moments.from;
        steps = moments.count > 1 ? moments.count - 1 : 0;
        duration = steps * moments.step;
    }
    bool good = true;
    for (uint32_t i = 0; i <= steps && good; i++) {
        const double time = from + (steps > 0 ? duration * i / steps : 0.0);
        good = skinnedModelAddBounds(skinned, character->clip, time, wrap, character->swing, spaces, bounds, error);
    }
    return good;
}

bool pictureFrame(const Arguments *arguments, const Population *population, float yaw, float pitch, PictureFrame *frame,
                  EngineError *error) {
    const Character *character = &population->characters[0];
    const CameraFit fit = pictureFit(arguments, yaw, pitch);
    const VkskinAffine *toCommon = &population->models[character->model]->modelToCommon;
    VkskinAffine maps[3] = {vkskinMultiplyAffine(&character->place, toCommon)};
    Bounds boxes[3] = {boundsEmpty(), boundsEmpty(), boundsEmpty()};
    cameraFitSpaces(&fit, maps + 1);
    for (int side = 1; side < 3; side++) {
        maps[side] = vkskinMultiplyAffine(&maps[side], &maps[0]);
    }
    const BoundsSpaces spaces = {maps, 3};
    if (!addMoments(arguments, population, character, &spaces, boxes, error)) {
        return false;
    }
    const bool placed = optionsValue(arguments, "camera")->camera.distance > 0.0;
    frame->bounds = boxes[0];
    frame->camera = placed ? pictureCamera(arguments, boxes, yaw, pitch) : cameraFromFit(&fit, boxes, boxes + 1);
    return boundsCanBeDrawn(boxes) ||
           engineFail(error, "%s: its vertices are too far away at this time to be drawn", arguments->operands[0]);
}

/* ---- Runs ---- */

bool pictureBackground(const Arguments *arguments, float colour[4]) {
    const OptionValue *value = optionsValue(arguments, "background");
    for (int channel = 0; channel < 3 && value->colour != OPTION_COLOUR_NONE; channel++) {
        colour[channel] = (float)(value->colour >> (16 - 8 * channel) & 0xff) / 255.0f;
        colour[3] = 1.0f;
    }
    return value->given;
}

/* The colour of --background, in linear light. */
static void setBackground(const Arguments *arguments, DrawScene *view) {
    view->plain = pictureBackground(arguments, view->background);
    for (int channel = 0; channel < 3; channel++) {
        const float encoded = view->background[channel];
        view->background[channel] = encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
    }
}

/* Pictures that are taken, and where they go. */
typedef struct Taken {
    const Arguments *arguments;
    const char *path;     /* null: no picture */
    Sheet sheet;          /* sheet of all pictures of a series; zero: each picture is a file */
    Animation *animation; /* or one that they join; null: none */
    const PictureRun *run;
    Progress progress;
} Taken;

static void showProgress(void *user, RunPhase phase, uint32_t done, uint32_t total) {
    static const char *const WHATS[] = {[RUN_PHASE_WARMUP] = "warming up",
                                        [RUN_PHASE_MEASURED] = "frames",
                                        [RUN_PHASE_TRAILING] = "finishing",
                                        [RUN_PHASE_SERIES] = "pictures"};
    Progress *progress = &((Taken *)user)->progress;
    bool counted = phase == RUN_PHASE_MEASURED || phase == RUN_PHASE_SERIES;
    progress->what = WHATS[phase];
    progress->total = counted ? total : 0;
    progressShow(progress, done);
}

/* The moment of a picture in an animation. */
static int milliseconds(const PictureMoments *moments, uint32_t index) {
    return (int)lround(1000.0 * moments->step * index);
}

/* The picture with the time that it shows, where the run has one. index: in the series. */
static Picture timedPicture(const Taken *taken, uint32_t index, const Picture *picture) {
    Picture timed = *picture; /* with the same pixels */
    const PictureRun *run = taken->run;
    timed.timed = run->still;
    timed.seconds =
        momentShown(taken->arguments, run->duration, run->start + run->moments.from + run->moments.step * index);
    return timed;
}

/* A picture of a series. */
static bool takePicture(void *user, uint32_t index, const Picture *picture, EngineError *error) {
    Taken *taken = user;
    char name[PATH_MAX];
    if (taken->sheet.columns > 0) {
        sheetPut(&taken->sheet, index, picture);
        return true;
    }
    if (taken->animation) {
        return animationAdd(taken->animation, picture->pixels, milliseconds(&taken->run->moments, index), error);
    }
    atomicFileNumbered(name, taken->path, taken->run->moments.first + index);
    const Picture timed = timedPicture(taken, index, picture);
    return outputPictureFinish(&timed, name, error) && sequenceFinished(taken->arguments, index, error);
}

static bool writeAnimation(Animation *animation, int end, const char *path, EngineError *error) {
    AtomicFile file;
    uint8_t *bytes = NULL;
    size_t size;
    if (!animationFinish(animation, end, &bytes, &size, error) || !atomicFileBegin(&file, path, error)) {
        free(bytes);
        return false;
    }
    fwrite(bytes, 1, size, file.stream); /* the stream keeps a failure until the commit */
    free(bytes);
    return atomicFileCommit(&file, error);
}

/* A file of one picture. */
static bool writeStill(const Picture *picture, const char *path, EngineError *error) {
    Animation *animation = animationCreate(picture->width, picture->height, error);
    const bool good =
        animation && animationAdd(animation, picture->pixels, 0, error) && writeAnimation(animation, 1000, path, error);
    animationFree(animation);
    return good;
}

/* The files of a run that succeeded. count: of the series; 0: the one picture is `picture`. */
static bool writePictures(const Taken *taken, uint32_t count, const Picture *picture, EngineError *error) {
    if (!taken->path) {
        return true;
    }
    if (count == 0 || taken->sheet.columns > 0) {
        const Picture timed = timedPicture(taken, 0, picture);
        picture = taken->sheet.columns > 0 ? &taken->sheet.picture : &timed;
        return holdsSequence(taken->path) ? writeStill(picture, taken->path, error)
                                          : outputPictureWrite(picture, taken->path, error);
    }
    if (taken->animation) {
        return writeAnimation(taken->animation, milliseconds(&taken->run->moments, count), taken->path, error);
    }
    if (!atomicFilesCommit(error)) {
        return false;
    }
    sayFiles(taken->arguments->verb->name, "picture", taken->path, taken->run->moments.first, count);
    return true;
}

static bool beginSheet(Taken *taken, const PictureMoments *moments, EngineError *error) {
    const OptionValue *sheet = optionsValue(taken->arguments, "sheet"), *size = optionsValue(taken->arguments, "size");
    if (!sheet->given) {
        return true;
    }
    if (moments->step == 0.0) {
        return engineFail(error, "--sheet needs a clip that goes on after --time");
    }
    return sheetCreate(&taken->sheet, (uint32_t)sheet->width, (uint32_t)sheet->height, size->width, size->height, 0,
                       error);
}

bool picturesTake(Session *session, const PictureRun *run, RunResult *result, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const PictureMoments *moments = &run->moments;
    const OptionValue *size = optionsValue(arguments, "size");
    Taken taken = {.arguments = arguments, .path = optionsValue(arguments, "output")->text, .run = run};
    Picture picture = {0};
    if (!beginSheet(&taken, moments, error)) {
        return false;
    }
    if (holdsSequence(taken.path) && moments->count > 0 && taken.sheet.columns == 0) {
        taken.animation = animationCreate(size->width, size->height, error);
        if (!taken.animation) {
            return false;
        }
    }
    const bool single = taken.path && moments->count == 0;
    const RunDef def = {
        .frames = run->frames,
        .warmupFrames = run->warmupFrames,
        .width = size->width,
        .height = size->height,
        .still = run->still,
        .series = {moments->count, moments->from, moments->step, takePicture},
        .overlay = run->overlay,
        .progress = showProgress,
        .user = &taken,
    };
    sessionBeginProgress(session, &taken.progress, "warming up", 0);
    bool good = run->run(run->user, &def, result, single ? &picture : NULL, error);
    sessionEndProgress(session);
    good = good && writePictures(&taken, moments->count, &picture, error);
    if (!good) {
        sequenceFailed();
    }
    atomicFilesDrop();
    animationFree(taken.animation);
    sheetFree(&taken.sheet);
    pictureFree(&picture);
    return good;
}

/* A scene and what shows it. */
typedef struct Shown {
    Scene *scene;
    DrawScene view;
} Shown;

static bool runScene(void *user, const RunDef *def, RunResult *result, Picture *picture, EngineError *error) {
    const Shown *shown = user;
    return populationRun(shown->scene, &shown->view, def, result, picture, error);
}

bool picturesRun(Session *session, uint32_t warmupFrames, uint32_t frames, bool still, DrawScene view,
                 RunResult *result, EngineError *error) {
    const Population *population = session->scene->population;
    Shown shown = {session->scene, view};
    PictureRun run = {.warmupFrames = warmupFrames,
                      .frames = frames,
                      .still = still,
                      .moments = momentsOf(session->arguments, population, &population->characters[0]),
                      .start = population->characters[0].time,
                      .duration = singleDuration(session),
                      .run = runScene,
                      .user = &shown};
    shown.view.shows = session->shows;
    shown.view.paint = session->paint;
    setBackground(session->arguments, &shown.view);
    if (optionsValue(session->arguments, "labels")->given &&
        !boneLabelsOfModels(session->scene->device, population, &shown.view.camera, &run.overlay, error)) {
        return false;
    }
    const bool good = picturesTake(session, &run, result, error);
    boneLabelsFree(&run.overlay);
    return good;
}
