/*
 * Compares the command's pictures with stored pictures, for both backends. The bound on the peak signal-to-noise ratio
 * holds on two software drivers. A scene at another moment, with another seed or another method must miss the bound. To
 * store a picture again, run the command of its case on lavapipe, look at the result and put it into stored/.
 */

#include "picture_file.h"
#include "run_command.h"
#include "test.h"

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
    const char *others[16]; /* of a scene that must look different */
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
};

/* Runs the command with this backend and validation. Returns its picture. */
static PictureFile draw(const char *const *arguments, const char *backend, const char *path) {
    const char *all[24];
    size_t count = 0;
    for (; arguments[count] != NULL; count++) {
        all[count] = arguments[count];
    }
    all[count++] = "--validate";
    all[count++] = "--backend";
    all[count++] = backend;
    all[count++] = "-o";
    all[count++] = path;
    bool reports = strcmp(arguments[0], "crowd") == 0;
    if (reports) {
        all[count++] = "--json=-";
    }
    all[count] = NULL;
    CommandRun run = runCommand(all);
    if (run.status != 0) {
        fail_msg("status %d: %s", run.status, run.errors);
    }
    const char *reported = reports ? strstr(run.output, "\"backend\":") : NULL;
    assert_true(!reports ||
                (reported && strncmp(reported + 10 + strspn(reported + 10, " \t\""), backend, strlen(backend)) == 0));
    commandRunFree(&run);
    PictureFile picture = pictureRead(path);
    assert_non_null(picture.pixels);
    return picture;
}

static void expectAlike(const PictureFile *stored, const PictureCase *tested, const char *backend, const char *path) {
    PictureFile same = draw(tested->arguments, backend, path);
    double likeness = pictureLikeness(stored, &same);
    print_message("%s, %s: %.1f dB\n", tested->stored, backend, likeness);
    assert_true(likeness >= ALIKE);
    pictureFree(&same);
}

TEST(drawnAsStored) {
    char folder[64], path[160];
    makeFolder(folder);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        snprintf(path, sizeof path, "%s/%s", PICTURES_STORED, cases[i].stored);
        PictureFile stored = pictureRead(path);
        if (stored.pixels == NULL) {
            fail_msg("%s cannot be read", path);
        }
        snprintf(path, sizeof path, "%s/%s", folder, cases[i].stored);
        expectAlike(&stored, &cases[i], "compute", path);
        expectAlike(&stored, &cases[i], "cpu", path);
        PictureFile other = draw(cases[i].others, "cpu", path);
        assert_true(pictureLikeness(&stored, &other) <= DIFFERENT);
        pictureFree(&stored);
        pictureFree(&other);
    }
    removeFolder(folder);
}
