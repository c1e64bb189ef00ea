/* test_check.c: the parent refuses a 2D character from the parser's process that breaks a rule of spine_model.h, and takes over
 * a good one as it was. */
#include "blob.h"
#include "spine.h"
#include "spine_mesh.h"
#include "spine_pose.h"
#include "test.h"

#include <math.h>

/* A 2D model with something of each kind: two slots of one mesh each, a path, IK, and every group of timelines. */
static const char SKELETON[] =
    "{'skeleton': {'spine': '4.2'}, 'bones': [{'name': 'a'}, {'name': 'b', 'parent': 'a'}, {'name': 'c', 'parent': "
    "'b'}],"
    "'slots': [{'name': 's', 'bone': 'a', 'attachment': 'm'}, {'name': 't', 'bone': 'b', 'attachment': 'p'}],"
    "'ik': [{'name': 'k', 'bones': ['a', 'b'], 'target': 'c'}], 'path': [{'name': 'f', 'bones': ['c'], 'target': 't'}],"
    "'physics': [{'name': 'h', 'bone': 'c', 'rotate': 1}],"
    "'skins': [{'name': 'default', 'bones': ['b'], 'ik': ['k'], 'attachments': {'s': {'m': {'type': 'mesh', 'path': "
    "'r',"
    "'uvs': [0,0,1,0,0,1], 'triangles': [0,1,2], 'vertices': [0,0,1,0,0,1]}, 'n': {'type': 'linkedmesh', 'parent': 'm',"
    "'path': 'r'}, 'g': {'path': 'r', 'width': 2, 'height': 2}}, 't': {'p': {'type': 'path', 'vertexCount': 6, "
    "'lengths': [1, 2],"
    "'vertices': [0,0,0,0,1,0,2,0,3,0,3,0]}}}}],"
    "'animations': {'go': {'bones': {'a': {'rotate': [{'value': 1, 'curve': [0,1,1,2]}, {'time': 1, 'value': 2}], "
    "'inherit': "
    "[{'inherit': 'noScale'}]}}, 'slots': {'s': {'attachment': [{'name': 'n'}], 'alpha': [{'value': 0.5}]}},"
    "'ik': {'k': [{'mix': 0.5}]}, 'path': {'f': {'position': [{'value': 1}]}}, 'physics': {'h': {'wind': [{'value': "
    "1}]}, '': {'reset': [{}]}}, 'drawOrder': [{'offsets': [{'slot': "
    "'s', 'offset': "
    "1}]}], 'attachments': {'default': {'s': {'m': {'deform': [{'vertices': [1,2]}]}, 'g': {'sequence': [{'delay': "
    "1}]}}}}}}}";
static const char ATLAS[] = "p.png\nsize: 4, 4\nr\nbounds: 0, 0, 4, 4\n";

static Model *make(void) {
    EngineError error = {.message = ""};
    char *json = strdup(SKELETON);
    for (char *c = json; *c; c++) {
        *c = *c == '\'' ? '"' : *c;
    }
    Model *model = spineParseTexts(json, strlen(json), ATLAS, strlen(ATLAS), "", &error);
    free(json);
    TEST_GOOD(model, error);
    return model;
}

/* The timeline of that kind. */
static SpineTimeline *timelineOf(const Model *model, SpineTimelineKind kind) {
    const SpineAnimation *animation = &model->spines[0].animations[0];
    for (uint32_t i = 0; i < animation->timelineCount; i++) {
        if (animation->timelines[i].kind == kind) {
            return &animation->timelines[i];
        }
    }
    fail_msg("no timeline of kind %d", (int)kind);
    return NULL;
}

/* Plants fault number `index` and returns a part of its message; null past the last fault. */
#define FAULT(statement, message)                                                                                      \
    if (index == number++) {                                                                                           \
        statement;                                                                                                     \
        return message;                                                                                                \
    }

static const char *plantFault(Model *model, int index) {
    int number = 0;
    SpineModel *spine = model->spines;
    SpineAttachment *mesh = &spine->attachments[0], *linked = &spine->attachments[1], *path = &spine->attachments[3];
    FAULT(model->nodeCount = 1; model->nodes[0].parent = -1, "a 2D model beside nodes")
    FAULT(spine->bones[1].parent = 1, "bone 1 'b' of 2D model 0 '4.2' has parent that is out of range")
    FAULT(spine->bones[1].inherit = SPINE_INHERIT_COUNT, "has inherit that is out of range")
    FAULT(spine->bones[2].local[SPINE_X] = NAN, "bone 2 'c' of 2D model 0 '4.2' has local that is not finite")
    FAULT(spine->slots[1].bone = 3, "slot 1 't' of 2D model 0 '4.2' has bone that is out of range")
    FAULT(spine->slots[1].shown = (int32_t)spine->nameCount, "has shown that is out of range")
    FAULT(spine->slots[0].colour[3] = 2.0f, "has colour that is outside 0 to 1")
    FAULT(spine->pages[0].texture = 0, "page 0 'p.png' of 2D model 0 '4.2' has texture that is out of range")
    FAULT(spine->skins[0].bones[0] = 3, "skin 0 'default' of 2D model 0 '4.2' has bones[0] that is out of range")
    FAULT(spine->skins[0].constraints[0] = 3, "has constraints[0] that is out of range")
    FAULT(spine->defaultSkin = 1, "has defaultSkin that is out of range")
    FAULT(spine->constraints[0].bones[1] = 2, "constraint 0 'k' of 2D model 0 '4.2' has a target, bones or a mode")
    FAULT(spine->constraints[0].target = 3, "has a target, bones or a mode out of range")
    FAULT(spine->constraints[1].target = 2, "constraint 1 'f' of 2D model 0 '4.2' has a target")
    FAULT(spine->constraints[1].modes[SPINE_PATH_ROTATES] = 3, "has a target, bones or a mode out of range")
    FAULT(spine->constraints[2].rate = 0.0f, "constraint 2 'h' of 2D model 0 '4.2' has a target, bones or a mode")
    FAULT(spine->constraints[2].rate = 1001.0f, "has a target, bones or a mode out of range")
    FAULT(spine->constraints[2].rate = NAN, "has rate that is not finite")
    FAULT(timelineOf(model, SPINE_TIMELINE_WIND)->target = 1, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_RESET)->target = 4, "has keys that do not fit its target")
    FAULT(mesh->vertices[2] = 1, "has influences, frames or a curve that do not fit")
    FAULT(mesh->vertices[1] = 2, "has influences, frames or a curve that do not fit")
    FAULT(mesh->bones[1] = 3, "attachment 0 of 2D model 0 '4.2' has bones[1] that is out of range")
    FAULT(mesh->indices[2] = 3, "has indices[2] that is out of range")
    FAULT(mesh->setupFrame = 1, "has influences, frames or a curve that do not fit")
    FAULT(mesh->frames[0].page = 1, "has influences, frames or a curve that do not fit")
    FAULT(mesh->kind = SPINE_CLIPPING, "has influences, frames or a curve that do not fit")
    FAULT(linked->source = 3, "attachment 1 does not fit the one that it is linked to")
    FAULT(linked->source = 9, "attachment 1 of 2D model 0 '4.2' has source that is out of range")
    FAULT(path->closed = 1, "has influences, frames or a curve that do not fit")
    FAULT(timelineOf(model, SPINE_TIMELINE_ROTATE)->target = 3, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_ROTATE)->kind = SPINE_TIMELINE_SCALE, "has keys that do not fit")
    FAULT(timelineOf(model, SPINE_TIMELINE_ROTATE)->times[0] = 2.0f, "has times[1] that is not in ascending order")
    FAULT(timelineOf(model, SPINE_TIMELINE_ROTATE)->shapes[0] = 3, "has shapes[0] that is out of range")
    FAULT(timelineOf(model, SPINE_TIMELINE_ALPHA)->shapes[0] = SPINE_BEZIER, "has keys that do not fit")
    FAULT(timelineOf(model, SPINE_TIMELINE_INHERIT)->values[0] = 5.0f, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_IK)->target = 1, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_PATH_POSITION)->target = 0, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_SHOW)->numbers[0] = (int32_t)spine->nameCount, "has keys that do not fit")
    FAULT(timelineOf(model, SPINE_TIMELINE_DRAW_ORDER)->numbers[0] = 0, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_DRAW_ORDER)->numbers[0] = 2, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_SEQUENCE)->numbers[0] = SPINE_SEQUENCE_COUNT, "has keys that do not fit")
    FAULT(timelineOf(model, SPINE_TIMELINE_SEQUENCE)->numbers[1] = -1, "has keys that do not fit its target")
    FAULT(timelineOf(model, SPINE_TIMELINE_DEFORM)->target = 3, "has keys that do not fit its target")
    return NULL;
}

TEST(testFaults) {
    const char *part = "";
    for (int index = 0; part; index++) {
        EngineError error = {.message = ""};
        Model *model = make();
        assert_true(modelCheck(model, &error));
        part = plantFault(model, index);
        if (part && (modelCheck(model, &error) || !strstr(error.message, part))) {
            fail_msg("fault %d: '%s' instead of '%s'", index, error.message, part);
        }
        modelFree(model);
    }
}

/* Written and read, it has the same bytes again, and the same vertices. */
TEST(testTransfer) {
    Model *model = make(), *copy;
    EngineError error = {.message = ""};
    char *bytes[2] = {NULL, NULL};
    size_t sizes[2];
    double positions[2][6];
    for (int i = 0; i < 2; i++) {
        FILE *file = open_memstream(&bytes[i], &sizes[i]);
        assert_non_null(file);
        assert_true(blobWrite(file, model, NULL));
        fclose(file);
        SpinePose *pose = spinePoseCreate(model->spines, NULL, 0, &error);
        spinePoseSet(pose, 0, 0.25);
        spinePoseVertices(pose, 0, positions[i]);
        spinePoseFree(pose);
        if (i == 0) {
            file = fmemopen(bytes[0], sizes[0], "rb");
            assert_non_null(file);
            copy = blobRead(file, (size_t)1 << 20, &error);
            fclose(file);
            TEST_GOOD(copy, error);
            modelFree(model);
            model = copy;
        }
    }
    /* The pointers are not written, so all bytes are content. */
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    assert_memory_equal(positions[0], positions[1], sizeof positions[0]);
    free(bytes[0]);
    free(bytes[1]);
    modelFree(model);
}

/* The library gets weights that are not negative and sum to 1; the first bone takes all where there is no sum. */
TEST(testWeights) {
    static const float wanted[] = {2.0f / 3.0f, 1.0f / 3.0f, 0.0f, 1.0f, 1.0f, 0.0f};
    uint32_t vertices[] = {0, 0, 1, 1, 2, 2}, bones[] = {0, 1, 0, 1, 0, 1};
    float offsets[][3] = {{0, 0, 0.5f}, {0, 0, 0.25f}, {0, 0, -0.5f}, {0, 0, 2.0f}, {0, 0, 0.0f}, {0, 0, 0.0f}};
    Model *model = make();
    SpineModel spine = *model->spines;
    SpineAttachment attachment = spine.attachments[0];
    EngineError error;
    SpineMesh mesh = {0};
    attachment.influenceCount = 6;
    attachment.vertices = vertices;
    attachment.bones = bones;
    attachment.offsets = offsets[0];
    spine.attachments = &attachment;
    spine.attachmentCount = 1;
    spine.animationCount = 0; /* the deform keys are those of the other mesh */
    TEST_GOOD(spineMeshCreate(&spine, &mesh, &error), error);
    assert_int_equal(mesh.influences, 2);
    for (int i = 0; i < 6; i++) {
        assert_float_equal(mesh.weights[i], wanted[i], 1e-6f);
    }
    spineMeshFree(&mesh);
    modelFree(model);
}
