#include "fbx_joint.h"

#include <cmath>

namespace {

/* Limits count where `active` is set, each with a switch of its own: RotationMin with RotationMinX. */
FbxLimits readLimits(const FbxDocument &document, const FbxRecord &node, const std::string &kind, const char *active) {
    static const char *const axes[] = {"X", "Y", "Z"};
    const FbxVector least = document.vector(node, (kind + "Min").c_str(), 0.0);
    const FbxVector most = document.vector(node, (kind + "Max").c_str(), 0.0);
    const bool any = document.number(node, active, 0.0) != 0.0;
    FbxLimits limits = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}, false};
    for (size_t i = 0; any && i < 3; i++) {
        const bool low = document.number(node, (kind + "Min" + axes[i]).c_str(), 0.0) != 0.0;
        const bool high = document.number(node, (kind + "Max" + axes[i]).c_str(), 0.0) != 0.0;
        limits.least[i] = low ? least[i] : limits.least[i];
        limits.most[i] = high ? most[i] : limits.most[i];
        limits.any = limits.any || low || high;
    }
    return limits;
}

} // namespace

FbxVector fbxLimited(const FbxVector &vector, const FbxLimits &limits) {
    FbxVector result = vector;
    for (size_t i = 0; i < 3; i++) {
        result[i] = std::fmax(std::fmin(vector[i], limits.most[i]), limits.least[i]);
    }
    return result;
}

FbxVector fbxPosition(const FbxJoint &joint, const FbxVector &translation, const FbxQuaternion &rotation,
                      const FbxVector &scale) {
    FbxVector inner = joint.placeScaled;
    for (size_t axis = 0; axis < 3; axis++) {
        inner[axis] -= scale[axis] * joint.scalePivot[axis];
    }
    return fbxSum(fbxSum(translation, joint.place, 1.0), fbxTurned(rotation, inner), 1.0);
}

FbxJoint fbxReadJoint(const FbxDocument &document, const FbxRecord &node) {
    const auto property = [&](const char *name) { return document.vector(node, name, 0.0); };
    const FbxVector rotationPivot = property("RotationPivot"), scalePivot = property("ScalingPivot");
    const double order = document.number(node, "RotationOrder", 0.0);
    FbxJoint joint;
    joint.translationLimits = readLimits(document, node, "Translation", "TranslationActive");
    joint.rotationLimits = readLimits(document, node, "Rotation", "RotationActive");
    joint.scaleLimits = readLimits(document, node, "Scaling", "ScalingActive");
    joint.translation = fbxLimited(property("Lcl Translation"), joint.translationLimits);
    joint.rotation = fbxLimited(property("Lcl Rotation"), joint.rotationLimits);
    joint.scale = fbxLimited(document.vector(node, "Lcl Scaling", 1.0), joint.scaleLimits);
    joint.order = order > 0.0 && order < FBX_ORDER_SPHERIC ? int(order) : 0;
    joint.pre = fbxTurn(property("PreRotation"), 0);
    joint.unpost = fbxInverse(fbxTurn(property("PostRotation"), 0));
    joint.scalePivot = scalePivot;
    joint.place = fbxSum(property("RotationOffset"), rotationPivot, 1.0);
    joint.placeScaled = fbxSum(fbxSum(property("ScalingOffset"), scalePivot, 1.0), rotationPivot, -1.0);
    const FbxVector none = {0.0, 0.0, 0.0};
    joint.hasPivots = scalePivot != none || joint.placeScaled != none;
    return joint;
}

FbxQuaternion fbxJointTurn(const FbxJoint &joint, const FbxQuaternion &angles) {
    return fbxProduct(fbxProduct(joint.pre, angles), joint.unpost);
}

FbxTransform fbxGeometric(const FbxDocument &document, const FbxRecord &node) {
    return {document.vector(node, "GeometricTranslation", 0.0),
            fbxTurn(document.vector(node, "GeometricRotation", 0.0), 0),
            document.vector(node, "GeometricScaling", 1.0)};
}

FbxTransform fbxRest(const FbxJoint &joint) {
    const FbxQuaternion turn = fbxJointTurn(joint, fbxTurn(joint.rotation, joint.order));
    return {fbxPosition(joint, joint.translation, turn, joint.scale), turn, joint.scale};
}
