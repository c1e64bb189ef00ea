#include "info_packed.h"

#include "terminal.h"
#include "vkm_chunks.h"
#include "vkm_read.h"

void infoWritePacked(Document *document, const Model *model) {
    static const Column COLUMNS[] = {{"chunk", "type", -5}, {"bytes", "bytes", 12}};
    VkmContent content;
    char bytes[QUANTITY_SIZE], version[32], title[QUANTITY_SIZE + 64];
    if (!vkmContent(model, &content)) {
        jsonAddNull(document->json, "file", &document->good);
        return;
    }
    quantityCount(bytes, content.bytes);
    snprintf(version, sizeof version, "%u.%u", content.major, content.minor);
    snprintf(title, sizeof title, "packed file, version %s, %s B\n", version, bytes);
    objectBegin(document, "file");
    fieldText(document, NULL, "version", version);
    fieldCount(document, NULL, "bytes", content.bytes, "");
    tableBegin(document, "chunks", title, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (content.sizes[kind] > 0) {
            rowBegin(document);
            cellText(document, VKM_CHUNK_NAMES[kind]);
            cellCount(document, content.sizes[kind]);
            rowEnd(document);
        }
    }
    tableEnd(document);
    fieldCount(document, NULL, "skipped", content.skipped, "");
    objectEnd(document);
    if (content.skipped > 0) {
        documentLine(document, "skipped, of unknown type: %u", content.skipped);
    }
}
