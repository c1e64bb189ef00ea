/*
 * Packed clips of real models: the promised error holds at vertices, against the reference in double precision, at every
 * instruction level.
 */
#include "import_support.h"
#include "model_objects.h"
#include "model_pack.h"
#include "random.h"
#include "reference.h"

#define STEPS     16u /* between two key times of the source */
#define INTERVALS 12u /* intervals per clip, spread over it: all of them take minutes with sanitizers */
#define MOMENTS   (STEPS * INTERVALS)
#define VERTICES  60u  /* vertices per part */
#define ROUNDING  4e-6 /* rounding error of float posing, relative to the size of the model */

typedef struct Packing {
    Model *model;
    ModelObjects objects;
    PackedModel packed;
    double size; /* the diagonal of the model at rest, and of its nodes */
    double bound;
} Packing;

static Packing packModel(const char *name, double millimetres) {
    Packing packing = {.model = importOrFail(name)};
    EngineError error;
    const ModelPackDef def = {.millimetres = millimetres};
    assert_true(modelObjectsCreate(packing.model, NULL, &packing.objects) >= 0);
    if (!modelPack(packing.model, &def, &packing.packed, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    packing.bound = millimetres * packing.packed.unitsPerMillimetre;
    for (uint32_t i = 0; i < packing.model->nodeCount; i++) {
        for (int row = 0; row < 3; row++) {
            packing.size = fmax(packing.size, fabs((double)packing.objects.world[i].m[row][3]));
        }
    }
    packing.size = fmax(packing.size, 1800.0 * packing.packed.unitsPerMillimetre);
    return packing;
}

static void freePacking(Packing *packing) {
    modelPackFree(&packing->packed);
    modelObjectsFree(&packing->objects);
    modelFree(packing->model);
}

static int compareFloats(const void *a, const void *b) {
    const float x = *(const float *)a;
    const float y = *(const float *)b;
    return (x > y) - (x < y);
}

/* STEPS times in each of INTERVALS intervals between neighbouring key times. Returns their number. */
static uint32_t momentsOf(const ModelClip *clip, double moments[MOMENTS]) {
    size_t count = 0;
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        count += clip->tracks[i].keyCount;
    }
    float *times = newZeroed(count + 2, sizeof *times);
    times[0] = clip->duration;
    count = 2;
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        for (uint32_t key = 0; key < clip->tracks[i].keyCount; key++) {
            times[count++] = fminf(fmaxf(clip->tracks[i].times[key], 0.0f), clip->duration);
        }
    }
    qsort(times, count, sizeof *times, compareFloats);
    uint32_t intervals = 0;
    for (size_t i = 1; i < count; i++) {
        if (times[i] > times[i - 1]) {
            times[intervals] = times[i - 1];
            times[++intervals] = times[i];
        }
    }
    uint32_t made = 0;
    for (uint32_t i = 0; i < INTERVALS && intervals > 0; i++) {
        const uint32_t interval = intervals > INTERVALS ? i * intervals / INTERVALS : i;
        for (uint32_t step = 0; step < STEPS && interval < intervals; step++) {
            const double from = times[interval];
            moments[made++] = from + ((double)times[interval + 1] - from) * step / STEPS;
        }
    }
    free(times);
    return made;
}

/* The largest distance of vertices of a part from the reference at one time. palette: [boneCount] in output space. */
static double vertexError(const Packing *packing, uint32_t part, uint32_t clip, double time,
                          const VkskinAffine *palette) {
    const Model *model = packing->model;
    const ModelMesh *mesh = &model->meshes[model->parts[part].mesh];
    const uint32_t boneCount = model->skins[model->parts[part].skin].boneCount;
    const ReferenceMatrix toModel = referenceFromAffine(&packing->objects.world[model->parts[part].node]);
    ReferenceMatrix *world = newReferenceWorld(model, (int32_t)clip, time, VKSKIN_WRAP_CLAMP);
    ReferenceMatrix *bones = newReferenceBones(model, part, world);
    ReferenceMatrix *packed = newZeroed(boneCount, sizeof *packed);
    uint32_t sample[VERTICES];
    const uint32_t count = mesh->vertexCount < VERTICES ? mesh->vertexCount : VERTICES;
    double most = 0.0;
    for (uint32_t i = 0; i < boneCount; i++) {
        const ReferenceMatrix bone = referenceFromAffine(&palette[i]);
        packed[i] = referenceMultiply(&toModel, &bone);
        bones[i] = referenceMultiply(&toModel, &bones[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        sample[i] = (uint32_t)((uint64_t)i * mesh->vertexCount / count);
    }
    const ReferenceDef def = {0};
    ReferenceVertex *expected = newReferenceSample(mesh, bones, &def, sample, count);
    ReferenceVertex *actual = newReferenceSample(mesh, packed, &def, sample, count);
    for (uint32_t i = 0; i < count; i++) {
        double square = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            square += pow(expected[i].position[axis] - actual[i].position[axis], 2.0);
        }
        most = fmax(most, sqrt(square));
    }
    free(expected);
    free(actual);
    free(packed);
    free(bones);
    free(world);
    return most;
}

/* Poses all moments in one call at a level, and compares them. */
static void checkClip(const Packing *packing, const char *name, uint32_t part, uint32_t clip, uint32_t level) {
    const uint32_t boneCount = packing->model->skins[packing->model->parts[part].skin].boneCount;
    double moments[MOMENTS];
    const uint32_t count = momentsOf(&packing->model->clips[clip], moments);
    VkskinPoseBatchCharacter *characters = newZeroed(count + 1, sizeof *characters);
    VkskinAffine *palettes = newZeroed((size_t)count * boneCount + 1, sizeof *palettes);
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinPoseBatch batch;
    const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
    def.animation = packing->packed.block;
    def.animationSize = packing->packed.size;
    def.skin = packing->objects.skins[part];
    def.slotCount = count + 1;
    assert_int_equal(vkskinCreatePoseBatch(&def, &batch), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        characters[i] = (VkskinPoseBatchCharacter){
            .clip = clip, .time = moments[i], .slot = i, .palette = palettes + (size_t)i * boneCount};
    }
    assert_int_equal(vkskinPoseBatch(batch, characters, count, VKSKIN_PALETTE_MAT3X4, boneCount, &run), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        const double error = vertexError(packing, part, clip, moments[i], palettes + (size_t)i * boneCount);
        if (!(error <= packing->bound + ROUNDING * packing->size)) {
            fail_msg("%s, part %u, clip %u at %g s, level %u: the error is %g mm", name, part, clip, moments[i], level,
                     error / packing->packed.unitsPerMillimetre);
        }
    }
    vkskinDestroyPoseBatch(batch);
    free(palettes);
    free(characters);
}

/* Each clip at the highest level, the first clip at all levels. */
static void checkModel(const char *name, double millimetres) {
    Packing packing = packModel(name, millimetres);
    const uint32_t highest = (uint32_t)vkskinGetCpuLevel();
    assert_true(packing.model->clipCount > 0 && packing.model->partCount > 0);
    for (uint32_t clip = 0; clip < packing.model->clipCount; clip++) {
        for (uint32_t level = clip == 0 ? 1 : highest; level <= highest; level++) {
            checkClip(&packing, name, 0, clip, level);
        }
    }
    const ModelPackTotals totals = modelPackTotals(packing.model, &packing.packed);
    assert_true(totals.error <= millimetres && totals.sourceBytes > 0);
    freePacking(&packing);
}

TEST(testLinearKeys) {
    checkModel("X/Testwuson.X", 1.0);
    checkModel("FBX/huesitos.fbx", 1.0);
    checkModel("FBX/animation_with_skeleton.fbx", 3.0);
    checkModel("Collada/box_nested_animation.dae", 1.0);
}

TEST(testATenthOfAMillimetre) {
    checkModel("X/BCN_Epileptic.X", 0.1);
    checkModel("glTF2/simple_skin/simple_skin.gltf", 0.1);
}

/* Step and cubic keys. */
TEST(testOtherKeys) {
    checkModel("step_cubic.gltf", 1.0);
}
