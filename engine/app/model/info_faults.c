#include "info_faults.h"

#include "terminal.h"

static double orNone(uint32_t index, uint32_t none) {
    return numberIf(index != MODEL_FAULT_NONE && index != none, index);
}

static void writeFault(Document *document, const Model *model, const ModelFault *fault) {
    const bool still = fault->clip >= model->clipCount;
    TABLE_ROW(document, cellText(MODEL_FAULT_NAMES[fault->kind]), cellNumber(orNone(fault->clip, model->clipCount), 0),
              cellNumber(numberIf(!still, fault->time), 4), cellNumber(orNone(fault->mesh, MODEL_FAULT_NONE), 0),
              cellNumber(orNone(fault->vertex, MODEL_FAULT_NONE), 0),
              cellNumber(numberIf(fault->vertex != MODEL_FAULT_NONE, fault->weight), 4), cellCount(fault->count),
              cellCount(fault->node), cellText(model->nodes[fault->node].name));
}

static void writeRest(Document *document, const ModelFaults *faults) {
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        if (faults->counts[kind] > MODEL_FAULT_LINES) {
            documentLine(document, "and %s more: %s", QUANTITY(faults->counts[kind] - MODEL_FAULT_LINES),
                         MODEL_FAULT_NAMES[kind]);
        }
    }
}

void infoWriteFaults(Document *document, const Model *model, const ModelFaults *faults) {
    static const Column COLUMNS[] = {{"fault", "fault", -10}, {"clip", "clip", 6},     {"seconds", "seconds", 12},
                                     {"mesh", "mesh", 6},     {"vertex", "vertex", 9}, {"weight", "weight", 8},
                                     {"count", "count", 9},   {NULL, "node", 0},       {"bone", "bone", 0}};
    if (!faults) {
        JSON_FIELDS(document, jsonText("check", NULL));
        return;
    }
    objectBegin(document, "check");
    JSON_FIELDS(document, jsonCount("poses", faults->moments), jsonCount("count", faults->total));
    tableBegin(document, "faults", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        for (uint32_t i = 0; i < faults->counts[kind] && i < MODEL_FAULT_LINES; i++) {
            writeFault(document, model, &faults->rows[kind][i]);
        }
    }
    objectEnd(document);
    writeRest(document, faults);
    documentLine(document, "%s at %s %s", faults->total > 0 ? "checked" : "no faults", QUANTITY(faults->moments),
                 faults->moments == 1 ? "pose" : "poses");
}
