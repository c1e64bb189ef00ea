#include "fbx_flags.h"
#include "fbx_old.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

/* What keys of 7.x have, one after the other. */
struct Keys {
    FbxArray times, values, flags, data, counts;
};

/* A list of numbers and letters: time, value, kind of the key, and what belongs to the kind. */
class KeyReader {
  public:
    explicit KeyReader(const std::vector<double> &from) : list(from) {
    }

    bool read(Keys *keys) {
        while (at < list.size()) {
            const double time = next(), value = next();
            flags = 0;
            std::fill_n(data, 4, 0.0);
            if (!readKind() || ended) {
                return false;
            }
            fbxAppend(&keys->times, fbxNumber(time), true);
            fbxAppend(&keys->values, fbxNumber(value), false);
            fbxAppend(&keys->flags, fbxNumber(flags), true);
            fbxAppend(&keys->counts, fbxNumber(1.0), true);
            for (double number : data) {
                fbxAppend(&keys->data, fbxNumber(number), false);
            }
        }
        return true;
    }

  private:
    double next() {
        ended = ended || at >= list.size();
        return ended ? 0.0 : list[at++];
    }

    bool readKind() {
        const double kind = next();
        if (kind == 'C') {
            flags = FBX_FLAG_CONSTANT | (next() == 'n' ? FBX_FLAG_NEXT : 0);
        } else if (kind == 'L') {
            flags = FBX_FLAG_LINEAR;
        } else {
            return kind == 'U' && readSlopes();
        }
        return true;
    }

    /* Slopes, then the weights of the handles. */
    bool readSlopes() {
        const double mode = next();
        double bias = 0.0;
        flags = FBX_FLAG_CUBIC;
        if (mode == 's' || mode == 'b') {
            flags |= FBX_FLAG_USER;
            data[0] = next();
            data[1] = next();
        } else if (mode == 'a') {
            flags |= FBX_FLAG_AUTO | FBX_FLAG_PROGRESSIVE | FBX_FLAG_TIME_FREE; /* level at the ends, as shown there */
        } else if (mode == 't') {
            flags |= FBX_FLAG_TCB;
            data[0] = next();
            data[1] = next();
            bias = next();
        } else {
            return false;
        }
        const bool good = readWeights();
        data[2] = mode == 't' ? bias : data[2];
        return good;
    }

    bool readWeights() {
        const double mode = next();
        double right = -1.0, left = -1.0;
        if (mode == 'a' || mode == 'r') {
            right = next();
        }
        if (mode == 'a' || mode == 'l') {
            left = next();
        }
        flags |= (right >= 0.0 ? FBX_FLAG_WEIGHTED : 0) | (left >= 0.0 ? FBX_FLAG_WEIGHTED_NEXT : 0);
        const uint32_t bits = packed(right) | packed(left) << 16;
        float number;
        std::memcpy(&number, &bits, sizeof number);
        data[2] = double(number);
        return mode == 'a' || mode == 'r' || mode == 'l' || mode == 'n' || mode == 'c';
    }

    static uint32_t packed(double weight) {
        return weight >= 0.0 ? uint32_t(std::lround(std::fmin(weight, 1.0) * FBX_WEIGHT_ONE)) : 0;
    }

    const std::vector<double> &list;
    size_t at = 0;
    int flags = 0;
    double data[4] = {};
    bool ended = false;
};

void add(const char *name, FbxArray *array, FbxRecord *curve) {
    curve->children.emplace_back();
    curve->children.back().name = name;
    curve->children.back().array = std::move(*array);
}

} // namespace

bool fbxRenewCurve(const FbxRecord &channel, FbxRecord *curve) {
    Keys keys;
    const FbxRecord *list = channel.child("Key");
    const bool good = list && KeyReader(list->numbers()).read(&keys);
    add("KeyTime", &keys.times, curve);
    add("KeyValueFloat", &keys.values, curve);
    add("KeyAttrFlags", &keys.flags, curve);
    add("KeyAttrDataFloat", &keys.data, curve);
    add("KeyAttrRefCount", &keys.counts, curve);
    for (const char *name : {"Pre-Extrapolation", "Post-Extrapolation"}) {
        if (channel.child(name)) {
            curve->children.push_back(*channel.child(name));
        }
    }
    return good;
}
