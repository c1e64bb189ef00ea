/*
 * Each step of the proof of crowd_bounds.c, for random hierarchies of a few nodes: how far a point leaves its chord on the
 * way between two poses of a clip, and in fades between poses of two clips; and how long it is in the space of each node.
 * Numbers have very different sizes, so that each term is the largest one in some of the characters. It includes the source:
 * the steps are not visible elsewhere.
 */
#include "crowd_bounds.c" /* NOLINT(bugprone-suspicious-include) */

#include "random.h"
#include "test.h"

#define NODES   3u
#define STEPS   12u
#define PUPPETS 30000u

/* A hierarchy, and two clips of one path each. */
typedef struct Puppet {
    Random random;
    uint32_t count;
    uint32_t words[4 + 12 * NODES]; /* constant transforms */
    LayoutClipNode nodes[NODES];
    VkskinAnimationBox boxes[NODES];
    double preNorms[NODES];
    NodeState states[2][NODES];
    NodeRange ranges[2][NODES];
    double deviations[NODES], moves[NODES], lengths[NODES];
    ClipSetData set;
    Bounds bounds;
} Puppet;

/* The closest that any point came to its limit, as a part of it. */
static double closestPath, closestFade;

/* ---- Random puppets ---- */

/* 0, or of a size between 0.003 and 10. */
static double anySize(Random *random) {
    return randomBelow(random, 2) == 0 ? 0.0 : pow(10.0, (double)randomFloat(random, -2.5f, 1.0f));
}

static Vector anyVector(Random *random) {
    const double size = anySize(random);
    return (Vector){size * (double)randomFloat(random, -1.0f, 1.0f), size * (double)randomFloat(random, -1.0f, 1.0f),
                    size * (double)randomFloat(random, -1.0f, 1.0f)};
}

static void setVector(Random *random, double centre, Channel *channel) {
    const Vector from = anyVector(random), way = anyVector(random);
    const double numbers[] = {from.x, from.y, from.z}, ways[] = {way.x, way.y, way.z};
    *channel = (Channel){.kind = CLIP_CHANNEL_VECTOR};
    for (int i = 0; i < 3; i++) {
        channel->from[i] = centre + numbers[i];
        channel->to[i] = channel->from[i] + ways[i];
    }
}

/* Three numbers: of length 1 or less, mostly; with longer ones a rotation may be any on its path. Four: of any length. */
static void setRotation(Random *random, Channel *channel) {
    static const uint32_t kinds[] = {CLIP_CHANNEL_VALUE, CLIP_CHANNEL_THREE, CLIP_CHANNEL_FOUR};
    float base[4], from[4], to[4];
    randomRotation(random, 3.0f, base);
    randomRotation(random, 3.0f, from);
    randomRotation(random, (float)anySize(random), to);
    const Quaternion turned =
        sknMultiply((Quaternion){to[0], to[1], to[2], to[3]}, (Quaternion){from[0], from[1], from[2], from[3]});
    const double end[] = {turned.x, turned.y, turned.z, turned.w};
    *channel = (Channel){.kind = kinds[randomBelow(random, 3)]};
    const bool four = channel->kind == CLIP_CHANNEL_FOUR;
    const double lengths[] = {four ? 0.2 + anySize(random) : 1.0, four ? 0.2 + anySize(random) : 1.0};
    const double longer = !four && randomBelow(random, 3) == 0 ? 1.0 + anySize(random) : 1.0;
    for (int i = 0; i < 4; i++) {
        channel->base[i] = base[i];
        channel->from[i] = longer * lengths[0] * (double)from[i];
        channel->to[i] = channel->kind == CLIP_CHANNEL_VALUE ? channel->from[i] : longer * lengths[1] * end[i];
    }
    (void)unit(channel->base);
}

static void setNode(Puppet *puppet, uint32_t i) {
    Random *random = &puppet->random;
    const Vector at = anyVector(random), half = anyVector(random);
    const double centre[] = {at.x, at.y, at.z}, halves[] = {half.x, half.y, half.z};
    puppet->boxes[i] = vkskinEmptyAnimationBox();
    for (int axis = 0; axis < 3 && (i + 1 == puppet->count || randomBelow(random, 2) == 0); axis++) {
        puppet->boxes[i].low[axis] = (float)(centre[axis] - fabs(halves[axis]));
        puppet->boxes[i].high[axis] = (float)(centre[axis] + fabs(halves[axis]));
    }
    for (int axis = 0; axis < 3; axis++) { /* all numbers or none */
        puppet->boxes[i] =
            puppet->boxes[i].high[2] < puppet->boxes[i].low[2] ? vkskinEmptyAnimationBox() : puppet->boxes[i];
    }
    const bool root = i == 0 || randomBelow(random, 8) == 0;
    puppet->nodes[i] = (LayoutClipNode){.node = i, .parent = root ? CLIP_NO_PARENT : randomBelow(random, i)};
    if (randomBelow(random, 3) == 0) {
        VkskinAffine pre = randomBone(random, 2.0f, true);
        const float size = 0.1f + (float)anySize(random);
        for (int k = 0; k < 12; k++) {
            pre.m[k / 4][k % 4] *= k % 4 == 3 ? 1.0f : size;
        }
        puppet->nodes[i].pre = 4 + 12 * i;
        memcpy(&puppet->words[4 + 12 * i], &pre, sizeof pre);
    }
    for (uint32_t clip = 0; clip < 2; clip++) {
        Channel *channels = puppet->states[clip][i].channels;
        setVector(random, 0.0, &channels[VKSKIN_CHANNEL_TRANSLATION]);
        setVector(random, randomBelow(random, 4) == 0 ? 0.0 : 1.0, &channels[VKSKIN_CHANNEL_SCALE]);
        setRotation(random, &channels[VKSKIN_CHANNEL_ROTATION]);
        for (uint32_t c = 0; clip == 1 && c < CLIP_CHANNELS; c++) { /* some stand still where the other clip begins */
            if (randomBelow(random, 2) == 0) {
                channels[c] = puppet->states[0][i].channels[c];
                memcpy(channels[c].to, channels[c].from, sizeof channels[c].to);
            }
        }
    }
}

static void makePuppet(Puppet *puppet, uint64_t seed) {
    uint32_t depths[NODES];
    *puppet = (Puppet){.random = {seed}};
    puppet->count = 1 + randomBelow(&puppet->random, NODES);
    puppet->set = (ClipSetData){.words = puppet->words, .nodeCount = puppet->count, .clipCount = 2};
    puppet->bounds = (Bounds){.set = &puppet->set,
                              .nodes = puppet->nodes,
                              .boxes = puppet->boxes,
                              .preNorms = puppet->preNorms,
                              .ranges = puppet->ranges[0],
                              .deviations = puppet->deviations,
                              .moves = puppet->moves,
                              .lengths = puppet->lengths};
    for (uint32_t i = 0; i < puppet->count; i++) {
        setNode(puppet, i);
    }
    findNodes(&puppet->bounds, depths);
}

/* ---- Points ---- */

static bool pick(Puppet *puppet, uint32_t node, Vector *point) {
    Points points;
    if (!pointsOf(&puppet->bounds, node, &points)) {
        return false;
    }
    const uint32_t corner = randomBelow(&puppet->random, 8);
    point->x = points.centre.x + ((corner & 1) != 0 ? points.half.x : -points.half.x);
    point->y = points.centre.y + ((corner & 2) != 0 ? points.half.y : -points.half.y);
    point->z = points.centre.z + ((corner & 4) != 0 ? points.half.z : -points.half.z);
    return true;
}

/* The place of a point of a node. ranges: of each node, which hold it; or null. */
static Vector climbTo(const Puppet *puppet, const Local *locals, uint32_t node, Vector x, const NodeRange *ranges) {
    for (uint32_t i = node; i != CLIP_NO_PARENT; i = puppet->nodes[i].parent) {
        assert_true(ranges == NULL || sknLength(x) <= ranges[i].before * (1.0 + 1e-9) + 1e-9);
        x = vectorMultiply(locals[i].scale, x);
        assert_true(ranges == NULL || sknLength(x) <= ranges[i].maxDistance * (1.0 + 1e-9) + 1e-9);
        x = moveEnd(&locals[i], x);
        if (puppet->nodes[i].pre != 0) {
            const AffineDouble pre = preOf(&puppet->bounds, i);
            x = applyPre(&pre, x);
        }
    }
    return x;
}

static void localsAt(const Puppet *puppet, uint32_t clip, double at, Local locals[NODES]) {
    for (uint32_t i = 0; i < puppet->count; i++) {
        locals[i] = sknPathLocalAt(&puppet->states[clip][i], at);
    }
}

static Vector lerp(Vector a, Vector b, double at) {
    return sknAdd(sknScale(a, 1.0 - at), sknScale(b, at));
}

static void check(const char *what, Vector place, Vector chord, double limit, double *closest) {
    const double off = sknLength(sknSubtract(place, chord));
    const double room = 1e-9 * (1.0 + sknLength(place));
    if (!(off <= limit + room)) {
        fail_msg("%s: a point is %g off its chord, more than %g", what, off, limit);
    }
    *closest = fmax(*closest, off > 1e-4 ? off / limit : 0.0);
}

/* ---- Paths ---- */

/* A part of the path, as addSpan of the source has it. */
static void checkSpan(Puppet *puppet, uint32_t clip, double from, double to) {
    Local ends[2][NODES], locals[NODES];
    for (uint32_t i = 0; i < puppet->count; i++) {
        NodeState *state = &puppet->states[clip][i];
        state->ends[0] = sknPathLocalAt(state, from);
        state->ends[1] = sknPathLocalAt(state, to);
        sknMeasurePath(state);
        sknWidenRange(state, &puppet->ranges[clip][i]);
    }
    localsAt(puppet, clip, from, ends[0]);
    localsAt(puppet, clip, to, ends[1]);
    for (uint32_t n = 0; n < puppet->count; n++) {
        Points points;
        const double limit = pointsOf(&puppet->bounds, n, &points) ? deviationOf(&puppet->bounds, n, &points) : 0.0;
        Vector x;
        for (uint32_t s = 0; s <= STEPS && pick(puppet, n, &x); s++) {
            const double at = (double)s / STEPS;
            localsAt(puppet, clip, from + at * (to - from), locals);
            check("path", climbTo(puppet, locals, n, x, puppet->ranges[clip]),
                  lerp(climbTo(puppet, ends[0], n, x, NULL), climbTo(puppet, ends[1], n, x, NULL), at), limit,
                  &closestPath);
        }
    }
}

/* Sets the ranges of a clip, and checks all points on its path. */
static void checkPath(Puppet *puppet, uint32_t clip) {
    const double middle = randomBelow(&puppet->random, 2) == 0 ? 1.0 : (double)randomFloat(&puppet->random, 0.1f, 0.9f);
    puppet->bounds.states = puppet->states[clip];
    puppet->bounds.clip = clip;
    puppet->set.nodeCount = NODES; /* the distance of the ranges of two clips */
    emptyRanges(&puppet->bounds);
    for (uint32_t i = 0; i < puppet->count; i++) { /* any rotation, of any sign, may be the centre */
        const Local local = sknPathLocalAt(&puppet->states[clip][i], (double)randomFloat(&puppet->random, 0.0f, 1.0f));
        const double side = randomBelow(&puppet->random, 2) == 0 ? -1.0 : 1.0;
        for (int k = 0; k < 4; k++) {
            puppet->ranges[clip][i].centre[k] = side * local.rotation[k];
        }
    }
    checkSpan(puppet, clip, 0.0, middle);
    if (middle < 1.0) {
        checkSpan(puppet, clip, middle, 1.0);
    }
    puppet->set.nodeCount = puppet->count;
}

/* ---- Fades ---- */

/* As the pose pass. */
static void fade(const Puppet *puppet, const Local *a, const Local *b, double weight, Local *mixed) {
    for (uint32_t i = 0; i < puppet->count; i++) {
        const double side = sideOf(a[i].rotation, b[i].rotation);
        mixed[i].translation = lerp(a[i].translation, b[i].translation, weight);
        mixed[i].scale = lerp(a[i].scale, b[i].scale, weight);
        for (int k = 0; k < 4; k++) {
            mixed[i].rotation[k] = (1.0 - weight) * a[i].rotation[k] + side * weight * b[i].rotation[k];
        }
        (void)unit(mixed[i].rotation);
    }
}

static double anyTime(Random *random) {
    return randomBelow(random, 2) == 0 ? (double)randomBelow(random, 2) : (double)randomFloat(random, 0.0f, 1.0f);
}

/* joined: by ranges of both clips as one. */
static void checkFades(Puppet *puppet, uint32_t first, uint32_t second, bool joined) {
    NodeRange all[NODES];
    memcpy(all, puppet->ranges[first], sizeof all);
    for (uint32_t i = 0; joined && i < puppet->count; i++) {
        joinRanges(&all[i], &puppet->ranges[second][i]);
    }
    const double limit = marginOf(&puppet->bounds, all, joined ? all : puppet->ranges[second]);
    Local a[NODES], b[NODES], mixed[NODES];
    for (uint32_t s = 0; s < STEPS; s++) {
        const double weight = s % 2 == 0 ? 0.5 : (double)randomFloat(&puppet->random, 0.0f, 1.0f);
        localsAt(puppet, joined && s % 3 == 0 ? second : first, anyTime(&puppet->random), a);
        localsAt(puppet, second, anyTime(&puppet->random), b);
        fade(puppet, a, b, weight, mixed);
        for (uint32_t n = 0; n < puppet->count; n++) {
            Vector x;
            if (pick(puppet, n, &x)) {
                check("fade", climbTo(puppet, mixed, n, x, NULL),
                      lerp(climbTo(puppet, a, n, x, NULL), climbTo(puppet, b, n, x, NULL), weight), limit,
                      &closestFade);
            }
        }
    }
}

TEST(noPointLeavesItsChordByMoreThanTheProofAllows) {
    static Puppet puppet;
    for (uint64_t seed = 1; seed <= PUPPETS; seed++) {
        makePuppet(&puppet, seed);
        checkPath(&puppet, 0);
        checkPath(&puppet, 1);
        checkFades(&puppet, 0, 1, seed % 2 == 0);
        checkFades(&puppet, 1, 0, seed % 2 == 0);
        checkFades(&puppet, 1, 1, false);
    }
    print_message("closest to the limit: on paths %.3f, in fades %.3f of it\n", closestPath, closestFade);
}

TEST(theFarthestPointsOfTwoBoxesAreOnOppositeSides) {
    const Vector low = splat(-1.0), high = splat(1.0), otherLow = {2.0, 3.0, -5.0}, otherHigh = {3.0, 4.0, -4.0};
    const double expected = sqrt(16.0 + 25.0 + 36.0);
    assert_true(fabs(farthest(low, high, otherLow, otherHigh) - expected) < 1e-12);
    assert_true(fabs(farthest(otherLow, otherHigh, low, high) - expected) < 1e-12);
}
