/* State machines from JSON: what the text says is what plays, and each fault is reported with line and field. */
#include <unistd.h>

#include "machine_json.h"
#include "test.h"

static const char *const clipNames[] = {"Idle", "Walk", "Run", "Jump"};
static const float durations[] = {2, 1, 0.5f, 1};
static const MachineClips clips = {4, clipNames, durations};

static const char good[] = "{\n"
                           "  \"parameters\": {\"speed\": 0, \"jump\": \"trigger\"},\n"
                           "  \"start\": \"move\",\n"
                           "  \"states\": [\n"
                           "    {\"name\": \"stand\", \"clip\": \"Idle\"},\n"
                           "    {\"name\": \"move\", \"speed\": 2, \"blend\": {\"parameter\": \"speed\", \"clips\": [\n"
                           "      {\"clip\": \"Walk\", \"at\": 1},\n"
                           "      {\"clip\": \"Run\", \"at\": 3}]}},\n"
                           "    {\"name\": \"leap\", \"clip\": \"Jump\", \"play\": \"hold\"}\n"
                           "  ],\n"
                           "  \"transitions\": [\n"
                           "    {\"from\": \"any\", \"to\": \"leap\", \"seconds\": 0.5, \"fade\": \"smooth\",\n"
                           "     \"whole\": true, \"when\": [{\"parameter\": \"jump\"}]},\n"
                           "    {\"from\": \"leap\", \"to\": \"stand\", \"exit\": 1,\n"
                           "     \"when\": [{\"parameter\": \"speed\", \"below\": 0.5}]}\n"
                           "  ]\n"
                           "}\n";

TEST(theTextIsPlayed) {
    EngineError error;
    VkskinMachine machine = machineParse(good, "m.json", &clips, &error);
    VkskinMachineRun run;
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    float parameters[2] = {9, 9};
    uint32_t count;
    assert_non_null(machine);
    assert_int_equal(vkskinGetMachineParameterCount(machine), 2);
    assert_int_equal(vkskinStartMachine(machine, &run, parameters), VKSKIN_SUCCESS);
    assert_float_equal(parameters[0], 0, 0);
    assert_string_equal(vkskinGetMachineStateName(machine, run.fades[0].state), "move");
    /* Half walk and half run take 0.75 s, at double speed: a quarter of the phase after 0.09375 s. */
    parameters[0] = 2;
    assert_int_equal(vkskinStepMachine(machine, &run, parameters, 0.09375, samples, &count), VKSKIN_SUCCESS);
    assert_int_equal(count, 2);
    assert_int_equal(samples[0].clip, 1);
    assert_float_equal(samples[0].step.to, 0.25, 1e-6);
    assert_float_equal(samples[1].weight, 0.5, 1e-6);
    /* The jump fades smoothly: 0.15625 after a quarter. It holds its end, and leaves once it has been played. */
    parameters[1] = 1;
    assert_int_equal(vkskinStepMachine(machine, &run, parameters, 0.125, samples, &count), VKSKIN_SUCCESS);
    assert_float_equal(parameters[1], 0, 0);
    assert_int_equal(samples[count - 1].clip, 3);
    assert_float_equal(samples[count - 1].weight, 0.15625, 1e-6);
    assert_true(run.fades[1].whole);
    assert_int_equal(vkskinStepMachine(machine, &run, parameters, 2, samples, &count), VKSKIN_SUCCESS);
    assert_float_equal(samples[0].step.to, 1, 0);
    assert_int_equal(vkskinStepMachine(machine, &run, parameters, 0, samples, &count), VKSKIN_SUCCESS);
    assert_int_equal(samples[0].clip, 3); /* speed is 2 */
    parameters[0] = 0;
    assert_int_equal(vkskinStepMachine(machine, &run, parameters, 0, samples, &count), VKSKIN_SUCCESS);
    assert_int_equal(samples[0].clip, 0);
    vkskinDestroyMachine(machine);
}

TEST(theSmallestMachineHasOneState) {
    EngineError error;
    VkskinMachine machine =
        machineParse("\xef\xbb\xbf{\"states\":[{\"name\":\"a\",\"clip\":\"Run\"}]}", "m.json", &clips, &error);
    assert_non_null(machine);
    vkskinDestroyMachine(machine);
}

/* The good text with the first `find` replaced. */
static void refuse(const char *find, const char *replace, const char *message) {
    char text[2 * sizeof good];
    const char *at = strstr(good, find);
    EngineError error = {.message = "nothing was written"};
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, replace, at + strlen(find));
    VkskinMachine machine = machineParse(text, "m.json", &clips, &error);
    if (machine) {
        vkskinDestroyMachine(machine);
        fail_msg("not refused: %s", message);
    }
    assert_string_equal(error.message, message);
}

TEST(faultsAreReportedWithLineAndField) {
    refuse("\"start\": \"move\",", "\"start\": \"move\"", "m.json:4: no JSON");
    refuse("]\n}\n", "]\n} x\n", "m.json:17: no JSON");
    refuse(good, "[]", "m.json:1: must be an object");
    refuse("\"start\"", "\"begin\"", "m.json:3: begin: unknown field");
    refuse("\"move\",", "\"mve\",", "m.json:3: start: no such state: mve");
    refuse("\"move\",", "7,", "m.json:3: start: must be a text that is not empty");
    refuse("{\"speed\": 0, ", "{\"speed\": true, ",
           "m.json:2: parameters.speed: must be a finite number, or \"trigger\"");
    refuse("\"speed\": 0", "\"speed\": 1e39", "m.json:2: parameters.speed: must be a finite number, or \"trigger\"");
    refuse("\"speed\": 0", "\"jump\": 0", "m.json:2: parameters.jump: given twice");
    refuse("{\"speed\": 0, \"jump\": \"trigger\"}", "3", "m.json:2: parameters: must be an object");
    refuse("\"states\"", "\"transitions\"", "m.json:11: transitions: given twice");
    refuse("\"name\": \"stand\", ", "", "m.json:5: states[0].name: missing");
    refuse("\"stand\"", "\"\"", "m.json:5: states[0].name: must be a text that is not empty");
    refuse("\"clip\": \"Idle\"", "\"clip\": \"idle\"", "m.json:5: states[0].clip: no such clip: idle");
    refuse(", \"clip\": \"Idle\"", "", "m.json:5: states[0]: needs either a clip or a blend");
    refuse("{\"name\": \"stand\", \"clip\": \"Idle\"}", "null", "m.json:5: states[0]: must be an object");
    refuse("\"move\", \"speed\": 2", "\"stand\", \"speed\": 2",
           "m.json:6: states[1].name: another state has this name");
    refuse("\"speed\": 2", "\"speed\": 0", "m.json:6: states[1].speed: must not be 0");
    refuse("\"speed\": 2", "\"speed\": \"2\"", "m.json:6: states[1].speed: must be a finite number");
    refuse("\"parameter\": \"speed\", \"clips\"", "\"parameter\": \"sped\", \"clips\"",
           "m.json:6: states[1].blend.parameter: no such parameter: sped");
    refuse("\"at\": 3", "\"at\": 1", "m.json:8: states[1].blend.clips[1].at: must be above the one before");
    refuse(", \"at\": 3", "", "m.json:8: states[1].blend.clips[1].at: missing");
    refuse("\"at\": 3", "\"to\": 3", "m.json:8: states[1].blend.clips[1].to: unknown field");
    refuse("\"hold\"", "\"stay\"", "m.json:9: states[2].play: must be \"loop\", \"hold\" or \"once\"");
    refuse("\"any\"", "\"all\"", "m.json:12: transitions[0].from: no such state: all");
    refuse("\"to\": \"leap\"", "\"to\": \"any\"", "m.json:12: transitions[0].to: no such state: any");
    refuse("0.5, ", "-0.5, ", "m.json:12: transitions[0].seconds: must not be negative");
    refuse("\"smooth\"", "2", "m.json:12: transitions[0].fade: must be \"linear\" or \"smooth\"");
    refuse("true", "1", "m.json:13: transitions[0].whole: must be true or false");
    refuse("[{\"parameter\": \"jump\"}]", "{}", "m.json:13: transitions[0].when: must be an array");
    refuse("{\"parameter\": \"jump\"}", "{}", "m.json:13: transitions[0].when[0].parameter: missing");
    refuse("\"exit\": 1", "\"exit\": -1", "m.json:14: transitions[1].exit: must not be negative");
    refuse("\"below\": 0.5", "\"below\": 0.5, \"above\": 1",
           "m.json:15: transitions[1].when[0]: has more than one comparison");
    refuse("\"below\": 0.5", "\"below\": null", "m.json:15: transitions[1].when[0].below: must be a finite number");
}

/* Strings with quotes, brackets and line ends do not move the lines. */
TEST(linesAreCountedThroughStrings) {
    EngineError error;
    const char *text = "{\"parameters\": {\"a\\\"]\\n[{\": 1,\n \"b:,\": [1, {\"c\": -2.5e3}]},\n\n\"states\": 5}";
    assert_null(machineParse(text, "m.json", &clips, &error));
    assert_string_equal(error.message, "m.json:2: parameters.b:,: must be a finite number, or \"trigger\"");
    text = "{\"parameters\": {\"a\\\"]\\n[{\": 1,\n \"b:,\": 2},\n\n\"states\": 5}";
    assert_null(machineParse(text, "m.json", &clips, &error));
    assert_string_equal(error.message, "m.json:4: states: must be an array that is not empty");
}

/* ---- Files ---- */

static void refuseFile(const char *text, size_t length, const char *message) {
    char path[] = "/tmp/vkskin_machine_XXXXXX";
    char expected[256];
    EngineError error;
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, length) == (ssize_t)length && close(file) == 0);
    assert_null(machineRead(path, &clips, &error));
    snprintf(expected, sizeof expected, "%s%s", path, message);
    assert_string_equal(error.message, expected);
    unlink(path);
}

TEST(filesAreText) {
    EngineError error;
    assert_null(machineRead("/nowhere/m.json", &clips, &error));
    assert_string_equal(error.message, "/nowhere/m.json: cannot be read: No such file or directory");
    assert_null(machineRead("/tmp", &clips, &error));
    assert_string_equal(error.message, "/tmp: not a regular file");
    refuseFile("", 0, ":1: no JSON");
    refuseFile("{}\0", 3, ": has a zero byte, so it is no text");
    char *large = calloc(1, MACHINE_TEXT_MAX + 1);
    memset(large, ' ', MACHINE_TEXT_MAX + 1);
    refuseFile(large, MACHINE_TEXT_MAX + 1, ": larger than 1 MiB");
    for (size_t i = 0; i < 40000; i += 2) {
        memcpy(large + i, i == 0 ? "[1" : ",1", 2);
    }
    large[40000] = ']';
    refuseFile(large, 40001, ": more than 16384 values");
    free(large);
}
