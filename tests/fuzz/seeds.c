/*
 * seeds.c FOLDER FILE...: writes initial inputs of the targets fbx, model and vkm from models: each description of an
 * .fbx file in all forms, each model as a parser's answer and packed. Files that are refused are left out.
 */
#include "blob.h"
#include "fbx_writer.h"
#include "import.h"
#include "model_pack.h"
#include "vkm_layout.h"
#include "vkm_write.h"

#include <stdlib.h>
#include <string.h>

#define SIZE_MAX_READ ((size_t)1 << 20)

static FILE *openSeed(const char *folder, const char *target, const char *path, const char *end) {
    const char *slash = strrchr(path, '/');
    char name[4096];
    snprintf(name, sizeof name, "%s/%s/%s%s", folder, target, slash ? slash + 1 : path, end);
    FILE *file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(1);
    }
    return file;
}

static void writeForms(const char *folder, const char *path) {
    char *text = malloc(SIZE_MAX_READ);
    FILE *file = fopen(path, "rb");
    const size_t size = file && text ? fread(text, 1, SIZE_MAX_READ, file) : 0;
    for (int form = 0; size > 0 && form < FBX_FORM_COUNT; form++) {
        const char end[] = {'.', (char)('0' + form), '\0'};
        size_t written = 0;
        char *bytes = fbxWrite(text, size, (FbxForm)form, &written);
        FILE *seed = openSeed(folder, "fbx", path, end);
        fwrite(bytes ? bytes : text, 1, bytes ? written : size, seed);
        fclose(seed);
        free(bytes);
    }
    if (file) {
        fclose(file);
    }
    free(text);
}

static void writeModel(const char *folder, const char *path, Model *model) {
    EngineError error;
    uint64_t sizes[VKM_CHUNK_COUNT], bytes;
    PackedModel packed = {0};
    const ModelPackDef def = {.millimetres = 1.0};
    FILE *answer = openSeed(folder, "model", path, ".answer"), *vkm = openSeed(folder, "vkm", path, ".vkm");
    bool good = blobWrite(answer, model, &error) &&
                (model->clipCount == 0 || modelPack(model, &def, &packed, &error)) &&
                vkmWrite(vkm, &(VkmWriteDef){model, &packed, NULL}, sizes, &bytes, &error);
    good = fclose(answer) == 0 && good;
    good = fclose(vkm) == 0 && good;
    modelPackFree(&packed);
    if (!good) {
        fprintf(stderr, "seeds: %s is not written\n", path);
        exit(1);
    }
}

int main(int count, char **texts) {
    for (int i = 2; i < count; i++) {
        EngineError error;
        Model *model = importModel(texts[i], NULL, &error);
        const char *dot = strrchr(texts[i], '.');
        if (model) {
            writeModel(texts[1], texts[i], model);
        }
        if (dot && strcmp(dot, ".fbx") == 0) {
            writeForms(texts[1], texts[i]);
        }
        modelFree(model);
    }
    return count < 3;
}
