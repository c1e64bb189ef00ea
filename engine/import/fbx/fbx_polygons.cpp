#include "fbx_polygons.h"

#include "fbx_turn.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

struct Point {
    double x, y;
};

/* Twice the area of a triangle; negative: clockwise. */
double area(const Point &a, const Point &b, const Point &c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Newell's normal: right for concave polygons too, and a mean for those that are not flat. */
FbxVector normalOf(const double *positions, size_t count) {
    FbxVector normal = {0.0, 0.0, 0.0};
    for (size_t i = 0; i < count; i++) {
        const double *a = positions + 3 * i, *b = positions + 3 * ((i + 1) % count);
        for (size_t axis = 0; axis < 3; axis++) {
            const size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            normal[axis] += (a[u] - b[u]) * (a[v] + b[v] - 2.0 * positions[v]);
        }
    }
    return normal;
}

/* The corners, seen against the normal: counter-clockwise. */
std::vector<Point> project(const double *positions, size_t count) {
    const FbxVector n = normalOf(positions, count), squares = fbxScaled(n, n);
    const double length = std::sqrt(squares[0] + squares[1] + squares[2]);
    FbxVector least = {0.0, 0.0, 0.0}; /* the axis in which n is smallest */
    least[size_t(std::min_element(squares.begin(), squares.end()) - squares.begin())] = 1.0;
    const FbxVector u = fbxCross(least, n), v = fbxCross(n, u);
    std::vector<Point> points;
    for (size_t i = 0; i < count; i++) {
        Point point = {0.0, 0.0};
        for (size_t axis = 0; axis < 3; axis++) {
            const double way = positions[3 * i + axis] - positions[axis];
            point.x += way * u[axis];
            point.y += length > 0.0 ? way * v[axis] / length : 0.0;
        }
        points.push_back(point);
    }
    return points;
}

/* Cuts off ears: corners whose triangle has no other corner inside. */
class EarCutter {
  public:
    EarCutter(const std::vector<Point> &corners, std::vector<uint32_t> *out)
        : points(corners), triangles(out), next(corners.size()), former(corners.size()) {
        const uint32_t count = uint32_t(corners.size());
        for (uint32_t i = 0; i < count; i++) {
            next[i] = (i + 1) % count;
            former[i] = (i + count - 1) % count;
        }
    }

    bool convex() const {
        bool all = true;
        for (uint32_t i = 0; i < points.size(); i++) {
            all = all && turn(i) >= 0.0;
        }
        return all;
    }

    /* Each corner is tested at first, then only beside a cut: the time is the corners times those that turn right. */
    void cut() {
        for (uint32_t i = 0; i < points.size(); i++) {
            if (turn(i) <= 0.0) {
                reflex.push_back(i);
            }
        }
        for (uint32_t i = 0; i < points.size(); i++) {
            addEar(i);
        }
        uint32_t at = 0;
        for (size_t left = points.size(); left > 3; left--) {
            at = takeEar(next[at], left);
            emit(at);
            next[former[at]] = next[at];
            former[next[at]] = former[at];
            next[at] = at;
            forget(at);
            addEar(former[at]);
            addEar(next[former[at]]);
            at = former[at];
        }
        emit(at);
    }

  private:
    double turn(uint32_t corner) const {
        return area(points[former[corner]], points[corner], points[next[corner]]);
    }

    void emit(uint32_t corner) {
        triangles->insert(triangles->end(), {former[corner], corner, next[corner]});
    }

    /* Corners that turn left never turn right when others are cut off. */
    void forget(uint32_t corner) {
        size_t kept = 0;
        for (uint32_t i : reflex) {
            if (i != corner && turn(i) <= 0.0) {
                reflex[kept++] = i;
            }
        }
        reflex.resize(kept);
    }

    /* On the border counts as inside, except at the triangle's own corners: with holes a corner comes twice. */
    bool holds(uint32_t corner, uint32_t other) const {
        const Point &a = points[former[corner]], &b = points[corner], &c = points[next[corner]], &p = points[other];
        const auto same = [&](const Point &q) { return p.x == q.x && p.y == q.y; };
        return !same(a) && !same(b) && !same(c) && area(a, b, p) >= 0.0 && area(b, c, p) >= 0.0 && area(c, a, p) >= 0.0;
    }

    bool isEar(uint32_t corner) const {
        bool ear = next[corner] != corner && turn(corner) > 0.0;
        for (size_t i = 0; ear && i < reflex.size(); i++) {
            ear = !holds(corner, reflex[i]);
        }
        return ear;
    }

    void addEar(uint32_t corner) {
        if (isEar(corner)) {
            ears.push_back(corner);
        }
    }

    bool takeTested(uint32_t *ear) {
        while (taken < ears.size()) {
            *ear = ears[taken++];
            if (isEar(*ear)) {
                return true;
            }
        }
        return false;
    }

    /*
     * Tests all corners again where the list is empty. A polygon that crosses itself may have no ear: then the first
     * corner that does not turn right, else any.
     */
    uint32_t takeEar(uint32_t start, size_t left) {
        uint32_t at = start;
        if (takeTested(&at)) {
            return at;
        }
        for (size_t i = 0; i < left && scans < SCANS_MAX; i++, at = next[at]) {
            addEar(at);
        }
        scans++;
        if (takeTested(&at)) {
            return at;
        }
        at = start;
        for (size_t i = 0; i < left && turn(at) < 0.0; i++) {
            at = next[at];
        }
        return at;
    }

    static constexpr unsigned SCANS_MAX = 8;
    const std::vector<Point> &points;
    std::vector<uint32_t> *triangles;
    std::vector<uint32_t> next, former, reflex, ears; /* ears: [taken] on, tested when they were added */
    size_t taken = 0;
    unsigned scans = 0;
};

} // namespace

bool fbxTriangulate(const double *positions, size_t count, std::vector<uint32_t> *triangles) {
    bool convex = count == 3;
    if (!convex) {
        const std::vector<Point> points = project(positions, count);
        EarCutter cutter(points, triangles);
        convex = cutter.convex();
        if (!convex && count <= FBX_CONCAVE_MAX) {
            cutter.cut();
            return true;
        }
    }
    for (uint32_t i = 1; i + 1 < count; i++) {
        triangles->insert(triangles->end(), {0, i, i + 1});
    }
    return convex;
}
