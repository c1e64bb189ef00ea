/* The hierarchy of .fbx files and how clips move it, against values made by hand. */
#include "import_support.h"

#define SECOND "46186158000"
#define HEAD   "; FBX 7.4.0 project file\nFBXHeaderExtension:  {\n    FBXHeaderVersion: 1003\n    FBXVersion: 7400\n}\n"
#define STACK                                                                                                          \
    "Objects:  {\n    AnimationStack: 1, \"AnimStack::moves\", \"\" {\n        Properties70:  {\n"                     \
    "            P: \"LocalStop\", \"KTime\", \"Time\", \"\",92372316000\n        }\n    }\n"                          \
    "    AnimationLayer: 2, \"AnimLayer::Base\", \"\" {\n    }\n"
#define NODE(id, name, properties)                                                                                     \
    "    Model: " #id ", \"Model::" name "\", \"Mesh\" {\n        Properties70:  {\n" properties "        }\n    }\n"  \
    "    Geometry: " #id "00, \"Geometry::" name                                                                       \
    "\", \"Mesh\" {\n        Vertices: *9 {\n            a: 0,0,0,1,0,0,0,1,0\n"                                       \
    "        }\n        PolygonVertexIndex: *3 {\n            a: 0,1,-3\n        }\n    }\n"
#define NUMBER(name, type, value) "            P: \"" name "\", \"" type "\", \"\", \"\"," #value "\n"
#define VECTOR(name, x, y, z)     "            P: \"" name "\", \"" name "\", \"\", \"A\"," #x "," #y "," #z "\n"
#define CURVES(id, name, x, y, z)                                                                                      \
    "    AnimationCurveNode: " #id ", \"AnimCurveNode::" name                                                          \
    "\", \"\" {\n        Properties70:  {\n" NUMBER("d|X", "Number", x) NUMBER("d|Y", "Number", y)                     \
        NUMBER("d|Z", "Number", z) "        }\n    }\n"
#define CURVE(id, count, ones, times, values, flags, data)                                                             \
    "    AnimationCurve: " #id ", \"AnimCurve::\", \"\" {\n        KeyTime: *" #count " {\n            a: " times      \
    "\n        }\n"                                                                                                    \
    "        KeyValueFloat: *" #count " {\n            a: " values "\n        }\n"                                     \
    "        KeyAttrFlags: *" #count " {\n            a: " flags "\n        }\n"                                       \
    "        KeyAttrDataFloat: *" data "\n        }\n        KeyAttrRefCount: *" #count " {\n            a: " ones     \
    "\n        }\n    }\n"
#define LINKS               "}\nConnections:  {\n    C: \"OO\",2,1\n"
#define BELOW(lower, upper) "    C: \"OO\"," #lower "," #upper "\n"
#define MESH(id, upper)     BELOW(id, upper) "    C: \"OO\"," #id "00," #id "\n"
#define MOVES(curve, node, component, object, property)                                                                \
    BELOW(node, 2)                                                                                                     \
    "    C: \"OP\"," #node "," #object ", \"" property "\"\n    C: \"OP\"," #curve "," #node ", \"" component "\"\n"
#define END "}\n"

static void expectForms(const char *text, FbxForm end, const Moment *moments, size_t count) {
    for (FbxForm form = FBX_FORM_TEXT; form < end; form++) {
        Model *model = importForm(text, form);
        print_message("form %d\n", (int)form);
        expectMoments(model, moments, count);
        modelFree(model);
    }
}

static void expectWarnings(const Model *model, const char *const *warnings, uint32_t count) {
    assert_int_equal(model->warningCount, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(model->warnings[i].text, warnings[i]);
    }
}

/* ---- Inheritance of scale ---- */

#define CHILD(id, name, type)                                                                                          \
    NODE(id, name,                                                                                                     \
         VECTOR("Lcl Translation", 1, 1, 0) VECTOR("Lcl Rotation", 0, 0, 90) VECTOR("Lcl Scaling", 1, 2, 1)            \
             NUMBER("InheritType", "enum", type))

/* clang-format off */
static const char inherits[] =
    HEAD STACK
    NODE(10, "Parent", VECTOR("Lcl Translation", 1, 0, 0) VECTOR("Lcl Rotation", 0, 0, 90) VECTOR("Lcl Scaling", 2, 3, 1) NUMBER("InheritType", "enum", 1))
    CHILD(11, "Axes", 0)
    CHILD(12, "Matrix", 1)
    CHILD(13, "Own", 2)
    NODE(14, "Below", VECTOR("Lcl Translation", 1, 0, 0) NUMBER("InheritType", "enum", 2))
    CURVES(20, "S", 2, 3, 1)
    CURVE(21, 2, "1,1", "0," SECOND, "2,4", "4,4", "8 {\n a: 0,0,0,0,0,0,0,0")
    LINKS MESH(10, 0) MESH(11, 10) MESH(12, 10) MESH(13, 10) MESH(14, 11)
    MOVES(21, 20, "d|X", 10, "Lcl Scaling")
    END;
/* clang-format on */

enum { PARENT, AXES, MATRIX, OWN, BELOW_AXES };

/*
 * Parent: R turns x to y, S = (2 3 1), T = (1 0 0). Its children: t = (1 1 0), r = R, s = (1 2 1). The vertex (1 0 0):
 * Matrix, R S r s:  r s gives (0 1 0), with t (1 2 0), S (2 6 0), R (-6 2 0), T (-5 2 0).
 * Axes, R r S s:    S s gives (2 0 0), r (0 2 0), with t S = (2 3 0): (2 5 0), R (-5 2 0), T (-4 2 0).
 * Own, R r s:       s gives (1 0 0), r (0 1 0), with t S (2 4 0), R (-4 2 0), T (-3 2 0).
 * Below: in Axes, without its s, t = (1 0 0). The vertex (0 1 0): S gives (0 3 0), with t S s (2 3 0), r (-3 2 0), with
 * the t S of Axes (-1 5 0), R (-5 -1 0), T (-4 -1 0).
 * In the clip S grows to (4 3 1) in 1 s. Then Matrix: (4 6 0), (-6 4 0), (-5 4 0). Axes: (4 0 0), (0 4 0), with (4 3 0)
 * (4 7 0), (-7 4 0), (-6 4 0). Own: (0 1 0) and (4 3 0): (4 4 0), (-4 4 0), (-3 4 0). Below: (0 3 0) and (4 0 0), r
 * (-3 4 0), with (4 3 0) (1 7 0), (-7 1 0), (-6 1 0).
 */
static const Moment inherited[] = {
    {PARENT, REST_POSE, 0.0, {1, 0, 0}, {1, 2, 0}},
    {MATRIX, REST_POSE, 0.0, {1, 0, 0}, {-5, 2, 0}},
    {AXES, REST_POSE, 0.0, {1, 0, 0}, {-4, 2, 0}},
    {OWN, REST_POSE, 0.0, {1, 0, 0}, {-3, 2, 0}},
    {BELOW_AXES, REST_POSE, 0.0, {0, 1, 0}, {-4, -1, 0}},
    {MATRIX, 0, 1.0, {1, 0, 0}, {-5, 4, 0}},
    {AXES, 0, 1.0, {1, 0, 0}, {-6, 4, 0}},
    {OWN, 0, 1.0, {1, 0, 0}, {-3, 4, 0}},
    {BELOW_AXES, 0, 1.0, {0, 1, 0}, {-6, 1, 0}},
    {AXES, 0, 0.5, {1, 0, 0}, {-5, 3, 0}},
};

TEST(testInheritance) {
    expectForms(inherits, FBX_FORM_COUNT, inherited, COUNT_OF(inherited));
}

/* ---- Properties and curves ---- */

#define THREE "0," SECOND ",92372316000"
#define ZERO4 "0,0,0,0"

#define ORDER(id, order)                                                                                               \
    NODE(id, "Order" #order, VECTOR("Lcl Rotation", 90, 90, 90) NUMBER("RotationOrder", "enum", order))

/* clang-format off */
static const char ways[] =
    HEAD STACK
    NODE(10, "Blink", VECTOR("Lcl Translation", 5, 0, 0))
    NODE(11, "Limit", VECTOR("Lcl Rotation", 0, 0, 90) NUMBER("RotationActive", "bool", 1) NUMBER("RotationMaxZ", "bool", 1) VECTOR("RotationMax", 0, 0, 45))
    NODE(12, "Held", VECTOR("Lcl Translation", 1, 2, 3))
    NODE(13, "Near", "")
    NODE(14, "Steep", "")
    NODE(15, "Bad", "")
    ORDER(16, 0) ORDER(17, 1) ORDER(18, 2) ORDER(19, 3) ORDER(20, 4) ORDER(21, 5)
    " AnimationCurveNode: 40, \"AnimCurveNode::Visibility\", \"\" {\n " "Properties70: {\n" NUMBER("d|Visibility", "Visibility", 1) " }\n }\n"
    CURVE(30, 2, "1,1", "0," SECOND, "1,0", "2,2", "8 {\n a: 0,0,0,0,0,0,0,0")
    CURVES(22, "T", 7, 2, 3)
    CURVES(23, "T", 0, 0, 0)
    CURVE(33, 3, "1,1,1", THREE, "0,0.0005,5", "4360,4360,4360", "12 {\n a: " ZERO4 "," ZERO4 "," ZERO4)
    CURVES(24, "T", 0, 0, 0)
    CURVE(34, 3, "1,1,1", THREE, "0,1,5", "264,264,264", "12 {\n a: " ZERO4 ",600,0,0,0," ZERO4)
    CURVES(25, "T", 0, 0, 0)
    CURVE(35, 3, "1,1,1", "0,92372316000," SECOND, "0,4,9", "4,4,4", "12 {\n a: " ZERO4 "," ZERO4 "," ZERO4)
    " AnimationLayer: 3, \"AnimLayer::Over\", \"\" {\n }\n"
    CURVES(26, "R", 0, 0, 10)
    LINKS BELOW(3, 1) BELOW(26, 3) " C: \"OP\",26,11, \"Lcl Rotation\"\n" MESH(10, 0) MESH(11, 0) MESH(12, 0) MESH(13, 0) MESH(14, 0) MESH(15, 0)
    MESH(16, 0) MESH(17, 0) MESH(18, 0) MESH(19, 0) MESH(20, 0) MESH(21, 0)
    MOVES(30, 40, "d|Visibility", 10, "Visibility") BELOW(22, 2) " C: \"OP\",22,12, \"Lcl Translation\"\n"
    MOVES(33, 23, "d|X", 13, "Lcl Translation")
    MOVES(34, 24, "d|X", 14, "Lcl Translation")
    MOVES(35, 25, "d|X", 15, "Lcl Translation")
    END;
/* clang-format on */

enum { BLINK, LIMIT, HELD, NEAR, STEEP, BAD, ORDERS };

/*
 * Blink is visible before 1 s; then its mesh has no size. Limit: 90 degrees about z are cut to 45; a layer above adds a
 * turn of 10 degrees, and then the limit does not count. Held: a base layer without curves has its defaults.
 * Near: clamped keys 0, 0.0005, 5: the second is so near to the first that its slope is 0; the last one has that of the
 * line, 4.9995. At 1.5 s: 2.50025 - 4.9995 / 8 = 1.8753125.
 * Steep: automatic keys 0, 1, 5 with a bias of 600 % to the right of the second: from the even slope 2.5 six times the way
 * to 4, and 40 x 1 x 1 for the 100 % above 500: 51.5. At 1.5 s: 3 + (51.5 - 4) / 8 = 8.9375. To the left the slope is even:
 * at 0.5 s 0.5 + (1 - 2.5) / 8 = 0.3125.
 * Bad: the third key is earlier than the second, and dropped.
 * Orders: 90 degrees about x take y to z and z to -y, about y z to x and x to -z, about z x to y and y to -x. x: in the
 * order XYZ to -z, XZY to y, YZX to -z and y, YXZ to -z, y and -x, ZXY to y, z and x, ZYX to y and z. y: in the order XZY
 * to z and x, YZX to -x.
 */
static const Moment moved[] = {
    {BLINK, 0, 0.5, {1, 0, 0}, {6, 0, 0}},
    {BLINK, 0, 1.5, {1, 0, 0}, {5, 0, 0}},
    {LIMIT, REST_POSE, 0.0, {1, 0, 0}, {0.70710678f, 0.70710678f, 0}},
    {LIMIT, 0, 1.0, {1, 0, 0}, {-0.17364818f, 0.98480775f, 0}},
    {HELD, REST_POSE, 0.0, {0, 0, 0}, {1, 2, 3}},
    {HELD, 0, 1.0, {0, 0, 0}, {7, 2, 3}},
    {NEAR, 0, 1.5, {0, 0, 0}, {1.8753125f, 0, 0}},
    {STEEP, 0, 1.5, {0, 0, 0}, {8.9375f, 0, 0}},
    {STEEP, 0, 0.5, {0, 0, 0}, {0.3125f, 0, 0}},
    {BAD, 0, 1.0, {0, 0, 0}, {2, 0, 0}},
    {ORDERS, REST_POSE, 0.0, {1, 0, 0}, {0, 0, -1}},
    {ORDERS + 1, REST_POSE, 0.0, {0, 1, 0}, {1, 0, 0}},
    {ORDERS + 2, REST_POSE, 0.0, {0, 1, 0}, {-1, 0, 0}},
    {ORDERS + 3, REST_POSE, 0.0, {1, 0, 0}, {-1, 0, 0}},
    {ORDERS + 4, REST_POSE, 0.0, {1, 0, 0}, {1, 0, 0}},
    {ORDERS + 5, REST_POSE, 0.0, {1, 0, 0}, {0, 0, 1}},
};

TEST(testWays) {
    expectForms(ways, FBX_FORM_NEW_COUNT, moved, COUNT_OF(moved));
    static const char *const warnings[] = {
        "clip 'moves': 1 curves are damaged: keys that are not finite or not in order are dropped",
        "clip 'moves' combines turns of node 'Limit' in layers; its limits do not count"};
    Model *model = importForm(ways, FBX_FORM_TEXT);
    expectWarnings(model, warnings, COUNT_OF(warnings));
    modelFree(model);
}

/* ---- 6.1 ---- */

#define OLD_MESH(x)                                                                                                    \
    " Model: \"Model::a\", \"Mesh\" {\n  Properties60: {\n   Property: \"Lcl Translation\", \"Lcl Translation\", "     \
    "\"A+\"," #x ",0,0\n  }\n  Vertices: 0,0,0,1,0,0,0,1,0\n  PolygonVertexIndex: 0,1,-3\n }\n"
#define OLD_LINK " Connect: \"OO\", \"Model::a\", \"Model::Scene\"\n"

static const char old[] = "; FBX 6.1.0 project file\nObjects: {\n" OLD_MESH(1) OLD_MESH(
    2) "}\nConnections: {\n" OLD_LINK OLD_LINK
       "}\nTakes: {\n Take: \"t\" {\n  LocalTime: 0,0\n  ReferenceTime: 0,92372316000\n  Model: \"Model::a\" {\n"
       "   Channel: \"Transform\" {\n    Channel: \"T\" {\n     Channel: \"X\" {\n      Key: 0,1,L," SECOND ",5,L\n"
       "     }\n     LayerType: 1\n    }\n   }\n   Layer: \"over\" {\n   }\n  }\n }\n Take: \"u\" {\n  Model: "
       "\"Model::a\" {\n   LayerType: 1\n  }\n }\n}\n";

/* The first of several objects with one name counts; a take without a time of its own has the time that it refers to. */
TEST(testOld) {
    static const char *const warnings[] = {"several objects have the name 'Model::a'; the first one counts",
                                           "take 't' has layers, which are not read in files of 6.1"};
    static const Moment moments[] = {{0, REST_POSE, 0.0, {0, 0, 0}, {1, 0, 0}}, {0, 0, 1.0, {0, 0, 0}, {5, 0, 0}}};
    Model *model = importForm(old, FBX_FORM_TEXT);
    assert_int_equal(model->partCount, 1);
    assert_float_equal(model->clips[0].duration, 2.0f, 0.0f);
    expectMoments(model, moments, COUNT_OF(moments));
    expectWarnings(model, warnings, COUNT_OF(warnings));
    modelFree(model);
}

/* ---- Parents ---- */

/* clang-format off */
static const char parents[] =
    HEAD STACK
    NODE(10, "Left", VECTOR("Lcl Translation", 1, 0, 0))
    NODE(11, "Right", VECTOR("Lcl Translation", 2, 0, 0))
    NODE(12, "Both", VECTOR("Lcl Translation", 0, 1, 0))
    NODE(13, "Head", "")
    NODE(14, "Tail", "")
    NODE(15, "Lost", "")
    LINKS MESH(10, 0) MESH(11, 0) MESH(12, 10) BELOW(12, 11) MESH(13, 14) MESH(14, 13) " C: \"OO\",1500,15\n"
    END;
/* clang-format on */

/* Both is below the first of its parents; a circle is cut, and nothing is lost. */
TEST(testParents) {
    static const char *const warnings[] = {"node 'Both' has several parents; it is below the first, 'Left'",
                                           "node 'Head' is below itself; it is put below the root"};
    Model *model = importForm(parents, FBX_FORM_TEXT);
    assert_int_equal(model->partCount, 6);
    expectWarnings(model, warnings, COUNT_OF(warnings));
    const Moment both = {3, REST_POSE, 0.0, {0, 0, 0}, {1, 1, 0}};
    expectMoments(model, &both, 1);
    modelFree(model);
}
