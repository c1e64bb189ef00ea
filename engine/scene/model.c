#include "model.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "near_names.h"

/* ---- Names ---- */

uint32_t modelClipNamed(const Model *model, const char *wanted) {
    const Names names = NAMES_OF(model->clips, model->clipCount);
    return nameOrIndexFind(&names, wanted);
}

/* ---- Materials ---- */

ModelMaterial modelPlainMaterial(char *name) {
    return (ModelMaterial){.name = name,
                           .baseColor = {1.0f, 1.0f, 1.0f, 1.0f},
                           .specular = {0.04f, 0.04f, 0.04f},
                           .roughness = 0.6f,
                           .normalScale = 1.0f,
                           .occlusion = 1.0f,
                           .alphaCutoff = 0.5f,
                           .maps = {-1, -1, -1, -1, -1}};
}

/* ---- Warnings ---- */

static bool hasWarning(const Model *model, const char *text) {
    for (uint32_t i = 0; i < model->warningCount; i++) {
        if (strcmp(model->warnings[i].text, text) == 0) {
            return true;
        }
    }
    return false;
}

bool modelWarn(Model *model, const char *format, ...) {
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (model->warningCount > MODEL_WARNINGS_MAX || hasWarning(model, text)) {
        return true;
    }
    char *copy = strdup(model->warningCount == MODEL_WARNINGS_MAX ? "further warnings" : text);
    ModelWarning *longer = copy ? realloc(model->warnings, (model->warningCount + 1) * sizeof *longer) : NULL;
    if (!longer) {
        free(copy);
        return false;
    }
    model->warnings = longer;
    model->warnings[model->warningCount++].text = copy;
    return true;
}

/* ---- Numbers ---- */

bool finiteAll(const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}
