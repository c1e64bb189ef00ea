/*
 * system.h: a skinning system: how the bones of a frame reach the vertices that the passes draw.
 *
 * A frame: the crowd poses into the places that the system gives (Population.palettes), systemUpload records the copies to
 * where shaders read, systemSources says where each drawn instance finds its vertices or bones, and systemBind binds
 * them for a draw. A system may cut a mesh into pieces, each a draw of its own.
 *
 * To add a system: a row in SKIN_SYSTEMS (skin_choice.h), a file here with a SystemType of that name, and
 * shaders/raster/system_NAME.vert.
 */
#ifndef ENGINE_SYSTEM_H
#define ENGINE_SYSTEM_H

#include "population.h"
#include "frames.h"
#include "gpu_crowd.h"
#include "programs.h"
#include "raster/raster_layout.h"
#include "source_mesh.h"

#define SYSTEM_VARIANTS     SKIN_SYSTEM_INFLUENCES /* pipeline variants: i is for i + 1 influences per vertex */
#define SYSTEM_BINDINGS_MAX 2
#define SYSTEM_REMARKS_MAX  8
#define SYSTEM_REMARK_SIZE  160

/* Where the vertex shader finds what it draws. The words go into RasterInstance; the system defines what they mean. */
typedef struct SystemSource {
    uint32_t page; /* for systemBind; parts with the same page may be drawn together */
    uint32_t first, attributes, attributeKind, previousFirst;
} SystemSource;

/* A part of a character that a pass draws. */
typedef struct SystemPart {
    uint32_t character;
    uint32_t part;       /* index among the parts of its character */
    SystemSource source; /* set by systemSources */
} SystemPart;

/* A draw whose arguments the device writes. */
typedef struct SystemDraw {
    uint32_t page;  /* for systemBind */
    uint32_t level; /* 0: the meshes; n: SkinnedModel.levels[n - 1] */
    VkBuffer arguments;
    VkDeviceSize offset;               /* bytes to a VkDrawIndexedIndirectCommand, from argumentsBase */
    const VkDeviceSize *argumentsBase; /* base of the arguments in this frame */
    RasterDraw constants;
} SystemDraw;

/* What a system costs. Bytes of the last frame; the rest, but counters of crowds, is constant. */
typedef struct SystemStats {
    uint32_t bytesPerBone;   /* bytes of a palette entry where shaders read it */
    uint64_t uploadBytes;    /* palettes that the host wrote for the device in the last frame */
    uint32_t imagesPerFrame; /* palette images of one frame in flight; 0: none */
    uint32_t piecesPerFrame; /* draws of one character of each kind in one pass */
    uint32_t bonesPerDraw;   /* bones in a uniform block; 0: no uniform blocks */
    GpuCrowdStats crowd;     /* counts of SKIN_SYSTEM_CROWD, else zero */
    uint32_t remarkCount;    /* limits that had an effect, one line each */
    char remarks[SYSTEM_REMARKS_MAX][SYSTEM_REMARK_SIZE];
} SystemStats;

/* What the pipelines are specialised for. */
typedef struct SystemConstants {
    uint32_t encoding; /* VkskinPaletteEncoding of the palettes */
    uint32_t exactNormals;
    uint32_t pair;  /* SkinTextureLayout */
    uint32_t bones; /* entries of a uniform block */
} SystemConstants;

/* What is asked of a system, before anything is made. */
typedef struct SystemNeed {
    const Device *device;
    const SkinChoice *skin; /* complete */
    const Model *const *models;
    uint32_t modelCount;
    uint32_t count; /* number of characters */
} SystemNeed;

typedef struct System System;

/*
 * A kind of system. Functions with nothing to do are null, but never bind, and never both sources and draws. place: null
 * if the library skins.
 */
typedef struct SystemType {
    size_t size;        /* bytes of the system's struct, which begins with a System */
    const char *shader; /* the vertex shader of all passes; null: those of the pipelines' tables, which pull vertices */
    bool pulls;         /* the shader pulls skinned vertices too; else it reads a SourceMesh */
    VkFormat joints;    /* format of SourceVertex.joints */
    bool byInfluences;  /* pieces by influence count, with a pipeline each */
    bool keepsScale;    /* false: characters with non-uniform scale are refused */
    VkDescriptorSetLayoutBinding bindings[SYSTEM_BINDINGS_MAX]; /* bindings of the set RASTER_SET_PAGE */
    uint32_t bindingCount;
    uint32_t modes; /* bit m: SkinMode m is supported */
    /* What it cannot do with these models, this choice and the limits of this device. */
    bool (*check)(const SystemNeed *need, EngineError *error);
    /* Before meshes are made: sets constants.bones, by which they are split, and stats.bonesPerDraw. */
    void (*prepare)(System *system);
    bool (*create)(System *system, EngineError *error);
    void (*destroy)(System *system);
    /* As in PopulationPalettes. */
    void (*begin)(System *system);
    bool (*place)(System *system, uint32_t kind, const uint32_t *characters, uint32_t count,
                  VkskinPaletteEncoding encoding, void **data, EngineError *error);
    bool (*finish)(System *system, EngineError *error);
    bool (*upload)(System *system, VkCommandBuffer commandBuffer, EngineError *error);
    /* In place of populationCull. */
    void (*view)(System *system, const PopulationView *view);
    /* The draws of a part of a kind in a pass; in place of sources. */
    const SystemDraw *(*draws)(const System *system, PopulationPass pass, uint32_t kind, uint32_t part,
                               uint32_t *count);
    bool (*sources)(System *system, SystemPart *parts, uint32_t count, EngineError *error);
    void (*bind)(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                 const SystemPiece *piece);
} SystemType;

struct System {
    const SystemType *type;
    Device *device;
    Population *population;
    SkinChoice skin;              /* complete; without morphs */
    VkDescriptorSetLayout layout; /* layout of RASTER_SET_PAGE; the pipelines own it */
    SystemConstants constants;
    uint32_t variants;         /* bit v: a piece needs pipeline variant v */
    SystemMesh **meshes;       /* [modelCount][meshCount], then as many of each level of detail that is drawn */
    SourceMesh **sourceMeshes; /* likewise, for systems with a shader of their own */
    uint32_t meshCount;        /* meshes of all kinds */
    uint64_t vertexCount;      /* vertices of these */
    SystemStats stats;
    GpuCrowd *gpu; /* only SKIN_SYSTEM_CROWD has one; else null */
};

#define SYSTEM_DECLARE_TYPE(system, name, help) extern const SystemType system##_TYPE;
SKIN_SYSTEMS(SYSTEM_DECLARE_TYPE)
#undef SYSTEM_DECLARE_TYPE

const SystemType *systemType(SkinSystem system);

/* Whether the system has the method and the weights of a complete choice; a part of systemCheck. */
bool systemCheckChoice(const SkinChoice *skin, EngineError *error);

/*
 * Whether the system draws these models on this device: one line that names the system, the model's part or the limit
 * where it does not. Makes nothing. systemCreate checks it again.
 */
bool systemCheck(const SystemNeed *need, EngineError *error);

/* The crowd outlives it; Population.palettes is set until systemDestroy. Null on failure. */
System *systemCreate(Device *device, Population *population, VkDescriptorSetLayout layout, EngineError *error);

/* The device must no longer use it. Null is allowed. */
void systemDestroy(System *system);

/* After populationPose, outside a render pass: records what the passes need: copies of the frame's palettes, or a crowd on the
 * device. */
bool systemUpload(System *system, VkCommandBuffer commandBuffer, EngineError *error);

/* Sets SystemPart.source. parts: [count], of characters that populationPose posed in this frame. */
bool systemSources(System *system, SystemPart *parts, uint32_t count, EngineError *error);

/* Number of meshes in System.meshes of a kind. */
uint32_t systemMeshCount(const System *system, uint32_t kind);

/* source: what meshes[kind][index] was made from, with the triangles as the model or the level has them. */
typedef bool (*SystemMeshFn)(void *user, uint32_t kind, uint32_t index, const ModelMesh *source, EngineError *error);

/* Calls `fn` for each mesh of each kind until it fails. */
bool systemEachMesh(const System *system, SystemMeshFn fn, void *user, EngineError *error);

/* Binds RASTER_SET_PAGE for the draw of a piece. */
void systemBind(const System *system, VkCommandBuffer commandBuffer, VkPipelineLayout layout, uint32_t page,
                const SystemPiece *piece);

/* ---- For systems ---- */

/* "system 'NAME': ..." */
__attribute__((format(printf, 3, 4))) bool systemFail(const SkinChoice *skin, EngineError *error, const char *format,
                                                      ...);

/* Adds a line to SystemStats.remarks, once for each text. */
__attribute__((format(printf, 2, 3))) void systemRemark(System *system, const char *format, ...);

/* Whether images of the format can be copied to and read by shaders, and whether `bindings` of them fit a stage. */
bool systemCheckFormat(const SystemNeed *need, VkFormat format, const char *name, EngineError *error);

/* The number of bones in the palettes of a character before this one. */
uint32_t systemBonesBefore(const SkinnedModel *skinned, uint32_t palette);

/* Binds one set without dynamic offsets. */
void systemBindSet(VkCommandBuffer commandBuffer, VkPipelineLayout layout, VkDescriptorSet set);

#endif
