#include "fbx_curve.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace {

using FbxKeys = std::vector<FbxKey>;

/* ---- Attributes of keys ---- */

#define FLAG_CONSTANT      0x2
#define FLAG_CUBIC         0x8
#define FLAG_NEXT          0x100 /* constant keys only */
#define FLAG_AUTO          0x100 /* cubic keys only: the slope follows from the neighbours */
#define FLAG_TCB           0x200
#define FLAG_USER          0x400
#define FLAG_CLAMP         0x1000
#define FLAG_TIME_FREE     0x2000
#define FLAG_PROGRESSIVE   0x4000
#define FLAG_WEIGHTED      0x1000000
#define FLAG_WEIGHTED_NEXT 0x2000000
#define WEIGHT_ONE         9999.0
#define THIRD              (1.0 / 3.0)

/* Attributes of a run of keys, then of each key. data: slopes and packed weights, or tension, continuity and bias. */
struct Attributes {
    int flags;
    double data[4];
};

std::vector<double> numbersOf(const FbxRecord &record, const char *name) {
    const FbxRecord *child = record.child(name);
    return child ? child->numbers() : std::vector<double>();
}

int integerFrom(double number) {
    return std::fabs(number) < 2e9 ? int(number) : 0;
}

/* Text files from 7.5 on have the bits of the floats as integers. Those of a float other than 0 are 2^23 or more. */
void decodeBits(double data[4]) {
    const auto isBits = [](double number) {
        const double size = std::fabs(number);
        return size == 0.0 || (size >= 8388608.0 && size < 4294967296.0 && size == std::floor(size));
    };
    const bool bits = std::all_of(data, data + 4, isBits);
    for (int i = 0; i < 4 && bits; i++) {
        const auto word = uint32_t(int64_t(data[i]));
        float value;
        std::memcpy(&value, &word, sizeof value);
        data[i] = double(value);
    }
}

std::vector<Attributes> readAttributes(const FbxRecord &record, size_t keys) {
    const std::vector<double> flags = numbersOf(record, "KeyAttrFlags"), data = numbersOf(record, "KeyAttrDataFloat"),
                              runs = numbersOf(record, "KeyAttrRefCount");
    std::vector<Attributes> all;
    for (size_t run = 0; run < std::min(flags.size(), runs.size()) && data.size() >= 4 * (run + 1); run++) {
        Attributes one = {integerFrom(flags[run]), {}};
        std::copy_n(&data[4 * run], 4, one.data);
        decodeBits(one.data);
        const size_t most = runs[run] > 0.0 ? size_t(std::min(runs[run], double(keys - all.size()))) : 0;
        all.insert(all.end(), most, one);
    }
    return all;
}

/* Two integers of 16 bits. Binary files have them as the bits of a float, as decodeBits gives them, text files as an integer. */
void unpackWeights(const Attributes &attributes, FbxKey *key) {
    const double given = attributes.data[2];
    uint32_t packed = 0;
    if (given >= 1.0 && given < 4294967296.0) {
        packed = uint32_t(given);
    } else if (std::fabs(given) < 1.0) {
        const float bits = float(given);
        std::memcpy(&packed, &bits, sizeof packed);
    }
    const auto unpack = [&](int flag, uint32_t part) {
        return attributes.flags & flag ? std::min(part / WEIGHT_ONE, 1.0) : THIRD;
    };
    key->weight = unpack(FLAG_WEIGHTED, packed & 0xffff);
    key->nextWeight = unpack(FLAG_WEIGHTED_NEXT, packed >> 16);
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
    const double left = sign * secant(curve, k - 1) / curve[k - 1].nextWeight;
    const double right = sign * secant(curve, k) / curve[k].weight;
    return sign * std::fmax(0.0, std::fmin(std::fabs(slope), std::fmin(left, right)));
}

/* bias: in percent, above 0 towards the line to the next key, below 0 towards the line from the key before. */
double automaticSlope(const FbxKeys &curve, size_t k, int flags, double bias) {
    if (k == 0 || k + 1 == curve.size()) {
        return flags & FLAG_PROGRESSIVE ? 0.0 : secant(curve, k == 0 ? 0 : k - 1);
    }
    const double before = curve[k].time - curve[k - 1].time, after = curve[k + 1].time - curve[k].time;
    const bool level = curve[k].value == curve[k - 1].value || curve[k].value == curve[k + 1].value;
    if (before + after <= 0.0 || ((flags & FLAG_CLAMP) && level)) {
        return 0.0;
    }
    double slope = (curve[k + 1].value - curve[k - 1].value) / (before + after);
    if (!(flags & FLAG_TIME_FREE)) {
        const double share = before / (before + after);
        slope = 0.5 * (slope + secant(curve, k - 1) * (1.0 - share) + secant(curve, k) * share);
        slope += 0.01 * std::fabs(bias) * (secant(curve, bias > 0.0 ? k : k - 1) - slope);
    }
    return flags & FLAG_PROGRESSIVE ? limitSlope(curve, k, slope) : slope;
}

/* Tension, continuity and bias, as Kochanek and Bartels define them. sign: 1 for the handle to the right, -1 to the left. */
double tcbSlope(const FbxKeys &curve, size_t k, const Attributes &attributes, double sign) {
    const double tension = attributes.data[0], continuity = sign * attributes.data[1], bias = attributes.data[2];
    const double before = secant(curve, k == 0 ? 0 : k - 1), after = secant(curve, k + 1 == curve.size() ? k - 1 : k);
    return 0.5 * (1.0 - tension) *
           ((1.0 + continuity) * (1.0 + bias) * before + (1.0 - continuity) * (1.0 - bias) * after);
}

/* Slope of the handle of key `k` on one side. given: the file's slope, or its bias of an automatic slope. */
double slopeAt(const FbxKeys &curve, size_t k, const Attributes &attributes, double sign, double given) {
    if (!(attributes.flags & FLAG_CUBIC) || (attributes.flags & FLAG_USER)) {
        return given;
    }
    if (attributes.flags & FLAG_TCB) {
        return tcbSlope(curve, k, attributes, sign);
    }
    return attributes.flags & FLAG_AUTO ? automaticSlope(curve, k, attributes.flags, given) : given;
}

void setSlopes(FbxKeys &curve, const std::vector<Attributes> &attributes) {
    for (size_t k = 0; k + 1 < curve.size(); k++) {
        FbxKey &key = curve[k];
        if (key.segment == FBX_CUBIC) {
            key.slope = slopeAt(curve, k, attributes[k], 1.0, attributes[k].data[0]);
            const bool automatic = (attributes[k + 1].flags & (FLAG_AUTO | FLAG_USER | FLAG_TCB)) == FLAG_AUTO;
            const double given = automatic ? -attributes[k].data[1] : attributes[k].data[1];
            key.nextSlope = slopeAt(curve, k + 1, attributes[k + 1], -1.0, given);
        }
    }
}

FbxSegment segmentOf(int flags) {
    if (flags & FLAG_CONSTANT) {
        return flags & FLAG_NEXT ? FBX_CONSTANT_NEXT : FBX_CONSTANT;
    }
    return flags & FLAG_CUBIC ? FBX_CUBIC : FBX_LINEAR;
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

bool isFinite(const FbxKey &key) {
    return std::isfinite(float(key.time)) && std::isfinite(float(key.value)) && std::isfinite(key.slope) &&
           std::isfinite(key.nextSlope);
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
    const std::vector<double> times = numbersOf(record, "KeyTime"), values = numbersOf(record, "KeyValueFloat");
    const std::vector<Attributes> attributes = readAttributes(record, times.size());
    FbxCurve curve = {
        {}, readExtrapolation(record, "Pre-Extrapolation"), readExtrapolation(record, "Post-Extrapolation")};
    FbxKeys &keys = curve.keys;
    if (values.size() != times.size() || attributes.size() != times.size()) {
        return {};
    }
    for (size_t i = 0; i < times.size(); i++) {
        keys.push_back({times[i] / FBX_SECOND, values[i], segmentOf(attributes[i].flags), 0.0, THIRD, 0.0, THIRD});
        if (keys[i].segment == FBX_CUBIC && !(attributes[i].flags & FLAG_TCB)) {
            unpackWeights(attributes[i], &keys[i]);
        }
    }
    setSlopes(keys, attributes);
    const bool good =
        std::all_of(keys.begin(), keys.end(), isFinite) && std::is_sorted(keys.begin(), keys.end(), isEarlier);
    return good ? curve : FbxCurve();
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
