/* Parses with tinygltf and copies the result to the structs of gltf.h. The only C++ of the project. */
#include "gltf.h"

#include "child.h"
#include "named_files.h"

#include <tiny_gltf.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include <strings.h>
#include <unistd.h>

namespace {

constexpr size_t buffer_max = size_t(1) << 32;

/* Owns everything that its document points to. */
struct Holder : GltfDocument {
    Holder() : GltfDocument() {
    }
    tinygltf::Model model;
    std::vector<std::unique_ptr<char[]>> arrays;
};

/* ---- File access for tinygltf; `user` is the folder ---- */

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
 * Keeps the bytes of a picture file, which is decoded when a material uses it. A picture in a buffer view stays there:
 * `bytes` and `size` then come from the file unchecked.
 */
bool keep_image(tinygltf::Image *image, int, std::string *, std::string *, int, int, const unsigned char *bytes,
                int size, void *) {
    if (image->bufferView < 0 && size > 0) {
        image->image.assign(bytes, bytes + size);
    }
    image->as_is = true;
    return true;
}

/* ---- Copying to the document ---- */

/* Makes an array of the document and its count: what `convert` returns for each element of `from`. */
template <typename From, typename To, typename Convert>
void lay_out(Holder &holder, const From &from, const To *&array, size_t &count, Convert convert) {
    holder.arrays.emplace_back(new char[from.size() * sizeof(To) + 1]);
    To *to = reinterpret_cast<To *>(holder.arrays.back().get());
    count = 0;
    for (const auto &element : from) {
        to[count++] = convert(element);
    }
    array = to;
}

/* A member that is absent, or does not have `count` numbers, keeps the default. */
void copy_numbers(const std::vector<double> &from, double *to, size_t count) {
    if (from.size() == count) {
        std::memcpy(to, from.data(), count * sizeof *to);
    }
}

GltfAccessor accessor_of(const tinygltf::Accessor &from) {
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
    return accessor;
}

void lay_out_attributes(Holder &holder, const std::map<std::string, int> &from, const GltfAttribute *&array,
                        size_t &count) {
    lay_out(holder, from, array, count, [](const auto &attribute) {
        return GltfAttribute{attribute.first.c_str(), attribute.second};
    });
}

GltfPrimitive primitive_of(Holder &holder, const tinygltf::Primitive &from) {
    GltfPrimitive primitive = {};
    lay_out_attributes(holder, from.attributes, primitive.attributes, primitive.attributeCount);
    lay_out(holder, from.targets, primitive.targets, primitive.targetCount, [&](const auto &deltas) {
        GltfTarget target = {};
        lay_out_attributes(holder, deltas, target.attributes, target.attributeCount);
        return target;
    });
    primitive.indices = from.indices;
    primitive.material = from.material;
    primitive.mode = from.mode >= 0 ? from.mode : TINYGLTF_MODE_TRIANGLES;
    return primitive;
}

/* The names of morph targets; a name of another type is empty. */
std::vector<const char *> target_names_of(const tinygltf::Value &extras) {
    std::vector<const char *> names;
    const tinygltf::Value *list = extras.Has("targetNames") ? &extras.Get("targetNames") : nullptr;
    for (size_t i = 0; list && i < list->ArrayLen(); i++) {
        const tinygltf::Value &name = list->Get(int(i));
        names.push_back(name.IsString() ? name.Get<std::string>().c_str() : "");
    }
    return names;
}

GltfMesh mesh_of(Holder &holder, const tinygltf::Mesh &from) {
    GltfMesh mesh = {};
    mesh.name = from.name.c_str();
    mesh.weights = from.weights.data();
    mesh.weightCount = from.weights.size();
    lay_out(holder, from.primitives, mesh.primitives, mesh.primitiveCount,
            [&](const auto &primitive) { return primitive_of(holder, primitive); });
    lay_out(holder, target_names_of(from.extras), mesh.targetNames, mesh.targetNameCount,
            [](const char *name) { return name; });
    return mesh;
}

GltfNode node_of(const tinygltf::Node &from) {
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
    return node;
}

GltfAnimation animation_of(Holder &holder, const tinygltf::Animation &from) {
    GltfAnimation animation = {};
    animation.name = from.name.c_str();
    lay_out(holder, from.channels, animation.channels, animation.channelCount, [](const auto &channel) {
        return GltfChannel{channel.sampler, channel.target_node, channel.target_path.c_str()};
    });
    lay_out(holder, from.samplers, animation.samplers, animation.samplerCount, [](const auto &sampler) {
        return GltfSampler{sampler.input, sampler.output, sampler.interpolation.c_str()};
    });
    return animation;
}

/* -1: no texture; -2: the texture or its image does not exist. */
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

/* Like copy_numbers, this and the next two keep the default where the value is absent or of another type. */
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

/* KHR_materials_pbrSpecularGlossiness has a base colour of its own, which replaces the other. */
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

GltfMaterial material_of(const tinygltf::Model &model, const tinygltf::Material &from) {
    GltfMaterial material = {from.name.c_str(), {1.0, 1.0, 1.0, 1.0}, -1, 0, {0.0, 0.0}, 0.0, {1.0, 1.0}};
    const tinygltf::Value *diffuse = extension_of(from.extensions, "KHR_materials_pbrSpecularGlossiness");
    if (diffuse) {
        lay_out_diffuse(model, diffuse, material);
    } else {
        lay_out_base_color(model, from.pbrMetallicRoughness, material);
    }
    return material;
}

/* The bytes of a picture file; null where it is missing, or where its buffer view reaches past its buffer. */
GltfImage image_bytes(const GltfDocument &document, const tinygltf::Image &image) {
    if (image.bufferView < 0) {
        return {image.image.empty() ? nullptr : image.image.data(), image.image.size()};
    }
    const GltfView &view = document.views[size_t(image.bufferView)];
    const GltfBuffer &buffer = document.buffers[size_t(view.buffer)];
    bool fits = view.offset <= buffer.size && view.length <= buffer.size - view.offset;
    return fits ? GltfImage{buffer.bytes + view.offset, view.length} : GltfImage{};
}

void lay_out_document(Holder &holder) {
    const tinygltf::Model &model = holder.model;
    GltfDocument &document = holder;
    lay_out(holder, model.buffers, document.buffers, document.bufferCount, [](const auto &buffer) {
        return GltfBuffer{buffer.data.data(), buffer.data.size()};
    });
    lay_out(holder, model.bufferViews, document.views, document.viewCount, [](const auto &view) {
        return GltfView{view.buffer, view.byteOffset, view.byteLength, view.byteStride};
    });
    lay_out(holder, model.accessors, document.accessors, document.accessorCount, accessor_of);
    lay_out(holder, model.meshes, document.meshes, document.meshCount,
            [&](const auto &mesh) { return mesh_of(holder, mesh); });
    lay_out(holder, model.nodes, document.nodes, document.nodeCount, node_of);
    lay_out(holder, model.skins, document.skins, document.skinCount, [](const auto &skin) {
        return GltfSkin{skin.inverseBindMatrices, skin.joints.data(), skin.joints.size()};
    });
    lay_out(holder, model.animations, document.animations, document.animationCount,
            [&](const auto &animation) { return animation_of(holder, animation); });
    lay_out(holder, model.materials, document.materials, document.materialCount,
            [&](const auto &material) { return material_of(model, material); });
    lay_out(holder, model.images, document.images, document.imageCount,
            [&](const auto &image) { return image_bytes(document, image); });
    lay_out(holder, model.extensionsRequired, document.requiredExtensions, document.requiredExtensionCount,
            [](const std::string &name) { return name.c_str(); });
    size_t scene = model.defaultScene >= 0 ? size_t(model.defaultScene) : 0;
    document.hasScene = scene < model.scenes.size();
    if (document.hasScene) {
        document.sceneNodes = model.scenes[scene].nodes.data();
        document.sceneNodeCount = model.scenes[scene].nodes.size();
    }
}

/* ---- Parsing ---- */

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

/* The first line of tinygltf's reason. A required extension is often the true reason, so it is added. */
std::string reason_of(const std::string &error, const tinygltf::Model &model) {
    std::string reason = error.empty() ? "no reason given" : without_label(error.substr(0, error.find('\n')));
    for (const std::string &extension : model.extensionsRequired) {
        reason += " (it needs " + extension + ")";
    }
    return reason;
}

} // namespace

const GltfDocument *gltfDocumentRead(const uint8_t *bytes, size_t size, const char *folder, const char *path,
                                     EngineError *error) {
    std::string reason;
    if (named_binary(path) && !begins_binary(bytes, size)) {
        engineFail(error, "not a glTF binary (it does not begin with 'glTF')");
        return nullptr;
    }
    Holder *holder = new Holder;
    try {
        if (size <= UINT_MAX && parse(*holder, bytes, size, folder, reason)) {
            lay_out_document(*holder);
            return holder;
        }
    } catch (const std::exception &exception) {
        reason = exception.what();
    }
    engineFail(error, "not readable as glTF: %s", reason_of(reason, holder->model).c_str());
    delete holder;
    return nullptr;
}

void gltfDocumentFree(const GltfDocument *document) {
    delete static_cast<const Holder *>(document);
}

void gltfGuardMemory(void) {
    std::set_new_handler(childOutOfMemory);
}
