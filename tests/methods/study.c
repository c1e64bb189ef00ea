#include "study.h"

#include <string.h>

const StudyMethod studyMethods[STUDY_METHODS] = {
    [STUDY_LINEAR] = {"linear blend", SKIN_WAY_LBS, false},
    [STUDY_DUAL] = {"dual quaternions", SKIN_WAY_DQS, false},
    [STUDY_SCALED_DUAL] = {"scaled dual quaternions", SKIN_WAY_DQS_SCALED, false},
    [STUDY_HALF_BLEND] = {"blend, 0.5", SKIN_WAY_BLEND, false},
    [STUDY_PAINTED_BLEND] = {"blend, painted", SKIN_WAY_BLEND, true},
    [STUDY_CENTRES] = {"centres of rotation", SKIN_WAY_COR, false},
};

/* Each method is a kind of the crowd, each pose a member of every kind. */
static bool createScene(Study *study, Device *device, VkskinNormals normals, EngineError *error) {
    SceneModel models[STUDY_METHODS];
    uint32_t ways = 0;
    for (uint32_t i = 0; i < STUDY_METHODS; i++) {
        models[i] = (SceneModel){.model = studyMethods[i].painted ? study->painted : study->plain};
        ways |= 1u << studyMethods[i].way;
    }
    const SceneDef def = {.models = models,
                          .modelCount = STUDY_METHODS,
                          .count = STUDY_METHODS * study->poseCount,
                          .placement = CROWD_ORIGIN,
                          .skin = {.way = SKIN_WAY_LBS, .normals = normals, .blend = 0.5f},
                          .otherWays = ways,
                          .format = VKSKIN_VERTEX_FLOAT,
                          .pageSize = 8 << 20,
                          .readback = true};
    study->scene = sceneCreate(device, &def, error);
    for (uint32_t i = 0; study->scene && i < STUDY_METHODS; i++) {
        if (!sceneChangeWay(study->scene, studyMethods[i].way, error)) { /* for its kernels */
            return false;
        }
    }
    return study->scene != NULL;
}

static void poseMembers(Study *study) {
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        for (uint32_t pose = 0; pose < study->poseCount; pose++) {
            CrowdMember *member = studyMember(study, pose, method);
            member->way = studyMethods[method].way;
            member->clip = pose;
            member->time = 0.0;
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
    poseMembers(study);
    return true;
}

void studyClose(Study *study) {
    sceneDestroy(study->scene);
    modelFree(study->plain);
    modelFree(study->painted);
    *study = (Study){0};
}

CrowdMember *studyMember(const Study *study, uint32_t pose, uint32_t method) {
    CrowdMember *member = study->scene->crowd->members; /* there are as many of each kind as poses */
    for (uint32_t left = pose; member->character != method || left > 0; member++) {
        left -= member->character == method;
    }
    return member;
}

bool studyMeasure(Study *study, Shape (*shapes)[STUDY_METHODS], EngineError *error) {
    const Scene *scene = study->scene;
    if (!sceneSkinOnce(study->scene, 0.0, error)) {
        return false;
    }
    for (uint32_t pose = 0; pose < study->poseCount; pose++) {
        for (uint32_t method = 0; method < STUDY_METHODS; method++) {
            SkinnedVertices vertices;
            VkskinInstance tube = scene->crowd->instances[studyMember(study, pose, method)->firstInstance];
            if (!readbackInstance(scene->skinning, tube, &vertices, error)) {
                return false;
            }
            shapes[pose][method] = shapeMeasure(study->plain->meshes, &vertices, &study->poses[pose]);
            skinnedVerticesFree(&vertices);
        }
    }
    return true;
}
