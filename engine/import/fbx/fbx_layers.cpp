#include "fbx_layers.h"

#include <algorithm>
#include <cmath>

namespace {

/* ---- Reading ---- */

FbxLayer readLayer(const FbxDocument &document, const FbxRecord &record, bool base) {
    const double blend = document.number(record, "BlendMode", 0.0);
    FbxLayer layer = {&record,
                      base,
                      blend == 1.0   ? FBX_REPLACE
                      : blend == 2.0 ? FBX_MIX
                                     : FBX_ADD,
                      document.number(record, "RotationAccumulationMode", 0.0) == 0.0,
                      document.number(record, "ScaleAccumulationMode", 0.0) == 0.0,
                      std::fmin(std::fmax(0.01 * document.number(record, "Weight", 100.0), 0.0), 1.0),
                      {}};
    for (const FbxLink &curves : document.lower(record, "AnimationCurveNode")) {
        for (const FbxLink &curve : document.lower(*curves.object, "AnimationCurve")) {
            layer.weights = curves.property == "Weight" ? fbxReadCurve(*curve.object) : layer.weights;
        }
    }
    return layer;
}

std::vector<FbxLayer> readLayers(const FbxDocument &document, const FbxRecord &stack) {
    std::vector<FbxLayer> all, solo;
    bool base = true;
    for (const FbxLink &link : document.lower(stack, "AnimationLayer")) {
        const FbxLayer layer = readLayer(document, *link.object, base);
        base = false;
        if (document.number(*link.object, "Solo", 0.0) != 0.0) {
            solo.push_back(layer);
        }
        if (document.number(*link.object, "Mute", 0.0) == 0.0) {
            all.push_back(layer);
        }
    }
    return solo.empty() ? all : solo;
}

const char *const COMPONENTS[] = {"d|X", "d|Y", "d|Z"};

size_t componentOf(const std::string &name) {
    return name == COMPONENTS[1] ? 1 : name == COMPONENTS[2] ? 2 : 0;
}

/* What a component without keys has: in a layer that adds, nothing. */
FbxVector defaultsOf(const FbxDocument &document, const FbxRecord &curves, const FbxProperty &property, bool adds) {
    FbxVector defaults = property.rest;
    for (size_t i = 0; i < 3; i++) {
        const double missing = !adds ? property.rest[i] : property.name == "Lcl Scaling" ? 1.0 : 0.0;
        defaults[i] = document.number(curves, COMPONENTS[i], missing);
    }
    if (property.name.compare(0, 4, "Lcl ") != 0) {
        defaults[0] = document.number(curves, ("d|" + property.name).c_str(), defaults[0]);
    }
    return defaults;
}

/* A node without curves counts too: with its defaults. */
void addKeys(const FbxDocument &document, size_t layer, const FbxRecord &curves, FbxStack *stack,
             FbxProperty *property) {
    const bool adds = !stack->layers[layer].base && stack->layers[layer].blend == FBX_ADD;
    FbxLayerKeys keys = {layer, defaultsOf(document, curves, *property, adds), {}};
    for (const FbxLink &link : document.lower(curves, "AnimationCurve")) {
        FbxCurve &curve = keys.curves[componentOf(link.property)];
        curve = fbxReadCurve(*link.object);
        property->moved = property->moved || !curve.empty();
        stack->repairs += curve.repaired;
    }
    property->keys.push_back(std::move(keys));
}

/* Percent of a morph channel: a property, or a record of the channel itself. */
FbxVector restOf(const FbxDocument &document, const FbxRecord &object, const std::string &name) {
    if (name.compare(0, 4, "Lcl ") == 0) {
        return document.vector(object, name.c_str(), name == "Lcl Scaling" ? 1.0 : 0.0);
    }
    const FbxRecord *own = object.child(name.c_str());
    const double stated = own && !own->values.empty() ? own->values[0].number : name == "Visibility" ? 1.0 : 0.0;
    const double number = document.number(object, name.c_str(), stated);
    return {number, number, number};
}

bool isRead(const FbxLink &link) {
    return link.object->name == "Model" ? link.property.compare(0, 4, "Lcl ") == 0 || link.property == "Visibility"
                                        : link.property == "DeformPercent";
}

void addLayer(const FbxDocument &document, size_t layer, std::map<std::pair<int64_t, std::string>, size_t> &found,
              FbxStack *stack) {
    for (const FbxLink &curves : document.lower(*stack->layers[layer].record, "AnimationCurveNode")) {
        for (const char *kind : {"Model", "Deformer"}) {
            for (const FbxLink &link : document.upper(*curves.object, kind)) {
                const auto added = found.insert({{fbxId(*link.object), link.property}, stack->properties.size()});
                if (added.second) {
                    stack->properties.push_back(
                        {link.object, link.property, restOf(document, *link.object, link.property), {}, false});
                }
                if (isRead(link)) {
                    addKeys(document, layer, *curves.object, stack, &stack->properties[added.first->second]);
                }
            }
        }
    }
}

/* Two writings of the same number. */
bool isNear(const FbxVector &a, const FbxVector &b) {
    const FbxVector way = fbxSum(a, b, -1.0);
    return std::fabs(way[0]) + std::fabs(way[1]) + std::fabs(way[2]) <=
           1e-5 * (1.0 + std::fabs(b[0]) + std::fabs(b[1]) + std::fabs(b[2]));
}

/* The time of the stack; where it states none, that of its keys. */
void setTimes(const FbxDocument &document, const FbxRecord &record, FbxStack *stack) {
    for (const std::string kind : {"Local", "Reference"}) {
        stack->start = document.number(record, (kind + "Start").c_str(), 0.0) / FBX_SECOND;
        stack->stop = document.number(record, (kind + "Stop").c_str(), 0.0) / FBX_SECOND;
        if (stack->stop > stack->start) {
            return;
        }
    }
    std::vector<double> times;
    stack->stop = stack->start;
    for (const FbxProperty &property : stack->properties) {
        (void)fbxAddTimes(*stack, property, &times);
    }
    const auto range = std::minmax_element(times.begin(), times.end());
    stack->start = times.empty() ? 0.0 : *range.first;
    stack->stop = times.empty() ? 0.0 : *range.second;
}

FbxStack readStack(const FbxDocument &document, const FbxRecord &record) {
    std::map<std::pair<int64_t, std::string>, size_t> found;
    FbxStack stack = {fbxName(record), 0.0, 0.0, readLayers(document, record), {}, 0};
    for (size_t i = 0; i < stack.layers.size(); i++) {
        addLayer(document, i, found, &stack);
    }
    const auto isStill = [&](const FbxProperty &property) {
        return !property.moved && isNear(fbxPropertyAt(stack, property, 0.0, false), property.rest);
    };
    stack.properties.erase(std::remove_if(stack.properties.begin(), stack.properties.end(), isStill),
                           stack.properties.end());
    setTimes(document, record, &stack);
    return stack;
}

/* ---- Values ---- */

FbxVector keysAt(const FbxLayerKeys &keys, double time, bool before) {
    FbxVector value = keys.defaults;
    for (size_t i = 0; i < 3; i++) {
        value[i] = keys.curves[i].empty() ? value[i] : fbxCurveAt(keys.curves[i], time, before);
    }
    return value;
}

double weightAt(const FbxLayer &layer, double time, bool before) {
    const double percent = layer.weights.empty() ? 100.0 * layer.weight : fbxCurveAt(layer.weights, time, before);
    return std::fmin(std::fmax(0.01 * percent, 0.0), 1.0);
}

double power(double value, double exponent) {
    return value < 0.0 ? -std::pow(-value, exponent) : std::pow(value, exponent);
}

double blended(const FbxLayer &layer, bool multiplies, double lower, double value, double weight) {
    if (layer.blend == FBX_REPLACE) {
        return value;
    }
    if (layer.blend == FBX_ADD) {
        return multiplies ? lower * power(value, weight) : lower + weight * value;
    }
    return multiplies ? power(lower, 1.0 - weight) * power(value, weight) : lower + weight * (value - lower);
}

FbxVector blendedAll(const FbxLayer &layer, bool multiplies, const FbxVector &lower, const FbxVector &value,
                     double weight) {
    FbxVector result = lower;
    for (size_t i = 0; i < 3; i++) {
        result[i] = blended(layer, multiplies, lower[i], value[i], weight);
    }
    return result;
}

FbxQuaternion blendedTurn(const FbxLayer &layer, const FbxQuaternion &lower, const FbxQuaternion &turn, double weight) {
    return layer.blend == FBX_REPLACE ? turn
           : layer.blend == FBX_ADD   ? fbxProduct(lower, fbxBetween({}, turn, weight))
                                      : fbxBetween(lower, turn, weight);
}

} // namespace

std::vector<FbxStack> fbxReadStacks(const FbxDocument &document) {
    std::vector<FbxStack> stacks;
    for (const FbxRecord &object : document.root.childrenOf("Objects")) {
        if (object.name == "AnimationStack") {
            stacks.push_back(readStack(document, object));
        }
    }
    return stacks;
}

FbxVector fbxPropertyAt(const FbxStack &stack, const FbxProperty &property, double time, bool before) {
    FbxVector result = property.rest;
    for (const FbxLayerKeys &keys : property.keys) {
        const FbxLayer &layer = stack.layers[keys.layer];
        const FbxVector own = keysAt(keys, time, before);
        const bool multiplies = layer.scales && property.name == "Lcl Scaling";
        result = layer.base ? own : blendedAll(layer, multiplies, result, own, weightAt(layer, time, before));
    }
    return result;
}

/* Angles are added as long as no layer combines turns. */
FbxQuaternion fbxTurnAt(const FbxStack &stack, const FbxProperty &property, const FbxJoint &joint, double time,
                        bool before) {
    FbxVector angles = property.rest;
    FbxQuaternion turn = fbxTurn(angles, joint.order);
    bool turns = false;
    for (const FbxLayerKeys &keys : property.keys) {
        const FbxLayer &layer = stack.layers[keys.layer];
        const FbxVector own = keysAt(keys, time, before);
        const double weight = weightAt(layer, time, before);
        turns = !layer.base && (turns || layer.turns) && layer.blend != FBX_REPLACE;
        angles = layer.base ? own : blendedAll(layer, false, angles, own, weight);
        turn = turns ? blendedTurn(layer, turn, fbxTurn(own, joint.order), weight) : fbxTurn(angles, joint.order);
    }
    return turns ? turn : fbxTurn(fbxLimited(angles, joint.rotationLimits), joint.order);
}

bool fbxCombinesTurns(const FbxStack &stack, const FbxProperty &property) {
    return std::any_of(property.keys.begin(), property.keys.end(), [&](const FbxLayerKeys &keys) {
        const FbxLayer &layer = stack.layers[keys.layer];
        return property.name == "Lcl Rotation" && !layer.base && layer.turns && layer.blend != FBX_REPLACE;
    });
}

bool fbxChanges(const FbxStack &stack, const FbxProperty &property) {
    std::vector<double> times = {stack.start};
    (void)fbxAddTimes(stack, property, &times);
    return std::any_of(times.begin(), times.end(), [&](double time) {
        return fbxPropertyAt(stack, property, time, false)[0] != fbxPropertyAt(stack, property, times[0], false)[0];
    });
}

bool fbxAddTimes(const FbxStack &stack, const FbxProperty &property, std::vector<double> *times) {
    const bool limited = stack.stop > stack.start;
    bool all = true;
    const auto add = [&](const FbxCurve &curve) {
        const double start = limited ? stack.start : HUGE_VAL, stop = limited ? stack.stop : -HUGE_VAL;
        const bool fits = curve.empty() || fbxCurveTimes(curve, start, stop, times);
        all = all && fits;
    };
    for (const FbxLayerKeys &keys : property.keys) {
        std::for_each(keys.curves, keys.curves + 3, add);
        if (!stack.layers[keys.layer].base) {
            add(stack.layers[keys.layer].weights);
        }
    }
    return all;
}
