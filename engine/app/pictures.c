#include "pictures.h"

#include <math.h>

#include "session.h"

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

bool pictureBounds(const Arguments *arguments, const Crowd *crowd, const CrowdMember *member, const char *path,
                   Bounds *bounds, EngineError *error) {
    const Character *character = crowd->characters[member->character];
    VkskinClip clip = member->clip < character->clipCount ? character->clips[member->clip] : NULL;
    double duration = clip && optionsValue(arguments, "fit")->given ? (double)vkskinGetClipDuration(clip) : 0.0;
    double from = duration > 0.0 ? 0.0 : member->time;
    uint32_t steps = (uint32_t)fmin(ceil(duration * FIT_PER_SECOND), FIT_SAMPLES_MAX - 1.0);
    VkskinAffine place = vkskinMultiplyAffine(&member->place, &character->modelToCommon);
    *bounds = boundsEmpty();
    for (uint32_t i = 0; i <= steps; i++) {
        Bounds pose;
        double time = from + (steps > 0 ? duration * i / steps : 0.0);
        if (!characterBounds(character, clip, time, member->wrap, &pose, error)) {
            return false;
        }
        pose = boundsTransform(&pose, &place);
        boundsAdd(bounds, &pose);
    }
    return boundsCanBeDrawn(bounds) ||
           engineFail(error, "%s: its vertices are too far away at this time to be drawn", path);
}
