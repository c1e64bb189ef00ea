/* model_seeds.c: FOLDER MODEL...: writes each model as the parser's answer, for corpus/model. After a change of it. */
#include "blob.h"
#include "import.h"

#include <stdio.h>
#include <string.h>

static int writeSeed(const char *folder, const char *path) {
    char message[IMPORT_MESSAGE_SIZE], name[4096];
    const char *slash = strrchr(path, '/');
    snprintf(name, sizeof name, "%s/%s.answer", folder, slash ? slash + 1 : path);
    Model *model = importModel(path, NULL, message);
    FILE *file = fopen(name, "wb");
    bool written = file && blobWrite(file, model, message);
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
