/* Morph targets of glTF: fixtures/morphs.gltf, described in its asset.extras. */
#include "import_support.h"
#include "model_pose.h"

/* Parts: the skinned quad and the flat quad at node "first", and both as rigid parts at node "second". */
enum { SKINNED = 0, FLAT = 1, RIGID = 2, FLAT_AGAIN = 3 };

static Model *model;

static int setUp(void **state) {
    (void)state;
    model = importOrFail("morphs.gltf");
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    modelFree(model);
    return 0;
}

static const ModelMesh *meshOf(uint32_t part) {
    return &model->meshes[model->parts[part].mesh];
}

/*
 * Target 0 moves vertices 1 and 3 and changes the normal of vertex 0. Target 1 has sparse positions without a base, for
 * vertex 2, and 16-bit tangents for vertices 1 and 2. Target 2 is all zeros and is kept, so that targets keep their
 * numbers.
 */
FIXTURE_TEST(testTargets) {
    static const uint32_t smiling[3] = {0, 1, 3};
    static const float smile[9] = {0, 0, 0, 0, 0, 1, 0, 0, 2}, turned[9] = {0.5f}, frown[6] = {0, 0, 0, 0, -1, 0};
    static const uint32_t frowning[2] = {1, 2};
    static const float tangents[6] = {0, 1, 0, 1, 0, -1};
    assert_int_equal(model->partCount, 4);
    const uint32_t parts[2] = {SKINNED, RIGID};
    for (int i = 0; i < 2; i++) {
        const ModelMesh *mesh = meshOf(parts[i]);
        assert_int_equal(mesh->morphCount, 3);
        const ModelMorph *morph = mesh->morphs;
        assert_int_equal(morph[0].vertexCount, 3);
        assert_memory_equal(morph[0].vertices, smiling, sizeof smiling);
        expectFloats(morph[0].positions, smile, 9);
        expectFloats(morph[0].normals, turned, 9);
        assert_null(morph[0].tangents);
        assert_int_equal(morph[1].vertexCount, 2);
        assert_memory_equal(morph[1].vertices, frowning, sizeof frowning);
        expectFloats(morph[1].positions, frown, 6);
        expectFloats(morph[1].tangents, tangents, 6);
        assert_null(morph[1].normals);
        assert_int_equal(morph[2].vertexCount, 0);
    }
}

FIXTURE_TEST(testNames) {
    for (uint32_t part = 0; part < model->partCount; part++) {
        const ModelMorph *morphs = meshOf(part)->morphs;
        assert_string_equal(morphs[0].name, "smile");
        assert_string_equal(morphs[1].name, "frown");
        assert_string_equal(morphs[2].name, "target 2");
    }
}

/*
 * The second quad has no normals. Its triangles, 0 1 2 and 2 1 3, both face +z, so their corners differ only in morphs.
 * Target 0 moves vertex 3 to (1 0 1). The second triangle's normal becomes (-1 -1 0) / sqrt 2. So the 6 corners
 * are not welded. Without normals in the mesh, the targets' normals and tangents are ignored; target 2 has only these.
 */
FIXTURE_TEST(testFlatNormals) {
    const float side = -0.70710678f;
    const ModelMesh *mesh = meshOf(FLAT);
    assert_ptr_equal(mesh, meshOf(FLAT_AGAIN));
    assert_int_equal(mesh->vertexCount, 6);
    const ModelMorph *morph = &mesh->morphs[0];
    assert_int_equal(morph->vertexCount, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const float normal[3] = {side, side, -1}, moved[3] = {0, -1, 1}, stays[3] = {0};
        const float *p = mesh->positions + 3 * (size_t)morph->vertices[i];
        expectFloats(morph->normals + 3 * (size_t)i, normal, 3);
        expectFloats(morph->positions + 3 * (size_t)i, p[0] + p[1] == 2.0f ? moved : stays, 3);
    }
    assert_null(mesh->tangents);
    assert_int_equal(mesh->morphs[2].vertexCount, 0);
    assert_true(!mesh->morphs[2].positions && !mesh->morphs[2].normals && !mesh->morphs[2].tangents);
}

/* Dense positions with a sparse replacement for one vertex: the corners of vertices 1, 2 and 3 move. */
FIXTURE_TEST(testSparseOverDense) {
    const ModelMesh *mesh = meshOf(FLAT);
    const ModelMorph *morph = &mesh->morphs[1];
    static const float expected[4][3] = {{0, 0, 0}, {0, 0, 1}, {0, -1, 0}, {0, 0, 2}};
    uint32_t seen = 0;
    for (uint32_t i = 0; i < morph->vertexCount; i++) {
        const float *p = mesh->positions + 3 * (size_t)morph->vertices[i];
        uint32_t corner = (uint32_t)(p[0] + 2.0f * p[1]);
        expectFloats(morph->positions + 3 * (size_t)i, expected[corner], 3);
        seen |= 1u << corner;
    }
    assert_int_equal(seen, 14); /* not vertex 0: 2 moves onto it, and a triangle without area keeps its normal */
}

/* The weights of a node override the weights of its mesh. */
FIXTURE_TEST(testRestWeights) {
    static const float ofMesh[3] = {0.25f, 0, 0.5f}, ofNode[3] = {0, 1, 0};
    for (uint32_t part = 0; part < model->partCount; part++) {
        bool second = part >= RIGID;
        assert_string_equal(model->nodes[model->parts[part].carrier].name, second ? "second" : "first");
        expectFloats(model->parts[part].morphWeights, second ? ofNode : ofMesh, 3);
    }
}

static void expectWeights(uint32_t clipIndex, uint32_t part, double time, const float expected[3]) {
    VkskinClip clip;
    float weights[3] = {9, 9, 9};
    assert_int_equal(modelCreateClip(model, clipIndex, NULL, (VkskinLogger){0}, &clip), VKSKIN_SUCCESS);
    assert_int_equal(vkskinSampleMorphWeights(clip, model->parts[part].carrier, time, VKSKIN_WRAP_CLAMP, weights, 3),
                     VKSKIN_SUCCESS);
    vkskinDestroyClip(clip);
    expectFloats(weights, expected, 3);
}

/*
 * Two keys, at 0 s and 2 s. Linear: from (0 0 0) to (1 0.5 -2). Step: (0.2 0 1), then (0 0.4 0). Cubic, at t = 1 s: the
 * basis is 1/2, 1/8, 1/2, -1/8, and tangents are multiplied by 2 s:
 *     first:  2 (1/8) 1 + (1/2) 4 - 2 (1/8) 3 = 1.5
 *     second: (1/2) 1 + (1/2) 1 = 1
 * The track of a node without a mesh is dropped.
 */
FIXTURE_TEST(testClips) {
    static const struct {
        uint32_t clip, part;
        double time;
        float expected[3];
    } moments[] = {
        {0, RIGID, 0.0, {0, 0, 0}},         {0, RIGID, 1.0, {0.5f, 0.25f, -1}}, {0, RIGID, 2.0, {1, 0.5f, -2}},
        {0, SKINNED, 1.0, {9, 9, 9}},       {1, SKINNED, 1.9, {0.2f, 0, 1}},    {1, SKINNED, 2.0, {0, 0.4f, 0}},
        {2, FLAT_AGAIN, 1.0, {1.5f, 1, 0}}, {2, FLAT_AGAIN, 2.0, {4, 1, 0}},
    };
    assert_int_equal(model->clips[0].trackCount, 2);
    assert_int_equal(model->repairs.tracksDropped, 1);
    for (size_t i = 0; i < COUNT_OF(moments); i++) {
        expectWeights(moments[i].clip, moments[i].part, moments[i].time, moments[i].expected);
    }
}

/*
 * Joints at (13 0 0), (0 13 0) and (0 0 13), without inverse binds; the mesh's node goes from (0 0 5) to (0 0 9).
 *     (0 0 0): only the first joint, 16-bit weights
 *     (1 0 0): 0.2 (13 0 0) + 0.8 (0 13 0) = (2.6 10.4 0)
 *     (0 1 0): no weight: follows the node, at rest and in the clip
 *     (1 1 0): weights 1 1 1 1, 2 2 2 2, 1 for joints 0 1 2 0, 0 1 2 0, 0: joint 0 has 7/13, joints 1 and 2 have 3/13
 */
FIXTURE_TEST(testManyInfluencesAndNone) {
    static const Moment moments[] = {
        {SKINNED, REST_POSE, 0.0, {0, 0, 0}, {13, 0, 0}}, {SKINNED, REST_POSE, 0.0, {1, 0, 0}, {3.6f, 10.4f, 0}},
        {SKINNED, REST_POSE, 0.0, {0, 1, 0}, {0, 1, 5}},  {SKINNED, REST_POSE, 0.0, {1, 1, 0}, {8, 4, 3}},
        {SKINNED, 0, 1.0, {0, 1, 0}, {0, 1, 7}},          {SKINNED, 0, 1.0, {1, 1, 0}, {8, 4, 3}},
    };
    assert_int_equal(meshOf(SKINNED)->influences, 9);
    expectMoments(model, moments, COUNT_OF(moments));
}

/* A mesh without bones follows its node, whose matrix has shear: x' = x + y / 2. Weight tracks do not move the node. */
FIXTURE_TEST(testRigidPart) {
    static const Moment moments[] = {
        {RIGID, 0, 1.0, {0, 1, 0}, {0.5f, 1, 0}},
        {FLAT_AGAIN, 0, 1.0, {0, 1, 0}, {0.5f, 1, 0}},
    };
    assert_int_equal(model->repairs.nodesSheared, 1);
    assert_int_equal(model->skins[model->parts[RIGID].skin].boneCount, 1);
    expectMoments(model, moments, COUNT_OF(moments));
}

FIXTURE_TEST(testBlendWeights) {
    static const float expected[4] = {0, 1, 0.2f, 0.4f};
    expectFloats(meshOf(SKINNED)->blendWeights, expected, 4);
    assert_null(meshOf(FLAT)->blendWeights);
}

/*
 * morphs.fbx: smile lifts vertex (0 0 0) by 4 and goes from 0 to 1 in 1 s; at rest it is 25 %. open is 0, 75 and 100 % at
 * 0, 0.5 and 1 s, and has a shape of its own at 50 %: at 25 s / 100 it has half of that, at 75 % half of both.
 */
TEST(testFbx) {
    static const float lifts[3][3] = {{0, 0, 4}, {0, 0, 1}, {0, 0, 4}}, rest[3] = {0.25f, 0, 0}, still[3] = {0};
    static const float weights[4][3] = {{0, 0, 0}, {0.25f, 0.75f, 0}, {0.5f, 0.5f, 0.5f}, {1, 0, 1}};
    static const char *const names[3] = {"smile", "open 50 %", "open"};
    static const double times[4] = {0.0, 0.25, 0.5, 1.0};
    model = importOrFail("morphs.fbx");
    const ModelMesh *face = meshOf(0);
    assert_int_equal(face->morphCount, 3);
    for (uint32_t t = 0; t < 3; t++) {
        assert_string_equal(face->morphs[t].name, names[t]);
        /* All vertices have new normals: the file has none, so they follow the triangle. */
        assert_int_equal(face->morphs[t].vertexCount, 3);
        for (size_t i = 0; i < 3; i++) {
            const bool lifted = face->positions[3 * (size_t)face->morphs[t].vertices[i]] == (float)(t > 0) &&
                                face->positions[3 * (size_t)face->morphs[t].vertices[i] + 1] == 0.0f;
            expectFloats(face->morphs[t].positions + 3 * i, lifted ? lifts[t] : still, 3);
        }
    }
    expectFloats(model->parts[0].morphWeights, rest, 3);
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        expectWeights(0, 0, times[i], weights[i]);
    }
    modelFree(model);
}

/*
 * morphs.dae: wide moves vertex (1 0 0) by (2 0 0), tall vertex (0 1 0) by (0 4 0), twice. The weights of the first two
 * are linear between keys of their own: 0 and 1 at 0 and 2 s; 1, 0.5 and 0 at 1, 2 and 4 s. The third has no keys.
 */
TEST(testCollada) {
    static const float moved[3][3] = {{2, 0, 0}, {0, 4, 0}, {0, 4, 0}}, rest[3] = {0.25f, 0.5f, 0.125f};
    static const float weights[4][3] = {{0, 1, 0.125f}, {0.5f, 1, 0.125f}, {1, 0.25f, 0.125f}, {1, 0, 0.125f}};
    static const double times[4] = {0.0, 1.0, 3.0, 4.0};
    model = importOrFail("morphs.dae");
    const ModelMesh *body = meshOf(0);
    assert_int_equal(model->partCount, 1);
    assert_int_equal(model->nodeCount, 2);
    assert_int_equal(body->morphCount, 3);
    for (uint32_t t = 0; t < 3; t++) {
        assert_string_equal(body->morphs[t].name, t == 0 ? "wide" : "tall");
        assert_int_equal(body->morphs[t].vertexCount, 1);
        expectFloats(body->morphs[t].positions, moved[t], 3);
        const float *from = body->positions + 3 * (size_t)body->morphs[t].vertices[0];
        assert_true(from[0] == (float)(t == 0) && from[1] == (float)(t > 0));
    }
    expectFloats(model->parts[0].morphWeights, rest, 3);
    assert_float_equal(model->clips[0].duration, 4.0f, 1e-6f);
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        expectWeights(0, 0, times[i], weights[i]);
    }
    assert_int_equal(model->warningCount, 0);
    modelFree(model);
}

/*
 * morph_curves.dae: the same with Bezier keys. The handles of the first target, and of the second from 2 to 4 s, are as long
 * as the way: time is the middle plus 8 (s - 1/2)^3. From 1 to 2 s they are a third of it: time is s. The first target's curve
 * is divided at 1 s, where it is vertical, because the second has a key there; the last bits of that value are not compared.
 */
TEST(testColladaCurves) {
    static const float weights[5][3] = {{0.15625f, 1, 0.125f},
                                        {0.31640625f, 1, 0.125f},
                                        {0.95703125f, 0.80811691f, 0.125f},
                                        {1, 0.421875f, 0.125f},
                                        {1, 0, 0.125f}};
    static const double times[5] = {0.875, 0.984375, 1.421875, 2.875, 4.0};
    model = importOrFail("morph_curves.dae");
    assert_int_equal(model->clips[0].tracks[0].interpolation, VKSKIN_INTERPOLATION_BEZIER);
    assert_int_equal(model->clips[0].tracks[0].keyCount, 4);
    for (size_t i = 0; i < COUNT_OF(times); i++) {
        expectWeights(0, 0, times[i], weights[i]);
    }
    assert_int_equal(model->warningCount, 0);
    modelFree(model);
}

/* A file exported from a modelling program: a cube with two dense targets, and a clip that animates them. */
TEST(testRealModel) {
    Model *cube = importOrFail("glTF2/glTF-Sample-Models/AnimatedMorphCube-glTF/AnimatedMorphCube.gltf");
    const ModelMesh *mesh = &cube->meshes[0];
    assert_int_equal(mesh->vertexCount, 24);
    assert_int_equal(mesh->morphCount, 2);
    for (uint32_t m = 0; m < 2; m++) {
        const ModelMorph *morph = &mesh->morphs[m];
        assert_true(morph->vertexCount > 0 && morph->positions && morph->normals && morph->tangents);
    }
    assert_int_equal(cube->clipCount, 1);
    const VkskinTrack *track = &cube->clips[0].tracks[0];
    assert_int_equal(track->channel, VKSKIN_CHANNEL_MORPH_WEIGHTS);
    assert_int_equal(track->weightCount, 2);
    assert_int_equal(track->keyCount, 127);
    modelFree(cube);
}
