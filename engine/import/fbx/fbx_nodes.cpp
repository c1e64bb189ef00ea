#include "fbx_nodes.h"

#include "parser.h"

#include <algorithm>
#include <cmath>

namespace {

const double RADIANS = 3.14159265358979323846 / 180.0;
const double ORDER_SPHERIC = 6.0; /* no order of three turns; its meaning is not documented */

FbxVector sum(const FbxVector &a, const FbxVector &b, double factor) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

FbxVector turned(const FbxQuaternion &rotation, const FbxVector &vector) {
    const aiVector3t<double> result = rotation.Rotate({vector[0], vector[1], vector[2]});
    return {result.x, result.y, result.z};
}

/* translation * rotation * scale */
aiMatrix4x4 matrixOf(const FbxVector &translation, const FbxQuaternion &rotation, const FbxVector &scale) {
    const aiMatrix3x3t<double> m = rotation.GetMatrix();
    const auto at = [&](int row, int column) { return float(m[row][column] * scale[column]); };
    return {at(0, 0), at(0, 1), at(0, 2), float(translation[0]), at(1, 0), at(1, 1), at(1, 2), float(translation[1]),
            at(2, 0), at(2, 1), at(2, 2), float(translation[2]), 0.0f,     0.0f,     0.0f,     1.0f};
}

} // namespace

/* ---- Transforms ---- */

/* Order XYZ: x turns first. */
FbxQuaternion fbxTurn(const FbxVector &degrees, int order) {
    static const int axes[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    FbxQuaternion turn;
    for (int axis : axes[order]) {
        const double half = 0.5 * RADIANS * degrees[axis], sine = std::sin(half);
        turn = FbxQuaternion(std::cos(half), axis == 0 ? sine : 0.0, axis == 1 ? sine : 0.0, axis == 2 ? sine : 0.0) *
               turn;
    }
    return turn;
}

FbxVector fbxPosition(const FbxJoint &joint, const FbxVector &translation, const FbxQuaternion &rotation,
                      const FbxVector &scale) {
    FbxVector inner = joint.placeScaled;
    for (int axis = 0; axis < 3; axis++) {
        inner[axis] -= scale[axis] * joint.scalePivot[axis];
    }
    return sum(sum(translation, joint.place, 1.0), turned(rotation, inner), 1.0);
}

FbxJoint fbxReadJoint(const FbxDocument &document, const FbxRecord &node) {
    const FbxVector rotationPivot = document.vector(node, "RotationPivot", 0.0);
    const FbxVector scalePivot = document.vector(node, "ScalingPivot", 0.0);
    const double order = document.number(node, "RotationOrder", 0.0);
    FbxJoint joint;
    joint.translation = document.vector(node, "Lcl Translation", 0.0);
    joint.rotation = document.vector(node, "Lcl Rotation", 0.0);
    joint.scale = document.vector(node, "Lcl Scaling", 1.0);
    joint.order = order > 0.0 && order < ORDER_SPHERIC ? int(order) : 0;
    joint.pre = fbxTurn(document.vector(node, "PreRotation", 0.0), 0);
    joint.unpost = fbxTurn(document.vector(node, "PostRotation", 0.0), 0);
    joint.unpost.Conjugate();
    joint.scalePivot = scalePivot;
    joint.place = sum(document.vector(node, "RotationOffset", 0.0), rotationPivot, 1.0);
    joint.placeScaled = sum(sum(document.vector(node, "ScalingOffset", 0.0), scalePivot, 1.0), rotationPivot, -1.0);
    const FbxVector none = {0.0, 0.0, 0.0};
    joint.hasPivots = scalePivot != none || joint.placeScaled != none;
    return joint;
}

/* ---- Nodes of the scene ---- */

namespace {

/* The nodes below an object, as assimp reads them. */
std::vector<const FbxRecord *> nodesBelow(const FbxDocument &document, int64_t id) {
    std::vector<const FbxRecord *> nodes;
    const auto links = document.below.find(id);
    for (size_t i = 0; links != document.below.end() && i < links->second.size(); i++) {
        const FbxLink &link = links->second[i];
        const std::string kind = link.object->textOf(2);
        if (link.object->name == "Model" && link.property.empty() && kind != "IKEffector" && kind != "FKEffector") {
            nodes.push_back(link.object);
        }
    }
    return nodes;
}

/* assimp adds a number to a name that is not unique. */
bool isNamed(const aiNode *node, const FbxRecord &object) {
    const std::string name = fbxName(object);
    return std::strncmp(node->mName.C_Str(), name.c_str(), name.size()) == 0;
}

void matchBelow(const FbxDocument &document, aiNode *node, int64_t id, FbxNodes &nodes, Model *model) {
    const std::vector<const FbxRecord *> objects = nodesBelow(document, id);
    bool same = objects.size() == node->mNumChildren;
    for (size_t i = 0; same && i < objects.size(); i++) {
        same = isNamed(node->mChildren[i], *objects[i]);
    }
    if (!same) {
        childWarn(model, "what moves the nodes below '%.100s' is not read: they are not those of the file",
                  node->mName.C_Str());
        return;
    }
    for (size_t i = 0; i < objects.size(); i++) {
        nodes[node->mChildren[i]] = objects[i];
        matchBelow(document, node->mChildren[i], fbxId(*objects[i]), nodes, model);
    }
}

/* Puts the meshes of a node in a new node below it. done: the meshes whose bones know of it. */
void applyGeometry(const FbxDocument &document, const FbxRecord &object, aiScene *scene, aiNode *node,
                   std::vector<bool> &done) {
    const aiMatrix4x4 geometry = matrixOf(document.vector(object, "GeometricTranslation", 0.0),
                                          fbxTurn(document.vector(object, "GeometricRotation", 0.0), 0),
                                          document.vector(object, "GeometricScaling", 1.0));
    if (node->mNumMeshes == 0 || geometry.IsIdentity()) {
        return;
    }
    for (unsigned m = 0; m < node->mNumMeshes; m++) {
        const unsigned index = node->mMeshes[m];
        const aiMesh *mesh = scene->mMeshes[index];
        for (unsigned b = 0; b < mesh->mNumBones && !done[index]; b++) {
            mesh->mBones[b]->mOffsetMatrix = mesh->mBones[b]->mOffsetMatrix * geometry;
        }
        done[index] = true;
    }
    aiNode *below = new aiNode(std::string(node->mName.C_Str()) + " geometry");
    below->mTransformation = geometry;
    below->mMetaData = node->mMetaData ? new aiMetadata(*node->mMetaData) : nullptr;
    std::swap(below->mMeshes, node->mMeshes);
    std::swap(below->mNumMeshes, node->mNumMeshes);
    node->addChildren(1, &below);
}

/* ---- Inheritance of scale ---- */

enum Scale { SCALE_ONE, SCALE_UNIFORM, SCALE_ANY };

Scale scaleOf(const FbxVector &scale) {
    const double tolerance = 1e-4 * std::fabs(scale[0]);
    const bool uniform = std::fabs(scale[0] - scale[1]) <= tolerance && std::fabs(scale[0] - scale[2]) <= tolerance;
    return !uniform ? SCALE_ANY : std::fabs(scale[0] - 1.0) > 1e-4 ? SCALE_UNIFORM : SCALE_ONE;
}

/* Scale of the keys of one curve node, which are compared by their number. */
Scale scaleOfKeys(const FbxDocument &document, const FbxRecord &curves, const FbxVector &rest) {
    std::vector<double> values[3];
    for (const FbxLink &link : document.lower(curves, "AnimationCurve")) {
        const FbxRecord *keys = link.object->child("KeyValueFloat");
        const size_t axis = link.property == "d|X" ? 0 : link.property == "d|Y" ? 1 : 2;
        values[axis] = keys ? keys->numbers() : std::vector<double>();
    }
    Scale scale = SCALE_ONE;
    for (size_t i = 0; i < std::max({values[0].size(), values[1].size(), values[2].size()}); i++) {
        FbxVector key = rest;
        for (size_t axis = 0; axis < 3; axis++) {
            key[axis] = values[axis].empty() ? rest[axis] : values[axis][std::min(i, values[axis].size() - 1)];
        }
        scale = std::max(scale, scaleOf(key));
    }
    return scale;
}

/* The scale of a node, at rest and in every clip. */
Scale scaleOf(const FbxDocument &document, const FbxRecord &object) {
    const FbxVector rest = document.vector(object, "Lcl Scaling", 1.0);
    Scale scale = scaleOf(rest);
    for (const FbxLink &link : document.lower(object, "AnimationCurveNode")) {
        if (link.property == "Lcl Scaling") {
            scale = std::max(scale, scaleOfKeys(document, *link.object, rest));
        }
    }
    return scale;
}

/* Mode 0 (RrSs) and a product of matrices (1, RSrs) differ below scale that is not uniform, mode 2 (Rrs) below any. */
void warnOfInheritance(const FbxDocument &document, const FbxNodes &nodes, const aiNode *node, const FbxRecord &object,
                       Model *model) {
    const int mode = int(std::fmin(std::fmax(document.number(object, "InheritType", 1.0), 0.0), 2.0));
    Scale scale = SCALE_ONE;
    for (const aiNode *above = node->mParent; above && mode != 1; above = above->mParent) {
        const auto found = nodes.find(above);
        scale = found == nodes.end() ? scale : std::max(scale, scaleOf(document, *found->second));
    }
    if (mode == 0 ? scale == SCALE_ANY : mode == 2 && scale != SCALE_ONE) {
        childWarn(model,
                  "node '%.200s' has InheritType %d; it is posed by InheritType 1, as a child of its scaled parents",
                  node->mName.C_Str(), mode);
    }
}

/* Parents before their children, as in the scene. */
void placeBelow(const FbxDocument &document, const FbxNodes &nodes, aiScene *scene, aiNode *node,
                std::vector<bool> &done, Model *model) {
    const auto found = nodes.find(node);
    const std::vector<aiNode *> children(node->mChildren, node->mChildren + node->mNumChildren);
    if (found != nodes.end()) {
        const FbxJoint joint = fbxReadJoint(document, *found->second);
        const FbxQuaternion rotation = joint.pre * fbxTurn(joint.rotation, joint.order) * joint.unpost;
        const FbxVector position = fbxPosition(joint, joint.translation, rotation, joint.scale);
        node->mTransformation = matrixOf(position, rotation, joint.scale);
        applyGeometry(document, *found->second, scene, node, done);
        warnOfInheritance(document, nodes, node, *found->second, model);
        if (document.number(*found->second, "RotationOrder", 0.0) == ORDER_SPHERIC) {
            childWarn(model, "node '%.200s' has the rotation order SphericXYZ; it is posed in the order XYZ",
                      node->mName.C_Str());
        }
    }
    for (aiNode *child : children) {
        placeBelow(document, nodes, scene, child, done, model);
    }
}

} // namespace

FbxNodes fbxPlaceNodes(const FbxDocument &document, aiScene *scene, Model *model) {
    FbxNodes nodes;
    std::vector<bool> done(scene->mNumMeshes);
    matchBelow(document, scene->mRootNode, 0, nodes, model);
    placeBelow(document, nodes, scene, scene->mRootNode, done, model);
    return nodes;
}
