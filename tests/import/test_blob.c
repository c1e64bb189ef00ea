/* The parser's answer as bytes: there and back, cut off everywhere, and with every byte changed. */
#include "blob.h"
#include "import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

static Bytes pack(const Model *model, const char *message) {
    Bytes packed = {0};
    FILE *file = open_memstream(&packed.bytes, &packed.size);
    assert_non_null(file);
    assert_true(blobWrite(file, model, message));
    assert_int_equal(fclose(file), 0);
    return packed;
}

static Model *unpack(const char *bytes, size_t size, char *message) {
    /* A copy of the exact size, so that the sanitizer sees a read past its end. */
    uint8_t *exact = malloc(size ? size : 1);
    memcpy(exact, bytes, size);
    Model *model = blobRead(exact, size, "beast.x", message);
    free(exact);
    return model;
}

static void testThereAndBack(void **state) {
    (void)state;
    static const char *const names[] = {"two_skins.gltf", "step_cubic.gltf", "mended.gltf",
                                        "three_bones.x",  "textures.gltf",   "morphs.gltf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char message[IMPORT_MESSAGE_SIZE] = "";
        Model *model = importFixture(names[i]);
        Bytes first = pack(model, "");
        Model *copy = unpack(first.bytes, first.size, message);
        assert_non_null(copy);
        Bytes second = pack(copy, "");
        assert_int_equal(first.size, second.size);
        assert_memory_equal(first.bytes, second.bytes, first.size);
        modelFree(model);
        modelFree(copy);
        free(first.bytes);
        free(second.bytes);
    }
}

static void testReason(void **state) {
    (void)state;
    char message[IMPORT_MESSAGE_SIZE] = "";
    Bytes packed = pack(NULL, "beast.x: it is\nasleep");
    assert_null(unpack(packed.bytes, packed.size, message));
    assert_string_equal(message, "beast.x: it is asleep");
    assert_null(unpack(packed.bytes, packed.size - 1, message));
    assert_string_equal(message, "beast.x: the parser's answer is cut off");
    free(packed.bytes);
}

static void testCutOff(void **state) {
    (void)state;
    Model *model = importFixture("step_cubic.gltf");
    Bytes packed = pack(model, "");
    for (size_t size = 0; size < packed.size; size++) {
        char message[IMPORT_MESSAGE_SIZE] = "";
        assert_null(unpack(packed.bytes, size, message));
        assert_string_equal(message, size < 8 ? "beast.x: the parser's answer is not a model"
                                              : "beast.x: the parser's answer is cut off");
    }
    modelFree(model);
    free(packed.bytes);
}

/* Keys of no weights, of which any number would fit into no bytes. */
static void testKeysOfNothing(void **state) {
    (void)state;
    char message[IMPORT_MESSAGE_SIZE] = "";
    Model *model = importFixture("morphs.gltf");
    VkskinTrack *track = &model->clips[0].tracks[0];
    assert_int_equal(track->channel, VKSKIN_CHANNEL_MORPH_WEIGHTS);
    track->weightCount = 0;
    Bytes packed = pack(model, "");
    assert_null(unpack(packed.bytes, packed.size, message));
    assert_string_equal(message, "beast.x: the parser's answer is cut off");
    modelFree(model);
    free(packed.bytes);
}

/* Whatever a byte becomes, the answer is refused with one line or is a model that keeps its promises. */
static void changeEveryByte(const char *fixture) {
    Model *model = importFixture(fixture);
    Bytes packed = pack(model, "");
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    for (size_t at = 0; at < packed.size; at++) {
        for (size_t m = 0; m < sizeof masks; m++) {
            char message[IMPORT_MESSAGE_SIZE] = "";
            packed.bytes[at] = (char)(packed.bytes[at] ^ masks[m]);
            Model *changed = unpack(packed.bytes, packed.size, message);
            assert_true(changed || strncmp(message, "beast.x: ", 9) == 0);
            modelFree(changed);
            packed.bytes[at] = (char)(packed.bytes[at] ^ masks[m]);
        }
    }
    modelFree(model);
    free(packed.bytes);
}

static void testEveryByteChanged(void **state) {
    (void)state;
    changeEveryByte("step_cubic.gltf");
    changeEveryByte("morphs.gltf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testThereAndBack),  cmocka_unit_test(testReason),           cmocka_unit_test(testCutOff),
        cmocka_unit_test(testKeysOfNothing), cmocka_unit_test(testEveryByteChanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
