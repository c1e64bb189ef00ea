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
#define GROUPS   7u
#define CLIPS    2u
#define FRAMES   60u
#define MASK     6u /* mask of the second part */

/* Levels of each model. */
static const uint32_t levelCounts[MODELS] = {4, 1, 2};

static uint32_t modelOf(uint32_t group) {
    return group < 4 ? 0 : group < 5 ? 1 : 2;
}

static uint32_t firstOf(uint32_t model) {
    return model == 0 ? 0 : model == 1 ? 4 : 5;
}

/* ---- What is run ---- */

typedef struct Stages {
    CrowdPlan plan;
    CrowdArrays arrays;
    CrowdViews views;
    LayoutCrowdState states[CAPACITY];
    LayoutCrowdCold colds[CAPACITY];
    uint32_t *frames[2];
    uint32_t slots[GROUPS];
} Stages;

static LayoutCrowdBounds bounds[CLIPS];
static const uint32_t boneNodes[2] = {0, 1};
static VkskinAffine binds[2];

/* paletteRange: bytes of the palettes of a pool. */
static Stages *newStages(const uint32_t slots[GROUPS], uint64_t paletteRange) {
    static const CrowdPart parts[2] = {
        {.outputBytes = 48, .vertexCount = 3, .indexCount = 6, .firstIndex = 3, .vertexOffset = 7},
        {.outputBytes = 160,
         .vertexCount = 10,
         .indexCount = 9,
         .mask = MASK,
         .classCount = 1,
         .classes = {{.vertexCount = 10, .head = 77}}}};
    static const uint32_t intervals[4] = {1, 1, 2, 4};
    CrowdGroup groups[GROUPS];
    Stages *stages = calloc(1, sizeof *stages);
    assert_non_null(stages);
    for (uint32_t g = 0; g < GROUPS; g++) {
        const uint32_t model = modelOf(g);
        const uint32_t level = g - firstOf(model);
        stages->slots[g] = slots[g];
        groups[g] = (CrowdGroup){
            .model = model,
            .level = level,
            .coarser = levelCounts[model] - 1 - level,
            .error = 0.25f * (float)level,
            .interval = intervals[level],
            .parts = parts,
            .partCount = 1 + g % 2,
            .slots = slots[g],
            .vertices = 3 + g % 2 * 10,
            .skin = {.boneCount = 2, .nodes = boneNodes, .binds = binds},
            .paletteBytes = 96,
            .bounds = bounds,
        };
    }
    const CrowdNeeds needs = {
        .groups = groups,
        .groupCount = GROUPS,
        .capacity = CAPACITY,
        .clipCount = CLIPS,
        .nodes = {.count = 2, .places = boneNodes},
        .scratchWords = 24,
        .copies = 2,
        .range = 1 << 26,
        .paletteRange = paletteRange,
        .groupSize = 64,
        .groupInstances = 4,
        .poseSlots = CROWD_GROUP,
        .views = 4,
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
        .views = &stages->views,
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

/* ---- The loop: it sorts ---- */

/* What a frame sees. */
typedef struct Wishes {
    uint32_t views[CAPACITY], groups[CAPACITY], grades[CAPACITY];
} Wishes;

/* Slots of a group in a plain queue. */
typedef struct Queue {
    uint32_t free[CAPACITY];
    uint32_t count;
} Queue;

typedef struct Loop {
    int group[CAPACITY], slot[CAPACITY]; /* -1: none */
    bool lent[CAPACITY];                 /* the slot is given away: the character has it in this frame only */
    int given[CAPACITY];                 /* the group that gives a slot in this frame; -1: none */
    bool yields[CAPACITY];
    Queue queues[GROUPS];
    uint32_t refused;
} Loop;

static Loop *newLoop(const uint32_t slots[GROUPS]) {
    Loop *loop = calloc(1, sizeof *loop);
    assert_non_null(loop);
    for (uint32_t c = 0; c < CAPACITY; c++) {
        loop->group[c] = loop->slot[c] = loop->given[c] = -1;
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        for (uint32_t s = 0; s < slots[g]; s++) {
            loop->queues[g].free[loop->queues[g].count++] = s;
        }
    }
    return loop;
}

static int pop(Queue *queue) {
    assert_true(queue->count > 0);
    const uint32_t slot = queue->free[0];
    memmove(queue->free, queue->free + 1, --queue->count * sizeof *queue->free);
    return (int)slot;
}

/* Who competes: order decides among equal grades, then the index. */
typedef struct Rival {
    uint32_t grade, order, character;
} Rival;

static int byGrade(const void *left, const void *right) {
    const Rival *a = left, *b = right;
    if (a->grade != b->grade) {
        return a->grade > b->grade ? -1 : 1;
    }
    return a->order != b->order ? (a->order < b->order ? -1 : 1) : a->character < b->character ? -1 : 1;
}

static bool holds(const Loop *loop, const Wishes *wishes, uint32_t c) {
    return loop->slot[c] >= 0 && wishes->views[c] != 0 &&
           modelOf((uint32_t)loop->group[c]) == modelOf(wishes->groups[c]);
}

/* The characters that need a slot of a group: its changers last, newcomers that finer levels refused before them. */
static uint32_t rivalsOf(const Loop *loop, const Wishes *wishes, uint32_t group, Rival rivals[CAPACITY]) {
    uint32_t count = 0;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const uint32_t wish = wishes->groups[c];
        const bool has = holds(loop, wishes, c);
        if (wishes->views[c] != 0 && loop->given[c] < 0 && modelOf(wish) == modelOf(group) &&
            (has ? wish == group && (uint32_t)loop->group[c] != group : wish <= group)) {
            rivals[count++] = (Rival){wishes->grades[c], has ? 9 : group - wish, c};
        }
    }
    qsort(rivals, count, sizeof *rivals, byGrade);
    return count;
}

/* Lets holders of smaller grades yield to those who got nothing. unmet: those of finer levels, by grade. */
static void yield(Loop *loop, const Wishes *wishes, uint32_t group, uint32_t unmet[CROWD_CLASSES]) {
    static Rival rivals[CAPACITY], holders[CAPACITY];
    const uint32_t count = rivalsOf(loop, wishes, group, rivals);
    uint32_t needs[CROWD_CLASSES] = {0}, without[CROWD_CLASSES] = {0}, leaving = 0, held = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool carried = rivals[i].order != 9 && rivals[i].order > 0;
        without[rivals[i].grade] += rivals[i].order != 9;
        if (!carried || unmet[rivals[i].grade] > 0) {
            unmet[rivals[i].grade] -= carried;
            needs[rivals[i].grade]++;
        }
    }
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const bool here = loop->slot[c] >= 0 && (uint32_t)loop->group[c] == group;
        if (here && holds(loop, wishes, c)) {
            holders[held++] = (Rival){wishes->grades[c], 0, c};
        }
        leaving += here && !holds(loop, wishes, c);
    }
    qsort(holders, held, sizeof *holders, byGrade); /* the last one yields first */
    for (uint32_t grade = CROWD_CLASSES; grade-- > 0;) {
        uint32_t need = needs[grade];
        for (; need > 0 && leaving > 0; need--) {
            leaving--;
        }
        for (; need > 0 && held > 0 && holders[held - 1].grade < grade; need--) {
            loop->yields[holders[--held].character] = true;
        }
        unmet[grade] = need < without[grade] ? need : without[grade];
    }
}

static void grant(Loop *loop, const Wishes *wishes, uint32_t model) {
    static Rival rivals[CAPACITY];
    uint32_t unmet[CROWD_CLASSES] = {0};
    uint32_t left = 0;
    for (uint32_t group = firstOf(model); group < firstOf(model) + levelCounts[model]; group++) {
        const uint32_t count = rivalsOf(loop, wishes, group, rivals);
        for (uint32_t i = 0; i < count && i < loop->queues[group].count; i++) {
            loop->given[rivals[i].character] = (int)group;
        }
        yield(loop, wishes, group, unmet);
    }
    for (uint32_t c = 0; c < CAPACITY; c++) {
        left += wishes->views[c] != 0 && modelOf(wishes->groups[c]) == model && !holds(loop, wishes, c) &&
                loop->given[c] < 0;
    }
    loop->refused += left;
}

/* Freed slots come behind the queue: they are given from the next frame on. */
static void step(Loop *loop, const Wishes *wishes) {
    static Queue freed[GROUPS];
    memset(freed, 0, sizeof freed);
    loop->refused = 0;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        loop->given[c] = -1;
        loop->yields[c] = false;
        loop->slot[c] = loop->lent[c] ? -1 : loop->slot[c];
        loop->lent[c] = false;
    }
    for (uint32_t m = 0; m < MODELS; m++) {
        grant(loop, wishes, m);
    }
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const bool stays = holds(loop, wishes, c);
        if (loop->slot[c] >= 0 && (!stays || loop->given[c] >= 0 || loop->yields[c])) {
            Queue *queue = &freed[loop->group[c]];
            queue->free[queue->count++] = (uint32_t)loop->slot[c];
            loop->lent[c] = stays && loop->given[c] < 0;
            loop->slot[c] = loop->lent[c] ? loop->slot[c] : -1;
        }
        if (loop->given[c] >= 0) {
            loop->group[c] = loop->given[c];
            loop->slot[c] = pop(&loop->queues[loop->given[c]]);
        }
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        for (uint32_t i = 0; i < freed[g].count; i++) {
            loop->queues[g].free[loop->queues[g].count++] = freed[g].free[i];
        }
    }
}

/* ---- Comparing ---- */

static void checkSlots(const Stages *stages, const Loop *loop) {
    const uint32_t *work = stages->arrays.work;
    const uint32_t *residents = work + sknCrowdHead(stages->plan.tables)->residents;
    static bool taken[GROUPS][CAPACITY];
    uint32_t held[GROUPS] = {0};
    memset(taken, 0, sizeof taken);
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const uint32_t expected = loop->slot[c] < 0 ? 0
                                                    : (uint32_t)loop->group[c] << CROWD_RESIDENT_SHIFT |
                                                          (uint32_t)(loop->slot[c] + 1) |
                                                          (loop->lent[c] ? CROWD_RESIDENT_YIELDED : 0u);
        assert_int_equal(residents[c], expected);
        if (residents[c] != 0) {
            const uint32_t g = residents[c] >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP;
            const uint32_t slot = (residents[c] & CROWD_RESIDENT_SLOT) - 1;
            assert_true(slot < stages->slots[g]);
            assert_false(taken[g][slot]);
            taken[g][slot] = true;
            held[g] += !loop->lent[c];
        }
    }
    for (uint32_t g = 0; g < GROUPS; g++) {
        assert_int_equal(work[sknCrowdGroup(stages->plan.tables, g)->ring + CROWD_RING_USED], held[g]);
        assert_int_equal(held[g] + loop->queues[g].count, stages->slots[g]);
    }
}

/* Whether the slot of a character is posed and skinned in a frame. */
static bool refreshes(const Stages *stages, const Loop *loop, uint32_t c, uint32_t number) {
    const uint32_t interval = sknCrowdGroup(stages->plan.tables, (uint32_t)loop->group[c])->interval;
    return loop->given[c] >= 0 || (number + c) % interval == 0;
}

#define ALL       CROWD_VIEWS
#define REFRESHED (CROWD_VIEWS + 1)

/* The list of a pool in a frame: of a view, of all slots (ALL), or of the refreshed ones. */
static void checkList(const Stages *stages, const Loop *loop, const Wishes *wishes, uint32_t number, uint32_t p,
                      uint32_t view) {
    const LayoutCrowdPool *pool = sknCrowdPool(stages->plan.tables, p);
    const LayoutCrowdGroup *group = sknCrowdGroup(stages->plan.tables, pool->group);
    const uint32_t *frame = stages->arrays.frame;
    const uint32_t lists = view == ALL         ? pool->skinned
                           : view == REFRESHED ? pool->refreshed
                                               : pool->lists + view * pool->slots;
    uint32_t count = 0, refreshed = 0;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        const bool here = loop->slot[c] >= 0 && (uint32_t)loop->group[c] == pool->group &&
                          (uint32_t)loop->slot[c] / group->poolSlots == p - group->firstPool;
        const bool fresh = here && refreshes(stages, loop, c, number);
        const bool listed = view == ALL || (view == REFRESHED ? fresh : (wishes->views[c] >> view & 1u) != 0);
        if (here && listed) {
            assert_int_equal(frame[lists + count], (uint32_t)loop->slot[c] % group->poolSlots);
            if (view == ALL) {
                const uint32_t who = frame[pool->characters + count];
                assert_int_equal(who & CROWD_SKINNED_CHARACTER, c);
                assert_int_equal((who & CROWD_SKINNED_NEW) != 0, loop->given[c] >= 0);
                assert_int_equal((who & CROWD_SKINNED_REFRESHED) != 0, fresh);
                assert_int_equal((who & CROWD_SKINNED_YIELDED) != 0, loop->lent[c]);
                if (fresh) {
                    assert_int_equal(frame[pool->entries + count], refreshed);
                }
            }
            count++;
        }
        refreshed += fresh;
    }
    const uint32_t column = view == ALL ? CROWD_SKINNED : view == REFRESHED ? CROWD_REFRESHED : CROWD_FIRST_VIEW + view;
    assert_int_equal(frame[pool->counts + column], count);
}

static bool shows(const Stages *stages, const LayoutCrowdPool *pool, uint32_t part, uint32_t slot) {
    const LayoutCrowdSlot *records = (const LayoutCrowdSlot *)(stages->arrays.frame + pool->records);
    return part == 0 || (stages->colds[records[slot].character].parts & MASK) != 0;
}

/* The list of a draw is that of its pool, of those that show the part. Returns their number. */
static uint32_t checkShown(const Stages *stages, const LayoutCrowdDraw *draw) {
    const LayoutCrowdPool *pool = sknCrowdPool(stages->plan.tables, draw->pool);
    const LayoutCrowdPart *part = sknCrowdPart(stages->plan.tables, pool, draw->part);
    const uint32_t *frame = stages->arrays.frame;
    uint32_t count = 0;
    for (uint32_t i = 0; i < frame[pool->counts + CROWD_FIRST_VIEW + draw->view]; i++) {
        const uint32_t slot = frame[pool->lists + draw->view * pool->slots + i];
        if (shows(stages, pool, draw->part, slot)) {
            assert_int_equal(frame[part->lists + draw->view * pool->slots + count++], slot);
        }
    }
    assert_int_equal(frame[part->counts + CROWD_FIRST_VIEW + draw->view], count);
    return count;
}

/* Only refreshed slots that show the part of a job are skinned. */
static void checkJobs(const Stages *stages) {
    const uint32_t *frame = stages->arrays.frame;
    for (uint32_t j = 0; j < sknCrowdHead(stages->plan.tables)->jobCount; j++) {
        const LayoutCrowdJob *job = sknCrowdJob(stages->plan.tables, j);
        const LayoutCrowdPool *pool = sknCrowdPool(stages->plan.tables, job->pool);
        const LayoutCrowdPart *part = sknCrowdPart(stages->plan.tables, pool, 1);
        uint32_t count = 0;
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_REFRESHED]; i++) {
            const uint32_t slot = frame[pool->refreshed + i];
            if (shows(stages, pool, 1, slot)) {
                assert_int_equal(frame[part->instances + count++ * LAYOUT_INSTANCE_WORDS], slot * pool->paletteUnits);
            }
        }
        const uint32_t expected[4] = {0, 0, count, 77}, groups[2] = {((count + 3) / 4 * 10 + 63) / 64, 1};
        assert_memory_equal(frame + job->job, expected, sizeof expected);
        assert_memory_equal(frame + job->groups, groups, sizeof groups);
    }
}

static void checkArguments(const Stages *stages) {
    const LayoutCrowdHead *head = sknCrowdHead(stages->plan.tables);
    const uint32_t *frame = stages->arrays.frame;
    for (uint32_t d = 0; d < head->drawCount; d++) {
        const LayoutCrowdDraw *draw = sknCrowdDraw(stages->plan.tables, d);
        const uint32_t expected[5] = {draw->part == 0 ? 6 : 9, checkShown(stages, draw), draw->part == 0 ? 3 : 0,
                                      draw->part == 0 ? 7 : 0, 0};
        assert_memory_equal(frame + draw->arguments, expected, sizeof expected);
        assert_int_equal(draw->arguments, 5 * d); /* one call may draw all of a view */
        assert_int_equal(draw->view, d / (head->drawCount / 4));
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

/* Grades of a few values: classes are cut. Some characters become another model's. */
static void randomWishes(Random *random, Wishes *wishes, uint32_t seen) {
    for (uint32_t c = 0; c < CAPACITY; c++) {
        wishes->views[c] = randomBelow(random, 100) < seen ? randomBelow(random, 16) : 0;
        if (randomBelow(random, 8) == 0) {
            const uint32_t model =
                randomBelow(random, 10) == 0 ? randomBelow(random, MODELS) : modelOf(wishes->groups[c]);
            wishes->groups[c] = firstOf(model) + randomBelow(random, levelCounts[model]);
            wishes->grades[c] = randomBelow(random, 4) * 64 + randomBelow(random, 4) * randomBelow(random, 21);
        }
    }
}

static void runFrame(Stages *stages, uint32_t number, const Wishes *wishes) {
    const VkskinCpuRun run = {.level = VKSKIN_CPU_PORTABLE};
    const LayoutCrowdPush push = {.tick = number, .views = 15, .colours = 5, .number = number};
    uint32_t *keys = stages->arrays.work + sknCrowdHead(stages->plan.tables)->keys;
    for (uint32_t c = 0; c < CAPACITY; c++) {
        keys[c] = wishes->views[c] == 0 ? 0
                                        : wishes->views[c] | wishes->grades[c] << CROWD_KEY_CLASS_SHIFT |
                                              wishes->groups[c] << CROWD_KEY_GROUP_SHIFT;
    }
    stages->arrays.frame = stages->frames[number % 2];
    stages->arrays.lastFrame = stages->frames[1 - number % 2];
    sknClearCrowdCounts(&stages->arrays);
    sknCrowdFromKeys(&stages->arrays, &push, &run);
}

/* The same wishes again and again: slots come to rest, and no one without a slot has a larger grade than a holder of its
 * level. */
static void checkRest(const Loop *loop, const Wishes *wishes) {
    for (uint32_t c = 0; c < CAPACITY; c++) {
        if (wishes->views[c] == 0 || loop->slot[c] >= 0) {
            continue;
        }
        for (uint32_t other = 0; other < CAPACITY; other++) {
            const bool level = loop->slot[other] >= 0 && (uint32_t)loop->group[other] == wishes->groups[c];
            assert_false(level && wishes->grades[other] < wishes->grades[c]);
        }
    }
}

static void compare(const uint32_t slots[GROUPS], uint64_t paletteRange) {
    static Wishes wishes;
    Random random = {slots[0] + 7 * slots[1]};
    Stages *stages = newStages(slots, paletteRange);
    Loop *loop = newLoop(slots);
    memset(&wishes, 0, sizeof wishes);
    for (uint32_t f = 0; f < FRAMES; f++) {
        if (f % 12 < 2) {
            randomWishes(&random, &wishes, f % 24 == 12 ? 100 : 30);
        }
        for (uint32_t c = f % 2; c < CAPACITY; c += 2) {
            stages->colds[c].parts = randomWord(&random) >> randomBelow(&random, 32);
        }
        runFrame(stages, f, &wishes);
        step(loop, &wishes);
        if (f % 12 == 11) {
            checkRest(loop, &wishes);
        }
        checkSlots(stages, loop);
        for (uint32_t p = 0; p < stages->plan.poolCount; p++) {
            for (uint32_t view = 0; view < 4; view++) {
                checkList(stages, loop, &wishes, f, p, view);
            }
            checkList(stages, loop, &wishes, f, p, ALL);
            checkList(stages, loop, &wishes, f, p, REFRESHED);
        }
        checkArguments(stages);
        checkJobs(stages);
        assert_int_equal(sknCrowdStats(stages->arrays.work)->refused, loop->refused);
    }
    free(loop);
    freeStages(stages);
}

TEST(slotsAndListsOfLargePoolsAreThoseOfALoop) {
    compare((const uint32_t[GROUPS]){700, 700, 700, 700, 700, 700, 700}, 1 << 26);
}

TEST(slotsAndListsOfSmallPoolsAreThoseOfALoop) {
    compare((const uint32_t[GROUPS]){40, 40, 40, 40, 40, 20, 7}, 1 << 26);
    compare((const uint32_t[GROUPS]){3, 3, 3, 3, 3, 1, 3}, 1 << 26);
    compare((const uint32_t[GROUPS]){3, 40, 3, 700, 20, 1, 7}, 1 << 26);
}

TEST(slotsAndListsOfSeveralPoolsAreThoseOfALoop) {
    compare((const uint32_t[GROUPS]){100, 64, 33, 50, 64, 33, 17}, 96 * 16);
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
        Stages *stages = newStages((const uint32_t[GROUPS]){1, 1, 1, 1, 1, 1, 1}, 1 << 26);
        for (uint32_t i = 0; i < 4000; i++) {
            CrowdViews *views = &stages->views;
            views->views[0].planes = 1;
            setState(&random, &stages->states[0]);
            memcpy(stages->plan.tables + sknCrowdModel(stages->plan.tables, 0)->boundsAt, bounds, sizeof bounds[0]);
            touch(&random, &stages->states[0], views->planes[0][0]);
            const LayoutCrowdPush push = {.views = 1, .colours = 1};
            sknCrowdApply(&stages->arrays, &push);
            sknCrowdCull(&stages->arrays, &push, &run);
            assert_int_equal(stages->arrays.work[sknCrowdHead(stages->plan.tables)->keys] & CROWD_KEY_VIEWS, 1);
        }
        freeStages(stages);
    }
}
