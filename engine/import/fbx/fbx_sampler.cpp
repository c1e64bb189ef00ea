#include "fbx_sampler.h"

#include <algorithm>
#include <cmath>

namespace {

#define ROUNDING  1e-6 /* relative to the largest value */
#define DEPTH_MAX 8
#define KEYS_MAX  ((size_t)1 << 20) /* maximum keys of a track; above it only the keys of the file are used */

double dot(const FbxValues &a, const FbxValues &b) {
    double product = 0.0;
    for (size_t i = 0; i < a.size(); i++) {
        product += a[i] * b[i];
    }
    return product;
}

/* The neighbour of two signs. */
void alignTurn(const FbxValues &reference, FbxValues *turn) {
    if (dot(reference, *turn) < 0.0) {
        std::for_each(turn->begin(), turn->end(), [](double &value) { value = -value; });
    }
}

/* Between two keys, as vkskin plays them. */
FbxValues between(const FbxValues &from, const FbxValues &to, double share, bool turn) {
    const double angle = turn ? std::acos(std::fmin(dot(from, to), 1.0)) : 0.0, sine = std::sin(angle);
    const double left = sine > 1e-6 ? std::sin((1.0 - share) * angle) / sine : 1.0 - share;
    const double right = sine > 1e-6 ? std::sin(share * angle) / sine : share;
    FbxValues result = from;
    for (size_t i = 0; i < from.size(); i++) {
        result[i] = left * from[i] + right * to[i];
    }
    return result;
}

double distance(const FbxValues &a, const FbxValues &b) {
    double most = 0.0;
    for (size_t i = 0; i < a.size(); i++) {
        most = std::fmax(most, std::fabs(a[i] - b[i]));
    }
    return most;
}

class Sampler {
  public:
    Sampler(const FbxCourse &from, const std::vector<double> &times) : course(from), tolerance(from.tolerance) {
        if (!course.turn) {
            measure(times);
        }
        if (times.size() == 1) {
            add(times[0], course.at(times[0], false));
        }
        for (size_t i = 0; i + 1 < times.size(); i++) {
            add(times[i], course.at(times[i], false));
            divide(times[i], keys.back().values, times[i + 1], course.at(times[i + 1], true), 0);
        }
        add(times.back(), course.at(times.back(), false));
    }

    std::vector<FbxSample> keys;

  private:
    void measure(const std::vector<double> &times) {
        FbxValues least = course.at(times[0], false), most = least;
        const auto widen = [&](const FbxValues &values) {
            for (size_t i = 0; i < values.size(); i++) {
                least[i] = std::fmin(least[i], values[i]);
                most[i] = std::fmax(most[i], values[i]);
            }
        };
        for (size_t i = 0; i + 1 < times.size(); i++) {
            widen(course.at(times[i + 1], true));
            widen(course.at(times[i + 1], false));
            widen(course.at(0.5 * (times[i] + times[i + 1]), false));
        }
        const FbxValues none(least.size(), 0.0);
        tolerance = std::fmax(std::fmin(tolerance, FBX_RANGE_PART * distance(least, most)),
                              ROUNDING * std::fmax(distance(least, none), distance(most, none)));
    }

    /* Not twice the same at one time. */
    void add(double time, FbxValues values) {
        if (course.turn && !keys.empty()) {
            alignTurn(keys.back().values, &values);
        }
        if (keys.empty() || keys.back().time != time || distance(keys.back().values, values) > 0.0) {
            keys.push_back({time, values});
        }
    }

    /* Adds keys after `from`, up to `to`. */
    void divide(double from, const FbxValues &first, double to, FbxValues last, int depth) {
        bool close = true;
        if (course.turn) {
            alignTurn(first, &last);
        }
        for (double share : {0.25, 0.5, 0.75}) {
            FbxValues there = course.at(from + share * (to - from), false);
            const FbxValues line = between(first, last, share, course.turn);
            if (course.turn) {
                alignTurn(line, &there);
            }
            close = close && distance(line, there) <= tolerance;
        }
        const double middle = 0.5 * (from + to);
        if (!close && depth < DEPTH_MAX && keys.size() < KEYS_MAX && middle > from && middle < to) {
            divide(from, first, middle, course.at(middle, true), depth + 1);
            const FbxValues halfway = keys.back().values;
            divide(middle, halfway, to, last, depth + 1);
        } else {
            add(to, last);
        }
    }

    const FbxCourse &course;
    double tolerance;
};

} // namespace

std::vector<FbxSample> fbxSample(const FbxCourse &course, const std::vector<double> &times) {
    return std::move(Sampler(course, times).keys);
}
