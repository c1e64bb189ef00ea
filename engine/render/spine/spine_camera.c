#include "spine_camera.h"

#define MARGIN 1.05 /* margin factor of the picture's sides */

#define ZOOM_STEP  1.15 /* factor for one step of the wheel */
#define HEIGHT_MIN 1e-3 /* vertices as floats still have digits at that height */
#define HEIGHT_MAX 1e7

bool spineCameraFrame(const SpineBox *box, double aspect, SpineCamera *camera) {
    const double width = box->high[0] - box->low[0], height = box->high[1] - box->low[1];
    if (!(width >= 0.0 && isfinite(width) && isfinite(height))) {
        return false;
    }
    const double most = fmax(height, width / aspect);
    *camera = (SpineCamera){.centre = {(box->low[0] + box->high[0]) / 2.0, (box->low[1] + box->high[1]) / 2.0},
                            .height = most > 0.0 ? most * MARGIN : 1.0};
    return true;
}

void spineCameraPlace(const SpineCamera *camera, const float size[2], const float pixel[2], double place[2]) {
    const double scale = camera->height / (double)size[1];
    place[0] = camera->centre[0] + ((double)pixel[0] - 0.5 * (double)size[0]) * scale;
    place[1] = camera->centre[1] - ((double)pixel[1] - 0.5 * (double)size[1]) * scale;
}

void spineCameraPan(SpineCamera *camera, const float size[2], const float pixels[2]) {
    const double scale = camera->height / (double)size[1];
    camera->centre[0] -= (double)pixels[0] * scale;
    camera->centre[1] += (double)pixels[1] * scale;
}

void spineCameraZoom(SpineCamera *camera, const float size[2], const float pixel[2], float steps) {
    double before[2], after[2];
    spineCameraPlace(camera, size, pixel, before);
    camera->height = fmax(HEIGHT_MIN, fmin(HEIGHT_MAX, camera->height * pow(ZOOM_STEP, -(double)steps)));
    spineCameraPlace(camera, size, pixel, after);
    for (int i = 0; i < 2; i++) {
        camera->centre[i] += before[i] - after[i];
    }
}
