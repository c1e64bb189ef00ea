#include "fbx_geometry.h"

#include "fbx_polygons.h"

#include <algorithm>
#include <cmath>

namespace {

/* ---- Layer elements ---- */

/* The elements of a kind, that of the first layer before the others. */
std::vector<const FbxRecord *> elementsOf(const FbxRecord &geometry, const char *kind) {
    std::vector<const FbxRecord *> elements;
    int64_t first = 0;
    const FbxRecord *layer = geometry.child("Layer");
    for (size_t i = 0; layer && i < layer->children.size(); i++) {
        const FbxRecord *type = layer->children[i].child("Type"), *index = layer->children[i].child("TypedIndex");
        first = type && index && type->textOf(0) == kind ? index->integerOf(0) : first;
    }
    for (const FbxRecord &child : geometry.children) {
        if (child.name == kind) {
            elements.insert(child.integerOf(0) == first ? elements.begin() : elements.end(), &child);
        }
    }
    return elements;
}

/* False: the file does not state one that is known. */
bool mappingOf(const FbxRecord &element, FbxMapping *mapping) {
    static const struct {
        const char *name;
        FbxMapping mapping;
    } names[] = {{"ByVertice", FBX_BY_POINT},   {"ByVertex", FBX_BY_POINT},          {"ByPolygonVertex", FBX_BY_CORNER},
                 {"ByPolygon", FBX_BY_POLYGON}, {"ByPolygonVertice", FBX_BY_CORNER}, {"AllSame", FBX_BY_ALL}};
    const std::string name = element.childText("MappingInformationType");
    const auto *known =
        std::find_if(std::begin(names), std::end(names), [&name](const auto &one) { return name == one.name; });
    if (known == std::end(names)) {
        return false;
    }
    *mapping = known->mapping;
    return true;
}

struct ElementKind {
    const char *record, *values, *indices, *title;
    size_t components;
};

const ElementKind NORMALS = {"LayerElementNormal", "Normals", "NormalsIndex", "normals", 3};
const ElementKind TANGENTS = {"LayerElementTangent", "Tangents", "TangentsIndex", "tangents", 3};
const ElementKind BINORMALS = {"LayerElementBinormal", "Binormals", "BinormalsIndex", "binormals", 3};
const ElementKind COLOURS = {"LayerElementColor", "Colors", "ColorIndex", "colours", 4};
const ElementKind TEXCOORDS = {"LayerElementUV", "UV", "UVIndex", "texture coordinates", 2};

FbxElement readElement(const FbxGeometry &geometry, const FbxRecord &record, const ElementKind &kind, Model *model) {
    FbxElement element = {"", FBX_BY_ALL, kind.components, {}, {}, false};
    const FbxRecord *values = record.child(kind.values);
    const FbxRecord *reference = record.child("ReferenceInformationType"), *indices = record.child(kind.indices);
    element.name = record.childText("Name");
    if (values && !mappingOf(record, &element.mapping)) {
        childWarn(model, "the %s of mesh '%.100s' are left out: it is not known what they lie on", kind.title,
                  geometry.name.c_str());
        return element;
    }
    if (values) {
        element.values = values->numbers();
    }
    element.indexed = indices && reference && reference->textOf(0) != "Direct";
    if (element.indexed) {
        element.indices = indices->integers();
    }
    return element;
}

FbxElement firstElement(const FbxGeometry &geometry, const ElementKind &kind, Model *model) {
    const std::vector<const FbxRecord *> records = elementsOf(*geometry.record, kind.record);
    return records.empty() ? FbxElement() : readElement(geometry, *records[0], kind, model);
}

/* The number of what a corner's value lies on. */
size_t ownerOf(const FbxGeometry &geometry, const FbxElement &element, uint32_t corner) {
    const size_t owners[] = {geometry.corners[corner], corner, geometry.polygons[corner], 0};
    return owners[element.mapping];
}

/* The place of a corner's value; SIZE_MAX where it has none. */
size_t placeOf(const FbxGeometry &geometry, const FbxElement &element, uint32_t corner) {
    size_t place = ownerOf(geometry, element, corner);
    if (element.indexed) {
        const int64_t index = place < element.indices.size() ? element.indices[place] : -1;
        place = index >= 0 ? size_t(index) : SIZE_MAX;
    }
    return place < element.values.size() / std::max<size_t>(element.components, 1) ? place : SIZE_MAX;
}

/* Null: none. */
const double *valueAt(const FbxGeometry &geometry, const FbxElement &element, uint32_t corner) {
    const size_t place = placeOf(geometry, element, corner);
    return place == SIZE_MAX ? nullptr : element.values.data() + place * element.components;
}

/* -1 as an index is how files leave a corner without texture coordinates. */
bool meansNone(const FbxGeometry &geometry, const FbxElement &element, uint32_t corner) {
    const size_t owner = ownerOf(geometry, element, corner);
    return element.indexed && owner < element.indices.size() && element.indices[owner] == -1;
}

void warnOfMissing(const FbxGeometry &geometry, const FbxElement &element, const ElementKind &kind, Model *model) {
    size_t missing = 0;
    for (uint32_t corner : geometry.triangles) {
        missing += placeOf(geometry, element, corner) == SIZE_MAX && !meansNone(geometry, element, corner);
    }
    if (missing > 0 && !element.values.empty()) {
        childWarn(model, "the %s of mesh '%.100s' do not reach all corners of its triangles: %zu have none", kind.title,
                  geometry.name.c_str(), missing);
    }
}

void readElements(FbxGeometry *geometry, Model *model) {
    geometry->normals = firstElement(*geometry, NORMALS, model);
    geometry->tangents = firstElement(*geometry, TANGENTS, model);
    geometry->binormals = firstElement(*geometry, BINORMALS, model);
    geometry->colours = firstElement(*geometry, COLOURS, model);
    for (const FbxRecord *record : elementsOf(*geometry->record, TEXCOORDS.record)) {
        geometry->texcoords.push_back(readElement(*geometry, *record, TEXCOORDS, model));
    }
    if (!geometry->texcoords.empty()) {
        warnOfMissing(*geometry, geometry->texcoords[0], TEXCOORDS, model);
    }
    warnOfMissing(*geometry, geometry->normals, NORMALS, model);
    warnOfMissing(*geometry, geometry->colours, COLOURS, model);
}

/* ---- Polygons ---- */

struct Dropped {
    size_t unknown, broken, crooked; /* polygons: with a point that is missing or not finite; cut as convex ones */
};

/* The corners from `first` on. */
void addPolygon(FbxGeometry *geometry, size_t first, bool known, Dropped *dropped, Model *model) {
    const size_t count = geometry->corners.size() - first;
    bool finite = true;
    for (size_t i = first; known && i < geometry->corners.size(); i++) {
        finite = finite && fbxFiniteThree(&geometry->points[3 * size_t(geometry->corners[i])]);
    }
    dropped->unknown += !known;
    dropped->broken += !finite;
    model->repairs.trianglesDropped += known && finite && count < 3;
    if (!known || !finite || count < 3) {
        return;
    }
    std::vector<double> positions;
    for (size_t i = first; i < geometry->corners.size(); i++) {
        const double *point = geometry->points.data() + 3 * size_t(geometry->corners[i]);
        positions.insert(positions.end(), point, point + 3);
    }
    const size_t before = geometry->triangles.size();
    dropped->crooked += !fbxTriangulate(positions.data(), count, &geometry->triangles);
    for (size_t i = before; i < geometry->triangles.size(); i++) {
        geometry->triangles[i] += uint32_t(first);
    }
}

void warnOfDropped(const FbxGeometry &geometry, const Dropped &dropped, Model *model) {
    const char *name = geometry.name.c_str();
    if (dropped.unknown > 0) {
        childWarn(model, "%zu polygons of mesh '%.100s' are left out: they name points that it does not have",
                  dropped.unknown, name);
    }
    if (dropped.broken > 0) {
        childWarn(model, "%zu polygons of mesh '%.100s' are left out: they have points that are not finite",
                  dropped.broken, name);
    }
    if (dropped.crooked > 0) {
        childWarn(model, "%zu concave polygons of mesh '%.100s' have more than %d corners, and are cut as convex ones",
                  dropped.crooked, name, FBX_CONCAVE_MAX);
    }
}

/* The last corner of a polygon is stored as -1 - point. */
void readPolygons(FbxGeometry *geometry, Model *model) {
    const std::vector<int64_t> indices = geometry->record->childIntegers("PolygonVertexIndex");
    Dropped dropped = {0, 0, 0};
    size_t first = 0;
    bool known = true;
    uint32_t polygon = 0;
    for (size_t i = 0; i < indices.size(); i++) {
        const int64_t point = indices[i] < 0 ? -1 - indices[i] : indices[i];
        const bool there = size_t(point) < geometry->pointCount();
        geometry->corners.push_back(there ? uint32_t(point) : 0);
        geometry->polygons.push_back(polygon);
        known = known && there;
        if (indices[i] < 0 || i + 1 == indices.size()) {
            addPolygon(geometry, first, known, &dropped, model);
            first = i + 1;
            known = true;
            polygon++;
        }
    }
    warnOfDropped(*geometry, dropped, model);
}

/* ---- Materials ---- */

/* The slot of the material of each polygon: `Materials` has it, whatever the kind of reference. */
std::vector<int64_t> slotsOf(const FbxGeometry &geometry, FbxMapping *mapping) {
    const std::vector<const FbxRecord *> elements = elementsOf(*geometry.record, "LayerElementMaterial");
    const FbxRecord *values = elements.empty() ? nullptr : elements[0]->child("Materials");
    *mapping = FBX_BY_ALL;
    return values && mappingOf(*elements[0], mapping) ? values->integers() : std::vector<int64_t>();
}

FbxVector vectorAt(const double *numbers) {
    return {numbers[0], numbers[1], numbers[2]};
}

float floatOf(double value) {
    return float(value);
}

float linearOf(double value) {
    return linearFromSrgb(float(value));
}

/* Copies `components` numbers of each vertex; 0 where a corner has none. */
float *copyElement(const FbxGeometry &geometry, const FbxElement &element, const FbxCut &cut,
                   float (*convert)(double) = floatOf) {
    float *to = element.values.empty() ? nullptr : newArray<float>(cut.corners.size() * element.components);
    for (size_t v = 0; to && v < cut.corners.size(); v++) {
        const double *value = valueAt(geometry, element, cut.corners[v]);
        if (value) {
            std::transform(value, value + element.components, to + v * element.components, convert);
        }
    }
    return to;
}

float *copyPoints(const FbxGeometry &geometry, const std::vector<double> &values, const FbxCut &cut) {
    float *to = newArray<float>(cut.corners.size() * 3);
    for (size_t v = 0; v < cut.corners.size(); v++) {
        std::copy_n(values.data() + 3 * size_t(geometry.corners[cut.corners[v]]), 3, to + 3 * v);
    }
    return to;
}

/* The last component is the sign by which normal x tangent gives the binormal. */
float *copyTangents(const FbxGeometry &geometry, const FbxCut &cut) {
    const bool given =
        !geometry.tangents.values.empty() && !geometry.binormals.values.empty() && !geometry.normals.values.empty();
    float *to = given ? newArray<float>(cut.corners.size() * 4) : nullptr;
    for (size_t v = 0; to && v < cut.corners.size(); v++) {
        const double *t = valueAt(geometry, geometry.tangents, cut.corners[v]);
        const double *b = valueAt(geometry, geometry.binormals, cut.corners[v]);
        const double *n = valueAt(geometry, geometry.normals, cut.corners[v]);
        if (t) {
            std::copy_n(t, 3, to + 4 * v);
        }
        const FbxVector side = t && n && b ? fbxScaled(fbxCross(vectorAt(n), vectorAt(t)), vectorAt(b)) : FbxVector();
        to[4 * v + 3] = side[0] + side[1] + side[2] < 0.0 ? -1.0f : 1.0f;
    }
    return to;
}

float *copyColours(const FbxGeometry &geometry, const FbxCut &cut) {
    float *colours = copyElement(geometry, geometry.colours, cut, linearOf);
    for (size_t v = 0; colours && v < cut.corners.size(); v++) {
        const double *value = valueAt(geometry, geometry.colours, cut.corners[v]);
        colours[4 * v + 3] = value ? float(value[3]) : 1.0f;
    }
    return colours;
}

/* The model's v points down. */
float *copyTexcoords(const FbxGeometry &geometry, const FbxCut &cut, const std::string &set) {
    const FbxElement *chosen = geometry.texcoords.empty() ? nullptr : geometry.texcoords.data();
    for (const FbxElement &element : geometry.texcoords) {
        if (!set.empty() && element.name == set) {
            chosen = &element;
            break;
        }
    }
    float *texcoords = chosen ? copyElement(geometry, *chosen, cut) : nullptr;
    for (size_t v = 0; texcoords && v < cut.corners.size(); v++) {
        texcoords[2 * v + 1] = 1.0f - texcoords[2 * v + 1];
    }
    return texcoords;
}

} // namespace

bool fbxFiniteThree(const double *numbers) {
    return std::isfinite(float(numbers[0])) && std::isfinite(float(numbers[1])) && std::isfinite(float(numbers[2]));
}

FbxGeometry fbxReadGeometry(const FbxRecord &record, const std::string &name, Model *model) {
    FbxGeometry geometry = {};
    geometry.record = &record;
    geometry.name = fbxName(record).empty() ? name : fbxName(record);
    geometry.points = record.childNumbers("Vertices");
    readPolygons(&geometry, model);
    readElements(&geometry, model);
    if (geometry.normals.values.empty()) {
        geometry.smooth = fbxSmoothNormals(geometry, geometry.points);
    }
    return geometry;
}

std::vector<FbxCut> fbxCutGeometry(const FbxGeometry &geometry, Model *model) {
    FbxMapping mapping;
    const std::vector<int64_t> slots = slotsOf(geometry, &mapping);
    std::map<uint32_t, FbxCut> cuts;
    std::vector<uint32_t> vertices(geometry.corners.size(), UINT32_MAX); /* the vertex of each corner, in its cut */
    bool missing = false;
    for (uint32_t corner : geometry.triangles) {
        const size_t place = mapping == FBX_BY_POLYGON ? geometry.polygons[corner] : 0;
        const int64_t slot = place < slots.size() ? slots[place] : 0;
        missing = missing || (place >= slots.size() && !slots.empty());
        FbxCut &cut = cuts[slot > 0 && slot < INT32_MAX ? uint32_t(slot) : 0];
        if (vertices[corner] == UINT32_MAX) {
            vertices[corner] = uint32_t(cut.corners.size());
            cut.corners.push_back(corner);
        }
        cut.indices.push_back(vertices[corner]);
    }
    if (missing) {
        childWarn(model, "polygons of mesh '%.100s' have no material; they have its first", geometry.name.c_str());
    }
    std::vector<FbxCut> list;
    for (auto &cut : cuts) {
        cut.second.slot = cut.first;
        list.push_back(std::move(cut.second));
    }
    return list;
}

void fbxFillMesh(const FbxGeometry &geometry, const FbxCut &cut, const std::string &uvSet, ModelMesh *mesh) {
    mesh->name = childCopyText(geometry.name.c_str());
    mesh->vertexCount = uint32_t(cut.corners.size());
    mesh->positions = copyPoints(geometry, geometry.points, cut);
    mesh->normals = geometry.smooth.empty() ? copyElement(geometry, geometry.normals, cut)
                                            : copyPoints(geometry, geometry.smooth, cut);
    mesh->tangents = copyTangents(geometry, cut);
    mesh->colours = copyColours(geometry, cut);
    mesh->texcoords = copyTexcoords(geometry, cut, uvSet);
    mesh->indexCount = uint32_t(cut.indices.size());
    mesh->indices = newArray<uint32_t>(cut.indices.size());
    std::copy(cut.indices.begin(), cut.indices.end(), mesh->indices);
}

std::vector<double> fbxSmoothNormals(const FbxGeometry &geometry, const std::vector<double> &points) {
    std::vector<double> normals(geometry.pointCount() * 3);
    for (size_t t = 0; t + 2 < geometry.triangles.size(); t += 3) {
        const auto place = [&](size_t c) { return 3 * size_t(geometry.corners[geometry.triangles[t + c]]); };
        const FbxVector first = vectorAt(&points[place(0)]);
        const FbxVector part = fbxCross(fbxSum(vectorAt(&points[place(1)]), first, -1.0),
                                        fbxSum(vectorAt(&points[place(2)]), first, -1.0));
        for (size_t i = 0; i < 9; i++) {
            normals[place(i / 3) + i % 3] += part[i % 3];
        }
    }
    for (size_t n = 0; n + 2 < normals.size(); n += 3) {
        const double length =
            std::sqrt(normals[n] * normals[n] + normals[n + 1] * normals[n + 1] + normals[n + 2] * normals[n + 2]);
        for (size_t i = n; i < n + 3; i++) {
            normals[i] = length > 0.0 && std::isfinite(length) ? normals[i] / length : double(i == n + 2);
        }
    }
    return normals;
}
