/*
 * Changes what tinygltf would refuse, before it reads the file: fallback buffers without bytes, targets of
 * KHR_animation_pointer, and chunks of a binary file that do not end at a multiple of four bytes.
 */
#include "gltf_source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

#define FALLBACK_EXTENSION "EXT_meshopt_compression"
#define POINTER_EXTENSION  "KHR_animation_pointer"

namespace {

using nlohmann::json;

constexpr int depthMax = 256;       /* maximum depth of the JSON text: writing it again takes stack for each level */
constexpr size_t expandMax = 65536; /* channels that pointers to the weights of meshes become */

bool holds(const char *text, size_t size, const char *word) {
    return memmem(text, size, word, std::strlen(word)) != nullptr;
}

json parseText(const char *text, size_t size) {
    return json::parse(text, text + size, [](int depth, json::parse_event_t, json &) {
        return depth <= depthMax ? true : throw std::runtime_error("nested too deeply");
    });
}

/* ---- Fallback buffers ---- */

/* Gives each fallback buffer three bytes. Returns whether there is one. */
bool replaceFallbacks(json &document) {
    static const json::json_pointer fallback("/extensions/" FALLBACK_EXTENSION "/fallback");
    bool any = false;
    for (json &buffer : document.at("buffers")) {
        if (buffer.value(fallback, false)) {
            buffer["uri"] = "data:application/octet-stream;base64,AAAA";
            buffer["byteLength"] = 3;
            any = true;
        }
    }
    return any;
}

/* ---- Pointers ---- */

/* The nodes that show the morph targets of each mesh with the weights of the mesh. */
using Carriers = std::map<size_t, std::vector<size_t>>;

Carriers findCarriers(const json &document) {
    Carriers carriers;
    const json &nodes = document.at("nodes");
    for (size_t n = 0; n < nodes.size(); n++) {
        if (nodes[n].contains("mesh") && !nodes[n].contains("weights")) {
            carriers[nodes[n].at("mesh").get<size_t>()].push_back(n);
        }
    }
    return carriers;
}

/* Whether `pointer` is "/LIST/INDEX/PATH". */
bool splitPointer(const std::string &pointer, const std::string &list, size_t &index, std::string &path) {
    const size_t start = list.size() + 2;
    const size_t end = pointer.compare(0, start, "/" + list + "/") == 0 ? pointer.find('/', start) : std::string::npos;
    if (end == std::string::npos || end == start || end - start > 9 ||
        pointer.find_first_not_of("0123456789", start) != end) {
        return false;
    }
    index = std::stoul(pointer.substr(start, end - start));
    path = pointer.substr(end + 1);
    return true;
}

bool isPathOfNode(const std::string &path) {
    return path == "translation" || path == "rotation" || path == "scale" || path == "weights";
}

void addChannel(json &channels, json channel, int64_t node, const std::string &path) {
    channel["target"]["node"] = node;
    channel["target"]["path"] = path;
    channels.push_back(std::move(channel));
}

/* Adds what a channel with a pointer becomes. Node -1 stands for what is not read: gltf.cpp warns of it. */
void resolvePointer(const Carriers &carriers, const json &channel, const std::string &pointer, size_t &expanded,
                    json &channels) {
    size_t index = 0;
    std::string path;
    if (splitPointer(pointer, "nodes", index, path) && isPathOfNode(path)) {
        addChannel(channels, channel, int64_t(index), path);
        return;
    }
    const bool ofMesh = splitPointer(pointer, "meshes", index, path) && path == "weights";
    const auto found = ofMesh ? carriers.find(index) : carriers.end();
    if (found == carriers.end() || found->second.size() > expandMax - expanded) {
        addChannel(channels, channel, -1, "pointer");
        return;
    }
    expanded += found->second.size();
    for (size_t node : found->second) {
        addChannel(channels, channel, int64_t(node), path);
    }
}

bool resolvePointers(json &document) {
    static const json::json_pointer at("/target/extensions/" POINTER_EXTENSION "/pointer");
    const Carriers carriers = findCarriers(document);
    size_t expanded = 0;
    for (json &animation : document.at("animations")) {
        json channels = json::array();
        for (json &channel : animation.at("channels")) {
            if (channel.contains(at)) {
                resolvePointer(carriers, channel, channel.at(at).get<std::string>(), expanded, channels);
            } else {
                channels.push_back(std::move(channel));
            }
        }
        animation["channels"] = std::move(channels);
    }
    return true;
}

/* ---- The file ---- */

/* Empty: nothing is to be changed. */
std::string changeText(const char *text, size_t size) {
    const bool fallbacks = holds(text, size, FALLBACK_EXTENSION), pointers = holds(text, size, POINTER_EXTENSION);
    if (!fallbacks && !pointers) {
        return std::string();
    }
    json document = parseText(text, size);
    bool changed = fallbacks && replaceFallbacks(document);
    changed = (pointers && document.contains("animations") && resolvePointers(document)) || changed;
    return changed ? document.dump() : std::string();
}

/* A binary file begins with a header, and the header of its first chunk, the text. */
struct BinaryHead {
    uint32_t magic, version, size, textSize, textType;
};

/* The header of the chunk after the text. */
struct ChunkHead {
    uint32_t size, type;
};

size_t aligned(size_t size) {
    return (size + 3) / 4 * 4;
}

/* Anything wrong is left for tinygltf to report. */
std::string changeBinary(const char *bytes, size_t size) {
    BinaryHead head;
    ChunkHead chunk = {};
    std::memcpy(&head, bytes, std::min(size, sizeof head));
    if (size < sizeof head || head.size > size || head.size < sizeof head || head.textSize > head.size - sizeof head) {
        return std::string();
    }
    std::string text = changeText(bytes + sizeof head, head.textSize);
    const char *rest = bytes + sizeof head + head.textSize;
    const size_t restSize = head.size - sizeof head - head.textSize;
    std::memcpy(&chunk, rest, restSize >= sizeof chunk ? sizeof chunk : 0);
    const bool whole = restSize >= sizeof chunk && chunk.size <= restSize - sizeof chunk;
    const bool ragged = head.textSize % 4 != 0 || (whole && chunk.size % 4 != 0);
    if (text.empty() && !ragged) {
        return std::string();
    }
    text = text.empty() ? std::string(bytes + sizeof head, head.textSize) : text;
    text.resize(aligned(text.size()), ' ');
    std::string tail(rest, restSize);
    if (whole) { /* tinygltf reads no chunk after it */
        tail.resize(sizeof chunk + chunk.size);
        chunk.size = uint32_t(aligned(chunk.size));
        std::memcpy(tail.data(), &chunk, sizeof chunk);
        tail.resize(sizeof chunk + chunk.size);
    }
    if (text.size() > UINT32_MAX - sizeof head - tail.size()) {
        return std::string();
    }
    head.size = uint32_t(sizeof head + text.size() + tail.size());
    head.textSize = uint32_t(text.size());
    return std::string(reinterpret_cast<const char *>(&head), sizeof head) + text + tail;
}

} // namespace

std::string gltfChangeText(const uint8_t *bytes, size_t size, bool binary) {
    try {
        const char *text = reinterpret_cast<const char *>(bytes);
        return binary ? changeBinary(text, size) : changeText(text, size);
    } catch (const std::exception &) {
        return std::string();
    }
}
