#include "shape.h"

#include <math.h>
#include <stdlib.h>

static const double DEGREE = 3.14159265358979323846 / 180.0;

static void corner(const float *positions, uint32_t vertex, double out[3]) {
    for (int axis = 0; axis < 3; axis++) {
        out[axis] = positions[3 * (size_t)vertex + axis];
    }
}

static void crossed(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dotted(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Across a triangle, as long as twice its area. */
static void faceNormal(const float *positions, const uint32_t *triangle, double out[3]) {
    double a[3], b[3], c[3], ab[3], ac[3];
    corner(positions, triangle[0], a);
    corner(positions, triangle[1], b);
    corner(positions, triangle[2], c);
    for (int axis = 0; axis < 3; axis++) {
        ab[axis] = b[axis] - a[axis];
        ac[axis] = c[axis] - a[axis];
    }
    crossed(ab, ac, out);
}

/* Six times the volume between a triangle and the origin. */
static double sixVolumes(const double a[3], const double b[3], const double c[3]) {
    double across[3];
    crossed(b, c, across);
    return dotted(a, across);
}

static void measureTriangles(const ModelMesh *mesh, const float *positions, Shape *shape) {
    uint32_t first = 6 * TUBE_SIDES * TUBE_JOINT_BEGIN, end = 6 * TUBE_SIDES * TUBE_JOINT_END;
    for (uint32_t i = first; i < end; i += 3) {
        double a[3], across[3];
        corner(positions, mesh->indices[i], a);
        faceNormal(positions, &mesh->indices[i], across);
        shape->volume += dotted(a, across) / 6.0;
        shape->surface += sqrt(dotted(across, across)) / 2.0;
    }
}

/* The volume between the origin and the fan across a ring, seen from above. */
static double fanVolume(const float *positions, uint32_t ring) {
    double first[3], volume = 0.0;
    corner(positions, TUBE_VERTEX(ring, 0), first);
    for (uint32_t side = 1; side + 1 < TUBE_SIDES; side++) {
        double a[3], b[3];
        corner(positions, TUBE_VERTEX(ring, side), a);
        corner(positions, TUBE_VERTEX(ring, side + 1), b);
        volume += sixVolumes(first, b, a) / 6.0;
    }
    return volume;
}

static void measureBody(const ModelMesh *mesh, const float *positions, Shape *shape) {
    measureTriangles(mesh, positions, shape);
    shape->volume += fanVolume(positions, TUBE_JOINT_END) - fanVolume(positions, TUBE_JOINT_BEGIN);
}

/* The angle between the bones is halved by (-sin, cos) of half the bend, which the plane lies across. */
static double thicknessAt(const double p[3], double bend) {
    double half = 0.5 * bend * DEGREE;
    double upper = p[0] * -sin(half) + p[1] * cos(half) > 0.0 ? bend * DEGREE : 0.0;
    double away = p[0] * cos(upper) + p[1] * sin(upper);
    return hypot(away, p[2]);
}

static void measureThickness(const SkinnedVertices *vertices, const TubePose *pose, Shape *shape) {
    shape->thinnest = INFINITY;
    for (uint32_t ring = TUBE_JOINT_BEGIN + 1; ring < TUBE_JOINT_END; ring++) {
        for (uint32_t side = 0; side < TUBE_SIDES; side++) {
            double p[3];
            corner(vertices->positions, TUBE_VERTEX(ring, side), p);
            double thickness = thicknessAt(p, pose->bend);
            shape->thinnest = fmin(shape->thinnest, thickness);
            shape->thickest = fmax(shape->thickest, thickness);
        }
    }
}

/* [vertexCount][3]: those of the triangles around each vertex of the sides, that are not at the seam nor at an end. */
static double *newFaceNormals(const ModelMesh *mesh, const float *positions) {
    double *normals = calloc(mesh->vertexCount, 3 * sizeof(double));
    for (uint32_t i = 0; normals && i < mesh->indexCount; i += 3) {
        double across[3];
        faceNormal(positions, &mesh->indices[i], across);
        for (int at = 0; at < 3; at++) {
            for (int axis = 0; axis < 3; axis++) {
                normals[3 * (size_t)mesh->indices[i + (uint32_t)at] + (size_t)axis] += across[axis];
            }
        }
    }
    if (!normals) {
        abort();
    }
    return normals;
}

static double degreesBetween(const double a[3], const double b[3]) {
    double across[3];
    crossed(a, b, across);
    return atan2(sqrt(dotted(across, across)), dotted(a, b)) / DEGREE;
}

static void measureNormals(const ModelMesh *mesh, const SkinnedVertices *vertices, Shape *shape) {
    double *expected = newFaceNormals(mesh, vertices->positions);
    uint32_t count = 0;
    for (uint32_t ring = 1; ring + 1 < TUBE_RINGS; ring++) {
        for (uint32_t side = 1; side < TUBE_SIDES; side++) {
            double normal[3];
            corner(vertices->normals, TUBE_VERTEX(ring, side), normal);
            double off = degreesBetween(normal, &expected[3 * (size_t)TUBE_VERTEX(ring, side)]);
            shape->normalsOff += off;
            shape->normalsWorst = fmax(shape->normalsWorst, off);
            count++;
        }
    }
    shape->normalsOff /= count;
    free(expected);
}

Shape shapeMeasure(const ModelMesh *mesh, const SkinnedVertices *vertices, const TubePose *pose) {
    Shape shape = {0};
    measureBody(mesh, vertices->positions, &shape);
    measureThickness(vertices, pose, &shape);
    measureNormals(mesh, vertices, &shape);
    return shape;
}

Shape shapeIdeal(const ModelMesh *mesh, const TubePose *pose) {
    Shape shape = {0};
    float *positions = malloc(mesh->vertexCount * 3 * sizeof *positions);
    for (uint32_t i = 0; positions && i < 3 * mesh->vertexCount; i++) {
        double weight = tubeWeight(mesh->positions[i / 3 * 3 + 1]);
        positions[i] = (float)(mesh->positions[i] * (1.0 + weight * (pose->scale[i % 3] - 1.0)));
    }
    if (!positions) {
        abort();
    }
    measureBody(mesh, positions, &shape);
    free(positions);
    return shape;
}
