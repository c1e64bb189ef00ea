/*
 * vkskin_crowd.glsl on a device: draw.comp reads each vertex of each draw as a vertex shader of a host would, and the same
 * is read here from the records and the vertices.
 */
#include "compute.h"
#include "crowd_scene.h"
#include "vertex_error.h"

#define FRAMES       4u
#define MAX_INVOKED  (1u << 14) /* vertices of a draw */
#define PLACE_BOUND  1e-5f      /* relative to the size of the terms */
#define VECTOR_BOUND 1e-5

static const uint32_t drawWords[] =
#include "draw.comp.inc"
    ;

/* As in draw.comp. */
typedef struct SeenVertex {
    uint32_t variation, character, generation, attributes;
    float position[3], previous[3], placed[3], placedBefore[3], normal[3], turned[3], tangent[4], bone[12];
} SeenVertex;

typedef struct Push {
    VkskinCrowdConstants draw;
    uint32_t instances, vertices, vertexOffset, paletteStride, bones;
} Push;

/* A frame, read back. */
typedef struct Drawn {
    CrowdScene *scene;
    uint32_t *frame;
    GpuBuffer seen;
    Compute compute;
    uint32_t walked; /* vertices whose previous position is another one */
} Drawn;

/* ---- What is expected ---- */

static void checkVector(const float *found, const double *expected, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fabs(found[i] - expected[i]) <= VECTOR_BOUND);
    }
}

/* rows: 12 floats. w: 1 for a point, 0 for a direction. */
static void checkPlaced(const uint32_t *rows, const float point[3], float w, const float placed[3]) {
    float m[3][4];
    memcpy(m, rows, sizeof m);
    for (uint32_t r = 0; r < 3; r++) {
        const float terms[4] = {m[r][0] * point[0], m[r][1] * point[1], m[r][2] * point[2], m[r][3] * w};
        const float size = fabsf(terms[0]) + fabsf(terms[1]) + fabsf(terms[2]) + fabsf(terms[3]);
        assert_true(fabsf(placed[r] - (terms[0] + terms[1] + terms[2] + terms[3])) <= PLACE_BOUND * size);
    }
}

/* The place of a part's vertices, as the instance of the skinning pass has it. copy: 0 or 1. */
static const float *verticesOf(const Drawn *drawn, const float *output, const VkskinCrowdDraw *draw, uint32_t slot,
                               uint32_t copy) {
    const uint32_t *tables = sceneInside(drawn->scene).plan->tables;
    const LayoutCrowdPool *pool = sknCrowdPool(tables, draw->model); /* one pool a model */
    const LayoutCrowdPart *part = (const LayoutCrowdPart *)(tables + pool->partsAt) + draw->part;
    return output + slot * pool->outputWords + copy * pool->copyWords + part->place;
}

static void checkVertex(Drawn *drawn, const VkskinCrowdDraw *draw, const VkskinMeshInfo *info, const float *output,
                        const LayoutCrowdSlot *record, uint32_t slot, uint32_t vertex, const SeenVertex *seen) {
    const float *vertices = verticesOf(drawn, output, draw, slot, record->copies & 0xff);
    const float *before = verticesOf(drawn, output, draw, slot, record->copies >> 8);
    const VkskinOutput place = {
        .positionStride = 12,
        .attributeOffset = info->hasNormals ? info->streamOffsets[1] : 0,
        .attributeStride =
            (info->format == VKSKIN_VERTEX_FLOAT ? 12u : 4u) + (!info->hasTangents                    ? 0u
                                                                : info->format == VKSKIN_VERTEX_FLOAT ? 16u
                                                                                                      : 4u),
    };
    const ReadVertex expected = readVertex(vertices, 0, &place, info, vertex);
    assert_int_equal(seen->variation, record->variation);
    assert_int_equal(seen->character, record->character);
    assert_int_equal(seen->generation, record->generation);
    assert_int_equal(seen->attributes, (uint32_t)info->hasNormals + (uint32_t)info->hasTangents);
    assert_memory_equal(seen->position, vertices + 3 * (size_t)vertex, sizeof seen->position);
    assert_memory_equal(seen->previous, before + 3 * (size_t)vertex, sizeof seen->previous);
    drawn->walked += memcmp(seen->position, seen->previous, sizeof seen->position) != 0;
    checkPlaced(&record->transform0, seen->position, 1, seen->placed);
    checkPlaced(&record->previous0, seen->previous, 1, seen->placedBefore);
    checkPlaced(&record->transform0, seen->normal, 0, seen->turned);
    double normal[3] = {expected.normal[0], expected.normal[1], expected.normal[2]};
    const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
    for (uint32_t i = 0; info->format == VKSKIN_VERTEX_SNORM10 && length > 0 && i < 3; i++) {
        normal[i] /= length;
    }
    checkVector(seen->normal, normal, 3);
    checkVector(seen->tangent, expected.tangent, 4);
}

/* ---- Draws ---- */

static void checkDraw(Drawn *drawn, VkBuffer frame, const VkskinCrowdDraw *draw) {
    CrowdScene *scene = drawn->scene;
    const uint32_t *arguments = drawn->frame + draw->argumentsOffset / 4;
    const Push push = {
        draw->constants, arguments[1],        insideVertices(scene->context, scene->crowd, draw->model, draw->part),
        arguments[3],    draw->paletteStride, CAST_SKIN_BONES};
    const VkBuffer buffers[] = {frame, draw->vertices, drawn->seen.buffer, draw->palettes};
    VkskinMeshInfo info;
    CastCrowdDef made;
    sceneDescribe(scene, &made);
    GPU_VKSKIN(scene->gpu, vkskinGetMeshInfo(scene->context, made.models[draw->model].parts[draw->part].mesh, &info));
    assert_true(push.instances * push.vertices <= MAX_INVOKED);
    if (push.instances == 0) {
        return;
    }
    computeBind(scene->gpu, &drawn->compute, buffers);
    computeRun(scene->gpu, &drawn->compute, &push, (push.instances * push.vertices + 63) / 64);
    float *output = sceneVertices(scene, draw->model);
    unsigned char *palettes = sceneRead(scene, insidePalettes(scene->context, scene->crowd, draw->model));
    for (uint32_t i = 0; i < push.instances * push.vertices; i++) {
        const uint32_t slot = drawn->frame[draw->constants.list + i / push.vertices];
        LayoutCrowdSlot record;
        memcpy(&record, drawn->frame + draw->constants.slots + (size_t)slot * CROWD_SLOT_WORDS, sizeof record);
        checkVertex(drawn, draw, &info, output, &record, slot, i % push.vertices,
                    (const SeenVertex *)drawn->seen.mapped + i);
        assert_memory_equal(((const SeenVertex *)drawn->seen.mapped)[i].bone,
                            palettes + (size_t)slot * draw->paletteStride +
                                i % push.vertices % CAST_SKIN_BONES * sizeof(VkskinAffine),
                            sizeof(VkskinAffine));
    }
    free(palettes);
    free(output);
}

static void checkFormat(Gpu *gpu, VkskinVertexFormat format, uint32_t dropped) {
    const SceneDef def = {.backend = VKSKIN_BACKEND_COMPUTE,
                          .cast.capacity = 60,
                          .cast.slots = {16, 12},
                          .seed = 5 + format,
                          .cast.previousPositions = true,
                          .cast.format = format,
                          .cast.dropped = dropped};
    CrowdScene scene = sceneMake(gpu, &def);
    Drawn drawn = {.scene = &scene,
                   .seen = gpuBuffer(gpu, MAX_INVOKED * sizeof(SeenVertex), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
                   .compute = computeCreate(gpu, drawWords, sizeof drawWords, 4, sizeof(Push))};
    VkskinCrowdDraw draws[4 * CAST_PARTS];
    uint32_t count = COUNT_OF(draws);
    sceneAdd(&scene, 50);
    GPU_VKSKIN(gpu, vkskinGetCrowdDraws(scene.context, scene.crowd, draws, &count));
    for (uint32_t f = 0; f < FRAMES; f++) {
        sceneRun(&scene);
        drawn.frame = sceneFrame(&scene);
        for (uint32_t d = 0; d < count; d++) {
            checkDraw(&drawn, sceneInside(&scene).frame.buffer, &draws[d]);
        }
        free(drawn.frame);
        sceneChange(&scene);
    }
    assert_true(drawn.walked > 0);
    computeFree(gpu, &drawn.compute);
    gpuFreeBuffer(gpu, &drawn.seen);
    sceneFree(&scene);
}

GPU_TEST(shadersReadWhatTheCrowdWrote) {
    checkFormat(gpu, VKSKIN_VERTEX_PACKED, 0);
    checkFormat(gpu, VKSKIN_VERTEX_FLOAT, 0);
    checkFormat(gpu, VKSKIN_VERTEX_SNORM10, 0);
    checkFormat(gpu, VKSKIN_VERTEX_FLOAT, 1);
    checkFormat(gpu, VKSKIN_VERTEX_PACKED, 1);
    checkFormat(gpu, VKSKIN_VERTEX_PACKED, 2);
}
