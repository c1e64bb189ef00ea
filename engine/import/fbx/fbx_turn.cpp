#include "fbx_turn.h"

#include <cmath>

namespace {

const double RADIANS = 3.14159265358979323846 / 180.0;

double dot(const FbxQuaternion &a, const FbxQuaternion &b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

FbxQuaternion sum(const FbxQuaternion &a, double left, const FbxQuaternion &b, double right) {
    return {left * a.x + right * b.x, left * a.y + right * b.y, left * a.z + right * b.z, left * a.w + right * b.w};
}

} // namespace

FbxVector fbxSum(const FbxVector &a, const FbxVector &b, double factor) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

FbxVector fbxCross(const FbxVector &a, const FbxVector &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

FbxVector fbxScaled(const FbxVector &vector, const FbxVector &scale) {
    return {vector[0] * scale[0], vector[1] * scale[1], vector[2] * scale[2]};
}

FbxQuaternion fbxProduct(const FbxQuaternion &a, const FbxQuaternion &b) {
    return {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

FbxQuaternion fbxInverse(const FbxQuaternion &turn) {
    return {-turn.x, -turn.y, -turn.z, turn.w};
}

FbxVector fbxTurned(const FbxQuaternion &turn, const FbxVector &vector) {
    const FbxQuaternion product =
        fbxProduct(fbxProduct(turn, {vector[0], vector[1], vector[2], 0.0}), fbxInverse(turn));
    return {product.x, product.y, product.z};
}

FbxQuaternion fbxBetween(const FbxQuaternion &from, const FbxQuaternion &to, double share) {
    const double cosine = dot(from, to), sign = cosine < 0.0 ? -1.0 : 1.0;
    const double angle = std::acos(std::fmin(std::fabs(cosine), 1.0)), sine = std::sin(angle);
    const bool near = sine < 1e-9;
    const double left = near ? 1.0 - share : std::sin((1.0 - share) * angle) / sine;
    const double right = near ? share : std::sin(share * angle) / sine;
    return sum(from, left, to, sign * right);
}

FbxQuaternion fbxTurn(const FbxVector &degrees, int order) {
    static const int axes[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    FbxQuaternion turn;
    for (int axis : axes[order > 0 && order < 6 ? order : 0]) {
        const double half = 0.5 * RADIANS * degrees[axis], sine = std::sin(half);
        turn =
            fbxProduct({axis == 0 ? sine : 0.0, axis == 1 ? sine : 0.0, axis == 2 ? sine : 0.0, std::cos(half)}, turn);
    }
    return turn;
}
