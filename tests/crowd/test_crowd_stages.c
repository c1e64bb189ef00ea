/*
 * The stages of a crowd after the keys, on the CPU, against a loop that keeps slots in plain arrays: random keys, pools of
 * any size, models that change, cancelled frames.
 */
#include "crowd_lists.h"
#include "crowd_stages.h"
#include "random.h"
#include "test.h"

#define CAPACITY 700u /* not a multiple of a block */
#define MODELS   3u
#define CLIPS    2u
#define FRAMES   60u

/* ---- What is run ---- */

typedef struct Stages {
    CrowdPlan plan;
    CrowdArrays arrays;
    LayoutCrowdState states[CAPACITY];
    LayoutCrowdCold colds[CAPACITY];
    uint32_t *frames[2];
    uint32_t slots[MODELS];
} Stages;

static LayoutCrowdBounds bounds[CLIPS];
static const uint32_t boneNodes[2] = {0, 1};
static VkskinAffine binds[2];

static CrowdModel modelOf(uint32_t slots, const CrowdPart *parts, uint32_t partCount) {
    return (CrowdModel){
        .parts = parts,
        .partCount = partCount,
        .slots = slots,
        .skin = {.boneCount = 2, .nodes = boneNodes, .binds = binds},
        .paletteBytes = 96,
        .bounds = bounds,
    };
}

/* paletteRange: bytes of the palettes of a pool. */
static Stages *newStages(const uint32_t slots[MODELS], uint64_t paletteRange) {
    static const CrowdPart parts[2] = {{.outputBytes = 48, .indexCount = 6, .firstIndex = 3, .vertexOffset = 7},
                                       {.outputBytes = 160, .indexCount = 9}};
    CrowdModel models[MODELS];
    Stages *stages = calloc(1, sizeof *stages);
    assert_non_null(stages);
    for (uint32_t m = 0; m < MODELS; m++) {
        stages->slots[m] = slots[m];
        models[m] = modelOf(slots[m], parts, 1 + m % 2);
    }
    const CrowdNeeds needs = {
        .models = models,
        .modelCount = MODELS,
        .capacity = CAPACITY,
        .clipCount = CLIPS,
        .nodeCount = 2,
        .places = boneNodes,
        .scratchWords = 24,
        .copies = 2,
        .range = 1 << 26,
        .paletteRange = paletteRange,
        .groupSize = 64,
        .groupInstances = 4,
        .poseSlots = CROWD_GROUP,
        .views = CROWD_VIEWS,
    };
    const Host host = {0};
    assert_int_equal(sknPlanCrowd(&host, "test", &needs, &stages->plan), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        stages->frames[i] = calloc(stages->plan.frameWords, sizeof(uint32_t));
    }
    stages->arrays = (CrowdArrays){
        .tables = stages->plan.tables,
        .states = stages->states,
        .colds = stages->colds,
        .work = calloc(stages->plan.workWords, sizeof(uint32_t)),
    };
    return stages;
}

static void freeStages(Stages *stages) {
    free(stages->frames[0]);
    free(stages->frames[1]);
    free(stages->arrays.work);
    sknFreeCrowdPlan(&stages->plan);
    free(stages);
}

/* ---- The loop ---- */

/* Slots of a model in a plain queue. */
typedef struct Queue {
    uint32_t free[CAPACITY];
    uint32_t count;
} Queue;

typedef struct Loop {
    int model[CAPACITY], slot[CAPACITY]; /* -1: none */
    bool fresh[CAPACITY];
    Queue queues[MODELS];
    uint32_t refused;
} Loop;

static Loop *newLoop(const uint32_t slots[MODELS]) {
    Loop *loop = calloc(1, sizeof *loop);
    assert_non_null(loop);
    for (uint32_t c = 0; c < CAPACITY; c++) {
        loop->model[c] = loop->slot[c] = -1;
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        for (uint32_t s = 0; s < slots[m]; s++) {
            loop->queues[m].free[loop->queues[m].count++] = s;
        }
    }
    return loop;
}

static int pop(Queue *queue) {
    if (queue->count == 0) {
        return -1;
    }
    const uint32_t slot = queue->free[0];
    memmove(queue->free, queue->free + 1, --queue->count * sizeof *queue->free);
    return (int)slot;
}

/* Gives slots to those that only a shadow view sees, or to the others. */
static void give(Loop *loop, const uint32_t *views, const uint32_t *models, uint32_t colours, bool shadows) {
    for (uint32_t c = 0; c < CAPACITY; c++) {
        if (views[c] != 0 && loop->slot[c] < 0 && ((views[c] & colours) == 0) == shadows) {
            loop->slot[c] = pop(&loop->queues[models[c]]);
            loop->model[c] = (int)models[c];
            loop->fresh[c] = true;
            loop->refused += loop->slot[c] < 0;
        }
    }
}

/* If slots for a colour view are missing, the last characters with a slot that only a shadow view sees lose it. */
static void yield(Loop *loop, const uint32_t *views, const uint32_t *models, uint32_t colours, Queue *freed) {
    uint32_t missing[MODELS] = {0};
    bool yields[CAPACITY] = {false};
    for (uint32_t c = 0; c < CAPACITY; c++) {
        missing[models[c]] += loop->slot[c] < 0 && (views[c] & colours) != 0;
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        missing[m] -= missing[m] < loop->queues[m].count ? missing[m] : loop->queues[m].count;
    }
    for (uint32_t c = CAPACITY; c-- > 0;) {
        yields[c] = loop->slot[c] >= 0 && (views[c] & colours) == 0 && missing[models[c]] > 0;
        missing[models[c]] -= yields[c];
    }
    for (uint32_t c = 0; c < CAPACITY; c++) {
        if (yields[c]) {
            freed[models[c]].free[freed[models[c]].count++] = (uint32_t)loop->slot[c];
            loop->slot[c] = -1;
        }
    }
}

static void step(Loop *loop, const uint32_t *views, const uint32_t *models, uint32_t colours) {
    Queue freed[MODELS] = {0};
    loop->refused = 0;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        loop->fresh[c] = false;
        if (loop->slot[c] >= 0 && (views[c] == 0 || (uint32_t)loop->model[c] != models[c])) {
            Queue *queue = &freed[loop->model[c]];
            queue->free[queue->count++] = (uint32_t)loop->slot[c];
            loop->slot[c] = -1;
        }
    }
    yield(loop, views, models, colours, freed);
    give(loop, views, models, colours, false);
    give(loop, views, models, colours, true);
    for (uint32_t m = 0; m < MODELS; m++) {
        for (uint32_t i = 0; i < freed[m].count; i++) {
            loop->queues[m].free[loop->queues[m].count++] = freed[m].free[i];
        }
    }
}

/* ---- Comparing ---- */

static void checkSlots(const Stages *stages, const Loop *loop) {
    const uint32_t *work = stages->arrays.work;
    const uint32_t *residents = work + sknCrowdHead(stages->plan.tables)->residents;
    static bool taken[MODELS][CAPACITY];
    uint32_t held[MODELS] = {0};
    memset(taken, 0, sizeof taken);
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const uint32_t expected =
            loop->slot[c] < 0 ? 0 : (uint32_t)loop->model[c] << CROWD_RESIDENT_SHIFT | (uint32_t)(loop->slot[c] + 1);
        assert_int_equal(residents[c], expected);
        if (residents[c] != 0) {
            const uint32_t m = residents[c] >> CROWD_RESIDENT_SHIFT;
            const uint32_t slot = (residents[c] & CROWD_RESIDENT_SLOT) - 1;
            assert_true(slot < stages->slots[m]);
            assert_false(taken[m][slot]);
            taken[m][slot] = true;
            held[m]++;
        }
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        assert_int_equal(work[sknCrowdModel(stages->plan.tables, m)->ring + CROWD_RING_USED], held[m]);
        assert_int_equal(held[m] + loop->queues[m].count, stages->slots[m]);
    }
}

/* The list of a pool: of a view, or of all skinned slots (view CROWD_VIEWS). */
static void checkList(const Stages *stages, const Loop *loop, const uint32_t *views, uint32_t p, uint32_t view) {
    const LayoutCrowdPool *pool = sknCrowdPool(stages->plan.tables, p);
    const LayoutCrowdModel *model = sknCrowdModel(stages->plan.tables, pool->model);
    const uint32_t *frame = stages->arrays.frame;
    const bool all = view == CROWD_VIEWS;
    const uint32_t *list = frame + (all ? pool->skinned : pool->lists + view * pool->slots);
    uint32_t count = 0;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const bool here = loop->slot[c] >= 0 && (uint32_t)loop->model[c] == pool->model &&
                          (uint32_t)loop->slot[c] / model->poolSlots == p - model->firstPool;
        if (!here || (!all && (views[c] >> view & 1u) == 0)) {
            continue;
        }
        assert_int_equal(list[count], (uint32_t)loop->slot[c] % model->poolSlots);
        if (all) {
            assert_int_equal(frame[pool->characters + count] & CROWD_SKINNED_CHARACTER, c);
            assert_int_equal((frame[pool->characters + count] & CROWD_SKINNED_NEW) != 0, loop->fresh[c]);
        }
        count++;
    }
    assert_int_equal(frame[pool->counts + (all ? CROWD_SKINNED : CROWD_FIRST_VIEW + view)], count);
}

static void checkArguments(const Stages *stages) {
    const LayoutCrowdHead *head = sknCrowdHead(stages->plan.tables);
    const uint32_t *frame = stages->arrays.frame;
    for (uint32_t d = 0; d < head->drawCount; d++) {
        const LayoutCrowdDraw *draw = sknCrowdDraw(stages->plan.tables, d);
        const LayoutCrowdPool *pool = sknCrowdPool(stages->plan.tables, draw->pool);
        const uint32_t expected[5] = {draw->part == 0 ? 6 : 9, frame[pool->counts + CROWD_FIRST_VIEW + draw->view],
                                      draw->part == 0 ? 3 : 0, draw->part == 0 ? 7 : 0, 0};
        assert_memory_equal(frame + draw->arguments, expected, sizeof expected);
        assert_int_equal(draw->arguments, 5 * d); /* one call may draw all of a view */
        assert_int_equal(draw->view, d / (head->drawCount / CROWD_VIEWS));
    }
}

/* ---- Views ---- */

static bool sees(const VkskinCrowdView *view, const float point[3]) {
    for (uint32_t p = 0; p < view->planeCount; p++) {
        const float *plane = view->planes[p];
        if (plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3] < 0.0f) {
            return false;
        }
    }
    return true;
}

/* Column-major: clip space of a camera that turns by `angle` about y and about x, and stands at `place`. */
static void cameraMatrix(const double projection[4][4], double angle, const double place[3], double scale,
                         float matrix[16]) {
    const double c = cos(angle), s = sin(angle);
    const double turn[3][3] = {{c, 0, -s}, {s * s, c, c * s}, {s * c, -s, c * c}};
    for (int row = 0; row < 4; row++) {
        double sum[4] = {0, 0, 0, projection[row][3]};
        for (int i = 0; i < 3; i++) {
            for (int column = 0; column < 3; column++) {
                sum[column] += projection[row][i] * scale * turn[i][column];
                sum[3] -= projection[row][i] * scale * turn[i][column] * place[column];
            }
        }
        for (int column = 0; column < 4; column++) {
            matrix[4 * column + row] = (float)sum[column];
        }
    }
}

/* No camera is taken for a transposed one; each is recognised if it is, except where it scales or nothing differs. */
TEST(transposedCamerasAreRecognised) {
    const double far = 100.0 / (0.1 - 100.0);
    static const double eyes[][3] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 7}, {3, -2, 5}, {-250, 40, 1000}};
    static const double angles[] = {0, 0.3, 2.5};
    const struct {
        double projection[4][4];
        double scale;
        bool recognised;
    } cases[] = {
        {{{1.2, 0, 0, 0}, {0, -1.6, 0, 0}, {0, 0, far, 0.1 * far}, {0, 0, -1, 0}}, 1, true},
        {{{1.2, 0, 0.3, 0}, {0, 1.6, -0.2, 0}, {0, 0, far, 0.1 * far}, {0, 0, -1, 0}}, 1, true}, /* off-centre */
        {{{1.2, 0, 0, 0}, {0, 1.6, 0, 0}, {0, 0, far, far}, {0, 0, -1, 0}}, 1, true},            /* near is about 1 */
        {{{1.2, 0, 0, 0}, {0, 1.6, 0, 0}, {0, 0, 0, 0.1}, {0, 0, -1, 0}}, 1, true},    /* reversed, without far plane */
        {{{1.2, 0, 0, 0}, {0, 1.6, 0, 0}, {0, 0, 1, -0.1}, {0, 0, 1, 0}}, 1, true},    /* looks along +z */
        {{{0.1, 0, 0, 0}, {0, 0.1, 0, 0}, {0, 0, -0.01, 0.3}, {0, 0, 0, 1}}, 1, true}, /* parallel */
        {{{0.1, 0, 0, 0}, {0, 0.1, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}}, 1, true},       /* flat */
        {{{1.2, 0, 0, 0}, {0, 1.6, 0, 0}, {0.2, 0.1, -0.7, -0.4}, {0, 0, -1, 0}}, 1, false}, /* oblique near plane */
        {{{1.2, 0, 0, 0}, {0, 1.6, 0, 0}, {0, 0, far, 0.1 * far}, {0, 0, -1, 0}}, 0.01, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] * 15; i++) {
        const double *eye = eyes[i % 5];
        float matrix[16], turned[16];
        cameraMatrix(cases[i / 15].projection, angles[i / 5 % 3], eye, cases[i / 15].scale, matrix);
        for (int word = 0; word < 16; word++) {
            turned[word] = matrix[word % 4 * 4 + word / 4];
        }
        const bool differs = turned[3] != 0 || turned[7] != 0 || turned[11] != 0; /* both have a row of w otherwise */
        assert_int_equal(vkskinCrowdViewFromMatrix(matrix, VKSKIN_CROWD_COLOUR).flaw, 0);
        if (cases[i / 15].recognised && differs) {
            assert_int_equal(vkskinCrowdViewFromMatrix(turned, VKSKIN_CROWD_COLOUR).flaw, 2);
        }
    }
}

/* Column-major: random axes, clip space from 0 to 1 in z; perspective: w is the depth. */
static void randomMatrix(Random *random, bool perspective, float matrix[16]) {
    for (int i = 0; i < 16; i++) {
        matrix[i] = i % 4 == 3 && !perspective ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
    matrix[15] = perspective ? matrix[15] : 5.0f;
    for (int column = 0; column < 4 && perspective; column++) { /* z = w - 0.1: the near plane is at w = 0.1 */
        matrix[4 * column + 2] = matrix[4 * column + 3] - (column == 3 ? 0.1f : 0.0f);
    }
}

static void randomPoint(Random *random, float size, float point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = randomFloat(random, -size, size);
    }
}

/* A point in the camera's view moved towards the light throws its shadow there. */
TEST(shadowViewsSeeWhatThrowsItsShadowIntoThePicture) {
    Random random = {5};
    uint32_t casters = 0;
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < 200000; i++) {
        float light[16], camera[16], towards[3], point[3];
        randomMatrix(&random, false, light);
        randomMatrix(&random, true, camera);
        randomPoint(&random, 1.0f, towards);
        randomPoint(&random, 4.0f, point);
        const VkskinCrowdView lit = vkskinCrowdViewFromMatrix(light, VKSKIN_CROWD_SHADOW);
        const VkskinCrowdView seen = vkskinCrowdViewFromMatrix(camera, VKSKIN_CROWD_COLOUR);
        const VkskinCrowdView shadow = vkskinCrowdShadowView(light, camera, towards, 0.001f);
        const bool shown = sees(&seen, point);
        dropped += sees(&lit, point) && !sees(&shadow, point);
        const float way = randomFloat(&random, 0.0f, 3.0f);
        for (int axis = 0; axis < 3; axis++) {
            point[axis] += way * towards[axis];
        }
        if (shown && sees(&lit, point)) {
            casters++;
            assert_true(sees(&shadow, point));
        }
    }
    print_message("%u casters, %u points dropped\n", casters, dropped);
    assert_true(casters > 1000 && dropped > 1000);
}

/* ---- Frames ---- */

static void randomKeys(Random *random, uint32_t *views, uint32_t *models, uint32_t seen) {
    for (uint32_t c = 0; c < CAPACITY; c++) {
        views[c] = randomBelow(random, 100) < seen ? randomBelow(random, 16) : 0;
        models[c] = randomBelow(random, 50) == 0 ? randomBelow(random, MODELS) : models[c];
    }
}

static void runFrame(Stages *stages, uint32_t number, const uint32_t *views, const uint32_t *models) {
    const VkskinCpuRun run = {.level = VKSKIN_CPU_PORTABLE};
    const LayoutCrowdPush push = {.tick = number, .views = 15, .colours = 5, .copy = number % 2};
    uint32_t *keys = stages->arrays.work + sknCrowdHead(stages->plan.tables)->keys;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        keys[c] = views[c] == 0 ? 0 : views[c] | models[c] << CROWD_KEY_MODEL_SHIFT;
    }
    stages->arrays.frame = stages->frames[number % 2];
    stages->arrays.lastFrame = stages->frames[1 - number % 2];
    *sknCrowdStats(stages->arrays.work) = (LayoutCrowdStats){0};
    sknCrowdFromKeys(&stages->arrays, &push, &run);
}

/* The same keys a second time: no shadow holds a slot that a colour view needs. */
static void checkColoursFirst(const Loop *loop, const uint32_t *views, const uint32_t *models, uint32_t colours) {
    bool missing[MODELS] = {false};
    for (uint32_t c = 0; c < CAPACITY; c++) {
        missing[models[c]] |= loop->slot[c] < 0 && (views[c] & colours) != 0;
    }
    for (uint32_t c = 0; c < CAPACITY; c++) {
        assert_false(loop->slot[c] >= 0 && (views[c] & colours) == 0 && missing[models[c]]);
    }
}

static void compare(const uint32_t slots[MODELS], uint64_t paletteRange) {
    static uint32_t views[CAPACITY], models[CAPACITY];
    Random random = {slots[0] + 7 * slots[1]};
    Stages *stages = newStages(slots, paletteRange);
    Loop *loop = newLoop(slots);
    for (uint32_t f = 0; f < FRAMES; f++) {
        const bool again = f % 3 == 2;
        if (!again) {
            randomKeys(&random, views, models, f % 20 == 19 ? 100 : 30);
        }
        runFrame(stages, f, views, models);
        step(loop, views, models, 5);
        if (again) {
            checkColoursFirst(loop, views, models, 5);
        }
        checkSlots(stages, loop);
        for (uint32_t p = 0; p < stages->plan.poolCount; p++) {
            for (uint32_t view = 0; view <= CROWD_VIEWS; view++) {
                checkList(stages, loop, views, p, view);
            }
        }
        checkArguments(stages);
        assert_int_equal(sknCrowdStats(stages->arrays.work)->refused, loop->refused);
    }
    free(loop);
    freeStages(stages);
}

TEST(slotsAndListsOfLargePoolsAreThoseOfALoop) {
    compare((const uint32_t[MODELS]){CAPACITY, CAPACITY, CAPACITY}, 1 << 26);
}

TEST(slotsAndListsOfSmallPoolsAreThoseOfALoop) {
    compare((const uint32_t[MODELS]){20, 1, 7}, 1 << 26);
}

TEST(slotsAndListsOfSeveralPoolsAreThoseOfALoop) {
    compare((const uint32_t[MODELS]){100, 64, 33}, 96 * 16);
}

/* ---- Culling by lanes ---- */

static void compareLevels(const CrowdListsDef *def) {
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        CrowdLists *lists = newCrowdLists(def);
        uint32_t listed = 0;
        for (uint32_t frame = 0; frame < 12; frame++) {
            crowdListsRun(lists, level, NULL, NULL, frame);
            crowdListsLoop(lists, frame);
            listed += crowdListsListed(lists);
            const char *difference = crowdListsDifference(lists);
            if (difference) {
                fail_msg("level %d, frame %u: the %s are not those of the loop", (int)level, frame, difference);
            }
        }
        assert_true(listed > 0);
        freeCrowdLists(lists);
    }
}

TEST(keysAndListsOfAllInstructionLevelsAreThoseOfALoop) {
    compareLevels(&(CrowdListsDef){.characters = 5003, .slots = 700, .visible = 0.14f});
    compareLevels(&(CrowdListsDef){.characters = 5003, .slots = 700, .visible = 0.3f, .wild = true});
    compareLevels(&(CrowdListsDef){.characters = 3, .slots = 3, .visible = 0.4f});
}

/* ---- Planes that touch ---- */

/* A plane with the box of a character behind it, which touches it in one corner: exactly, but for the rounding of the
 * distance to a float. */
static void touch(Random *random, const LayoutCrowdState *character, float plane[4]) {
    const LayoutCrowdBounds *box = &bounds[0];
    float m[12], numbers[8];
    double most = -INFINITY;
    memcpy(m, character, sizeof m);
    memcpy(numbers, box, sizeof numbers);
    randomPoint(random, 1.0f, plane);
    for (int corner = 0; corner < 8; corner++) {
        double sum = 0.0;
        for (int row = 0; row < 3; row++) {
            double place = m[4 * row + 3];
            for (int i = 0; i < 3; i++) {
                const double extent = (corner >> i & 1) != 0 ? numbers[4 + i] : -numbers[4 + i];
                place += m[4 * row + i] * (numbers[i] + extent);
            }
            sum += plane[row] * place;
        }
        most = fmax(most, sum);
    }
    plane[3] = (float)-most;
}

/* Sizes differ: the place of the character, its box or its scale is the largest number. */
static void setState(Random *random, LayoutCrowdState *character) {
    float m[12], box[8] = {0};
    for (int i = 0; i < 12; i++) {
        m[i] = randomFloat(random, -1.0f, 1.0f) * (i % 4 == 3 ? powf(10.0f, randomFloat(random, -3.0f, 4.0f)) : 1.0f);
    }
    randomPoint(random, powf(10.0f, randomFloat(random, -3.0f, 3.0f)), box);
    for (int i = 4; i < 7; i++) {
        box[i] = powf(10.0f, randomFloat(random, -3.0f, 3.0f));
    }
    *character = (LayoutCrowdState){.flags = CROWD_EXISTS};
    memcpy(character, m, sizeof m);
    memcpy(&bounds[0], box, sizeof box);
}

TEST(aCharacterThatTouchesAPlaneIsSeen) {
    Random random = {3};
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        const VkskinCpuRun run = {.level = level};
        Stages *stages = newStages((const uint32_t[MODELS]){1, 1, 1}, 1 << 26);
        for (uint32_t i = 0; i < 4000; i++) {
            float planes[CROWD_VIEWS][CROWD_PLANES][4] = {{{0}}};
            setState(&random, &stages->states[0]);
            memcpy(stages->plan.tables + sknCrowdModel(stages->plan.tables, 0)->boundsAt, bounds, sizeof bounds[0]);
            touch(&random, &stages->states[0], planes[0][0]);
            stages->arrays.planes = &planes[0][0][0];
            const LayoutCrowdPush push = {.views = 1, .colours = 1, .planes = 1};
            sknCrowdApply(&stages->arrays, &push);
            sknCrowdCull(&stages->arrays, &push, &run);
            assert_int_equal(stages->arrays.work[sknCrowdHead(stages->plan.tables)->keys], 1);
        }
        freeStages(stages);
    }
}
