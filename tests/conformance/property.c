#include "property.h"

#include <math.h>

bool propertyRow(uint32_t reading, uint32_t morphs, Row *row) {
    *row = (Row){{(uint8_t)reading, 4, VKSKIN_WEIGHTS_FLOAT, 0, VKSKIN_VERTEX_FLOAT, 3, (uint8_t)morphs, ROW_UNSORTED}};
    if (rowReading(reading)->encoding == VKSKIN_PALETTE_MAT2X3) {
        row->choices[ROW_FORMAT] = row->choices[ROW_ATTRIBUTES] = 0;
    }
    return rowExists(row);
}

ReadVertex *newPropertyOutput(Gpu *gpu, const Scene *scene, const VkskinMeshDef *def) {
    const RowReading *reading = rowReadingOf(&scene->row);
    const SceneInstance *instance = &scene->instances[0];
    const ConformInstance conform = {reading->blend, reading->encoding, instance->palette, instance->morphWeights,
                                     instance->morphWeightCount};
    VkskinMeshInfo info;
    return newConformOutput(gpu, NULL, def, &conform, 1, &info);
}

void propertyNear(const Scene *scene, uint32_t vertex, const double *expected, const double *found, double tolerance) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        square += (expected[i] - found[i]) * (expected[i] - found[i]);
    }
    if (!(sqrt(square) <= tolerance)) {
        char text[256];
        rowText(&scene->row, text, sizeof text);
        fail_msg("%s: vertex %u is off by %g (allowed %g)", text, vertex, sqrt(square), tolerance);
    }
}

void propertyWiden(const float *from, double to[3]) {
    for (int i = 0; i < 3; i++) {
        to[i] = from[i];
    }
}
