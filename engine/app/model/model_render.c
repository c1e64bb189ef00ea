/* model_render.c: one character at one time of a clip as a picture, or at many times as many. */
#include <math.h>
#include <string.h>

#include "content.h"
#include "outputs.h"
#include "pictures.h"
#include "single.h"

#define VIEW_YAW   0.5f
#define VIEW_PITCH 0.2f

/* From behind the camera, over its left shoulder: what faces the viewer is lit. */
static const float SUN[3] = {-0.35f, 1.0f, 0.9f};

/* That on which the character falls, else under its lowest vertex. It stands at the origin: up is y. */
static float groundOf(const Character *character, float lowest) {
    const Ragdoll *ragdoll = character->swing ? motionSwingRagdoll(character->swing) : NULL;
    const double ground = ragdoll ? ragdollGround(ragdoll) : NAN;
    return isnan(ground) ? lowest : (float)ground;
}

/* Looks at the character from slightly beside and above, unless an option moves the camera. */
static bool frameCharacter(const Session *session, DrawScene *view, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Population *population = session->scene->population;
    PictureFrame frame;
    if (!pictureFrame(arguments, population, VIEW_YAW, VIEW_PITCH, &frame, error)) {
        return false;
    }
    *view = drawDefaultScene(population, pictureAspect(arguments));
    view->camera = frame.camera;
    view->groundHeight = groundOf(&population->characters[0], frame.bounds.min[1]);
    memcpy(view->sunDirection, SUN, sizeof view->sunDirection);
    return true;
}

static bool render(Session *session, EngineError *error) {
    DrawScene view;
    RunResult result;
    return openSingle(session, chosenFormat(session->arguments), false, error) &&
           frameCharacter(session, &view, error) && picturesRun(session, 0, 1, true, view, &result, error);
}

int modelRender(const Arguments *arguments) {
    return sessionRun(arguments, render);
}
