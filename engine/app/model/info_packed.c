#include "info_packed.h"

#include "terminal.h"
#include "vkm_chunks.h"
#include "vkm_read.h"

void infoWritePacked(Document *document, const Model *model) {
    static const Column COLUMNS[] = {{"chunk", "type", -5}, {"bytes", "bytes", 12}};
    VkmContent content;
    char version[32], title[QUANTITY_SIZE + 64];
    if (!vkmContent(model, &content)) {
        JSON_FIELDS(document, jsonText("file", NULL));
        return;
    }
    snprintf(version, sizeof version, "%u.%u", content.major, content.minor);
    snprintf(title, sizeof title, "packed file, version %s, %s B\n", version, QUANTITY(content.bytes));
    objectBegin(document, "file");
    JSON_FIELDS(document, jsonText("version", version), jsonCount("bytes", content.bytes));
    tableBegin(document, "chunks", title, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (content.sizes[kind] > 0) {
            TABLE_ROW(document, cellText(VKM_CHUNK_NAMES[kind]), cellCount(content.sizes[kind]));
        }
    }
    JSON_FIELDS(document, jsonCount("skipped", content.skipped));
    objectEnd(document);
    if (content.skipped > 0) {
        documentLine(document, "skipped, of unknown type: %u", content.skipped);
    }
}
