/*
 * test_pictures.c: vkskin render and vkskin crowd as a user runs them: the picture's file, the table, the JSON, and
 * silence where standard error is a pipe.
 */
#include <sys/stat.h>
#include <unistd.h>

#include <cjson/cJSON.h>

#include "place.h"
#include "run_command.h"
#include "test.h"

#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"
#define STILL  VKSKIN_FIXTURES "/still.gltf"

static void expectSilentSuccess(const CommandRun *run) {
    assert_string_equal(run->errors, "");
    assert_int_equal(run->status, 0);
}

static uint32_t bigEndian(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* A whole PNG file of this size: signature, IHDR first, IEND last. */
static void expectPng(const char *path, uint32_t width, uint32_t height) {
    size_t size;
    char *bytes = readWhole(path, &size);
    assert_true(size > 45);
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(bytes + 12, "IHDR", 4);
    assert_int_equal(bigEndian(bytes + 16), width);
    assert_int_equal(bigEndian(bytes + 20), height);
    assert_memory_equal(bytes + size - 8, "IEND", 4);
    free(bytes);
}

static const cJSON *member(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        fail_msg("the JSON has no '%s'", name);
    }
    return item;
}

static void expectNumber(const cJSON *object, const char *name, double expected) {
    const cJSON *item = member(object, name);
    assert_true(cJSON_IsNumber(item));
    assert_true(item->valuedouble == expected);
}

/* 3 characters of one model of three parts, 7 + 3 vertices (one mesh is placed twice), 2 + 1 + 1 bones. */
static void expectSignalReport(const cJSON *object) {
    expectNumber(object, "characters", 3);
    expectNumber(object, "instances", 9);
    expectNumber(object, "vertices", 30);
    expectNumber(object, "bones", 12);
    expectNumber(object, "frames", 2);
    expectNumber(object, "width", 64);
    expectNumber(object, "height", 48);
    expectNumber(object, "seed", 5);
    expectNumber(object, "paletteBytes", 12 * 48);
    const bool cpu = strcmp(commandBackend, "cpu") == 0;
    assert_true(cpu ? member(object, "dispatches")->valuedouble == 0 : member(object, "dispatches")->valuedouble >= 1);
    assert_string_equal(member(object, "backend")->valuestring, commandBackend);
    assert_string_equal(member(object, "method")->valuestring, "lbs");
    assert_true(strlen(member(object, "device")->valuestring) > 0);
    const char *driver = getenv("VKSKIN_TEST_DRIVER");
    const char *clock = member(object, "clock")->valuestring;
    /* The timestamps of lavapipe cannot be trusted. Where the CPU skins and draws, the wall clock times both. */
    assert_string_equal(clock, cpu || (driver && strcmp(driver, "lavapipe") == 0) ? "wall" : "timestamps");
    const char *const steps[] = {"pose", "upload", "skinning", "draw"};
    for (int i = 0; i < 4; i++) {
        /* Nothing is uploaded: palettes are written in place. */
        expectNumber(member(object, steps[i]), "samples", strcmp(steps[i], "upload") == 0 ? 0 : 2);
        assert_true(member(member(object, steps[i]), "medianMilliseconds")->valuedouble >= 0.0);
    }
    assert_true(member(member(object, "draw"), "medianMilliseconds")->valuedouble > 0.0);
    assert_string_equal(cJSON_GetArrayItem(member(object, "models"), 0)->valuestring, SIGNAL);
}

AT_PLACE(crowdWritesPictureTableAndJson) {
    Place *place = *state;
    CommandRun run = RUN("crowd", SIGNAL, "--count", "3", "--frames", "2", "--seed", "5", "--size", "64x48",
                         "--validate", "--json", place->json, "-o", place->picture);
    expectSilentSuccess(&run);
    expectPng(place->picture, 64, 48);
    assert_int_equal(countEntries(place->folder), 2);
    const char *const rows[] = {
        "device        ", "\ndriver        ", commandBackend, "\nclock         ", "\ncharacters                  3\n",
        "\nskinning ",    "\nvertices/s "};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        assert_non_null(strstr(run.output, rows[i]));
    }
    char *text = readWhole(place->json, NULL);
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    expectSignalReport(object);
    cJSON_Delete(object);
    free(text);
    commandRunFree(&run);
}

AT_PLACE(jsonReplacesTheTable) {
    Place *place = *state;
    CommandRun run = RUN("crowd", SIGNAL, "--count=3", "--frames=2", "--seed=5", "--size=64x48", "--json", "-");
    expectSilentSuccess(&run);
    cJSON *object = cJSON_Parse(run.output);
    assert_non_null(object);
    expectSignalReport(object);
    cJSON_Delete(object);
    commandRunFree(&run);
    assert_int_equal(countEntries(place->folder), 0);
}

/* The picture of a crowd, to be freed. */
static char *drawCrowd(const Place *place, const char *seed, const char *frames, size_t *size) {
    CommandRun run = RUN("crowd", SIGNAL, STILL, "--count", "20", "--seed", seed, "--frames", frames, "--size",
                         "160x120", "-o", place->picture);
    expectSilentSuccess(&run);
    commandRunFree(&run);
    return readWhole(place->picture, size);
}

AT_PLACE(theSeedDecidesThePicture) {
    Place *place = *state;
    size_t sizes[3];
    char *first = drawCrowd(place, "1", "1", &sizes[0]);
    char *same = drawCrowd(place, "1", "3", &sizes[1]);
    char *other = drawCrowd(place, "2", "1", &sizes[2]);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(first, same, sizes[0]);
    assert_true(sizes[0] != sizes[2] || memcmp(first, other, sizes[0]) != 0);
    free(first);
    free(same);
    free(other);
}

AT_PLACE(renderShowsTheMoment) {
    Place *place = *state;
    char *moments[3];
    size_t sizes[3];
    const char *const times[3] = {"0", "1", "7"};
    for (int i = 0; i < 3; i++) {
        CommandRun run = RUN("render", SIGNAL, "--clip", "wave", "--time", times[i], "--size", "80x60", "--validate",
                             "-o", place->picture);
        expectSilentSuccess(&run);
        assert_string_equal(run.output, "");
        commandRunFree(&run);
        expectPng(place->picture, 80, 60);
        moments[i] = readWhole(place->picture, &sizes[i]);
    }
    assert_true(sizes[0] != sizes[1] || memcmp(moments[0], moments[1], sizes[0]) != 0);
    /* Past the end the last frame holds. */
    assert_int_equal(sizes[1], sizes[2]);
    assert_memory_equal(moments[1], moments[2], sizes[1]);
    for (int i = 0; i < 3; i++) {
        free(moments[i]);
    }
}

/* A full disk, which /dev/full stands for. */
AT_PLACE(fullDiskIsOneLine) {
    Place *place = *state;
    struct stat info;
    assert_int_equal(symlink("/dev/full", place->picture), 0);
    char line[256];
    snprintf(line, sizeof line, "vkskin render: %s: cannot be written: No space left on device", place->picture);
    expectRefusal(RUN("render", STILL, "--size", "16x16", "-o", place->picture), 1, line);
    snprintf(line, sizeof line, "vkskin crowd: %s: cannot be written: No space left on device", place->picture);
    expectRefusal(RUN("crowd", STILL, "--count=1", "--frames=1", "--size=16x16", "-o", place->picture), 1, line);
    assert_int_equal(stat("/dev/full", &info), 0);
    assert_true(S_ISCHR(info.st_mode));
}

int main(void) {
    return runWithBackends();
}
