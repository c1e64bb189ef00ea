/*
 * bezier.h: 2D Bezier curves of one number over time, as VKSKIN_INTERPOLATION_BEZIER describes them. Pure functions in
 * double precision, without memory.
 */
#ifndef VKSKIN_BEZIER_H
#define VKSKIN_BEZIER_H

/* From one key to the next. Times are parts of the time between them, values are offsets from `start`. */
typedef struct BezierSegment {
    double start, end;      /* the values of the keys */
    double outTime, inTime; /* times of the handles: 0 to 1 */
    double out, in;         /* values of the handles: from `start`, from `end` */
} BezierSegment;

/*
 * seconds: between the keys, above 0. outSeconds, inSeconds: of the handles, from their keys; with the wrong sign they
 * count as 0. A handle that is longer than `seconds` is shortened, so that time never runs backwards.
 */
BezierSegment sknBezierSegment(double seconds, double start, const double outHandle[2], const double inHandle[2],
                               double end);

/*
 * The parameter, 0 to 1, at which the curve has gone the part `time`, 0 to 1, of its time. At most 70 steps: Newton's
 * method as long as it stays inside the bracket, then bisection. The curve at the result is within 1e-15 of `time`, or
 * the result within 2^-52 of such a parameter.
 */
double sknBezierParameter(const BezierSegment *segment, double time);

/* The time, 0 to 1, and the value at a parameter. */
double sknBezierTime(const BezierSegment *segment, double parameter);
double sknBezierValue(const BezierSegment *segment, double parameter);

#endif
