/*
 * The bounds hold for every time, not only at the times that are sampled.
 *
 * A path is a chain of nodes between two ends: two neighbouring times of a clip, or two clips of a fade. s goes from 0 to
 * 1 along it. The chord of a point is the straight line between its places at both ends, with the same s. A box around
 * all chords, enlarged by the largest deviation of a point from its chord, contains the path. The deviation m is carried
 * from a point up to the root. With X the point in the space of a node before its scale S and rotation R, C its chord
 * there and dX = |C(0) - C(1)|:
 *
 * scale        |S(s) C(s) - chord| = s (1 - s) |(S(0) - S(1)) (C(0) - C(1))| <= 1/4 |S(0) - S(1)| dX, because S and C
 *              are linear in s. m grows by that, after a factor |S|.
 * rotation     R(s) C(s) - chord = (R(s) - L(s)) C(s) + s (1 - s) (R(0) - R(1)) (C(0) - C(1)), L the straight line from
 *              R(0) to R(1): expand C(0) and C(1) around C(s). m grows by rotationDeviation |C| + 1/4 rotationDistance dX,
 *              with rotationDeviation >= |R(s) - L(s)| and rotationDistance = |R(0) - R(1)|. It never grows by more than
 *              2 |C|.
 * translation  linear: m stays.
 * pre          constant: m takes its norm as a factor.
 *
 * rotationDeviation, for quaternions q = l + e, l the straight line between unit quaternions of distance D, |e| <= E: a
 * rotation is quadratic in q, so |R - L| <= s (1 - s) D^2 + 2 |l| E + E^2 <= D^2 / 4 + 2 E + E^2. For E see crowd_path.c.
 *
 * Linear blending moves a vertex to a weighted mean of places that its bones give it: each is in the box.
 */
#include "crowd_bounds.h"

#include <float.h>

#include "crowd_ball.h"

#define MAX_HALVINGS 6    /* halvings of a span between two rows */
#define LOOSENESS    0.01 /* relative to the size of the box: a span with a larger deviation is halved */
#define MAX_PAIRS    64u  /* clips whose fades are bounded pair by pair; more: all clips as one */

static NodeRange *rangesOf(const Bounds *bounds, uint32_t clip) {
    const size_t place = bounds->set->clipCount > MAX_PAIRS && clip > 1 ? 1 : clip;
    return bounds->ranges + place * bounds->set->nodeCount;
}

/* ---- The hierarchy at an end of a path ---- */

static AffineDouble localMatrix(const Local *local) {
    float rotation[4];
    double rows[3][3];
    const double t[] = {local->translation.x, local->translation.y, local->translation.z};
    const double scale[] = {local->scale.x, local->scale.y, local->scale.z};
    AffineDouble matrix;
    for (int i = 0; i < 4; ++i) {
        rotation[i] = (float)local->rotation[i];
    }
    sknQuaternionToRotation(rotation, rows);
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            matrix.m[row][column] = rows[row][column] * scale[column];
        }
        matrix.m[row][3] = t[row];
    }
    return matrix;
}

static void composeEnd(Bounds *bounds, int end) {
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        AffineDouble matrix = localMatrix(&bounds->states[i].ends[end]);
        if (bounds->nodes[i].pre != 0) {
            const AffineDouble pre = preOf(bounds, i);
            matrix = sknAffineMultiply(&pre, &matrix);
        }
        if (bounds->nodes[i].parent != CLIP_NO_PARENT) {
            AffineDouble parent;
            memcpy(parent.m, bounds->states[bounds->nodes[i].parent].world[end], sizeof parent.m);
            matrix = sknAffineMultiply(&parent, &matrix);
        }
        memcpy(bounds->states[i].world[end], matrix.m, sizeof matrix.m);
        for (int k = 0; k < 12; ++k) {
            bounds->broken |= !(fabs(matrix.m[k / 4][k % 4]) <= FLT_MAX); /* NaN too */
        }
        for (int row = 0; row < 3; ++row) {
            bounds->size = fmax(bounds->size, fabs(matrix.m[row][3]));
        }
    }
}

/* Enlarges the box [*low, *high] by the points of a node at an end of the path. */
static void addPoints(const Points *points, double m[3][4], Vector *low, Vector *high) {
    const double centre[] = {points->centre.x, points->centre.y, points->centre.z};
    const double half[] = {points->half.x, points->half.y, points->half.z};
    double middle[3];
    double extent[3];
    for (int row = 0; row < 3; ++row) {
        middle[row] = m[row][3];
        extent[row] = 0.0;
        for (int column = 0; column < 3; ++column) {
            middle[row] += m[row][column] * centre[column];
            extent[row] += fabs(m[row][column]) * half[column];
        }
    }
    const Vector at = {middle[0], middle[1], middle[2]};
    const Vector by = {extent[0], extent[1], extent[2]};
    *low = vectorMin(*low, sknSubtract(at, by));
    *high = vectorMax(*high, sknAdd(at, by));
}

/* ---- Deviations ---- */

/* The points of a node on their way to the root. */
typedef struct Climb {
    Vector at[2];     /* the centre at both ends */
    double norm;      /* norm of the matrix so far, at both ends */
    double change;    /* norm of the difference between the matrices of both ends */
    double deviation; /* m */
} Climb;

static Vector applyPre(const AffineDouble *pre, Vector v) {
    double moved[3];
    for (int row = 0; row < 3; ++row) {
        moved[row] = pre->m[row][0] * v.x + pre->m[row][1] * v.y + pre->m[row][2] * v.z + pre->m[row][3];
    }
    return (Vector){moved[0], moved[1], moved[2]};
}

static Vector moveEnd(const Local *local, Vector scaled) {
    const double *q = local->rotation;
    return sknAdd(local->translation, sknRotate((Quaternion){q[0], q[1], q[2], q[3]}, scaled));
}

/* One node of the proof. */
static void climbNode(const Bounds *bounds, uint32_t i, double radius, Climb *climb) {
    const NodeState *state = &bounds->states[i];
    NodeRange *range = &rangesOf(bounds, bounds->clip)[i];
    const double before = fmax(sknLength(climb->at[0]), sknLength(climb->at[1])) + climb->norm * radius;
    const double moved = sknLength(sknSubtract(climb->at[0], climb->at[1])) + climb->change * radius;
    range->before = fmax(range->before, before + climb->deviation);
    climb->deviation = state->scale * climb->deviation + 0.25 * state->scaleDistance * moved;
    climb->change = state->scale * climb->change + state->scaleDistance * climb->norm;
    climb->norm *= state->scale;
    for (int end = 0; end < 2; ++end) {
        climb->at[end] = vectorMultiply(state->ends[end].scale, climb->at[end]);
    }
    const double maxDistance = fmax(sknLength(climb->at[0]), sknLength(climb->at[1])) + climb->norm * radius;
    const double path = sknLength(sknSubtract(climb->at[0], climb->at[1])) + climb->change * radius;
    range->maxDistance = fmax(range->maxDistance, maxDistance + climb->deviation);
    climb->deviation +=
        fmin(state->rotationDeviation * maxDistance + 0.25 * state->rotationDistance * path, 2.0 * maxDistance);
    climb->change += state->rotationDistance * climb->norm;
    for (int end = 0; end < 2; ++end) {
        climb->at[end] = moveEnd(&state->ends[end], climb->at[end]);
    }
    if (bounds->nodes[i].pre != 0) {
        const AffineDouble pre = preOf(bounds, i);
        for (int end = 0; end < 2; ++end) {
            climb->at[end] = applyPre(&pre, climb->at[end]);
        }
        climb->deviation *= bounds->preNorms[i];
        climb->change *= bounds->preNorms[i];
        climb->norm *= bounds->preNorms[i];
    }
}

static double deviationOf(const Bounds *bounds, uint32_t node, const Points *points) {
    Climb climb = {.at = {points->centre, points->centre}, .norm = 1.0};
    for (uint32_t i = node; i != CLIP_NO_PARENT; i = bounds->nodes[i].parent) {
        climbNode(bounds, i, points->radius, &climb);
    }
    return climb.deviation;
}

/* ---- A clip ---- */

static void setEnds(Bounds *bounds, double from, double to) {
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        NodeState *state = &bounds->states[i];
        state->ends[0] = sknPathLocalAt(state, from);
        state->ends[1] = sknPathLocalAt(state, to);
        sknMeasurePath(state);
    }
    composeEnd(bounds, 0);
    composeEnd(bounds, 1);
}

/* Adds the path between two fractions of a span, halved as long as it is loose. */
static void addSpan(Bounds *bounds, double from, double to, uint32_t halvings) {
    Vector low = splat(INFINITY);
    Vector high = splat(-INFINITY);
    Points points;
    double deviation = 0.0;
    setEnds(bounds, from, to);
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        if (pointsOf(bounds, i, &points)) {
            addPoints(&points, bounds->states[i].world[0], &low, &high);
            addPoints(&points, bounds->states[i].world[1], &low, &high);
            deviation = fmax(deviation, deviationOf(bounds, i, &points));
        }
    }
    if (halvings < MAX_HALVINGS && bounds->stepsLeft >= 2 * bounds->spanSteps &&
        deviation > LOOSENESS * sknLength(sknSubtract(high, low))) {
        bounds->stepsLeft -= 2 * bounds->spanSteps;
        const double middle = 0.5 * (from + to);
        addSpan(bounds, from, middle, halvings + 1);
        addSpan(bounds, middle, to, halvings + 1);
        return;
    }
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        sknWidenRange(&bounds->states[i], &rangesOf(bounds, bounds->clip)[i]);
    }
    bounds->low = vectorMin(bounds->low, sknSubtract(low, splat(deviation)));
    bounds->high = vectorMax(bounds->high, sknAdd(high, splat(deviation)));
}

/* The mean of the rotations of all rows. */
static void findCentres(Bounds *bounds, const VkskinAnimationClip *clip) {
    NodeRange *ranges = rangesOf(bounds, bounds->clip);
    for (uint32_t row = 0; row < clip->keyCount; ++row) {
        sknReadPathRows(bounds->set, bounds->clip, row, row, bounds->states);
        for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
            const Local local = sknPathLocalAt(&bounds->states[i], 0.0);
            const double side = sideOf(ranges[i].centre, local.rotation);
            for (int k = 0; k < 4; ++k) {
                ranges[i].centre[k] += side * local.rotation[k];
            }
        }
    }
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        (void)unit(ranges[i].centre);
    }
}

static void emptyRanges(Bounds *bounds) {
    NodeRange *ranges = rangesOf(bounds, bounds->clip);
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        ranges[i] = (NodeRange){.low = splat(INFINITY),
                                .high = splat(-INFINITY),
                                .scaleLow = splat(INFINITY),
                                .scaleHigh = splat(-INFINITY),
                                .before = -1.0,
                                .maxDistance = -1.0};
    }
}

/* Whether the pose goes from a row to the next one, and not at once: rows of one time are a jump. */
static bool isSpan(const ClipSetData *set, const VkskinAnimationClip *clip, uint32_t row) {
    const float *listed = clip->timesAt != 0 ? sknBlockAt(set->block, clip->timesAt) : NULL;
    return row + 1 < clip->keyCount && (listed == NULL || listed[row] != listed[row + 1]);
}

static void addClip(Bounds *bounds, uint32_t index) {
    const VkskinAnimationClip *clip = sknBlockClip(bounds->set->block, index);
    bool ends = false; /* the row is the end of a span */
    bounds->clip = index;
    bounds->low = splat(INFINITY);
    bounds->high = splat(-INFINITY);
    bounds->size = 0.0;
    emptyRanges(bounds);
    findCentres(bounds, clip);
    for (uint32_t row = 0; row < clip->keyCount && !bounds->broken; ++row) {
        const bool begins = isSpan(bounds->set, clip, row);
        sknReadPathRows(bounds->set, bounds->clip, row, begins ? row + 1 : row, bounds->states);
        if (begins || !ends) {
            addSpan(bounds, 0.0, 1.0, begins ? 0 : MAX_HALVINGS);
        }
        ends = begins;
    }
}

/* ---- Fades ---- */

/* The largest distance between a rotation of one clip and one of the other; sign: the nearer one, as the pose pass. */
static double maxQuaternionDistance(const NodeRange *a, const NodeRange *b) {
    const double distance = quaternionDistance(a->centre, b->centre, sideOf(a->centre, b->centre));
    return fmin(FARTHEST, distance + a->radius + b->radius);
}

/*
 * One node of the proof, for all points below it: their deviation, move and length are those of its children until now.
 * A chord is within maxDistance of its point in the two clips. The point is within the length of its chain of nodes. So m
 * is never more than their sum.
 */
static void fadeNode(Bounds *bounds, uint32_t i, const NodeRange *a, const NodeRange *b) {
    const double distance = maxQuaternionDistance(a, b);
    const double rotationDistance = sknRotationDistance(distance);
    /* 1 - cos(angle / 2), exact for normalised linear interpolation */
    const double rotationDeviation = 0.5 * distance * distance;
    const double scaleDistance =
        largest(vectorMax(sknSubtract(a->scaleHigh, b->scaleLow), sknSubtract(b->scaleHigh, a->scaleLow)));
    const double scale =
        fmax(fmax(largest(a->scaleLow), largest(a->scaleHigh)), fmax(largest(b->scaleLow), largest(b->scaleHigh)));
    const double before = fmax(a->before, b->before);
    const double maxDistance = fmax(a->maxDistance, b->maxDistance);
    double deviation = scale * bounds->deviations[i] + 0.25 * scaleDistance * bounds->moves[i];
    double move = fmin(scale * bounds->moves[i] + scaleDistance * before, a->maxDistance + b->maxDistance);
    deviation +=
        fmin((distance < FARTHEST ? rotationDeviation : ANY_ROTATION) * maxDistance + 0.25 * rotationDistance * move,
             2.0 * maxDistance);
    move = fmin(move + rotationDistance * maxDistance, a->maxDistance + b->maxDistance) +
           farthest(a->low, a->high, b->low, b->high);
    const double length = scale * bounds->lengths[i];
    deviation = fmin(deviation, length + maxDistance);
    bounds->deviations[i] = deviation * bounds->preNorms[i];
    bounds->moves[i] = move * bounds->preNorms[i];
    bounds->lengths[i] =
        (length + farthest(vectorMin(a->low, b->low), vectorMax(a->high, b->high), splat(0.0), splat(0.0))) *
            bounds->preNorms[i] +
        preLength(bounds, i);
}

/* The margin of fades between two clips. */
static double marginOf(Bounds *bounds, const NodeRange *a, const NodeRange *b) {
    const uint32_t nodeCount = bounds->set->nodeCount;
    double margin = 0.0;
    memset(bounds->deviations, 0, nodeCount * sizeof *bounds->deviations);
    memset(bounds->moves, 0, nodeCount * sizeof *bounds->moves);
    for (uint32_t i = 0; i < nodeCount; ++i) {
        Points points;
        bounds->lengths[i] = pointsOf(bounds, i, &points) ? sknLength(points.centre) + points.radius : 0.0;
    }
    for (uint32_t i = nodeCount; i-- > 0;) {
        if (a[i].maxDistance < 0.0) {
            continue;
        }
        fadeNode(bounds, i, &a[i], &b[i]);
        const uint32_t parent = bounds->nodes[i].parent;
        if (parent == CLIP_NO_PARENT) {
            margin = fmax(margin, bounds->deviations[i]);
        } else {
            bounds->deviations[parent] = fmax(bounds->deviations[parent], bounds->deviations[i]);
            bounds->moves[parent] = fmax(bounds->moves[parent], bounds->moves[i]);
            bounds->lengths[parent] = fmax(bounds->lengths[parent], bounds->lengths[i]);
        }
    }
    return margin;
}

/* Enlarges the ranges of the first clip to contain those of another. */
static void joinRanges(NodeRange *all, const NodeRange *other) {
    const double side = sideOf(all->centre, other->centre);
    all->radius =
        fmin(FARTHEST, fmax(all->radius, quaternionDistance(all->centre, other->centre, side) + other->radius));
    all->low = vectorMin(all->low, other->low);
    all->high = vectorMax(all->high, other->high);
    all->scaleLow = vectorMin(all->scaleLow, other->scaleLow);
    all->scaleHigh = vectorMax(all->scaleHigh, other->scaleHigh);
    all->before = fmax(all->before, other->before);
    all->maxDistance = fmax(all->maxDistance, other->maxDistance);
}

static void joinClip(const Bounds *bounds) {
    const uint32_t nodeCount = bounds->set->nodeCount;
    for (uint32_t i = 0; !bounds->loose && bounds->set->clipCount > MAX_PAIRS && bounds->clip > 0 && i < nodeCount;
         ++i) {
        joinRanges(&bounds->ranges[i], &bounds->ranges[nodeCount + i]);
    }
}

/* margins: [clipCount]. Of two clips, the larger one is at least that of their fades. */
static void findMargins(Bounds *bounds, double *margins) {
    const uint32_t clips = bounds->set->clipCount;
    if (clips > MAX_PAIRS) {
        const double margin = marginOf(bounds, bounds->ranges, bounds->ranges);
        for (uint32_t a = 0; a < clips; ++a) {
            margins[a] = margin;
        }
        return;
    }
    for (uint32_t a = 0; a < clips; ++a) {
        margins[a] = marginOf(bounds, rangesOf(bounds, a), rangesOf(bounds, a));
    }
    for (uint32_t a = 0; a < clips; ++a) {
        for (uint32_t b = 0; b < a; ++b) {
            const double margin = marginOf(bounds, rangesOf(bounds, a), rangesOf(bounds, b));
            double *larger = margins[a] >= margins[b] ? &margins[a] : &margins[b];
            *larger = fmax(*larger, margin);
        }
    }
}

/* ---- All clips ---- */

/* The error of the pose pass on a coordinate, relative to the largest one: twice what its test allows for each of the
 * two factors of a bone's matrix. */
static double roundingOf(const Bounds *bounds) {
    return 4.0 * (2e-6 + 2e-7 * bounds->depth);
}

/* An upper bound of the norm of a 3x3 part P: the root of the largest row sum of its P^T P. */
static double normOf(const AffineDouble *pre) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        double sum = 0.0;
        for (int k = 0; k < 3; ++k) {
            sum += fabs(pre->m[0][i] * pre->m[0][k] + pre->m[1][i] * pre->m[1][k] + pre->m[2][i] * pre->m[2][k]);
        }
        most = fmax(most, sum);
    }
    return sqrt(most);
}

/* depths: [nodeCount], temporary. */
static void findNodes(Bounds *bounds, uint32_t *depths) {
    Points points;
    for (uint32_t i = 0; i < bounds->set->nodeCount; ++i) {
        const LayoutClipNode *node = &bounds->nodes[i];
        depths[i] = node->parent != CLIP_NO_PARENT ? depths[node->parent] + 1 : 1;
        bounds->depth = depths[i] > bounds->depth ? depths[i] : bounds->depth;
        bounds->preNorms[i] = 1.0;
        if (node->pre != 0) {
            const AffineDouble pre = preOf(bounds, i);
            bounds->preNorms[i] = normOf(&pre);
        }
        bounds->spanSteps += 4 + (pointsOf(bounds, i, &points) ? depths[i] : 0);
    }
}

static bool makeBounds(Arena *arena, Bounds *bounds) {
    const ClipSetData *set = bounds->set;
    const LayoutClipSet *tables = sknBlockAt(set->block, sknBlockHeader(set->block)->bytes / 4);
    bounds->nodes = (const LayoutClipNode *)(set->words + tables->nodes);
    bounds->preNorms = sknArenaArray(arena, set->nodeCount, sizeof *bounds->preNorms);
    bounds->states = sknArenaArray(arena, set->nodeCount, sizeof *bounds->states);
    bounds->ranges = sknArenaArray(arena, (size_t)(set->clipCount > MAX_PAIRS ? 2 : set->clipCount) * set->nodeCount,
                                   sizeof *bounds->ranges);
    bounds->deviations = sknArenaArray(arena, set->nodeCount, sizeof *bounds->deviations);
    bounds->moves = sknArenaArray(arena, set->nodeCount, sizeof *bounds->moves);
    bounds->lengths = sknArenaArray(arena, set->nodeCount, sizeof *bounds->lengths);
    uint32_t *depths = sknArenaArray(arena, set->nodeCount, sizeof *depths);
    if (arena->failed) {
        return false;
    }
    findNodes(bounds, depths);
    sknPlanSteps(bounds);
    return true;
}

static uint32_t bitsOf(double value) {
    const float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

/*
 * Blended dual quaternions are not a mean of places. The place of a vertex is a sum of the places that its bones give it,
 * times rotations, divided by the length of the blended quaternion. That is at least 1/2 for four influences that
 * turn by less than 180 degrees to each other. So the vertex is within twice the radius of the box.
 */
static Vector extentOf(VkskinMethod method, Vector extent) {
    return method == VKSKIN_METHOD_LINEAR_BLEND ? extent : splat(2.0 * sknLength(extent));
}

static void putClip(const Bounds *bounds, VkskinMethod method, LayoutCrowdBounds *result) {
    if (bounds->high.x < bounds->low.x) { /* no vertices */
        *result = (LayoutCrowdBounds){0};
        return;
    }
    const Vector centre = sknScale(sknAdd(bounds->low, bounds->high), 0.5);
    const Vector half = sknScale(sknSubtract(bounds->high, bounds->low), 0.5);
    const double size = fmax(bounds->size, largest(vectorMax(bounds->high, sknScale(bounds->low, -1.0))));
    const Vector extent = sknAdd(extentOf(method, half), splat(roundingOf(bounds) * size));
    *result = (LayoutCrowdBounds){.centreX = bitsOf(centre.x),
                                  .centreY = bitsOf(centre.y),
                                  .centreZ = bitsOf(centre.z),
                                  .extentX = bitsOf(extent.x),
                                  .extentY = bitsOf(extent.y),
                                  .extentZ = bitsOf(extent.z)};
}

static bool fits(const Bounds *bounds) {
    return !bounds->broken && (bounds->high.x < bounds->low.x ||
                               largest(vectorMax(bounds->high, sknScale(bounds->low, -1.0))) < 0.1 * FLT_MAX);
}

static VkskinResult checkBoxes(const Host *host, const ClipSetData *clips, const VkskinAnimationBox *boxes) {
    for (uint32_t node = 0; node < clips->nodeCount; ++node) {
        for (int i = 0; i < 3; ++i) {
            if (!isfinite(boxes[node].low[i]) || !isfinite(boxes[node].high[i])) {
                return sknReport(&host->logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                                 "crowd: the box of node %u is not finite", node);
            }
        }
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult computeBounds(const Host *host, Bounds *bounds, VkskinMethod method, double *margins,
                                  LayoutCrowdBounds *results) {
    if (bounds->loose) {
        sknAddBall(bounds);
    }
    for (uint32_t clip = 0; clip < bounds->set->clipCount; ++clip) {
        if (!bounds->loose) {
            addClip(bounds, clip);
        }
        if (!fits(bounds)) {
            return sknReport(&host->logger, VKSKIN_ERROR_TRANSFORM_NOT_FINITE,
                             "crowd: the bounds in clip %u are not finite", clip);
        }
        putClip(bounds, method, &results[clip]);
        joinClip(bounds);
    }
    if (!bounds->loose) {
        findMargins(bounds, margins);
    }
    for (uint32_t clip = 0; clip < bounds->set->clipCount; ++clip) {
        /* The box of other methods has twice the radius, so the margin counts twice. */
        results[clip].margin = bitsOf(margins[clip] * (method == VKSKIN_METHOD_LINEAR_BLEND ? 1.00001 : 4.0));
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknComputeCrowdBounds(const Host *host, const ClipSetData *clips, const VkskinAnimationBox *boxes,
                                   VkskinMethod method, LayoutCrowdBounds *bounds) {
    Arena arena = sknMakeArena(host->allocator);
    Bounds work = {.set = clips, .boxes = boxes};
    VkskinResult result = checkBoxes(host, clips, boxes);
    if (result == VKSKIN_SUCCESS) {
        double *margins = sknArenaArray(&arena, clips->clipCount, sizeof *margins);
        result = makeBounds(&arena, &work)
                     ? computeBounds(host, &work, method, margins, bounds)
                     : sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "crowd: no host memory for bounds");
    }
    sknFreeArena(&arena);
    return result;
}
