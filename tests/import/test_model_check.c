/* A model that breaks what model.h promises, one fault at a time: each is seen and named. */
#include "import_fixture.h"
#include "model_check.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void parentAfterChild(Model *model) {
    model->nodes[0].parent = 0;
}

static void restNotFinite(Model *model) {
    model->nodes[1].rest.scale[2] = NAN;
}

static void boneNodeOutside(Model *model) {
    model->skins[0].boneNodes[0] = model->nodeCount;
}

static void inverseBindNotFinite(Model *model) {
    model->skins[0].inverseBinds[0].m[2][3] = INFINITY;
}

static void positionNotFinite(Model *model) {
    model->meshes[0].positions[4] = NAN;
}

static void indexOutside(Model *model) {
    model->meshes[0].indices[2] = model->meshes[0].vertexCount;
}

static void jointOutside(Model *model) {
    model->meshes[0].joints[0] = model->meshes[0].boneCount;
}

static void weightNegative(Model *model) {
    model->meshes[0].weights[1] = -0.5f;
}

static void weightsZero(Model *model) {
    model->meshes[0].weights[0] = 0.0f;
}

static void materialOutside(Model *model) {
    model->meshes[0].material = model->materialCount;
}

static void partOutside(Model *model) {
    model->parts[0].skin = model->skinCount;
}

static void moreBonesThanSkin(Model *model) {
    model->meshes[0].boneCount = 9;
}

static void textureOutside(Model *model) {
    model->materials[0].texture = 0;
}

static void textureBelow(Model *model) {
    model->materials[0].texture = -2;
}

static void addTexture(Model *model, uint32_t width, uint32_t height) {
    model->textures = realloc(model->textures, sizeof *model->textures);
    model->textures[0] = (ModelTexture){.width = width, .height = height, .pixels = calloc(1, 4)};
    model->textureCount = 1;
}

static void textureEmpty(Model *model) {
    addTexture(model, 0, 1);
}

static void textureTooWide(Model *model) {
    addTexture(model, MODEL_TEXTURE_SIDE + 1, 1);
}

static void durationNegative(Model *model) {
    model->clips[0].duration = -1.0f;
}

static void trackNodeOutside(Model *model) {
    model->clips[0].tracks[0].node = model->nodeCount;
}

static void channelUnknown(Model *model) {
    model->clips[0].tracks[0].channel = (VkskinChannel)4;
}

static void timesDescend(Model *model) {
    ((float *)model->clips[0].tracks[0].times)[1] = -1.0f;
}

static void keyNotFinite(Model *model) {
    ((float *)model->clips[0].tracks[0].values)[3] = NAN;
}

static void carrierOutside(Model *model) {
    model->parts[0].carrier = model->nodeCount;
}

static void morphVertexOutside(Model *model) {
    model->meshes[0].morphs[0].vertices[2] = 4;
}

static void morphVertexTwice(Model *model) {
    model->meshes[0].morphs[0].vertices[1] = 0;
}

static void morphPositionNotFinite(Model *model) {
    model->meshes[0].morphs[0].positions[8] = INFINITY;
}

static void morphNormalNotFinite(Model *model) {
    model->meshes[0].morphs[0].normals[0] = NAN;
}

static void morphTangentNotFinite(Model *model) {
    model->meshes[0].morphs[1].tangents[1] = NAN;
}

static void morphWeightNotFinite(Model *model) {
    model->parts[3].morphWeights[2] = NAN;
}

static void blendWeightOutside(Model *model) {
    model->meshes[0].blendWeights[3] = 1.5f;
}

static void blendWeightNotFinite(Model *model) {
    model->meshes[0].blendWeights[3] = NAN;
}

static void noWeightsInTrack(Model *model) {
    model->clips[0].tracks[0].weightCount = 0;
}

static void lastWeightNotFinite(Model *model) {
    ((float *)model->clips[2].tracks[0].values)[17] = NAN;
}

static void noParts(Model *model) {
    model->partCount = 0;
}

typedef struct Fault {
    void (*plant)(Model *model);
    const char *line;
} Fault;

static void expectSeen(const char *fixture, const Fault *faults, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char message[IMPORT_MESSAGE_SIZE] = "";
        Model *model = importFixture(fixture);
        assert_true(modelCheck(model, "beast.x", message));
        faults[i].plant(model);
        assert_false(modelCheck(model, "beast.x", message));
        assert_string_equal(message, faults[i].line);
        modelFree(model);
    }
}

static void testEachFault(void **state) {
    (void)state;
    static const Fault faults[] = {
        {parentAfterChild, "beast.x: node 'carrier' comes before its parent"},
        {restNotFinite, "beast.x: node 'joint' has a transform that is not finite"},
        {boneNodeOutside, "beast.x: skin 0 names a node that is not there"},
        {inverseBindNotFinite, "beast.x: skin 0 has an inverse bind matrix that is not finite"},
        {positionNotFinite, "beast.x: mesh 'body' has a vertex that is not finite"},
        {indexOutside, "beast.x: mesh 'body' has a triangle past its vertices"},
        {jointOutside, "beast.x: mesh 'body' has a joint past its bones"},
        {weightNegative, "beast.x: mesh 'body' has weights that are not usable"},
        {weightsZero, "beast.x: mesh 'body' has weights that are not usable"},
        {materialOutside, "beast.x: mesh 'body' names a material that is not there"},
        {carrierOutside, "beast.x: part 0 names a mesh, skin or node that is not there"},
        {partOutside, "beast.x: part 0 names a mesh, skin or node that is not there"},
        {moreBonesThanSkin, "beast.x: part 0 has a mesh with more bones than its skin"},
        {textureOutside, "beast.x: material 'default' is not usable"},
        {textureBelow, "beast.x: material 'default' is not usable"},
        {textureEmpty, "beast.x: texture 0 is of no usable size"},
        {textureTooWide, "beast.x: texture 0 is of no usable size"},
        {durationNegative, "beast.x: clip 'step' has no usable duration"},
        {trackNodeOutside, "beast.x: clip 'step' has a track that is not usable"},
        {channelUnknown, "beast.x: clip 'step' has a track that is not usable"},
        {timesDescend, "beast.x: clip 'step' has a track that is not usable"},
        {keyNotFinite, "beast.x: clip 'step' has a track that is not usable"},
        {noParts, "beast.x: no meshes"},
    };
    expectSeen("step_cubic.gltf", faults, sizeof faults / sizeof faults[0]);
}

static void testEachFaultOfMorphs(void **state) {
    (void)state;
    static const Fault faults[] = {
        {morphVertexOutside, "beast.x: morph 'smile' of mesh 'face' moves a vertex twice or one past the mesh"},
        {morphVertexTwice, "beast.x: morph 'smile' of mesh 'face' moves a vertex twice or one past the mesh"},
        {morphPositionNotFinite, "beast.x: morph 'smile' of mesh 'face' is not finite"},
        {morphNormalNotFinite, "beast.x: morph 'smile' of mesh 'face' is not finite"},
        {morphTangentNotFinite, "beast.x: morph 'frown' of mesh 'face' is not finite"},
        {morphWeightNotFinite, "beast.x: part 3 has a morph weight that is not finite"},
        {blendWeightOutside, "beast.x: mesh 'face' has a blend weight outside 0 to 1"},
        {blendWeightNotFinite, "beast.x: mesh 'face' has a blend weight outside 0 to 1"},
        {noWeightsInTrack, "beast.x: clip 'linear' has a track that is not usable"},
        {lastWeightNotFinite, "beast.x: clip 'cubic' has a track that is not usable"},
    };
    expectSeen("morphs.gltf", faults, sizeof faults / sizeof faults[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(testEachFault), cmocka_unit_test(testEachFaultOfMorphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
