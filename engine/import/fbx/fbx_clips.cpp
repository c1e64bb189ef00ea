#include "fbx_clips.h"

#include "fbx_layers.h"
#include "parser.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace {

/* ---- Sampling ---- */

using Values = std::vector<double>;

/* What a track shows: a function of time, and how close keys must come to it. */
struct Course {
    std::function<Values(double time, bool before)> at; /* value at a time, in seconds of the file's time */
    bool turn;                                          /* values are quaternions: x y z w */
    double tolerance;                                   /* 0: a part of the range of the values */
};

#define RANGE_PART     0.001
#define ROUNDING       1e-6   /* relative to the largest value */
#define TURN_TOLERANCE 0.0004 /* maximum error of a quaternion's components: 0.05 degrees */
#define MORPH_ERROR    0.001
#define DEPTH_MAX      8
#define KEYS_MAX       ((size_t)1 << 20) /* maximum keys of a track; above it only the keys of the file are used */
#define TURN_STEP      90.0              /* degrees between keys */
#define TURN_STEPS_MAX 64.0

struct Key {
    double time;
    Values values;
};

double dot(const Values &a, const Values &b) {
    double product = 0.0;
    for (size_t i = 0; i < a.size(); i++) {
        product += a[i] * b[i];
    }
    return product;
}

/* The neighbour of two signs. */
void alignTurn(const Values &reference, Values *turn) {
    if (dot(reference, *turn) < 0.0) {
        std::for_each(turn->begin(), turn->end(), [](double &value) { value = -value; });
    }
}

/* Between two keys, as vkskin plays them. */
Values between(const Values &from, const Values &to, double share, bool turn) {
    const double angle = turn ? std::acos(std::fmin(dot(from, to), 1.0)) : 0.0, sine = std::sin(angle);
    const double left = sine > 1e-6 ? std::sin((1.0 - share) * angle) / sine : 1.0 - share;
    const double right = sine > 1e-6 ? std::sin(share * angle) / sine : share;
    Values result = from;
    for (size_t i = 0; i < from.size(); i++) {
        result[i] = left * from[i] + right * to[i];
    }
    return result;
}

double distance(const Values &a, const Values &b) {
    double most = 0.0;
    for (size_t i = 0; i < a.size(); i++) {
        most = std::fmax(most, std::fabs(a[i] - b[i]));
    }
    return most;
}

class Sampler {
  public:
    Sampler(const Course &from, const std::vector<double> &times) : course(from), tolerance(from.tolerance) {
        if (tolerance == 0.0) {
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

    std::vector<Key> keys;

  private:
    void measure(const std::vector<double> &times) {
        Values least = course.at(times[0], false), most = least;
        const auto widen = [&](const Values &values) {
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
        const Values none(least.size(), 0.0);
        tolerance = std::fmax(RANGE_PART * distance(least, most),
                              ROUNDING * std::fmax(distance(least, none), distance(most, none)));
    }

    /* Not twice the same at one time. */
    void add(double time, Values values) {
        if (course.turn && !keys.empty()) {
            alignTurn(keys.back().values, &values);
        }
        if (keys.empty() || keys.back().time != time || distance(keys.back().values, values) > 0.0) {
            keys.push_back({time, values});
        }
    }

    /* Adds keys after `from`, up to `to`. */
    void divide(double from, const Values &first, double to, Values last, int depth) {
        bool close = true;
        if (course.turn) {
            alignTurn(first, &last);
        }
        for (double share : {0.25, 0.5, 0.75}) {
            Values there = course.at(from + share * (to - from), false);
            const Values line = between(first, last, share, course.turn);
            if (course.turn) {
                alignTurn(line, &there);
            }
            close = close && distance(line, there) <= tolerance;
        }
        const double middle = 0.5 * (from + to);
        if (!close && depth < DEPTH_MAX && keys.size() < KEYS_MAX && middle > from && middle < to) {
            divide(from, first, middle, course.at(middle, true), depth + 1);
            const Values halfway = keys.back().values;
            divide(middle, halfway, to, last, depth + 1);
        } else {
            add(to, last);
        }
    }

    const Course &course;
    double tolerance;
};

/* ---- Tracks ---- */

struct ClipSource {
    const FbxStack &stack;
    Model *model;
    ModelClip *clip;
    const std::string &name;
};

/* Within the stack's time, with its first and last moment. */
std::vector<double> timesOf(const FbxStack &stack, const std::vector<const FbxProperty *> &properties) {
    std::vector<double> all, times;
    for (const FbxProperty *property : properties) {
        (void)fbxAddTimes(stack, *property, &all);
    }
    const auto range = std::minmax_element(all.begin(), all.end());
    const double first = std::fmin(std::fmax(*range.first, stack.start), stack.stop);
    const double last = std::fmin(std::fmax(*range.second, stack.start), stack.stop);
    all.insert(all.end(), {first, last});
    std::sort(all.begin(), all.end());
    std::unique_copy(all.begin(), all.end(), std::back_inserter(times));
    times.erase(std::remove_if(times.begin(), times.end(), [&](double t) { return t < first || t > last; }),
                times.end());
    return times;
}

/* So close that no angle makes more than TURN_STEP from one to the next. */
std::vector<double> turnTimes(const FbxStack &stack, const FbxProperty &property) {
    const std::vector<double> times = timesOf(stack, {&property});
    std::vector<double> closer(1, times[0]);
    for (size_t i = 0; i + 1 < times.size(); i++) {
        const FbxVector from = fbxPropertyAt(stack, property, times[i], false);
        const FbxVector to = fbxPropertyAt(stack, property, times[i + 1], true);
        const double most = distance({from[0], from[1], from[2]}, {to[0], to[1], to[2]});
        const int steps = int(std::fmin(1.0 + most / TURN_STEP, TURN_STEPS_MAX));
        for (int step = 1; step < steps; step++) {
            closer.push_back(times[i] + (times[i + 1] - times[i]) * step / steps);
        }
        closer.push_back(times[i + 1]);
    }
    return closer;
}

void addTrack(const ClipSource &source, uint32_t node, VkskinChannel channel, const Course &course,
              const std::vector<double> &times) {
    const std::vector<Key> keys = Sampler(course, times).keys;
    const size_t components = keys[0].values.size();
    float *seconds = newArray<float>(keys.size()), *values = newArray<float>(keys.size() * components);
    VkskinTrack &track = source.clip->tracks[source.clip->trackCount++];
    track.node = node;
    track.channel = channel;
    track.keyCount = uint32_t(keys.size());
    track.times = seconds;
    track.values = values;
    track.weightCount = channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? uint32_t(components) : 0;
    for (size_t i = 0; i < keys.size(); i++) {
        seconds[i] = float(keys[i].time - source.stack.start);
        std::copy(keys[i].values.begin(), keys[i].values.end(), values + i * components);
    }
    if (!finiteAll(seconds, keys.size()) || !finiteAll(values, keys.size() * components)) {
        std::free(seconds);
        std::free(values);
        source.clip->trackCount--;
        childWarn(source.model, "clip '%.100s': keys of node '%.100s' are not finite, and not played",
                  source.name.c_str(), source.model->nodes[node].name);
    }
}

Values valuesOf(const FbxVector &vector) {
    return Values(vector.begin(), vector.end());
}

/* The animated properties of one node. */
struct Moved {
    const FbxProperty *translation, *rotation, *scale;
};

/* The functions of time of one node. */
struct NodeCourse {
    const FbxStack &stack;
    const FbxJoint &joint;
    const Moved &moved;

    FbxVector vectorAt(const FbxProperty *property, const FbxVector &rest, double time, bool before) const {
        return property ? fbxPropertyAt(stack, *property, time, before) : rest;
    }
    FbxQuaternion turnAt(double time, bool before) const {
        const FbxQuaternion turn = moved.rotation ? fbxTurnAt(stack, *moved.rotation, joint.order, time, before)
                                                  : fbxTurn(joint.rotation, joint.order);
        return joint.pre * turn * joint.unpost;
    }
    FbxVector positionAt(double time, bool before) const {
        const FbxVector translation = vectorAt(moved.translation, joint.translation, time, before);
        const FbxVector scale = vectorAt(moved.scale, joint.scale, time, before);
        return fbxPosition(joint, translation, turnAt(time, before), scale);
    }
};

void addNodeTracks(const ClipSource &source, uint32_t node, const FbxJoint &joint, const Moved &moved) {
    const NodeCourse course = {source.stack, joint, moved};
    std::vector<const FbxProperty *> movers;
    for (const FbxProperty *property :
         {moved.translation, joint.hasPivots ? moved.rotation : nullptr, joint.hasPivots ? moved.scale : nullptr}) {
        if (property) {
            movers.push_back(property);
        }
    }
    if (!movers.empty()) {
        const auto at = [&](double time, bool before) { return valuesOf(course.positionAt(time, before)); };
        addTrack(source, node, VKSKIN_CHANNEL_TRANSLATION, {at, false, 0.0}, timesOf(source.stack, movers));
    }
    if (moved.rotation) {
        const auto at = [&](double time, bool before) {
            FbxQuaternion turn = course.turnAt(time, before);
            turn.Normalize();
            return Values({turn.x, turn.y, turn.z, turn.w});
        };
        addTrack(source, node, VKSKIN_CHANNEL_ROTATION, {at, true, TURN_TOLERANCE},
                 turnTimes(source.stack, *moved.rotation));
    }
    if (moved.scale) {
        const auto at = [&](double time, bool before) {
            return valuesOf(course.vectorAt(moved.scale, joint.scale, time, before));
        };
        addTrack(source, node, VKSKIN_CHANNEL_SCALE, {at, false, 0.0}, timesOf(source.stack, {moved.scale}));
    }
}

/* ---- Clips ---- */

using Properties = std::map<std::pair<const FbxRecord *, std::string>, const FbxProperty *>;

const FbxProperty *find(const Properties &properties, const FbxRecord *object, const char *name) {
    const auto found = properties.find({object, name});
    return found == properties.end() ? nullptr : found->second;
}

void addMorphTrack(const ClipSource &source, uint32_t node, const FbxDocument &document,
                   const FbxMorphChannels &channels, const Properties &properties) {
    std::vector<const FbxProperty *> moved, movers;
    for (const FbxMorphChannel &channel : channels) {
        moved.push_back(find(properties, channel.object, "DeformPercent"));
        if (moved.back()) {
            movers.push_back(moved.back());
        }
    }
    if (movers.empty()) {
        return;
    }
    const auto at = [&](double time, bool before) {
        Values weights;
        for (size_t i = 0; i < channels.size(); i++) {
            const double rest = document.number(*channels[i].object, "DeformPercent", 0.0);
            fbxAddWeights(channels[i], moved[i] ? fbxPropertyAt(source.stack, *moved[i], time, before)[0] : rest,
                          &weights);
        }
        return weights;
    };
    addTrack(source, node, VKSKIN_CHANNEL_MORPH_WEIGHTS, {at, false, MORPH_ERROR}, timesOf(source.stack, movers));
}

bool changes(const FbxStack &stack, const FbxProperty &property) {
    std::vector<double> times;
    (void)fbxAddTimes(stack, property, &times);
    return std::any_of(times.begin(), times.end(), [&](double time) {
        return fbxPropertyAt(stack, property, time, false)[0] != fbxPropertyAt(stack, property, times[0], false)[0];
    });
}

/* Warns of nodes that appear or disappear over time, and of nodes that are not in the scene. */
void warnOfProperties(const ClipSource &source, const std::set<const FbxRecord *> &known) {
    for (const FbxProperty &property : source.stack.properties) {
        if (property.name == "Visibility" && changes(source.stack, property)) {
            childWarn(source.model, "clip '%.100s' shows and hides node '%.100s', which is not read",
                      source.name.c_str(), fbxName(*property.object).c_str());
        } else if (property.name != "Visibility" && known.count(property.object) == 0) {
            source.model->repairs.tracksDropped++;
        }
        std::vector<double> times;
        if (!fbxAddTimes(source.stack, property, &times)) {
            childWarn(source.model, "clip '%.100s' repeats keys of node '%.100s' more often than is read",
                      source.name.c_str(), fbxName(*property.object).c_str());
        }
    }
}

std::set<const FbxRecord *> knownObjects(const FbxScene &fbx) {
    std::set<const FbxRecord *> known;
    for (const auto &node : fbx.nodes) {
        known.insert(node.second);
    }
    for (const auto &morphs : fbx.morphs) {
        for (const FbxMorphChannel &channel : morphs.second) {
            known.insert(channel.object);
        }
    }
    return known;
}

void fillClip(const FbxScene &fbx, const ClipSource &source, const std::vector<const aiNode *> &nodes,
              std::vector<bool> &animated) {
    Properties properties;
    for (const FbxProperty &property : source.stack.properties) {
        properties[{property.object, property.name}] = &property;
    }
    for (uint32_t i = 0; i < nodes.size(); i++) {
        const auto node = fbx.nodes.find(nodes[i]);
        if (node != fbx.nodes.end()) {
            const Moved moved = {find(properties, node->second, "Lcl Translation"),
                                 find(properties, node->second, "Lcl Rotation"),
                                 find(properties, node->second, "Lcl Scaling")};
            addNodeTracks(source, i, fbxReadJoint(fbx.document, *node->second), moved);
            animated[i] = animated[i] || moved.translation || moved.rotation || moved.scale;
        }
        const auto morphs = fbx.morphs.find(nodes[i]);
        if (morphs != fbx.morphs.end()) {
            addMorphTrack(source, i, fbx.document, morphs->second, properties);
        }
    }
}

} // namespace

void fbxConvertClips(const FbxScene &fbx, const std::vector<const aiNode *> &nodes, std::vector<bool> &animated,
                     Model *model) {
    const std::vector<FbxStack> stacks = fbxReadStacks(fbx.document);
    const std::set<const FbxRecord *> known = knownObjects(fbx);
    model->clips = newArray<ModelClip>(stacks.size());
    for (const FbxStack &stack : stacks) {
        if (stack.properties.empty()) {
            continue;
        }
        ModelClip *clip = &model->clips[model->clipCount];
        clip->name = nameOr(stack.name.c_str(), "clip ", model->clipCount++);
        clip->duration = float(stack.stop - stack.start);
        clip->tracks = newArray<VkskinTrack>(nodes.size() * 4);
        const ClipSource source = {stack, model, clip, stack.name};
        fillClip(fbx, source, nodes, animated);
        warnOfProperties(source, known);
    }
}
