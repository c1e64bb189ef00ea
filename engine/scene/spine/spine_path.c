/* spine_path.c: path constraints: bones stand on a curve of cubic Bezier segments, at given distances. */
#include "spine_pose.h"
#include "spine_rig.h"

#include <string.h>

#define PIECES        SPINE_PATH_PIECES
#define LENGTH_PIECES 4    /* pieces of a curve whose length the runtime measures */
#define WALK_PIECES   10   /* pieces of a curve in which it looks for a length */
#define HANDLE_END    1e-3 /* below this parameter, its direction is that of the first handle */
#define STEPS_MAX     60
#define STEP_MIN      1e-12 /* minimum step on a curve: the next step of Newton's method would be about its square */

/* A path in the 2D model's space. */
typedef struct Path {
    const double *vertices; /* [3 x knots][2]: handle before, knot, handle after */
    uint32_t vertexCount;
    uint32_t curves;
    bool closed, constantSpeed, exact;
    const double
        *lengths; /* [curves][PIECES]: from the begin of the path to the end of each piece; not exact: only the last */
    double length;
} Path;

/* A place on it, and the direction of the curve there: its angle takes long, and few points need it. */
typedef struct PathPoint {
    double x, y, along[2];
} PathPoint;

static double angleOf(const PathPoint *point) {
    return atan2(point->along[1], point->along[0]);
}

/* ---- One curve ---- */

/* The four control points of a curve. */
typedef struct Cubic {
    const double *p[4];
} Cubic;

static Cubic cubicOf(const Path *path, uint32_t curve) {
    Cubic cubic;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t vertex = curve * 3 + 1 + i;
        cubic.p[i] = path->vertices + (size_t)(vertex < path->vertexCount ? vertex : vertex - path->vertexCount) * 2;
    }
    return cubic;
}

static double coordinate(const Cubic *cubic, int axis, double t) {
    const double s = 1.0 - t;
    return s * s * s * cubic->p[0][axis] + 3.0 * s * s * t * cubic->p[1][axis] + 3.0 * s * t * t * cubic->p[2][axis] +
           t * t * t * cubic->p[3][axis];
}

static double derivative(const Cubic *cubic, int axis, double t) {
    const double s = 1.0 - t;
    return 3.0 *
           (s * s * (cubic->p[1][axis] - cubic->p[0][axis]) + 2.0 * s * t * (cubic->p[2][axis] - cubic->p[1][axis]) +
            t * t * (cubic->p[3][axis] - cubic->p[2][axis]));
}

static double speedAt(const Cubic *cubic, double t) {
    const double x = derivative(cubic, 0, t), y = derivative(cubic, 1, t);
    return sqrt(x * x + y * y);
}

/* From `from` to `to` within a piece, by Gauss's rule with five places. */
static double lengthBetween(const Cubic *cubic, double from, double to) {
    static const double places[] = {0.0, 0.5384693101056831, -0.5384693101056831, 0.9061798459386640,
                                    -0.9061798459386640};
    static const double weights[] = {0.5688888888888889, 0.4786286704993665, 0.4786286704993665, 0.2369268850561891,
                                     0.2369268850561891};
    const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double sum = 0.0;
    for (int i = 0; i < 5; i++) {
        sum += weights[i] * speedAt(cubic, middle + half * places[i]);
    }
    return sum * half;
}

/*
 * The place in a piece at a length from its begin: Newton's method, which halves the interval instead where it would leave
 * it, as at a cusp.
 */
static double placeInPiece(const Cubic *cubic, uint32_t piece, double length, double whole) {
    const double begin = (double)piece / PIECES;
    double low = begin, high = (double)(piece + 1) / PIECES;
    double at = whole > 0.0 ? low + (high - low) * fmin(length / whole, 1.0) : low;
    for (int i = 0; i < STEPS_MAX; i++) {
        const double over = lengthBetween(cubic, begin, at) - length, speed = speedAt(cubic, at), before = at;
        if (over <= 0.0) {
            low = at;
        } else {
            high = at;
        }
        at -= over / speed;
        if (!(speed > 0.0 && at >= low && at <= high)) {
            at = 0.5 * (low + high);
        }
        if (fabs(at - before) < STEP_MIN) {
            break;
        }
    }
    return at;
}

static PathPoint pointTowards(const double *place, const double *from, const double *to) {
    return (PathPoint){place[0], place[1], {to[0] - from[0], to[1] - from[1]}};
}

/* At an end whose handle lies on its knot, the direction is that to the next control point that does not. */
static PathPoint pointAt(const Cubic *cubic, double t) {
    const double place[2] = {coordinate(cubic, 0, t), coordinate(cubic, 1, t)};
    const double x = derivative(cubic, 0, t), y = derivative(cubic, 1, t);
    if (hypot(x, y) > SPINE_TINY) {
        return (PathPoint){place[0], place[1], {x, y}};
    }
    const int step = t < 0.5 ? 1 : -1;
    const double *end = cubic->p[t < 0.5 ? 0 : 3];
    for (int i = t < 0.5 ? 1 : 2; i >= 0 && i < 4; i += step) {
        const double *other = cubic->p[i];
        if (hypot(other[0] - end[0], other[1] - end[1]) > SPINE_TINY) {
            return pointTowards(place, step > 0 ? end : other, step > 0 ? other : end);
        }
    }
    return (PathPoint){place[0], place[1], {1.0, 0.0}};
}

/* ---- The path ---- */

/* The sum of straight pieces between even parameters; ends: receives it at the end of each piece. */
static double chordLength(const Cubic *cubic, uint32_t pieces, double *ends) {
    double sum = 0.0, from[2] = {cubic->p[0][0], cubic->p[0][1]};
    for (uint32_t i = 1; i <= pieces; i++) {
        const double at = (double)i / pieces, to[2] = {coordinate(cubic, 0, at), coordinate(cubic, 1, at)};
        sum += hypot(to[0] - from[0], to[1] - from[1]);
        memcpy(from, to, sizeof from);
        if (ends) {
            ends[i - 1] = sum;
        }
    }
    return sum;
}

/* With constant speed, of the curves; else as the file states them, for the last pieces only. */
static void measureCurves(const Path *path, const SpineAttachment *attachment, double *lengths) {
    double length = 0.0;
    for (uint32_t curve = 0; curve < path->curves; curve++) {
        const Cubic cubic = cubicOf(path, curve);
        double *ends = lengths + (size_t)curve * PIECES;
        for (uint32_t i = 0; i < PIECES && path->constantSpeed && path->exact; i++) {
            length += lengthBetween(&cubic, (double)i / PIECES, (double)(i + 1) / PIECES);
            ends[i] = length;
        }
        if (!path->constantSpeed) {
            ends[PIECES - 1] = (double)attachment->lengths[curve];
        } else if (!path->exact) {
            length += chordLength(&cubic, LENGTH_PIECES, NULL);
            ends[PIECES - 1] = length;
        }
    }
}

/* The length of the path up to the end of a curve. */
static double endOf(const Path *path, uint32_t curve) {
    return path->lengths[(size_t)curve * PIECES + PIECES - 1];
}

/* The curves of the slot's attachment. False: it shows no path, or one of no length. Lengths stay while vertices do. */
static bool takePath(SpinePose *pose, uint32_t slot, Path *path) {
    const int32_t index = pose->slots[slot].attachment;
    const SpineAttachment *attachment = index >= 0 ? &pose->spine->attachments[index] : NULL;
    if (!attachment || attachment->kind != SPINE_PATH) {
        return false;
    }
    spinePoseVertices(pose, slot, pose->path);
    *path = (Path){.vertices = pose->path,
                   .vertexCount = attachment->vertexCount,
                   .curves = attachment->lengthCount,
                   .closed = attachment->closed,
                   .constantSpeed = attachment->constantSpeed,
                   .exact = pose->time.exact,
                   .lengths = pose->lengths};
    const size_t size = (size_t)path->vertexCount * 2 * sizeof *pose->path;
    if (pose->measured != index || memcmp(pose->path, pose->measuredPath, size) != 0) {
        measureCurves(path, attachment, pose->lengths);
        memcpy(pose->measuredPath, pose->path, size);
        pose->measured = index;
    }
    path->length = endOf(path, path->curves - 1);
    return isfinite(path->length) && (path->length > 0.0 || !path->exact);
}

/* A point beyond an end, on the curve's tangent there. */
static PathPoint beyond(PathPoint end, double distance) {
    const double angle = angleOf(&end);
    end.x += distance * cos(angle);
    end.y += distance * sin(angle);
    return end;
}

/* At a distance from the begin of the path, in this curve. */
static PathPoint pointOfLength(const Path *path, uint32_t curve, double position) {
    const Cubic cubic = cubicOf(path, curve);
    const double *ends = path->lengths + (size_t)curve * PIECES;
    uint32_t piece = 0;
    while (piece + 1 < PIECES && position > ends[piece]) {
        piece++;
    }
    const double begin = curve + piece > 0 ? ends[(int64_t)piece - 1] : 0.0;
    return pointAt(&cubic, placeInPiece(&cubic, piece, position - begin, ends[piece] - begin));
}

static PathPoint pointExact(const Path *path, double position) {
    uint32_t curve = 0;
    while (curve + 1 < path->curves && position > endOf(path, curve)) {
        curve++;
    }
    const Cubic cubic = cubicOf(path, curve);
    if (position < 0.0) {
        return beyond(pointAt(&cubic, 0.0), position);
    }
    if (position > path->length) {
        return beyond(pointAt(&cubic, 1.0), position - path->length);
    }
    if (path->constantSpeed) {
        return pointOfLength(path, curve, position);
    }
    const double begin = curve > 0 ? endOf(path, curve - 1) : 0.0;
    const double size = endOf(path, curve) - begin;
    return pointAt(&cubic, size > 0.0 ? (position - begin) / size : 0.0);
}

/* ---- As the runtime walks ---- */

/* Where the last point was: the next one is not before it, except on a closed path. */
typedef struct Walk {
    uint32_t curve, piece;
    double ends[WALK_PIECES]; /* lengths of the curve, from its begin to the end of each piece */
    bool measured;            /* `ends` are those of the curve */
} Walk;

/* The share of the way between two lengths; 0 where they are equal. */
static double shareOf(double length, double begin, double end) {
    return end - begin != 0.0 ? (length - begin) / (end - begin) : 0.0;
}

/* The direction at an end is that of its handle; 0 where the handle lies on the knot. */
static PathPoint pointBeyond(const Cubic *cubic, bool after, double distance) {
    const double *knot = cubic->p[after ? 3 : 0];
    return beyond(pointTowards(knot, after ? cubic->p[2] : knot, after ? knot : cubic->p[1]), distance);
}

/* From a share of the curve's length to a parameter. */
static double parameterOf(Walk *walk, const Cubic *cubic, double share) {
    if (!walk->measured) {
        chordLength(cubic, WALK_PIECES, walk->ends);
        walk->measured = true;
    }
    const double length = share * walk->ends[WALK_PIECES - 1];
    while (walk->piece + 1 < WALK_PIECES && length > walk->ends[walk->piece]) {
        walk->piece++;
    }
    const double begin = walk->piece > 0 ? walk->ends[walk->piece - 1] : 0.0;
    return (walk->piece + shareOf(length, begin, walk->ends[walk->piece])) / WALK_PIECES;
}

static PathPoint pointWalked(const Path *path, Walk *walk, double position) {
    const uint32_t before = walk->curve;
    if (path->closed) {
        walk->curve = walk->piece = 0;
    } else if (position < 0.0 || position > path->length) {
        const bool after = position > path->length;
        const Cubic end = cubicOf(path, after ? path->curves - 1 : 0);
        return pointBeyond(&end, after, after ? position - path->length : position);
    }
    while (walk->curve + 1 < path->curves && position > endOf(path, walk->curve)) {
        walk->curve++;
    }
    if (walk->curve != before) {
        walk->piece = 0;
        walk->measured = false;
    }
    const Cubic cubic = cubicOf(path, walk->curve);
    const double begin = walk->curve > 0 ? endOf(path, walk->curve - 1) : 0.0;
    const double share = shareOf(position, begin, endOf(path, walk->curve));
    const double at = path->constantSpeed ? parameterOf(walk, &cubic, share) : share;
    const double t = at < HANDLE_END ? 0.0 : at; /* the direction */
    return (PathPoint){
        coordinate(&cubic, 0, at), coordinate(&cubic, 1, at), {derivative(&cubic, 0, t), derivative(&cubic, 1, t)}};
}

static PathPoint pathPoint(const Path *path, Walk *walk, double position) {
    if (path->closed && path->length > 0.0) {
        position -= path->length * floor(position / path->length);
    }
    return path->exact ? pointExact(path, position) : pointWalked(path, walk, position);
}

/* ---- Distances between the bones ---- */

/* lengths[bones]: of each bone in the 2D model. spaces[count]: from the point before, in the unit of `*unit`. */
static void measure(const SpinePose *pose, const SpineConstraint *constraint, double spacing, uint32_t count,
                    double *lengths, double *spaces) {
    const uint32_t mode = constraint->modes[SPINE_PATH_SPACINGS];
    const bool shares = mode == SPINE_SPACING_PERCENT;
    double sum = 0.0;
    spaces[0] = 0.0;
    for (uint32_t i = 0; i < constraint->boneCount; i++) {
        const double setup = (double)pose->spine->bones[constraint->bones[i]].length;
        const SpineMatrix *m = &pose->bones[constraint->bones[i]].matrix;
        const bool pointlike = setup < SPINE_TINY,
                   unused = shares && constraint->modes[SPINE_PATH_ROTATES] != SPINE_ROTATE_CHAIN_SCALE;
        lengths[i] = pointlike || unused ? 0.0 : setup * hypot(m->a, m->c);
        if (i + 1 >= count) {
            continue;
        }
        if (shares || pointlike) {
            spaces[i + 1] = spacing;
        } else if (mode == SPINE_SPACING_PROPORTIONAL) {
            spaces[i + 1] = lengths[i];
            sum += lengths[i];
        } else { /* spaces scale with the bone */
            spaces[i + 1] = ((mode == SPINE_SPACING_LENGTH ? setup : 0.0) + spacing) * lengths[i] / setup;
        }
    }
    for (uint32_t i = 1; i < count && mode == SPINE_SPACING_PROPORTIONAL && sum > 0.0; i++) {
        spaces[i] *= count / sum * spacing;
    }
}

/* Points for all bones, and for SPINE_ROTATE_CHAIN and _SCALE one more, at which the last bone points. */
static void placePoints(const SpineConstraint *constraint, const Path *path, double position, uint32_t count,
                        const double *spaces, PathPoint *points) {
    const uint32_t mode = constraint->modes[SPINE_PATH_SPACINGS];
    const double unit = mode == SPINE_SPACING_PERCENT        ? path->length
                        : mode == SPINE_SPACING_PROPORTIONAL ? path->length / count
                                                             : 1.0;
    Walk walk = {0};
    position *= constraint->modes[SPINE_PATH_PERCENT] ? path->length : 1.0;
    for (uint32_t i = 0; i < count; i++) {
        position += spaces[i] * unit;
        points[i] = pathPoint(path, &walk, position);
    }
}

/* ---- The bones ---- */

/* What all bones of a constraint share. */
typedef struct Follow {
    const double *values, *lengths, *spaces;
    const PathPoint *points;
    uint32_t rotates;
    double offset; /* radians */
    double x, y;   /* where the next bone stands */
} Follow;

static void followBone(SpinePose *pose, uint32_t bone, uint32_t index, Follow *follow) {
    SpineMatrix *m = &pose->bones[bone].matrix;
    const double mix = follow->values[SPINE_PATH_MIX_ROTATE];
    m->x0 += (follow->x - m->x0) * follow->values[SPINE_PATH_MIX_X];
    m->y0 += (follow->y - m->y0) * follow->values[SPINE_PATH_MIX_Y];
    if (follow->rotates == SPINE_ROTATE_TANGENT) {
        const double turn = angleOf(&follow->points[index]) - atan2(m->c, m->a) + follow->offset;
        spineTurn(m, spineRadians(spineWrap(spineDegrees(turn))) * mix);
        follow->x = follow->points[index + 1].x;
        follow->y = follow->points[index + 1].y;
        return;
    }
    const PathPoint *next = &follow->points[index + 1];
    const double dx = next->x - follow->x, dy = next->y - follow->y;
    if (follow->rotates == SPINE_ROTATE_CHAIN_SCALE && follow->lengths[index] >= SPINE_TINY) {
        const double factor = (hypot(dx, dy) / follow->lengths[index] - 1.0) * mix + 1.0;
        m->a *= factor;
        m->c *= factor;
    }
    follow->x = next->x;
    follow->y = next->y;
    double turn = (follow->spaces[index + 1] == 0.0 ? angleOf(next) : atan2(dy, dx)) - atan2(m->c, m->a);
    if (follow->rotates == SPINE_ROTATE_CHAIN && follow->offset == 0.0) {
        /* The next bone stands at the tip of this one, which may be beside the path. */
        const double length = (double)pose->spine->bones[bone].length, c = cos(turn), s = sin(turn);
        follow->x += (length * (c * m->a - s * m->c) - dx) * mix;
        follow->y += (length * (s * m->a + c * m->c) - dy) * mix;
    }
    turn += follow->offset;
    spineTurn(m, spineRadians(spineWrap(spineDegrees(turn))) * mix);
}

void spineApplyPath(SpinePose *pose, const SpineConstraint *constraint, const double *values) {
    Path path;
    const bool mixes =
        values[SPINE_PATH_MIX_ROTATE] != 0.0 || values[SPINE_PATH_MIX_X] != 0.0 || values[SPINE_PATH_MIX_Y] != 0.0;
    if (!mixes || !takePath(pose, constraint->target, &path)) {
        return;
    }
    const size_t room = (size_t)constraint->boneCount + 1;
    double *lengths = pose->spaces, *spaces = pose->spaces + room;
    PathPoint *points = (PathPoint *)(void *)(pose->spaces + 2 * room);
    const uint32_t rotates = constraint->modes[SPINE_PATH_ROTATES];
    const uint32_t count = constraint->boneCount + (rotates != SPINE_ROTATE_TANGENT);
    points[room - 1] = (PathPoint){0};
    measure(pose, constraint, values[SPINE_PATH_SPACING], count, lengths, spaces);
    placePoints(constraint, &path, values[SPINE_PATH_POSITION], count, spaces, points);
    const SpineMatrix *target = &pose->bones[pose->spine->slots[constraint->target].bone].matrix;
    const double side = spineDeterminant(target) > 0.0 ? 1.0 : -1.0;
    Follow follow = {.values = values,
                     .lengths = lengths,
                     .spaces = spaces,
                     .points = points,
                     .rotates = rotates,
                     .offset = spineRadians((double)constraint->offsets[SPINE_ROTATION]) * side,
                     .x = points[0].x,
                     .y = points[0].y};
    for (uint32_t i = 0; i < constraint->boneCount; i++) {
        followBone(pose, constraint->bones[i], i, &follow);
        spineMark(pose, constraint->bones[i], true);
    }
    spineFollow(pose);
    for (uint32_t i = 0; i < constraint->boneCount; i++) {
        spineUnplace(pose, constraint->bones[i], constraint);
    }
}
