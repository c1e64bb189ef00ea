/*
 * fuzz_gltf.c: bytes as a .gltf or .glb file, read in this process, then checked and built as any model.
 *
 * In the program the reading runs in a child with limits. Here there are none, so a file that asks for much memory
 * with few bytes, which is no fault of a file, is passed over. Files that it names are looked for among the fixtures
 * of the import tests.
 */
#include "build_model.h"
#include "fuzz_target.h"
#include "import_gltf.h"
#include "model_check.h"
#include "import.h"

#include <string.h>

#define PATH FUZZ_FIXTURES "fuzzed.gltf"

/* Elements that accessors without a view, which are zeros, may ask for together. */
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
    char message[IMPORT_MESSAGE_SIZE] = "";
    const GltfDocument *document = gltfDocumentRead(bytes, size, FUZZ_FIXTURES, PATH, message);
    if (!document) {
        FUZZ_CHECK(strncmp(message, PATH ": ", strlen(PATH ": ")) == 0);
        return 0;
    }
    if (asksForLittle(document)) {
        Model *model = gltfConvert(document, PATH, message);
        FUZZ_CHECK(model || strncmp(message, PATH ": ", strlen(PATH ": ")) == 0);
        if (model && modelCheck(model, PATH, message)) {
            buildModel(model);
        }
        modelFree(model);
    }
    gltfDocumentFree(document);
    return 0;
}
