#include "study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_APART 0.15 /* numbers are written to a tenth: one rounding, and a little more */

const StudyMethod studyMethods[STUDY_METHODS] = {
    [STUDY_LINEAR] = {"linear blend", SKIN_MODE_LBS, false},
    [STUDY_DUAL] = {"dual quaternions", SKIN_MODE_DQS, false},
    [STUDY_SCALED_DUAL] = {"scaled dual quaternions", SKIN_MODE_DQS_SCALED, false},
    [STUDY_HALF_BLEND] = {"blend, 0.5", SKIN_MODE_BLEND, false},
    [STUDY_PAINTED_BLEND] = {"blend, painted", SKIN_MODE_BLEND, true},
    [STUDY_CENTRES] = {"centres of rotation", SKIN_MODE_COR, false},
};

/* Each method is a kind in the crowd, each pose a character of every kind. */
static bool createScene(Study *study, Device *device, VkskinNormals normals, EngineError *error) {
    const Model *models[STUDY_METHODS];
    uint32_t modes = 0;
    for (uint32_t i = 0; i < STUDY_METHODS; i++) {
        models[i] = studyMethods[i].painted ? study->painted : study->plain;
        modes |= 1u << studyMethods[i].mode;
    }
    const SceneDef def = {.models = models,
                          .modelCount = STUDY_METHODS,
                          .count = STUDY_METHODS * study->poseCount,
                          .placement = POPULATION_ORIGIN,
                          .skin = {.mode = SKIN_MODE_LBS, .normals = normals, .blend = 0.5f},
                          .otherModes = modes,
                          .format = VKSKIN_VERTEX_FLOAT,
                          .pageSize = 8 << 20,
                          .readback = true};
    study->scene = sceneCreate(device, &def, error);
    for (uint32_t i = 0; study->scene && i < STUDY_METHODS; i++) {
        if (!sceneChangeMode(study->scene, studyMethods[i].mode, error)) { /* for its kernels */
            return false;
        }
    }
    return study->scene != NULL;
}

static void poseCharacters(Study *study) {
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        for (uint32_t pose = 0; pose < study->poseCount; pose++) {
            Character *character = studyCharacter(study, pose, method);
            character->mode = studyMethods[method].mode;
            character->clip = pose;
            character->time = 0.0;
        }
    }
}

bool studyOpen(Device *device, const TubePose *poses, uint32_t poseCount, VkskinNormals normals, Study *study,
               EngineError *error) {
    *study = (Study){.poses = poses,
                     .poseCount = poseCount,
                     .plain = newTube(poses, poseCount, false),
                     .painted = newTube(poses, poseCount, true)};
    if (!createScene(study, device, normals, error)) {
        studyClose(study);
        return false;
    }
    poseCharacters(study);
    return true;
}

void studyClose(Study *study) {
    sceneDestroy(study->scene);
    modelFree(study->plain);
    modelFree(study->painted);
    *study = (Study){0};
}

Character *studyCharacter(const Study *study, uint32_t pose, uint32_t method) {
    Character *character = study->scene->population->characters; /* each kind has one character per pose */
    for (uint32_t left = pose; character->model != method || left > 0; character++) {
        left -= character->model == method;
    }
    return character;
}

bool studyMeasure(Study *study, Shape (*shapes)[STUDY_METHODS], EngineError *error) {
    const Scene *scene = study->scene;
    if (!sceneSkinOnce(study->scene, 0.0, error)) {
        return false;
    }
    for (uint32_t pose = 0; pose < study->poseCount; pose++) {
        for (uint32_t method = 0; method < STUDY_METHODS; method++) {
            SkinnedVertices vertices;
            VkskinInstance tube = scene->population->instances[studyCharacter(study, pose, method)->firstInstance];
            if (!readbackInstance(scene->skinning, tube, &vertices, error)) {
                return false;
            }
            shapes[pose][method] = shapeMeasure(study->plain->meshes, &vertices, &study->poses[pose]);
            skinnedVerticesFree(&vertices);
        }
    }
    return true;
}

/* ---- The tables ---- */

static void writeHead(FILE *file, const char *title) {
    fprintf(file, "\n| %s |", title);
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " %s |", studyMethods[method].name);
    }
    fprintf(file, "\n| --- |");
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " ---: |");
    }
    fprintf(file, "\n");
}

typedef enum Quantity { QUANTITY_VOLUME, QUANTITY_SURFACE, QUANTITY_THICKNESS } Quantity;

static void writeCell(FILE *file, Quantity quantity, const Shape *shape, const Shape *ideal) {
    switch (quantity) {
    case QUANTITY_VOLUME:
        fprintf(file, " %.1f |", 100.0 * shape->volume / ideal->volume);
        break;
    case QUANTITY_SURFACE:
        fprintf(file, " %.1f |", 100.0 * shape->surface / ideal->surface);
        break;
    case QUANTITY_THICKNESS:
        fprintf(file, " %.1f to %.1f |", 100.0 * shape->thinnest, 100.0 * shape->thickest);
        break;
    }
}

void tablesWriteShapes(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*shapes)[STUDY_METHODS],
                       const Shape *ideals) {
    const struct {
        Quantity quantity;
        const char *title;
    } tables[] = {{QUANTITY_VOLUME, "volume, % of the ideal"},
                  {QUANTITY_SURFACE, "surface, % of the ideal"},
                  {QUANTITY_THICKNESS, "thickness, % of the radius"}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        writeHead(file, tables[t].title);
        for (uint32_t pose = 0; pose < poseCount; pose++) {
            fprintf(file, "| %s |", poses[pose].name);
            for (uint32_t method = 0; method < STUDY_METHODS; method++) {
                writeCell(file, tables[t].quantity, &shapes[pose][method], &ideals[pose]);
            }
            fprintf(file, "\n");
        }
    }
}

static void writeNormalRow(FILE *file, const char *pose, const char *rule, const Shape shapes[STUDY_METHODS]) {
    fprintf(file, "| %s, %s |", pose, rule);
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " %.1f, %.1f |", shapes[method].normalsOff, shapes[method].normalsWorst);
    }
    fprintf(file, "\n");
}

void tablesWriteNormals(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*cheap)[STUDY_METHODS],
                        Shape (*exact)[STUDY_METHODS]) {
    writeHead(file, "normals off, degrees: mean, worst");
    for (uint32_t pose = 0; pose < poseCount; pose++) {
        writeNormalRow(file, poses[pose].name, "cheap", cheap[pose]);
        writeNormalRow(file, poses[pose].name, "exact", exact[pose]);
    }
}

/* ---- Against the page ---- */

/* Returns the length of the next word, 0 at the end, and moves *text behind it. */
static size_t nextWord(const char **text, const char **word) {
    *word = *text + strspn(*text, " \n,");
    size_t length = strcspn(*word, " \n,");
    *text = *word + length;
    return length;
}

static bool wordsAgree(const char *a, size_t aLength, const char *b, size_t bLength) {
    char *aEnd, *bEnd;
    double aNumber = strtod(a, &aEnd), bNumber = strtod(b, &bEnd);
    if (aLength > 0 && aEnd == a + aLength && bEnd == b + bLength) {
        return fabs(aNumber - bNumber) <= NUMBERS_APART;
    }
    return aLength == bLength && strncmp(a, b, aLength) == 0;
}

bool tablesAgree(const char *page, const char *tables) {
    const char *begin = strstr(page, TABLES_BEGIN);
    const char *end = begin ? strstr(begin, TABLES_END) : NULL;
    const char *stored, *measured;
    if (!end) {
        fprintf(stderr, "the page has no tables\n");
        return false;
    }
    begin += strlen(TABLES_BEGIN);
    for (;;) {
        size_t storedLength = nextWord(&begin, &stored), measuredLength = nextWord(&tables, &measured);
        bool storedEnds = stored >= end, measuredEnds = measuredLength == 0;
        if (storedEnds && measuredEnds) {
            return true;
        }
        if (storedEnds || measuredEnds || !wordsAgree(stored, storedLength, measured, measuredLength)) {
            fprintf(stderr, "the page says '%.30s', measured was '%.30s'\n", stored, measured);
            return false;
        }
    }
}
