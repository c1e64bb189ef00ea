/*
 * fuzz_gltf.c: bytes as a .gltf or .glb file, read in this process, then checked and built as any model.
 *
 * The program reads files in a child process with limits. Here no limits apply, so a file that asks for much memory with
 * few bytes is refused: that is not a fault. Files that it names are looked up in the fixtures of the import tests.
 */
#include "build_model.h"
#include "fuzz_target.h"
#include "readers.h"

#define PATH FUZZ_FIXTURES "fuzzed.gltf"

/* The most elements of all accessors without a view, which are zeros. */
#define ZEROS_MAX 16384u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    EngineError error = {.message = ""};
    Model *model = gltfParseBytes(bytes, size, FUZZ_FIXTURES, PATH, ZEROS_MAX, &error);
    FUZZ_CHECK(model || error.message[0] != '\0');
    if (model && modelCheck(model, &error)) {
        buildModel(model);
    }
    modelFree(model);
    return 0;
}
