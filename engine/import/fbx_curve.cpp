#include "fbx_curve.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/* ---- Attributes of keys ---- */

#define FLAG_CONSTANT      0x2
#define FLAG_CUBIC         0x8
#define FLAG_NEXT          0x100 /* of constant keys */
#define FLAG_AUTO          0x100 /* of cubic keys: the slope follows from the neighbours */
#define FLAG_TCB           0x200
#define FLAG_USER          0x400
#define FLAG_CLAMP         0x1000
#define FLAG_TIME_FREE     0x2000
#define FLAG_PROGRESSIVE   0x4000
#define FLAG_WEIGHTED      0x1000000
#define FLAG_WEIGHTED_NEXT 0x2000000
#define WEIGHT_ONE         9999.0
#define THIRD              (1.0 / 3.0)

/* Of a run of keys, and then of each key. data: slopes and packed weights, or tension, continuity and bias. */
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

std::vector<Attributes> readAttributes(const FbxRecord &record, size_t keys) {
    const std::vector<double> flags = numbersOf(record, "KeyAttrFlags"), data = numbersOf(record, "KeyAttrDataFloat"),
                              runs = numbersOf(record, "KeyAttrRefCount");
    std::vector<Attributes> all;
    for (size_t run = 0; run < std::min(flags.size(), runs.size()) && data.size() >= 4 * (run + 1); run++) {
        Attributes one = {integerFrom(flags[run]), {}};
        std::copy_n(&data[4 * run], 4, one.data);
        const size_t most = runs[run] > 0.0 ? size_t(std::min(runs[run], double(keys - all.size()))) : 0;
        all.insert(all.end(), most, one);
    }
    return all;
}

/* Two integers of 16 bits. Binary files have them as the bits of a float, text files as an integer. */
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

/* Of the line from key `k` to the next one. */
double secant(const FbxCurve &curve, size_t k) {
    const double length = curve[k + 1].time - curve[k].time;
    return length > 0.0 ? (curve[k + 1].value - curve[k].value) / length : 0.0;
}

/* Not steeper than a handle that ends at the value of a neighbour. */
double limitSlope(const FbxCurve &curve, size_t k, double slope) {
    const double sign = slope < 0.0 ? -1.0 : 1.0;
    const double left = sign * secant(curve, k - 1) / curve[k - 1].nextWeight;
    const double right = sign * secant(curve, k) / curve[k].weight;
    return sign * std::fmax(0.0, std::fmin(std::fabs(slope), std::fmin(left, right)));
}

double automaticSlope(const FbxCurve &curve, size_t k, int flags) {
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
    }
    return flags & FLAG_PROGRESSIVE ? limitSlope(curve, k, slope) : slope;
}

/* Tension, continuity and bias, as Kochanek and Bartels define them. sign: 1 for the handle to the right, -1 to the left. */
double tcbSlope(const FbxCurve &curve, size_t k, const Attributes &attributes, double sign) {
    const double tension = attributes.data[0], continuity = sign * attributes.data[1], bias = attributes.data[2];
    const double before = secant(curve, k == 0 ? 0 : k - 1), after = secant(curve, k + 1 == curve.size() ? k - 1 : k);
    return 0.5 * (1.0 - tension) *
           ((1.0 + continuity) * (1.0 + bias) * before + (1.0 - continuity) * (1.0 - bias) * after);
}

/* Of the handle of key `k` on one side. given: what the file states there. */
double slopeAt(const FbxCurve &curve, size_t k, const Attributes &attributes, double sign, double given) {
    if (!(attributes.flags & FLAG_CUBIC) || (attributes.flags & FLAG_USER)) {
        return given;
    }
    if (attributes.flags & FLAG_TCB) {
        return tcbSlope(curve, k, attributes, sign);
    }
    return attributes.flags & FLAG_AUTO ? automaticSlope(curve, k, attributes.flags) : given;
}

void setSlopes(FbxCurve &curve, const std::vector<Attributes> &attributes) {
    for (size_t k = 0; k + 1 < curve.size(); k++) {
        FbxKey &key = curve[k];
        if (key.segment == FBX_CUBIC) {
            key.slope = slopeAt(curve, k, attributes[k], 1.0, attributes[k].data[0]);
            key.nextSlope = slopeAt(curve, k + 1, attributes[k + 1], -1.0, attributes[k].data[1]);
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

} // namespace

FbxCurve fbxReadCurve(const FbxRecord &record) {
    const std::vector<double> times = numbersOf(record, "KeyTime"), values = numbersOf(record, "KeyValueFloat");
    const std::vector<Attributes> attributes = readAttributes(record, times.size());
    FbxCurve curve;
    if (values.size() != times.size() || attributes.size() != times.size()) {
        return {};
    }
    for (size_t i = 0; i < times.size(); i++) {
        curve.push_back({times[i] / FBX_SECOND, values[i], segmentOf(attributes[i].flags), 0.0, THIRD, 0.0, THIRD});
        if (curve[i].segment == FBX_CUBIC && !(attributes[i].flags & FLAG_TCB)) {
            unpackWeights(attributes[i], &curve[i]);
        }
    }
    setSlopes(curve, attributes);
    const bool good =
        std::all_of(curve.begin(), curve.end(), isFinite) && std::is_sorted(curve.begin(), curve.end(), isEarlier);
    return good ? curve : FbxCurve();
}

double fbxCurveAt(const FbxCurve &curve, double time, bool before) {
    const FbxKey wanted = {time, 0.0, FBX_LINEAR, 0.0, 0.0, 0.0, 0.0};
    const auto after = before ? std::lower_bound(curve.begin(), curve.end(), wanted, isEarlier)
                              : std::upper_bound(curve.begin(), curve.end(), wanted, isEarlier);
    if (after == curve.begin()) {
        return curve.front().value;
    }
    const FbxKey &key = *(after - 1);
    if (after == curve.end()) {
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
