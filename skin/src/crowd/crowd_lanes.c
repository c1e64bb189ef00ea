/*
 * Culls SIMD_WIDTH characters side by side, one per lane. Compiled once per instruction level, without fused products and
 * sums: each lane computes what crowd_cull.comp states, in one order on all levels.
 */
#include "crowd_lanes.h"

#include "crowd/crowd_rules.h"
#include "simd.h"

/* A LayoutCrowdBounds. */
typedef struct Box {
    float centre[3], margin;
    float extent[3], reserved;
} Box;

_Static_assert(sizeof(Box) == sizeof(LayoutCrowdBounds), "a box is read as bounds");

/* The planes of a view. */
typedef struct View {
    bool used;
    uint32_t planeCount;
    float planes[CROWD_PLANES][4];
    LayoutCrowdView eye;
} View;

typedef struct Cull {
    const CrowdArrays *arrays;
    const LayoutCrowdHead *head;
    uint32_t tick, colours;
    float most; /* pixels that an error may have, squared */
    View views[CROWD_VIEWS];
} Cull;

/* Characters side by side. Pointers of lanes without one lead to other floats, which are not used. */
typedef struct Group {
    const float *states[SIMD_WIDTH];
    const float *boxes[SIMD_WIDTH];
    Box fades[SIMD_WIDTH];
    uint32_t keys[SIMD_WIDTH]; /* without views, level and class */
    uint32_t exist, drawn;     /* one bit per lane */
} Group;

/* A box of each lane in the world. */
typedef struct Solids {
    SimdFloat m[12];
    SimdFloat centre[3];
    SimdFloat extent[3]; /* in model space */
    SimdFloat size[3];   /* sums of the sizes of all terms of a coordinate */
} Solids;

static float floatOf(uint32_t bits) {
    float number;
    memcpy(&number, &bits, sizeof number);
    return number;
}

static Cull cullOf(const CrowdArrays *arrays, const LayoutCrowdPush *push) {
    Cull cull = {.arrays = arrays, .head = sknCrowdHead(arrays->tables), .tick = push->tick, .colours = push->colours};
    const float most = crowdGrown(floatOf(push->maxPixels), arrays->work[CROWD_WORK_BUDGET]);
    cull.most = most * most;
    for (uint32_t v = 0; v < CROWD_VIEWS; v++) {
        View *view = &cull.views[v];
        view->used = (push->views >> v & 1u) != 0;
        memcpy(&view->eye, arrays->work + CROWD_WORK_VIEWS + (size_t)v * CROWD_VIEW_WORDS, sizeof view->eye);
        view->planeCount = view->eye.planes;
        memcpy(view->planes, arrays->work + CROWD_WORK_PLANES + (size_t)4 * v * CROWD_PLANES, sizeof view->planes);
    }
    return cull;
}

/* ---- Lanes ---- */

/* The union of the boxes of two clips, enlarged by the larger margin. */
static Box fadeBox(const Box *a, const Box *b) {
    Box box = {.margin = fmaxf(a->margin, b->margin)};
    for (int i = 0; i < 3; i++) {
        const float low = fminf(a->centre[i] - a->extent[i], b->centre[i] - b->extent[i]) - box.margin;
        const float high = fmaxf(a->centre[i] + a->extent[i], b->centre[i] + b->extent[i]) + box.margin;
        box.centre[i] = (low + high) * 0.5f;
        box.extent[i] = (high - low) * 0.5f;
    }
    return box;
}

/* What does not change with each frame. Returns the part of the key that time decides. */
static uint32_t advance(const Cull *cull, LayoutCrowdState *state, uint32_t character) {
    const uint32_t marks = state->flags & (CROWD_TELEPORTED | CROWD_PARTED);
    (void)crowdAdvance(state, &cull->arrays->colds[character], cull->tick);
    state->flags &= ~(CROWD_TELEPORTED | CROWD_PARTED);
    return ((marks & CROWD_TELEPORTED) != 0 ? CROWD_KEY_TELEPORTED : 0u) |
           ((marks & CROWD_PARTED) != 0 ? CROWD_KEY_PARTED : 0u);
}

static void setBox(const Cull *cull, const LayoutCrowdState *state, uint32_t lane, Group *group) {
    const LayoutCrowdModel *model = sknCrowdModel(cull->arrays->tables, state->flags & CROWD_MODEL_MASK);
    const Box *boxes = (const Box *)(const void *)(cull->arrays->tables + model->boundsAt);
    const Box *box = &boxes[crowdKnownClip(state->clips & 0xffffu, cull->head->clipCount)];
    if ((state->flags & CROWD_FADING) != 0) {
        group->fades[lane] = fadeBox(box, &boxes[crowdKnownClip(state->clips >> 16, cull->head->clipCount)]);
        box = &group->fades[lane];
    }
    group->boxes[lane] = box->centre;
}

static void setLane(const Cull *cull, uint32_t character, uint32_t lane, Group *group, CrowdBad *bad) {
    const LayoutCrowdHead *head = cull->head;
    LayoutCrowdState *state = &cull->arrays->states[character];
    group->states[lane] = group->boxes[lane] = (const float *)(const void *)state;
    group->keys[lane] = 0;
    if ((state->flags & CROWD_EXISTS) == 0) {
        return;
    }
    if ((state->flags & (CROWD_TELEPORTED | CROWD_PARTED | CROWD_FADING | CROWD_ONCE)) != 0) {
        group->keys[lane] = advance(cull, state, character);
    }
    const uint32_t flags = state->flags;
    const uint32_t model = flags & CROWD_MODEL_MASK;
    const bool fading = (flags & CROWD_FADING) != 0;
    bad->clip += (state->clips & 0xffffu) >= head->clipCount || (fading && state->clips >> 16 >= head->clipCount);
    bad->model += model >= head->modelCount;
    group->keys[lane] |= (flags & CROWD_PRIORITY) != 0 ? CROWD_KEY_PRIORITY : 0u;
    group->exist |= 1u << lane;
    if (model < head->modelCount && (flags & CROWD_HIDDEN) == 0) {
        setBox(cull, state, lane, group);
        group->drawn |= 1u << lane;
    }
}

/* ---- Planes ---- */

/* One bit per lane: whether the transform is finite and not too large. */
static uint32_t findNear(const Group *group, SimdFloat m[12]) {
    const SimdFloat far = simdSplat(CROWD_FAR);
    for (uint32_t i = 0; i < 12; i += 4) {
        simdLoadRows(group->states, i, m + i);
    }
    SimdMask near = simdLessOrEqual(simdAbs(m[0]), far);
    for (int i = 1; i < 12; i++) {
        near = simdAnd(near, simdLessOrEqual(simdAbs(m[i]), far));
    }
    return simdMaskBits(near);
}

/* solids->m is set. */
static void placeSolids(const Group *group, Solids *solids) {
    const SimdFloat *m = solids->m;
    SimdFloat centre[4];
    SimdFloat extent[4];
    simdLoadRows(group->boxes, 0, centre);
    simdLoadRows(group->boxes, 4, extent);
    for (int r = 0; r < 3; r++) {
        solids->extent[r] = extent[r];
        solids->centre[r] = m[4 * r + 3];
        solids->size[r] = simdAbs(m[4 * r + 3]);
        for (int c = 0; c < 3; c++) {
            solids->centre[r] = solids->centre[r] + m[4 * r + c] * centre[c];
            solids->size[r] = solids->size[r] + simdAbs(m[4 * r + c]) * (simdAbs(centre[c]) + extent[c]);
        }
    }
}

/*
 * One bit per lane: whether a plane has the whole box behind it. Rounding may move the result by a few units in the last
 * place of the largest term, so the box counts as larger by that.
 */
static uint32_t findBehind(const float plane[4], const Solids *solids) {
    const SimdFloat *m = solids->m;
    SimdFloat distance = simdSplat(plane[3]);
    SimdFloat size = simdSplat(fabsf(plane[3]));
    SimdFloat projectedExtent = simdSplat(0.0f);
    for (int r = 0; r < 3; r++) {
        distance = distance + simdSplat(plane[r]) * solids->centre[r];
        size = size + simdSplat(fabsf(plane[r])) * solids->size[r];
    }
    for (int c = 0; c < 3; c++) {
        const SimdFloat normal =
            simdSplat(plane[0]) * m[c] + simdSplat(plane[1]) * m[4 + c] + simdSplat(plane[2]) * m[8 + c];
        projectedExtent = projectedExtent + simdAbs(normal) * solids->extent[c];
    }
    return simdMaskBits(simdLess(distance + projectedExtent, simdSplat(-CROWD_SLACK) * size));
}

/* ---- Levels: lane by lane, of characters that a view sees. As in crowd_cull.comp ---- */

static float larger(float a, float b) {
    return a > b ? a : b;
}

static float smaller(float a, float b) {
    return a < b ? a : b;
}

/* The square of how many pixels long a unit of the model is in the view: that of the nearest point of the box. */
static float unitOf(const LayoutCrowdView *view, const float m[12], const Box *box, float scale) {
    const uint32_t *eye = &view->eyeX; /* three in a row */
    float squared = 0.0f;
    for (int r = 0; r < 3; r++) {
        float centre = m[4 * r + 3];
        float reach = 0.0f;
        for (int c = 0; c < 3; c++) {
            centre = centre + m[4 * r + c] * box->centre[c];
            reach = reach + fabsf(m[4 * r + c]) * box->extent[c];
        }
        const float away = larger(fabsf(floatOf(eye[r]) - centre) - reach, 0.0f);
        squared = squared + away * away;
    }
    squared = view->parallel != 0 ? 1.0f : larger(squared, CROWD_NEAREST);
    return view->scale == 0 ? CROWD_LARGEST : smaller(floatOf(view->scale) * scale / squared, CROWD_LARGEST);
}

/* The largest one of the colour views that see the character; of all of them if none does. */
static float pixelsOf(const Cull *cull, const float m[12], const Box *box, uint32_t seen) {
    const uint32_t colours = (seen & cull->colours) != 0 ? seen & cull->colours : cull->colours;
    float scale = 0.0f;
    for (int c = 0; c < 3; c++) {
        scale = larger(scale, m[c] * m[c] + m[4 + c] * m[4 + c] + m[8 + c] * m[8 + c]);
    }
    float pixels = 0.0f;
    for (uint32_t v = 0; v < CROWD_VIEWS; v++) {
        if ((colours >> v & 1u) != 0) {
            pixels = larger(pixels, unitOf(&cull->views[v].eye, m, box, scale));
        }
    }
    return pixels;
}

static float errorOf(const Cull *cull, uint32_t group) {
    return floatOf(sknCrowdGroup(cull->arrays->tables, group)->error);
}

static uint32_t levelOf(const Cull *cull, const LayoutCrowdModel *model, float pixels, uint32_t resident, bool shadow) {
    const uint32_t last = model->levelCount - 1;
    const uint32_t old = (resident >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP) - model->firstGroup;
    const bool has = (resident & CROWD_RESIDENT_SLOT) != 0 && old <= last;
    uint32_t level = has ? old : last;
    level -= has && shadow && level > 0;
    while (level > 0 && errorOf(cull, model->firstGroup + level) * pixels > cull->most) {
        level--;
    }
    while (has && level < last && errorOf(cull, model->firstGroup + level + 1) * pixels < CROWD_COARSER * cull->most) {
        level++;
    }
    level += shadow;
    return level < last ? level : last;
}

static uint32_t classOf(float pixels, const Box *box, bool priority, bool shadow) {
    const float extent = larger(box->extent[0], larger(box->extent[1], box->extent[2]));
    const uint32_t bits = crowdFloatBits(pixels * extent * extent) >> CROWD_SIZE_SHIFT;
    const uint32_t size = bits < CROWD_SIZE_FIRST ? 0 : bits - CROWD_SIZE_FIRST;
    return (priority ? CROWD_CLASS_PRIORITY : 0u) + (shadow ? 0u : CROWD_CLASS_COLOUR) +
           (size < CROWD_SIZES ? size : CROWD_SIZES - 1u);
}

/* The rest of the key of a character that a view sees. */
static uint32_t gradeOf(const Cull *cull, const Group *group, uint32_t lane, uint32_t character, uint32_t views) {
    const LayoutCrowdState *state = &cull->arrays->states[character];
    const LayoutCrowdModel *model = sknCrowdModel(cull->arrays->tables, state->flags & CROWD_MODEL_MASK);
    const Box *box = (const Box *)(const void *)group->boxes[lane];
    const bool shadow = (views & cull->colours) == 0;
    const float pixels = pixelsOf(cull, group->states[lane], box, views);
    const uint32_t resident = cull->arrays->work[cull->head->residents + character];
    const uint32_t level = model->levelCount == 1 ? 0 : levelOf(cull, model, pixels, resident, shadow);
    return classOf(pixels, box, (state->flags & CROWD_PRIORITY) != 0, shadow) << CROWD_KEY_CLASS_SHIFT |
           (model->firstGroup + level) << CROWD_KEY_GROUP_SHIFT;
}

/* first: the character of the first lane. */
static void cullGroup(const Cull *cull, uint32_t first, Group *group, CrowdBad *bad) {
    Solids solids = {.m = {{0}}};
    const uint32_t near = findNear(group, solids.m);
    for (uint32_t far = group->exist & ~near; far != 0; far &= far - 1) {
        bad->place++;
    }
    const uint32_t drawn = group->drawn & near;
    uint32_t seen[CROWD_VIEWS] = {0};
    if (drawn != 0) {
        placeSolids(group, &solids);
        for (uint32_t v = 0; v < CROWD_VIEWS; v++) {
            seen[v] = cull->views[v].used ? drawn : 0;
            for (uint32_t p = 0; seen[v] != 0 && p < cull->views[v].planeCount; p++) {
                seen[v] &= ~findBehind(cull->views[v].planes[p], &solids);
            }
        }
    }
    for (uint32_t lane = 0; lane < SIMD_WIDTH; lane++) {
        uint32_t views = 0;
        for (uint32_t v = 0; v < CROWD_VIEWS; v++) {
            views |= (seen[v] >> lane & 1u) << v;
        }
        group->keys[lane] =
            views != 0 ? group->keys[lane] | views | gradeOf(cull, group, lane, first + lane, views) : 0;
    }
}

static void cull(const CrowdArrays *arrays, const LayoutCrowdPush *push, uint32_t first, uint32_t end, CrowdBad *bad) {
    static const LayoutCrowdState none;
    const Cull call = cullOf(arrays, push);
    uint32_t *keys = arrays->work + call.head->keys;
    for (uint32_t c = first; c < end; c += SIMD_WIDTH) {
        const uint32_t count = end - c < SIMD_WIDTH ? end - c : SIMD_WIDTH;
        Group group;
        group.exist = group.drawn = 0;
        for (uint32_t lane = 0; lane < count; lane++) {
            setLane(&call, c + lane, lane, &group, bad);
        }
        for (uint32_t lane = count; lane < SIMD_WIDTH; lane++) {
            group.states[lane] = group.boxes[lane] = (const float *)(const void *)&none;
            group.keys[lane] = 0;
        }
        cullGroup(&call, c, &group, bad);
        memcpy(keys + c, group.keys, count * sizeof *keys);
    }
}

const CrowdLevel SIMD_NAME(sknCrowdLevel) = {cull};
