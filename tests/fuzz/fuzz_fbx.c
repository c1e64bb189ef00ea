/*
 * fuzz_fbx.c: bytes as an .fbx file, text or binary, read in this process, then checked and built as any model. Files that
 * it names are looked up in the fixtures of the import tests.
 */
#include "build_model.h"
#include "fuzz_target.h"
#include "readers.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    Model *model = fbxParseBytes(bytes, size, FUZZ_FIXTURES "fuzzed.fbx", &error);
    FUZZ_CHECK(model || error.message[0] != '\0');
    if (model && modelCheck(model, &error)) {
        buildModel(model);
    }
    modelFree(model);
    return 0;
}
