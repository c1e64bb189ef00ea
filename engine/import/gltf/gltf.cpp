/* Parses with tinygltf, converts nodes and clips. */
#include "gltf_source.h"

#include "readers.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <new>

#include <strings.h>
#include <unistd.h>

namespace {

constexpr size_t fileMax = UINT32_MAX;
constexpr size_t bufferMax = size_t(1) << 32;
constexpr int32_t noParent = -1;

/* ---- Nodes ---- */

/* Each node may have one parent. */
std::vector<int32_t> findParents(const GltfSource &source) {
    const std::vector<tinygltf::Node> &nodes = source.document.nodes;
    std::vector<int32_t> parents(nodes.size(), noParent);
    for (size_t n = 0; n < nodes.size(); n++) {
        for (int child : nodes[n].children) {
            require(
                isIndex(child, nodes) ||
                engineFail(source.error, "node %zu names child %d, but there are %zu nodes", n, child, nodes.size()));
            require(parents[size_t(child)] == noParent ||
                    engineFail(source.error, "node %d has two parents, %d and %zu", child, parents[size_t(child)], n));
            parents[size_t(child)] = int32_t(n);
        }
    }
    return parents;
}

void listNodes(GltfSource &source) {
    Model *model = source.model;
    const std::vector<int32_t> parents = findParents(source);
    if (parents.empty()) {
        return;
    }
    std::vector<uint32_t> order(parents.size()); /* [model node]: the document's */
    source.modelNodes.resize(parents.size());
    const VkskinResult sorted =
        vkskinSortHierarchy(parents.data(), uint32_t(parents.size()), order.data(), source.modelNodes.data());
    require(sorted != VKSKIN_ERROR_HIERARCHY_CYCLE || engineFail(source.error, "the nodes form a circle"));
    require(sorted >= 0 || engineFail(source.error, "there are too many nodes: %zu", parents.size()));
    model->nodes = newArray<ModelNode>(order.size());
    for (uint32_t from : order) {
        ModelNode *node = &model->nodes[model->nodeCount++];
        node->name = nameOr(source.document.nodes[from].name.c_str(), "node ", from);
        node->parent = parents[from] == noParent ? -1 : int32_t(source.modelNodes[size_t(parents[from])]);
    }
}

/* KHR_node_visibility */
bool hides(const tinygltf::Node &node) {
    const tinygltf::Value *visible = gltfMember(gltfExtension(node.extensions, "KHR_node_visibility"), "visible");
    return visible && visible->IsBool() && !visible->Get<bool>();
}

/* Marks the scene's nodes and their descendants, every node where the file has no scene; not what is hidden. */
void markShown(GltfSource &source) {
    const tinygltf::Model &document = source.document;
    const Model *model = source.model;
    size_t scene = size_t(std::max(document.defaultScene, 0));
    bool hasScene = scene < document.scenes.size();
    source.shown.assign(model->nodeCount, !hasScene);
    for (size_t i = 0; hasScene && i < document.scenes[scene].nodes.size(); i++) {
        int node = document.scenes[scene].nodes[i];
        require(isIndex(node, document.nodes) ||
                engineFail(source.error, "the scene names node %d, but there are %zu", node, document.nodes.size()));
        source.shown[source.modelNodes[size_t(node)]] = true;
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        int32_t parent = model->nodes[i].parent;
        source.shown[i] = source.shown[i] || (parent >= 0 && source.shown[size_t(parent)]);
    }
    std::vector<bool> hidden(model->nodeCount);
    for (size_t n = 0; n < document.nodes.size(); n++) {
        hidden[source.modelNodes[n]] = hides(document.nodes[n]);
    }
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        int32_t parent = model->nodes[i].parent;
        hidden[i] = hidden[i] || (parent >= 0 && hidden[size_t(parent)]);
        source.shown[i] = source.shown[i] && !hidden[i];
    }
}

void setRestPose(const GltfSource &source, size_t index, bool animated) {
    const tinygltf::Node &from = source.document.nodes[index];
    ModelNode *node = &source.model->nodes[source.modelNodes[index]];
    float columns[16] = {};
    node->rest = vkskinIdentityTransform();
    node->preTransform = vkskinIdentityAffine();
    gltfCopyNumbers(from.matrix, columns, 16);
    if (from.matrix.size() != 16) {
        gltfCopyNumbers(from.translation, node->rest.translation, 3);
        gltfCopyNumbers(from.rotation, node->rest.rotation, 4);
        gltfCopyNumbers(from.scale, node->rest.scale, 3);
    }
    bool finite = finiteAll(columns, 16) && finiteAll(node->rest.translation, 3) && finiteAll(node->rest.rotation, 4) &&
                  finiteAll(node->rest.scale, 3);
    require(finite || engineFail(source.error, "node '%s' has a transform that is not finite", node->name));
    if (from.matrix.size() == 16) {
        VkskinAffine matrix = gltfAffine(columns);
        restSet(node, &matrix, animated, &source.model->repairs);
    }
}

/* ---- Clips ---- */

const char *const channelNames[] = {"translation", "rotation", "scale", "weights"}; /* as VkskinChannel */
const char *const interpolationNames[] = {"LINEAR", "STEP", "CUBICSPLINE"};         /* as VkskinInterpolation */

/* The index of a name; `count` where it is unknown. */
template <size_t count> size_t findName(const char *const (&names)[count], const std::string &name) {
    return size_t(std::find(names, names + count, name) - names);
}

/* The number of morph targets of the mesh that a node carries; 0 for none. */
uint32_t weightsOf(const GltfSource &source, int node) {
    int mesh = source.document.nodes[size_t(node)].mesh;
    return isIndex(mesh, source.targetCounts) ? source.targetCounts[size_t(mesh)] : 0;
}

/* An element of an output is a vector; for weights it is one number. */
bool outputMatches(const VkskinTrack &track, size_t keys, size_t values) {
    size_t perKey = track.interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 : 1;
    if (track.channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        perKey *= track.weightCount;
        return values % perKey == 0 && values / perKey == keys;
    }
    return values / perKey >= keys;
}

/* Reads a sampler's keys into track.times and values. The track owns both, on failure too. */
void readKeys(const GltfSource &source, const tinygltf::AnimationSampler &sampler, const char *clip,
              VkskinTrack &track) {
    static const int components[] = {3, 4, 3, 1};
    const std::string of = " of animation '" + std::string(clip).substr(0, 100) + "'";
    size_t keys = gltfAccessorCount(source, sampler.input);
    size_t values = gltfAccessorCount(source, sampler.output);
    const float *times = track.times = gltfReadFloats(source, sampler.input, 1, "the input" + of).release();
    track.values = gltfReadFloats(source, sampler.output, components[track.channel], "the output" + of).release();
    require(outputMatches(track, keys, values) ||
            engineFail(source.error, "animation '%s' has %zu key times, but %zu %s", clip, keys, values,
                       track.channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? "morph weights" : "values"));
    require((finiteAll(times, keys) && finiteAll(track.values, values * size_t(components[track.channel]))) ||
            engineFail(source.error, "animation '%s' has a key that is not finite", clip));
    require(std::is_sorted(times, times + keys) ||
            engineFail(source.error, "animation '%s' has key times that do not ascend", clip));
    track.keyCount = uint32_t(keys);
}

void convertChannel(const GltfSource &source, const tinygltf::Animation &animation,
                    const tinygltf::AnimationChannel &channel, ModelClip *clip, std::vector<bool> &animated) {
    VkskinTrack &track = clip->tracks[clip->trackCount];
    const tinygltf::Value *pointer =
        gltfMember(gltfExtension(channel.target_extensions, "KHR_animation_pointer"), "pointer");
    if (pointer && pointer->IsString() && channel.target_node < 0) {
        childWarn(source.model, "animation '%.100s' moves '%.100s', which is not read", clip->name,
                  pointer->Get<std::string>().c_str());
        return;
    }
    const auto path = findName(channelNames, channel.target_path);
    if (!isIndex(channel.target_node, source.document.nodes) || path > VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        source.model->repairs.tracksDropped++;
        return;
    }
    track.channel = VkskinChannel(path);
    require(isIndex(channel.sampler, animation.samplers) ||
            engineFail(source.error, "animation '%s' names sampler %d, but there are %zu", clip->name, channel.sampler,
                       animation.samplers.size()));
    const tinygltf::AnimationSampler &sampler = animation.samplers[size_t(channel.sampler)];
    const auto interpolation = findName(interpolationNames, sampler.interpolation);
    require(interpolation <= VKSKIN_INTERPOLATION_CUBIC ||
            engineFail(source.error, "animation '%s' has the unknown interpolation '%s'", clip->name,
                       sampler.interpolation.c_str()));
    track.interpolation = VkskinInterpolation(interpolation);
    bool weights = track.channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    track.weightCount = weights ? weightsOf(source, channel.target_node) : 0;
    if ((weights && track.weightCount == 0) || gltfAccessorCount(source, sampler.input) == 0) {
        source.model->repairs.tracksDropped++;
        return;
    }
    track.node = source.modelNodes[size_t(channel.target_node)];
    animated[track.node] = animated[track.node] || !weights;
    clip->trackCount++;
    readKeys(source, sampler, clip->name, track);
}

void convertClip(const GltfSource &source, size_t index, std::vector<bool> &animated) {
    const tinygltf::Animation &animation = source.document.animations[index];
    ModelClip *clip = &source.model->clips[source.model->clipCount++];
    clip->name = nameOr(animation.name.c_str(), "clip ", index);
    clip->tracks = newArray<VkskinTrack>(animation.channels.size());
    for (const tinygltf::AnimationChannel &channel : animation.channels) {
        convertChannel(source, animation, channel, clip, animated);
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        clip->duration = std::fmax(clip->duration, clip->tracks[t].times[clip->tracks[t].keyCount - 1]);
    }
}

/* Clips, then rest poses, which depend on what is animated. */
void convertMotion(const GltfSource &source) {
    const tinygltf::Model &document = source.document;
    std::vector<bool> animated(source.model->nodeCount);
    source.model->clips = newArray<ModelClip>(document.animations.size());
    for (size_t i = 0; i < document.animations.size(); i++) {
        convertClip(source, i, animated);
    }
    for (size_t n = 0; n < document.nodes.size(); n++) {
        setRestPose(source, n, animated[source.modelNodes[n]]);
    }
}

/* ---- The document ---- */

/* Accessors without a buffer view need memory, but no bytes of the file. */
void checkZeros(const tinygltf::Model &document, size_t zerosMax, EngineError *error) {
    size_t zeros = 0;
    for (const tinygltf::Accessor &accessor : document.accessors) {
        size_t count = accessor.bufferView < 0 ? accessor.count : 0;
        require(count <= zerosMax - zeros || engineFail(error, "more than %zu elements without bytes", zerosMax));
        zeros += count;
    }
}

void countUses(GltfSource &source) {
    source.positionUses.resize(source.document.accessors.size());
    for (const tinygltf::Mesh &mesh : source.document.meshes) {
        source.targetCounts.push_back(0);
        for (const tinygltf::Primitive &primitive : mesh.primitives) {
            int accessor = gltfFindAttribute(primitive.attributes, "POSITION");
            source.targetCounts.back() = std::max(source.targetCounts.back(), uint32_t(primitive.targets.size()));
            if (isIndex(accessor, source.positionUses)) {
                source.positionUses[size_t(accessor)]++;
            }
        }
    }
}

void convert(GltfSource &source) {
    listNodes(source);
    countUses(source);
    markShown(source);
    convertMotion(source);
    gltfConvertMaterials(source);
    gltfConvertMeshes(source);
    gltfWarn(source);
}

/* ---- Parsing; `user` is the folder ---- */

bool hasZero(const std::string &name) {
    return name.find('\0') != std::string::npos;
}

bool nameBelow(const std::string &path, void *user) {
    return hasZero(path) || pathIsBelow(path.c_str(), static_cast<const std::string *>(user)->c_str());
}

std::string expandPath(const std::string &path, void *) {
    return path;
}

bool readFile(std::vector<unsigned char> *out, std::string *error, const std::string &path, void *user) {
    FileBytes file;
    if (hasZero(path)) { /* the system would read the file with the part before it as its name */
        *error += "the name has a zero byte";
        return false;
    }
    const char *folder = static_cast<const std::string *>(user)->c_str();
    bool leadsOut = access(path.c_str(), F_OK) == 0 && !pathLeadsBelow(path.c_str(), folder);
    if (!nameBelow(path, user) || leadsOut) {
        *error += "not below the model's folder";
        return false;
    }
    if (!fileRead(path.c_str(), bufferMax, &file)) {
        *error += errno ? std::strerror(errno) : "not a file";
        return false;
    }
    out->assign(file.bytes, file.bytes + file.size);
    std::free(file.bytes);
    return true;
}

/*
 * Keeps the bytes of a picture file, which is decoded when a material uses it. A picture in a buffer view stays there:
 * `bytes` and `size` then come from the file unchecked.
 */
bool keepImage(tinygltf::Image *image, int, std::string *, std::string *, int, int, const unsigned char *bytes,
               int size, void *) {
    if (image->bufferView < 0 && size > 0) {
        image->image.assign(bytes, bytes + size);
    }
    image->as_is = true;
    return true;
}

bool beginsBinary(const uint8_t *bytes, size_t size) {
    return size >= 4 && std::memcmp(bytes, "glTF", 4) == 0;
}

bool namedBinary(const char *path) {
    const char *dot = std::strrchr(path, '.');
    return dot && strcasecmp(dot, ".glb") == 0;
}

bool parse(tinygltf::Model &document, const uint8_t *bytes, size_t size, std::string folder, std::string &error) {
    tinygltf::TinyGLTF parser;
    std::string warning;
    parser.SetFsCallbacks({nameBelow, expandPath, readFile, nullptr, &folder});
    parser.SetImageLoader(keepImage, nullptr);
    bool binary = beginsBinary(bytes, size);
    const std::string changed = gltfChangeText(bytes, size, binary);
    if (!changed.empty()) {
        bytes = reinterpret_cast<const uint8_t *>(changed.data());
        size = changed.size();
    }
    unsigned length = static_cast<unsigned>(size);
    try {
        return size <= UINT_MAX &&
               (binary ? parser.LoadBinaryFromMemory(&document, &error, &warning, bytes, length, folder)
                       : parser.LoadASCIIFromString(&document, &error, &warning, reinterpret_cast<const char *>(bytes),
                                                    length, folder));
    } catch (const std::exception &exception) {
        error = exception.what();
        return false;
    }
}

/* The JSON parser begins with its own name for the error, in brackets. */
std::string withoutLabel(const std::string &reason) {
    size_t end = reason.compare(0, 6, "[json.") == 0 ? reason.find("] ") : std::string::npos;
    return end == std::string::npos ? reason : reason.substr(end + 2);
}

/* "FAULT : FOLDER NAME : REASON" of a buffer's file; "" for other faults. */
std::string bufferReason(const std::string &reason, const std::string &folder) {
    for (const std::string fault : {"File read error : ", "File not found : "}) {
        if (reason.compare(0, fault.size(), fault) == 0) {
            const size_t end = reason.rfind(" : ");
            const bool inFolder = reason.compare(fault.size(), folder.size(), folder) == 0;
            const size_t start = fault.size() + (inFolder ? folder.size() : 0);
            const bool given = end != std::string::npos && end > start;
            return "its buffer '" + reason.substr(start, given ? end - start : std::string::npos) +
                   "' is not readable: " + (given ? reason.substr(end + 3) : "not below the model's folder");
        }
    }
    return std::string();
}

/* The first line of tinygltf's reason. */
std::string reasonOf(const std::string &error, const std::string &folder) {
    const std::string first = error.substr(0, error.find('\n')), buffer = bufferReason(first, folder);
    std::string reason = !buffer.empty() ? buffer
                         : error.empty() ? "not readable as glTF: no reason given"
                                         : "not readable as glTF: " + withoutLabel(first);
    std::replace(reason.begin(), reason.end(), '\0', '?');
    return reason;
}

} // namespace

const tinygltf::Value *gltfMember(const tinygltf::Value *object, const char *name) {
    return object && object->Has(name) ? &object->Get(name) : nullptr;
}

const tinygltf::Value *gltfExtension(const tinygltf::ExtensionMap &extensions, const char *name) {
    auto found = extensions.find(name);
    return found == extensions.end() ? nullptr : &found->second;
}

void gltfCopyNumbers(const std::vector<double> &from, float *to, size_t count) {
    for (size_t i = 0; from.size() == count && i < count; i++) {
        to[i] = float(from[i]);
    }
}

VkskinAffine gltfAffine(const float columns[16]) {
    VkskinAffine affine;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            affine.m[row][column] = columns[4 * column + row];
        }
    }
    return affine;
}

Model *gltfParseBytes(const uint8_t *bytes, size_t size, const char *folder, const char *path, size_t zerosMax,
                      EngineError *error) {
    tinygltf::Model document;
    std::string reason;
    if (namedBinary(path) && !beginsBinary(bytes, size)) {
        engineFail(error, "not a glTF binary (it does not begin with 'glTF')");
        return nullptr;
    }
    bool parsed = parse(document, bytes, size, folder, reason);
    const std::string refusal = gltfRefusal(document, bytes, size, beginsBinary(bytes, size));
    if (!refusal.empty() || !parsed) {
        engineFail(error, "%s", (refusal.empty() ? reasonOf(reason, folder) : refusal).c_str());
        return nullptr;
    }
    return makeModel([&](Model *model) {
        GltfSource source = {document, model, error, folder, {}, {}, {}, {}, {}};
        model->metres = 1.0f;
        checkZeros(document, zerosMax, error);
        gltfDecompress(document, error);
        convert(source);
    });
}

Model *gltfParse(const char *path, EngineError *error) {
    FileBytes file;
    if (!fileRead(path, fileMax, &file)) {
        engineFail(error, "%s", errno == EFBIG ? "larger than 4 GiB" : std::strerror(errno));
        return nullptr;
    }
    Array<uint8_t> bytes(file.bytes);
    Array<char> folder(pathFolder(path));
    return gltfParseBytes(file.bytes, file.size, folder.get(), path, SIZE_MAX, error);
}

void gltfGuardMemory(void) {
    std::set_new_handler(childOutOfMemory);
}
