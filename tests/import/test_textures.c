/* Textures of materials: each picture is decoded once, none is larger than model.h allows. */
#include "import_support.h"
#include "named_files.h"

static const ModelMaterial *findMaterial(const Model *model, const char *name) {
    for (uint32_t i = 0; i < model->materialCount; i++) {
        if (strcmp(model->materials[i].name, name) == 0) {
            return &model->materials[i];
        }
    }
    fail_msg("no material '%s'", name);
    return NULL;
}

static void expectShared(const Model *model) {
    static const uint8_t pixels[8] = {255, 0, 0, 255, 0, 128, 0, 64};
    assert_int_equal(model->textureCount, 1);
    assert_int_equal(model->textures[0].width, 2);
    assert_int_equal(model->textures[0].height, 1);
    assert_memory_equal(model->textures[0].pixels, pixels, sizeof pixels);
    assert_int_equal(findMaterial(model, "first")->maps[MODEL_MAP_BASE], 0);
    assert_int_equal(findMaterial(model, "second")->maps[MODEL_MAP_BASE], 0);
}

/* Two textures share a picture. One picture is too wide and one is broken: their materials keep the base colour. */
TEST(testGltf) {
    static const char *const unusable[] = {"wide", "wide too", "broken"};
    Model *model = importOrFail("textures.gltf");
    expectShared(model);
    for (size_t i = 0; i < COUNT_OF(unusable); i++) {
        const ModelMaterial *material = findMaterial(model, unusable[i]);
        assert_int_equal(material->maps[MODEL_MAP_BASE], -1);
        assert_float_equal(material->baseColor[1], 0.25f, 1e-6f);
    }
    assert_int_equal(model->repairs.texturesTooLarge, 1);
    assert_int_equal(model->repairs.texturesMissing, 1);
    modelFree(model);
}

/* Pictures in buffer views: one view lies in its buffer, the other reaches past it, so its picture is missing. */
TEST(testViews) {
    static const uint8_t pixels[8] = {255, 0, 0, 255, 0, 128, 0, 64};
    Model *model = importOrFail("texture_views.gltf");
    assert_int_equal(model->textureCount, 1);
    assert_memory_equal(model->textures[0].pixels, pixels, sizeof pixels);
    assert_int_equal(findMaterial(model, "inside")->maps[MODEL_MAP_BASE], 0);
    assert_int_equal(findMaterial(model, "past")->maps[MODEL_MAP_BASE], -1);
    assert_float_equal(findMaterial(model, "past")->baseColor[1], 0.25f, 1e-6f);
    assert_int_equal(model->repairs.texturesMissing, 1);
    modelFree(model);
}

static void expectFactors(const ModelMaterial *material, float metallic, float roughness) {
    assert_float_equal(material->metallic, metallic, 1e-6f);
    assert_float_equal(material->roughness, roughness, 1e-6f);
}

static void expectMap(const Model *model, const ModelMaterial *material, ModelMap map, const char *name, ModelWrap u,
                      ModelWrap v) {
    assert_in_range(material->maps[map], 0, model->textureCount - 1);
    assert_string_equal(model->textures[material->maps[map]].name, name);
    assert_int_equal(material->wraps[map][0], u);
    assert_int_equal(material->wraps[map][1], v);
}

/*
 * materials.fbx. phong: colours in sRGB (0.5: 0.21404114 linear, 0.25: 0.05087609). Its specular colour (0.5 1 0) by the
 * factor 0.5 reflects 0.08 of itself; the exponent 30 is the roughness (2 / 32)^(1/4) = 0.5.
 * metal: no specular colour, so that of most materials; metalness 0 and 1 from left to right, roughness 64 and 192 from above, in one picture; the factors are replaced.
 * number: only roughness has a picture.
 */
TEST(testFbxMaterials) {
    static const float base[4] = {0.21404114f, 0.05087609f, 1, 1}, emission[3] = {0.05087609f, 0, 1},
                       specular[3] = {0.02f, 0.04f, 0}, usual[3] = {0.04f, 0.04f, 0.04f};
    static const uint8_t surface[16] = {255, 64, 0, 255, 255, 64, 255, 255, 255, 192, 0, 255, 255, 192, 255, 255};
    static const uint8_t rough[8] = {255, 64, 255, 255, 255, 192, 255, 255};
    Model *model = importOrFail("materials.fbx");
    const ModelMaterial *phong = findMaterial(model, "phong"), *metal = findMaterial(model, "metal"),
                        *number = findMaterial(model, "number");
    expectFloats(phong->baseColor, base, 4);
    expectFloats(phong->emission, emission, 3);
    expectFloats(phong->specular, specular, 3);
    expectFactors(phong, 0.0f, 0.5f);
    expectMap(model, phong, MODEL_MAP_BASE, "shared.png", MODEL_WRAP_CLAMP, MODEL_WRAP_REPEAT);
    expectFloats(metal->specular, usual, 3);
    expectFactors(metal, 1.0f, 1.0f);
    expectMap(model, metal, MODEL_MAP_SURFACE, "metal.png + rough.png", MODEL_WRAP_CLAMP, MODEL_WRAP_CLAMP);
    assert_memory_equal(model->textures[metal->maps[MODEL_MAP_SURFACE]].pixels, surface, sizeof surface);
    expectFactors(number, 0.25f, 1.0f);
    expectMap(model, number, MODEL_MAP_SURFACE, "rough.png", MODEL_WRAP_REPEAT, MODEL_WRAP_REPEAT);
    assert_memory_equal(model->textures[number->maps[MODEL_MAP_SURFACE]].pixels, rough, sizeof rough);
    assert_int_equal(model->textureCount, 3);
    assert_int_equal(model->warningCount, 3);
    assert_string_equal(model->warnings[1].text,
                        "texture 'shine.png' of material 'phong' is left out: maps of specular colours are not read");
    assert_string_equal(model->warnings[2].text, "texture 'rough.png' of material 'number' is shown with the first "
                                                 "texture coordinates, and not moved, scaled or turned");
    modelFree(model);
}

static void expectTexcoords(const Model *model, const char *material, const float expected[3][2]) {
    static const float positions[3][3] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}};
    const ModelMesh *mesh = NULL;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        bool wanted = &model->materials[model->meshes[i].material] == findMaterial(model, material);
        mesh = wanted ? &model->meshes[i] : mesh;
    }
    assert_non_null(mesh);
    assert_int_equal(mesh->vertexCount, 3);
    for (uint32_t v = 0; v < 3; v++) {
        uint32_t corner = 0;
        while (memcmp(mesh->positions + 3 * (size_t)v, positions[corner], sizeof positions[corner]) != 0) {
            assert_true(++corner < 3);
        }
        assert_float_equal(mesh->texcoords[2 * v], expected[corner][0], 1e-6f);
        assert_float_equal(mesh->texcoords[2 * v + 1], expected[corner][1], 1e-6f);
    }
}

/*
 * KHR_texture_transform and KHR_materials_pbrSpecularGlossiness, both needed by the file. The coordinates are (1 0),
 * (0 1) and (0 0) in the second set.
 * turned: times (2 3): (2 0) (0 3) (0 0); a quarter turn, under which u points up, that is -v, and v points to u:
 * (0 -2) (3 0) (0 0); and (0.5 0.25) on.
 * glossy: times (2 3). matt: no texture, so the first set as it is; nor does the other model's red count.
 */
TEST(testExtensions) {
    static const float turned[3][2] = {{0.5f, -1.75f}, {3.5f, 0.25f}, {0.5f, 0.25f}};
    static const float glossy[3][2] = {{2, 0}, {0, 3}, {0, 0}};
    static const float matt[3][2] = {{0.25f, 0.5f}, {0.25f, 0.5f}, {0.25f, 0.5f}};
    static const float diffuse[4] = {0.125f, 0.25f, 0.5f, 0.75f}, white[4] = {1, 1, 1, 1};
    Model *model = importOrFail("extensions.gltf");
    expectTexcoords(model, "turned", turned);
    expectTexcoords(model, "glossy", glossy);
    expectTexcoords(model, "matt", matt);
    assert_int_equal(findMaterial(model, "glossy")->maps[MODEL_MAP_BASE], 0);
    assert_memory_equal(findMaterial(model, "glossy")->baseColor, diffuse, sizeof diffuse);
    assert_int_equal(findMaterial(model, "matt")->maps[MODEL_MAP_BASE], -1);
    assert_memory_equal(findMaterial(model, "matt")->baseColor, white, sizeof white);
    modelFree(model);
}

TEST(testAssimp) {
    Model *model = importOrFail("shared.x");
    expectShared(model);
    assert_int_equal(findMaterial(model, "third")->maps[MODEL_MAP_BASE], -1);
    modelFree(model);
}

/* Four textures of the maximum size reach the limit exactly. The test writes no pixels, so they take no memory. */
TEST(testRoom) {
    Model *model = calloc(1, sizeof *model);
    model->textures = calloc(8, sizeof *model->textures);
    assert_int_equal(textureAdd(model, "", MODEL_TEXTURE_SIDE + 1, 1), -1);
    assert_int_equal(textureAdd(model, "", 1, UINT32_MAX), -1);
    assert_int_equal(model->repairs.texturesTooLarge, 2);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(textureAdd(model, "", MODEL_TEXTURE_SIDE, MODEL_TEXTURE_SIDE), i);
    }
    assert_int_equal(textureAdd(model, "", 1, 1), -1);
    assert_int_equal(model->repairs.texturesTooLarge, 3);
    assert_int_equal(textureAdd(model, "", 0, 1), -1);
    assert_int_equal(model->repairs.texturesMissing, 1);
    modelFree(model);
}
