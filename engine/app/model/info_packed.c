#include "info_packed.h"

#include "terminal.h"
#include "vkm_chunks.h"
#include "vkm_read.h"

void infoPrintPacked(FILE *file, const Model *model) {
    VkmContent content;
    char bytes[QUANTITY_SIZE];
    if (!vkmContent(model, &content)) {
        return;
    }
    quantityCount(bytes, content.bytes);
    fprintf(file, "\npacked file, version %u.%u, %s B\nchunk       bytes\n", content.major, content.minor, bytes);
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (content.sizes[kind] > 0) {
            quantityCount(bytes, content.sizes[kind]);
            fprintf(file, "%s%13s\n", VKM_CHUNK_NAMES[kind], bytes);
        }
    }
    if (content.skipped > 0) {
        fprintf(file, "skipped, of unknown type: %u\n", content.skipped);
    }
}

void infoAddPacked(cJSON *object, const Model *model, bool *good) {
    VkmContent content;
    char version[32];
    if (!vkmContent(model, &content)) {
        jsonAdd(object, "file", cJSON_CreateNull(), good);
        return;
    }
    cJSON *file = cJSON_AddObjectToObject(object, "file");
    snprintf(version, sizeof version, "%u.%u", content.major, content.minor);
    jsonAddText(file, "version", version, good);
    jsonAddCount(file, "bytes", content.bytes, good);
    cJSON *chunks = jsonAddArray(file, "chunks", good);
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (content.sizes[kind] > 0) {
            cJSON *row = jsonAddRow(chunks, good);
            jsonAddText(row, "type", VKM_CHUNK_NAMES[kind], good);
            jsonAddCount(row, "bytes", content.sizes[kind], good);
        }
    }
    jsonAddCount(file, "skipped", content.skipped, good);
}
