#include "rigid.h"

#include <string.h>

/* ---- Rotations ---- */

static Turn unit(Turn a) {
    const double length = sqrt(dot3(a.q, a.q) + a.q[3] * a.q[3]);
    if (!(length > 0.0)) {
        return turnNone();
    }
    for (int i = 0; i < 4; i++) {
        a.q[i] /= length;
    }
    return a;
}

Turn turnMultiply(Turn a, Turn b) {
    Turn result = {.q[3] = a.q[3] * b.q[3] - dot3(a.q, b.q)};
    cross3(a.q, b.q, result.q);
    for (int i = 0; i < 3; i++) {
        result.q[i] += a.q[3] * b.q[i] + b.q[3] * a.q[i];
    }
    return unit(result);
}

Turn turnInverse(Turn a) {
    return (Turn){{-a.q[0], -a.q[1], -a.q[2], a.q[3]}};
}

void turnApply(Turn turn, const double *vector, double *to) {
    double once[3], twice[3];
    cross3(turn.q, vector, once);
    add3(once, turn.q[3], vector, once);
    cross3(turn.q, once, twice);
    add3(vector, 2.0, twice, to);
}

void turnVector(Turn turn, double *vector) {
    const double sine = length3(turn.q), sign = turn.q[3] < 0.0 ? -1.0 : 1.0;
    const double factor = sine > 1e-12 ? 2.0 * atan2(sine, sign * turn.q[3]) / sine : 2.0;
    scale3(sign * factor, turn.q, vector);
}

Turn turnOfVector(const double *vector) {
    const double angle = length3(vector), factor = angle > 1e-12 ? sin(0.5 * angle) / angle : 0.5;
    return unit((Turn){{factor * vector[0], factor * vector[1], factor * vector[2], cos(0.5 * angle)}});
}

Turn turnMix(Turn a, Turn b, double share) {
    double vector[3];
    turnVector(turnMultiply(b, turnInverse(a)), vector);
    scale3(share, vector, vector);
    return turnMultiply(turnOfVector(vector), a);
}

/* Columns of a rotation matrix to a quaternion. */
static Turn turnOfColumns(double column[3][3]) {
    const double x = column[0][0], y = column[1][1], z = column[2][2];
    const double share[4] = {1 + x - y - z, 1 - x + y - z, 1 - x - y + z, 1 + x + y + z};
    int most = 3;
    for (int i = 0; i < 3; i++) {
        most = share[i] > share[most] ? i : most;
    }
    const double off[3] = {column[1][2] - column[2][1], column[2][0] - column[0][2], column[0][1] - column[1][0]};
    Turn turn = {.q[3] = most == 3 ? share[3] : off[most % 3]};
    for (int i = 0; i < 3; i++) {
        turn.q[i] = most == 3 ? off[i] : i == most ? share[i] : column[i][most] + column[most][i];
    }
    return unit(turn);
}

Turn turnOfAffine(const VkskinAffine *affine) {
    double column[3][3];
    for (int i = 0; i < 9; i++) {
        column[i / 3][i % 3] = (double)affine->m[i % 3][i / 3];
    }
    const double first = length3(column[0]);
    if (!(first > 0.0) || !isfinite(first)) {
        return turnNone();
    }
    scale3(1.0 / first, column[0], column[0]);
    add3(column[1], -dot3(column[0], column[1]), column[0], column[1]);
    const double second = length3(column[1]);
    if (!(second > 0.0) || !isfinite(second)) {
        return turnNone();
    }
    scale3(1.0 / second, column[1], column[1]);
    cross3(column[0], column[1], column[2]);
    return turnOfColumns(column);
}

/* ---- Rigid motions ---- */

Rigid rigidMultiply(const Rigid *a, const Rigid *b) {
    Rigid result = {turnMultiply(a->turn, b->turn), {0}};
    turnApply(a->turn, b->place, result.place);
    add3(result.place, 1.0, a->place, result.place);
    return result;
}

Rigid rigidInverse(const Rigid *a) {
    Rigid result = {turnInverse(a->turn), {0}};
    turnApply(result.turn, a->place, result.place);
    scale3(-1.0, result.place, result.place);
    return result;
}

Rigid rigidMix(const Rigid *a, const Rigid *b, double share) {
    Rigid result = {turnMix(a->turn, b->turn, share), {0}};
    add3(b->place, -1.0, a->place, result.place);
    add3(a->place, share, result.place, result.place);
    return result;
}

void rigidVelocity(const Rigid *from, const Rigid *to, double seconds, double *velocity, double *spin) {
    turnVector(turnMultiply(to->turn, turnInverse(from->turn)), spin);
    scale3(1.0 / seconds, spin, spin);
    add3(to->place, -1.0, from->place, velocity);
    scale3(1.0 / seconds, velocity, velocity);
}

VkskinAffine rigidAffine(const Rigid *rigid) {
    VkskinAffine affine;
    for (int i = 0; i < 3; i++) {
        const double axis[3] = {i == 0, i == 1, i == 2};
        double column[3];
        turnApply(rigid->turn, axis, column);
        for (int row = 0; row < 3; row++) {
            affine.m[row][i] = (float)column[row];
        }
        affine.m[i][3] = (float)rigid->place[i];
    }
    return affine;
}

void affinePoint(const VkskinAffine *affine, const double *point, double *to) {
    double result[3];
    for (int i = 0; i < 3; i++) {
        const float *m = affine->m[i];
        result[i] = (double)m[0] * point[0] + (double)m[1] * point[1] + (double)m[2] * point[2] + (double)m[3];
    }
    memcpy(to, result, sizeof result);
}

/* ---- Axes ---- */

void acrossOf(const double *axis, double *across) {
    const int least = fabs(axis[0]) < fabs(axis[1]) ? (fabs(axis[0]) < fabs(axis[2]) ? 0 : 2)
                                                    : (fabs(axis[1]) < fabs(axis[2]) ? 1 : 2);
    const double other[3] = {least == 0, least == 1, least == 2};
    cross3(axis, other, across);
    scale3(1.0 / length3(across), across, across);
}

#define SQUARINGS 24 /* so the largest eigenvalue is raised to 2^24: what is 1 % smaller has no share left */

void largestAxis(double matrix[3][3], double *axis) {
    double a[3][3];
    memcpy(a, matrix, sizeof a);
    for (int step = 0; step < SQUARINGS; step++) {
        const double size = fmax(fmax(a[0][0], a[1][1]), a[2][2]);
        double square[3][3];
        for (int i = 0; i < 9 && size > 0.0; i++) {
            const double column[3] = {a[0][i % 3] / size, a[1][i % 3] / size, a[2][i % 3] / size};
            square[i / 3][i % 3] = dot3(a[i / 3], column) / size;
        }
        memcpy(a, size > 0.0 ? square : a, sizeof a);
    }
    const int largest = a[0][0] > a[1][1] ? (a[0][0] > a[2][2] ? 0 : 2) : (a[1][1] > a[2][2] ? 1 : 2);
    const double length = length3(a[largest]);
    for (int i = 0; i < 3; i++) {
        axis[i] = length > 0.0 ? a[largest][i] / length : (i == 2);
    }
}
