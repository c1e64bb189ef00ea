#include "single.h"

#include <math.h>

#include "motion_options.h"

const Option MOMENT_OPTIONS[] = {
    CLIP_OPTION("the clip", "; default: the first, or the rest pose of a model without clips"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip; after its end the last frame holds",
     .defaultValue = "0", .unit = "s", .minimum = 0.0, .maximum = INFINITY, .content = OPTION_FOR_ALL},
    {.group = MOTION_OPTIONS},
    {.group = MACHINE_OPTIONS},
    {.group = SKIN_OPTIONS},
    {.name = NULL},
};

bool openSingle(Session *session, VkskinVertexFormat format, bool readback, EngineError *error) {
    const SceneDef def = {
        .count = 1,
        .placement = POPULATION_ORIGIN,
        .wrap = VKSKIN_WRAP_CLAMP,
        .format = format,
        .readback = readback,
    };
    if (!sessionLoad(session, LOAD_AS_FILE, error) || !sessionChooseClips(session, error) ||
        !sessionOpenDevice(session, NULL, error) || !sessionMakeScene(session, &def, error)) {
        return false;
    }
    Character *character = &session->scene->population->characters[0];
    character->time = optionsValue(session->arguments, "time")->number;
    return sessionCheckScale(session, character, error);
}
