/* What the importer does not read of a document: files that it refuses, and warnings about the others. */
#include "gltf_source.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace {

/* ---- Extensions ---- */

const char *const readExtensions[] = {
    "EXT_meshopt_compression",
    "KHR_animation_pointer",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_specular",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_node_visibility",
    "KHR_texture_transform",
};

const char *const dracoExtension = "KHR_draco_mesh_compression";

/*
 * Those that may be ignored even where a file requires them: lamps, shading, formats of pictures, copies of a mesh. The
 * shapes and their motion stay right; warnings name what is missing.
 */
const char *const ignoredExtensions[] = {
    "EXT_mesh_gpu_instancing",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_lights_punctual",
    "KHR_materials_anisotropy",
    "KHR_materials_clearcoat",
    "KHR_materials_diffuse_transmission",
    "KHR_materials_dispersion",
    "KHR_materials_iridescence",
    "KHR_materials_sheen",
    "KHR_materials_transmission",
    "KHR_materials_variants",
    "KHR_materials_volume",
    "KHR_texture_basisu",
    "MSFT_texture_dds",
};

template <size_t count> bool lists(const char *const (&names)[count], const std::string &name) {
    return std::find(names, names + count, name) != names + count;
}

void warnOfExtensions(const GltfSource &source) {
    std::string unread;
    for (const std::string &name : source.document.extensionsUsed) {
        if (!lists(readExtensions, name)) {
            unread += (unread.empty() ? "" : ", ") + name;
        }
    }
    if (!unread.empty()) {
        childWarn(source.model, "extensions that are not read: %s", unread.c_str());
    }
}

/* ---- Versions ---- */

/* Whether the lists of the file are objects with names, as in glTF 1.0. */
bool hasNamedLists(const uint8_t *bytes, size_t size) {
    const auto document = nlohmann::json::parse(bytes, bytes + size, nullptr, false);
    return document.is_object() && document.contains("meshes") && document["meshes"].is_object();
}

/*
 * The version, where it is not one that is read; else empty. tinygltf ignores that of a binary file, takes a text without
 * one for 2.0, and finds no meshes in named lists.
 */
std::string otherVersion(const tinygltf::Model &document, const uint8_t *bytes, size_t size, bool binary) {
    const std::string &version = document.asset.version;
    uint32_t container = 2;
    if (binary && size >= 8) {
        std::memcpy(&container, bytes + 4, sizeof container);
    }
    if (container != 2) {
        return std::to_string(container) + ".0";
    }
    if (version.compare(0, 2, "2.") != 0) {
        return version;
    }
    return !binary && document.meshes.empty() && hasNamedLists(bytes, size) ? "1.0" : "";
}

/* ---- Meshes ---- */

/* Some files do not list the extension, although their vertices are nowhere else. */
bool onlyDraco(const tinygltf::Model &document, const tinygltf::Primitive &primitive) {
    const int accessor = gltfFindAttribute(primitive.attributes, "POSITION");
    return primitive.extensions.count(dracoExtension) > 0 && isIndex(accessor, document.accessors) &&
           document.accessors[size_t(accessor)].bufferView < 0;
}

bool needsDraco(const tinygltf::Model &document) {
    return std::any_of(document.meshes.begin(), document.meshes.end(), [&](const tinygltf::Mesh &mesh) {
        return std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
                           [&](const tinygltf::Primitive &primitive) { return onlyDraco(document, primitive); });
    });
}

/* ---- Nodes ---- */

/* Warns of features of a node with a mesh. Returns whether the node is shown. */
bool warnOfNode(const GltfSource &source, size_t index) {
    const tinygltf::Node &node = source.document.nodes[index];
    const char *name = source.model->nodes[source.modelNodes[index]].name;
    bool shown = source.shown[source.modelNodes[index]];
    if (!shown) {
        childWarn(source.model, "the mesh of node '%.100s' is hidden or outside the scene, and not shown", name);
    } else if (node.extensions.count("EXT_mesh_gpu_instancing") > 0) {
        childWarn(source.model, "the mesh of node '%.100s' is shown once, not as its EXT_mesh_gpu_instancing asks",
                  name);
    }
    return shown;
}

} // namespace

std::string gltfRefusal(const tinygltf::Model &document, const uint8_t *bytes, size_t size, bool binary) {
    const std::string version = otherVersion(document, bytes, size, binary);
    if (!version.empty()) {
        return "glTF " + version + ", which is not supported; 2.0 is";
    }
    const std::vector<std::string> &required = document.extensionsRequired;
    if (std::find(required.begin(), required.end(), dracoExtension) != required.end() || needsDraco(document)) {
        return std::string("needs ") + dracoExtension + ", which is not supported";
    }
    const auto unread = std::find_if(required.begin(), required.end(), [](const std::string &name) {
        return !lists(readExtensions, name) && !lists(ignoredExtensions, name);
    });
    return unread == required.end() ? std::string() : "needs " + *unread + ", which is not supported";
}

void gltfWarn(const GltfSource &source) {
    warnOfExtensions(source);
    bool hidden = false;
    for (size_t n = 0; n < source.document.nodes.size(); n++) {
        hidden = (source.document.nodes[n].mesh >= 0 && !warnOfNode(source, n)) || hidden;
    }
    const std::vector<tinygltf::Mesh> &meshes = source.document.meshes;
    bool bare =
        std::any_of(meshes.begin(), meshes.end(), [](const tinygltf::Mesh &mesh) { return mesh.primitives.empty(); });
    require(
        !(hidden || bare) || source.model->partCount > 0 ||
        engineFail(source.error, hidden ? "every mesh is hidden or outside the scene" : "a mesh has no primitives"));
}
