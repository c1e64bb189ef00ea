#include "fbx_clips.h"

extern "C" {
#include "model_bounds.h"
}

#include "fbx_layers.h"
#include "fbx_sampler.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace {

#define SIZE_PART      0.0002
#define TURN_TOLERANCE 0.00012 /* maximum error of a quaternion's components: 0.015 degrees */
#define MORPH_ERROR    0.0005
#define TURN_STEP      90.0 /* degrees between keys */
#define TURN_STEPS_MAX 64.0

#define NTSC(rate)  ((rate)*1000.0 / 1001.0)
#define CUSTOM_MODE 14.0 /* value of TimeMode: CustomFrameRate has the rate */

using Movers = std::vector<const FbxProperty *>;

struct ClipSource {
    const FbxDocument &document;
    const FbxNodes &nodes;
    const FbxStack &stack;
    std::map<std::pair<const FbxRecord *, std::string>, const FbxProperty *> properties;
    const std::vector<double> &tolerances; /* for the translation of each node */
    Model *model;
    ModelClip *clip;

    const FbxProperty *find(const FbxRecord *object, const char *name) const {
        const auto found = properties.find({object, name});
        return found == properties.end() ? nullptr : found->second;
    }
};

/* ---- Tracks ---- */

/* Within the stack's time, with its first and last moment. A property without keys has one time. */
std::vector<double> timesOf(const FbxStack &stack, const Movers &movers) {
    std::vector<double> all, times;
    for (const FbxProperty *property : movers) {
        (void)fbxAddTimes(stack, *property, &all);
    }
    if (all.empty()) {
        return {stack.start};
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
        const FbxVector way = fbxSum(fbxPropertyAt(stack, property, times[i + 1], true),
                                     fbxPropertyAt(stack, property, times[i], false), -1.0);
        const double most = std::fmax(std::fabs(way[0]), std::fmax(std::fabs(way[1]), std::fabs(way[2])));
        const int steps = int(std::fmin(1.0 + most / TURN_STEP, TURN_STEPS_MAX));
        for (int step = 1; step < steps; step++) {
            closer.push_back(times[i] + (times[i + 1] - times[i]) * step / steps);
        }
        closer.push_back(times[i + 1]);
    }
    return closer;
}

void addTrack(const ClipSource &source, uint32_t node, VkskinChannel channel, const FbxCourse &course,
              const std::vector<double> &times) {
    const std::vector<FbxSample> keys = fbxSample(course, times);
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
                  source.stack.name.c_str(), source.model->nodes[node].name);
    }
}

FbxValues valuesOf(const FbxVector &vector) {
    return FbxValues(vector.begin(), vector.end());
}

/* ---- Models ---- */

/* A Model over time. */
struct ModelCourse {
    const ClipSource &source;
    const FbxModel &model;
    const FbxProperty *translation, *rotation, *scale; /* null: at rest */

    FbxVector translationAt(double time, bool before) const {
        return !translation
                   ? model.joint.translation
                   : fbxLimited(fbxPropertyAt(source.stack, *translation, time, before), model.joint.translationLimits);
    }
    FbxQuaternion turnAt(double time, bool before) const {
        return fbxJointTurn(model.joint, rotation ? fbxTurnAt(source.stack, *rotation, model.joint, time, before)
                                                  : fbxTurn(model.joint.rotation, model.joint.order));
    }
    FbxVector ownScaleAt(double time, bool before) const {
        return !scale ? model.joint.scale
                      : fbxLimited(fbxPropertyAt(source.stack, *scale, time, before), model.joint.scaleLimits);
    }
    /* With what it inherits in addition to the matrix of its node's parent. */
    FbxVector scaleAt(double time, bool before) const {
        FbxVector result = fbxScaled(ownScaleAt(time, before), model.steadyScale);
        for (const FbxRecord *scaler : model.scalers) {
            result = fbxScaled(result, courseOf(source, *scaler).ownScaleAt(time, before));
        }
        return result;
    }
    FbxVector positionAt(double time, bool before) const {
        const FbxVector position =
            fbxPosition(model.joint, translationAt(time, before), turnAt(time, before), ownScaleAt(time, before));
        return model.inherit == FBX_INHERIT_MATRIX ? position
                                                   : fbxScaled(position, parentCourse().scaleAt(time, before));
    }
    ModelCourse parentCourse() const {
        return courseOf(source, *source.nodes.list[model.parent->node].object);
    }
    static ModelCourse courseOf(const ClipSource &source, const FbxRecord &object) {
        return {source, source.nodes.models.at(&object), source.find(&object, "Lcl Translation"),
                source.find(&object, "Lcl Rotation"), source.find(&object, "Lcl Scaling")};
    }

    Movers scaleMovers() const {
        Movers movers;
        addMover(scale, &movers);
        for (const FbxRecord *scaler : model.scalers) {
            addMover(source.find(scaler, "Lcl Scaling"), &movers);
        }
        return movers;
    }
    Movers positionMovers() const {
        Movers movers;
        if (model.inherit != FBX_INHERIT_MATRIX) {
            movers = parentCourse().scaleMovers();
        }
        addMover(translation, &movers);
        addMover(model.joint.hasPivots ? rotation : nullptr, &movers);
        addMover(model.joint.hasPivots ? scale : nullptr, &movers);
        return movers;
    }
    static void addMover(const FbxProperty *property, Movers *movers) {
        if (property) {
            movers->push_back(property);
        }
    }
};

void addNodeTracks(const ClipSource &source, const ModelCourse &course) {
    const FbxModel &model = course.model;
    const Movers movers = course.positionMovers(), scalers = course.scaleMovers();
    if (!movers.empty()) {
        const auto at = [&](double time, bool before) { return valuesOf(course.positionAt(time, before)); };
        addTrack(source, model.node, VKSKIN_CHANNEL_TRANSLATION, {at, false, source.tolerances[model.node]},
                 timesOf(source.stack, movers));
    }
    if (course.rotation) {
        const auto at = [&](double time, bool before) {
            const FbxQuaternion turn = course.turnAt(time, before);
            return FbxValues({turn.x, turn.y, turn.z, turn.w});
        };
        addTrack(source, model.node, VKSKIN_CHANNEL_ROTATION, {at, true, TURN_TOLERANCE},
                 turnTimes(source.stack, *course.rotation));
    }
    if (!scalers.empty()) {
        const auto at = [&](double time, bool before) { return valuesOf(course.scaleAt(time, before)); };
        addTrack(source, model.world, VKSKIN_CHANNEL_SCALE, {at, false, INFINITY}, timesOf(source.stack, scalers));
    }
}

/* Visible or not: two keys where it changes. */
void addVisibility(const ClipSource &source, const FbxModel &model) {
    Movers movers;
    double others = 1.0;
    for (const FbxRecord *shower : model.showers) {
        const FbxProperty *property = source.find(shower, "Visibility");
        ModelCourse::addMover(property, &movers);
        others *= property || source.document.number(*shower, "Visibility", 1.0) != 0.0 ? 1.0 : 0.0;
    }
    if (!model.blinks || movers.empty()) {
        return;
    }
    const auto at = [&](double time, bool before) {
        double shown = others;
        for (const FbxProperty *property : movers) {
            shown *= fbxPropertyAt(source.stack, *property, time, before)[0] != 0.0 ? 1.0 : 0.0;
        }
        return FbxValues({shown, shown, shown});
    };
    addTrack(source, model.carrier, VKSKIN_CHANNEL_SCALE, {at, false, INFINITY}, timesOf(source.stack, movers));
}

/* ---- Morph targets ---- */

void addMorphTrack(const ClipSource &source, uint32_t node, const FbxMorphChannels &channels) {
    Movers moved, movers;
    for (const FbxMorphChannel &channel : channels) {
        moved.push_back(source.find(channel.object, "DeformPercent"));
        ModelCourse::addMover(moved.back(), &movers);
    }
    if (movers.empty()) {
        return;
    }
    const auto at = [&](double time, bool before) {
        FbxValues weights;
        for (size_t i = 0; i < channels.size(); i++) {
            const double percent = moved[i] ? fbxPropertyAt(source.stack, *moved[i], time, before)[0]
                                            : fbxDeformPercent(source.document, channels[i]);
            fbxAddWeights(channels[i], percent, &weights);
        }
        return weights;
    };
    addTrack(source, node, VKSKIN_CHANNEL_MORPH_WEIGHTS, {at, false, MORPH_ERROR}, timesOf(source.stack, movers));
}

/* ---- Clips ---- */

double largestScale(const VkskinAffine &world) {
    double most = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        most = std::fmax(most, std::hypot(double(world.m[0][axis]), world.m[1][axis], world.m[2][axis]));
    }
    return most;
}

/* For each node the length, in the space of its parent at rest, that is SIZE_PART of the diagonal of all meshes. */
std::vector<double> tolerancesOf(const Parts &parts, EngineError *error) {
    std::vector<double> tolerances;
    Bounds bounds;
    require(modelRestBounds(parts.model, &bounds, error));
    const double size = boundsIsEmpty(&bounds) ? 0.0 : double(boundsDiagonal(&bounds));
    for (uint32_t i = 0; i < parts.model->nodeCount; i++) {
        const int32_t parent = parts.model->nodes[i].parent;
        const double scale = parent < 0 ? 1.0 : largestScale(parts.restWorlds[size_t(parent)]);
        const bool known = std::isfinite(size) && size > 0.0 && scale > 0.0;
        tolerances.push_back(known ? SIZE_PART * size / scale : INFINITY);
    }
    return tolerances;
}

/* known: channels of the meshes that are shown. */
void warnOfClip(const ClipSource &source, const std::set<const FbxRecord *> &known) {
    const char *name = source.stack.name.c_str();
    if (source.stack.repairs > 0) {
        childWarn(source.model,
                  "clip '%.100s': %u curves are damaged: keys that are not finite or not in order are dropped", name,
                  source.stack.repairs);
    }
    for (const FbxProperty &property : source.stack.properties) {
        source.model->repairs.tracksDropped += property.name == "DeformPercent" && known.count(property.object) == 0;
        std::vector<double> times;
        const auto node = source.nodes.models.find(property.object);
        if (node != source.nodes.models.end() && node->second.joint.rotationLimits.any &&
            fbxCombinesTurns(source.stack, property)) {
            childWarn(source.model, "clip '%.100s' combines turns of node '%.100s' in layers; its limits do not count",
                      name, fbxName(*property.object).c_str());
        }
        if (!fbxAddTimes(source.stack, property, &times)) {
            childWarn(source.model, "clip '%.100s' repeats keys of node '%.100s' more often than is read", name,
                      fbxName(*property.object).c_str());
        }
    }
}

void fillClip(ClipSource &source, const FbxMorphs &morphs) {
    for (const FbxProperty &property : source.stack.properties) {
        source.properties[{property.object, property.name}] = &property;
    }
    for (const FbxNode &node : source.nodes.list) {
        if (node.object) {
            const ModelCourse course = ModelCourse::courseOf(source, *node.object);
            addNodeTracks(source, course);
            addVisibility(source, course.model);
        }
    }
    std::set<const FbxRecord *> known;
    for (const auto &entry : morphs) {
        addMorphTrack(source, entry.first, entry.second);
        for (const FbxMorphChannel &channel : entry.second) {
            known.insert(channel.object);
        }
    }
    warnOfClip(source, known);
}

/* TimeMode, whose mode 0 is the default of the format; 0: not stated, or no rate that the model can hold. */
float framesPerSecond(const FbxDocument &document) {
    static const double RATES[] = {30.0, 120.0,      100.0,      60.0,       50.0,       48.0,   30.0,
                                   30.0, NTSC(30.0), NTSC(30.0), 25.0,       24.0,       1000.0, NTSC(24.0),
                                   0.0,  96.0,       72.0,       NTSC(60.0), NTSC(120.0)};
    const double mode = document.setting("TimeMode", -1.0);
    const bool known = mode >= 0.0 && mode < double(std::size(RATES));
    const double rate = mode == CUSTOM_MODE ? document.setting("CustomFrameRate", 0.0)
                        : known             ? RATES[size_t(mode)]
                                            : 0.0;
    return rate > 0.0 && std::isfinite(float(rate)) ? float(rate) : 0.0f;
}

} // namespace

void fbxAddClips(const FbxDocument &document, const std::vector<FbxStack> &stacks, const FbxNodes &nodes,
                 const FbxMorphs &morphs, const Parts &parts, EngineError *error) {
    Model *model = parts.model;
    const std::vector<double> tolerances = tolerancesOf(parts, error);
    model->clips = newArray<ModelClip>(stacks.size());
    for (const FbxStack &stack : stacks) {
        if (stack.properties.empty()) {
            continue;
        }
        ModelClip *clip = &model->clips[model->clipCount];
        clip->name = nameOr(stack.name.c_str(), "clip ", model->clipCount++);
        clip->duration = float(stack.stop - stack.start);
        clip->framesPerSecond = framesPerSecond(document);
        clip->tracks = newArray<VkskinTrack>(nodes.list.size() * 4);
        ClipSource source = {document, nodes, stack, {}, tolerances, model, clip};
        fillClip(source, morphs);
    }
}
