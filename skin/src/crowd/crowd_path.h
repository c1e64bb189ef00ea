/*
 * crowd_path.h: nodes on their way between two rows of a packed clip, or along a part of it: for the proof of
 * crowd_bounds.c, which explains the terms.
 */
#ifndef VKSKIN_CROWD_PATH_H
#define VKSKIN_CROWD_PATH_H

#include <math.h>

#include "clip_set.h"
#include "crowd/clip_set_layout.h"
#include "quaternion.h"

#define ANY_ROTATION 2.0                /* |R - R'| for any two rotations */
#define FARTHEST     1.4142135623730951 /* distance of two unit quaternions, of the two signs the nearer one */

/* ---- Nodes at a time ---- */

/* The local transform of a node. */
typedef struct Local {
    Vector translation, scale;
    double rotation[4]; /* unit quaternion */
    double length;      /* length of the quaternion before it was normalised */
    double w;           /* fourth number, calculated from three stored ones; 0 otherwise */
} Local;

/* A channel between two rows: numbers at both ends. */
typedef struct Channel {
    uint32_t kind; /* CLIP_CHANNEL_ */
    double from[4], to[4];
    double base[4];
} Channel;

/* How far a node of a clip may turn and move: for fades. */
typedef struct NodeRange {
    double centre[4]; /* mean of the clip's rotations, a unit quaternion */
    double radius;    /* maximum distance of the clip's quaternions from `centre` */
    Vector low, high; /* range of the translation */
    Vector scaleLow, scaleHigh;
    double before,
        maxDistance; /* largest |X| of points below the node, before and after its scale; negative: no points */
} NodeRange;

typedef struct NodeState {
    Channel channels[CLIP_CHANNELS];
    Local ends[2];
    double world[2][3][4];
    double rotationDeviation, rotationDistance; /* see the proof in crowd_bounds.c */
    double scaleDistance, scale;                /* |S(0) - S(1)|, and the largest |S| */
} NodeState;

/* ---- Vectors ---- */

static inline Vector vectorMin(Vector a, Vector b) {
    return (Vector){fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)};
}

static inline Vector vectorMax(Vector a, Vector b) {
    return (Vector){fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)};
}

static inline Vector vectorMultiply(Vector a, Vector b) {
    return (Vector){a.x * b.x, a.y * b.y, a.z * b.z};
}

static inline double largest(Vector v) {
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

static inline Vector splat(double value) {
    return (Vector){value, value, value};
}

/* The largest distance between a point of one box and a point of another. */
static inline double farthest(Vector lowA, Vector highA, Vector lowB, Vector highB) {
    return sknLength(vectorMax(sknSubtract(highA, lowB), sknSubtract(highB, lowA)));
}

/* Distance of two quaternions; side: -1 if b counts with its other sign. */
static inline double quaternionDistance(const double a[4], const double b[4], double side) {
    double square = 0.0;
    for (int i = 0; i < 4; ++i) {
        square += (a[i] - side * b[i]) * (a[i] - side * b[i]);
    }
    return sqrt(square);
}

static inline double sideOf(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0.0 ? -1.0 : 1.0;
}

static inline double unit(double q[4]) {
    const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    for (int i = 0; i < 4; ++i) {
        q[i] = length > 0.0 ? q[i] / length : (i == 3);
    }
    return length;
}

/* ---- Paths ---- */

/* Reads all channels of a clip at two rows. states: [nodeCount]. */
void sknReadPathRows(const ClipSetData *set, uint32_t clip, uint32_t first, uint32_t second, NodeState *states);

/* The largest size of each number that a channel of a translation or scale has in a clip. entry: of the clip's table.
 * Reads rows only for floats: its time is linear in bytes. */
Vector sknMaxMagnitude(const ClipSetData *set, uint32_t clip, uint32_t entry);

/* at: 0 (first row) to 1 (second row). */
Local sknPathLocalAt(const NodeState *state, double at);

/* Sets rotationDeviation, rotationDistance, scaleDistance and scale for the path between the two ends, which are set. */
void sknMeasurePath(NodeState *state);

/* Enlarges the range by the path between the two ends. */
void sknWidenRange(const NodeState *state, NodeRange *range);

/* |R - R'| of two rotations whose unit quaternions have a distance: 2 sin(angle / 2), distance = 2 sin(angle / 4). */
static inline double sknRotationDistance(double distance) {
    return distance * sqrt(fmax(0.0, 4.0 - distance * distance));
}

#endif
