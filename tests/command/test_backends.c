/*
 * test_backends.c: --backend and --tuning: what skins, and how kernels are laid out; what the table and the JSON say of
 * it, and that neither changes what comes out.
 */
#include <math.h>
#include <sys/stat.h>

#include <cjson/cJSON.h>

#include "baked.h"
#include "place.h"
#include "run_command.h"
#include "test.h"

#define SIGNAL VKSKIN_FIXTURES "/signal.gltf"
#define STILL  VKSKIN_FIXTURES "/still.gltf"

/* Of a run that must be silent on standard error; the table, to be freed. */
static char *outputOf(CommandRun run) {
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    free(run.errors);
    return run.output;
}

static cJSON *readJson(const char *path) {
    char *text = readWhole(path, NULL);
    cJSON *object = cJSON_Parse(text);
    free(text);
    assert_non_null(object);
    return object;
}

static const cJSON *member(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item) {
        fail_msg("the JSON has no '%s'", name);
    }
    return item;
}

static bool has(const cJSON *object, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(object, name) != NULL;
}

/* ---- What skins ---- */

typedef struct Drawn {
    char *table, *picture;
    size_t pictureSize;
    cJSON *json;
} Drawn;

static Drawn drawCrowd(const Place *place, const char *backend) {
    Drawn drawn;
    drawn.table = outputOf(RUN("crowd", SIGNAL, STILL, "--count=20", "--frames=2", "--size=160x120", "--validate",
                               "--backend", backend, "--json", place->json, "-o", place->picture));
    drawn.picture = readWhole(place->picture, &drawn.pictureSize);
    drawn.json = readJson(place->json);
    return drawn;
}

static void drawnFree(Drawn *drawn) {
    free(drawn->table);
    free(drawn->picture);
    cJSON_Delete(drawn->json);
}

static void expectKernels(const Drawn *drawn) {
    const cJSON *json = drawn->json;
    assert_non_null(strstr(drawn->table, "\nbackend       compute\nkernels       "));
    assert_null(strstr(drawn->table, "\nthreads "));
    assert_string_equal(member(json, "backend")->valuestring, "compute");
    assert_string_equal(member(json, "skinningClock")->valuestring, member(json, "clock")->valuestring);
    assert_true(member(json, "instancesPerThread")->valuedouble >= 1);
    assert_true(member(json, "workgroupSize")->valuedouble >= 32);
    assert_true(strlen(member(json, "paletteBinding")->valuestring) > 0);
    assert_true(member(json, "dispatches")->valuedouble >= 1);
    assert_false(has(json, "threads"));
}

/* Where the CPU skins, the call that records is what takes the time. */
static void expectCpu(const Drawn *drawn) {
    const cJSON *json = drawn->json, *skinning = member(json, "skinning");
    assert_non_null(strstr(drawn->table, "\nbackend       cpu\nthreads  "));
    assert_non_null(strstr(drawn->table, "\nclock         wall clock; draw: around a fence\n"));
    assert_null(strstr(drawn->table, "\nkernels "));
    assert_string_equal(member(json, "backend")->valuestring, "cpu");
    assert_string_equal(member(json, "skinningClock")->valuestring, "host");
    assert_true(member(json, "threads")->valuedouble >= 1);
    assert_true(member(json, "dispatches")->valuedouble == 0.0);
    assert_true(member(skinning, "samples")->valuedouble == 2.0);
    assert_true(member(skinning, "medianMilliseconds")->valuedouble > 0.0);
    assert_true(member(json, "verticesPerSecond")->valuedouble > 0.0);
    assert_false(has(json, "workgroupSize"));
}

/* Both drivers are CPUs, which is what auto looks at. */
AT_PLACE(crowdsAreDrawnAlike) {
    Place *place = *state;
    static const char *const SAME[] = {"instances", "vertices", "bones", "paletteBytes", "outputBytes", "drawCalls"};
    Drawn kernels = drawCrowd(place, "compute"), cpu = drawCrowd(place, "cpu"), automatic = drawCrowd(place, "auto");
    expectKernels(&kernels);
    expectCpu(&cpu);
    expectCpu(&automatic);
    for (size_t i = 0; i < COUNT_OF(SAME); i++) {
        assert_true(member(kernels.json, SAME[i])->valuedouble == member(cpu.json, SAME[i])->valuedouble);
    }
    assert_int_equal(cpu.pictureSize, automatic.pictureSize);
    assert_memory_equal(cpu.picture, automatic.picture, cpu.pictureSize);
    drawnFree(&kernels);
    drawnFree(&cpu);
    drawnFree(&automatic);
}

static void bake(const Place *place, const char *method, const char *backend, Baked *baked) {
    free(outputOf(RUN("bake", SIGNAL, "--clip=wave", "--time=0.4", "--method", method, "--backend", backend,
                      "--validate", "-o", place->obj)));
    bakedReadObj(place->obj, baked);
}

AT_PLACE(bakedVerticesAgree) {
    static const char *const METHODS[] = {"lbs", "dqs-scaled", "cor"};
    Place *place = *state;
    for (size_t m = 0; m < COUNT_OF(METHODS); m++) {
        Baked kernels, cpu;
        bake(place, METHODS[m], "compute", &kernels);
        bake(place, METHODS[m], "cpu", &cpu);
        assert_int_equal(kernels.vertexCount, cpu.vertexCount);
        assert_true(cpu.vertexCount > 0);
        for (int i = 0; i < cpu.vertexCount; i++) {
            for (int k = 0; k < 3; k++) {
                assert_true(fabsf(kernels.positions[i][k] - cpu.positions[i][k]) <= 2e-5f);
                assert_true(fabsf(kernels.normals[i][k] - cpu.normals[i][k]) <= 2e-5f);
            }
        }
    }
}

AT_PLACE(singlesAreRendered) {
    Place *place = *state;
    struct stat info;
    free(outputOf(RUN("render", SIGNAL, "--clip=wave", "--time=0.4", "--backend=cpu", "--validate", "--size=64x48",
                      "-o", place->picture)));
    assert_int_equal(stat(place->picture, &info), 0);
    assert_true(info.st_size > 0);
}

AT_PLACE(wrongChoicesAreRefused) {
    expectRefusal(RUN("crowd", SIGNAL, "--backend=gpu"), 2,
                  "vkskin crowd: --backend takes compute, cpu or auto, not 'gpu'; did you mean 'cpu'?");
    expectRefusal(RUN("bake", SIGNAL, "--backend", "xyzzy", "-o", "x.obj"), 2,
                  "vkskin bake: --backend takes compute, cpu or auto, not 'xyzzy'");
    expectRefusal(RUN("crowd", SIGNAL, "--backend=cpu", "--tuning=x"), 2,
                  "vkskin crowd: --tuning sets the kernels of '--backend compute'; the backend is 'cpu'");
    expectRefusal(RUN("crowd", SIGNAL, "--tuning", SIGNAL), 2,
                  "vkskin crowd: --tuning would overwrite the input file '" SIGNAL "'");
}

/* ---- How kernels are laid out ---- */

static CommandRun runTuned(const Place *place, const char *backend) {
    return RUN("crowd", SIGNAL, "--count=3", "--frames=1", "--size=16x16", "--backend", backend, "--tuning",
               place->text, "--json", place->json);
}

static double settingOf(const char *text, const char *name) {
    const char *line = strstr(text, name);
    assert_non_null(line);
    return atof(line + strlen(name));
}

/* What kernels had is what the file says. */
static void expectSettings(const Place *place, const char *tuning) {
    cJSON *json = readJson(place->json);
    assert_true(member(json, "instancesPerThread")->valuedouble == settingOf(tuning, "\ninstancesPerThread "));
    assert_true(member(json, "workgroupSize")->valuedouble == settingOf(tuning, "\nworkgroupSize "));
    assert_string_equal(member(json, "paletteBinding")->valuestring,
                        settingOf(tuning, "\npaletteBinding ") > 1.5 ? "texels" : "storage");
    cJSON_Delete(json);
}

/* Writes the file anew with another number in its last line. */
static void setWorkgroup(const Place *place, const char *tuning, const char *size) {
    static const char LAST[] = "\nworkgroupSize ";
    char changed[600];
    const char *last = strstr(tuning, LAST);
    assert_non_null(last);
    snprintf(changed, sizeof changed, "%.*s%s%s\n", (int)(last - tuning), tuning, LAST, size);
    writeWhole(place->text, changed);
}

static const char FOREIGN[] = "vkskin tuning 1\n"
                              "library 1\n"
                              "vendor 2\n"
                              "device 3\n"
                              "driver 4\n"
                              "cache 00112233445566778899aabbccddeeff\n"
                              "paletteBinding 1\n"
                              "instancesPerThread 7\n"
                              "workgroupSize 96\n";

/* A tuning of another device is reported and replaced. The new one is then accepted. */
AT_PLACE(tuningIsReplacedThenKept) {
    Place *place = *state;
    char line[300];
    writeWhole(place->text, FOREIGN);
    CommandRun run = runTuned(place, "compute");
    snprintf(line, sizeof line,
             "vkskin crowd: warning: %s: from another device, driver or version, or out of range "
             "(VKSKIN_ERROR_TUNING_MISMATCH): tuning again\n",
             place->text);
    assert_string_equal(run.errors, line);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    char *found = readWhole(place->text, NULL);
    assert_null(strstr(found, "\nvendor 2\n"));
    assert_null(strstr(found, "\nworkgroupSize 96\n"));
    expectSettings(place, found);
    assert_int_equal(countEntries(place->folder), 2);

    /* By hand, to what no tuning finds. */
    setWorkgroup(place, found, "96");
    free(outputOf(runTuned(place, "compute")));
    char *kept = readWhole(place->text, NULL);
    assert_non_null(strstr(kept, "\nworkgroupSize 96\n"));
    expectSettings(place, kept);
    free(found);
    free(kept);
}

/* The CPU has no kernels: the file is neither read nor written. */
AT_PLACE(tuningIsNotOfTheCpu) {
    Place *place = *state;
    char line[300];
    CommandRun run = runTuned(place, "auto");
    snprintf(line, sizeof line,
             "vkskin crowd: warning: %s: not used: this device is a CPU, so the CPU backend skins without kernels\n",
             place->text);
    assert_string_equal(run.errors, line);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
    assert_int_equal(countEntries(place->folder), 1);
}

AT_PLACE(unreadableTuningIsRefused) {
    Place *place = *state;
    char line[256];
    snprintf(line, sizeof line, "vkskin crowd: %s: cannot be read: Is a directory", place->folder);
    expectRefusal(RUN("crowd", SIGNAL, "--backend=compute", "--tuning", place->folder), 1, line);
    expectRefusal(RUN("crowd", SIGNAL, "--backend=compute", "--tuning", "/no/such/folder/t"), 1,
                  "vkskin crowd: /no/such/folder/t: cannot be written: no folder '/no/such/folder'");
}
