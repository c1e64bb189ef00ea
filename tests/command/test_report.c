/*
 * test_report.c: the report of a run as a table and as JSON, from numbers made up here.
 */

#include <cjson/cJSON.h>

#include "report.h"
#include "test.h"

static RunResult sampleResult(void) {
    return (RunResult){
        .device.name = "A \"quoted\" device",
        .device.driverName = "driver",
        .device.driverVersion = "1.2\n3",
        .backend = "compute",
        .tuning = {.paletteBinding = VKSKIN_PALETTE_BINDING_TEXELS,
                   .instancesPerThread = 16,
                   .workgroupSize = 64,
                   .crowdPosing = VKSKIN_CROWD_POSING_THREAD},
        .weights = {.influences = 3},
        .clock = RUN_CLOCK_WALL,
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
        .pipelines = 2,
        .system.bytesPerBone = 48,
        .system.uploadBytes = 873600,
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

static Report sampleReport(const RunResult *result) {
    return (Report){.result = result,
                    .skin = &plain,
                    .models = models,
                    .modelCount = 2,
                    .seed = 9007199254740991u,
                    .width = 1280,
                    .height = 720,
                    .picture = "out/crowd.png",
                    .fallback = ""};
}

/* expected: members of the JSON object, with ' in place of ". */
static void expectMembers(const Report *report, const char *expected) {
    char *wanted = strdup(expected);
    for (char *quote = strchr(wanted, '\''); quote; quote = strchr(quote, '\'')) {
        *quote = '"';
    }
    Document document = documentBegin("crowd", NULL, REPORT_LABEL_WIDTH, REPORT_VALUE_WIDTH);
    reportWrite(&document, report);
    char *text = documentText(&document);
    assert_non_null(text);
    assert_null(strstr(text, "\xff"));
    cJSON *object = cJSON_Parse(text), *members = cJSON_Parse(wanted), *member = NULL;
    assert_true(object && members);
    cJSON_ArrayForEach(member, members) {
        cJSON *item = cJSON_GetObjectItemCaseSensitive(object, member->string);
        if (!cJSON_Compare(item, member, true)) {
            fail_msg("%s is %s", member->string, item ? cJSON_Print(item) : "not there");
        }
    }
    cJSON_Delete(object);
    cJSON_Delete(members);
    cJSON_free(text);
    free(wanted);
}

/* The table, to be freed. */
static char *printed(const Report *report) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_non_null(file);
    Document document = documentBegin("crowd", file, REPORT_LABEL_WIDTH, REPORT_VALUE_WIDTH);
    reportWrite(&document, report);
    cJSON_free(documentText(&document));
    fclose(file);
    return text;
}

static void expectPart(const Report *report, const char *part, bool there) {
    char *text = printed(report);
    if ((strstr(text, part) != NULL) != there) {
        fail_msg("'%s' is %s there:\n%s", part, there ? "not" : "still", text);
    }
    free(text);
}

/* Two bytes of a model's name that are no UTF-8 are replaced, the euro sign stays. */
TEST(jsonComesBackAsItWas) {
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    expectMembers(
        &report,
        "{'device': 'A \\\"quoted\\\" device', 'driverVersion': '1.2\\n3', 'system': "
        "{'name':'compute','textureLayout':null,'textureFormat':null,'bonesPerDraw':null,'crowd':null,'images':0,'"
        "pieces':0,'limits':[]}, 'backend': 'compute', 'method': 'lbs', 'encoding': 'mat3x4', 'normals': 'cheap', "
        "'weights': 'float', 'vertexFormat': 'packed', 'influences': 3, 'weightError': 0, 'weightErrorModel': null, "
        "'blend': null, 'morphs': {}, 'clock': 'wall', 'skinningClock': 'wall', 'instancesPerThread': 16, "
        "'workgroupSize': 64, 'paletteBinding': 'texels', 'crowdPosing': 'thread', 'threads': null, 'seed': "
        "9007199254740991, 'width': 1280, 'instances': 800, 'vertices': 1854800, 'pipelines': 2, 'bytesPerBone': 48, "
        "'paletteBytes': 873600, 'outputBytes': 37096000, 'verticesPerSecond': 185480000, 'skinning': "
        "{'medianMilliseconds':10,'spreadPercent':12.5,'samples':20}, 'upload': "
        "{'medianMilliseconds':null,'spreadPercent':null,'samples':0}, 'models': ['a \\\"b\\\" \\\\ c.x','bad "
        "?"
        "?(\xe2\x82\xac.x']}");
}

TEST(tableIsAligned) {
    static const char EXPECTED[] =
        "device        A \"quoted\" device\n"
        "driver        driver, 1.2?3\n"
        "system        compute\n"
        "backend       compute\n"
        "kernels       16 instances per thread, 64 threads per workgroup, palettes as texels\n"
        "method        lbs (linear blend)\n"
        "normals       cheap, packed\n"
        "weights       float, up to 3 per vertex\n"
        "clock         wall clock around a fence (this driver's timestamps cannot be trusted)\n"
        "\n"
        "characters                400\n"
        "instances                 800\n"
        "vertices            1,854,800\n"
        "bones                  18,200\n"
        "skinned                   700 instances\n"
        "culled                     90 instances\n"
        "unchanged                  10 instances\n"
        "dispatches                  4\n"
        "draw calls                  8\n"
        "pipelines                   2\n"
        "bone                       48 B\n"
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
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    char *text = printed(&report);
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
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    result.weights.error = 0.0125f;
    result.weights.worst = 1;
    report.skin = &CHOICE;
    expectPart(&report,
               "\nmethod        blend (painted blend, 0.25)\n"
               "normals       exact, packed\n"
               "weights       8 bits, up to 3 per vertex\n"
               "              error up to 0.0125 while the bones of a vertex place it within one mesh diagonal, in the "
               "unit of bad ?"
               "?(\xe2\x82\xac.x\n"
               "morphs        smile 0.25\n"
               "              a?b -1\n"
               "              smile 0.75\n",
               true);
    expectMembers(&report, "{'method': 'blend', 'encoding': 'scaled-dual-quaternion', 'normals': 'exact', 'weights': "
                           "'8', 'vertexFormat': 'packed', 'blend': 0.25, 'weightError': 0.012500000186264515, "
                           "'weightErrorModel': 'bad ?"
                           "?(\xe2\x82\xac.x', 'morphs': {'a\\nb':-1,'smile':0.75}}");
}

TEST(uploadsAreTimedWhereThereAreAny) {
    RunResult result = sampleResult();
    result.frames = 1;
    result.upload = (Measured){.median = 0.5, .spread = 3.0, .count = 1};
    Report report = sampleReport(&result);
    expectPart(&report, "\nupload               0.500 ms     3.0 %\n", true);
    expectPart(&report, "\n(of 1 frame of 1280 x 720; the spread is the interquartile range)\n", true);
    expectPart(&report, "in place", false);
}

/* A system shows its options and limits in place of the backend. */
TEST(systemsAreTold) {
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    result.backend = "vertex-shader";
    result.skin = (SkinChoice){
        .system = SKIN_SYSTEM_TEXTURE_QT, .textureLayout = SKIN_TEXTURE_PAIR, .textureFormat = SKIN_TEXTURE_HALF};
    result.verticesPerSecond = 0.0; /* the passes skin */
    result.system.imagesPerFrame = 3;
    result.system.piecesPerFrame = 5;
    result.system.remarkCount = 2;
    snprintf(result.system.remarks[0], SYSTEM_REMARK_SIZE, "few texels");
    snprintf(result.system.remarks[1], SYSTEM_REMARK_SIZE, "few bones");
    expectMembers(&report,
                  "{'system': "
                  "{'name':'texture-qt','textureLayout':'pair','textureFormat':'half','bonesPerDraw':null,'crowd':null,"
                  "'images':3,'pieces':5,'limits':['few texels','few bones']}, 'backend': 'vertex-shader', "
                  "'vertexFormat': null, 'verticesPerSecond': null, 'threads': null, 'workgroupSize': null}");
    expectPart(&report,
               "\nsystem        texture-qt, pair, half, 3 images per frame\nlimits        few texels\n"
               "              few bones\nmethod ",
               true);
    expectPart(&report, "\nbackend ", false);
    result.skin.system = SKIN_SYSTEM_UNIFORM_MATRIX;
    result.system = (SystemStats){.bonesPerDraw = 26};
    expectPart(&report, "\nsystem        uniform-matrix, blocks of 26 bones\nmethod ", true);
}

/* A crowd shows its counters in place of those of instances; steps of the host are left out. Two skins are two
 * characters of the library. */
TEST(crowdsAreTold) {
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    result.skin.system = SKIN_SYSTEM_CROWD;
    result.system.crowd = (GpuCrowdStats){.characters = 800,
                                          .slots = 70,
                                          .skinned = 60,
                                          .refused = 5,
                                          .drawn = {[POPULATION_PASS_COLOUR] = 50, [POPULATION_PASS_SHADOW] = 40},
                                          .vertices = 6000,
                                          .bytes = 3 << 20,
                                          .slotBytes = 140ull << 20};
    result.recording = (Measured){.median = 0.25, .spread = 2.0, .count = 20};
    expectMembers(&report, "{'system': "
                           "{'name':'crowd','textureLayout':null,'textureFormat':null,'bonesPerDraw':null,'crowd':{'"
                           "slots':70,'skinned':60,'refused':5,'drawnPicture':50,'drawnShadow':40,'deviceBytes':"
                           "3145728,'maxPixels':null},'images':0,'pieces':0,'limits':[]}, 'systemFallback': null, "
                           "'instancesSkinned': 60, 'instancesCulled': 735, 'verticesSkinned': 6000}");
    expectPart(&report,
               "\nsystem        crowd\n"
               "crowd         70 slots, 3 MiB on the device\n"
               "              50 drawn in the picture, 40 in the shadow map, 5 without a slot\n",
               true);
    expectPart(
        &report,
        "INCOMPLETE    5 of 65 visible skins are not drawn, for lack of slots: the crowd has 70. A larger --slots "
        "(enough for all takes about 131 MiB) or a smaller --count draws them\ndevice ",
        true);
    expectPart(&report,
               "\nvisible                    65 skins\n"
               "posed                      60 skins\n"
               "skinned                    60 skins\n"
               "refused                     5 skins\n"
               "culled                    735 skins\n"
               "dispatches ",
               true);
    expectPart(&report, "\nstep                   median    spread\nrecording            0.250 ms     2.0 %\nskinning ",
               true);
    result.system.crowd.characters = result.characters;
    expectPart(&report, "\nvisible                    65 characters\n", true);
    result.system.crowd.refused = 0;
    expectPart(&report, "INCOMPLETE", false);
}

/* Why the default system is not there. */
TEST(aFallbackIsTold) {
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    report.fallback = "a\xff"
                      "b.x: the model has no clips";
    expectMembers(&report, "{'systemFallback': 'a?b.x: the model has no clips'}");
    expectPart(&report, "\nsystem        compute instead of crowd: a?b.x: the model has no clips\nbackend ", true);
}

/* The CPU backend shows its threads in place of kernels, and a clock of its own for skinning. */
TEST(cpuIsTold) {
    RunResult result = sampleResult();
    Report report = sampleReport(&result);
    result.backend = "cpu";
    result.threads = 12;
    result.clock = RUN_CLOCK_TIMESTAMPS;
    expectPart(&report, "\nbackend       cpu\nthreads                    12\nmethod ", true);
    expectPart(&report, "\nclock         device timestamps; pose and skinning: wall clock\n", true);
    expectMembers(
        &report,
        "{'backend': 'cpu', 'threads': 12, 'clock': 'timestamps', 'skinningClock': 'host', 'workgroupSize': null}");
}
