/* spine_attachments.cpp: what slots of a Spine file show: regions, meshes, paths, polygons, points. */
#include "spine_source.h"

#include <algorithm>
#include <cmath>

namespace {

/* Pictures of a sequence: far more than any has. */
constexpr double SEQUENCE_MAX = 4096.0;
constexpr double VERTICES_MAX = 1e8;

/* An attachment while it is read. Its element in the 2D model's array may move, so it is found by index. */
struct Reading {
    SpineSource &source;
    uint32_t index;
    const cJSON *item;
    std::string name, where; /* as the file calls it; for messages */

    SpineAttachment &self() const {
        return source.spine->attachments[index];
    }
    float number(const char *member, double fallback) const {
        return static_cast<float>(source.number(item, member, fallback, where));
    }
};

/* ---- Vertices ---- */

/* One influence per vertex: the slot's bone. */
void bindToSlot(const Reading &reading, const std::vector<double> &positions) {
    SpineAttachment &self = reading.self();
    self.vertexCount = self.influenceCount = static_cast<uint32_t>(positions.size() / 2);
    self.vertices = newArray<uint32_t>(self.vertexCount);
    self.bones = newArray<uint32_t>(self.vertexCount);
    self.offsets = newArray<float>(static_cast<size_t>(self.vertexCount) * 3);
    for (size_t i = 0; i < self.vertexCount; i++) {
        self.vertices[i] = static_cast<uint32_t>(i);
        self.bones[i] = reading.source.spine->slots[self.slot].bone;
        self.offsets[i * 3] = static_cast<float>(positions[i * 2]);
        self.offsets[i * 3 + 1] = static_cast<float>(positions[i * 2 + 1]);
        self.offsets[i * 3 + 2] = 1.0f;
    }
}

/* Rounding error of weight sums: files store five decimals, for up to a dozen influences. */
constexpr double WEIGHT_ROUNDING = 1e-4;

/* Weights are kept as they are, because the official runtime uses them so. */
void checkWeights(const Reading &reading, const double *numbers, uint32_t influences, uint32_t vertex) {
    double sum = 0.0, least = 0.0;
    for (uint32_t i = 0; i < influences; i++) {
        const double weight = numbers[4 * static_cast<size_t>(i) + 3];
        sum += weight;
        least = std::min(least, weight);
    }
    const auto warn = [&](const char *sentence) {
        reading.source.count(
            sentence, "slot '" + std::string(reading.source.spine->slots[reading.self().slot].name).substr(0, 60) +
                          "', attachment '" + keyOf(reading.item).substr(0, 60) + "', vertex " +
                          std::to_string(vertex));
    };
    if (least < 0.0) {
        warn("vertices with a weight below 0, drawn as 0");
    }
    if (std::fabs(sum - 1.0) > WEIGHT_ROUNDING) {
        warn("vertices whose weights do not sum to 1, drawn divided by their sum");
    }
}

/* For each vertex the number of its influences, then bone, x, y and weight of each. */
void bindToBones(const Reading &reading, const std::vector<double> &numbers, uint32_t vertexCount) {
    std::vector<uint32_t> vertices, bones;
    std::vector<float> offsets;
    size_t at = 0;
    for (uint32_t vertex = 0; vertex < vertexCount; vertex++) {
        const double count = at < numbers.size() ? numbers[at++] : 0.0;
        const uint32_t influences = reading.source.integer(count, VERTICES_MAX, reading.where);
        require(
            (influences > 0 && influences <= (numbers.size() - at) / 4) ||
            engineFail(reading.source.error, "%.120s: 'vertices' ends at vertex %u", reading.where.c_str(), vertex));
        checkWeights(reading, numbers.data() + at, influences, vertex);
        for (uint32_t i = 0; i < influences; i++, at += 4) {
            vertices.push_back(vertex);
            bones.push_back(reading.source.integer(numbers[at], reading.source.spine->boneCount, reading.where));
            offsets.push_back(static_cast<float>(numbers[at + 1]));
            offsets.push_back(static_cast<float>(numbers[at + 2]));
            offsets.push_back(static_cast<float>(numbers[at + 3]));
        }
    }
    SpineAttachment &self = reading.self();
    self.vertexCount = vertexCount;
    self.influenceCount = static_cast<uint32_t>(vertices.size());
    self.vertices = copyArray(vertices);
    self.bones = copyArray(bones);
    self.offsets = copyArray(offsets);
}

void readVertices(const Reading &reading, size_t vertexCount) {
    const std::vector<double> numbers = reading.source.numbers(reading.item, "vertices", reading.where);
    require(vertexCount > 0 || engineFail(reading.source.error, "%.120s has no vertices", reading.where.c_str()));
    if (numbers.size() == vertexCount * 2) {
        bindToSlot(reading, numbers);
    } else {
        bindToBones(reading, numbers, static_cast<uint32_t>(vertexCount));
    }
}

/* ---- Pictures ---- */

/* Reads the texture coordinates of a frame, for places (u, v) of the original picture from 0 to 1. */
void readFrame(const Reading &reading, const std::string &path, const std::vector<double> &places, SpineFrame &frame) {
    SpineSource &source = reading.source;
    const AtlasRegion *region = source.atlas.find(path);
    frame.page = region ? static_cast<int32_t>(region->page) : -1;
    frame.vertexCount = reading.self().vertexCount;
    frame.texcoords = newArray<float>(places.size());
    if (!region) {
        source.count("pictures that the atlas does not have, shown without one");
    }
    for (size_t i = 0; i + 1 < places.size(); i += 2) {
        double texel[2] = {places[i], places[i + 1]};
        if (region) {
            region->place(places[i] * region->originalWidth, places[i + 1] * region->originalHeight, texel);
            texel[0] /= source.pageSizes[region->page][0];
            texel[1] /= source.pageSizes[region->page][1];
        }
        frame.texcoords[i] = static_cast<float>(texel[0]);
        frame.texcoords[i + 1] = static_cast<float>(texel[1]);
    }
}

/* The part of the original picture that the atlas kept: left, top, right, bottom, from 0 to 1. */
std::array<double, 4> keptPart(const AtlasRegion *region) {
    if (!region) {
        return {0.0, 0.0, 1.0, 1.0};
    }
    return {region->left / region->originalWidth, 1.0 - (region->bottom + region->height) / region->originalHeight,
            (region->left + region->width) / region->originalWidth, 1.0 - region->bottom / region->originalHeight};
}

/* The corners of a region's picture, counter-clockwise from its lower left. */
void readCorners(const Reading &reading, const std::string &path, SpineFrame &frame) {
    const std::array<double, 4> kept = keptPart(reading.source.atlas.find(path));
    readFrame(reading, path, {kept[0], kept[3], kept[2], kept[3], kept[2], kept[1], kept[0], kept[1]}, frame);
    const double width = static_cast<double>(reading.number("width", 32.0)) * reading.number("scaleX", 1.0);
    const double height = static_cast<double>(reading.number("height", 32.0)) * reading.number("scaleY", 1.0);
    const double angle = reading.number("rotation", 0.0) * (3.14159265358979323846 / 180.0);
    const size_t sides[4][2] = {{0, 3}, {2, 3}, {2, 1}, {0, 1}};
    frame.corners = newArray<float>(8);
    for (size_t i = 0; i < 4; i++) {
        const double x = (kept[sides[i][0]] - 0.5) * width, y = (0.5 - kept[sides[i][1]]) * height;
        frame.corners[i * 2] = static_cast<float>(reading.number("x", 0.0) + std::cos(angle) * x - std::sin(angle) * y);
        frame.corners[i * 2 + 1] =
            static_cast<float>(reading.number("y", 0.0) + std::sin(angle) * x + std::cos(angle) * y);
    }
}

/* The names of its pictures: one, or those of a sequence. */
std::vector<std::string> readPaths(const Reading &reading) {
    const SpineSource &source = reading.source;
    const std::string path = textOf(reading.item, "path", reading.name);
    const cJSON *sequence = memberOf(reading.item, "sequence");
    if (!cJSON_IsObject(sequence)) {
        return {path};
    }
    const double count = source.number(sequence, "count", 0.0, reading.where);
    const double digits = source.number(sequence, "digits", 0.0, reading.where);
    require((count >= 1.0 && count <= SEQUENCE_MAX && digits >= 0.0 && digits < 10.0) ||
            engineFail(source.error, "%.120s: its sequence is empty or too long", reading.where.c_str()));
    const uint32_t start = source.integer(source.number(sequence, "start", 1.0, reading.where), 1e9, reading.where);
    const uint32_t setup = source.integer(source.number(sequence, "setup", 0.0, reading.where), 1e9, reading.where);
    reading.self().setupFrame = std::min(setup, static_cast<uint32_t>(count) - 1);
    std::vector<std::string> paths;
    for (uint32_t i = 0; i < static_cast<uint32_t>(count); i++) {
        char number[32];
        std::snprintf(number, sizeof number, "%0*u", static_cast<int>(digits), start + i);
        paths.push_back(path + number);
    }
    return paths;
}

/* ---- Kinds ---- */

void readRegion(const Reading &reading) {
    bindToSlot(reading, std::vector<double>(8, 0.0));
    for (const std::string &path : readPaths(reading)) {
        readCorners(reading, path, append(reading.self().frames, reading.self().frameCount));
    }
    SpineAttachment &self = reading.self();
    const SpineFrame &setup = self.frames[self.setupFrame];
    for (size_t i = 0; i < 4; i++) {
        self.offsets[i * 3] = setup.corners[i * 2];
        self.offsets[i * 3 + 1] = setup.corners[i * 2 + 1];
    }
    self.indexCount = 6;
    self.indices = copyArray(std::vector<uint32_t>{0, 1, 2, 2, 3, 0});
}

/* The texture coordinates of a mesh, from its own or its parent's `uvs`. */
void readMeshFrames(const Reading &reading, const std::vector<double> &places) {
    for (const std::string &path : readPaths(reading)) {
        readFrame(reading, path, places, append(reading.self().frames, reading.self().frameCount));
    }
}

void readMesh(const Reading &reading) {
    SpineSource &source = reading.source;
    const std::vector<double> places = source.numbers(reading.item, "uvs", reading.where);
    const std::vector<double> corners = source.numbers(reading.item, "triangles", reading.where);
    require((places.size() % 2 == 0 && corners.size() % 3 == 0) ||
            engineFail(source.error, "%.120s: half a vertex or part of a triangle", reading.where.c_str()));
    readVertices(reading, places.size() / 2);
    std::vector<uint32_t> indices;
    indices.reserve(corners.size());
    for (double corner : corners) {
        indices.push_back(source.integer(corner, reading.self().vertexCount, reading.where));
    }
    reading.self().indexCount = static_cast<uint32_t>(indices.size());
    reading.self().indices = copyArray(indices);
    readMeshFrames(reading, places);
}

void readPath(const Reading &reading, uint32_t vertexCount) {
    SpineSource &source = reading.source;
    readVertices(reading, vertexCount);
    SpineAttachment &self = reading.self();
    self.closed = flagOf(reading.item, "closed", false);
    self.constantSpeed = flagOf(reading.item, "constantSpeed", true);
    std::vector<double> lengths = source.numbers(reading.item, "lengths", reading.where);
    const uint32_t knots = vertexCount / 3, curves = knots - !self.closed;
    require((vertexCount % 3 == 0 && knots >= 2 && (lengths.size() >= curves || self.constantSpeed)) ||
            engineFail(source.error, "%.120s is no path: %u vertices, %zu lengths", reading.where.c_str(), vertexCount,
                       lengths.size()));
    lengths.resize(curves, 0.0);
    self.lengthCount = curves;
    self.lengths = newArray<float>(curves);
    for (uint32_t i = 0; i < curves; i++) {
        self.lengths[i] = static_cast<float>(lengths[i]);
    }
}

void readClipping(const Reading &reading, uint32_t vertexCount) {
    const std::string end = textOf(reading.item, "end", "");
    readVertices(reading, vertexCount);
    if (!end.empty()) {
        reading.self().clipEnd =
            static_cast<int32_t>(reading.source.find(reading.source.slots, "slot", end, reading.where));
    }
}

void readPoint(const Reading &reading) {
    bindToSlot(reading, {reading.number("x", 0.0), reading.number("y", 0.0)});
    reading.self().rotation = reading.number("rotation", 0.0);
}

/* ---- Linked meshes ---- */

template <typename T> T *duplicate(const T *array, size_t count) {
    return copyArray(std::vector<T>(array, array + count));
}

/* The mesh whose vertices it shares, with the item that has its `uvs`. */
void readLinked(const Reading &reading, const std::map<uint32_t, const cJSON *> &meshes) {
    SpineSource &source = reading.source;
    SpineAttachment &self = reading.self();
    const std::string skin = textOf(reading.item, "skin", "default");
    const std::string parent = textOf(reading.item, "parent", "");
    const uint32_t skinIndex = source.find(source.skins, "skin", skin, reading.where);
    auto found = source.attachments.find({skinIndex, self.slot, source.name(parent)});
    auto mesh = found != source.attachments.end() ? meshes.find(found->second) : meshes.end();
    require(mesh != meshes.end() ||
            engineFail(source.error, "%.120s is linked to the mesh '%.80s', which does not exist",
                       reading.where.c_str(), parent.c_str()));
    const SpineAttachment &from = source.spine->attachments[mesh->first];
    self.vertexCount = from.vertexCount;
    self.influenceCount = from.influenceCount;
    self.indexCount = from.indexCount;
    self.vertices = duplicate(from.vertices, from.influenceCount);
    self.bones = duplicate(from.bones, from.influenceCount);
    self.offsets = duplicate(from.offsets, static_cast<size_t>(from.influenceCount) * 3);
    self.indices = duplicate(from.indices, from.indexCount);
    const char *member = memberOf(reading.item, "timelines") ? "timelines" : "deform"; /* from 4.1; 4.0 */
    self.source = flagOf(reading.item, member, true) ? mesh->first : reading.index;
    readMeshFrames(reading, source.numbers(mesh->second, "uvs", reading.where));
}

/* ---- All of them ---- */

const char *const TYPES[] = {"region", "mesh", "linkedmesh", "path", "point", "boundingbox", "clipping", nullptr};
const uint32_t KINDS[] = {SPINE_REGION, SPINE_MESH, SPINE_MESH, SPINE_PATH, SPINE_POINT, SPINE_BOUNDS, SPINE_CLIPPING};
enum { TYPE_REGION, TYPE_MESH, TYPE_LINKED, TYPE_PATH, TYPE_POINT, TYPE_BOUNDS, TYPE_CLIPPING, TYPE_COUNT };

uint32_t typeOf(const cJSON *item) {
    const std::string type = textOf(item, "type", "region");
    uint32_t i = 0;
    while (i < TYPE_COUNT && type != TYPES[i]) {
        i++;
    }
    return i;
}

/* All but linked meshes, which come when all meshes are there. */
void readOwn(const Reading &reading, uint32_t type) {
    const double count = reading.source.number(reading.item, "vertexCount", 0.0, reading.where);
    const uint32_t vertexCount = reading.source.integer(count, VERTICES_MAX, reading.where);
    switch (type) {
    case TYPE_REGION:
        readRegion(reading);
        break;
    case TYPE_MESH:
        readMesh(reading);
        break;
    case TYPE_PATH:
        readPath(reading, vertexCount);
        break;
    case TYPE_CLIPPING:
        readClipping(reading, vertexCount);
        break;
    case TYPE_POINT:
        readPoint(reading);
        break;
    default:
        readVertices(reading, vertexCount);
        break;
    }
}

/* Arrays that a kind does not have are empty ones. */
void provideEmpty(SpineAttachment &self) {
    self.indices = self.indices ? self.indices : newArray<uint32_t>(1);
    self.lengths = self.lengths ? self.lengths : newArray<float>(1);
    self.frames = self.frames ? self.frames : newArray<SpineFrame>(1);
}

class AttachmentReader {
  public:
    explicit AttachmentReader(SpineSource &from) : source(from) {
    }

    void read(const cJSON *skins) {
        const cJSON *skin, *slot, *item;
        uint32_t index = 0;
        cJSON_ArrayForEach(skin, skins) {
            cJSON_ArrayForEach(slot, memberOf(skin, "attachments")) {
                const uint32_t slotIndex =
                    source.find(source.slots, "slot", keyOf(slot), "skin '" + textOf(skin, "name", "") + "'");
                cJSON_ArrayForEach(item, slot) {
                    begin(index, slotIndex, item);
                }
            }
            index++;
        }
        for (const Reading &reading : linked) {
            readLinked(reading, meshes);
        }
        for (uint32_t i = 0; i < source.spine->attachmentCount; i++) {
            provideEmpty(source.spine->attachments[i]);
        }
    }

  private:
    SpineSource &source;
    std::vector<Reading> linked;
    std::map<uint32_t, const cJSON *> meshes;

    void begin(uint32_t skin, uint32_t slot, const cJSON *item) {
        const uint32_t type = typeOf(item), index = source.spine->attachmentCount;
        const uint32_t name = source.name(keyOf(item));
        if (type == TYPE_COUNT) {
            source.count("attachments of unknown types, left out");
            return;
        }
        SpineAttachment &self = append(source.spine->attachments, source.spine->attachmentCount);
        self.skin = skin;
        self.slot = slot;
        self.name = name;
        self.kind = KINDS[type];
        self.source = index;
        self.clipEnd = -1;
        std::fill_n(self.colour, 4, 1.0f);
        const Reading reading = {source, index, item, textOf(item, "name", keyOf(item)),
                                 "attachment '" + keyOf(item) + "'"};
        source.colour(item, "color", self.colour, 4, reading.where);
        if (!source.attachments.emplace(std::make_tuple(skin, slot, name), index).second) {
            source.fail("attachment", keyOf(item), "exists twice");
        }
        if (type == TYPE_LINKED) {
            linked.push_back(reading);
            return;
        }
        readOwn(reading, type);
        if (type == TYPE_MESH) {
            meshes[index] = item;
        }
    }
};

} // namespace

void spineReadAttachments(SpineSource &source, const cJSON *skins) {
    AttachmentReader(source).read(skins);
}
