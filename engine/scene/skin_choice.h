/*
 * skin_choice.h: how characters are skinned: named modes, each a method with an encoding, and the user's other choices.
 *
 * A MorphSetting applies to all morph targets of its name. If the model has no such target and the name is a whole
 * number, it applies to the target of that number in each mesh.
 */
#ifndef ENGINE_SKIN_CHOICE_H
#define ENGINE_SKIN_CHOICE_H

#include "vkskin/vkskin.h"
#include "model.h"

/* The default: linear blend of matrices. As X(enumerator, method, encoding, name for users, title, help). */
#define SKIN_MODE_DEFAULT(X) X(LBS, LINEAR_BLEND, MAT3X4, "lbs", "linear blend", "linear")

/* All others. */
#define SKIN_MODE_OTHERS(X)                                                                                            \
    X(DQS, DUAL_QUATERNION, DUAL_QUATERNION, "dqs", "dual quaternions", "dual quaternions, rigid bones only")          \
    X(DQS_SCALED, SCALED_DUAL_QUATERNION, SCALED_DUAL_QUATERNION, "dqs-scaled", "scaled dual quaternions",             \
      "the same with scale and shear")                                                                                 \
    X(BLEND, PAINTED_BLEND, SCALED_DUAL_QUATERNION, "blend", "painted blend", "between lbs and dqs-scaled")            \
    X(COR, CENTRES_OF_ROTATION, SCALED_DUAL_QUATERNION, "cor", "centres of rotation",                                  \
      "centres of rotation, computed first")                                                                           \
    X(QT, LINEAR_BLEND, QUATERNION, "qt", "linear blend of quaternions", "linear from quaternions, uniform scale")     \
    X(QT_HALF, LINEAR_BLEND, QUATERNION_HALF, "qt-half", "linear blend of half quaternions", "the same in halves")     \
    X(QT_SNORM16, LINEAR_BLEND, QUATERNION_SNORM16, "qt-snorm16", "linear blend of 16-bit quaternions",                \
      "the same with rotations in 16-bit integers")

#define SKIN_MODES(X) SKIN_MODE_DEFAULT(X) SKIN_MODE_OTHERS(X)

/* A method and an encoding that it reads, for meshes of three dimensions: SKIN_MODE_LBS and so on. */
#define SKIN_MODE_ENUMERATOR(mode, method, encoding, name, title, help) SKIN_MODE_##mode,
typedef enum SkinMode { SKIN_MODES(SKIN_MODE_ENUMERATOR) SKIN_MODE_COUNT } SkinMode;

/* Names in command lines, such as "lbs", indexed by SkinMode. The last entry is null. */
extern const char *const SKIN_MODE_NAMES[SKIN_MODE_COUNT + 1];

/* For example "linear blend". Static. */
const char *skinModeTitle(SkinMode mode);

/*
 * The mode that the blend weights of the models ask for: SKIN_MODE_LBS without any, SKIN_MODE_DQS_SCALED where every
 * mesh with several bones has them and all are 1, else SKIN_MODE_BLEND. Meshes without blend weights are meant to be
 * linear: SkinChoice.blend must be 0.
 */
SkinMode skinModeAsked(const Model *const *models, uint32_t count);

VkskinMethod skinModeMethod(SkinMode mode);
VkskinPaletteEncoding skinModeEncoding(SkinMode mode);

/* For example "mat3x4". Static. */
const char *skinEncodingName(VkskinPaletteEncoding encoding);

/* Names in command lines ("compute", "cpu", "auto"), indexed by VkskinBackend. The last entry is null. */
extern const char *const SKIN_BACKEND_NAMES[];

/*
 * How bones reach the vertices that are drawn. X(enumerator, name, help). Each has a type of that name: render/systems.
 * All but these two skin in the vertex shader of every pass.
 */
#define SKIN_SYSTEMS(X)                                                                                                \
    X(COMPUTE, "compute",                                                                                              \
      "posed on the CPU, skinned once by the backend; the last five skin in the vertex shader of each pass")           \
    X(CROWD, "crowd", "posed, culled and skinned by the backend, with a constant number of commands")                  \
    X(VERTEX_BUFFER, "vertex-buffer", "from a storage buffer")                                                         \
    X(TEXTURE_QT, "texture-qt", "from images of quaternions and translations")                                         \
    X(TEXTURE_MATRIX, "texture-matrix", "from images of matrices")                                                     \
    X(UNIFORM_MATRIX, "uniform-matrix", "from uniform blocks of matrices, with split meshes")                          \
    X(UNIFORM_2D, "uniform-2d", "flat models from uniform blocks of 64 joints")

#define SKIN_SYSTEM_ENUMERATOR(system, name, help) SKIN_SYSTEM_##system,
typedef enum SkinSystem { SKIN_SYSTEMS(SKIN_SYSTEM_ENUMERATOR) SKIN_SYSTEM_COUNT } SkinSystem;

/* Influences per vertex, at most, of the systems that skin in the vertex shader. */
#define SKIN_SYSTEM_INFLUENCES 4

/* Images of SKIN_SYSTEM_TEXTURE_QT: two images with a texel per bone each, or one with two texels per bone. */
typedef enum SkinTextureLayout { SKIN_TEXTURE_TWO = 0, SKIN_TEXTURE_PAIR, SKIN_TEXTURE_LAYOUT_COUNT } SkinTextureLayout;

/* Format of rotations in these images. Translations are half with half rotations, else float. */
typedef enum SkinTextureFormat {
    SKIN_TEXTURE_FLOAT = 0,
    SKIN_TEXTURE_HALF,
    SKIN_TEXTURE_SNORM16, /* not with SKIN_TEXTURE_PAIR: an image has one format */
    SKIN_TEXTURE_FORMAT_COUNT
} SkinTextureFormat;

/* Whether the passes read vertices that were skinned once. */
bool skinSystemSkinsOnce(SkinSystem system);

/* Names in command lines. The last entries are null. */
extern const char *const SKIN_SYSTEM_NAMES[SKIN_SYSTEM_COUNT + 1];
extern const char *const SKIN_TEXTURE_LAYOUT_NAMES[SKIN_TEXTURE_LAYOUT_COUNT + 1];
extern const char *const SKIN_TEXTURE_FORMAT_NAMES[SKIN_TEXTURE_FORMAT_COUNT + 1];

/* A morph weight that replaces the weights of the file and its clips. */
typedef struct MorphSetting {
    const char *name; /* name of the target, or its number in each mesh, from 0 */
    float weight;     /* finite */
} MorphSetting;

/* All zero: linear blend, cheap normals, float weights, all influences, morph weights of the file, compute kernels,
 * drawn from skinned vertices. */
typedef struct SkinChoice {
    SkinMode mode;
    VkskinNormals normals;
    VkskinWeightFormat weights;
    uint32_t maxInfluences; /* up to 255; 0: all */
    float blend;            /* 0 to 1, for SKIN_MODE_BLEND and meshes without blend weights */
    const MorphSetting *morphs;
    uint32_t morphCount;
    VkskinBackend backend; /* backend of systems that skin once */
    SkinSystem system;
    bool motion; /* keep previous positions and places, for motion vectors; of systems that skin once */
    SkinTextureLayout textureLayout;
    SkinTextureFormat textureFormat;
    uint32_t bonesPerDraw; /* only SKIN_SYSTEM_UNIFORM_MATRIX; 0: as many as a uniform block of the device holds */
    /* Maximum error of packed clips, see ModelPackDef.millimetres; 0: SKINNED_MODEL_CROWD_ERROR for crowds, else none. */
    double maxError;
    /* The following are of SKIN_SYSTEM_CROWD only. */
    uint32_t lods;         /* levels of detail, the meshes included; 0: 1 */
    uint32_t intervals[4]; /* by level: 1, 2 or 4: in one of how many frames its characters are skinned; 0: 1 */
    uint64_t maxVertices;  /* vertices skinned in a frame, on average, of all models together; 0: any number */
    const char *optional;  /* names of meshes with commas between them, or null: half of the characters show each */
    uint32_t slots;        /* characters of a kind that are skinned in a frame, of each level; 0: see GpuCrowd */
} SkinChoice;

/*
 * The choice with what the system implies: if the passes skin, at most SKIN_SYSTEM_INFLUENCES influences and no backend
 * but the device; with SKIN_SYSTEM_TEXTURE_QT the mode of its format. Idempotent.
 */
SkinChoice skinChoiceComplete(const SkinChoice *choice);

/* Whether the setting applies to target `target` of the mesh. */
bool morphSettingIsOf(const MorphSetting *setting, const Model *model, uint32_t mesh, uint32_t target);

/* Whether it applies to any target of the model. */
bool morphSettingIsKnown(const MorphSetting *setting, const Model *model);

#endif
