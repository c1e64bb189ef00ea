#include "fbx_morphs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

/* ---- Channels ---- */

/* Even steps where the file does not state them. */
std::vector<double> fullWeights(const std::vector<double> &stated, size_t shapes) {
    std::vector<double> full = stated, sorted = stated;
    std::sort(sorted.begin(), sorted.end());
    bool good = full.size() == shapes && std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    for (double percent : full) {
        good = good && std::isfinite(percent) && percent != 0.0;
    }
    if (!good) {
        full.clear();
        for (size_t i = 0; i < shapes; i++) {
            full.push_back(100.0 * double(i + 1) / double(shapes));
        }
    }
    return full;
}

/* One number for each vertex of the only shape: Blender writes vertex groups so, in percent. */
std::vector<double> partsOf(const std::vector<double> &stated, const std::vector<const FbxRecord *> &shapes) {
    std::vector<double> parts;
    if (shapes.size() == 1 && stated.size() > 1 && stated.size() == shapes[0]->childIntegers("Indexes").size()) {
        for (double percent : stated) {
            parts.push_back(std::isfinite(percent) ? percent / 100.0 : 1.0);
        }
    }
    return parts;
}

FbxMorphChannel channelOf(const FbxDocument &document, const FbxRecord &object) {
    const std::vector<double> stated = object.childNumbers("FullWeights");
    std::vector<const FbxRecord *> shapes;
    for (const FbxLink &link : document.lower(object, "Geometry")) {
        shapes.push_back(link.object);
    }
    const std::vector<double> full = fullWeights(stated, shapes.size());
    std::vector<size_t> order(shapes.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return full[a] < full[b]; });
    FbxMorphChannel channel = {&object, {}, {}, partsOf(stated, shapes)};
    for (size_t i : order) {
        channel.full.push_back(full[i]);
        channel.shapes.push_back(shapes[i]);
    }
    return channel;
}

/* ---- Targets ---- */

/* The name of the channel, else of the shape; of shapes before the last: with their percent. */
std::string targetName(const FbxMorphChannel &channel, size_t shape) {
    char percent[32] = "";
    if (shape + 1 < channel.full.size()) {
        snprintf(percent, sizeof percent, " %g %%", channel.full[shape]);
    }
    const std::string name = fbxName(*channel.object);
    return (name.empty() ? fbxName(*channel.shapes[shape]) : name) + percent;
}

struct Delta {
    size_t point, from; /* from: number in the arrays of the shape */
};

std::vector<double> deltasOf(const std::vector<double> &values, const std::vector<Delta> &deltas,
                             const std::vector<double> &parts) {
    std::vector<double> list;
    for (const Delta &delta : deltas) {
        for (size_t i = 3 * delta.from; i < 3 * delta.from + 3; i++) {
            list.push_back(values[i] * (parts.empty() ? 1.0 : parts[delta.from]));
        }
    }
    return list;
}

/* In the order of points. Where a point is moved twice, the first delta counts. */
std::vector<Delta> listDeltas(const FbxGeometry &geometry, const std::vector<int64_t> &indices,
                              const std::vector<double> &positions, size_t *dropped) {
    std::vector<Delta> deltas;
    const size_t count = std::min(indices.size(), positions.size() / 3);
    *dropped += std::max(indices.size(), positions.size() / 3) - count;
    for (size_t i = 0; i < count; i++) {
        const bool good =
            indices[i] >= 0 && size_t(indices[i]) < geometry.pointCount() && fbxFiniteThree(positions.data() + 3 * i);
        *dropped += !good;
        if (good) {
            deltas.push_back({size_t(indices[i]), i});
        }
    }
    const auto before = [](const Delta &a, const Delta &b) { return a.point < b.point; };
    const auto same = [](const Delta &a, const Delta &b) { return a.point == b.point; };
    std::stable_sort(deltas.begin(), deltas.end(), before);
    deltas.erase(std::unique(deltas.begin(), deltas.end(), same), deltas.end());
    return deltas;
}

/* Zeros, as Blender writes them, count as none. */
bool usableNormals(const std::vector<double> &normals, size_t count) {
    const bool finite = std::all_of(normals.begin(), normals.end(), [](double n) { return std::isfinite(float(n)); });
    return finite && normals.size() >= 3 * count &&
           std::any_of(normals.begin(), normals.end(), [](double n) { return n != 0.0; });
}

FbxTarget readTarget(const FbxGeometry &geometry, const FbxMorphChannel &channel, size_t shape, size_t *dropped) {
    FbxTarget target = {targetName(channel, shape), {}, {}, {}};
    const FbxRecord &record = *channel.shapes[shape];
    const std::vector<int64_t> indices = record.childIntegers("Indexes");
    const std::vector<double> positions = record.childNumbers("Vertices"), normals = record.childNumbers("Normals");
    const std::vector<Delta> deltas = listDeltas(geometry, indices, positions, dropped);
    for (const Delta &delta : deltas) {
        target.points.push_back(uint32_t(delta.point));
    }
    target.positions = deltasOf(positions, deltas, channel.parts);
    if (geometry.smooth.empty() && usableNormals(normals, std::min(indices.size(), positions.size() / 3))) {
        target.normals = deltasOf(normals, deltas, channel.parts);
    }
    return target;
}

/* Where the file has no normals: those of the morphed triangles minus the mesh's. More points may then have deltas. */
void addSmoothNormals(const FbxGeometry &geometry, FbxTarget *target) {
    std::vector<double> moved = geometry.points;
    for (size_t i = 0; i < target->positions.size(); i++) {
        moved[3 * size_t(target->points[i / 3]) + i % 3] += target->positions[i];
    }
    const std::vector<double> normals = fbxSmoothNormals(geometry, moved);
    FbxTarget complete = {target->name, {}, {}, {}};
    for (size_t p = 0; p < geometry.pointCount(); p++) {
        const auto differs = [&](const std::vector<double> &a, const std::vector<double> &b) {
            return fbxFiniteThree(&a[3 * p]) && !std::equal(&a[3 * p], &a[3 * p] + 3, &b[3 * p]);
        };
        if (differs(moved, geometry.points) || differs(normals, geometry.smooth)) {
            complete.points.push_back(uint32_t(p));
            for (size_t i = 3 * p; i < 3 * p + 3; i++) {
                complete.positions.push_back(moved[i] - geometry.points[i]);
                complete.normals.push_back(normals[i] - geometry.smooth[i]);
            }
        }
    }
    *target = complete;
}

/* Corners of all targets together: the normals of more are not computed. */
#define SMOOTHED_MAX ((size_t)1 << 26)

/* ---- Meshes ---- */

/* The vertices of each point: first[point] to first[point + 1] in `vertices`. */
struct PointVertices {
    std::vector<uint32_t> first, vertices;
};

PointVertices verticesOf(const FbxGeometry &geometry, const FbxCut &cut) {
    PointVertices lists = {std::vector<uint32_t>(geometry.pointCount() + 1), std::vector<uint32_t>(cut.corners.size())};
    for (uint32_t corner : cut.corners) {
        lists.first[geometry.corners[corner] + 1]++;
    }
    for (size_t p = 0; p < geometry.pointCount(); p++) {
        lists.first[p + 1] += lists.first[p];
    }
    std::vector<uint32_t> next = lists.first;
    for (uint32_t v = 0; v < cut.corners.size(); v++) {
        lists.vertices[next[geometry.corners[cut.corners[v]]]++] = v;
    }
    return lists;
}

struct Moved {
    uint32_t vertex;
    size_t from; /* number in the target's arrays */
};

float *gather(const std::vector<double> &deltas, const std::vector<Moved> &moved) {
    float *list = deltas.empty() ? nullptr : newArray<float>(moved.size() * 3);
    for (size_t i = 0; list && i < moved.size(); i++) {
        std::copy_n(deltas.data() + 3 * moved[i].from, 3, list + 3 * i);
    }
    return list;
}

bool isZero(const std::vector<double> &deltas, size_t at) {
    return deltas.empty() || (deltas[3 * at] == 0.0 && deltas[3 * at + 1] == 0.0 && deltas[3 * at + 2] == 0.0);
}

void fillMorph(const FbxTarget &target, const PointVertices &lists, ModelMorph *morph) {
    std::vector<Moved> moved;
    for (size_t i = 0; i < target.points.size(); i++) {
        const uint32_t point = target.points[i];
        const bool still = isZero(target.positions, i) && isZero(target.normals, i);
        for (uint32_t v = lists.first[point]; !still && v < lists.first[point + 1]; v++) {
            moved.push_back({lists.vertices[v], i});
        }
    }
    std::sort(moved.begin(), moved.end(), [](const Moved &a, const Moved &b) { return a.vertex < b.vertex; });
    morph->name = childCopyText(target.name.c_str());
    morph->vertexCount = uint32_t(moved.size());
    morph->vertices = newArray<uint32_t>(moved.size());
    for (size_t i = 0; i < moved.size(); i++) {
        morph->vertices[i] = moved[i].vertex;
    }
    morph->positions = gather(target.positions, moved);
    morph->normals = gather(target.normals, moved);
}

} // namespace

FbxMorphChannels fbxReadChannels(const FbxDocument &document, const FbxRecord &geometry) {
    FbxMorphChannels channels;
    for (const FbxLink &deformer : document.lower(geometry, "Deformer")) {
        if (fbxType(*deformer.object) != "BlendShape") {
            continue;
        }
        for (const FbxLink &link : document.lower(*deformer.object, "Deformer")) {
            const FbxMorphChannel channel = channelOf(document, *link.object);
            if (!channel.shapes.empty()) {
                channels.push_back(channel);
            }
        }
    }
    return channels;
}

double fbxDeformPercent(const FbxDocument &document, const FbxMorphChannel &channel) {
    const FbxRecord *record = channel.object->child("DeformPercent");
    const double number = record && !record->values.empty() ? record->values[0].number : 0.0;
    return document.number(*channel.object, "DeformPercent", std::isfinite(number) ? number : 0.0);
}

void fbxAddWeights(const FbxMorphChannel &channel, double percent, std::vector<double> *weights) {
    const size_t zero = size_t(std::lower_bound(channel.full.begin(), channel.full.end(), 0.0) - channel.full.begin());
    std::vector<double> line = channel.full; /* with the shape that moves nothing */
    line.insert(line.begin() + ptrdiff_t(zero), 0.0);
    size_t above = size_t(std::upper_bound(line.begin(), line.end(), percent) - line.begin());
    above = std::min(std::max<size_t>(above, 1), line.size() - 1);
    std::vector<double> mix(line.size());
    mix[above] = (percent - line[above - 1]) / (line[above] - line[above - 1]);
    mix[above - 1] = 1.0 - mix[above];
    mix.erase(mix.begin() + ptrdiff_t(zero));
    weights->insert(weights->end(), mix.begin(), mix.end());
}

std::vector<FbxTarget> fbxReadTargets(const FbxGeometry &geometry, const FbxMorphChannels &channels, Model *model) {
    std::vector<FbxTarget> targets;
    size_t dropped = 0, smoothed = 0;
    for (const FbxMorphChannel &channel : channels) {
        for (size_t shape = 0; shape < channel.shapes.size(); shape++) {
            targets.push_back(readTarget(geometry, channel, shape, &dropped));
            smoothed += geometry.corners.size();
            if (!geometry.smooth.empty() && smoothed <= SMOOTHED_MAX) {
                addSmoothNormals(geometry, &targets.back());
            }
        }
    }
    if (dropped > 0) {
        childWarn(model, "%zu deltas of morph targets of mesh '%.100s' are left out: not finite, or of no point",
                  dropped, geometry.name.c_str());
    }
    return targets;
}

void fbxFillMorphs(const FbxGeometry &geometry, const std::vector<FbxTarget> &targets, const FbxCut &cut,
                   ModelMesh *mesh) {
    const PointVertices lists = targets.empty() ? PointVertices() : verticesOf(geometry, cut);
    mesh->morphs = newArray<ModelMorph>(targets.size());
    for (const FbxTarget &target : targets) {
        fillMorph(target, lists, &mesh->morphs[mesh->morphCount++]);
    }
}
