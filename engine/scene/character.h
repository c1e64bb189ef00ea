/*
 * character.h: a Model made ready: skeleton, clips and skins for posing, meshes for skinning, static streams,
 * index buffers and textures for drawing.
 *
 * Spaces. A part's skinned vertices are in its mesh's own space; characterPart.meshToModel takes them to the model's
 * world space, and Character.modelToCommon from there to a Y-up space of the model's own unit.
 */
#ifndef ENGINE_CHARACTER_H
#define ENGINE_CHARACTER_H

#include "camera.h"
#include "model.h"
#include "resources.h"
#include "skin_choice.h"
#include "skinning.h"

typedef enum CharacterUp {
    CHARACTER_UP_Y = 0, /* .x, .fbx, .dae, .gltf, .glb */
    CHARACTER_UP_Z = 1  /* .md5mesh */
} CharacterUp;

typedef struct CharacterDef {
    const Model *model; /* read during characterCreate, and kept: it outlives the character */
    CharacterUp up;
    VkskinVertexFormat format;
    SkinChoice skin;           /* its morphs are read during characterCreate */
    uint32_t ways;             /* bit w: SkinWay w is used, so that the meshes need its data */
    VkskinProgressFn progress; /* of one mesh's centres of rotation, which take long; null: nobody looks */
    void *progressUser;
} CharacterDef;

/* One drawable part: a mesh of the library's under one palette. */
typedef struct CharacterPart {
    VkskinMesh mesh;          /* shared by parts of one ModelMesh */
    uint32_t modelMesh;       /* index into model->meshes; streams and indices are per mesh */
    uint32_t palette;         /* index into Character.palettes */
    uint32_t material;        /* index into Character.materials */
    VkskinAffine meshToModel; /* the mesh node's world at rest */
    uint32_t carrier;         /* the node whose tracks of morph weights are this part's */
    uint32_t firstMorph;      /* index into Character.morphs */
    uint32_t morphCount;      /* targets of the mesh */
} CharacterPart;

/* The weight of a morph target of a part. */
typedef struct CharacterMorph {
    float weight; /* where no track of the clip has another */
    bool fixed;   /* by a MorphSetting: no track has a say */
} CharacterMorph;

/* Parts of one skin under one node matrix share a palette. */
typedef struct CharacterPalette {
    VkskinSkin skin;
    uint32_t boneCount;
    uint32_t modelSkin;
    VkskinAffine meshToModel;
} CharacterPalette;

/* Static streams of a ModelMesh on the device. */
typedef struct CharacterMesh {
    VkskinMesh mesh;
    Buffer texcoords; /* float2 a vertex; zeros where the model has none */
    Buffer indices;   /* 16 bits where the vertex count is at most 65,535, else 32 */
    VkIndexType indexType;
    uint32_t indexCount;
    uint32_t vertexCount;
} CharacterMesh;

typedef struct CharacterMaterial {
    float baseColour[4];
    uint32_t texture; /* index into Character.textures */
} CharacterMaterial;

typedef struct Character {
    const Model *model;
    Skinning *skinning;
    CharacterUp up;
    VkskinAffine modelToCommon;
    VkskinSkeleton skeleton;
    uint32_t clipCount, meshCount, partCount, paletteCount, textureCount, materialCount;
    VkskinClip *clips;
    CharacterMesh *meshes;
    CharacterPart *parts;
    CharacterPalette *palettes;
    Image *textures; /* the model's, and after them a white texel for materials without one */
    CharacterMaterial *materials;
    CharacterMorph *morphs; /* [morphCount]: of all parts */
    uint32_t morphCount;
    Bounds *boxes; /* [clipCount + 1][2], the last pair of the rest pose: see characterBox */
    uint32_t bonesPerInstance;    /* palette entries that one character takes, all palettes */
    uint32_t verticesPerInstance; /* all parts */
} Character;

/* Uploads of meshes are pending in the context afterwards: the next vkskinRecordSkinning records them. Null on
 * failure, with nothing left over. */
Character *characterCreate(Skinning *skinning, const CharacterDef *def, EngineError *error);

/* The device no longer uses it; no instance of its meshes lives. Null is allowed. */
void characterDestroy(Character *character);

/* World matrices of all nodes of the model at a moment. world: [model->nodeCount]. clip: null for rest. */
bool characterPose(const Character *character, VkskinClip clip, double time, VkskinWrap wrap, VkskinAffine *world,
                   EngineError *error);

/*
 * The morph weights of all parts at a moment: those of part p from firstMorph on. weights: [morphCount]. clip: null for
 * rest.
 */
bool characterMorphWeights(const Character *character, VkskinClip clip, double time, VkskinWrap wrap, float *weights,
                           EngineError *error);

/*
 * The box of the morphed and skinned vertices at a moment, in the model's world space. Computed on the CPU by linear
 * blending, with the model's own weights, scaled to sum to one. clip: null for the rest pose.
 */
bool characterBounds(const Character *character, VkskinClip clip, double time, VkskinWrap wrap, Bounds *bounds,
                     EngineError *error);

/*
 * A box in the model's world space that holds every vertex at every time of a clip, for all morph weights that clips
 * and settings give. It is larger than needed, never smaller. clip: index; clipCount or more for the rest pose.
 */
const Bounds *characterBox(const Character *character, uint32_t clip, SkinWay way);

/* Computes Character.boxes: once, by characterCreate. */
bool characterCreateBoxes(Character *character, EngineError *error);

#endif
