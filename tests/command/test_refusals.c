/*
 * test_refusals.c: bad input that reaches the program: one clear line, a status that is not zero, no file left behind.
 * Nothing here needs a Vulkan device.
 */
#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

#include "place.h"
#include "run_command.h"
#include "test.h"

#define STILL  VKSKIN_FIXTURES "/still.gltf"
#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"

/* What is said about a model must be the same whichever verb reads it, and bake must leave nothing. */
static void expectBadModel(const Place *place, const char *path, const char *why) {
    char line[512];
    snprintf(line, sizeof line, "vkskin info: %s: %s", path, why);
    expectRefusal(RUN("info", path), 1, line);
    snprintf(line, sizeof line, "vkskin bake: %s: %s", path, why);
    expectRefusal(RUN("bake", path, "-o", place->obj), 1, line);
    snprintf(line, sizeof line, "vkskin crowd: %s: %s", path, why);
    expectRefusal(RUN("crowd", STILL, path, "--count", "2", "-o", place->picture), 1, line);
    assert_int_equal(countEntries(place->folder), 0);
}

/* A model file of this name and text. */
static const char *writeInput(Place *place, const char *name, const char *text) {
    snprintf(place->input, sizeof place->input, "%s/%s", place->inputs, name);
    writeWhole(place->input, text);
    return place->input;
}

AT_PLACE(missingModel) {
    expectBadModel(*state, "/nowhere/model.x", "No such file or directory");
}

AT_PLACE(folderAsModel) {
    Place *place = *state;
    expectBadModel(place, place->inputs, "not a file");
}

AT_PLACE(emptyModel) {
    Place *place = *state;
    expectBadModel(place, writeInput(place, "empty.x", ""), "the file is empty");
}

AT_PLACE(unknownKind) {
    Place *place = *state;
    expectBadModel(place, writeInput(place, "notes.txt", "hello"),
                   "unknown kind of file; known: .x, .fbx, .dae, .md5mesh, .gltf, .glb");
}

AT_PLACE(noMeshes) {
    Place *place = *state;
    expectBadModel(place, writeInput(place, "bare.gltf", "{\"asset\":{\"version\":\"2.0\"}}"), "no meshes");
}

/* The parser words what is wrong: here only that it is one line which names the file. */
static void expectParserLine(const Place *place, const char *path) {
    char beginning[256];
    CommandRun run = RUN("bake", path, "-o", place->obj);
    snprintf(beginning, sizeof beginning, "vkskin bake: %s: ", path);
    assert_true(strncmp(run.errors, beginning, strlen(beginning)) == 0);
    assert_true(strlen(run.errors) > strlen(beginning) + 1);
    assert_ptr_equal(strchr(run.errors, '\n'), run.errors + strlen(run.errors) - 1);
    assert_string_equal(run.output, "");
    assert_int_equal(run.status, 1);
    assert_int_equal(countEntries(place->folder), 0);
    commandRunFree(&run);
}

AT_PLACE(notAModel) {
    Place *place = *state;
    expectParserLine(place, writeInput(place, "words.x", "these are words and no frames"));
    expectParserLine(place, writeInput(place, "words.gltf", "these are words and no JSON"));
    expectParserLine(place, writeInput(place, "words.glb", "these are words and no chunks"));
}

AT_PLACE(truncatedModel) {
    Place *place = *state;
    size_t size;
    char *text = readWhole(VKSKIN_MODELS "/X/Testwuson.X", &size);
    text[size / 2] = '\0';
    expectParserLine(place, writeInput(place, "half.x", text));
    free(text);
    text = readWhole(SIGNAL, &size);
    text[size / 2] = '\0';
    expectParserLine(place, writeInput(place, "half.gltf", text));
    free(text);
}

AT_PLACE(bonesWithoutFrames) {
    expectParserLine(*state, VKSKIN_MODELS "/X/anim_test.x");
}

/* A line feed in a file's name must not make two lines of the message. */
AT_PLACE(namesBreakNoLine) {
    Place *place = *state;
    char line[256];
    const char *path = writeInput(place, "two\nlines.x", "");
    snprintf(line, sizeof line, "vkskin info: %s/two lines.x: the file is empty", place->inputs);
    expectRefusal(RUN("info", path), 1, line);
}

AT_PLACE(missingClips) {
    Place *place = *state;
    expectRefusal(RUN("bake", STILL, "--clip", "0", "-o", place->obj), 1,
                  "vkskin bake: " STILL ": no clip '0': the model has no clips");
    expectRefusal(RUN("bake", SIGNAL, "--clip", "2", "-o", place->obj), 1,
                  "vkskin bake: " SIGNAL ": no clip 2; the model has 2, numbered from 0");
    expectRefusal(RUN("bake", SIGNAL, "--clip", "-1", "-o", place->obj), 1,
                  "vkskin bake: " SIGNAL ": no clip -1; the model has 2, numbered from 0");
    expectRefusal(RUN("bake", SIGNAL, "--clip", "wvae", "-o", place->obj), 1,
                  "vkskin bake: " SIGNAL ": no clip 'wvae'; did you mean 'wave'?");
    expectRefusal(RUN("bake", SIGNAL, "--clip", "something", "-o", place->obj), 1,
                  "vkskin bake: " SIGNAL ": no clip 'something'; 'vkskin info' lists them");
    expectRefusal(RUN("render", SIGNAL, "--clip=99999999999999999999", "-o", "/tmp/never.png"), 1,
                  "vkskin render: " SIGNAL ": no clip 99999999999999999999; the model has 2, numbered from 0");
    assert_int_equal(countEntries(place->folder), 0);
}

AT_PLACE(missingFolder) {
    Place *place = *state;
    char path[128], line[512];
    snprintf(path, sizeof path, "%s/none/out.obj", place->folder);
    snprintf(line, sizeof line, "vkskin bake: %s: cannot be written: no folder '%s/none'", path, place->folder);
    expectRefusal(RUN("bake", STILL, "-o", path), 1, line);
    snprintf(path, sizeof path, "%s/none/out.png", place->folder);
    snprintf(line, sizeof line, "vkskin crowd: %s: cannot be written: no folder '%s/none'", path, place->folder);
    expectRefusal(RUN("crowd", STILL, "-o", path), 1, line);
    snprintf(line, sizeof line, "vkskin render: %s: cannot be written: no folder '%s/none'", path, place->folder);
    expectRefusal(RUN("render", STILL, "-o", path), 1, line);
    snprintf(path, sizeof path, "%s/none/out.json", place->folder);
    snprintf(line, sizeof line, "vkskin crowd: %s: cannot be written: no folder '%s/none'", path, place->folder);
    expectRefusal(RUN("crowd", STILL, "--json", path), 1, line);
    assert_int_equal(countEntries(place->folder), 0);
}

/* An output that is another output or an input, by whatever name, is refused before anything is written. */
AT_PLACE(outputsStandApart) {
    Place *place = *state;
    char other[128], line[512];
    size_t size;
    snprintf(other, sizeof other, "%s/./out.png", place->folder);
    snprintf(line, sizeof line, "vkskin crowd: -o and --json name the same file, '%s'; use two files", place->picture);
    expectRefusal(RUN("crowd", STILL, "-o", place->picture, "--json", place->picture), 2, line);
    snprintf(line, sizeof line, "vkskin crowd: -o and --json name the same file, '%s'; use two files", other);
    expectRefusal(RUN("crowd", STILL, "-o", place->picture, "--json", other), 2, line);
    assert_int_equal(countEntries(place->folder), 0);

    writeWhole(place->obj, "v 0 0 0\n");
    snprintf(line, sizeof line, "vkskin bake: -o would overwrite the input file '%s'", place->obj);
    expectRefusal(RUN("bake", place->obj, "-o", place->obj), 2, line);
    snprintf(other, sizeof other, "%s/linked.obj", place->folder);
    assert_int_equal(link(place->obj, other), 0);
    snprintf(line, sizeof line, "vkskin bake: -o would overwrite the input file '%s'", other);
    expectRefusal(RUN("bake", place->obj, "-o", other), 2, line);
    snprintf(line, sizeof line, "vkskin crowd: --json would overwrite the input file '%s'", other);
    expectRefusal(RUN("crowd", STILL, place->obj, "--json", other), 2, line);
    assert_int_equal(symlink("out.obj", place->picture), 0);
    snprintf(line, sizeof line, "vkskin render: -o would overwrite the input file '%s'", place->picture);
    expectRefusal(RUN("render", place->obj, "-o", place->picture), 2, line);
    snprintf(line, sizeof line, "vkskin view: --screenshot would overwrite the input file '%s'", place->picture);
    expectRefusal(RUN("view", place->obj, "--screenshot", place->picture), 2, line);
    char *text = readWhole(place->obj, &size);
    assert_string_equal(text, "v 0 0 0\n");
    free(text);
}

AT_PLACE(noDevice) {
    Place *place = *state;
    CommandRun run;
    setenv("VK_DRIVER_FILES", "/nonexistent", 1);
    setenv("VK_ICD_FILENAMES", "/nonexistent", 1);
    expectRefusal(RUN("devices"), 1, "vkskin devices: no Vulkan device: the loader found no driver that works");
    expectRefusal(RUN("bake", STILL, "-o", place->obj), 1,
                  "vkskin bake: no Vulkan device: the loader found no driver that works");
    expectRefusal(RUN("render", STILL, "-o", place->picture), 1,
                  "vkskin render: no Vulkan device: the loader found no driver that works");
    expectRefusal(RUN("crowd", STILL, "-o", place->picture), 1,
                  "vkskin crowd: no Vulkan device: the loader found no driver that works");
    assert_int_equal(countEntries(place->folder), 0);
    run = RUN("info", STILL);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

/* Standard output that cannot take what is said is a failure too. */
TEST(fullStandardOutput) {
    int status;
    int ends[2];
    char text[256] = "";
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (!freopen("/dev/full", "w", stdout) || dup2(ends[1], STDERR_FILENO) < 0) {
            _exit(126);
        }
        execl(VKSKIN_COMMAND_PATH, "vkskin", "--help", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_string_equal(text, "vkskin: standard output cannot be written: No space left on device\n");
}
