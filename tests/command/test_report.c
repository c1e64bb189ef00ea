/*
 * test_report.c: the report of a run as a table and as JSON, from numbers made up here.
 */

#include <cjson/cJSON.h>

#include "report.h"
#include "test.h"

static CrowdResult sampleResult(void) {
    return (CrowdResult){
        .device.name = "A \"quoted\" device",
        .device.driverName = "driver",
        .device.driverVersion = "1.2\n3",
        .backend = "compute",
        .tuning = {.paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS, .instancesPerThread = 16, .workgroupSize = 64},
        .weights = {.influences = 3},
        .clock = CROWD_CLOCK_WALL,
        .frames = 20,
        .characters = 400,
        .instances = 800,
        .vertices = 1854800,
        .bones = 18200,
        .stats.instancesSkinned = 700,
        .stats.instancesCulled = 90,
        .stats.instancesUnchanged = 10,
        .stats.verticesSkinned = 1600000,
        .stats.dispatches = 4,
        .drawCalls = 8,
        .stats.paletteBytes = 873600,
        .stats.outputBytes = 37096000,
        .pose = {.median = 1.25, .spread = 2.5, .count = 20},
        .upload = {.median = 0.0, .spread = 0.0, .count = 0},
        .skinning = {.median = 10.0, .spread = 12.5, .count = 20},
        .draw = {.median = 55.5, .spread = 1.0, .count = 20},
        .verticesPerSecond = 185480000.0,
        .bytesPerSecond = 3796960000.0,
    };
}

static char *models[] = {(char *)"a \"b\" \\ c.x", (char *)"bad \xff\xc3(\xe2\x82\xac.x"};

static const SkinChoice plain;

static Report sampleReport(const CrowdResult *result) {
    return (Report){.result = result,
                    .skin = &plain,
                    .models = models,
                    .modelCount = 2,
                    .seed = 9007199254740991u,
                    .width = 1280,
                    .height = 720,
                    .picture = "out/crowd.png"};
}

static void expectNumber(const cJSON *object, const char *name, double expected) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsNumber(item));
    assert_true(item->valuedouble == expected);
}

static void expectText(const cJSON *object, const char *name, const char *expected) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    assert_true(cJSON_IsString(item));
    assert_string_equal(item->valuestring, expected);
}

TEST(jsonComesBackAsItWas) {
    CrowdResult result = sampleResult();
    Report report = sampleReport(&result);
    char *text = reportJson(&report);
    assert_non_null(text);
    assert_null(strstr(text, "\xff"));
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    expectText(object, "device", "A \"quoted\" device");
    expectText(object, "driverVersion", "1.2\n3");
    expectText(object, "backend", "compute");
    expectText(object, "method", "lbs");
    expectText(object, "encoding", "mat3x4");
    expectText(object, "normals", "cheap");
    expectText(object, "weights", "float");
    expectNumber(object, "influences", 3);
    expectNumber(object, "weightError", 0);
    assert_null(cJSON_GetObjectItemCaseSensitive(object, "weightErrorModel"));
    assert_null(cJSON_GetObjectItemCaseSensitive(object, "blend"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(object, "morphs")), 0);
    expectText(object, "clock", "wall");
    expectText(object, "skinningClock", "wall");
    expectNumber(object, "instancesPerThread", 16);
    expectNumber(object, "workgroupSize", 64);
    expectText(object, "paletteBinding", "texels");
    assert_null(cJSON_GetObjectItemCaseSensitive(object, "threads"));
    expectNumber(object, "seed", 9007199254740991.0);
    expectNumber(object, "width", 1280);
    expectNumber(object, "instances", 800);
    expectNumber(object, "vertices", 1854800);
    expectNumber(object, "outputBytes", 37096000);
    expectNumber(object, "verticesPerSecond", 185480000.0);
    const cJSON *skinning = cJSON_GetObjectItemCaseSensitive(object, "skinning");
    expectNumber(skinning, "medianMilliseconds", 10.0);
    expectNumber(skinning, "spreadPercent", 12.5);
    expectNumber(skinning, "samples", 20);
    const cJSON *names = cJSON_GetObjectItemCaseSensitive(object, "models");
    assert_int_equal(cJSON_GetArraySize(names), 2);
    assert_string_equal(cJSON_GetArrayItem(names, 0)->valuestring, models[0]);
    /* The two bytes that are no UTF-8 are replaced, the euro sign stays. */
    assert_string_equal(cJSON_GetArrayItem(names, 1)->valuestring, "bad ?"
                                                                   "?(\xe2\x82\xac.x");
    cJSON_Delete(object);
    cJSON_free(text);
}

TEST(tableIsAligned) {
    static const char EXPECTED[] =
        "device        A \"quoted\" device\n"
        "driver        driver, 1.2?3\n"
        "backend       compute\n"
        "kernels       16 instances per thread, 64 threads per workgroup, palettes as texels\n"
        "method        lbs (linear blend)\n"
        "normals       cheap\n"
        "weights       float, up to 3 per vertex\n"
        "clock         wall clock around a fence (this driver's timestamps cannot be trusted)\n"
        "\n"
        "characters                400\n"
        "instances                 800\n"
        "vertices            1,854,800\n"
        "bones                  18,200\n"
        "skinned                   700 instances\n"
        "culled                     90\n"
        "unchanged                  10\n"
        "dispatches                  4\n"
        "draw calls                  8\n"
        "palette               873,600 B\n"
        "output             37,096,000 B\n"
        "\n"
        "step                   median    spread\n"
        "pose                 1.250 ms     2.5 %\n"
        "upload                   none\n"
        "skinning            10.000 ms    12.5 %\n"
        "draw                55.500 ms     1.0 %\n"
        "(of 20 frames of 1280 x 720; the spread is the interquartile range;\n"
        " palettes are written in place, within the time of pose)\n"
        "\n"
        "vertices/s              185 M\n"
        "bytes/s               3.80 GB\n"
        "(divided by the median of skinning; vertices: written ones; bytes: palettes and output, without the\n"
        " source meshes)\n"
        "\n"
        "picture       out/crowd.png\n";
    CrowdResult result = sampleResult();
    Report report = sampleReport(&result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    reportPrint(file, &report);
    fclose(file);
    assert_string_equal(text, EXPECTED);
    free(text);
}

/* All that may be chosen; of a morph that is given twice the last weight. */
TEST(choicesAreTold) {
    static const MorphSetting MORPHS[] = {{"smile", 0.25f}, {"a\nb", -1.0f}, {"smile", 0.75f}};
    static const SkinChoice CHOICE = {.mode = SKIN_MODE_BLEND,
                                      .normals = VKSKIN_NORMALS_EXACT,
                                      .weights = VKSKIN_WEIGHTS_UNORM8,
                                      .blend = 0.25f,
                                      .morphs = MORPHS,
                                      .morphCount = 3};
    CrowdResult result = sampleResult();
    Report report = sampleReport(&result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    result.weights.error = 0.0125f;
    result.weights.worst = 1;
    report.skin = &CHOICE;
    assert_non_null(file);
    reportPrint(file, &report);
    fclose(file);
    assert_non_null(strstr(text,
                           "\nmethod        blend (painted blend, 0.25)\n"
                           "normals       exact\n"
                           "weights       8 bits, up to 3 per vertex\n"
                           "              error up to 0.0125 while the bones of a vertex place it within one mesh "
                           "diagonal, in the unit of bad ?"
                           "?(\xe2\x82\xac.x\n"
                           "morphs        smile 0.25\n"
                           "              a?b -1\n"
                           "              smile 0.75\n"));
    free(text);
    text = reportJson(&report);
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    expectText(object, "method", "blend");
    expectText(object, "encoding", "scaled-dual-quaternion");
    expectText(object, "normals", "exact");
    expectText(object, "weights", "8");
    expectNumber(object, "blend", 0.25);
    expectNumber(object, "weightError", 0.0125f);
    expectText(object, "weightErrorModel",
               "bad ?"
               "?(\xe2\x82\xac.x");
    const cJSON *morphs = cJSON_GetObjectItemCaseSensitive(object, "morphs");
    assert_int_equal(cJSON_GetArraySize(morphs), 2);
    expectNumber(morphs, "smile", 0.75);
    expectNumber(morphs, "a\nb", -1.0);
    cJSON_Delete(object);
    cJSON_free(text);
}

TEST(uploadsAreTimedWhereThereAreAny) {
    CrowdResult result = sampleResult();
    result.frames = 1;
    result.upload = (Measured){.median = 0.5, .spread = 3.0, .count = 1};
    Report report = sampleReport(&result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    reportPrint(file, &report);
    fclose(file);
    assert_non_null(strstr(text, "\nupload               0.500 ms     3.0 %\n"));
    assert_non_null(strstr(text, "\n(of 1 frame of 1280 x 720; the spread is the interquartile range)\n"));
    assert_null(strstr(text, "in place"));
    free(text);
}

/* Its threads in place of kernels, and a clock of its own for skinning. */
TEST(cpuIsTold) {
    CrowdResult result = sampleResult();
    Report report = sampleReport(&result);
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    result.backend = "cpu";
    result.threads = 12;
    result.clock = CROWD_CLOCK_TIMESTAMPS;
    assert_non_null(file);
    reportPrint(file, &report);
    fclose(file);
    assert_non_null(strstr(text, "\nbackend       cpu\nthreads                    12\nmethod "));
    assert_non_null(strstr(text, "\nclock         device timestamps; pose and skinning: wall clock\n"));
    free(text);
    text = reportJson(&report);
    cJSON *object = cJSON_Parse(text);
    assert_non_null(object);
    expectText(object, "backend", "cpu");
    expectNumber(object, "threads", 12);
    expectText(object, "clock", "timestamps");
    expectText(object, "skinningClock", "host");
    assert_null(cJSON_GetObjectItemCaseSensitive(object, "workgroupSize"));
    cJSON_Delete(object);
    cJSON_free(text);
}
