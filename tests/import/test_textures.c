/* Pictures of materials: each decoded once, none larger than model.h allows. */
#include "import_fixture.h"
#include "material_texture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ModelMaterial *findMaterial(const Model *model, const char *name)
{
    for (uint32_t i = 0; i < model->materialCount; i++) {
        if (strcmp(model->materials[i].name, name) == 0) {
            return &model->materials[i];
        }
    }
    fail_msg("no material '%s'", name);
    return NULL;
}

static void expectShared(const Model *model)
{
    static const uint8_t pixels[8] = {255, 0, 0, 255, 0, 128, 0, 64};
    assert_int_equal(model->textureCount, 1);
    assert_int_equal(model->textures[0].width, 2);
    assert_int_equal(model->textures[0].height, 1);
    assert_memory_equal(model->textures[0].pixels, pixels, sizeof pixels);
    assert_int_equal(findMaterial(model, "first")->texture, 0);
    assert_int_equal(findMaterial(model, "second")->texture, 0);
}

/* One picture by two textures, one that is too wide and one that is none: those two leave the base colour. */
static void testGltf(void **state)
{
    (void)state;
    static const char *const unusable[] = {"wide", "wide too", "broken"};
    Model *model = importFixture("textures.gltf");
    expectShared(model);
    for (size_t i = 0; i < sizeof unusable / sizeof unusable[0]; i++) {
        const ModelMaterial *material = findMaterial(model, unusable[i]);
        assert_int_equal(material->texture, -1);
        assert_float_equal(material->baseColor[1], 0.25f, 1e-6f);
    }
    assert_int_equal(model->repairs.texturesTooLarge, 1);
    assert_int_equal(model->repairs.texturesMissing, 1);
    modelFree(model);
}

static void testAssimp(void **state)
{
    (void)state;
    Model *model = importFixture("shared.obj");
    expectShared(model);
    assert_int_equal(findMaterial(model, "third")->texture, -1);
    modelFree(model);
}

/* Four of the largest fill the room to the byte. Nobody touches the pixels, so that they take no memory. */
static void testRoom(void **state)
{
    (void)state;
    Model *model = calloc(1, sizeof *model);
    model->textures = calloc(8, sizeof *model->textures);
    assert_int_equal(textureAdd(model, MODEL_TEXTURE_SIDE + 1, 1), -1);
    assert_int_equal(textureAdd(model, 1, UINT32_MAX), -1);
    assert_int_equal(model->repairs.texturesTooLarge, 2);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(textureAdd(model, MODEL_TEXTURE_SIDE, MODEL_TEXTURE_SIDE), i);
    }
    assert_int_equal(textureAdd(model, 1, 1), -1);
    assert_int_equal(model->repairs.texturesTooLarge, 3);
    assert_int_equal(textureAdd(model, 0, 1), -1);
    assert_int_equal(model->repairs.texturesMissing, 1);
    modelFree(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testGltf),
        cmocka_unit_test(testAssimp),
        cmocka_unit_test(testRoom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
