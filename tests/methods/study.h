/*
 * study.h: tubes skinned on the device, each pose by each method.
 */
#ifndef TESTS_STUDY_H
#define TESTS_STUDY_H

#include "scene.h"
#include "shape.h"

/* A way of skinning, as the tables and the picture call it. */
typedef struct StudyMethod {
    const char *name;
    SkinWay way;
    bool painted; /* the tube with blend weights of its own */
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

/* A zero one is allowed. */
void studyClose(Study *study);

/* The member of the scene's crowd that is in this pose by this method. */
CrowdMember *studyMember(const Study *study, uint32_t pose, uint32_t method);

/* Skins all once and measures them. shapes: [poseCount][STUDY_METHODS]. */
bool studyMeasure(Study *study, Shape (*shapes)[STUDY_METHODS], EngineError *error);

#endif
