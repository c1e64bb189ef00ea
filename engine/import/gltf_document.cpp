/* The only C++ of the project: tinygltf reads the file, and what it found is laid out in gltf_document.h's structs. */
#include "gltf_document.h"

#include "child_memory.h"
#include "diagnostic.h"
#include "file_bytes.h"
#include "path_below.h"

#include <tiny_gltf.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <string>
#include <vector>

#include <strings.h>
#include <unistd.h>

namespace {

constexpr size_t buffer_max = size_t(1) << 32;

/* Owns everything that its document points to. The deque keeps its elements where they are as it grows. */
struct Holder : GltfDocument {
    Holder() : GltfDocument() {
    }
    tinygltf::Model model;
    std::vector<GltfBuffer> buffers;
    std::vector<GltfView> views;
    std::vector<GltfAccessor> accessors;
    std::vector<GltfMesh> meshes;
    std::vector<GltfNode> nodes;
    std::vector<GltfSkin> skins;
    std::vector<GltfAnimation> animations;
    std::vector<GltfMaterial> materials;
    std::vector<GltfImage> images;
    std::vector<const char *> required_extensions;
    std::deque<std::vector<GltfAttribute>> attributes;
    std::deque<std::vector<GltfTarget>> targets;
    std::deque<std::vector<GltfPrimitive>> primitives;
    std::deque<std::vector<const char *>> target_names;
    std::deque<std::vector<GltfChannel>> channels;
    std::deque<std::vector<GltfSampler>> samplers;
};

/* ---- what tinygltf asks of the file system; `user` is the folder ---- */

bool name_below(const std::string &path, void *user) {
    return pathIsBelow(path.c_str(), static_cast<const std::string *>(user)->c_str());
}

bool file_exists(const std::string &path, void *user) {
    return name_below(path, user);
}

std::string expand_path(const std::string &path, void *) {
    return path;
}

bool read_file(std::vector<unsigned char> *out, std::string *error, const std::string &path, void *user) {
    FileBytes file;
    const char *folder = static_cast<const std::string *>(user)->c_str();
    bool leads_out = access(path.c_str(), F_OK) == 0 && !pathLeadsBelow(path.c_str(), folder);
    if (!name_below(path, user) || leads_out) {
        *error += "not below the model's folder";
        return false;
    }
    errno = 0;
    if (fileRead(path.c_str(), buffer_max, &file) != FILE_READ_OK) {
        *error += errno ? std::strerror(errno) : "not a file";
        return false;
    }
    out->assign(file.bytes, file.bytes + file.size);
    std::free(file.bytes);
    return true;
}

/*
 * Keeps a picture as the file that it is: it is decoded where a material uses it. One in a buffer view stays there:
 * `bytes` and `size` are then what the file says, held against nothing.
 */
bool keep_image(tinygltf::Image *image, int, std::string *, std::string *, int, int, const unsigned char *bytes,
                int size, void *) {
    if (image->bufferView < 0 && size > 0) {
        image->image.assign(bytes, bytes + size);
    }
    image->as_is = true;
    return true;
}

/* ---- laying out ---- */

void lay_out_data(Holder &holder) {
    for (const tinygltf::Buffer &buffer : holder.model.buffers) {
        holder.buffers.push_back({buffer.data.data(), buffer.data.size()});
    }
    for (const tinygltf::BufferView &view : holder.model.bufferViews) {
        holder.views.push_back({view.buffer, view.byteOffset, view.byteLength, view.byteStride});
    }
    for (const tinygltf::Accessor &from : holder.model.accessors) {
        GltfAccessor accessor = {};
        accessor.view = from.bufferView;
        accessor.offset = from.byteOffset;
        accessor.count = from.count;
        accessor.component = from.componentType;
        int components = tinygltf::GetNumComponentsInType(static_cast<uint32_t>(from.type));
        accessor.components = components > 0 ? components : 0;
        accessor.normalized = from.normalized;
        if (from.sparse.isSparse) {
            accessor.sparse = {from.sparse.count,
                               from.sparse.indices.bufferView,
                               from.sparse.indices.byteOffset,
                               from.sparse.indices.componentType,
                               from.sparse.values.bufferView,
                               from.sparse.values.byteOffset};
        }
        holder.accessors.push_back(accessor);
    }
}

const std::vector<GltfAttribute> &lay_out_attributes(Holder &holder, const std::map<std::string, int> &from) {
    std::vector<GltfAttribute> &attributes = holder.attributes.emplace_back();
    for (const auto &attribute : from) {
        attributes.push_back({attribute.first.c_str(), attribute.second});
    }
    return attributes;
}

GltfPrimitive lay_out_primitive(Holder &holder, const tinygltf::Primitive &from) {
    const std::vector<GltfAttribute> &attributes = lay_out_attributes(holder, from.attributes);
    std::vector<GltfTarget> &targets = holder.targets.emplace_back();
    for (const auto &target : from.targets) {
        const std::vector<GltfAttribute> &deltas = lay_out_attributes(holder, target);
        targets.push_back({deltas.data(), deltas.size()});
    }
    int mode = from.mode >= 0 ? from.mode : TINYGLTF_MODE_TRIANGLES;
    return {attributes.data(), attributes.size(), targets.data(), targets.size(), from.indices, from.material, mode};
}

/* A name that is none is empty. */
const std::vector<const char *> &lay_out_target_names(Holder &holder, const tinygltf::Value &extras) {
    std::vector<const char *> &names = holder.target_names.emplace_back();
    const tinygltf::Value *list = extras.Has("targetNames") ? &extras.Get("targetNames") : nullptr;
    for (size_t i = 0; list && i < list->ArrayLen(); i++) {
        const tinygltf::Value &name = list->Get(int(i));
        names.push_back(name.IsString() ? name.Get<std::string>().c_str() : "");
    }
    return names;
}

void lay_out_meshes(Holder &holder) {
    for (const tinygltf::Mesh &from : holder.model.meshes) {
        std::vector<GltfPrimitive> &primitives = holder.primitives.emplace_back();
        for (const tinygltf::Primitive &primitive : from.primitives) {
            primitives.push_back(lay_out_primitive(holder, primitive));
        }
        const std::vector<const char *> &names = lay_out_target_names(holder, from.extras);
        holder.meshes.push_back({from.name.c_str(), primitives.data(), primitives.size(), from.weights.data(),
                                 from.weights.size(), names.data(), names.size()});
    }
}

/* A member that is absent, or of another length than the format allows, leaves the default. */
void copy_numbers(const std::vector<double> &from, double *to, size_t count) {
    if (from.size() == count) {
        std::memcpy(to, from.data(), count * sizeof *to);
    }
}

void lay_out_nodes(Holder &holder) {
    for (const tinygltf::Node &from : holder.model.nodes) {
        GltfNode node = {};
        node.name = from.name.c_str();
        node.mesh = from.mesh;
        node.skin = from.skin;
        node.children = from.children.data();
        node.childCount = from.children.size();
        node.weights = from.weights.data();
        node.weightCount = from.weights.size();
        node.hasMatrix = from.matrix.size() == 16;
        node.rotation[3] = 1.0;
        node.scale[0] = node.scale[1] = node.scale[2] = 1.0;
        copy_numbers(from.matrix, node.matrix, 16);
        copy_numbers(from.translation, node.translation, 3);
        copy_numbers(from.rotation, node.rotation, 4);
        copy_numbers(from.scale, node.scale, 3);
        holder.nodes.push_back(node);
    }
    for (const tinygltf::Skin &from : holder.model.skins) {
        holder.skins.push_back({from.inverseBindMatrices, from.joints.data(), from.joints.size()});
    }
}

void lay_out_animations(Holder &holder) {
    for (const tinygltf::Animation &from : holder.model.animations) {
        std::vector<GltfChannel> &channels = holder.channels.emplace_back();
        for (const tinygltf::AnimationChannel &channel : from.channels) {
            channels.push_back({channel.sampler, channel.target_node, channel.target_path.c_str()});
        }
        std::vector<GltfSampler> &samplers = holder.samplers.emplace_back();
        for (const tinygltf::AnimationSampler &sampler : from.samplers) {
            samplers.push_back({sampler.input, sampler.output, sampler.interpolation.c_str()});
        }
        holder.animations.push_back(
            {from.name.c_str(), channels.data(), channels.size(), samplers.data(), samplers.size()});
    }
}

/* -1: no texture; -2: one that leads nowhere. */
int image_of(const tinygltf::Model &model, int texture) {
    if (texture < 0) {
        return -1;
    }
    if (size_t(texture) >= model.textures.size()) {
        return -2;
    }
    int image = model.textures[size_t(texture)].source;
    return image >= 0 && size_t(image) < model.images.size() ? image : -2;
}

/* A member of an extension's object: null where it is absent. */
const tinygltf::Value *member_of(const tinygltf::Value *object, const char *name) {
    return object && object->Has(name) ? &object->Get(name) : nullptr;
}

const tinygltf::Value *extension_of(const tinygltf::ExtensionMap &extensions, const char *name) {
    auto found = extensions.find(name);
    return found == extensions.end() ? nullptr : &found->second;
}

/* Like copy_numbers, what is absent or of another form leaves the default; so do the next two. */
void read_numbers(const tinygltf::Value *array, double *to, int count) {
    if (!array || array->ArrayLen() != size_t(count)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (array->Get(i).IsNumber()) {
            to[i] = array->Get(i).GetNumberAsDouble();
        }
    }
}

void read_number(const tinygltf::Value *value, double *to) {
    if (value && value->IsNumber()) {
        *to = value->GetNumberAsDouble();
    }
}

void read_index(const tinygltf::Value *value, int *to) {
    if (value && value->IsInt() && value->GetNumberAsInt() >= 0) {
        *to = value->GetNumberAsInt();
    }
}

void lay_out_transform(const tinygltf::Value *transform, GltfMaterial &material) {
    read_numbers(member_of(transform, "offset"), material.offset, 2);
    read_number(member_of(transform, "rotation"), &material.rotation);
    read_numbers(member_of(transform, "scale"), material.scale, 2);
    read_index(member_of(transform, "texCoord"), &material.texcoord);
}

/* KHR_materials_pbrSpecularGlossiness has a base colour of its own, which goes before the other. */
void lay_out_diffuse(const tinygltf::Model &model, const tinygltf::Value *extension, GltfMaterial &material) {
    const tinygltf::Value *texture = member_of(extension, "diffuseTexture");
    int index = -1;
    read_numbers(member_of(extension, "diffuseFactor"), material.baseColor, 4);
    read_index(member_of(texture, "index"), &index);
    read_index(member_of(texture, "texCoord"), &material.texcoord);
    material.image = image_of(model, index);
    lay_out_transform(member_of(member_of(texture, "extensions"), "KHR_texture_transform"), material);
}

void lay_out_base_color(const tinygltf::Model &model, const tinygltf::PbrMetallicRoughness &pbr,
                        GltfMaterial &material) {
    copy_numbers(pbr.baseColorFactor, material.baseColor, 4);
    material.image = image_of(model, pbr.baseColorTexture.index);
    material.texcoord = pbr.baseColorTexture.texCoord;
    lay_out_transform(extension_of(pbr.baseColorTexture.extensions, "KHR_texture_transform"), material);
}

/* The bytes of a picture; null where it was not found, or where its buffer view reaches past its buffer. */
GltfImage lay_out_image(const Holder &holder, const tinygltf::Image &image) {
    if (image.bufferView < 0) {
        return {image.image.empty() ? nullptr : image.image.data(), image.image.size()};
    }
    const GltfView &view = holder.views[size_t(image.bufferView)];
    const GltfBuffer &buffer = holder.buffers[size_t(view.buffer)];
    bool fits = view.offset <= buffer.size && view.length <= buffer.size - view.offset;
    return fits ? GltfImage{buffer.bytes + view.offset, view.length} : GltfImage{};
}

void lay_out_materials(Holder &holder) {
    for (const tinygltf::Material &from : holder.model.materials) {
        GltfMaterial material = {from.name.c_str(), {1.0, 1.0, 1.0, 1.0}, -1, 0, {0.0, 0.0}, 0.0, {1.0, 1.0}};
        const tinygltf::Value *diffuse = extension_of(from.extensions, "KHR_materials_pbrSpecularGlossiness");
        if (diffuse) {
            lay_out_diffuse(holder.model, diffuse, material);
        } else {
            lay_out_base_color(holder.model, from.pbrMetallicRoughness, material);
        }
        holder.materials.push_back(material);
    }
    for (const tinygltf::Image &from : holder.model.images) {
        holder.images.push_back(lay_out_image(holder, from));
    }
}

void lay_out_scene(Holder &holder) {
    const tinygltf::Model &model = holder.model;
    GltfDocument &document = holder;
    size_t scene = model.defaultScene >= 0 ? size_t(model.defaultScene) : 0;
    document.hasScene = scene < model.scenes.size();
    if (document.hasScene) {
        document.sceneNodes = model.scenes[scene].nodes.data();
        document.sceneNodeCount = model.scenes[scene].nodes.size();
    }
    for (const std::string &extension : model.extensionsRequired) {
        holder.required_extensions.push_back(extension.c_str());
    }
}

template <typename Element> void publish(const std::vector<Element> &from, const Element *&array, size_t &count) {
    array = from.data();
    count = from.size();
}

void lay_out(Holder &holder) {
    GltfDocument &document = holder;
    lay_out_data(holder);
    lay_out_meshes(holder);
    lay_out_nodes(holder);
    lay_out_animations(holder);
    lay_out_materials(holder);
    lay_out_scene(holder);
    publish(holder.buffers, document.buffers, document.bufferCount);
    publish(holder.views, document.views, document.viewCount);
    publish(holder.accessors, document.accessors, document.accessorCount);
    publish(holder.meshes, document.meshes, document.meshCount);
    publish(holder.nodes, document.nodes, document.nodeCount);
    publish(holder.skins, document.skins, document.skinCount);
    publish(holder.animations, document.animations, document.animationCount);
    publish(holder.materials, document.materials, document.materialCount);
    publish(holder.images, document.images, document.imageCount);
    publish(holder.required_extensions, document.requiredExtensions, document.requiredExtensionCount);
}

bool begins_binary(const uint8_t *bytes, size_t size) {
    return size >= 4 && std::memcmp(bytes, "glTF", 4) == 0;
}

bool named_binary(const char *path) {
    const char *dot = std::strrchr(path, '.');
    return dot && strcasecmp(dot, ".glb") == 0;
}

bool parse(Holder &holder, const uint8_t *bytes, size_t size, std::string folder, std::string &error) {
    tinygltf::TinyGLTF parser;
    std::string warning;
    parser.SetFsCallbacks({file_exists, expand_path, read_file, nullptr, &folder});
    parser.SetImageLoader(keep_image, nullptr);
    unsigned length = static_cast<unsigned>(size);
    return begins_binary(bytes, size)
               ? parser.LoadBinaryFromMemory(&holder.model, &error, &warning, bytes, length, folder)
               : parser.LoadASCIIFromString(&holder.model, &error, &warning, reinterpret_cast<const char *>(bytes),
                                            length, folder);
}

/* The JSON parser begins with its own name for the error, in brackets. */
std::string without_label(const std::string &reason) {
    size_t end = reason.compare(0, 6, "[json.") == 0 ? reason.find("] ") : std::string::npos;
    return end == std::string::npos ? reason : reason.substr(end + 2);
}

/* tinygltf ends its lines; a reason of several keeps its first. A needed extension is often the true reason. */
std::string reason_of(const std::string &error, const tinygltf::Model &model) {
    std::string reason = error.empty() ? "no reason given" : without_label(error.substr(0, error.find('\n')));
    for (const std::string &extension : model.extensionsRequired) {
        reason += " (it needs " + extension + ")";
    }
    return reason;
}

} // namespace

const GltfDocument *gltfDocumentRead(const uint8_t *bytes, size_t size, const char *folder, const char *path,
                                     char *message) {
    std::string error;
    if (named_binary(path) && !begins_binary(bytes, size)) {
        diagnose(message, "%s: not a glTF binary (it does not begin with 'glTF')", path);
        return nullptr;
    }
    Holder *holder = new Holder;
    try {
        if (size <= UINT_MAX && parse(*holder, bytes, size, folder, error)) {
            lay_out(*holder);
            return holder;
        }
    } catch (const std::exception &exception) {
        error = exception.what();
    }
    diagnose(message, "%s: not readable as glTF: %s", path, reason_of(error, holder->model).c_str());
    delete holder;
    return nullptr;
}

void gltfDocumentFree(const GltfDocument *document) {
    delete static_cast<const Holder *>(document);
}

void gltfGuardMemory(void) {
    std::set_new_handler(childOutOfMemory);
}
