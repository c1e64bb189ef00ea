#include "assimp_morphs.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace {

#define CURVE_PARTS 5u

Array<float> deltasOf(const aiVector3D *moved, const float *base, uint32_t count) {
    Array<float> deltas(moved && base ? newArray<float>(size_t(count) * 3) : nullptr);
    for (size_t i = 0; deltas && i < size_t(count) * 3; i++) {
        deltas[i] = moved[i / 3][unsigned(i % 3)] - base[i];
    }
    return deltas;
}

void convertShape(const aiAnimMesh *shape, ModelMesh *mesh) {
    ModelMorph *morph = &mesh->morphs[mesh->morphCount++];
    const bool fits = shape->mNumVertices == mesh->vertexCount;
    const Array<float> positions = deltasOf(fits ? shape->mVertices : nullptr, mesh->positions, mesh->vertexCount);
    const Array<float> normals = deltasOf(fits ? shape->mNormals : nullptr, mesh->normals, mesh->vertexCount);
    morph->name = childCopyText(shape->mName.C_Str());
    morphSetSparse(morph, mesh->vertexCount, {positions.get(), normals.get(), nullptr});
}

using Curve = std::map<double, MorphCurveKey>; /* by time */

struct Point {
    double seconds, weight;
};

Point between(const Point &a, const Point &b, double s) {
    return {a.seconds + s * (b.seconds - a.seconds), a.weight + s * (b.weight - a.weight)};
}

/* The two points that a curve between two keys goes by, with handles shortened as VKSKIN_INTERPOLATION_BEZIER states. */
void pointsOf(const MorphCurveKey &from, const MorphCurveKey &to, Point points[4]) {
    const double length = to.seconds - from.seconds;
    const auto shorten = [&](double seconds) { return seconds > length ? length / seconds : 1.0; };
    const double outSeconds = std::fmax(from.out.seconds, 0.0), inSeconds = std::fmax(-to.in.seconds, 0.0);
    const double out = shorten(outSeconds), in = shorten(inSeconds);
    points[0] = {from.seconds, from.weight};
    points[1] = {from.seconds + out * outSeconds, from.weight + out * from.out.weight};
    points[2] = {to.seconds - in * inSeconds, to.weight + in * to.in.weight};
    points[3] = {to.seconds, to.weight};
}

double secondsAt(const Point points[4], double s) {
    const double r = 1.0 - s;
    return r * r * r * points[0].seconds + 3.0 * r * r * s * points[1].seconds + 3.0 * r * s * s * points[2].seconds +
           s * s * s * points[3].seconds;
}

/* Divides the curve between two keys at a time: sets the key there, and shortens their handles. De Casteljau's way. */
MorphCurveKey divide(double time, MorphCurveKey *from, MorphCurveKey *to) {
    Point points[4];
    pointsOf(*from, *to, points);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        (secondsAt(points, middle) < time ? low : high) = middle;
    }
    const Point a = between(points[0], points[1], low), b = between(points[1], points[2], low),
                c = between(points[2], points[3], low);
    const Point left = between(a, b, low), right = between(b, c, low), here = between(left, right, low);
    from->out = {a.seconds - from->seconds, a.weight - from->weight};
    to->in = {c.seconds - to->seconds, c.weight - to->weight};
    return {time,
            here.weight,
            {left.seconds - here.seconds, left.weight - here.weight},
            {right.seconds - here.seconds, right.weight - here.weight}};
}

/* Gives the curve a key at each time. Before its first and after its last key the nearest one holds. */
void addTimes(const std::map<double, bool> &times, Curve *curve) {
    for (const auto &at : times) {
        const auto after = curve->lower_bound(at.first);
        if (after != curve->end() && after->first == at.first) {
            continue;
        }
        MorphCurveKey key = {at.first,
                             curve->empty()          ? 0.0
                             : after == curve->end() ? std::prev(after)->second.weight
                                                     : after->second.weight,
                             {},
                             {}};
        if (after != curve->end() && after != curve->begin()) {
            key = divide(at.first, &std::prev(after)->second, &after->second);
        } else if (after == curve->end() && !curve->empty()) {
            std::prev(after)->second.out = {};
        } else if (after != curve->end()) {
            after->second.in = {};
        }
        (*curve)[at.first] = key;
    }
}

/* False: a number of it is not finite. */
bool readKey(const aiMeshMorphKey &key, double ticksPerSecond, std::vector<Curve> *curves, bool *bent) {
    const double time = key.mTime / ticksPerSecond;
    for (unsigned i = 0; i < key.mNumValuesAndWeights; i++) {
        if (!std::isfinite(float(time)) || !std::isfinite(float(key.mWeights[i]))) {
            return false;
        }
    }
    const double *w = key.mWeights;
    if (key.mNumValuesAndWeights == CURVE_PARTS && key.mValues[0] == key.mValues[1] &&
        key.mValues[0] < curves->size()) {
        *bent = *bent || w[0] != 0.0 || w[1] != 0.0 || w[3] != 0.0 || w[4] != 0.0;
        (*curves)[key.mValues[0]][time] = {time, w[2], {w[0], w[1]}, {w[3], w[4]}};
        return true;
    }
    for (unsigned i = 0; i < key.mNumValuesAndWeights; i++) {
        if (key.mValues[i] < curves->size()) {
            (*curves)[key.mValues[i]][time] = {time, w[i], {}, {}};
        }
    }
    return true;
}

void writeKey(const MorphCurveKey &key, bool bent, uint32_t targets, float *values) {
    const double parts[] = {key.in.seconds, key.in.weight, key.weight, key.out.seconds, key.out.weight};
    for (uint32_t part = 0; bent && part < CURVE_PARTS; part++) {
        values[size_t(part) * targets] = float(parts[part]);
    }
    if (!bent) {
        values[0] = float(key.weight);
    }
}

} // namespace

void morphsConvert(const aiMesh *from, ModelMesh *mesh) {
    mesh->morphs = newArray<ModelMorph>(from->mNumAnimMeshes);
    for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
        convertShape(from->mAnimMeshes[i], mesh);
    }
}

std::vector<float> morphsRestWeights(const aiMesh *from) {
    std::vector<float> weights;
    for (unsigned i = 0; i < from->mNumAnimMeshes; i++) {
        const float weight = from->mAnimMeshes[i]->mWeight;
        weights.push_back(std::isfinite(weight) ? weight : 0.0f);
    }
    return weights;
}

void morphsSetCurveKey(unsigned target, const MorphCurveKey &from, double ticksPerSecond, aiMeshMorphKey *key) {
    const double parts[CURVE_PARTS] = {from.in.seconds, from.in.weight, from.weight, from.out.seconds, from.out.weight};
    key->mTime = from.seconds * ticksPerSecond;
    key->mNumValuesAndWeights = CURVE_PARTS;
    key->mValues = new unsigned[CURVE_PARTS];
    key->mWeights = new double[CURVE_PARTS];
    std::fill_n(key->mValues, CURVE_PARTS, target);
    std::copy_n(parts, CURVE_PARTS, key->mWeights);
}

bool morphsTrack(const aiMeshMorphAnim *channel, uint32_t targets, double ticksPerSecond, VkskinTrack *track) {
    std::vector<Curve> curves(targets);
    std::map<double, bool> times;
    bool bent = false;
    for (unsigned k = 0; k < channel->mNumKeys; k++) {
        times[channel->mKeys[k].mTime / ticksPerSecond] = true;
        if (!readKey(channel->mKeys[k], ticksPerSecond, &curves, &bent)) {
            return false;
        }
    }
    if (times.empty() || targets == 0) {
        return false;
    }
    const size_t parts = bent ? CURVE_PARTS : 1;
    float *seconds = newArray<float>(times.size()), *values = newArray<float>(times.size() * targets * parts);
    track->channel = VKSKIN_CHANNEL_MORPH_WEIGHTS;
    track->interpolation = bent ? VKSKIN_INTERPOLATION_BEZIER : VKSKIN_INTERPOLATION_LINEAR;
    track->weightCount = targets;
    track->times = seconds;
    track->values = values;
    for (Curve &curve : curves) {
        addTimes(times, &curve);
    }
    for (const auto &at : times) {
        for (uint32_t t = 0; t < targets; t++) {
            writeKey(curves[t].at(at.first), bent, targets, values + size_t(track->keyCount) * parts * targets + t);
        }
        seconds[track->keyCount++] = float(at.first);
    }
    return true;
}
