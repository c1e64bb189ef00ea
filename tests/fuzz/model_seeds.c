/* model_seeds.c FOLDER MODEL...: writes each model as a parser's answer, for corpus/model. Run it when that changes. */
#include "blob.h"
#include "import.h"

#include <string.h>

static int writeSeed(const char *folder, const char *path) {
    EngineError error;
    char name[4096];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s/%s.answer", folder, slash ? slash + 1 : path);
    Model *model = importModel(path, NULL, &error);
    FILE *file = fopen(name, "wb");
    bool written = file && blobWrite(file, model, &error);
    written = file && fclose(file) == 0 && written;
    modelFree(model);
    if (!written) {
        perror(name);
    }
    return written ? 0 : 1;
}

int main(int count, char **texts) {
    int status = count < 3;
    for (int i = 2; i < count; i++) {
        status |= writeSeed(texts[1], texts[i]);
    }
    return status;
}
