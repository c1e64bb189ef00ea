#include <stdlib.h>
#include <string.h>

#include "baseline_crowd.h"
#include "compile.h"
#include "count_of.h"
#include "frame_crowd.h"
#include "gpu_program.h"
#include "null_compiler.h"

/* What RADV knows: it ends the process at other names. The first ones are the default. */
#define FAMILIES_DEFAULT 5u
static char *FAMILIES[] = {"polaris10", "vega10", "navi10",  "navi21", "gfx1100", "tonga",  "polaris11",
                           "polaris12", "vegam",  "vega12",  "vega20", "raven",   "raven2", "renoir",
                           "navi12",    "navi14", "vangogh", "navi22", "navi23",  "navi24", "rembrandt"};

/* ---- The library's kernels ---- */

/* A mesh, and the methods that skin it. Vertices have 1, 2, 3, 4 and 8 influences, so each row gives five kernels. */
typedef struct KernelRow {
    VkskinMethod method;
    VkskinPaletteEncoding encoding;
    VkskinVertexFormat format;
    uint32_t attributes; /* 0: positions, 1: and normals, 2: and tangents */
    VkskinNormals normals;
    bool morphs, interleaved, texels;
    bool flat, influencePositions;
} KernelRow;

#define LINEAR  VKSKIN_METHOD_LINEAR_BLEND
#define MATRIX  VKSKIN_PALETTE_MAT3X4
#define SCALED  VKSKIN_PALETTE_SCALED_DUAL_QUATERNION
#define TANGENT .attributes = 2

/* The first row is the main one. */
static const KernelRow ROWS[] = {
    {LINEAR, MATRIX, TANGENT},
    {LINEAR, MATRIX, .attributes = 1},
    {LINEAR, MATRIX, .attributes = 0},
    {LINEAR, MATRIX, VKSKIN_VERTEX_FLOAT, TANGENT},
    {LINEAR, MATRIX, VKSKIN_VERTEX_SNORM10, TANGENT},
    {LINEAR, MATRIX, TANGENT, .normals = VKSKIN_NORMALS_EXACT},
    {LINEAR, MATRIX, TANGENT, .morphs = true},
    {LINEAR, MATRIX, TANGENT, .interleaved = true},
    {LINEAR, VKSKIN_PALETTE_QUATERNION, TANGENT},
    {LINEAR, VKSKIN_PALETTE_QUATERNION_HALF, TANGENT},
    {LINEAR, VKSKIN_PALETTE_QUATERNION_SNORM16, TANGENT},
    {VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_PALETTE_DUAL_QUATERNION, TANGENT},
    {VKSKIN_METHOD_SCALED_DUAL_QUATERNION, SCALED, TANGENT},
    {VKSKIN_METHOD_PAINTED_BLEND, SCALED, TANGENT},
    {VKSKIN_METHOD_CENTRES_OF_ROTATION, SCALED, TANGENT},
    {LINEAR, VKSKIN_PALETTE_MAT2X3, .flat = true},
    {LINEAR, VKSKIN_PALETTE_MAT2X3, .flat = true, .influencePositions = true},
    {LINEAR, MATRIX, TANGENT, .texels = true},
};

#define VERTICES   5
#define INFLUENCES 8
#define BONES      8

/* The arrays of the mesh. Their values do not matter, except where they select a kernel. */
typedef struct KernelMesh {
    float positions[VERTICES * INFLUENCES * 2]; /* also one per influence */
    float normals[VERTICES * 3], tangents[VERTICES * 4], moves[VERTICES * 3];
    float blendWeights[VERTICES];
    float weights[VERTICES * INFLUENCES];
    uint32_t joints[VERTICES * INFLUENCES];
    uint32_t indices[3 * (VERTICES - 2)];
    void *centres;
} KernelMesh;

typedef struct Compiling {
    Device *device;
    bool quick;
    FILE *dump;
    CompiledDevice *compiled;
    KernelMesh mesh;
    FrameScene scene; /* scene of the crowd */
    VkskinContext context;
    bool texels;          /* palettes of `context` are texels */
    double instances;     /* K of `context` */
    const KernelRow *row; /* row of the kernels that are being compiled; null: they do not skin */
    EngineError *error;
    bool failed;
    char message[ENGINE_ERROR_SIZE];
} Compiling;

static void fillMesh(KernelMesh *mesh) {
    static const uint32_t counts[VERTICES] = {1, 2, 3, 4, INFLUENCES};
    for (uint32_t i = 0; i < VERTICES * INFLUENCES; i++) {
        const uint32_t count = counts[i / INFLUENCES], place = i % INFLUENCES;
        mesh->joints[i] = place < count ? place : 0;
        mesh->weights[i] = place < count ? 1.0f / (float)count : 0.0f;
    }
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
        mesh->positions[i] = mesh->normals[i] = 1.0f / (float)(1 + i % 7);
    }
    for (uint32_t i = 0; i < 3 * (VERTICES - 2); i++) {
        mesh->indices[i] = i / 3 + i % 3;
    }
}

static VkskinMeshDef meshDef(const KernelMesh *mesh, const KernelRow *row) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = VERTICES;
    def.boneCount = BONES;
    def.dimensions = row->flat ? 2 : 3;
    def.positions = mesh->positions;
    def.influencePositions = row->influencePositions ? mesh->positions : NULL;
    def.normals = row->attributes > 0 ? mesh->normals : NULL;
    def.tangents = row->attributes > 1 ? mesh->tangents : NULL;
    def.influencesPerVertex = INFLUENCES;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.format = row->format;
    def.normalRule = row->normals;
    def.blendWeights = row->method == VKSKIN_METHOD_PAINTED_BLEND ? mesh->blendWeights : NULL;
    def.indices = mesh->indices;
    def.indexCount = 3 * (VERTICES - 2);
    return def;
}

static bool check(Compiling *compiling, VkskinResult result) {
    return !compiling->failed &&
           (result >= 0 || engineFail(compiling->error, "%.400s (%s)", compiling->message, vkskinResultName(result)));
}

static bool compileRow(Compiling *compiling, const KernelRow *row) {
    static const VkskinOutputLayout interleaved = CROWD_INTERLEAVED_LAYOUT;
    KernelMesh *arrays = &compiling->mesh;
    const VkskinMorphTarget morph = {.vertexCount = VERTICES, .positions = arrays->moves};
    VkskinMeshDef def = meshDef(arrays, row);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    VkskinMesh mesh = {0};
    VkskinResult result = VKSKIN_SUCCESS;
    compiling->row = row;
    def.morphTargets = row->morphs ? &morph : NULL;
    def.morphTargetCount = row->morphs;
    def.layout = row->interleaved ? &interleaved : NULL;
    if (row->method == VKSKIN_METHOD_CENTRES_OF_ROTATION) {
        def.centresSize = vkskinCentresSize(VERTICES);
        arrays->centres = arrays->centres ? arrays->centres : malloc(def.centresSize);
        def.centres = arrays->centres;
        result = vkskinComputeCentres(&def, NULL, arrays->centres, def.centresSize);
    }
    pipelines.methods = VKSKIN_METHOD_BIT(row->method);
    pipelines.encodings = VKSKIN_PALETTE_BIT(row->encoding);
    pipelines.meshes = &mesh;
    pipelines.meshCount = 1;
    return check(compiling, result) && check(compiling, vkskinCreateMesh(compiling->context, &def, &mesh)) &&
           check(compiling, vkskinCreatePipelines(compiling->context, &pipelines));
}

static bool compileRows(Compiling *compiling) {
    bool good = true;
    for (size_t i = 0; good && i < (compiling->quick ? 1 : COUNT_OF(ROWS)); i++) {
        good = ROWS[i].texels != compiling->texels || compileRow(compiling, &ROWS[i]);
    }
    return good;
}

/* The passes of a crowd. */
static bool compileCrowd(Compiling *compiling) {
    FrameState state = {.context = compiling->context, .rooms = {1}, .scene = compiling->scene};
    const VkskinMeshDef def = crowdSceneMeshDef(&state.scene.meshes[0], VKSKIN_VERTEX_PACKED, (VkskinWeightFormat)0);
    compiling->row = NULL;
    return check(compiling, vkskinCreateMesh(state.context, &def, &state.meshes[0])) &&
           check(compiling, frameCrowdMake(&state));
}

/* ---- Bytes of a vertex ---- */

#define SCENE_BONES    64.0
#define SCENE_VERTICES 5000.0

/* Positions, normals and tangents, in input and output. */
static double attributeBytes(const KernelRow *row, bool output) {
    const double position = row->flat ? 8 : 12;
    if (row->interleaved && output) {
        return position + 4.0 * row->attributes;
    }
    return position + (row->format == VKSKIN_VERTEX_FLOAT && row->attributes > 0 ? 12.0 + 16.0 * (row->attributes - 1)
                                                                                 : 4.0 * row->attributes);
}

/* influences: from the end of the kernel's name. */
static void countBytes(const KernelRow *row, double instances, CompiledKernel *kernel) {
    const char *end = strstr(kernel->name, " influences");
    const char *many = strstr(kernel->name, "from ");
    const double influences = many ? INFLUENCES : end[-1] - '0';
    const double stride = (double)vkskinPaletteStride(row->encoding);
    const double joints =
        influences * 1.0 + 4.0 * (many ? influences : influences - 1.0); /* bytes, and float weights */
    const double points = row->influencePositions ? 8.0 * (influences - 1.0) : 0.0;
    kernel->bytes = attributeBytes(row, true) + stride * SCENE_BONES / SCENE_VERTICES +
                    (attributeBytes(row, false) + joints + points) / instances;
    kernel->paletteBytes = influences * stride;
    kernel->instances = instances;
}

/* ---- Keeping ---- */

static bool keep(Compiling *compiling, const char *name, VkPipeline pipeline) {
    CompiledDevice *compiled = compiling->compiled;
    if (compiled->count == COMPILE_KERNELS_MAX) {
        return engineFail(compiling->error, "more than %u kernels", COMPILE_KERNELS_MAX);
    }
    CompiledKernel *kernel = &compiled->kernels[compiled->count];
    if (!compileRead(compiling->device, pipeline, name, compiling->dump, kernel, compiling->error)) {
        return false;
    }
    compiled->count++;
    if (compiling->row) {
        countBytes(compiling->row, compiling->instances, kernel);
    }
    return true;
}

static void keepNamed(void *user, const char *name, VkPipeline pipeline) {
    Compiling *compiling = user;
    char shown[2 * COMPILE_NAME_SIZE];
    const size_t prefix = strlen("vkskin ");
    snprintf(shown, sizeof shown, "%s%s", name + prefix, compiling->texels ? ", texels" : "");
    compiling->failed = !keep(compiling, shown, pipeline) || compiling->failed;
}

static void keepMessage(void *user, VkskinResult result, const char *message) {
    Compiling *compiling = user;
    if (result < 0) {
        snprintf(compiling->message, sizeof compiling->message, "%s", message);
    }
}

/* ---- A device ---- */

static bool compileContext(Compiling *compiling, bool texels) {
    const Device *device = compiling->device;
    const NullCompilerDef compiler = {.physicalDevice = device->physical,
                                      .device = device->handle,
                                      .instance = device->instance,
                                      .getInstanceProcAddr = vkGetInstanceProcAddr,
                                      .getDeviceProcAddr = vkGetDeviceProcAddr,
                                      .compiled = keepNamed,
                                      .user = compiling};
    NullDriver *driver = nullCompilerCreate(&compiler);
    VkskinContextDef def = nullCompilerContextDef(driver);
    def.logger = (VkskinLogger){keepMessage, compiling};
    def.memory.pageSize = 1 << 20;
    def.memory.paletteBytesPerFrame = 1 << 16;
    def.paletteBinding = texels ? VKSKIN_PALETTE_BINDING_TEXELS : VKSKIN_PALETTE_BINDING_STORAGE;
    compiling->texels = texels;
    VkskinTuning tuning = {0};
    bool good = check(compiling, vkskinCreateContext(&def, &compiling->context)) &&
                check(compiling, vkskinGetTuning(compiling->context, &tuning));
    compiling->instances = tuning.instancesPerThread;
    good = good && compileRows(compiling) && (texels || compiling->quick || compileCrowd(compiling));
    vkskinDestroyContext(compiling->context);
    compiling->context = NULL;
    nullDriverDestroy(driver);
    return good;
}

static bool compileBaseline(Compiling *compiling) {
    const ComputeProgramDef def = {
        .shader = "baseline.comp", .bufferCount = 3, .pushSize = sizeof(uint32_t), .sets = 1};
    ComputeProgram program;
    bool good = computeProgramCreate(compiling->device, &def, &program, compiling->error);
    if (good) {
        good = keep(compiling, "bench: baseline", program.pipeline);
        if (good) { /* 48 bytes in, 40 out */
            CompiledKernel *kernel = &compiling->compiled->kernels[compiling->compiled->count - 1];
            kernel->bytes = 88.0 + 48.0 * SCENE_BONES / SCENE_VERTICES;
            kernel->paletteBytes = 4.0 * 48.0;
            kernel->instances = 1.0;
        }
        computeProgramDestroy(&program);
    }
    return good;
}

static bool compileDrawn(Compiling *compiling, const char *shader, const VkPipelineVertexInputStateCreateInfo *input,
                         const char *name) {
    const PointProgramDef def = {.vertexShader = shader, .input = input, .bones = 64, .vertices = 1, .sets = 1};
    PointProgram program = {0};
    bool good = pointProgramCompile(compiling->device, &def, &program, compiling->error) &&
                keep(compiling, name, program.timed);
    pointProgramDestroy(&program);
    return good;
}

/* The bench's own shaders, by volk's functions. */
static bool compileBench(Compiling *compiling) {
    const PFN_vkCreateComputePipelines compute = vkCreateComputePipelines;
    const PFN_vkCreateGraphicsPipelines graphics = vkCreateGraphicsPipelines;
    compiling->row = NULL;
    vkCreateComputePipelines = nullCompileCompute;
    vkCreateGraphicsPipelines = nullCompileGraphics;
    bool good =
        compileBaseline(compiling) &&
        compileDrawn(compiling, "skin_in_vertex_shader.vert", &BASELINE_INPUT, "bench: skin in vertex shader") &&
        compileDrawn(compiling, "pull_skinned.vert", NULL, "bench: draw skinned vertices");
    vkCreateComputePipelines = compute;
    vkCreateGraphicsPipelines = graphics;
    return good;
}

static bool isFamily(const char *family, EngineError *error) {
    for (size_t i = 0; i < COUNT_OF(FAMILIES); i++) {
        if (strcmp(family, FAMILIES[i]) == 0) {
            return true;
        }
    }
    return engineFail(
        error, "no family '%.40s'; those of RADV are polaris10, vega10, navi10, navi21, gfx1100 and others", family);
}

static Device *openDevice(const char *family, const char *select, EngineError *error) {
    const DeviceOptions options = {.select = family ? "RADV" : select, .compiles = true};
    if (family) {
        setenv("RADV_FORCE_FAMILY", family, 1);
    } else {
        unsetenv("RADV_FORCE_FAMILY");
    }
    return deviceCreate(&options, error);
}

static bool compileDevice(Compiling *compiling, const char *family, const char *select, CompiledDevice *device) {
    compiling->device =
        !family || isFamily(family, compiling->error) ? openDevice(family, select, compiling->error) : NULL;
    if (!compiling->device) {
        return false;
    }
    device->family = family;
    device->info = compiling->device->info;
    compiling->compiled = device;
    if (compiling->dump) {
        fprintf(compiling->dump, "==== %s\n", device->info.name);
    }
    bool good = compileContext(compiling, false) && (compiling->quick || compileContext(compiling, true)) &&
                compileBench(compiling);
    deviceDestroy(compiling->device);
    return good;
}

bool compileAll(const CompileChoice *choice, CompileRun *run, EngineError *error) {
    Compiling compiling = {.quick = choice->quick, .dump = choice->dump, .error = error};
    const bool own = choice->familyCount == 0;
    char **families = own ? FAMILIES : choice->families;
    const uint32_t count = choice->select ? 1 : own ? FAMILIES_DEFAULT : choice->familyCount;
    *run = (CompileRun){.devices = engineAllocate(count, sizeof *run->devices, error)};
    fillMesh(&compiling.mesh);
    bool good = run->devices && (choice->quick || frameSceneCreate(1, 40, 1, 1.0f, 1, &compiling.scene, error));
    for (uint32_t i = 0; good && i < count; i++) {
        run->count++;
        good = compileDevice(&compiling, choice->select ? NULL : families[i], choice->select, &run->devices[i]);
    }
    frameSceneDestroy(&compiling.scene);
    free(compiling.mesh.centres);
    if (!good) {
        free(run->devices);
        *run = (CompileRun){0};
    }
    return good;
}
