/*
 * test_tuning.c: tuning files: what was written comes back, and nothing else is taken for one.
 */
#include "place.h"
#include "scratch.h"
#include "tuning_file.h"

static VkskinTuning sample(void) {
    VkskinTuning tuning = {.version = 100,
                           .vendorID = 0x10de,
                           .deviceID = UINT32_MAX,
                           .driverVersion = 1,
                           .paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS,
                           .instancesPerThread = 16,
                           .workgroupSize = 128,
                           .crowdPosing = VKSKIN_CROWD_POSING_GROUP};
    for (uint32_t i = 0; i < sizeof tuning.pipelineCacheUUID; i++) {
        tuning.pipelineCacheUUID[i] = (uint8_t)(i * 17);
    }
    return tuning;
}

static const char WRITTEN[] = "vkskin tuning 1\n"
                              "library 100\n"
                              "vendor 4318\n"
                              "device 4294967295\n"
                              "driver 1\n"
                              "cache 00112233445566778899aabbccddeeff\n"
                              "paletteBinding 2\n"
                              "instancesPerThread 16\n"
                              "workgroupSize 128\n"
                              "crowdPosing 2\n";

AT_PLACE(whatIsWrittenComesBack) {
    Place *place = *state;
    const VkskinTuning tuning = sample();
    VkskinTuning back;
    TuningFileState found;
    EngineError error;
    assert_true(tuningFileWrite(place->text, &tuning, &error));
    expectFile(place->text, WRITTEN);
    assert_true(tuningFileRead(place->text, &back, &found, &error));
    assert_int_equal(found, TUNING_FILE_GOOD);
    assert_memory_equal(&back, &tuning, sizeof back);
    assert_int_equal(countEntries(place->folder), 1);
}

/* Only a file that begins as a tuning may be written again. */
static void expectDamaged(const Place *place, const char *text) {
    VkskinTuning tuning;
    TuningFileState found;
    EngineError error;
    writeWhole(place->text, text);
    assert_true(tuningFileRead(place->text, &tuning, &found, &error));
    bool begins = text[0] == '\0' || strncmp(text, WRITTEN, strlen("vkskin tuning ")) == 0;
    if (found != (begins ? TUNING_FILE_DAMAGED : TUNING_FILE_FOREIGN)) {
        fail_msg("taken for a tuning: %s", text);
    }
}

/* WRITTEN with `from` replaced. */
static void expectChangeSeen(const Place *place, const char *from, const char *to) {
    char text[2048];
    const char *at = strstr(WRITTEN, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - WRITTEN), WRITTEN, to, at + strlen(from));
    expectDamaged(place, text);
}

AT_PLACE(damageIsSeen) {
    Place *place = *state;
    char text[sizeof WRITTEN + 1000];
    for (size_t length = 0; length + 1 < sizeof WRITTEN; length++) {
        snprintf(text, sizeof text, "%.*s", (int)length, WRITTEN);
        expectDamaged(place, text);
    }
    snprintf(text, sizeof text, "%s\n", WRITTEN);
    expectDamaged(place, text);
    memset(text, '7', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    expectDamaged(place, text);
    expectChangeSeen(place, "tuning 1", "tuning 2");
    expectChangeSeen(place, "library 100", "library 0100");
    expectChangeSeen(place, "library 100", "library +100");
    expectChangeSeen(place, "vendor 4318", "vendor  4318");
    expectChangeSeen(place, "device 4294967295", "device 4294967296");
    expectChangeSeen(place, "device 4294967295", "device -1");
    expectChangeSeen(place, "driver 1", "driver x");
    expectChangeSeen(place, "00112233", "0011223g");
    expectChangeSeen(place, "aabbccdd", "AABBCCDD");
    expectChangeSeen(place, "eeff\n", "eeff0\n");
    expectChangeSeen(place, "eeff\n", "ee\n");
    expectChangeSeen(place, "16\nw", "16\r\nw");
}

AT_PLACE(missingAndUnreadableAreToldApart) {
    Place *place = *state;
    VkskinTuning tuning = sample();
    TuningFileState found;
    EngineError error;
    char line[128];
    assert_true(tuningFileRead(place->text, &tuning, &found, &error));
    assert_int_equal(found, TUNING_FILE_MISSING);
    assert_false(tuningFileRead(place->folder, &tuning, &found, &error));
    snprintf(line, sizeof line, "%s: cannot be read: Is a directory", place->folder);
    assert_string_equal(error.message, line);
    tuning = sample();
    assert_false(tuningFileWrite("/dev/full", &tuning, &error));
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
}
