/*
 * skin_choice.h: how characters are to be skinned: the ways that have a name, and what else a user may choose.
 */
#ifndef ENGINE_SKIN_CHOICE_H
#define ENGINE_SKIN_CHOICE_H

#include "vkskin/vkskin.h"
#include "model.h"

/* A way of skinning: a method of the library's and the encoding that it reads. */
typedef enum SkinWay {
    SKIN_WAY_LBS = 0,        /* linear blend of matrices */
    SKIN_WAY_DQS = 1,        /* dual quaternions */
    SKIN_WAY_DQS_SCALED = 2, /* dual quaternions with scale and shear */
    SKIN_WAY_BLEND = 3,      /* from linear blend to scaled dual quaternions, by a weight a vertex */
    SKIN_WAY_COR = 4,        /* centres of rotation */
    SKIN_WAY_QT = 5,         /* linear blend of quaternions with translation and scale: 32 bytes a bone */
    SKIN_WAY_QT_HALF = 6,    /* the same in halves: 16 bytes */
    SKIN_WAY_QT_SNORM16 = 7, /* the same, rotations in 16-bit integers: 24 bytes */
    SKIN_WAY_COUNT = 8
} SkinWay;

/* As users write them ("lbs"), by SkinWay, ended by null. */
extern const char *const SKIN_WAY_NAMES[SKIN_WAY_COUNT + 1];

/* "linear blend". Static. */
const char *skinWayTitle(SkinWay way);

VkskinMethod skinWayMethod(SkinWay way);
VkskinPaletteEncoding skinWayEncoding(SkinWay way);

/* "mat3x4". Static. */
const char *skinEncodingName(VkskinPaletteEncoding encoding);

/* As users write them ("compute", "cpu", "auto"), by VkskinBackend, ended by null. */
extern const char *const SKIN_BACKEND_NAMES[];

/* A morph weight that holds whatever the file and its clips say. */
typedef struct MorphSetting {
    const char *name; /* of the target, or its number from 0 in each mesh: see morph_setting.h */
    float weight;     /* finite */
} MorphSetting;

/* All zero: linear blend, cheap normals, weights in float, all influences, morphs as the file has them; by kernels on
 * the device. */
typedef struct SkinChoice {
    SkinWay way;
    VkskinNormals normals;
    VkskinWeightFormat weights;
    uint32_t maxInfluences; /* to 255; 0: all */
    float blend;            /* 0 to 1, of SKIN_WAY_BLEND, for meshes without blend weights of their own */
    const MorphSetting *morphs;
    uint32_t morphCount;
    VkskinBackend backend;
} SkinChoice;

/* Whether the setting is of target `target` of the mesh. */
bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target);

/* Whether it is of any target of the model. */
bool morphSettingIsKnown(const MorphSetting *setting, const Model *model);

#endif
