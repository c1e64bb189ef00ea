#include "fbx_curve.h"

#include "fbx_flags.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace {

using FbxKeys = std::vector<FbxKey>;

/* ---- Attributes of keys ---- */

#define CLAMP_NEAR 0.001 /* clamped keys that come so near to a neighbour are level */
#define THIRD      (1.0 / 3.0)

/* Attributes of a run of keys, then of each key. data: slopes and packed weights, or tension, continuity and bias. */
struct Attributes {
    int flags;
    double data[4];
};

int integerFrom(double number) {
    return std::fabs(number) < 2e9 ? int(number) : 0;
}

#define LEAST_BITS 8388608.0 /* 2^23: the bits of the smallest float that is not denormal */

/* Text files after 7.1 have the bits of floats as integers, which the tree keeps. */
double dataOf(double number, bool bits) {
    if (!bits || std::fabs(number) < LEAST_BITS || std::fabs(number) >= 4294967296.0) {
        return number;
    }
    const auto word = uint32_t(int64_t(number));
    float value;
    std::memcpy(&value, &word, sizeof value);
    return double(value);
}

std::vector<Attributes> readAttributes(const FbxRecord &record, size_t keys) {
    const std::vector<double> flags = record.childNumbers("KeyAttrFlags"),
                              data = record.childNumbers("KeyAttrDataFloat"),
                              runs = record.childNumbers("KeyAttrRefCount");
    const FbxRecord *stored = record.child("KeyAttrDataFloat");
    const bool bits = stored && stored->array.kind == 'l';
    std::vector<Attributes> all;
    for (size_t run = 0; run < std::min(flags.size(), runs.size()) && data.size() >= 4 * (run + 1); run++) {
        Attributes one = {integerFrom(flags[run]), {}};
        std::transform(&data[4 * run], &data[4 * run] + 4, one.data, [=](double n) { return dataOf(n, bits); });
        const size_t most = runs[run] > 0.0 ? size_t(std::min(runs[run], double(keys - all.size()))) : 0;
        all.insert(all.end(), most, one);
    }
    return all;
}

/* Two integers of 16 bits: as the bits of a float, or as the integer that these are. */
void unpackWeights(const Attributes &attributes, FbxKey *key) {
    const double given = attributes.data[2];
    const float stored = float(given);
    uint32_t packed;
    std::memcpy(&packed, &stored, sizeof packed);
    packed = given >= 1.0 && given < 4294967296.0 ? uint32_t(given) : packed;
    const auto unpack = [&](int flag, uint32_t part) {
        return attributes.flags & flag ? std::min(part / FBX_WEIGHT_ONE, 1.0) : THIRD;
    };
    key->weight = unpack(FBX_FLAG_WEIGHTED, packed & 0xffff);
    key->nextWeight = unpack(FBX_FLAG_WEIGHTED_NEXT, packed >> 16);
}

/* ---- Slopes ---- */

/* Slope of the line from key `k` to the next one. */
double secant(const FbxKeys &curve, size_t k) {
    const double length = curve[k + 1].time - curve[k].time;
    return length > 0.0 ? (curve[k + 1].value - curve[k].value) / length : 0.0;
}

/* Not steeper than a handle that ends at the value of a neighbour. */
double limitSlope(const FbxKeys &curve, size_t k, double slope) {
    const double sign = slope < 0.0 ? -1.0 : 1.0;
    const auto limit = [&](double line, double weight) {
        return weight > 0.0 ? std::fmax(sign * line / weight, 0.0) : 0.0;
    };
    const double left = limit(secant(curve, k - 1), curve[k - 1].nextWeight);
    const double right = limit(secant(curve, k), curve[k].weight);
    return sign * std::fmin(std::fabs(slope), std::fmin(left, right));
}

/*
 * The part of a bias above 500 percent, which steepens a slope regardless of the neighbours. Motion Builder squares it;
 * its factor is measured, not documented.
 */
double steepness(double bias, double sign) {
    const double above = std::fmax(0.01 * std::fabs(bias) - 5.0, 0.0);
    return (sign < 0.0 ? -40.0 : 40.0) * above * above;
}

/* bias: in percent, above 0 towards the line to the next key, below 0 towards the line from the key before. */
double biasedSlope(const FbxKeys &curve, size_t k, double slope, double bias) {
    const double before = curve[k].time - curve[k - 1].time, after = curve[k + 1].time - curve[k].time;
    const double share = before / (before + after);
    const double even = 0.5 * (slope + secant(curve, k - 1) * (1.0 - share) + secant(curve, k) * share);
    const double way = secant(curve, bias > 0.0 ? k : k - 1) - even;
    return even + 0.01 * std::fabs(bias) * way + steepness(bias, std::fabs(way) > 1e-5 ? way : bias);
}

double automaticSlope(const FbxKeys &curve, size_t k, int flags, double bias) {
    const bool first = k == 0, last = k + 1 == curve.size();
    const auto near = [&](size_t other) { return std::fabs(curve[k].value - curve[other].value) <= CLAMP_NEAR; };
    if ((flags & FBX_FLAG_CLAMP) && ((!first && near(k - 1)) || (!last && near(k + 1)))) {
        return 0.0;
    }
    if (first || last) {
        const double steep = flags & FBX_FLAG_TIME_FREE ? 0.0 : steepness(bias, bias);
        return flags & FBX_FLAG_PROGRESSIVE ? 0.0 : secant(curve, first ? 0 : k - 1) + steep;
    }
    const double length = curve[k + 1].time - curve[k - 1].time;
    double slope = length > 0.0 ? (curve[k + 1].value - curve[k - 1].value) / length : 0.0;
    if (!(flags & FBX_FLAG_TIME_FREE) && length > 0.0) {
        slope = biasedSlope(curve, k, slope, bias);
    }
    return flags & FBX_FLAG_PROGRESSIVE ? limitSlope(curve, k, slope) : slope;
}

/*
 * Tension, continuity and bias, as Kochanek and Bartels define them; at an end, the only neighbour counts in full.
 * sign: 1 for the handle to the right, -1 to the left.
 */
double tcbSlope(const FbxKeys &curve, size_t k, const Attributes &attributes, double sign) {
    const bool first = k == 0, last = k + 1 == curve.size();
    const double tension = attributes.data[0], continuity = sign * attributes.data[1], bias = attributes.data[2];
    const double before = first ? 0.0 : secant(curve, k - 1), after = last ? 0.0 : secant(curve, k);
    return (first || last ? 1.0 : 0.5) * (1.0 - tension) *
           ((1.0 + continuity) * (1.0 + bias) * before + (1.0 - continuity) * (1.0 - bias) * after);
}

/* Slope of the handle of key `k` on one side. given: the file's slope, or its bias of an automatic slope. */
double slopeAt(const FbxKeys &curve, size_t k, const Attributes &attributes, double sign, double given) {
    if (!(attributes.flags & FBX_FLAG_CUBIC)) {
        return given;
    }
    if (attributes.flags & FBX_FLAG_TCB) {
        return tcbSlope(curve, k, attributes, sign);
    }
    return attributes.flags & FBX_FLAG_USER ? given : automaticSlope(curve, k, attributes.flags, sign * given);
}

/* A key states the slope of the next one too; with TCB its numbers mean something else. */
void setSlopes(FbxKeys &curve, const std::vector<Attributes> &attributes) {
    for (size_t k = 0; k + 1 < curve.size(); k++) {
        FbxKey &key = curve[k];
        if (key.segment == FBX_CUBIC) {
            const double next = attributes[k].flags & FBX_FLAG_TCB ? 0.0 : attributes[k].data[1];
            const double right = slopeAt(curve, k, attributes[k], 1.0, attributes[k].data[0]);
            const double left = slopeAt(curve, k + 1, attributes[k + 1], -1.0, next);
            key.slope = std::isfinite(right) ? right : 0.0;
            key.nextSlope = std::isfinite(left) ? left : 0.0;
        }
    }
}

FbxSegment segmentOf(int flags) {
    if (flags & FBX_FLAG_CONSTANT) {
        return flags & FBX_FLAG_NEXT ? FBX_CONSTANT_NEXT : FBX_CONSTANT;
    }
    return flags & FBX_FLAG_CUBIC ? FBX_CUBIC : FBX_LINEAR;
}

/* ---- Values ---- */

double bezier(double a, double b, double c, double d, double s) {
    const double r = 1.0 - s;
    return r * r * r * a + 3.0 * r * r * s * b + 3.0 * r * s * s * c + s * s * s * d;
}

/* The parameter at which a curve of handles of those weights has gone the share `x` of its time. */
double parameterAt(double weight, double nextWeight, double x) {
    if (weight == THIRD && nextWeight == THIRD) {
        return x;
    }
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 40; i++) {
        const double middle = 0.5 * (low + high);
        (bezier(0.0, weight, 1.0 - nextWeight, 1.0, middle) < x ? low : high) = middle;
    }
    return low;
}

double cubicAt(const FbxKey &key, const FbxKey &next, double time) {
    const double length = next.time - key.time;
    const double s = parameterAt(key.weight, key.nextWeight, (time - key.time) / length);
    return bezier(key.value, key.value + key.slope * key.weight * length,
                  next.value - key.nextSlope * key.nextWeight * length, next.value, s);
}

bool isEarlier(const FbxKey &a, const FbxKey &b) {
    return a.time < b.time;
}

bool isGood(const FbxKey &key, const Attributes &attributes) {
    return std::isfinite(float(key.time)) && std::isfinite(float(key.value)) &&
           std::isfinite(float(attributes.data[0])) && std::isfinite(float(attributes.data[1])) &&
           (std::isfinite(float(attributes.data[2])) || !(attributes.flags & FBX_FLAG_TCB));
}

/* Among the keys; before the first and after the last one, the nearest holds. */
double valueAt(const FbxKeys &keys, double time, bool before) {
    const FbxKey wanted = {time, 0.0, FBX_LINEAR, 0.0, 0.0, 0.0, 0.0};
    const auto after = before ? std::lower_bound(keys.begin(), keys.end(), wanted, isEarlier)
                              : std::upper_bound(keys.begin(), keys.end(), wanted, isEarlier);
    if (after == keys.begin()) {
        return keys.front().value;
    }
    const FbxKey &key = *(after - 1);
    if (after == keys.end()) {
        return key.value;
    }
    switch (key.segment) {
    case FBX_CONSTANT:
        return key.value;
    case FBX_CONSTANT_NEXT:
        return after->value;
    case FBX_CUBIC:
        return cubicAt(key, *after, time);
    default:
        return key.value + (after->value - key.value) * (time - key.time) / (after->time - key.time);
    }
}

/* ---- Outside the keys ---- */

/* Types are letters: a number in binary files, a text or a number in text files. */
FbxExtrapolation readExtrapolation(const FbxRecord &record, const char *name) {
    static const std::map<int64_t, FbxBeyond> ways = {
        {'K', FBX_SLOPE}, {'R', FBX_REPEAT}, {'M', FBX_MIRROR}, {'A', FBX_RISE}};
    const FbxRecord *child = record.child(name), *type = child ? child->child("Type") : nullptr;
    const FbxRecord *count = child ? child->child("Repetition") : nullptr;
    const std::string text = type ? type->textOf(0) : "";
    const bool letter = text.size() == 1 && text[0] >= 'A';
    const auto way = ways.find(letter ? text[0] : type ? type->integerOf(0) : 0);
    const int64_t times = count ? count->integerOf(0) : -1;
    return {way == ways.end() ? FBX_HOLD : way->second, times < 0 ? INFINITY : double(times)};
}

/* Slope of the line on which a curve leaves its keys. */
double endSlope(const FbxKeys &keys, bool first) {
    if (keys.size() < 2) {
        return 0.0;
    }
    const size_t k = first ? 0 : keys.size() - 2;
    const FbxSegment segment = keys[k].segment;
    return segment == FBX_CUBIC    ? (first ? keys[k].slope : keys[k].nextSlope)
           : segment == FBX_LINEAR ? secant(keys, k)
                                   : 0.0;
}

double periodOf(const FbxKeys &keys) {
    return keys.back().time - keys.front().time;
}

/* Times of keys are rounded: a period begins where its number is nearly whole. */
#define WHOLE 1e-9

double repeatedAt(const FbxKeys &keys, const FbxExtrapolation &beyond, double time, bool before) {
    const double first = keys.front().time, length = periodOf(keys), periods = (time - first) / length;
    const double near = std::round(periods);
    const bool whole = std::fabs(periods - near) < WHOLE;
    double period = whole ? near - (before ? 1.0 : 0.0) : std::floor(periods);
    double inside = whole ? (before ? length : 0.0) : time - first - period * length;
    if (period > beyond.count) { /* after the last repetition, its end holds */
        period = beyond.count;
        inside = length;
    } else if (period < -beyond.count) {
        period = -beyond.count;
        inside = 0.0;
    }
    const bool backwards = beyond.way == FBX_MIRROR && std::fmod(std::fabs(period), 2.0) == 1.0;
    const double rise = beyond.way == FBX_RISE ? period * (keys.back().value - keys.front().value) : 0.0;
    return rise + valueAt(keys, first + (backwards ? length - inside : inside), before != backwards);
}

bool repeats(const FbxCurve &curve, const FbxExtrapolation &beyond) {
    return (beyond.way == FBX_REPEAT || beyond.way == FBX_MIRROR || beyond.way == FBX_RISE) && beyond.count > 0.0 &&
           periodOf(curve.keys) > 0.0;
}

/* ---- Times ---- */

/* Adds the key times of one period, which is not that of the keys themselves. */
void addPeriod(const FbxKeys &keys, double period, bool backwards, double start, double stop,
               std::vector<double> *times) {
    for (const FbxKey &key : keys) {
        const double inside = backwards ? keys.back().time - key.time : key.time - keys.front().time;
        const double time = keys.front().time + period * periodOf(keys) + inside;
        if (time >= start && time <= stop) {
            times->push_back(time);
        }
    }
}

/* sign: 1 for the time after the keys, -1 before them. False: too many. */
bool addRepetitions(const FbxCurve &curve, double sign, double start, double stop, std::vector<double> *times) {
    const FbxExtrapolation &beyond = sign > 0.0 ? curve.after : curve.before;
    const double room = sign > 0.0 ? stop - curve.keys.back().time : curve.keys.front().time - start;
    if (beyond.way == FBX_HOLD || room <= 0.0) {
        return true;
    }
    times->push_back(sign > 0.0 ? stop : start);
    if (!repeats(curve, beyond)) {
        return true;
    }
    const double wanted = std::fmin(std::ceil(room / periodOf(curve.keys)), beyond.count);
    const double most = std::floor(FBX_REPEATED_KEYS_MAX / double(curve.keys.size()));
    for (int period = 1; period <= int(std::fmin(wanted, most)); period++) {
        const bool backwards = beyond.way == FBX_MIRROR && period % 2 == 1;
        addPeriod(curve.keys, sign * period, backwards, start, stop, times);
    }
    return wanted <= most;
}

} // namespace

FbxCurve fbxReadCurve(const FbxRecord &record) {
    const std::vector<double> times = record.childNumbers("KeyTime"), values = record.childNumbers("KeyValueFloat");
    const std::vector<Attributes> attributes = readAttributes(record, times.size());
    FbxCurve curve = {
        {}, readExtrapolation(record, "Pre-Extrapolation"), readExtrapolation(record, "Post-Extrapolation"), false};
    std::vector<Attributes> kept;
    const size_t count = std::min({times.size(), values.size(), attributes.size()});
    for (size_t i = 0; i < count; i++) {
        FbxKey key = {times[i] / FBX_SECOND, values[i], segmentOf(attributes[i].flags), 0.0, THIRD, 0.0, THIRD};
        if (isGood(key, attributes[i]) && (curve.keys.empty() || !isEarlier(key, curve.keys.back()))) {
            if (key.segment == FBX_CUBIC && !(attributes[i].flags & FBX_FLAG_TCB)) {
                unpackWeights(attributes[i], &key);
            }
            curve.keys.push_back(key);
            kept.push_back(attributes[i]);
        }
    }
    curve.repaired = curve.keys.size() < std::max(times.size(), values.size());
    setSlopes(curve.keys, kept);
    return curve;
}

double fbxCurveAt(const FbxCurve &curve, double time, bool before) {
    const FbxKey &first = curve.keys.front(), &last = curve.keys.back();
    const bool early = before ? time <= first.time : time < first.time,
               late = before ? time > last.time : time >= last.time;
    const FbxExtrapolation &beyond = early ? curve.before : curve.after;
    if ((early || late) && repeats(curve, beyond)) {
        return repeatedAt(curve.keys, beyond, time, before);
    }
    if ((early || late) && beyond.way == FBX_SLOPE) {
        const FbxKey &end = early ? first : last;
        return end.value + endSlope(curve.keys, early) * (time - end.time);
    }
    return valueAt(curve.keys, time, before);
}

bool fbxCurveTimes(const FbxCurve &curve, double start, double stop, std::vector<double> *times) {
    for (const FbxKey &key : curve.keys) {
        times->push_back(key.time);
    }
    const bool after = addRepetitions(curve, 1.0, start, stop, times);
    return addRepetitions(curve, -1.0, start, stop, times) && after;
}
