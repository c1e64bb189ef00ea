/* fbx_geometry.h: the meshes of an .fbx file: polygons, and what lies on their corners. For the parser's process. */
#ifndef ENGINE_FBX_GEOMETRY_H
#define ENGINE_FBX_GEOMETRY_H

#include "fbx_document.h"
#include "parser.h"

/* How the values of a layer element lie on a mesh. */
enum FbxMapping { FBX_BY_POINT, FBX_BY_CORNER, FBX_BY_POLYGON, FBX_BY_ALL };

/* Numbers of each point, corner or polygon, or one value for the whole mesh; direct or by index. */
struct FbxElement {
    std::string name;
    FbxMapping mapping;
    size_t components;          /* numbers of a value */
    std::vector<double> values; /* empty: the element is missing */
    std::vector<int64_t> indices;
    bool indexed;
};

/* A mesh of the file. A corner is a point as one polygon uses it. */
struct FbxGeometry {
    const FbxRecord *record;
    std::string name;                /* name of the geometry, else of its first node */
    std::vector<double> points;      /* [points][3] */
    std::vector<uint32_t> corners;   /* the point of each corner, polygon by polygon */
    std::vector<uint32_t> polygons;  /* the polygon of each corner */
    std::vector<uint32_t> triangles; /* three corners each */
    std::vector<double> smooth;      /* [points][3], normals made from the triangles; empty: the file has normals */
    FbxElement normals, tangents, binormals, colours;
    std::vector<FbxElement> texcoords; /* the set of the first layer, then the others */

    size_t pointCount() const {
        return points.size() / 3;
    }
};

/* What one mesh of the model has of a geometry: the polygons of one material. */
struct FbxCut {
    uint32_t slot;                 /* number of the material, as the polygons have it */
    std::vector<uint32_t> corners; /* the corner that each vertex is */
    std::vector<uint32_t> indices; /* vertices, three for each triangle */
};

/* Three numbers that are finite as floats. */
bool fbxFiniteThree(const double *numbers);

/*
 * Reads polygons and cuts them into triangles. Warns of polygons that it drops, because a point is missing or not
 * finite. Polygons with fewer than three corners count in the repairs. name: of the node, where the geometry has none.
 */
FbxGeometry fbxReadGeometry(const FbxRecord &record, const std::string &name, Model *model);

/* The parts of a geometry, by ascending slot. */
std::vector<FbxCut> fbxCutGeometry(const FbxGeometry &geometry, Model *model);

/*
 * Sets the vertices and indices of a mesh. uvSet: the name of the texture coordinates; the first ones where the
 * geometry has none of that name. A value that is missing becomes 0, a normal is computed.
 */
void fbxFillMesh(const FbxGeometry &geometry, const FbxCut &cut, const std::string &uvSet, ModelMesh *mesh);

/* Unit normals of all points, [points][3]: means of the triangles at `points`, weighted by area; z without area. */
std::vector<double> fbxSmoothNormals(const FbxGeometry &geometry, const std::vector<double> &points);

#endif
