/*
 * Meshes of .fbx files: polygons, layer elements, materials, skins and morph targets, against values made by hand. Each
 * description is a scene of one Model with one Geometry, to which a row adds records.
 */
#include "import_support.h"

#include <math.h>

#define SCENE_MAX 8192

/* What a row adds to the scene: in the Geometry, in Objects, in Connections. Model 1 "one", Geometry 2 "shape". */
typedef struct Scene {
    const char *points, *polygons; /* numbers of Vertices and of PolygonVertexIndex */
    const char *inside, *objects, *connections;
} Scene;

static const char SCENE[] =
    "FBXHeaderExtension: {\n FBXHeaderVersion: 1003\n FBXVersion: 7400\n}\n"
    "GlobalSettings: {\n Properties70: {\n P: \"UpAxis\", \"int\", \"\", \"\",1\n }\n}\nObjects: {\n"
    " Model: 1, \"Model::one\", \"Mesh\" {\n  Version: 232\n }\n Geometry: 2, \"Geometry::shape\", \"Mesh\" {\n"
    "  Vertices: *1 {\n   a: %s\n  }\n  PolygonVertexIndex: *1 {\n   a: %s\n  }\n%s }\n%s}\nConnections: {\n"
    " C: \"OO\",1,0\n C: \"OO\",2,1\n%s}\n";

static Model *importSceneIn(const Scene *scene, FbxForm form) {
    char text[SCENE_MAX];
    const int length =
        snprintf(text, sizeof text, SCENE, scene->points, scene->polygons, scene->inside ? scene->inside : "",
                 scene->objects ? scene->objects : "", scene->connections ? scene->connections : "");
    assert_in_range(length, 1, SCENE_MAX - 1);
    return importForm(text, form);
}

static Model *importScene(const Scene *scene) {
    return importSceneIn(scene, FBX_FORM_TEXT);
}

/* ---- Polygons ---- */

static double areaOf(const ModelMesh *mesh, uint32_t triangle) {
    const float *p[3];
    for (uint32_t c = 0; c < 3; c++) {
        p[c] = mesh->positions + 3 * (size_t)mesh->indices[3 * triangle + c];
    }
    return 0.5 * (((double)p[1][0] - p[0][0]) * ((double)p[2][1] - p[0][1]) -
                  ((double)p[1][1] - p[0][1]) * ((double)p[2][0] - p[0][0]));
}

/*
 * Polygons in the plane of x and y. Their triangles turn as they do, and cover their area once: a fan of a concave one
 * covers more, and turns back. Bridge: a square of side 4 with a square hole of side 2, joined by an edge used twice.
 * Line: a corner on an edge.
 */
static const struct {
    const char *name, *points, *polygon;
    uint32_t triangles;
    double area;
} polygons[] = {
    {"square", "0,0,0, 1,0,0, 1,1,0, 0,1,0", "0,1,2,-4", 2, 1.0},
    {"arrow", "0,0,0, 4,2,0, 0,4,0, 1,2,0", "0,1,2,-4", 2, 6.0},
    {"arrow from its notch", "0,0,0, 4,2,0, 0,4,0, 1,2,0", "3,0,1,-3", 2, 6.0},
    {"comb", "0,0,0, 6,0,0, 6,3,0, 5,1,0, 4,3,0, 3,1,0, 2,3,0, 1,1,0, 0,3,0", "0,1,2,3,4,5,6,7,-9", 7, 12.0},
    {"bridge", "0,0,0, 4,0,0, 4,4,0, 0,4,0, 1,1,0, 3,1,0, 3,3,0, 1,3,0", "0,1,2,3,0,4,7,6,5,-5", 8, 12.0},
    {"line", "0,0,0, 2,0,0, 2,2,0, 1,1,0, 0,2,0, 0,1,0", "0,1,2,3,4,-6", 4, 3.0},
    {"spiral", "0,0,0, 5,0,0, 5,5,0, 1,5,0, 1,2,0, 3,2,0, 3,3,0, 2,3,0, 2,4,0, 4,4,0, 4,1,0, 0,1,0",
     "0,1,2,3,4,5,6,7,8,9,10,-12", 10, 15.0},
};

TEST(testPolygons) {
    for (size_t i = 0; i < COUNT_OF(polygons); i++) {
        Model *model = importScene(&(Scene){polygons[i].points, polygons[i].polygon, NULL, NULL, NULL});
        double sum = 0.0;
        print_message("%s\n", polygons[i].name);
        assert_int_equal(model->meshes[0].indexCount, 3 * polygons[i].triangles);
        for (uint32_t t = 0; t < polygons[i].triangles; t++) {
            assert_true(areaOf(&model->meshes[0], t) >= 0.0);
            sum += areaOf(&model->meshes[0], t);
        }
        assert_float_equal(sum, polygons[i].area, 1e-6);
        assert_int_equal(model->warningCount, 0);
        modelFree(model);
    }
}

/* ---- Layer elements ---- */

/* A square of the points 0 to 3, then a triangle of 1, 4 and 2: seven corners. */
#define FIVE    "0,0,0, 1,0,0, 1,1,0, 0,1,0, 2,0,0"
#define SQUARED "0,1,2,-4, 1,4,-3"
#define UV(mapping, reference, values, indices)                                                                        \
    "  LayerElementUV: 0 {\n   Name: \"map\"\n   MappingInformationType: \"" mapping                                   \
    "\"\n   ReferenceInformationType: \"" reference "\"\n   UV: *1 {\n    a: " values "\n   }\n" indices "  }\n"
#define INDEX(values) "   UVIndex: *1 {\n    a: " values "\n   }\n"

static const char DROPPED[] = "the texture coordinates of mesh 'shape' are left out: it is not known what they lie on";
static const char ONE_CORNER[] =
    "the texture coordinates of mesh 'shape' do not reach all corners of its triangles: 1 have none";

/* u of each corner; v is 1 minus that of the file, 0. */
static const struct {
    const char *inside;
    const char *warning;
    float u[7];
} elements[] = {
    {UV("ByPolygonVertex", "Direct", "1,0,2,0,3,0,4,0,5,0,6,0,7,0", ""), NULL, {1, 2, 3, 4, 5, 6, 7}},
    {UV("ByPolygonVertex", "IndexToDirect", "8,0,9,0", INDEX("0,1,1,0,1,0,0")), NULL, {8, 9, 9, 8, 9, 8, 8}},
    {UV("ByVertice", "Direct", "1,0,2,0,3,0,4,0,5,0", ""), NULL, {1, 2, 3, 4, 2, 5, 3}},
    {UV("ByVertex", "IndexToDirect", "8,0,9,0", INDEX("0,0,0,0,1")), NULL, {8, 8, 8, 8, 8, 9, 8}},
    {UV("ByPolygon", "Direct", "3,0,4,0", ""), NULL, {3, 3, 3, 3, 4, 4, 4}},
    {UV("ByPolygon", "Index", "3,0,4,0", INDEX("1,0")), NULL, {4, 4, 4, 4, 3, 3, 3}},
    {UV("AllSame", "Direct", "6,0", ""), NULL, {6, 6, 6, 6, 6, 6, 6}},
    {UV("ByPolygonVertex", "IndexToDirect", "8,0,9,0", INDEX("0,1,-1,0,1,0,0")), NULL, {8, 9, 0, 8, 9, 8, 8}},
    {UV("ByPolygonVertex", "IndexToDirect", "8,0,9,0", INDEX("0,1,1,0,1,2,0")), ONE_CORNER, {8, 9, 9, 8, 9, 0, 8}},
    {UV("ByVertice", "Direct", "1,0,2,0,3,0,4,0", ""), ONE_CORNER, {1, 2, 3, 4, 2, 0, 3}},
    {UV("ByEdge", "Direct", "1,0,2,0,3,0,4,0", ""), DROPPED, {NAN}},
};

static uint32_t cornerAt(const float *position, bool second) {
    static const uint32_t corners[2][5] = {{0, 1, 2, 3, 9}, {9, 4, 6, 9, 5}};
    static const float points[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 0}};
    uint32_t point = 0;
    while (points[point][0] != position[0] || points[point][1] != position[1]) {
        assert_true(++point < 5);
    }
    return corners[second][point];
}

TEST(testElements) {
    for (size_t i = 0; i < COUNT_OF(elements); i++) {
        Model *model = importScene(&(Scene){FIVE, SQUARED, elements[i].inside, NULL, NULL});
        const ModelMesh *mesh = &model->meshes[0];
        print_message("element %zu\n", i);
        assert_int_equal(mesh->indexCount, 9);
        assert_int_equal(mesh->texcoords == NULL, isnan(elements[i].u[0]));
        for (uint32_t c = 0; mesh->texcoords && c < mesh->indexCount; c++) {
            const uint32_t v = mesh->indices[c], corner = cornerAt(mesh->positions + 3 * (size_t)v, c >= 6);
            assert_float_equal(mesh->texcoords[2 * v], elements[i].u[corner], 1e-6);
            assert_float_equal(mesh->texcoords[2 * v + 1], 1.0f, 1e-6);
        }
        assert_int_equal(model->warningCount, elements[i].warning != NULL);
        if (elements[i].warning) {
            assert_string_equal(model->warnings[0].text, elements[i].warning);
        }
        modelFree(model);
    }
}

/* Normals of the file are kept; without them they are the means of the triangles, smooth over the fold of 0 and 1. */
TEST(testNormals) {
    static const float given[3] = {0, 0.6f, 0.8f}, fold[3] = {0, 0.70710678f, -0.70710678f};
    static const char inside[] = "  LayerElementNormal: 0 {\n   MappingInformationType: \"AllSame\"\n"
                                 "   ReferenceInformationType: \"Direct\"\n   Normals: *3 {\n    a: 0,0.6,0.8\n"
                                 "   }\n  }\n";
    Model *model = importScene(&(Scene){FIVE, SQUARED, inside, NULL, NULL});
    expectFloats(model->meshes[0].normals + 9, given, 3);
    assert_int_equal(model->repairs.normalsComputed, 0);
    modelFree(model);
    model = importScene(&(Scene){"0,0,0, 1,0,0, 0.5,1,0, 0.5,0,-1", "2,1,-1, 0,1,-4", NULL, NULL, NULL});
    assert_int_equal(model->repairs.normalsComputed, 1);
    assert_int_equal(model->meshes[0].vertexCount, 4);
    for (uint32_t v = 0; v < 4; v++) {
        if (model->meshes[0].positions[3 * v] != 0.5f) {
            expectFloats(model->meshes[0].normals + 3 * (size_t)v, fold, 3);
        }
    }
    modelFree(model);
}

/* ---- Damage: what is left is shown, with one warning ---- */

static const struct {
    const char *points, *polygons, *warning;
    uint32_t indices;
} damages[] = {
    {"0,0,0, 1,0,0, nan,1,0, 0,1,0, 2,0,0", "0,1,2,-4, 0,1,-4",
     "1 polygons of mesh 'shape' are left out: they have points that are not finite", 3},
    {"0,0,0, 1,0,0, 1,1e39,0, 0,1,0, 2,0,0", "0,1,2,-4, 0,1,-4",
     "1 polygons of mesh 'shape' are left out: they have points that are not finite", 3},
    {FIVE, "0,1,2,-4, 1,4,-6", "1 polygons of mesh 'shape' are left out: they name points that it does not have", 6},
    {FIVE, "0,1,9,-4, 1,4,-3", "1 polygons of mesh 'shape' are left out: they name points that it does not have", 3},
    {FIVE, "0,1,2,-4, 1,4,2", NULL, 9}, /* the last polygon ends with the list */
};

TEST(testDamage) {
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        Model *model = importScene(&(Scene){damages[i].points, damages[i].polygons, NULL, NULL, NULL});
        print_message("damage %zu\n", i);
        assert_int_equal(model->meshes[0].indexCount, damages[i].indices);
        assert_int_equal(model->warningCount, damages[i].warning != NULL);
        if (damages[i].warning) {
            assert_string_equal(model->warnings[0].text, damages[i].warning);
        }
        modelFree(model);
    }
}

/* ---- Materials ---- */

#define SLOTS(values)                                                                                                  \
    "  LayerElementMaterial: 0 {\n   MappingInformationType: \"ByPolygon\"\n"                                          \
    "   ReferenceInformationType: \"IndexToDirect\"\n   Materials: *2 {\n    a: " values "\n   }\n  }\n"
#define TWO_MATERIALS                                                                                                  \
    " Material: 3, \"Material::red\", \"\" {\n  Version: 102\n }\n Material: 4, \"Material::blue\", \"\" {\n"          \
    "  Version: 102\n }\n"

/* The material of the square and of the triangle; a slot that the node does not have is plain, with a warning. */
static const struct {
    const char *slots, *square, *triangle;
    uint32_t warnings;
} materials[] = {
    {SLOTS("0,1"), "red", "blue", 0},
    {SLOTS("1,0"), "blue", "red", 0},
    {SLOTS("1,2"), "blue", "", 1},
    {SLOTS("1"), "blue", "red", 1}, /* none for the triangle: the first */
    {"", "red", "red", 0},
};

TEST(testMaterials) {
    for (size_t i = 0; i < COUNT_OF(materials); i++) {
        Model *model =
            importScene(&(Scene){FIVE, SQUARED, materials[i].slots, TWO_MATERIALS, " C: \"OO\",3,1\n C: \"OO\",4,1\n"});
        uint32_t found = 0;
        for (uint32_t m = 0; m < model->meshCount; m++) {
            const char *name = model->materials[model->meshes[m].material].name;
            found += model->meshes[m].indexCount == 6 && strcmp(name, materials[i].square) == 0;
            found += model->meshes[m].indexCount == 3 && strcmp(name, materials[i].triangle) == 0;
            found += model->meshes[m].indexCount == 9 && strcmp(name, materials[i].square) == 0 ? 2 : 0;
        }
        print_message("materials %zu\n", i);
        assert_int_equal(found, 2);
        assert_int_equal(model->warningCount, materials[i].warnings);
        modelFree(model);
    }
}

/* The texture coordinates are those that the texture of the base colour names, else those of the first layer. */
TEST(testSets) {
    static const char sets[] =
        "  LayerElementUV: 1 {\n   Name: \"other\"\n   MappingInformationType: \"AllSame\"\n"
        "   ReferenceInformationType: \"Direct\"\n   UV: *2 {\n    a: 5,0\n   }\n  }\n"
        "  LayerElementUV: 0 {\n   Name: \"first\"\n   MappingInformationType: \"AllSame\"\n"
        "   ReferenceInformationType: \"Direct\"\n   UV: *2 {\n    a: 3,0\n   }\n  }\n"
        "  Layer: 0 {\n   LayerElement: {\n    Type: \"LayerElementUV\"\n    TypedIndex: 0\n   }\n  }\n";
    static const struct {
        const char *set;
        float u;
    } rows[] = {{"other", 5}, {"first", 3}, {"unknown", 3}, {"", 3}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char objects[1024];
        snprintf(objects, sizeof objects,
                 TWO_MATERIALS " Texture: 5, \"Texture::t\", \"\" {\n  Properties70: {\n"
                               "   P: \"UVSet\", \"KString\", \"\", \"\", \"%s\"\n  }\n  FileName: \"none.png\"\n }\n",
                 rows[i].set);
        Model *model =
            importScene(&(Scene){FIVE, SQUARED, sets, objects, " C: \"OO\",3,1\n C: \"OP\",5,3,\"DiffuseColor\"\n"});
        assert_float_equal(model->meshes[0].texcoords[0], rows[i].u, 1e-6);
        modelFree(model);
    }
}

/* ---- Skins ---- */

#define CLUSTER(id, name, indices, weights, rest)                                                                      \
    " Deformer: " id ", \"SubDeformer::" name "\", \"Cluster\" {\n  Indexes: *1 {\n   a: " indices                     \
    "\n  }\n  Weights: *1 {\n   a: " weights "\n  }\n" rest " }\n"
#define AT(x, y, z) "*16 {\n   a: 1,0,0,0, 0,1,0,0, 0,0,1,0, " x "," y "," z ",1\n  }\n"
#define BONES                                                                                                          \
    " Model: 6, \"Model::a\", \"LimbNode\" {\n  Version: 232\n }\n Model: 7, \"Model::b\", \"LimbNode\" {\n"           \
    "  Version: 232\n }\n"
#define SKIN(rest) " Deformer: 8, \"Deformer::\", \"Skin\" {\n" rest " }\n"
#define LINKS                                                                                                          \
    " C: \"OO\",6,0\n C: \"OO\",7,0\n C: \"OO\",8,2\n C: \"OO\",9,8\n C: \"OO\",10,8\n C: \"OO\",6,9\n C: "            \
    "\"OO\",7,10\n"

/* Point 1 has 0.25 twice of a: 0.5, and 2 of b. The file's Transform is that of the mesh to the bone. */
TEST(testSkin) {
    static const char objects[] =
        BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4,1", "1,0.25,1,1,1,0.25", "  Transform: " AT("0", "-2", "3"))
            CLUSTER("10", "cb", "1", "2", "  Transform: " AT("5", "0", "0") "  TransformLink: " AT("9", "9", "9"));
    Model *model = importScene(&(Scene){FIVE, SQUARED, NULL, objects, LINKS});
    const ModelMesh *mesh = &model->meshes[0];
    const ModelSkin *skin = &model->skins[model->parts[0].skin];
    assert_int_equal(model->warningCount, 0);
    assert_int_equal(skin->boneCount, 2);
    assert_string_equal(model->nodes[skin->boneNodes[0]].name, "a");
    assert_float_equal(skin->inverseBinds[0].m[1][3], -2.0f, 0.0f);
    assert_float_equal(skin->inverseBinds[0].m[2][3], 3.0f, 0.0f);
    assert_float_equal(skin->inverseBinds[1].m[0][3], 5.0f, 0.0f);
    assert_int_equal(mesh->influences, 2);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        const bool second = mesh->positions[3 * v] == 1.0f && mesh->positions[3 * v + 1] == 0.0f;
        assert_float_equal(mesh->weights[2 * v], second ? 0.5f : 1.0f, 0.0f);
        assert_float_equal(mesh->weights[2 * v + 1], second ? 2.0f : 0.0f, 0.0f);
        assert_int_equal(mesh->joints[2 * v + 1], second ? 1 : 0);
    }
    assert_null(mesh->blendWeights);
    modelFree(model);
    model = importSceneIn(&(Scene){FIVE, SQUARED, NULL, objects, LINKS}, FBX_FORM_OLD_TEXT);
    assert_int_equal(model->skins[model->parts[0].skin].boneCount, 2);
    assert_int_equal(model->meshes[0].influences, 2);
    modelFree(model);
}

/* Without Transform: the bind pose of the mesh, from the bone's TransformLink; without either, the poses at rest. */
TEST(testBindPose) {
    static const char objects[] =
        BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4", "1,1,1,1,1", "  TransformLink: " AT("0", "2", "0")) CLUSTER(
            "10", "cb", "0", "1",
            "") " Pose: 11, \"Pose::p\", \"BindPose\" {\n  PoseNode: {\n   Node: 1\n   Matrix: " AT("7", "0",
                                                                                                    "0") "  }\n }\n";
    Model *model = importScene(&(Scene){FIVE, SQUARED, NULL, objects, LINKS});
    const ModelSkin *skin = &model->skins[model->parts[0].skin];
    assert_float_equal(skin->inverseBinds[0].m[0][3], 7.0f, 0.0f);
    assert_float_equal(skin->inverseBinds[0].m[1][3], -2.0f, 0.0f);
    assert_float_equal(skin->inverseBinds[1].m[0][3], 7.0f, 0.0f);
    modelFree(model);
}

static const struct {
    const char *objects, *warning;
} skinFaults[] = {
    {BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4,5,-1", "1,1,1,1,1,1,1", ""),
     "2 weights of cluster 'ca' are left out: mesh 'shape' has no such points"},
    {BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4", "1,1,1,1", ""),
     "1 weights of cluster 'ca' are left out: mesh 'shape' has no such points"},
    {BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4", "1,1,1,1,1", "  Mode: \"Additive\"\n"),
     "cluster 'ca' of mesh 'shape' has the mode 'Additive'; its weights are normalised"},
    {BONES SKIN("") CLUSTER("9", "ca", "0,1,2,3,4", "1,1,1,1,1", "") CLUSTER("12", "cc", "0", "1", ""),
     "cluster 'cc' of mesh 'shape' has no bone; its weights are left out"},
};

TEST(testSkinFaults) {
    for (size_t i = 0; i < COUNT_OF(skinFaults); i++) {
        Model *model = importScene(&(Scene){FIVE, SQUARED, NULL, skinFaults[i].objects, LINKS " C: \"OO\",12,8\n"});
        assert_int_equal(model->warningCount, 1);
        assert_string_equal(model->warnings[0].text, skinFaults[i].warning);
        modelFree(model);
    }
}

/* SkinningType: blend weights of 1 are dual quaternions; NAN: none. Point 3 is painted 0.25, the others are linear. */
TEST(testSkinningType) {
    static const struct {
        const char *skin;
        float third, others;
    } rows[] = {
        {SKIN("  SkinningType: \"Linear\"\n"), NAN, NAN},
        {SKIN("  SkinningType: \"Rigid\"\n"), NAN, NAN},
        {SKIN("  SkinningType: \"DualQuaternion\"\n"), 1, 1},
        {SKIN("  SkinningType: \"Blend\"\n  Indexes: *2 {\n   a: 3,9\n  }\n  BlendWeights: *2 {\n   a: 0.25,1\n  }\n"),
         0.25f, 0},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char objects[SCENE_MAX];
        snprintf(objects, sizeof objects, "%s%s%s", BONES, rows[i].skin,
                 CLUSTER("9", "ca", "0,1,2,3,4", "1,1,1,1,1", ""));
        Model *model = importScene(&(Scene){FIVE, SQUARED, NULL, objects, LINKS});
        const ModelMesh *mesh = &model->meshes[0];
        assert_int_equal(mesh->blendWeights == NULL, isnan(rows[i].third));
        for (uint32_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
            const bool third = mesh->positions[3 * v] == 0.0f && mesh->positions[3 * v + 1] == 1.0f;
            assert_float_equal(mesh->blendWeights[v], third ? rows[i].third : rows[i].others, 0.0f);
        }
        modelFree(model);
    }
}

/* ---- Morph targets ---- */

#define SHAPE(id, indices, deltas)                                                                                     \
    " Geometry: " id ", \"Geometry::s" id "\", \"Shape\" {\n  Indexes: *1 {\n   a: " indices                           \
    "\n  }\n  Vertices: *1 {\n   a: " deltas "\n  }\n }\n"
#define TWO_SHAPES  SHAPE("5", "0", "0,0,5") SHAPE("6", "0", "0,0,6")
#define SHAPE_LINKS " C: \"OO\",3,2\n C: \"OO\",4,3\n C: \"OO\",5,4\n C: \"OO\",6,4\n"
#define CHANNEL                                                                                                        \
    "%s Deformer: 3, \"Deformer::\", \"BlendShape\" {\n  Version: 100\n }\n"                                           \
    " Deformer: 4, \"SubDeformer::smile\", \"BlendShapeChannel\" {\n%s  FullWeights: *1 {\n   a: %s\n  }\n }\n"

/*
 * The weights of two shapes at a percent. 0 is a shape that moves nothing; outside, the last line goes on. Shapes are
 * in the order of their full weights. Weights that are no steps: even ones. deltas: z of the targets.
 */
static const struct {
    const char *full, *percent;
    float weights[2], deltas[2];
} betweens[] = {
    {"50,100", "25", {0.5f, 0}, {5, 6}},     {"50,100", "50", {1, 0}, {5, 6}},
    {"50,100", "75", {0.5f, 0.5f}, {5, 6}},  {"50,100", "150", {-1, 2}, {5, 6}},
    {"50,100", "-25", {-0.5f, 0}, {5, 6}},   {"100,50", "25", {0.5f, 0}, {6, 5}},
    {"-100,100", "-50", {0.5f, 0}, {5, 6}},  {"-100,100", "50", {0, 0.5f}, {5, 6}},
    {"-100,100", "-150", {1.5f, 0}, {5, 6}}, {"100,100", "25", {0.5f, 0}, {5, 6}},
    {"0,100", "75", {0.5f, 0.5f}, {5, 6}},   {"100", "75", {0.5f, 0.5f}, {5, 6}},
};

static Model *importShapes(const char *shapes, const char *rest, const char *full) {
    char objects[SCENE_MAX];
    snprintf(objects, sizeof objects, CHANNEL, shapes, rest, full);
    return importScene(&(Scene){FIVE, SQUARED, NULL, objects, SHAPE_LINKS});
}

TEST(testBetweens) {
    for (size_t i = 0; i < COUNT_OF(betweens); i++) {
        char record[64], property[128];
        snprintf(record, sizeof record, "  DeformPercent: %s\n", betweens[i].percent);
        snprintf(property, sizeof property,
                 "  Properties70: {\n   P: \"DeformPercent\", \"Number\", \"\", \"A\",%s\n  }\n", betweens[i].percent);
        for (int form = 0; form < 2; form++) {
            Model *model = importShapes(TWO_SHAPES, form == 0 ? record : property, betweens[i].full);
            print_message("between %zu\n", i);
            assert_int_equal(model->meshes[0].morphCount, 2);
            expectFloats(model->parts[0].morphWeights, betweens[i].weights, 2);
            assert_float_equal(model->meshes[0].morphs[0].positions[2], betweens[i].deltas[0], 0.0f);
            assert_float_equal(model->meshes[0].morphs[1].positions[2], betweens[i].deltas[1], 0.0f);
            modelFree(model);
        }
    }
}

/*
 * One number for each point of a shape scales its deltas (0, 50 and 100 %). Deltas of unknown points and those that are
 * not finite are left out; of two for one point the first counts.
 */
TEST(testShapes) {
    Model *model = importShapes(SHAPE("5", "0,3,4", "0,0,8, 0,0,8, 0,0,8"), "", "0,50,100");
    const ModelMorph *morph = &model->meshes[0].morphs[0];
    float sum = 0.0f;
    for (uint32_t i = 0; i < morph->vertexCount; i++) {
        sum += morph->positions[3 * i + 2];
    }
    assert_float_equal(sum, 12.0f, 1e-6);
    assert_string_equal(morph->name, "smile");
    assert_int_equal(model->warningCount, 0);
    modelFree(model);
    model = importShapes(SHAPE("5", "3,5,4,3,0", "0,0,8, 0,0,1, 0,nan,1, 0,0,3, 0,0,2"), "", "100");
    morph = &model->meshes[0].morphs[0];
    for (uint32_t i = 0; i < morph->vertexCount; i++) {
        const float *p = model->meshes[0].positions + 3 * (size_t)morph->vertices[i];
        if (p[0] == 0.0f) {
            assert_float_equal(morph->positions[3 * i + 2], p[1] == 1.0f ? 8.0f : 2.0f, 0.0f);
        }
    }
    assert_string_equal(model->warnings[0].text,
                        "2 deltas of morph targets of mesh 'shape' are left out: not finite, or of no point");
    modelFree(model);
}
