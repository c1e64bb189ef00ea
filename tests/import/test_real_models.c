/* Models that others made, from the package assimp-testmodels. */
#include "import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Expected {
    const char *name;
    uint32_t nodes, parts, clips;
    uint32_t vertices, triangles, bones; /* of the first part */
    uint32_t influences;
} Expected;

/* Testwuson.X says 3205 vertices in its text: joining gives back just these. */
static const Expected models[] = {
    {"X/Testwuson.X", 40, 1, 3, 3205, 3732, 37, 4},
    {"X/BCN_Epileptic.X", 58, 3, 1, 1170, 1966, 24, 3},
    {"FBX/animation_with_skeleton.fbx", 21, 1, 1, 4220, 2112, 14, 6},
    {"glTF2/simple_skin/simple_skin.gltf", 3, 1, 1, 10, 8, 2, 2},
    {"MD5/SimpleCube.md5mesh", 6, 1, 0, 24, 12, 2, 2},
    {"Collada/box_nested_animation.dae", 4, 1, 1, 24, 12, 1, 1},
    {"Collada/duck.dae", 4, 1, 0, 0, 4212, 1, 1},
};

static void testShapes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const Expected *expected = &models[i];
        Model *model = importRealModel(expected->name);
        const ModelMesh *mesh = &model->meshes[model->parts[0].mesh];
        print_message("%s: %u nodes, %u parts, %u clips, %u vertices, %u triangles\n", expected->name, model->nodeCount,
                      model->partCount, model->clipCount, mesh->vertexCount, mesh->indexCount / 3);
        assert_int_equal(model->nodeCount, expected->nodes);
        assert_int_equal(model->partCount, expected->parts);
        assert_int_equal(model->clipCount, expected->clips);
        assert_int_equal(mesh->indexCount / 3, expected->triangles);
        assert_int_equal(model->skins[model->parts[0].skin].boneCount, expected->bones);
        assert_int_equal(mesh->influences, expected->influences);
        if (expected->vertices) {
            assert_int_equal(mesh->vertexCount, expected->vertices);
        }
        modelFree(model);
    }
}

static void testClips(void **state) {
    (void)state;
    Model *model = importRealModel("X/Testwuson.X");
    static const struct {
        const char *name;
        float seconds;
    } clips[] = {{"Wuson_Run", 4640.0f / 4800.0f}, {"Wuson_Walk", 17280.0f / 4800.0f}, {"Wuson_Bind", 0.0f}};
    for (uint32_t i = 0; i < 3; i++) {
        assert_string_equal(model->clips[i].name, clips[i].name);
        assert_float_equal(model->clips[i].duration, clips[i].seconds, 1e-5f);
        assert_int_equal(model->clips[i].trackCount, 3 * 39);
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

static void testFacesOutwards(void **state) {
    (void)state;
    static const char *const names[] = {"X/Testwuson.X", "X/BCN_Epileptic.X", "MD5/SimpleCube.md5mesh"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Model *model = importRealModel(names[i]);
        for (uint32_t p = 0; p < model->partCount; p++) {
            assert_true(signedVolume(&model->meshes[model->parts[p].mesh]) > 0.0);
        }
        modelFree(model);
    }
}

/* An embedded picture, and pictures beside the model. */
static void testTextures(void **state) {
    (void)state;
    static const char *const names[] = {"glTF2/BoxTextured-glTF-Binary/BoxTextured.glb",
                                        "glTF2/BoxTextured-glTF/BoxTextured.gltf", "Collada/duck.dae"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Model *model = importRealModel(names[i]);
        const ModelMaterial *material = &model->materials[model->meshes[0].material];
        assert_true(material->texture >= 0);
        const ModelTexture *texture = &model->textures[material->texture];
        print_message("%s: %u x %u\n", names[i], texture->width, texture->height);
        assert_int_equal(model->repairs.texturesMissing, 0);
        assert_true(texture->width > 0 && texture->height > 0 && texture->pixels);
        assert_non_null(model->meshes[0].texcoords);
        modelFree(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testShapes),
        cmocka_unit_test(testClips),
        cmocka_unit_test(testFacesOutwards),
        cmocka_unit_test(testTextures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
