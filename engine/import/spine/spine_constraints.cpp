/* spine_constraints.cpp: the constraints of a Spine file, in the order in which they are applied. */
#include "spine_source.h"

#include <algorithm>
#include <iterator>

namespace {

/* One constraint and its place. */
struct Entry {
    const cJSON *item;
    uint32_t kind;
    double order;
};

void readBones(SpineSource &source, const cJSON *item, SpineConstraint &constraint, const std::string &where) {
    const cJSON *entry;
    cJSON_ArrayForEach(entry, memberOf(item, "bones")) {
        const std::string bone = cJSON_IsString(entry) ? entry->valuestring : "";
        append(constraint.bones, constraint.boneCount) = source.find(source.bones, "bone", bone, where);
    }
    if (constraint.kind == SPINE_PHYSICS) {
        append(constraint.bones, constraint.boneCount) =
            source.find(source.bones, "bone", textOf(item, "bone", ""), where);
    }
    require(constraint.boneCount > 0 || engineFail(source.error, "%.120s has no bones", where.c_str()));
}

void readIk(SpineSource &source, const cJSON *item, SpineConstraint &constraint, const std::string &where) {
    const SpineBone *bones = source.spine->bones;
    bool chain =
        constraint.boneCount == 1 ||
        (constraint.boneCount == 2 && bones[constraint.bones[1]].parent == static_cast<int32_t>(constraint.bones[0]));
    require(chain || engineFail(source.error, "%.120s needs one bone, or a bone and its child", where.c_str()));
    constraint.modes[SPINE_IK_UNIFORM] = flagOf(item, "uniform", false);
    constraint.values[SPINE_IK_MIX] = static_cast<float>(source.number(item, "mix", 1.0, where));
    constraint.values[SPINE_IK_SOFTNESS] = static_cast<float>(source.number(item, "softness", 0.0, where));
    constraint.values[SPINE_IK_BEND] = flagOf(item, "bendPositive", true) ? 1.0f : -1.0f;
    constraint.values[SPINE_IK_COMPRESS] = flagOf(item, "compress", false);
    constraint.values[SPINE_IK_STRETCH] = flagOf(item, "stretch", false);
    bool inherits = true;
    for (uint32_t i = 0; i < constraint.boneCount; i++) {
        inherits = inherits && bones[constraint.bones[i]].inherit == SPINE_INHERIT_NORMAL;
    }
    if (constraint.boneCount == 2 && !inherits) {
        source.count("IK constraints of two bones that do not inherit all of their parent, not applied");
    }
}

void readTransform(SpineSource &source, const cJSON *item, SpineConstraint &constraint, const std::string &where) {
    const char *const offsets[] = {"x", "y", "rotation", "scaleX", "scaleY", nullptr, "shearY"};
    for (int i = 0; i < SPINE_LOCAL_COUNT; i++) {
        constraint.offsets[i] = offsets[i] ? static_cast<float>(source.number(item, offsets[i], 0.0, where)) : 0.0f;
    }
    constraint.modes[SPINE_TRANSFORM_LOCAL] = flagOf(item, "local", false);
    constraint.modes[SPINE_TRANSFORM_RELATIVE] = flagOf(item, "relative", false);
    const double x = source.number(item, "mixX", 1.0, where), scale = source.number(item, "mixScaleX", 1.0, where);
    const double mixes[] = {
        source.number(item, "mixRotate", 1.0, where),   x,
        source.number(item, "mixY", x, where),          scale,
        source.number(item, "mixScaleY", scale, where), source.number(item, "mixShearY", 1.0, where)};
    std::copy(std::begin(mixes), std::end(mixes), constraint.values);
}

void readPath(SpineSource &source, const cJSON *item, SpineConstraint &constraint, const std::string &where) {
    static const char *const positions[] = {"fixed", "percent", nullptr};
    constraint.modes[SPINE_PATH_PERCENT] = source.choice(item, "positionMode", positions, 1, where);
    constraint.modes[SPINE_PATH_SPACINGS] =
        source.choice(item, "spacingMode", SPINE_SPACING_NAMES, SPINE_SPACING_LENGTH, where);
    constraint.modes[SPINE_PATH_ROTATES] =
        source.choice(item, "rotateMode", SPINE_ROTATE_NAMES, SPINE_ROTATE_TANGENT, where);
    constraint.offsets[SPINE_ROTATION] = static_cast<float>(source.number(item, "rotation", 0.0, where));
    const double x = source.number(item, "mixX", 1.0, where);
    constraint.values[SPINE_PATH_MIX_ROTATE] = static_cast<float>(source.number(item, "mixRotate", 1.0, where));
    constraint.values[SPINE_PATH_MIX_X] = static_cast<float>(x);
    constraint.values[SPINE_PATH_MIX_Y] = static_cast<float>(source.number(item, "mixY", x, where));
    constraint.values[SPINE_PATH_POSITION] = static_cast<float>(source.number(item, "position", 0.0, where));
    constraint.values[SPINE_PATH_SPACING] = static_cast<float>(source.number(item, "spacing", 0.0, where));
}

/* The values in the order of SPINE_INERTIA and so on, with their defaults. */
const char *const PHYSICS_VALUES[] = {"inertia", "strength", "damping", "mass", "wind", "gravity", "mix"};
const double PHYSICS_DEFAULTS[] = {1.0, 100.0, 1.0, 1.0, 0.0, 0.0, 1.0};

void readPhysics(SpineSource &source, const cJSON *item, SpineConstraint &constraint, const std::string &where) {
    const char *const shares[] = {"x", "y", "rotate", "scaleX", nullptr, "shearX", nullptr};
    for (int i = 0; i < SPINE_LOCAL_COUNT; i++) {
        constraint.offsets[i] = shares[i] ? static_cast<float>(source.number(item, shares[i], 0.0, where)) : 0.0f;
    }
    for (int i = 0; i < SPINE_VALUE_COUNT; i++) {
        const std::string name = PHYSICS_VALUES[i];
        constraint.values[i] = static_cast<float>(source.number(item, name.c_str(), PHYSICS_DEFAULTS[i], where));
        constraint.globals |= static_cast<uint32_t>(flagOf(item, (name + "Global").c_str(), false)) << i;
    }
    constraint.target = constraint.bones[0];
    constraint.limit = static_cast<float>(source.number(item, "limit", 5000.0, where));
    constraint.rate = static_cast<float>(source.number(item, "fps", 60.0, where));
    require((constraint.rate >= 1.0f && constraint.rate <= SPINE_RATE_MAX) ||
            engineFail(source.error, "%.120s: 'fps' is not in 1 to %g", where.c_str(),
                       static_cast<double>(SPINE_RATE_MAX)));
}

void readOne(SpineSource &source, const Entry &entry) {
    const uint32_t index = source.spine->constraintCount;
    const std::string name = textOf(entry.item, "name", "");
    const std::string where = std::string(SPINE_CONSTRAINT_NAMES[entry.kind]) + " constraint '" + name + "'";
    SpineConstraint &constraint = append(source.spine->constraints, source.spine->constraintCount);
    constraint.name = childCopyText(name.c_str());
    constraint.kind = entry.kind;
    constraint.skinOnly = flagOf(entry.item, "skin", false);
    readBones(source, entry.item, constraint, where);
    const std::string target = textOf(entry.item, "target", "");
    if (entry.kind == SPINE_PHYSICS) {
        readPhysics(source, entry.item, constraint, where);
    } else if (entry.kind == SPINE_PATH_FOLLOW) {
        constraint.target = source.find(source.slots, "slot", target, where);
        readPath(source, entry.item, constraint, where);
    } else {
        constraint.target = source.find(source.bones, "bone", target, where);
        entry.kind == SPINE_IK ? readIk(source, entry.item, constraint, where)
                               : readTransform(source, entry.item, constraint, where);
    }
    if (!source.constraints[entry.kind].emplace(name, index).second) {
        source.fail(SPINE_CONSTRAINT_NAMES[entry.kind], name, "exists twice");
    }
}

} // namespace

void spineReadConstraints(SpineSource &source, const cJSON *root) {
    std::vector<Entry> entries;
    for (uint32_t kind = 0; kind < SPINE_CONSTRAINT_COUNT; kind++) {
        const cJSON *item;
        cJSON_ArrayForEach(item, memberOf(root, SPINE_CONSTRAINT_NAMES[kind])) {
            entries.push_back({item, kind, source.number(item, "order", 0.0, "a constraint")});
        }
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry &a, const Entry &b) { return a.order < b.order; });
    for (const Entry &entry : entries) {
        readOne(source, entry);
    }
}
