#include "info_faults.h"

#include <math.h>

#include "terminal.h"

static double orNone(uint32_t index, uint32_t none) {
    return index == MODEL_FAULT_NONE || index == none ? NAN : (double)index;
}

static void writeFault(Document *document, const Model *model, const ModelFault *fault) {
    const bool still = fault->clip >= model->clipCount;
    rowBegin(document);
    cellText(document, MODEL_FAULT_NAMES[fault->kind]);
    cellNumber(document, orNone(fault->clip, model->clipCount), 0);
    cellNumber(document, still ? NAN : fault->time, 4);
    cellNumber(document, orNone(fault->mesh, MODEL_FAULT_NONE), 0);
    cellNumber(document, orNone(fault->vertex, MODEL_FAULT_NONE), 0);
    cellNumber(document, fault->vertex == MODEL_FAULT_NONE ? NAN : (double)fault->weight, 4);
    cellCount(document, fault->count);
    cellCount(document, fault->node);
    cellText(document, model->nodes[fault->node].name);
    rowEnd(document);
}

static void writeRest(Document *document, const ModelFaults *faults) {
    char left[QUANTITY_SIZE];
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        if (faults->counts[kind] > MODEL_FAULT_LINES) {
            quantityCount(left, faults->counts[kind] - MODEL_FAULT_LINES);
            documentLine(document, "and %s more: %s", left, MODEL_FAULT_NAMES[kind]);
        }
    }
}

void infoWriteFaults(Document *document, const Model *model, const ModelFaults *faults) {
    static const Column COLUMNS[] = {{"fault", "fault", -10}, {"clip", "clip", 6},     {"seconds", "seconds", 12},
                                     {"mesh", "mesh", 6},     {"vertex", "vertex", 9}, {"weight", "weight", 8},
                                     {"count", "count", 9},   {NULL, "node", 0},       {"bone", "bone", 0}};
    char poses[QUANTITY_SIZE];
    if (!faults) {
        jsonAddNull(document->json, "check", &document->good);
        return;
    }
    objectBegin(document, "check");
    fieldCount(document, NULL, "poses", faults->moments, "");
    fieldCount(document, NULL, "count", faults->total, "");
    tableBegin(document, "faults", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (int kind = 0; kind < MODEL_FAULT_KINDS; kind++) {
        for (uint32_t i = 0; i < faults->counts[kind] && i < MODEL_FAULT_LINES; i++) {
            writeFault(document, model, &faults->rows[kind][i]);
        }
    }
    tableEnd(document);
    objectEnd(document);
    writeRest(document, faults);
    quantityCount(poses, faults->moments);
    documentLine(document, "%s at %s %s", faults->total > 0 ? "checked" : "no faults", poses,
                 faults->moments == 1 ? "pose" : "poses");
}
