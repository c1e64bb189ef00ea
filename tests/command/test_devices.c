/*
 * test_devices.c: which devices there are, and that --device takes one of them or says why not.
 */

#include <cjson/cJSON.h>

#include "run_command.h"
#include "test.h"

#define STILL VKSKIN_FIXTURES "/still.gltf"

typedef struct Place {
    char folder[64];
    char output[96];
    char name[256]; /* of device 0, as `vkskin devices` prints it */
} Place;

/* The first line after the head is "    0  NAME  TYPE ...", columns at least two blanks apart. */
static void readName(char *name, size_t size) {
    CommandRun run = RUN("devices");
    assert_int_equal(run.status, 0);
    assert_string_equal(run.errors, "");
    const char *head = "index  name";
    assert_true(strncmp(run.output, head, strlen(head)) == 0);
    const char *line = strchr(run.output, '\n') + 1;
    assert_true(strncmp(line, "    0  ", 7) == 0);
    const char *end = strstr(line + 7, "  ");
    assert_non_null(end);
    snprintf(name, size, "%.*s", (int)(end - line - 7), line + 7);
    commandRunFree(&run);
}

static int enterPlace(void **state) {
    static Place place;
    makeFolder(place.folder);
    snprintf(place.output, sizeof place.output, "%s/out.obj", place.folder);
    readName(place.name, sizeof place.name);
    *state = &place;
    return 0;
}

static int leavePlace(void **state) {
    Place *place = *state;
    if (place) { /* null where enterPlace failed */
        removeFolder(place->folder);
    }
    return 0;
}

TEST(listTellsTypeAndVersion) {
    CommandRun run = RUN("devices");
    assert_non_null(strstr(run.output, "  CPU         1.3."));
    commandRunFree(&run);
}

static void expectTaken(const Place *place, const char *device) {
    CommandRun run = RUN("bake", STILL, "--device", device, "--validate", "-o", place->output);
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    assert_int_equal(countEntries(place->folder), 1);
    remove(place->output);
    commandRunFree(&run);
}

TEST(indexAndNameAreTaken) {
    Place *place = *state;
    char part[8];
    expectTaken(place, "0");
    expectTaken(place, place->name);
    snprintf(part, sizeof part, "%.5s", place->name);
    part[0] = (char)(part[0] ^ 0x20); /* in the other case */
    expectTaken(place, part);
}

TEST(wrongOnesAreNamed) {
    Place *place = *state;
    char line[512];
    expectRefusal(RUN("bake", STILL, "--device", "99", "-o", place->output), 1,
                  "vkskin bake: there is no Vulkan device 99: there is 1, counted from 0");
    expectRefusal(RUN("bake", STILL, "--device", "-1", "-o", place->output), 1,
                  "vkskin bake: there is no Vulkan device -1: there is 1, counted from 0");
    snprintf(line, sizeof line, "vkskin bake: no Vulkan device has 'Voodoo' in its name; there is 0 '%s'", place->name);
    expectRefusal(RUN("bake", STILL, "--device", "Voodoo", "-o", place->output), 1, line);
    assert_int_equal(countEntries(place->folder), 0);
}

/* The device that a crowd ran on, from its JSON; the caller frees it. */
static char *deviceOfCrowd(const char *device) {
    CommandRun run = RUN("crowd", STILL, "--count=1", "--frames=1", "--size=16x16", "--json=-", "--device", device,
                         "--backend=compute");
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    cJSON *object = cJSON_Parse(run.output);
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, "device");
    assert_true(cJSON_IsString(item));
    char *name = strdup(item->valuestring);
    assert_non_null(name);
    cJSON_Delete(object);
    commandRunFree(&run);
    return name;
}

/* With both drivers at once each can be had by its name, in whatever order the loader lists them. */
TEST(twoDriversCanBeToldApart) {
    static const char BOTH[] = VKSKIN_LAVAPIPE_ICD ":" VKSKIN_SWIFTSHADER_ICD;
    setenv("VK_DRIVER_FILES", BOTH, 1);
    setenv("VK_ICD_FILENAMES", BOTH, 1);
    CommandRun run = RUN("devices");
    assert_non_null(strstr(run.output, "\n    1  "));
    assert_non_null(strstr(run.output, "  llvmpipe (LLVM"));
    assert_non_null(strstr(run.output, "  SwiftShader Device"));
    commandRunFree(&run);
    run = RUN("bake", STILL, "--device", "Voodoo", "-o", "/tmp/never.obj");
    assert_non_null(strstr(run.errors, "; there are 0 '"));
    assert_non_null(strstr(run.errors, ", 1 '"));
    assert_non_null(strstr(run.errors, "'llvmpipe (LLVM"));
    assert_non_null(strstr(run.errors, "'SwiftShader Device"));
    commandRunFree(&run);
    const char *const names[] = {"llvmpipe", "swiftshader"};
    for (int i = 0; i < 2; i++) {
        char *device = deviceOfCrowd(names[i]);
        assert_non_null(strcasestr(device, names[i]));
        free(device);
    }
}

int main(void) {
    return testRunGroup("devices", NULL, enterPlace, leavePlace);
}
