#include "fbx_keys.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace {

/* ---- Objects and connections ---- */

struct Link {
    int64_t parent;
    std::string property; /* "" for an object below another one */
};

struct Document {
    std::map<int64_t, const FbxRecord *> objects;
    std::multimap<int64_t, Link> links; /* by the child */
};

Document readDocument(const FbxRecord &root) {
    Document document;
    const FbxRecord *objects = root.child("Objects"), *connections = root.child("Connections");
    for (size_t i = 0; objects && i < objects->children.size(); i++) {
        document.objects[objects->children[i].integerOf(0)] = &objects->children[i];
    }
    for (size_t i = 0; connections && i < connections->children.size(); i++) {
        const FbxRecord &link = connections->children[i];
        document.links.insert({link.integerOf(1), {link.integerOf(2), link.textOf(3)}});
    }
    return document;
}

/* "Model::Arm" in text files, "Arm", a zero byte and more in binary ones. */
std::string nameOf(const FbxRecord &object) {
    const std::string text = object.textOf(1);
    const size_t zero = text.find('\0'), colons = text.find("::");
    return zero != std::string::npos     ? text.substr(0, zero)
           : colons == std::string::npos ? text
                                         : text.substr(colons + 2);
}

/* Calls act(parent, property) for each object of that kind above `id`. */
template <typename Act> void forParents(const Document &document, int64_t id, const char *kind, Act act) {
    const auto range = document.links.equal_range(id);
    for (auto link = range.first; link != range.second; ++link) {
        const auto parent = document.objects.find(link->second.parent);
        if (parent != document.objects.end() && parent->second->name == kind) {
            act(*parent->second, link->second.property);
        }
    }
}

/* ---- Curves ---- */

#define SECOND        46186158000.0 /* ticks */
#define DISTANT       0.05          /* seconds between keys; closer ones are samples */
#define CURVED        0.01          /* of the range of values: a difference that counts */
#define FLAG_CONSTANT 0x2
#define FLAG_CUBIC    0x8
#define FLAG_AUTO     0x100 /* the slope follows from the neighbours */

struct Curve {
    std::vector<double> times, values; /* seconds */
    std::vector<int> flags;            /* of each key */
    std::vector<double> slopes;        /* [keys][2]: right of the key, left of the next one; per second */
};

std::vector<double> numbersOf(const FbxRecord &record, const char *name) {
    const FbxRecord *child = record.child(name);
    return child ? child->numbers() : std::vector<double>();
}

/* Flags and slopes are given for runs of keys. Empty where the record is not complete. */
Curve readCurve(const FbxRecord &record) {
    Curve curve = {numbersOf(record, "KeyTime"), numbersOf(record, "KeyValueFloat"), {}, {}};
    const std::vector<double> flags = numbersOf(record, "KeyAttrFlags"), data = numbersOf(record, "KeyAttrDataFloat"),
                              runs = numbersOf(record, "KeyAttrRefCount");
    const size_t keys = std::min(curve.times.size(), curve.values.size());
    for (size_t run = 0; run < std::min(flags.size(), runs.size()) && data.size() >= 4 * (run + 1); run++) {
        const size_t most = runs[run] > 0.0 ? size_t(std::min(runs[run], double(keys))) : 0;
        for (size_t i = 0; i < most && curve.flags.size() < keys; i++) {
            curve.flags.push_back(int(flags[run]));
            curve.slopes.insert(curve.slopes.end(), {data[4 * run], data[4 * run + 1]});
        }
    }
    if (curve.flags.size() != curve.times.size() || keys != curve.times.size()) {
        return Curve();
    }
    for (double &time : curve.times) {
        time /= SECOND;
    }
    return curve;
}

/* The slope at a key as FLAG_AUTO asks for it. */
double slopeAt(const Curve &curve, size_t key) {
    if (key == 0 || key + 1 == curve.times.size()) {
        return 0.0;
    }
    return (curve.values[key + 1] - curve.values[key - 1]) / (curve.times[key + 1] - curve.times[key - 1]);
}

/* How far the curve between two keys is from a line: at a quarter, a half and three quarters. */
double bend(const Curve &curve, size_t key) {
    const double length = curve.times[key + 1] - curve.times[key], step = curve.values[key + 1] - curve.values[key];
    const bool follows = curve.flags[key] & FLAG_AUTO;
    const double right = length * (follows ? slopeAt(curve, key) : curve.slopes[2 * key]) - step;
    const double left = length * (follows ? slopeAt(curve, key + 1) : curve.slopes[2 * key + 1]) - step;
    double most = 0.0;
    for (double s : {0.25, 0.5, 0.75}) {
        most = std::fmax(most, std::fabs(s * (1 - s) * ((1 - s) * right - s * left)));
    }
    return most;
}

struct Manner {
    bool stepped, curved;
};

Manner mannerOf(const Curve &curve) {
    Manner manner = {false, false};
    const auto range = std::minmax_element(curve.values.begin(), curve.values.end());
    for (size_t k = 0; k + 1 < curve.times.size(); k++) {
        const double counts = CURVED * (*range.second - *range.first);
        const bool distant = curve.times[k + 1] - curve.times[k] > DISTANT;
        manner.stepped |= (curve.flags[k] & FLAG_CONSTANT) && std::fabs(curve.values[k + 1] - curve.values[k]) > counts;
        manner.curved |= distant && (curve.flags[k] & FLAG_CUBIC) && bend(curve, k) > counts;
    }
    return manner;
}

/* ---- Clips ---- */

using Names = std::set<std::string>;

struct ClipNodes {
    Names stepped, curved, layered;
    std::map<std::string, std::set<int64_t>> layers; /* of each node and property */
};

void addCurve(const Document &document, const FbxRecord &record, std::map<std::string, ClipNodes> &clips) {
    const Manner manner = mannerOf(readCurve(record));
    forParents(document, record.integerOf(0), "AnimationCurveNode", [&](const FbxRecord &curves, const std::string &) {
        forParents(document, curves.integerOf(0), "AnimationLayer", [&](const FbxRecord &layer, const std::string &) {
            forParents(document, layer.integerOf(0), "AnimationStack",
                       [&](const FbxRecord &stack, const std::string &) {
                           ClipNodes &clip = clips[nameOf(stack)];
                           forParents(document, curves.integerOf(0), "Model",
                                      [&](const FbxRecord &node, const std::string &what) {
                                          const std::string name = nameOf(node);
                                          std::set<int64_t> &layers = clip.layers[name + '\n' + what];
                                          layers.insert(layer.integerOf(0));
                                          if (layers.size() > 1) {
                                              clip.layered.insert(name);
                                          }
                                          if (manner.stepped) {
                                              clip.stepped.insert(name);
                                          }
                                          if (manner.curved) {
                                              clip.curved.insert(name);
                                          }
                                      });
                       });
        });
    });
}

void warn(Model *model, const std::string &clip, const Names &nodes, const char *what) {
    std::string list;
    size_t shown = 0;
    for (const std::string &name : nodes) {
        if (shown++ < 4) {
            list += (list.empty() ? "'" : ", '") + name.substr(0, 60) + "'";
        }
    }
    if (nodes.size() > 4) {
        list += " and " + std::to_string(nodes.size() - 4) + " more";
    }
    if (!nodes.empty()) {
        childWarn(model, "clip '%.60s': %s: %s", clip.c_str(), what, list.c_str());
    }
}

} // namespace

void fbxWarnOfKeys(const FbxRecord &root, Model *model) {
    const Document document = readDocument(root);
    std::map<std::string, ClipNodes> clips;
    for (const auto &object : document.objects) {
        if (object.second->name == "AnimationCurve") {
            addCurve(document, *object.second, clips);
        }
    }
    for (const auto &clip : clips) {
        warn(model, clip.first, clip.second.stepped, "stepped keys are played as linear ones at nodes");
        warn(model, clip.first, clip.second.curved, "curves between keys are played as lines at nodes");
        warn(model, clip.first, clip.second.layered, "several layers move the same nodes, but only one counts");
    }
}
