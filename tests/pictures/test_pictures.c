/*
 * What the command draws, against pictures that were looked at and stored: each must be alike, by a bound on the
 * peak signal-to-noise ratio that two software drivers meet; the same scene at another moment, with another seed or
 * skinned by another method must not be, or the bound would prove nothing. To store anew: run the command of a case on
 * lavapipe, look at the picture, and put it into stored/.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "picture_file.h"
#include "run_command.h"

#define BEAST PICTURES_MODELS "/X/Testwuson.X"
#define HUMAN PICTURES_MODELS "/X/BCN_Epileptic.X"
#define CUBE  PICTURES_MODELS "/MD5/SimpleCube.md5mesh" /* eight vertices with smooth normals */
#define BOX   PICTURES_MODELS "/glTF2/BoxTextured-glTF/BoxTextured.gltf"

#define MORPH PICTURES_MODELS "/glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf"
#define TUBE  PICTURES_OWN_MODELS "/tube.gltf" /* described in its asset.extras */

#define ALIKE     38.0 /* decibels at least, of the same scene on either driver */
#define DIFFERENT 35.0 /* decibels at most, of another moment */

typedef struct PictureCase {
    const char *stored;
    const char *arguments[16];
    const char *others[16]; /* pictures that must differ from it */
} PictureCase;

static const PictureCase cases[] = {
    {"render_beast.png",
     {"render", BEAST, "--clip", "1", "--time", "0.3", "--size", "320x240"},
     {"render", BEAST, "--clip", "1", "--time", "0.6", "--size", "320x240"}},
    {"render_human.png",
     {"render", HUMAN, "--clip", "0", "--time", "1", "--method", "dqs", "--size", "240x320"},
     {"render", HUMAN, "--clip", "0", "--time", "2", "--method", "dqs", "--size", "240x320"}},
    {"render_cube.png", {"render", CUBE, "--size", "160x160"}, {"render", BOX, "--size", "160x160"}},
    {"render_twist.png",
     {"render", TUBE, "--time", "1", "--method", "cor", "--size", "400x300"},
     {"render", TUBE, "--time", "1", "--method", "lbs", "--size", "400x300"}},
    {"render_morph.png",
     {"render", MORPH, "--time", "3", "--size", "120x120"},
     {"render", MORPH, "--time", "1", "--size", "120x120"}},
    {"render_tall.png", {"render", BOX, "--size", "60x240"}, {"render", CUBE, "--size", "60x240"}},
    {"crowd.png",
     {"crowd", BEAST, HUMAN, "--count", "60", "--frames", "1", "--seed", "3", "--size", "480x270"},
     {"crowd", BEAST, HUMAN, "--count", "60", "--frames", "1", "--seed", "4", "--size", "480x270"}},
    /* The same, skinned by the CPU. */
    {"crowd.png",
     {"crowd", BEAST, HUMAN, "--count", "60", "--frames", "1", "--seed", "3", "--size", "480x270", "--backend", "cpu"},
     {"crowd", BEAST, HUMAN, "--count", "60", "--frames", "1", "--seed", "4", "--size", "480x270", "--backend", "cpu"}},
    {"render_twist.png",
     {"render", TUBE, "--time", "1", "--method", "cor", "--size", "400x300", "--backend", "cpu"},
     {"render", TUBE, "--time", "1", "--method", "lbs", "--size", "400x300", "--backend", "cpu"}},
    {"render_morph.png",
     {"render", MORPH, "--time", "3", "--size", "120x120", "--backend", "cpu"},
     {"render", MORPH, "--time", "1", "--size", "120x120", "--backend", "cpu"}},
};

/* Runs the command with validation on; what it drew. */
static PictureFile draw(const char *const *arguments, const char *path) {
    const char *all[20];
    size_t count = 0;
    for (; arguments[count] != NULL; count++) {
        all[count] = arguments[count];
    }
    all[count++] = "--validate";
    all[count++] = "-o";
    all[count++] = path;
    all[count] = NULL;
    CommandRun run = runCommand(all);
    if (run.status != 0) {
        fail_msg("status %d: %s", run.status, run.errors);
    }
    commandRunFree(&run);
    PictureFile picture = pictureRead(path);
    assert_non_null(picture.pixels);
    return picture;
}

static void drawnAsStored(void **state) {
    (void)state;
    char folder[64], path[160];
    makeFolder(folder);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", PICTURES_STORED, cases[i].stored);
        PictureFile stored = pictureRead(path);
        if (stored.pixels == NULL) {
            fail_msg("%s cannot be read", path);
        }
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].stored);
        PictureFile same = draw(cases[i].arguments, path);
        PictureFile other = draw(cases[i].others, path);
        double likeness = pictureLikeness(&stored, &same), difference = pictureLikeness(&stored, &other);
        print_message("%s: %.1f dB; another scene: %.1f dB\n", cases[i].stored, likeness, difference);
        assert_true(likeness >= ALIKE);
        assert_true(difference <= DIFFERENT);
        pictureFree(&stored);
        pictureFree(&same);
        pictureFree(&other);
    }
    removeFolder(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(drawnAsStored)};
    return cmocka_run_group_tests_name("pictures", tests, NULL, NULL);
}
