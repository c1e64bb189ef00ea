/*
 * fuzz_gltf.c: bytes as a .gltf or .glb file, read in this process, then checked and built as any model.
 *
 * The program reads files in a child process with limits. Here no limits apply, so a file that asks for much memory with
 * few bytes is skipped: that is not a fault. Files that it names are looked up in the fixtures of the import tests.
 */
#include "build_model.h"
#include "fuzz_target.h"
#include "gltf.h"

#define PATH FUZZ_FIXTURES "fuzzed.gltf"

/* The most elements of all accessors without a view, which are zeros. */
#define ZEROS_MAX 16384u

static bool asksForLittle(const GltfDocument *document) {
    size_t zeros = 0;
    for (size_t i = 0; i < document->accessorCount; i++) {
        const GltfAccessor *accessor = &document->accessors[i];
        if (accessor->view < 0 && accessor->count > ZEROS_MAX - zeros) {
            return false;
        }
        zeros += accessor->view < 0 ? accessor->count : 0;
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    EngineError error = {""};
    const GltfDocument *document = gltfDocumentRead(bytes, size, FUZZ_FIXTURES, PATH, &error);
    if (!document) {
        FUZZ_CHECK(error.message[0] != '\0');
        return 0;
    }
    if (asksForLittle(document)) {
        Model *model = gltfConvert(document, &error);
        FUZZ_CHECK(model || error.message[0] != '\0');
        if (model && modelCheck(model, &error)) {
            buildModel(model);
        }
        modelFree(model);
    }
    gltfDocumentFree(document);
    return 0;
}
