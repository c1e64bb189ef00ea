#include "fbx_nodes.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace {

const FbxVector NONE = {0.0, 0.0, 0.0}, ONE = {1.0, 1.0, 1.0};

/* ---- What clips change ---- */

enum Scale { SCALE_ONE, SCALE_UNIFORM, SCALE_ANY };

Scale scaleOf(const FbxVector &scale) {
    const double tolerance = 1e-5 * std::fabs(scale[0]);
    const bool uniform = std::fabs(scale[0] - scale[1]) <= tolerance && std::fabs(scale[0] - scale[2]) <= tolerance;
    return !uniform ? SCALE_ANY : std::fabs(scale[0] - 1.0) > 1e-5 ? SCALE_UNIFORM : SCALE_ONE;
}

/* At the keys of a clip and between them. */
Scale scaleOf(const FbxStack &stack, const FbxProperty &property) {
    std::vector<double> times = {stack.start};
    (void)fbxAddTimes(stack, property, &times);
    std::sort(times.begin(), times.end());
    Scale scale = SCALE_ONE;
    for (size_t i = 0; i < times.size() && scale != SCALE_ANY; i++) {
        const double middle = 0.5 * (times[i] + times[std::min(i + 1, times.size() - 1)]);
        scale = std::max(scale, scaleOf(fbxPropertyAt(stack, property, times[i], false)));
        scale = std::max(scale, scaleOf(fbxPropertyAt(stack, property, middle, false)));
    }
    return scale;
}

struct Changes {
    std::map<const FbxRecord *, Scale> scales; /* by Model, if a clip moves its scale: in all clips */
    std::set<const FbxRecord *> visibilities;  /* Models that a clip shows and hides */
};

Changes changesOf(const std::vector<FbxStack> &stacks) {
    Changes changes;
    for (const FbxStack &stack : stacks) {
        for (const FbxProperty &property : stack.properties) {
            if (property.name == "Lcl Scaling") {
                Scale &scale = changes.scales.insert({property.object, SCALE_ONE}).first->second;
                scale = std::max(scale, scaleOf(stack, property));
            } else if (property.name == "Visibility" && fbxChanges(stack, property)) {
                changes.visibilities.insert(property.object);
            }
        }
    }
    return changes;
}

/* ---- Parents ---- */

/* Null: the root. */
const FbxRecord *parentOf(const FbxDocument &document, const FbxRecord &object, Model *model) {
    const FbxRecord *parent = nullptr;
    for (const FbxLink &link : document.upper(object, "Model")) {
        if (link.property.empty() && link.object != &object) {
            if (parent && parent != link.object) {
                childWarn(model, "node '%.200s' has several parents; it is below the first, '%.200s'",
                          fbxName(object).c_str(), fbxName(*parent).c_str());
                break;
            }
            parent = link.object;
        }
    }
    return parent;
}

/* ---- Nodes ---- */

class NodesReader {
  public:
    NodesReader(const FbxDocument &from, const std::vector<FbxStack> &stacks, Model *to)
        : document(from), model(to), changes(changesOf(stacks)) {
    }

    FbxNodes read() {
        std::vector<const FbxRecord *> all;
        for (const FbxRecord &object : document.root.childrenOf("Objects")) {
            const auto known = document.objects.find(fbxId(object));
            if (object.name == "Model" && known != document.objects.end() && known->second == &object) {
                all.push_back(&object);
                children[parentOf(document, object, model)].push_back(&object);
            }
        }
        (void)add("RootNode", 0, nullptr, {});
        addAll(children[nullptr]);
        for (const FbxRecord *object : all) {
            if (nodes.models.count(object) == 0) {
                childWarn(model, "node '%.200s' is below itself; it is put below the root", fbxName(*object).c_str());
                addAll({object});
            }
        }
        showAnything();
        return std::move(nodes);
    }

  private:
    /* A file of invisible meshes alone is shown. */
    void showAnything() {
        const auto carries = [&](const auto &entry) { return !document.lower(*entry.first, "Geometry").empty(); };
        const auto shown = [&](const auto &entry) { return carries(entry) && !entry.second.gone; };
        const bool any = std::any_of(nodes.models.begin(), nodes.models.end(), carries);
        if (!any || std::any_of(nodes.models.begin(), nodes.models.end(), shown)) {
            return;
        }
        for (auto &entry : nodes.models) {
            entry.second.alwaysHidden = document.number(*entry.first, "Show", 1.0) == 0.0;
        }
        childWarn(model, "every mesh is invisible at all times; the meshes are shown");
    }

    uint32_t add(const std::string &name, uint32_t parent, const FbxRecord *object, const FbxTransform &rest) {
        nodes.list.push_back({name, nodes.list.empty() ? -1 : int32_t(parent), object, rest});
        return uint32_t(nodes.list.size() - 1);
    }

    /* Level by level. */
    void addAll(const std::vector<const FbxRecord *> &top) {
        std::vector<std::pair<const FbxRecord *, const FbxModel *>> queue;
        queue.reserve(top.size());
        for (const FbxRecord *object : top) {
            queue.emplace_back(object, nullptr);
        }
        for (size_t i = 0; i < queue.size(); i++) {
            const auto next = queue[i];
            const auto added = nodes.models.insert({next.first, FbxModel()});
            if (added.second) {
                addModel(*next.first, next.second, &added.first->second);
                for (const FbxRecord *child : children[next.first]) {
                    queue.emplace_back(child, &added.first->second);
                }
            }
        }
    }

    void addModel(const FbxRecord &object, const FbxModel *parent, FbxModel *to) {
        to->joint = fbxReadJoint(document, object);
        to->parent = parent;
        to->inherit = inheritOf(object, parent);
        setScale(object, to);
        setVisibility(object, to);
        const std::vector<const FbxRecord *> &below = children[&object];
        const bool split = std::any_of(below.begin(), below.end(), [&](const FbxRecord *child) {
            return inheritOf(*child, to) != FBX_INHERIT_MATRIX;
        });
        FbxTransform rest = fbxRest(to->joint);
        const FbxVector scale = fbxScaled(rest.scale, to->inheritedScale);
        const bool product = to->inherit == FBX_INHERIT_MATRIX;
        rest.translation = product
                               ? rest.translation
                               : fbxScaled(rest.translation, fbxScaled(parent->joint.scale, parent->inheritedScale));
        rest.scale = split ? ONE : scale;
        const uint32_t above = !parent ? 0 : product ? parent->world : parent->node;
        to->node = to->world = add(fbxName(object), above, &object, rest);
        if (split) {
            to->world = add(fbxName(object) + " scale", to->node, nullptr, {{}, {}, scale});
        }
        addCarrier(object, to);
        if (document.number(object, "RotationOrder", 0.0) == FBX_ORDER_SPHERIC) {
            childWarn(model, "node '%.200s' has the rotation order SphericXYZ; it is posed in the order XYZ",
                      fbxName(object).c_str());
        }
    }

    void addCarrier(const FbxRecord &object, FbxModel *to) {
        const FbxTransform geometry = fbxGeometric(document, object);
        const std::vector<FbxLink> meshes = document.lower(object, "Geometry");
        const bool same = geometry.translation == NONE && geometry.rotation.w == 1.0 && geometry.scale == ONE;
        const bool skinned =
            std::any_of(meshes.begin(), meshes.end(), [&](const FbxLink &mesh) { return isSkinned(mesh); });
        to->carrier =
            same || meshes.empty() ? to->world : add(fbxName(object) + " geometry", to->world, nullptr, geometry);
        to->blinks = !to->showers.empty() && !meshes.empty() && !skinned;
        if (to->blinks) {
            const double shown = to->visible ? 1.0 : 0.0;
            to->carrier = add(fbxName(object) + " shown", to->carrier, nullptr, {{}, {}, {shown, shown, shown}});
        } else if (!to->showers.empty() && skinned) {
            childWarn(model, "clips show and hide node '%.200s', which is not read: its mesh is skinned",
                      fbxName(object).c_str());
        }
    }

    bool isSkinned(const FbxLink &mesh) const {
        const std::vector<FbxLink> deformers = document.lower(*mesh.object, "Deformer");
        return std::any_of(deformers.begin(), deformers.end(),
                           [](const FbxLink &link) { return fbxType(*link.object) == "Skin"; });
    }

    /* ---- Scale ---- */

    /* What the Model itself has, at rest and in every clip. */
    Scale ownScale(const FbxRecord &object, const FbxJoint &joint) const {
        const auto moved = changes.scales.find(&object);
        return std::max(scaleOf(joint.scale), moved == changes.scales.end() ? SCALE_ONE : moved->second);
    }

    /* InheritType where it makes a difference: below a scale that is not uniform, 2 below any. */
    FbxInherit inheritOf(const FbxRecord &object, const FbxModel *parent) const {
        const double type = document.number(object, "InheritType", FBX_INHERIT_MATRIX);
        if (!parent || type == FBX_INHERIT_MATRIX) {
            return FBX_INHERIT_MATRIX;
        }
        const Scale own = scales.at(parent).first, inherited = scales.at(parent).second;
        const bool matters = type == FBX_INHERIT_NO_PARENT ? own != SCALE_ONE || inherited == SCALE_ANY
                                                           : std::max(own, inherited) == SCALE_ANY;
        return !matters ? FBX_INHERIT_MATRIX : type == FBX_INHERIT_NO_PARENT ? FBX_INHERIT_NO_PARENT : FBX_INHERIT_AXES;
    }

    void setScale(const FbxRecord &object, FbxModel *to) {
        const FbxModel *parent = to->parent;
        const bool product = to->inherit == FBX_INHERIT_MATRIX, axes = to->inherit == FBX_INHERIT_AXES;
        Scale inherited = SCALE_ONE;
        to->inheritedScale = to->steadyScale = ONE;
        if (!product) {
            inherited = axes ? std::max(scales.at(parent).first, scales.at(parent).second) : scales.at(parent).second;
            to->inheritedScale = parent->inheritedScale;
            to->steadyScale = parent->steadyScale;
            to->scalers = parent->scalers;
        }
        if (axes) {
            to->inheritedScale = fbxScaled(to->inheritedScale, parent->joint.scale);
            addScaler(object, to);
        }
        scales[to] = {ownScale(object, to->joint), inherited};
    }

    /* The scale of the parent. */
    void addScaler(const FbxRecord &object, FbxModel *to) {
        const FbxRecord *above = nodes.list[to->parent->node].object;
        const bool moved = changes.scales.count(above) > 0, fits = to->scalers.size() < FBX_SCALERS_MAX;
        if (moved && fits) {
            to->scalers.push_back(above);
        } else {
            to->steadyScale = fbxScaled(to->steadyScale, to->parent->joint.scale);
        }
        if (moved && !fits) {
            childWarn(model, "node '%.200s' is scaled by more than %u moving nodes; the others are taken at rest",
                      fbxName(object).c_str(), FBX_SCALERS_MAX);
        }
    }

    /* ---- Visibility ---- */

    void setVisibility(const FbxRecord &object, FbxModel *to) {
        const bool inherits = to->parent && document.number(object, "Visibility Inheritance", 1.0) != 0.0;
        const bool own = document.number(object, "Visibility", 1.0) != 0.0,
                   moved = changes.visibilities.count(&object) > 0;
        to->visible = own && (!inherits || to->parent->visible);
        to->gone = (!own && !moved) || (inherits && to->parent->gone);
        to->alwaysHidden = to->gone || document.number(object, "Show", 1.0) == 0.0;
        if (inherits) {
            to->showers = to->parent->showers;
        }
        if (moved && to->showers.size() < FBX_SCALERS_MAX) {
            to->showers.push_back(&object);
        }
    }

    const FbxDocument &document;
    Model *model;
    const Changes changes;
    std::map<const FbxRecord *, std::vector<const FbxRecord *>> children; /* null: below the root */
    std::map<const FbxModel *, std::pair<Scale, Scale>> scales;           /* own, inherited */
    FbxNodes nodes;
};

} // namespace

FbxNodes fbxReadNodes(const FbxDocument &document, const std::vector<FbxStack> &stacks, Model *model) {
    return NodesReader(document, stacks, model).read();
}
