/*
 * Culling through a whole crowd: a character that a view does not list has no vertex in that view, for random poses, fades,
 * places and cameras, also if only its outermost vertex is in the view. A second crowd that sees everything has the
 * vertices of all characters. VKSKIN_TEST_POSES: how many poses to test, instead of 8,000.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"

#define VIEWS    2u
#define CAPACITY 100u

/* Characters of the second crowd, by view: not listed; listed; listed without a vertex in the view. */
typedef struct Tally {
    uint64_t poses, fades, culled, listed, loose;
} Tally;

static bool isInside(const VkskinCrowdView *view, const float place[3]) {
    for (uint32_t p = 0; p < view->planeCount; p++) {
        const float *plane = view->planes[p];
        const double scale = 1 + fabs((double)plane[3]);
        if ((double)plane[0] * (double)place[0] + (double)plane[1] * (double)place[1] +
                (double)plane[2] * (double)place[2] + (double)plane[3] <
            1e-5 * scale) { /* rounding decides about the others */
            return false;
        }
    }
    return true;
}

/* A skinned character: its vertices in the world. */
typedef struct Shape {
    float transform[12];
    float (*places)[3]; /* [count]; free() it */
    uint32_t count;
} Shape;

static void addPart(const LayoutInstance *instance, const float *vertices, uint32_t count, Shape *shape) {
    const float *positions = vertices + instance->vertices;
    for (uint32_t v = 0; v < count; v++) {
        for (int i = 0; i < 3; i++) {
            const float *row = &shape->transform[4 * i];
            shape->places[shape->count][i] =
                row[0] * positions[3 * v] + row[1] * positions[3 * v + 1] + row[2] * positions[3 * v + 2] + row[3];
        }
        shape->count++;
    }
}

static Shape shapeOf(const CrowdScene *scene, const uint32_t *frame, const float *vertices, uint32_t p,
                     uint32_t entry) {
    const uint32_t *tables = sceneInside(scene).plan->tables;
    const LayoutCrowdPool *pool = sknCrowdPool(tables, p);
    const LayoutCrowdPart *parts = (const LayoutCrowdPart *)(tables + pool->partsAt);
    Shape shape = {.places = newZeroed(500, sizeof *shape.places)};
    memcpy(shape.transform, frame + pool->records + (size_t)frame[pool->skinned + entry] * CROWD_SLOT_WORDS,
           sizeof shape.transform);
    for (uint32_t part = 0; part < pool->partCount; part++) {
        const uint32_t count = insideVertices(scene->context, scene->crowd, pool->group, part);
        assert_true(shape.count + count <= 500);
        addPart((const LayoutInstance *)(frame + parts[part].instances) + entry, vertices, count, &shape);
    }
    return shape;
}

static bool isSeen(const Shape *shape, const VkskinCrowdView *view) {
    for (uint32_t v = 0; v < shape->count; v++) {
        if (isInside(view, shape->places[v])) {
            return true;
        }
    }
    return false;
}

/* Marks the characters in the list of a view. */
static void markListed(const CrowdScene *scene, const uint32_t *frame, uint32_t view, bool *listed) {
    const CrowdInside inside = sceneInside(scene);
    memset(listed, 0, scene->def.cast.capacity * sizeof *listed);
    for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(inside.plan->tables, p);
        const uint32_t *list = frame + pool->lists + (size_t)view * pool->slots;
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_FIRST_VIEW + view]; i++) {
            listed[frame[pool->records + (size_t)list[i] * CROWD_SLOT_WORDS + 25]] = true;
        }
    }
}

static void checkView(CrowdScene *all, const uint32_t *frame, const VkskinCrowdView *view, const bool *listed,
                      Tally *tally) {
    const CrowdInside inside = sceneInside(all);
    for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(inside.plan->tables, p);
        float *vertices = sceneVertices(all, p);
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t character = frame[pool->characters + i] & CROWD_SKINNED_CHARACTER;
            Shape shape = shapeOf(all, frame, vertices, p, i);
            const bool seen = isSeen(&shape, view);
            free(shape.places);
            if (seen && !listed[character]) {
                fail_msg("character %u has a vertex in a view that does not list it", character);
            }
            tally->culled += !listed[character];
            tally->listed += listed[character];
            tally->loose += listed[character] && !seen;
        }
        free(vertices);
    }
}

/* A plane across one of the character's own axes, which leaves only its outermost vertex on that side. */
static void cutOff(const Shape *shape, Random *random, float plane[4]) {
    const int k = (int)randomBelow(random, 3), a = (k + 1) % 3, b = (k + 2) % 3;
    const float *m = shape->transform;
    const float sign = randomBelow(random, 2) == 0 ? 1.0f : -1.0f;
    double most = -INFINITY;
    for (int i = 0; i < 3; i++) { /* across the two other columns */
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        plane[i] = sign * (m[4 * j + a] * m[4 * l + b] - m[4 * l + a] * m[4 * j + b]);
    }
    for (uint32_t v = 0; v < shape->count; v++) {
        const float *place = shape->places[v];
        most = fmax(most, (double)plane[0] * (double)place[0] + (double)plane[1] * (double)place[1] +
                              (double)plane[2] * (double)place[2]);
    }
    plane[3] = (float)(2e-3 * (1 + fabs(most)) - most);
}

/* Random planes, and one that a skinned character only just crosses. */
static void chooseView(CrowdScene *all, const uint32_t *frame, uint32_t p, Random *random, VkskinCrowdView *view) {
    const LayoutCrowdPool *pool = sknCrowdPool(sceneInside(all).plan->tables, p);
    const uint32_t entry = randomBelow(random, frame[pool->counts + CROWD_SKINNED]);
    float *vertices = sceneVertices(all, p);
    Shape shape = shapeOf(all, frame, vertices, p, entry);
    *view = (VkskinCrowdView){.kind = p == 0 ? VKSKIN_CROWD_COLOUR : VKSKIN_CROWD_SHADOW,
                              .planeCount = 1 + randomBelow(random, 4)};
    cutOff(&shape, random, view->planes[0]);
    for (uint32_t plane = 1; plane < view->planeCount; plane++) {
        for (int i = 0; i < 3; i++) {
            view->planes[plane][i] = randomFloat(random, -1.0f, 1.0f);
        }
        view->planes[plane][3] = randomFloat(random, -2.0f, 15.0f);
    }
    free(shape.places);
    free(vertices);
}

static void countPoses(const CrowdScene *all, const uint32_t *frame, Tally *tally) {
    const CrowdInside inside = sceneInside(all);
    for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(inside.plan->tables, p);
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t slot = frame[pool->skinned + i];
            tally->fades += frame[pool->poses + (size_t)slot * CROWD_POSE_WORDS + 3] != 0;
            tally->poses++;
        }
    }
}

GPU_TEST(noVertexOfACulledCharacterIsInAView) {
    const char *wanted = getenv("VKSKIN_TEST_POSES");
    const uint64_t poses = wanted != NULL ? strtoull(wanted, NULL, 10) : 8000;
    const SceneDef def = {.backend = VKSKIN_BACKEND_CPU,
                          .cast.capacity = CAPACITY,
                          .cast.slots = {CAPACITY, CAPACITY},
                          .seed = 21,
                          .cast.rigid = true};
    CrowdScene culling = sceneMake(gpu, &def);
    CrowdScene all = sceneMake(gpu, &def);
    Random random = {5};
    bool listed[CAPACITY];
    Tally tally = {0};
    sceneAdd(&culling, CAPACITY - 10);
    sceneAdd(&all, CAPACITY - 10);
    while (tally.poses < poses) {
        memset(all.views, 0, sizeof all.views);
        sceneRun(&all);
        uint32_t *whole = sceneFrame(&all);
        countPoses(&all, whole, &tally);
        VkskinCrowdView views[VIEWS];
        for (uint32_t v = 0; v < VIEWS; v++) {
            chooseView(&all, whole, v, &random, &views[v]);
        }
        memcpy(culling.views, views, sizeof views);
        sceneRun(&culling);
        uint32_t *frame = sceneFrame(&culling);
        for (uint32_t v = 0; v < VIEWS; v++) {
            markListed(&culling, frame, v, listed);
            checkView(&all, whole, &views[v], listed, &tally);
        }
        free(frame);
        free(whole);
        sceneChange(&culling);
        sceneChange(&all);
    }
    print_message("%llu poses, %llu of them in fades; culled %llu times, listed %llu times, of these %.1f %% without a "
                  "vertex in the view\n",
                  (unsigned long long)tally.poses, (unsigned long long)tally.fades, (unsigned long long)tally.culled,
                  (unsigned long long)tally.listed, 100.0 * (double)tally.loose / (double)tally.listed);
    assert_true(tally.fades > tally.poses / 50 && tally.culled > tally.poses / 10 && tally.listed > tally.poses / 10);
    sceneFree(&culling);
    sceneFree(&all);
}
