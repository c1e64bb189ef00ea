#include "study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "population_run.h"
#include "target.h"

/* The header has unused functions. */
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_easy_font.h>

/* ---- Labels ---- */

#define FONT_UNIT   2 /* pixels per unit of the font, whose lines have 12 units */
#define QUADS_BYTES 65536

typedef struct Corner {
    float x, y, z;
    unsigned char colour[4];
} Corner;

/* How wide a line of ASCII is, in pixels. */
static uint32_t labelWidth(const char *text) {
    return FONT_UNIT * (uint32_t)stb_easy_font_width((char *)text);
}

static void fill(Picture *picture, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    static const uint8_t ink[4] = {24, 28, 36, 255};
    for (uint32_t y = top; y < bottom && y < picture->height; y++) {
        for (uint32_t x = left; x < right && x < picture->width; x++) {
            memcpy(&picture->pixels[4 * ((size_t)y * picture->width + x)], ink, sizeof ink);
        }
    }
}

/* Writes the text in dark letters, clipped to the picture; its upper left corner is at x and y. The letters are
 * rectangles of four corners; the first and the third are opposite. */
static void labelDraw(Picture *picture, uint32_t x, uint32_t y, const char *text) {
    static Corner corners[QUADS_BYTES / sizeof(Corner)];
    int count = stb_easy_font_print(0, 0, (char *)text, NULL, corners, sizeof corners);
    for (int i = 0; i < count; i++) {
        const Corner *low = &corners[4 * i], *high = &corners[4 * i + 2];
        fill(picture, x + FONT_UNIT * (uint32_t)low->x, y + FONT_UNIT * (uint32_t)low->y,
             x + FONT_UNIT * (uint32_t)high->x, y + FONT_UNIT * (uint32_t)high->y);
    }
}

/* ---- The picture ---- */

/* A cell of the picture, in pixels and in the tubes' unit. */
#define CELL_PIXELS_ACROSS 240u
#define CELL_PIXELS_DOWN   216u
#define HEAD_PIXELS        64u
#define UNIT_PIXELS        41.0f
#define MARGIN_PIXELS      10u

#define DISTANCE 120.0f /* distance of the camera: from far away all tubes are seen from the same side */

static const float SUN[3] = {-0.5f, 0.9f, 0.8f};
static const float DEGREE = 3.14159265f / 180.0f;

/* The corner of a bend points upwards; a straight tube lies. */
static VkskinAffine placeOf(const TubePose *pose, uint32_t column, uint32_t row) {
    float angle = (90.0f - 0.5f * (float)pose->bend) * DEGREE;
    VkskinAffine place = vkskinIdentityAffine();
    place.m[0][0] = place.m[1][1] = cosf(angle);
    place.m[1][0] = sinf(angle);
    place.m[0][1] = -place.m[1][0];
    place.m[0][3] = ((float)column + 0.5f) * CELL_PIXELS_ACROSS / UNIT_PIXELS;
    place.m[1][3] = -((float)row + 0.5f) * CELL_PIXELS_DOWN / UNIT_PIXELS + (pose->bend > 0.0 ? 0.6f : -0.3f);
    return place;
}

static void placeCharacters(const Study *study) {
    Population *population = study->scene->population;
    population->bounds = boundsEmpty();
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        for (uint32_t pose = 0; pose < study->poseCount; pose++) {
            const Bounds tube = {{-3, -3, -3}, {3, 3, 3}};
            Character *character = studyCharacter(study, pose, method);
            character->place = placeOf(&study->poses[pose], method, pose);
            for (int i = 0; i < 3; i++) {
                character->tint[i] = 1.0f;
            }
            Bounds placed = boundsTransform(&tube, &character->place);
            boundsAdd(&population->bounds, &placed);
        }
    }
}

/* Looks at the cells, a little from above, with the head's pixels above them. In front of a plain colour: the ground would
 * hide the upper tubes. */
static DrawScene viewOf(uint32_t width, uint32_t height) {
    DrawScene view = {.groundUnit = 1.0f, .plain = true, .background = {0.509f, 0.565f, 0.604f, 1.0f}};
    Camera *camera = &view.camera;
    memcpy(view.sunDirection, SUN, sizeof SUN);
    camera->target[0] = 0.5f * (float)width / UNIT_PIXELS;
    camera->target[1] = -(0.5f * (float)height - HEAD_PIXELS) / UNIT_PIXELS;
    memcpy(camera->eye, camera->target, sizeof camera->eye);
    camera->eye[1] += 0.12f * DISTANCE;
    camera->eye[2] = DISTANCE;
    camera->fieldOfView = 2.0f * atanf(0.5f * (float)height / UNIT_PIXELS / DISTANCE);
    camera->nearPlane = 0.5f * DISTANCE;
    camera->farPlane = 2.0f * DISTANCE;
    return view;
}

/* Breaks the text into lines at spaces. */
static void breakLines(char *text, uint32_t width) {
    char *line = text;
    for (char *space = strchr(text, ' '); space; space = strchr(space + 1, ' ')) {
        char *next = strchr(space + 1, ' ');
        if (next) {
            *next = '\0';
        }
        bool tooWide = labelWidth(line) > width;
        if (next) {
            *next = ' ';
        }
        if (tooWide) {
            *space = '\n';
            line = space + 1;
        }
    }
}

static void labelCells(Picture *picture, const Study *study) {
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        char name[64];
        snprintf(name, sizeof name, "%s", studyMethods[method].name);
        breakLines(name, CELL_PIXELS_ACROSS - 2 * MARGIN_PIXELS);
        uint32_t middle = method * CELL_PIXELS_ACROSS + CELL_PIXELS_ACROSS / 2;
        labelDraw(picture, middle - labelWidth(name) / 2, MARGIN_PIXELS, name);
    }
    for (uint32_t pose = 0; pose < study->poseCount; pose++) {
        labelDraw(picture, MARGIN_PIXELS, HEAD_PIXELS + pose * CELL_PIXELS_DOWN, study->poses[pose].name);
    }
}

static bool writePicture(const Picture *picture, const char *path, EngineError *error) {
    FILE *file = fopen(path, "wb");
    bool encoded = file && pngWrite(picture->width, picture->height, picture->pixels, NULL, file);
    bool kept = file && !ferror(file);
    bool closed = file && fclose(file) == 0;
    return (encoded && kept && closed) || engineFail(error, "%.300s: cannot be written", path);
}

bool chartWrite(Study *study, const char *path, EngineError *error) {
    uint32_t width = STUDY_METHODS * CELL_PIXELS_ACROSS, height = HEAD_PIXELS + study->poseCount * CELL_PIXELS_DOWN;
    DrawScene view = viewOf(width, height);
    RunDef run = {.frames = 1, .width = width, .height = height};
    RunResult result;
    Picture picture;
    placeCharacters(study);
    if (!populationRun(study->scene, &view, &run, &result, &picture, error)) {
        return false;
    }
    labelCells(&picture, study);
    bool written = writePicture(&picture, path, error);
    pictureFree(&picture);
    return written;
}
