/*
 * study.h: tubes skinned on the device, each pose with each method; their tables and picture for docs/methods.md.
 */
#ifndef TESTS_STUDY_H
#define TESTS_STUDY_H

#include <stdio.h>

#include "scene.h"
#include "tube.h"

/* A skinning method with its name in the tables and the picture. */
typedef struct StudyMethod {
    const char *name;
    SkinMode mode;
    bool painted; /* the tube that has blend weights */
} StudyMethod;

enum {
    STUDY_LINEAR,
    STUDY_DUAL,
    STUDY_SCALED_DUAL,
    STUDY_HALF_BLEND,
    STUDY_PAINTED_BLEND,
    STUDY_CENTRES,
    STUDY_METHODS
};

extern const StudyMethod studyMethods[STUDY_METHODS];

typedef struct Study {
    const TubePose *poses;
    uint32_t poseCount;
    Model *plain, *painted;
    Scene *scene;
} Study;

/* poses: [poseCount], which outlive it. On failure *study is zero. */
bool studyOpen(Device *device, const TubePose *poses, uint32_t poseCount, VkskinNormals normals, Study *study,
               EngineError *error);

/* A zero study is allowed. */
void studyClose(Study *study);

/* The character of the scene's crowd that is in this pose with this method. */
Character *studyCharacter(const Study *study, uint32_t pose, uint32_t method);

/* Skins all characters once and measures them. shapes: [poseCount][STUDY_METHODS]. */
bool studyMeasure(Study *study, Shape (*shapes)[STUDY_METHODS], EngineError *error);

/* ---- The tables ---- */

/* The lines of the page that enclose the tables. */
#define TABLES_BEGIN "<!-- measured by tests/methods: begin -->"
#define TABLES_END   "<!-- measured by tests/methods: end -->"

/* Volume, surface and thickness. shapes: [poseCount][STUDY_METHODS]; ideals: [poseCount]. */
void tablesWriteShapes(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*shapes)[STUDY_METHODS],
                       const Shape *ideals);

/* With either rule for normals, of the same poses. */
void tablesWriteNormals(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*cheap)[STUDY_METHODS],
                        Shape (*exact)[STUDY_METHODS]);

/*
 * Whether the page contains these tables: the same words, and numbers that differ by no more than the drivers do. Prints
 * the first difference.
 */
bool tablesAgree(const char *page, const char *tables);

/* ---- chart.c ---- */

/* Draws the study, a column per method and a row per pose, and writes it as a PNG file. */
bool chartWrite(Study *study, const char *path, EngineError *error);

#endif
