#include "fbx_extent.h"

#include <algorithm>
#include <cmath>

namespace {

/* Three axes and an origin. */
struct World {
    FbxVector axes[3];
    FbxVector origin;

    FbxVector at(const FbxVector &point) const {
        FbxVector result = origin;
        for (size_t i = 0; i < 3; i++) {
            result = fbxSum(result, axes[i], point[i]);
        }
        return result;
    }
    double largestScale() const {
        double most = 0.0;
        for (const FbxVector &axis : axes) {
            most = std::fmax(most, std::hypot(axis[0], axis[1], axis[2]));
        }
        return most;
    }
};

World worldOf(const World &parent, const FbxTransform &local) {
    World world = {{}, parent.at(local.translation)};
    for (size_t i = 0; i < 3; i++) {
        FbxVector axis = {0.0, 0.0, 0.0};
        axis[i] = local.scale[i];
        world.axes[i] = fbxSum(parent.at(fbxTurned(local.rotation, axis)), parent.origin, -1.0);
    }
    return world;
}

struct Box {
    FbxVector least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};

    void add(const FbxVector &point) {
        for (size_t i = 0; i < 3 && std::isfinite(point[0] + point[1] + point[2]); i++) {
            least[i] = std::fmin(least[i], point[i]);
            most[i] = std::fmax(most[i], point[i]);
        }
    }
    void add(const Box &box, const World &world) {
        for (unsigned corner = 0; corner < 8 && box.most[0] >= box.least[0]; corner++) {
            add(world.at({corner & 1 ? box.most[0] : box.least[0], corner & 2 ? box.most[1] : box.least[1],
                          corner & 4 ? box.most[2] : box.least[2]}));
        }
    }
    double diagonal() const {
        return std::hypot(most[0] - least[0], most[1] - least[1], most[2] - least[2]);
    }
};

Box boxOf(const FbxRecord &geometry) {
    Box box;
    const FbxRecord *vertices = geometry.child("Vertices");
    for (size_t i = 0; vertices && i + 2 < vertices->array.size(); i += 3) {
        box.add({vertices->array.number(i), vertices->array.number(i + 1), vertices->array.number(i + 2)});
    }
    return box;
}

} // namespace

std::vector<double> fbxTolerances(const FbxDocument &document, const FbxNodes &nodes, double part) {
    std::map<const FbxRecord *, Box> boxes; /* by geometry, which many nodes may carry */
    std::vector<World> worlds;
    for (const FbxNode &node : nodes.list) {
        const World root = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
        worlds.push_back(worldOf(node.parent < 0 ? root : worlds[size_t(node.parent)], node.rest));
    }
    Box all;
    for (const auto &model : nodes.models) {
        for (const FbxLink &link : document.lower(*model.first, "Geometry")) {
            const auto added = boxes.insert({link.object, Box()});
            added.first->second = added.second ? boxOf(*link.object) : added.first->second;
            all.add(added.first->second, worlds[model.second.carrier]);
        }
    }
    const double size = all.diagonal();
    std::vector<double> tolerances;
    for (const FbxNode &node : nodes.list) {
        const double scale = node.parent < 0 ? 1.0 : worlds[size_t(node.parent)].largestScale();
        const bool known = std::isfinite(size) && size > 0.0 && scale > 0.0;
        tolerances.push_back(known ? part * size / scale : INFINITY);
    }
    return tolerances;
}
