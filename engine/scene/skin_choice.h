/*
 * skin_choice.h: how characters are skinned: the named modes, each a method with an encoding, and the user's other choices.
 *
 * A MorphSetting applies to all morph targets of its name. If the model has no such target and the name is a whole number,
 * it applies to the target of that number in each mesh.
 */
#ifndef ENGINE_SKIN_CHOICE_H
#define ENGINE_SKIN_CHOICE_H

#include "vkskin/vkskin.h"
#include "model.h"

/* A method of the library and the palette encoding that it reads. */
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

/* The names that users write, such as "lbs", by SkinWay, ended by null. */
extern const char *const SKIN_WAY_NAMES[SKIN_WAY_COUNT + 1];

/* Such as "linear blend". Static. */
const char *skinWayTitle(SkinWay way);

VkskinMethod skinWayMethod(SkinWay way);
VkskinPaletteEncoding skinWayEncoding(SkinWay way);

/* Such as "mat3x4". Static. */
const char *skinEncodingName(VkskinPaletteEncoding encoding);

/* The names that users write ("compute", "cpu", "auto"), by VkskinBackend, ended by null. */
extern const char *const SKIN_BACKEND_NAMES[];

/* A morph weight that replaces those of the file and its clips. */
typedef struct MorphSetting {
    const char *name; /* of the target, or its number in each mesh, from 0 */
    float weight;     /* finite */
} MorphSetting;

/* All zero: linear blend, cheap normals, float weights, all influences, morph weights of the file, compute kernels. */
typedef struct SkinChoice {
    SkinWay way;
    VkskinNormals normals;
    VkskinWeightFormat weights;
    uint32_t maxInfluences; /* up to 255; 0: all */
    float blend;            /* 0 to 1, of SKIN_WAY_BLEND, for meshes without blend weights of their own */
    const MorphSetting *morphs;
    uint32_t morphCount;
    VkskinBackend backend;
} SkinChoice;

/* Whether the setting applies to target `target` of the mesh. */
bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target);

/* Whether it applies to any target of the model. */
bool morphSettingIsKnown(const MorphSetting *setting, const Model *model);

#endif
