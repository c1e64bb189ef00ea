/*
 * test_info.c: the whole output of `vkskin info`, without a device.
 */

#include <cjson/cJSON.h>

#include "place.h"
#include "run_command.h"
#include "test.h"

static void expectOutput(CommandRun run, const char *expected) {
    assert_string_equal(run.errors, "");
    assert_string_equal(run.output, expected);
    assert_int_equal(run.status, 0);
    commandRunFree(&run);
}

static void expectPart(const CommandRun *run, const char *part) {
    if (!strstr(run->output, part)) {
        fail_msg("expected the lines\n%s\nin\n%s", part, run->output);
    }
}

TEST(skinnedModel) {
    expectOutput(RUN("info", VKSKIN_FIXTURES "/signal.gltf"),
                 "meshes                 2\n"
                 "vertices               7\n"
                 "triangles              3\n"
                 "nodes                  6\n"
                 "bones                  2\n"
                 "clips                  2\n"
                 "materials              1\n"
                 "\n"
                 "mesh    vertices   triangles   bones  placed  tangents  texcoords  material  name\n"
                 "   0           4           2       2       1        no        yes         0  arm\n"
                 "   1           3           1       0       2        no         no         0  sign\n"
                 "\n"
                 "influences    vertices   share\n"
                 "         1           3  75.0 %\n"
                 "         2           1  25.0 %\n"
                 "weight sums  1 to 1\n"
                 "\n"
                 "kept at most    vertices    lose up to     error up to\n"
                 "           1           1       50.00 %           1.118\n"
                 "\n"
                 "clip     seconds  tracks  name\n"
                 "   0       1.000       2  wave\n"
                 "   1       1.000       1  grow\n"
                 "\n"
                 "material  base colour (linear)      texture  name\n"
                 "       0  0.800 0.100 0.100 1.000         none  red\n"
                 "\n"
                 "repaired on import\n"
                 "    nothing\n");
}

TEST(rigidModel) {
    CommandRun run = RUN("info", VKSKIN_FIXTURES "/still.gltf", "--device", "any", "--validate");
    assert_int_equal(run.status, 0);
    expectPart(&run, "bones                  0\nclips                  0\n");
    expectPart(&run, "\nno mesh is skinned: all of them follow their nodes\n");
    expectPart(&run, "\nrepaired on import\n       1  meshes without normals, computed from the faces\n");
    assert_null(strstr(run.output, "seconds"));
    commandRunFree(&run);
}

TEST(realModel) {
    CommandRun run = RUN("info", VKSKIN_MODELS "/X/Testwuson.X");
    assert_int_equal(run.status, 0);
    expectPart(&run, "bones                 37\nclips                  3\n");
    expectPart(&run, "weight sums  ");
    commandRunFree(&run);
}

TEST(weightsThatAreChangedAreCounted) {
    CommandRun run = RUN("info", VKSKIN_MODELS "/FBX/animation_with_skeleton.fbx");
    assert_int_equal(run.status, 0);
    expectPart(&run, "\n4,220 vertices with weights that do not sum to one; skinning normalises them\n"
                     "\n"
                     "kept at most    vertices    lose up to     error up to\n"
                     "           1       4,220       65.64 %            4679\n"
                     "           2       4,220       34.00 %            2424\n"
                     "           3       3,592       18.76 %            1337\n"
                     "           4       2,879        7.05 %           502.3\n");
    commandRunFree(&run);
}

TEST(morphTargetsAreListed) {
    CommandRun run = RUN("info", VKSKIN_FIXTURES "/face.gltf");
    assert_int_equal(run.status, 0);
    expectPart(&run, "\nmesh  morph    vertices  name\n"
                     "   1      0           1  up\n"
                     "   1      1           3  wide\n"
                     "\nclip ");
    commandRunFree(&run);
}

/* A copy of the face whose flag has blend weights: the first three floats of its own positions, which are zero. */
AT_PLACE(paintedBlendWeightsAreTold) {
    static const char NORMAL[] = "\"NORMAL\": 5,", ACCESSORS[] = "\"accessors\": [";
    Place *place = *state;
    snprintf(place->input, sizeof place->input, "%s/painted.gltf", place->inputs);
    char *text = readWhole(VKSKIN_FIXTURES "/face.gltf", NULL);
    char *normal = strstr(text, NORMAL), *accessors = strstr(text, ACCESSORS), *end = strstr(text, "\"bufferViews\"");
    assert_true(normal && accessors && end && normal < accessors && accessors < end);
    while (*end != ']') {
        end--;
    }
    FILE *file = fopen(place->input, "w");
    assert_non_null(file);
    fprintf(file,
            "%.*s\"_BLEND\": 12, %.*s, {\"bufferView\": 0, \"componentType\": 5126, \"count\": 3, \"type\": "
            "\"SCALAR\"}%s",
            (int)(normal - text), text, (int)(end - normal), normal, end);
    assert_int_equal(fclose(file), 0);
    free(text);
    CommandRun run = RUN("info", place->input);
    assert_string_equal(run.errors, "");
    expectPart(&run, "  face\nmesh 0 has painted blend weights; '--method blend' uses them\n\ninfluences");
    commandRunFree(&run);
}

/* ---- Parts of few bones ---- */

TEST(partsAreTold) {
    CommandRun run = RUN("info", VKSKIN_FIXTURES "/signal.gltf", "--max-bones", "2");
    assert_string_equal(run.errors, "");
    assert_int_equal(run.status, 0);
    expectPart(&run, "\nparts with at most 2 bones\n"
                     "mesh  part   bones    vertices   bits       first     indices  material\n"
                     "   0     0       2           4     16           0           6         0\n"
                     "   1     0       1           3     16           0           3         0\n"
                     "mesh 0: 1 part, 4 vertices, 0 of them duplicates\n"
                     "mesh 1: 1 part, 3 vertices, 0 of them duplicates\n"
                     "\nclip ");
    commandRunFree(&run);
    expectRefusal(RUN("info", VKSKIN_FIXTURES "/signal.gltf", "--max-bones=1"), 1,
                  "vkskin info: " VKSKIN_FIXTURES
                  "/signal.gltf: --max-bones 1: mesh arm: triangle 0 is moved by 2 bones, "
                  "a part may have 1; the least that works is 2 (VKSKIN_ERROR_BONE_LIMIT)");
}

static double number(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    return item->valuedouble;
}

static const cJSON *list(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsArray(item));
    return item;
}

/* A real model in parts of 12 bones: bones ascend within the limit, all triangles are there once, doubles add up. */
TEST(partsOfARealModelAddUp) {
    CommandRun run = RUN("info", VKSKIN_MODELS "/X/Testwuson.X", "--max-bones=12", "--json=-");
    cJSON *object = cJSON_Parse(run.output);
    double triangles = 0, parts = 0, doubled = 0;
    const cJSON *mesh, *part, *bone, *range;
    assert_string_equal(run.errors, "");
    assert_non_null(object);
    assert_true(number(object, "maxBones") == 12.0);
    cJSON_ArrayForEach(mesh, list(object, "meshes")) {
        double vertices = 0;
        cJSON_ArrayForEach(part, list(mesh, "parts")) {
            const cJSON *bones = list(part, "bones");
            assert_in_range(cJSON_GetArraySize(bones), 1, 12);
            double before = -1;
            cJSON_ArrayForEach(bone, bones) {
                assert_true(bone->valuedouble > before && bone->valuedouble < number(mesh, "bones"));
                before = bone->valuedouble;
            }
            cJSON_ArrayForEach(range, list(part, "ranges")) {
                triangles += number(range, "indices") / 3.0;
            }
            vertices += number(part, "vertices");
            assert_true(number(part, "indexBits") == 16.0);
            parts++;
        }
        assert_true(vertices == number(mesh, "partVertices"));
        doubled += number(mesh, "doubledVertices");
    }
    assert_true(triangles == number(object, "triangles"));
    assert_true(parts > 3.0 && doubled > 0.0);
    cJSON_Delete(object);
    commandRunFree(&run);
}

AT_PLACE(jsonTellsTheSame) {
    Place *place = *state;
    CommandRun run = RUN("info", VKSKIN_FIXTURES "/face.gltf", "--json", place->json);
    assert_string_equal(run.errors, "");
    assert_true(strlen(run.output) > 0); /* the tables come too */
    commandRunFree(&run);
    char *text = readWhole(place->json, NULL);
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    assert_true(number(object, "vertices") == 6.0 && number(object, "nodes") == 3.0 && number(object, "bones") == 1.0);
    assert_null(cJSON_GetObjectItemCaseSensitive(object, "maxBones"));
    const cJSON *face = cJSON_GetArrayItem(list(object, "meshes"), 1);
    const cJSON *wide = cJSON_GetArrayItem(list(face, "morphs"), 1);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(wide, "name")->valuestring, "wide");
    assert_true(number(wide, "vertices") == 3.0);
    assert_int_equal(cJSON_GetArraySize(list(object, "clips")), 2);
    assert_true(number(cJSON_GetArrayItem(list(object, "influences"), 0), "vertices") == 3.0);
    assert_true(number(cJSON_GetObjectItemCaseSensitive(object, "repairs"), "normalsComputed") == 0.0);
    cJSON_Delete(object);
    free(text);
}
