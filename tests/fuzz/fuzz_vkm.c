/*
 * fuzz_vkm.c: bytes as a packed file, read without checksums, then built as any model. A crowd reads the block of clips in
 * place: fuzz_animation.c does so.
 */
#include "build_model.h"
#include "fuzz_bytes.h"
#include "fuzz_target.h"
#include "model_unpack.h"
#include "vkm_layout.h"
#include "vkm_read.h"

#include <string.h>

#define LIMIT(size) (64 * (size) + ((size_t)1 << 20))

/* Keys of the clips, as bounds use them. A few bytes must not ask for much memory. */
static void unpackClips(const Model *model, uint64_t left) {
    EngineError error = {.message = ""};
    for (uint32_t i = 0; model->packed.block && i < model->clipCount; i++) {
        ModelClip keys = {0};
        FUZZ_CHECK(modelUnpackClip(model->packed.block, i, &keys, &left, &error) || error.message[0] != '\0');
        modelFreeClip(&keys);
    }
}

static void checkMessage(const EngineError *error) {
    FUZZ_CHECK(error->message[0] != '\0' && !strchr(error->message, '\n'));
    FUZZ_CHECK(strncmp(error->message, "chunk ", 6) == 0 || strncmp(error->message, "the head: ", 10) == 0 ||
               strncmp(error->message, "version ", 8) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    const VkmReadOptions options = {.limit = LIMIT(size), .checksumsOff = true};
    uint8_t *image = fuzzExactly(size);
    memcpy(image, bytes, size);
    /* An input need not know its own size, which a mutation changes. */
    if (size >= sizeof(VkmHeader)) {
        const uint64_t stated = size;
        memcpy(image + offsetof(VkmHeader, fileBytes), &stated, sizeof stated);
    }
    Model *model = vkmParse(image, size, &options, &error);
    if (model) {
        unpackClips(model, LIMIT(size));
    } else {
        checkMessage(&error);
    }
    if (model && model->partCount > 0) { /* the verbs build no file of clips */
        buildModel(model);
    }
    modelFree(model);
    return 0;
}
