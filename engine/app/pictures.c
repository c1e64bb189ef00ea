#include "pictures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "outputs.h"
#include "sheet.h"

#define FIELD_OF_VIEW   0.6f
#define DEGREE          0.017453293f /* in radians */
#define FIT_PER_SECOND  30.0
#define FIT_SAMPLES_MAX 256.0

const Option PICTURE_OPTIONS[] = {
    SIZE_OPTION("width and height in pixels"),
    {"camera", OPTION_CAMERA, "AZIMUTH,ELEVATION[,DISTANCE]",
     .help =
         "where the camera stands. AZIMUTH: degrees about the up axis, 0 in front (+Z), 90 at the left side (+X) of "
         "the character. ELEVATION: degrees above the horizon, -89 to 89. DISTANCE from the centre: in the unit of "
         "the model; in a crowd, whose characters are 1.8 m high, in metres; default: all is in the picture"},
    {"fit", OPTION_FLAG,
     .help =
         "the camera looks at the box of all poses of the clip, so that pictures of one clip share one camera; in a "
         "crowd at the box of all characters; default: the pose at this time; the front of the crowd"},
    {"background", OPTION_COLOUR, "RRGGBB|none",
     .help = "a colour instead of sky and ground, or none: the picture is transparent there"},
    SEQUENCE_OPTION("picture"),
    {.name = NULL},
};

float pictureAspect(const Arguments *arguments) {
    const OptionValue *size = optionsValue(arguments, "size");
    return (float)size->width / (float)size->height;
}

Camera pictureCamera(const Arguments *arguments, const Bounds *bounds, float yaw, float pitch) {
    const OptionValue *value = optionsValue(arguments, "camera");
    if (value->given) {
        yaw = (float)value->camera.azimuth * DEGREE;
        pitch = (float)value->camera.elevation * DEGREE;
    }
    Camera camera = cameraFrame(bounds, yaw, pitch, FIELD_OF_VIEW, pictureAspect(arguments));
    if (value->camera.distance > 0.0) {
        cameraSetDistance(&camera, (float)value->camera.distance);
    }
    return camera;
}

/* Pictures of one run, `step` seconds apart from `from` on, both added to the times of members. count 0: one picture. */
typedef struct Moments {
    double from, step;
    uint32_t count;
} Moments;

static double clipDuration(const Crowd *crowd, const CrowdMember *member) {
    const Character *character = crowd->characters[member->character];
    return clipSourceDuration(&character->source, member->clip);
}

/* A sheet shows what follows the member's time. Its last moment is a step before the end: the clip may be a circle. */
static Moments momentsOf(const Arguments *arguments, const Crowd *crowd, const CrowdMember *member) {
    const OptionSeries *series = &optionsValue(arguments, "sequence")->series;
    const OptionValue *sheet = optionsValue(arguments, "sheet");
    if (sheet->given) {
        const uint32_t count = (uint32_t)(sheet->width * sheet->height);
        return (Moments){0.0, fmax(clipDuration(crowd, member) - member->time, 0.0) / count, count};
    }
    return (Moments){series->from, series->count > 0 ? 1.0 / series->perSecond : 0.0, series->count};
}

bool pictureBounds(const Arguments *arguments, const Crowd *crowd, const CrowdMember *member, const char *path,
                   Bounds *bounds, EngineError *error) {
    const Character *character = crowd->characters[member->character];
    const Moments moments = momentsOf(arguments, crowd, member);
    double duration = clipDuration(crowd, member);
    double from = 0.0;
    uint32_t steps = (uint32_t)fmin(ceil(duration * FIT_PER_SECOND), FIT_SAMPLES_MAX - 1.0);
    if (!optionsValue(arguments, "fit")->given) {
        from = member->time + moments.from;
        steps = moments.count > 1 ? moments.count - 1 : 0;
        duration = steps * moments.step;
    }
    VkskinAffine place = vkskinMultiplyAffine(&member->place, &character->modelToCommon);
    *bounds = boundsEmpty();
    for (uint32_t i = 0; i <= steps; i++) {
        Bounds pose;
        double time = from + (steps > 0 ? duration * i / steps : 0.0);
        if (!characterBounds(character, member->clip, time, member->wrap, &pose, error)) {
            return false;
        }
        pose = boundsTransform(&pose, &place);
        boundsAdd(bounds, &pose);
    }
    return boundsCanBeDrawn(bounds) ||
           engineFail(error, "%s: its vertices are too far away at this time to be drawn", path);
}

/* ---- Runs ---- */

/* The colour of --background, in linear light. */
static void setBackground(const Arguments *arguments, DrawScene *view) {
    const OptionValue *value = optionsValue(arguments, "background");
    view->plain = value->given;
    for (int channel = 0; channel < 3 && value->colour != OPTION_COLOUR_NONE; channel++) {
        float encoded = (float)(value->colour >> (16 - 8 * channel) & 0xff) / 255.0f;
        view->background[channel] = encoded <= 0.04045f ? encoded / 12.92f : powf((encoded + 0.055f) / 1.055f, 2.4f);
        view->background[3] = 1.0f;
    }
}

typedef struct PictureRun {
    const char *path; /* null: no picture */
    Sheet sheet;      /* of all pictures of a series; zero: each one is a file */
    Progress progress;
} PictureRun;

static void showProgress(void *user, CrowdPhase phase, uint32_t done, uint32_t total) {
    static const char *const WHATS[] = {[CROWD_PHASE_WARMUP] = "warming up",
                                        [CROWD_PHASE_MEASURED] = "frames",
                                        [CROWD_PHASE_TRAILING] = "finishing",
                                        [CROWD_PHASE_SERIES] = "pictures"};
    Progress *progress = &((PictureRun *)user)->progress;
    bool counted = phase == CROWD_PHASE_MEASURED || phase == CROWD_PHASE_SERIES;
    progress->what = WHATS[phase];
    progress->total = counted ? total : 0;
    progressShow(progress, done);
}

static bool takePicture(void *user, uint32_t index, const Picture *picture, EngineError *error) {
    PictureRun *run = user;
    char name[PATH_MAX];
    if (run->sheet.columns > 0) {
        sheetPut(&run->sheet, index, picture);
        return true;
    }
    atomicFileNumbered(name, run->path, index);
    return outputPictureFinish(picture, name, error);
}

static bool createSheet(const OptionValue *option, const OptionValue *size, PictureRun *run, EngineError *error) {
    return !option->given || sheetCreate(&run->sheet, (uint32_t)option->width, (uint32_t)option->height, size->width,
                                         size->height, 0, error);
}

/* The files of a run that succeeded. */
static bool writePictures(const Session *session, const PictureRun *run, uint32_t count, const Picture *picture,
                          EngineError *error) {
    if (!run->path) {
        return true;
    }
    if (count == 0 || run->sheet.columns > 0) {
        return outputPictureWrite(run->sheet.columns > 0 ? &run->sheet.picture : picture, run->path, error);
    }
    if (!atomicFilesCommit(error)) {
        return false;
    }
    sayFiles(session->verb, "picture", run->path, count);
    return true;
}

bool picturesRun(Session *session, uint32_t warmupFrames, uint32_t frames, bool still, DrawScene view,
                 CrowdResult *result, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Crowd *crowd = session->scene->crowd;
    const Moments moments = momentsOf(arguments, crowd, &crowd->members[0]);
    const OptionValue *size = optionsValue(arguments, "size");
    PictureRun run = {.path = optionsValue(arguments, "output")->text};
    Picture picture = {0};
    bool single = run.path && moments.count == 0;
    if (optionsValue(arguments, "sheet")->given && moments.step == 0.0) {
        return engineFail(error, "--sheet needs a clip that goes on after --time");
    }
    if (!createSheet(optionsValue(arguments, "sheet"), size, &run, error)) {
        return false;
    }
    setBackground(arguments, &view);
    const CrowdRunDef def = {
        .frames = frames,
        .warmupFrames = warmupFrames,
        .width = size->width,
        .height = size->height,
        .view = &view,
        .still = still,
        .series = {moments.count, moments.from, moments.step, takePicture},
        .progress = showProgress,
        .user = &run,
    };
    sessionBeginProgress(session, &run.progress, "warming up", 0);
    bool good = crowdRun(session->scene, &def, result, single ? &picture : NULL, error);
    sessionEndProgress(session);
    good = good && writePictures(session, &run, moments.count, &picture, error);
    atomicFilesDrop();
    pictureFree(&picture);
    sheetFree(&run.sheet);
    return good;
}
