/*
 * model_pack_file.c: a model as a packed file (engine/pack).
 */
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "files.h"
#include "model_mesh.h"
#include "outputs.h"
#include "report.h"
#include "session.h"
#include "vkm_chunks.h"
#include "vkm_write.h"

typedef struct Pack {
    const Arguments *arguments;
    Model *model;
    PackedModel packed;
    char **paths; /* [textureCount]: as VkmWriteDef.paths */
    uint64_t sizes[VKM_CHUNK_COUNT];
    uint64_t bytes; /* bytes of the file */
} Pack;

/* ---- Reading ---- */

/* The first operand is the model; the others follow the files of --clips. */
static bool arrange(const Arguments *given, Arguments *arranged, EngineError *error) {
    *arranged = *given;
    arranged->operandCount = 1;
    for (uint32_t i = 1; i < given->operandCount; i++) {
        if (arranged->fileCount == OPTION_FILES_MAX) {
            return engineFail(error, "more than %d files with clips", OPTION_FILES_MAX);
        }
        arranged->files[arranged->fileCount++] = given->operands[i];
    }
    return true;
}

static bool readModel(Pack *pack, EngineError *error) {
    const char *path = pack->arguments->operands[0];
    Arguments *arranged = engineAllocate(1, sizeof *arranged, error);
    if (arranged && arrange(pack->arguments, arranged, error)) {
        pack->model = modelLoad(arranged, path, MODEL_OR_CLIPS, NULL, error);
    }
    free(arranged);
    for (uint32_t i = 0; pack->model && i < pack->model->warningCount; i++) {
        sayWarning(pack->arguments->verb->name, "%s: %s", path, pack->model->warnings[i].text);
    }
    return pack->model != NULL;
}

/* ---- Clips ---- */

static void sayMessage(void *user, VkskinResult result, const char *message) {
    const Pack *pack = user;
    if (result > 0) {
        sayWarning(pack->arguments->verb->name, "%s: %s (%s)", pack->arguments->operands[0], message,
                   vkskinResultName(result));
    }
}

static bool packClips(Pack *pack, EngineError *error) {
    const ModelPackDef def = {.millimetres = optionsValue(pack->arguments, "max-error")->number,
                              .parallel = parallelFor,
                              .logger = {sayMessage, pack}};
    pack->packed = modelPackBorrow(pack->model);
    return pack->packed.block || pack->model->clipCount == 0 || modelPack(pack->model, &def, &pack->packed, error) ||
           engineFailAt(error, pack->arguments->operands[0]);
}

/* ---- Pictures ---- */

/* The path of a file below the folder of another one; null: it is not there, or no memory. free() it. */
static char *pathBelow(const char *file, const char *other) {
    char folder[PATH_MAX], *path = NULL;
    atomicFileFolder(other, folder, sizeof folder);
    char *real = realpath(file, NULL), *top = realpath(folder, NULL);
    const size_t length = top ? strlen(top) : 0;
    if (real && top && length > 1 && strncmp(real, top, length) == 0 && real[length] == '/') {
        path = strdup(real + length + 1);
    }
    free(real);
    free(top);
    return path;
}

/* Null: its file or pixels are written. */
static char *pictureFile(const Pack *pack, const ModelTexture *texture) {
    char folder[PATH_MAX], file[PATH_MAX];
    atomicFileFolder(pack->arguments->operands[0], folder, sizeof folder);
    const int length = snprintf(file, sizeof file, "%s/%s", folder, texture->path);
    return texture->path[0] != '\0' && length < PATH_MAX
               ? pathBelow(file, optionsValue(pack->arguments, "output")->text)
               : NULL;
}

static bool findPictures(Pack *pack, EngineError *error) {
    pack->paths = engineAllocate(pack->model->textureCount, sizeof *pack->paths, error);
    const bool asFiles = optionsValue(pack->arguments, "pictures")->choice == 0;
    for (uint32_t i = 0; pack->paths && asFiles && i < pack->model->textureCount; i++) {
        pack->paths[i] = pictureFile(pack, &pack->model->textures[i]);
    }
    return pack->paths != NULL;
}

static uint32_t countPaths(const Pack *pack) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < pack->model->textureCount; i++) {
        count += pack->paths[i] ? 1 : 0;
    }
    return count;
}

/* ---- Writing ---- */

static bool writeFile(Pack *pack, EngineError *error) {
    const VkmWriteDef def = {pack->model, &pack->packed, (const char *const *)pack->paths};
    AtomicFile file;
    if (!atomicFileBegin(&file, optionsValue(pack->arguments, "output")->text, error)) {
        return false;
    }
    if (!vkmWrite(file.stream, &def, pack->sizes, &pack->bytes, error)) {
        atomicFileDrop(&file);
        return false;
    }
    return atomicFileCommit(&file, error);
}

static bool writeDocument(const Pack *pack, EngineError *error) {
    static const Column COLUMNS[] = {{"chunk", "type", -10}, {"bytes", "bytes", 14}, {"%", NULL, 8}};
    const char *path = optionsValue(pack->arguments, "output")->text;
    const ModelPackTotals totals = modelPackTotals(pack->model, &pack->packed);
    const uint32_t pictures = pack->model->textureCount, files = countPaths(pack);
    Document document = documentOf(pack->arguments, "pack", 10, 14);
    documentLine(&document, "%s: %s B", path, QUANTITY(pack->bytes));
    jsonAddTexts(document.json, "models", pack->arguments->operands, pack->arguments->operandCount, &document.good);
    JSON_FIELDS(&document, jsonText("output", path), jsonCount("bytes", pack->bytes));
    tableBegin(&document, "chunks", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (pack->sizes[kind] > 0) {
            TABLE_ROW(&document, cellText(VKM_CHUNK_NAMES[kind]), cellCount(pack->sizes[kind]),
                      cellNumber(100.0 * (double)pack->sizes[kind] / (double)pack->bytes, 1));
        }
    }
    reportPacked(&document, pack->packed.block ? &totals : NULL);
    if (pictures > 0) {
        fieldLine(&document, "pictures", "%u in files, %u inside", files, pictures - files);
    }
    JSON_FIELDS(&document, jsonCount("pictureFiles", files), jsonCount("picturesInside", pictures - files));
    return documentEnd(&document, pack->arguments, true, error);
}

static bool packModel(Pack *pack, EngineError *error) {
    bool good = readModel(pack, error) && modelSortVertices(pack->model, error) &&
                modelLoadLods(pack->arguments, pack->model, pack->arguments->operands[0], error) &&
                packClips(pack, error) && findPictures(pack, error) && writeFile(pack, error);
    good = good && writeDocument(pack, error);
    for (uint32_t i = 0; pack->paths && i < pack->model->textureCount; i++) {
        free(pack->paths[i]);
    }
    free(pack->paths);
    modelPackFree(&pack->packed);
    modelFree(pack->model);
    return good;
}

int modelPackFile(const Arguments *arguments) {
    Pack pack = {.arguments = arguments};
    EngineError error;
    return sayEnd(arguments->verb->name, packModel(&pack, &error), &error);
}
