/*
 * skinned_model.h: a Model on the device: skeleton, clips and skins for posing; meshes for skinning; texture coordinates,
 * colours, indices and textures for drawing. It owns all of these.
 *
 * Spaces: a part's skinned vertices are in mesh space. SkinnedPart.meshToModel transforms them to the model's world
 * space. Character.modelToCommon transforms from there to a Y-up space in the model's unit.
 */
#ifndef ENGINE_CHARACTER_H
#define ENGINE_CHARACTER_H

#include "model_bounds.h"
#include "model_pack.h"
#include "motion.h"
#include "resources.h"
#include "skin_choice.h"
#include "skinning.h"

/* Millimetres, as ModelPackDef.millimetres: of the clips of a crowd on the device, which are always packed. It is invisible
 * at the distance of a crowd. */
#define SKINNED_MODEL_CROWD_ERROR 1.0

typedef struct SkinnedModel SkinnedModel;

typedef struct SkinnedModelDef {
    const Model *model; /* must outlive the skinned model */
    /* Null, or a skinned model whose meshes get the data of this one's: the new one takes them over. It has as many
     * meshes. After a failure it keeps them, some perhaps with new data. */
    SkinnedModel *replaced;
    VkskinVertexFormat format;
    SkinChoice skin;            /* settings; `morphs` is used only during skinnedModelCreate */
    uint32_t modes;             /* bit m: the meshes get the data that SkinMode m needs */
    const MotionChoice *motion; /* used only during skinnedModelCreate; null: clips as they are */
    VkskinProgressFn progress;  /* while centres of rotation are computed, which is slow; null: none */
    void *progressUser;
} SkinnedModelDef;

/* How a part is drawn, cheapest first. */
typedef enum SkinnedLook {
    SKINNED_LOOK_PLAIN = 0, /* at most a base colour texture */
    SKINNED_LOOK_DETAILED,  /* other maps, or colours per vertex */
    SKINNED_LOOK_MASKED,    /* as detailed, and cut out by alpha */
    SKINNED_LOOK_BLENDED,   /* as detailed, and mixed with what is behind */
    SKINNED_LOOK_COUNT
} SkinnedLook;

/* One drawable part: a mesh skinned with one palette. */
typedef struct SkinnedPart {
    VkskinMesh mesh;    /* shared by parts of one ModelMesh */
    uint32_t modelMesh; /* index into model->meshes; streams and indices are per mesh */
    uint32_t palette;   /* index into Character.palettes */
    uint32_t material;  /* index into Character.materials */
    SkinnedLook look;
    VkskinAffine meshToModel; /* the mesh node's world matrix at rest */
    bool mirrored;            /* at rest, its bones turn counter-clockwise triangles round */
    uint32_t carrier;         /* the node whose morph weight tracks this part uses */
    uint32_t firstMorph;      /* index into Character.morphs */
    uint32_t morphCount;      /* targets of the mesh */
} SkinnedPart;

/* The weight of one morph target of a part. */
typedef struct SkinnedMorph {
    float weight; /* without a track */
    bool fixed;   /* set by a MorphSetting: tracks are ignored */
} SkinnedMorph;

/* Parts with the same skin and the same meshToModel share a palette. */
typedef struct SkinnedPalette {
    VkskinSkin skin;
    uint32_t boneCount;
    uint32_t modelSkin;
    VkskinAffine meshToModel;
} SkinnedPalette;

/* A ModelMesh on the device. */
typedef struct SkinnedMesh {
    VkskinMesh mesh;
    Buffer texcoords; /* float2 per vertex; zeros if the model has none */
    Buffer colours;   /* unorm16 x 4 per vertex; ones if the model has none; zero if no detailed part shows the mesh */
    Buffer indices;   /* 16-bit if the mesh has at most 65,535 vertices, else 32-bit */
    VkIndexType indexType;
    uint32_t indexCount;
    uint32_t vertexCount;
    VkskinVertexFormat format; /* format of skinned normals and tangents */
    bool hasNormals, hasTangents;
} SkinnedMesh;

/* A coarser level of detail. Its parts are those of the model with other meshes. */
typedef struct SkinnedLevel {
    double error;        /* in the model's unit */
    VkskinSkin *skins;   /* [paletteCount]: the bones that the meshes use */
    SkinnedMesh *meshes; /* [meshCount] */
} SkinnedLevel;

typedef struct SkinnedMaterial {
    const ModelMaterial *source;
    const Image *maps[MODEL_MAP_COUNT]; /* one white texel for maps that the material does not have */
} SkinnedMaterial;

struct SkinnedModel {
    const Model *model;
    Skinning *skinning;
    VkskinAffine modelToCommon;
    VkskinSkeleton skeleton;
    ClipSource source; /* source of the poses: skeleton, clips and packed clips below */
    uint32_t clipCount, meshCount, partCount, paletteCount, textureCount, materialCount;
    VkskinClip *clips;
    /* For packed models, for crowds, or if SkinChoice.maxError is set: poses come from these clips. */
    PackedModel packed;
    SkinnedMesh *meshes;
    SkinnedLevel *levels; /* [levelCount]; none unless SkinChoice.lods asks for them and the model has them */
    uint32_t levelCount;
    SkinnedPart *parts;
    SkinnedPalette *palettes;
    Image *textures;            /* two for each of the model: sRGB and linear, zero if not used; then a white texel */
    SkinnedMaterial *materials; /* at least one */
    Motion *motion;             /* what skinnedModelPose does beyond the clip; null without a MotionChoice */
    SkinnedMorph *morphs;       /* [morphCount]: of all parts */
    uint32_t morphCount;
    Bounds *boxes; /* null, or [clipCount + 1][2]; the last pair is the rest pose: see skinnedModelBox */
    VkskinAnimationBox *nodeBoxes; /* null, or [nodeCount], over all morph weights: see skinnedModelPoseBox */
    float *meshMaxDistance;        /* null, or [meshCount]: largest distance of a vertex from the mesh's origin */
    uint32_t bonesPerInstance;     /* palette entries of one character, all palettes */
    uint32_t verticesPerInstance;  /* all parts */
};

/* Mesh uploads stay pending in the context until the next vkskinRecordSkinning records them. Null on failure. */
SkinnedModel *skinnedModelCreate(Skinning *skinning, const SkinnedModelDef *def, EngineError *error);

/* The device must no longer use it, and no instance of its meshes may exist. Null is allowed. */
void skinnedModelDestroy(SkinnedModel *skinned);

/* The static streams of a mesh: texture coordinates, colours, indices. mesh: zero, except its VkskinMesh; to be
 * destroyed on failure too. */
bool skinnedModelCreateStreams(Device *device, const Model *model, const ModelMesh *source, SkinnedMesh *mesh,
                               EngineError *error);
void skinnedModelDestroyStreams(Device *device, SkinnedMesh *mesh);

/* World matrices of all nodes at a moment, with the motion. swing, here and below: see motionPose; may be null.
 * world: [model->nodeCount]. clip, here and below: index;
 * clipCount or more for the rest pose. */
bool skinnedModelPose(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                      VkskinAffine *world, EngineError *error);

/* The morph weights of all parts at a moment. The weights of part p start at its firstMorph. weights: [morphCount] */
bool skinnedModelMorphWeights(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, float *weights,
                              EngineError *error);

/*
 * The box of the morphed and skinned vertices at a moment, in the model's world space. Computed on the CPU with linear
 * blending and the model's weights, normalised.
 */
bool skinnedModelBounds(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, Bounds *bounds,
                        EngineError *error);

/* The same, added to a box for each space: model_bounds.h. */
bool skinnedModelAddBounds(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                           const BoundsSpaces *spaces, Bounds *bounds, EngineError *error);

/*
 * A box in the model's world space that holds every vertex at every time of a clip. It covers all morph weights of
 * clips and settings. It is larger than needed, never smaller.
 */
const Bounds *skinnedModelBox(const SkinnedModel *skinned, uint32_t clip, SkinMode mode);

/* The same for one pose, from any source. world: [nodeCount]. False: the matrices are not finite. Any thread. */
bool skinnedModelPoseBox(const SkinnedModel *skinned, const VkskinAffine *world, SkinMode mode, Bounds *box);

/* Computes the boxes, if they are null. A population does this when it is made. */
bool skinnedModelCreateBoxes(SkinnedModel *skinned, EngineError *error);

#endif
