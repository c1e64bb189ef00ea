#include "single.h"

#include <math.h>

#include "moment.h"
#include "motion_options.h"

const Option MOMENT_OPTIONS[] = {
    CLIP_OPTION("the clip", "; default: the first, or the rest pose of a model without clips"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip, such as 0.5 or 500ms", .defaultValue = "0",
     .unit = "s", .minimum = 0.0, .maximum = INFINITY, .content = OPTION_FOR_ALL},
    FRAME_OPTION,
    LOOP_OPTION,
    {.group = MOTION_OPTIONS},
    {.group = SPRING_OPTIONS},
    {.group = COLLAPSE_OPTIONS},
    {.group = MACHINE_OPTIONS},
    {.group = SKIN_OPTIONS},
    {.name = NULL},
};

double singleDuration(const Session *session) {
    const Character *character = &session->scene->population->characters[0];
    const SkinnedModel *skinned = session->scene->models[character->model];
    const double duration = motionIsActive(skinned->motion) ? motionDuration(skinned->motion, character->clip)
                                                            : clipSourceDuration(&skinned->source, character->clip);
    return character->clip == REST_POSE && duration == 0.0 ? (double)INFINITY : duration;
}

bool openSingle(Session *session, VkskinVertexFormat format, bool readback, EngineError *error) {
    const SceneDef def = {
        .count = 1,
        .placement = POPULATION_ORIGIN,
        .wrap = optionsValue(session->arguments, "loop")->given ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP,
        .format = format,
        .readback = readback,
    };
    if (!sessionLoad(session, LOAD_AS_FILE, error) || !sessionChooseClips(session, error) ||
        !sessionOpenDevice(session, NULL, error) || !sessionMakeScene(session, &def, error)) {
        return false;
    }
    Character *character = &session->scene->population->characters[0];
    const ModelClip *clip = character->clip < session->models[0]->clipCount
                                ? &session->models[0]->clips[character->clip]
                                : &(ModelClip){.name = "the rest pose"};
    const bool byFrame = optionsValue(session->arguments, "frame")->given; /* the rate takes a walk over all keys */
    const MomentClip moment = {clip->name, singleDuration(session), byFrame ? momentRate(clip) : 0.0};
    if (!momentRead(session->arguments, &moment, &character->time, error)) {
        return false;
    }
    return sessionCheckScale(session, character, error);
}
