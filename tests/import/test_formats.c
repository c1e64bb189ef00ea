/*
 * The formats, against positions computed by hand: .gltf and .x fixtures, and models that others made. The contents of a
 * glTF fixture's buffers stand in its asset.extras.
 */
#include "import_support.h"

/* ---- Vertices in poses ---- */

/*
 * step_cubic.gltf: a skin without inverse binds, two clips. The joint moves along x, and the vertex (2 0 0) with it. The
 * carrier's translation (9 9 9) has no effect.
 * Step: x is 0, 1 and 5 from 0, 1 and 2 s.
 * Cubic: one segment of 2 s from 0 (out-tangent 1) to 4 (in-tangent 3). With s = t / 2:
 *     x = (2s^3 - 3s^2 + 1) 0 + 2 (s^3 - 2s^2 + s) 1 + (-2s^3 + 3s^2) 4 + 2 (s^3 - s^2) 3
 * s = 1/2: 2 (1/8) + (1/2) 4 + 2 (-1/8) 3 = 0.25 + 2 - 0.75 = 1.5
 * s = 1/4: 2 (9/64) + (5/32) 4 + 2 (-3/64) 3 = 0.28125 + 0.625 - 0.28125 = 0.625
 */
static const Moment stepCubic[] = {
    {0, 0, 0.0, {2, 0, 0}, {2, 0, 0}},  {0, 0, 0.99, {2, 0, 0}, {2, 0, 0}},     {0, 0, 1.0, {2, 0, 0}, {3, 0, 0}},
    {0, 0, 1.99, {2, 0, 0}, {3, 0, 0}}, {0, 0, 2.0, {2, 0, 0}, {7, 0, 0}},      {0, 0, 9.0, {2, 0, 0}, {7, 0, 0}},
    {0, 1, 0.0, {2, 0, 0}, {2, 0, 0}},  {0, 1, 0.5, {2, 0, 0}, {2.625f, 0, 0}}, {0, 1, 1.0, {2, 0, 0}, {3.5f, 0, 0}},
    {0, 1, 2.0, {2, 0, 0}, {6, 0, 0}},
};

/*
 * two_skins.gltf: one mesh at two nodes with two skins. The sparse accessor of positions has no buffer view: the first
 * position is zero, the others are replaced. Weights from bytes: 51 / 255 = 0.2, 204 / 255 = 0.8, 102 / 255 = 0.4, and
 * in WEIGHTS_1 153 / 255 = 0.6.
 * First skin: joints at (10 0 0) and (0 20 0), no inverse binds.
 *     (0 0 0) all joint 0: (10 0 0)
 *     (1 0 0) 0.2 (11 0 0) + 0.8 (1 20 0) = (3 16 0)
 *     (0 2 0) 0.4 (10 2 0) + 0.6 (0 22 0) = (4 14 0)
 * Second skin: joint 0 at (0 0 30), joint 1 scales by 2 and has the inverse bind (-1 0 0).
 *     (0 0 0) (0 0 30)
 *     (1 0 0) 0.2 (1 0 30) + 0.8 2 (0 0 0) = (0.2 0 6)
 *     (0 2 0) 0.4 (0 2 30) + 0.6 2 (-1 2 0) = (-1.2 3.2 12)
 */
static const Moment twoSkins[] = {
    {0, REST_POSE, 0.0, {0, 0, 0}, {10, 0, 0}},   {0, REST_POSE, 0.0, {1, 0, 0}, {3, 16, 0}},
    {0, REST_POSE, 0.0, {0, 2, 0}, {4, 14, 0}},   {1, REST_POSE, 0.0, {0, 0, 0}, {0, 0, 30}},
    {1, REST_POSE, 0.0, {1, 0, 0}, {0.2f, 0, 6}}, {1, REST_POSE, 0.0, {0, 2, 0}, {-1.2f, 3.2f, 12}},
};

/*
 * mended.gltf, body: joints at (100 0 0) and (0 200 0). (1 0 0) follows the first; (2 0 0) has no weight and follows its
 * carrier at (0 0 9); (1 1 0) has -1 for the first, taken as 0, and follows the second.
 * plate: a strip on a node with the matrix x' = x + y / 2 + 3, y' = y + 4, z' = z + 5: shear, so no T R S form.
 */
static const Moment mended[] = {
    {0, REST_POSE, 0.0, {1, 0, 0}, {101, 0, 0}},
    {0, REST_POSE, 0.0, {2, 0, 0}, {2, 0, 9}},
    {0, REST_POSE, 0.0, {1, 1, 0}, {1, 201, 0}},
    {1, REST_POSE, 0.0, {1, 1, 0}, {4.5f, 5, 5}},
};

static const Moment external[] = {{0, REST_POSE, 0.0, {1, 1, 0}, {1, 1, 0}}};

/*
 * hidden.gltf: two root nodes with a mesh. "hidden", at (0 0 7), has scale 0 at rest; the clip scales it to
 * (2 2 2) in one second. "shown" is at (0 3 0).
 */
static const Moment hidden[] = {
    {0, REST_POSE, 0.0, {1, 1, 0}, {0, 0, 7}},
    {0, 0, 0.5, {1, 1, 0}, {1, 1, 7}},
    {0, 0, 1.0, {1, 1, 0}, {2, 2, 7}},
    {1, 0, 1.0, {1, 1, 0}, {1, 4, 0}},
};

/*
 * .x files are left-handed with y up. assimp makes them right-handed by negating z: z = 2 in the file is -2 here. The
 * file's matrices are for row vectors.
 *
 * three_bones.x in model space, without Root's (0 0 -5): bones at x = 0, 1, 2; the vertices, with Body's (0 10 0) added,
 *     a (0 0 0) bone 0     b (1 1 0) bone 1     c (2 1 0) half bone 0, half bone 1     d (3 1 -2) bone 2
 * Bone 1 rotates around z at (1 0 0). With c = cos, s = sin of the angle, a point (x y) relative to it goes to
 * (1 + c x - s y, s x + c y). Relative: b (0 1), c (1 1), d (2 1).
 * At 0.5 s, 45 degrees, c = s = 0.70710678:
 *     b (1 - s, c) = (0.29289322, 0.70710678)
 *     c half of (2 1) and half of (1 + c - s, s + c) = (1, 1.41421356): (1.5, 1.20710678)
 *     d (1 + 2 c - s, 2 s + c) = (1.70710678, 2.12132034)
 * From 1 s, 90 degrees: b (0 0), c half of (2 1) and half of (0 1): (1 1), d (0 2).
 */
static const Moment threeBones[] = {
    {0, 0, 0.0, {0, -10, 0}, {0, 0, -5}},
    {0, 0, 0.0, {3, -9, -2}, {3, 1, -7}},
    {0, 0, 0.5, {0, -10, 0}, {0, 0, -5}},
    {0, 0, 0.5, {1, -9, 0}, {0.29289322f, 0.70710678f, -5}},
    {0, 0, 0.5, {2, -9, 0}, {1.5f, 1.20710678f, -5}},
    {0, 0, 0.5, {3, -9, -2}, {1.70710678f, 2.12132034f, -7}},
    {0, 0, 1.0, {1, -9, 0}, {0, 0, -5}},
    {0, 0, 1.0, {2, -9, 0}, {1, 1, -5}},
    {0, 0, 1.0, {3, -9, -2}, {0, 2, -7}},
    {0, 0, 7.0, {3, -9, -2}, {0, 2, -7}},
};

/*
 * no_ticks.x: ticks 0 to 4800 at the format's default of 4800 a second: 1 s. The bone is bound at (1 0 0).
 * Vertex (2 1 0) is (1 1 0) from there. At 1 s: scaled (2 1), rotated by 90 degrees (-1 2), moved by (3 0): (2 2).
 * At 0.5 s: scaled (1.5 1), rotated by 45 degrees ((1.5 - 1) c, (1.5 + 1) c) = (0.35355339, 1.76776695), moved by
 * (2 0): (2.35355339, 1.76776695).
 */
static const Moment noTicks[] = {
    {0, 0, 0.0, {2, 1, 0}, {2, 1, 0}},
    {0, 0, 0.5, {2, 1, 0}, {2.35355339f, 1.76776695f, 0}},
    {0, 0, 1.0, {2, 1, 0}, {2, 2, 0}},
};

/*
 * matrix_keys.x, in text and binary: (1 1 0) and (0 0 -1) of Arm, the origin of Hand. Places and scales change linearly,
 * rotations along the shorter arc. With k = 0.70710678:
 *     0.5 s: Arm (2 0 0), 45 degrees, scale (1.5 1 1): 2 + k (1.5 - 1), k (1.5 + 1)
 *     2 s: Arm (3 2 0), 135 degrees, scale (2 1.5 1.5): 3 - k (2 + 1.5), 2 + k (2 - 1.5)
 *     Hand: 1 s: (0 2 0) of Arm, (-2 0 0) from it; 2 s: (0 3 0), 3 - 4.5 k, 2 - 4.5 k
 * In Odd, Arm at 1 s has no x axis, and the rotation of the key before: 90 degrees.
 */
static const Moment matrixKeys[] = {
    {0, 0, 0.0, {2, 1, 0}, {2, 1, 0}},
    {0, 0, 0.5, {2, 1, 0}, {2.35355339f, 1.76776695f, 0}},
    {0, 0, 1.0, {2, 1, 0}, {2, 2, 0}},
    {0, 0, 2.0, {2, 1, 0}, {0.52512627f, 2.35355339f, 0}},
    {0, 0, 3.0, {2, 1, 0}, {1, 2, 0}},
    {0, 0, 3.0, {1, 0, -1}, {3, 4, -2}},
    {0, 0, 0.0, {1, 1, 0}, {1, 1, 0}},
    {0, 0, 1.0, {1, 1, 0}, {1, 0, 0}},
    {0, 0, 2.0, {1, 1, 0}, {-0.18198052f, -1.18198052f, 0}},
    {0, 1, 0.0, {2, 1, 0}, {0, 1, 0}},
    {0, 1, 1.0, {2, 1, 0}, {0, 0, 0}},
};

/* weights_first.x: the mesh names its bones before the file defines them. Late is at (5 0 0), Later at (5 7 0), both
 * bound at the origin. */
static const Moment weightsFirst[] = {
    {0, REST_POSE, 0.0, {1, 0, 0}, {6, 0, 0}},
    {0, REST_POSE, 0.0, {2, 0, 0}, {7, 0, 0}},
    {0, REST_POSE, 0.0, {1, 1, 0}, {6, 8, 0}},
};

/* same_names.x: the joint Arm is at (0 3 0), the frame Arm with the mesh at (10 0 0). The joint moves the vertices. */
static const Moment sameNames[] = {
    {0, REST_POSE, 0.0, {1, 0, 0}, {1, 3, 0}},
    {0, REST_POSE, 0.0, {1, 1, 0}, {1, 4, 0}},
};

/*
 * joint_orient.fbx: turns about x and z, each vertex bound in the space of its bone. PreRotation (0 0 30) is the turn
 * Z(30); c = cos 30 = 0.8660254, s = sin 30 = 0.5. Bones in model space:
 *     Arm  Z(30) X(a) inverse(Y(40))
 *     Hand Arm T(2 0 0) Z(30) X(a)
 *     Tip  T(0 5 0) Z(90) T(1 + t 0 0) Z(30)
 * a is 0 at 0 s and 90 at 1 s; t is 0 and 1. inverse(Y(40)) of (1 0 0) is p = (C 0 S), of (2 0 0) 2 p, with
 * C = cos 40 = 0.76604444 and S = sin 40 = 0.64278761.
 * 0 s: (1 0 0) on Arm: Z(30) (C 0 S) = (C c, C s, S) = (0.66341395, 0.38302222, 0.64278761)
 *      (0 1 0) on Hand: Z(30) gives (-s c 0), inverse(Y(40)) of (2 - s, c, 0): (1.5 C, c, 1.5 S),
 *      Z(30): (1.5 C c - c s, 1.5 C s + c c, 1.5 S) = (0.56210822, 1.32453333, 0.96418141)
 *      (0 0 1) on Tip: Z(30) keeps it, (1 0 1) from Held; Z(90): (0 1 1); (0 6 1)
 * 1 s: Arm: X(90) of (C 0 S) = (C -S 0), Z(30): (C c + S s, C s - S c, 0) = (0.98480775, -0.17364818, 0)
 *      Hand: X(90) of (0 1 0) = (0 0 1), Z(30) keeps it; (2 0 1); inverse(Y(40)) of (x 0 z) is (C x - S z, 0, S x + C z):
 *      (0.88930127, 0, 2.05161966); X(90): (0.88930127, -2.05161966, 0); Z(30): (0.88930127 c + 2.05161966 s,
 *      0.88930127 s - 2.05161966 c, 0) = (1.79596732, -1.33210410, 0)
 *      Tip: (2 0 1) from Held: (0 7 1)
 */
static const Moment jointOrient[] = {
    {0, 0, 0.0, {1, 0, 0}, {0.66341395f, 0.38302222f, 0.64278761f}},
    {0, 0, 0.0, {0, 1, 0}, {0.56210822f, 1.32453333f, 0.96418141f}},
    {0, 0, 0.0, {0, 0, 1}, {0, 6, 1}},
    {0, 0, 1.0, {1, 0, 0}, {0.98480775f, -0.17364818f, 0}},
    {0, 0, 1.0, {0, 1, 0}, {1.79596732f, -1.33210410f, 0}},
    {0, 0, 1.0, {0, 0, 1}, {0, 7, 1}},
    {0, REST_POSE, 0.0, {1, 0, 0}, {0.66341395f, 0.38302222f, 0.64278761f}},
    {0, REST_POSE, 0.0, {0, 1, 0}, {0.56210822f, 1.32453333f, 0.96418141f}},
    {0, REST_POSE, 0.0, {0, 0, 1}, {0, 6, 1}},
};

/*
 * sparse.dae: z is up and stays up. The node moves along x from 1 to 9 in 4 s, along z from 5 to 7 between 1 and 3 s,
 * and turns about z from 0 to 90 degrees in 2 s; y is 2. Vertex (1 0 0):
 *     1 s: x 3, z 5, 45 degrees: (3.70710678, 2.70710678, 5)
 *     2 s: x 5, z 6, 90 degrees: (5 3 6)
 *     3 s: x 7, z 7, 90 degrees: (7 3 7)
 */
static const Moment sparseKeys[] = {
    {0, REST_POSE, 0.0, {1, 0, 0}, {2, 2, 5}}, {0, REST_POSE, 0.0, {0, 0, 2}, {1, 2, 7}},
    {0, 0, 0.0, {1, 0, 0}, {2, 2, 5}},         {0, 0, 1.0, {1, 0, 0}, {3.70710678f, 2.70710678f, 5}},
    {0, 0, 2.0, {1, 0, 0}, {5, 3, 6}},         {0, 0, 3.0, {1, 0, 0}, {7, 3, 7}},
    {0, 0, 9.0, {0, 0, 2}, {9, 2, 9}},
};

/* z_up.fbx: the node is at (0 0 1), and the axes are those of the file. */
static const Moment zUp[] = {{0, REST_POSE, 0.0, {0, 0, 2}, {0, 0, 3}}};

/*
 * geometric.fbx: Body is skinned. Its geometric transform T(0 1 0) Z(90) S(2 1 1) moves the vertices (1 0 0), (0 1 0),
 * (0 0 1) to (0 3 0), (-1 1 0), (0 1 1). Bone is bound at (1 0 0) and turns 90 degrees about z at its pivot, (2 0 0):
 * (x y z) goes to (2 - y, x - 2, z). Plate is at (5 0 0) with a geometric translation (0 0 1); Leaf, its child at (0 2 0), is without.
 */
static const Moment geometric[] = {
    {0, REST_POSE, 0.0, {1, 0, 0}, {0, 3, 0}}, {0, 0, 0.0, {0, 1, 0}, {-1, 1, 0}}, {0, 0, 1.0, {1, 0, 0}, {-1, -2, 0}},
    {0, 0, 1.0, {0, 1, 0}, {1, -3, 0}},        {0, 0, 1.0, {0, 0, 1}, {1, -2, 1}}, {1, 0, 1.0, {1, 0, 0}, {6, 0, 1}},
    {2, 0, 1.0, {1, 0, 0}, {6, 2, 0}},
};

TEST(testPoses) {
#define ROW(name, moments)                                                                                             \
    { name, moments, COUNT_OF(moments) }
    static const struct {
        const char *name;
        const Moment *moments;
        size_t count;
    } cases[] = {
        ROW("step_cubic.gltf", stepCubic),
        ROW("two_skins.gltf", twoSkins),
        ROW("mended.gltf", mended),
        ROW("external.gltf", external),
        ROW("hidden.gltf", hidden),
        ROW("three_bones.x", threeBones),
        ROW("no_ticks.x", noTicks),
        ROW("weights_first.x", weightsFirst),
        ROW("same_names.x", sameNames),
        ROW("joint_orient.fbx", jointOrient),
        ROW("sparse.dae", sparseKeys),
        ROW("z_up.fbx", zUp),
        ROW("geometric.fbx", geometric),
        ROW("matrix_keys.x", matrixKeys),
        ROW("matrix_keys_binary.x", matrixKeys),
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Model *model = importOrFail(cases[i].name);
        expectMoments(model, cases[i].moments, cases[i].count);
        modelFree(model);
    }
}

/* ---- Shapes and clips ---- */

typedef struct Shape {
    const char *name;
    uint32_t nodes, parts, clips;
    uint32_t vertices, triangles, bones; /* numbers of the first part; 0 vertices: not compared */
    uint32_t influences;
} Shape;

/* The text of Testwuson.X says 3205 vertices: welding gives exactly as many. */
static const Shape shapes[] = {
    {"step_cubic.gltf", 2, 1, 2, 0, 1, 1, 1},
    {"two_skins.gltf", 6, 2, 0, 0, 1, 2, 2},
    {"mended.gltf", 5, 2, 0, 0, 1, 3, 1}, /* the second scene: the node of the first is there, its mesh is not */
    {"hidden.gltf", 2, 2, 1, 0, 1, 1, 1},
    {"three_bones.x", 5, 1, 1, 4, 2, 3, 2},
    {"X/Testwuson.X", 40, 1, 3, 3205, 3732, 37, 4},
    {"X/BCN_Epileptic.X", 58, 3, 1, 1170, 1966, 24, 3},
    {"FBX/animation_with_skeleton.fbx", 21, 1, 1, 4220, 2112, 14, 6},
    {"glTF2/simple_skin/simple_skin.gltf", 3, 1, 1, 10, 8, 2, 2},
    {"MD5/SimpleCube.md5mesh", 6, 1, 0, 24, 12, 2, 2},
    {"Collada/box_nested_animation.dae", 4, 1, 1, 24, 12, 1, 1},
    {"Collada/duck.dae", 4, 1, 0, 0, 4212, 1, 1},
};

TEST(testShapes) {
    for (size_t i = 0; i < COUNT_OF(shapes); i++) {
        Shape shape = shapes[i];
        Model *model = importOrFail(shape.name);
        const ModelMesh *mesh = &model->meshes[model->parts[0].mesh];
        const Shape read = {shape.name,
                            model->nodeCount,
                            model->partCount,
                            model->clipCount,
                            shape.vertices ? mesh->vertexCount : 0,
                            mesh->indexCount / 3,
                            model->skins[model->parts[0].skin].boneCount,
                            mesh->influences};
        print_message("%s: %u nodes, %u parts, %u clips, %u vertices, %u triangles, %u bones, %u influences\n",
                      read.name, read.nodes, read.parts, read.clips, read.vertices, read.triangles, read.bones,
                      read.influences);
        assert_memory_equal(&read.nodes, &shape.nodes, 7 * sizeof(uint32_t));
        modelFree(model);
    }
}

TEST(testClips) {
    static const struct {
        const char *file;
        uint32_t clip;
        const char *name;
        float seconds;
        uint32_t tracks;
    } clips[] = {
        {"step_cubic.gltf", 0, "step", 2.0f, 1},
        {"three_bones.x", 0, "Bend", 1.0f, 3},
        {"X/Testwuson.X", 0, "Wuson_Run", 4640.0f / 4800.0f, 3 * 39},
        {"X/Testwuson.X", 1, "Wuson_Walk", 17280.0f / 4800.0f, 3 * 39},
        {"X/Testwuson.X", 2, "Wuson_Bind", 0.0f, 3 * 39},
    };
    for (size_t i = 0; i < COUNT_OF(clips); i++) {
        Model *model = importOrFail(clips[i].file);
        const ModelClip *clip = &model->clips[clips[i].clip];
        assert_string_equal(clip->name, clips[i].name);
        assert_float_equal(clip->duration, clips[i].seconds, 1e-5f);
        assert_int_equal(clip->trackCount, clips[i].tracks);
        modelFree(model);
    }
}

/* The axes and the unit are the file's. The cube of .md5mesh has its origin in a corner; the root does not turn it. */
TEST(testSpace) {
    static const struct {
        const char *file;
        ModelUp up;
        float metres;
    } cases[] = {
        {"three_bones.x", MODEL_UP_Y, 0.0f},     {"step_cubic.gltf", MODEL_UP_Y, 1.0f},
        {"joint_orient.fbx", MODEL_UP_Y, 0.01f}, {"z_up.fbx", MODEL_UP_Z, 0.01f},
        {"sparse.dae", MODEL_UP_Z, 0.0254f},     {"MD5/SimpleCube.md5mesh", MODEL_UP_Z, 0.0f},
    };
    static const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Model *model = importOrFail(cases[i].file);
        assert_int_equal(model->up, cases[i].up);
        assert_float_equal(model->metres, cases[i].metres, 1e-7f);
        expectFloats(model->nodes[0].rest.rotation, none, 4);
        modelFree(model);
    }
}

static void expectWarnings(const char *file, const char *const *warnings, uint32_t count) {
    Model *model = importOrFail(file);
    assert_int_equal(model->warningCount, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(model->warnings[i].text, warnings[i]);
    }
    modelFree(model);
}

TEST(testWarnings) {
    static const char *const lost[] = {
        "clip 'Odd' mirrors, shears or flattens node 'Arm', which is not read",
        "clip 'Odd' mirrors, shears or flattens node 'Hand', which is not read",
    };
    expectWarnings("matrix_keys.x", lost, COUNT_OF(lost));
    expectWarnings("matrix_keys_binary.x", lost, COUNT_OF(lost));
    expectWarnings("keys.fbx", NULL, 0);
    expectWarnings("inherit.fbx", NULL, 0);
    expectWarnings("morphs.fbx", NULL, 0);
    expectWarnings("joint_orient.fbx", NULL, 0);
}

/* ---- Meshes and materials ---- */

/* Weights are those of the file. Computed normals are flat: (0 0 0) (1 0 0) (0 2 0) is counter-clockwise around +z. */
TEST(testWeightsAndNormals) {
    static const float weights[6] = {1.0f, 0.0f, 0.2f, 0.8f, 0.4f, 0.6f}, up[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    Model *model = importOrFail("two_skins.gltf");
    assert_int_equal(model->meshCount, 1);
    assert_int_equal(model->skinCount, 2);
    expectFloats(model->meshes[0].weights, weights, 6);
    expectFloats(model->meshes[0].normals, up, 9);
    assert_int_equal(model->repairs.normalsComputed, 1);
    modelFree(model);
}

TEST(testRepairs) {
    static const ModelRepairs repairs = {.verticesUnweighted = 1,
                                         .weightsNegative = 1,
                                         .nodesSheared = 1,
                                         .texturesMissing = 1,
                                         .normalsComputed = 2,
                                         .trianglesDropped = 4}; /* the plate's second primitive is four points */
    Model *model = importOrFail("mended.gltf");
    assert_memory_equal(&model->repairs, &repairs, sizeof repairs);
    assert_string_equal(model->nodes[model->parts[1].node].name, "sheared");
    modelFree(model);
}

TEST(testMaterials) {
    Model *model = importOrFail("mended.gltf");
    const ModelMaterial *material = &model->materials[model->meshes[0].material];
    assert_string_equal(material->name, "red");
    assert_float_equal(material->baseColor[1], 0.25f, 1e-6f);
    assert_int_equal(material->maps[MODEL_MAP_BASE], -1);
    assert_string_equal(model->materials[model->meshes[1].material].name, "default");
    modelFree(model);
}

/* A strip of 0 1 2 3 is the triangles 0 1 2 and 1 3 2: both around +z. */
TEST(testStrip) {
    static const float corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 0}, {1, 1}, {0, 1}};
    Model *model = importOrFail("mended.gltf");
    const ModelMesh *plate = &model->meshes[1];
    assert_int_equal(plate->indexCount, 6);
    for (int i = 0; i < 6; i++) {
        const float *p = plate->positions + 3 * (size_t)plate->indices[i];
        assert_true(p[0] == corners[i][0] && p[1] == corners[i][1]);
    }
    modelFree(model);
}

/* The sum over all tetrahedra from the origin to a triangle: above 0 where triangles face outwards. */
static double signedVolume(const ModelMesh *mesh) {
    double volume = 0.0;
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        const float *a = mesh->positions + 3 * (size_t)mesh->indices[i];
        const float *b = mesh->positions + 3 * (size_t)mesh->indices[i + 1];
        const float *c = mesh->positions + 3 * (size_t)mesh->indices[i + 2];
        volume += (double)(a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0]));
    }
    return volume / 6.0;
}

TEST(testFacesOutwards) {
    static const char *const names[] = {"X/Testwuson.X", "X/BCN_Epileptic.X", "MD5/SimpleCube.md5mesh"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        Model *model = importOrFail(names[i]);
        for (uint32_t p = 0; p < model->partCount; p++) {
            assert_true(signedVolume(&model->meshes[model->parts[p].mesh]) > 0.0);
        }
        modelFree(model);
    }
}

/*
 * The face (0 0) (1 1) (2 1) of the file is clockwise with x to the right and y up. In its left-handed space it faces a
 * viewer at z < 0. After the negation that is z > 0, from where the face must be counter-clockwise.
 */
TEST(testWinding) {
    Model *model = importOrFail("three_bones.x");
    const ModelMesh *mesh = &model->meshes[0];
    const float *a = mesh->positions + 3 * (size_t)mesh->indices[0];
    const float *b = mesh->positions + 3 * (size_t)mesh->indices[1];
    const float *c = mesh->positions + 3 * (size_t)mesh->indices[2];
    assert_true((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0.0f);
    assert_true(mesh->normals[2] > 0.0f);
    modelFree(model);
}
