#include "bezier.h"

#include <math.h>
#include <stdbool.h>

#define NEWTON_STEPS 16    /* usual curves need 3 to 5 */
#define STEPS_MAX    70    /* with 52 halvings of the bracket */
#define CLOSE        1e-15 /* maximum error of the time; doubles near 1 are 2e-16 apart */

/* A handle that points away from its key by `seconds`, at least 0: at most as long as the segment. */
static void shorten(double segmentSeconds, double seconds, double value, double *part, double *offset) {
    const bool outside = seconds > segmentSeconds;
    *part = outside ? 1.0 : seconds > 0.0 ? seconds / segmentSeconds : 0.0;
    *offset = outside ? value * (segmentSeconds / seconds) : value;
}

BezierSegment sknBezierSegment(double seconds, double start, const double outHandle[2], const double inHandle[2],
                               double end) {
    BezierSegment segment = {.start = start, .end = end};
    double inPart = 0.0;
    shorten(seconds, outHandle[0], outHandle[1], &segment.outTime, &segment.out);
    shorten(seconds, -inHandle[0], inHandle[1], &inPart, &segment.in);
    segment.inTime = 1.0 - inPart;
    return segment;
}

double sknBezierTime(const BezierSegment *segment, double parameter) {
    const double left = 1.0 - parameter;
    return parameter * (3.0 * left * (left * segment->outTime + parameter * segment->inTime) + parameter * parameter);
}

/* The derivative of sknBezierTime, at least 0. */
static double paceAt(const BezierSegment *segment, double parameter) {
    const double left = 1.0 - parameter;
    return 3.0 * (left * left * segment->outTime + 2.0 * left * parameter * (segment->inTime - segment->outTime) +
                  parameter * parameter * (1.0 - segment->inTime));
}

double sknBezierParameter(const BezierSegment *segment, double time) {
    double low = 0.0;
    double high = 1.0;
    double parameter = time;
    for (int step = 0; step < STEPS_MAX; ++step) {
        const double error = sknBezierTime(segment, parameter) - time;
        if (fabs(error) <= CLOSE) {
            break;
        }
        if (error < 0.0) {
            low = parameter;
        } else {
            high = parameter;
        }
        const double next = parameter - error / paceAt(segment, parameter); /* not finite where time stands still */
        const bool inside = next > low && next < high && step < NEWTON_STEPS;
        parameter = inside ? next : 0.5 * (low + high);
    }
    return parameter;
}

double sknBezierValue(const BezierSegment *segment, double parameter) {
    const double left = 1.0 - parameter;
    const double ends = left * left * (1.0 + 2.0 * parameter) * segment->start +
                        parameter * parameter * (3.0 - 2.0 * parameter) * segment->end;
    return ends + 3.0 * left * parameter * (left * segment->out + parameter * segment->in);
}
