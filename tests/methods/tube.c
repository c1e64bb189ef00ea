#include "tube.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

#define SIDE_VERTICES (TUBE_RINGS * (TUBE_SIDES + 1))
#define END_VERTICES                                                                                                   \
    (TUBE_SIDES + 2) /* one middle vertex, and one side more, so that the last side ends at the first */
#define VERTICES  (SIDE_VERTICES + 2 * END_VERTICES)
#define TRIANGLES (2 * (TUBE_RINGS - 1) * TUBE_SIDES + 2 * TUBE_SIDES)

static const double PI = 3.14159265358979323846;
static const double DEGREE = 3.14159265358979323846 / 180.0;

static double tubeWeight(double y) {
    double s = fmin(fmax((y + TUBE_HALF_JOINT) / (2 * TUBE_HALF_JOINT), 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

/* ---- The mesh ---- */

static void setVertex(ModelMesh *mesh, uint32_t vertex, const double position[3], const double normal[3], double u) {
    double weight = tubeWeight(position[1]);
    for (int axis = 0; axis < 3; axis++) {
        mesh->positions[3 * vertex + axis] = (float)position[axis];
        mesh->normals[3 * vertex + axis] = (float)normal[axis];
    }
    mesh->texcoords[2 * vertex] = (float)u;
    mesh->texcoords[2 * vertex + 1] = (float)(0.5 - 0.5 * position[1] / TUBE_HALF_LENGTH);
    mesh->joints[2 * vertex + 1] = 1;
    mesh->weights[2 * vertex] = (float)(1.0 - weight);
    mesh->weights[2 * vertex + 1] = (float)weight;
    if (mesh->blendWeights) {
        mesh->blendWeights[vertex] = (float)(0.5 - 0.5 * position[0]); /* bone 1 bends towards -X */
    }
}

/* A point of a circle about Y; the last point is equal to the first, bit for bit. */
static void setRound(double out[3], uint32_t side, double y) {
    double angle = 2 * PI * (side % TUBE_SIDES) / TUBE_SIDES;
    out[0] = cos(angle);
    out[1] = y;
    out[2] = sin(angle);
}

static void setSides(ModelMesh *mesh) {
    for (uint32_t ring = 0; ring < TUBE_RINGS; ring++) {
        double y = TUBE_HALF_LENGTH * (2.0 * ring / (TUBE_RINGS - 1) - 1.0);
        for (uint32_t side = 0; side <= TUBE_SIDES; side++) {
            double position[3], normal[3];
            setRound(position, side, y);
            setRound(normal, side, 0.0);
            setVertex(mesh, TUBE_VERTEX(ring, side), position, normal, (double)side / TUBE_SIDES);
        }
    }
}

static void setEnd(ModelMesh *mesh, uint32_t first, double up) {
    const double normal[3] = {0.0, up, 0.0};
    const double middle[3] = {0.0, up * TUBE_HALF_LENGTH, 0.0};
    for (uint32_t side = 0; side <= TUBE_SIDES; side++) {
        double position[3];
        setRound(position, side, up * TUBE_HALF_LENGTH);
        setVertex(mesh, first + side, position, normal, (double)side / TUBE_SIDES);
    }
    setVertex(mesh, first + TUBE_SIDES + 1, middle, normal, 0.5);
}

static void addTriangle(ModelMesh *mesh, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *corners = &mesh->indices[mesh->indexCount];
    corners[0] = a;
    corners[1] = b;
    corners[2] = c;
    mesh->indexCount += 3;
}

static void addTriangles(ModelMesh *mesh) {
    for (uint32_t ring = 0; ring + 1 < TUBE_RINGS; ring++) {
        for (uint32_t side = 0; side < TUBE_SIDES; side++) {
            uint32_t low = TUBE_VERTEX(ring, side), high = TUBE_VERTEX(ring + 1, side);
            addTriangle(mesh, low, high, low + 1);
            addTriangle(mesh, high, high + 1, low + 1);
        }
    }
    for (uint32_t side = 0; side < TUBE_SIDES; side++) {
        uint32_t below = SIDE_VERTICES, above = SIDE_VERTICES + END_VERTICES, middle = TUBE_SIDES + 1;
        addTriangle(mesh, below + side, below + side + 1, below + middle);
        addTriangle(mesh, above + side + 1, above + side, above + middle);
    }
}

static void makeMesh(Model *model, bool painted) {
    model->meshCount = 1;
    model->meshes = newZeroed(1, sizeof *model->meshes);
    ModelMesh *mesh = model->meshes;
    mesh->name = strdup("tube");
    mesh->vertexCount = VERTICES;
    mesh->positions = newZeroed(VERTICES, 3 * sizeof(float));
    mesh->normals = newZeroed(VERTICES, 3 * sizeof(float));
    mesh->texcoords = newZeroed(VERTICES, 2 * sizeof(float));
    mesh->influences = 2;
    mesh->joints = newZeroed(VERTICES, 2 * sizeof(uint32_t));
    mesh->weights = newZeroed(VERTICES, 2 * sizeof(float));
    mesh->boneCount = 2;
    mesh->indices = newZeroed(TRIANGLES, 3 * sizeof(uint32_t));
    mesh->blendWeights = painted ? newZeroed(VERTICES, sizeof(float)) : NULL;
    setSides(mesh);
    setEnd(mesh, SIDE_VERTICES, -1.0);
    setEnd(mesh, SIDE_VERTICES + END_VERTICES, 1.0);
    addTriangles(mesh);
}

/* ---- The texture: squares, alternately dark, so that a twist is visible ---- */

#define SQUARES_AROUND 16u
#define SQUARES_ALONG  12u
#define SQUARE_TEXELS  24u

static void makeMaterial(Model *model) {
    model->textureCount = 1;
    model->textures = newZeroed(1, sizeof *model->textures);
    ModelTexture *texture = model->textures;
    texture->name = strdup("squares");
    texture->path = strdup("");
    texture->width = SQUARES_AROUND * SQUARE_TEXELS;
    texture->height = SQUARES_ALONG * SQUARE_TEXELS;
    texture->pixels = newZeroed((size_t)texture->width * texture->height, 4);
    for (uint32_t i = 0; i < texture->width * texture->height; i++) {
        uint32_t column = i % texture->width / SQUARE_TEXELS, row = i / texture->width / SQUARE_TEXELS;
        const uint8_t shades[2][4] = {{226, 176, 140, 255}, {188, 116, 84, 255}};
        memcpy(&texture->pixels[4 * i], shades[(column + row) % 2], 4);
    }
    model->materialCount = 1;
    model->materials = newZeroed(1, sizeof *model->materials);
    model->materials[0] = modelPlainMaterial(strdup("squares"));
    model->materials[0].maps[MODEL_MAP_BASE] = 0;
}

/* ---- Its bones ---- */

static void makeBones(Model *model) {
    model->nodeCount = 2;
    model->nodes = newZeroed(2, sizeof *model->nodes);
    model->skinCount = 1;
    model->skins = newZeroed(1, sizeof *model->skins);
    model->skins[0] = (ModelSkin){.boneCount = 2,
                                  .boneNodes = newZeroed(2, sizeof(uint32_t)),
                                  .inverseBinds = newZeroed(2, sizeof(VkskinAffine))};
    for (uint32_t i = 0; i < 2; i++) {
        model->nodes[i] = (ModelNode){.name = strdup(i == 0 ? "lower" : "upper"),
                                      .parent = (int32_t)i - 1,
                                      .rest = vkskinIdentityTransform(),
                                      .preTransform = vkskinIdentityAffine()};
        model->skins[0].boneNodes[i] = i;
        model->skins[0].inverseBinds[i] = vkskinIdentityAffine();
    }
    model->partCount = 1;
    model->parts = newZeroed(1, sizeof *model->parts);
}

static void setTrack(VkskinTrack *track, VkskinChannel channel, const float *value, size_t width) {
    float *values = newZeroed(width, sizeof(float));
    memcpy(values, value, width * sizeof(float));
    *track = (VkskinTrack){
        .node = 1, .channel = channel, .keyCount = 1, .times = newZeroed(1, sizeof(float)), .values = values};
}

static void makeClip(ModelClip *clip, const TubePose *pose) {
    double b = pose->bend * PI / 360.0, t = pose->twist * PI / 360.0; /* half angles */
    /* The rotation about Z times the rotation about Y. */
    const float rotation[4] = {(float)(-sin(b) * sin(t)), (float)(cos(b) * sin(t)), (float)(sin(b) * cos(t)),
                               (float)(cos(b) * cos(t))};
    clip->name = strdup(pose->name);
    clip->trackCount = 2;
    clip->tracks = newZeroed(2, sizeof *clip->tracks);
    setTrack(&clip->tracks[0], VKSKIN_CHANNEL_ROTATION, rotation, 4);
    setTrack(&clip->tracks[1], VKSKIN_CHANNEL_SCALE, pose->scale, 3);
}

Model *newTube(const TubePose *poses, uint32_t poseCount, bool painted) {
    Model *model = newZeroed(1, sizeof *model);
    makeMesh(model, painted);
    makeMaterial(model);
    makeBones(model);
    model->clipCount = poseCount;
    model->clips = newZeroed(poseCount, sizeof *model->clips);
    for (uint32_t i = 0; i < poseCount; i++) {
        makeClip(&model->clips[i], &poses[i]);
    }
    return model;
}

/* ---- What the joint measures ---- */

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

/* Perpendicular to a triangle; its length is twice the area. */
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

/* (-sin, cos) of half the bend halves the angle between the bones; the plane is perpendicular to it. */
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

/* [vertexCount][3]: the normal of the triangles around each vertex; valid for the sides, except at the seam and the
 * ends. */
static double *newFaceNormals(const ModelMesh *mesh, const float *positions) {
    double *normals = newZeroed(mesh->vertexCount, 3 * sizeof(double));
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        double across[3];
        faceNormal(positions, &mesh->indices[i], across);
        for (int at = 0; at < 3; at++) {
            for (int axis = 0; axis < 3; axis++) {
                normals[3 * (size_t)mesh->indices[i + (uint32_t)at] + (size_t)axis] += across[axis];
            }
        }
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
    float *positions = newZeroed(mesh->vertexCount, 3 * sizeof *positions);
    for (uint32_t i = 0; i < 3 * mesh->vertexCount; i++) {
        double weight = tubeWeight(mesh->positions[i / 3 * 3 + 1]);
        positions[i] = (float)(mesh->positions[i] * (1.0 + weight * (pose->scale[i % 3] - 1.0)));
    }
    measureBody(mesh, positions, &shape);
    free(positions);
    return shape;
}
