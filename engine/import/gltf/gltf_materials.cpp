/* Materials and their textures. */
#include "gltf_source.h"

#include <algorithm>
#include <cmath>

namespace {

/* ---- Members of an extension: where one is absent or of another type, `to` keeps its value ---- */

template <typename T> void readNumber(const tinygltf::Value *value, T &to) {
    if (value && value->IsNumber()) {
        to = T(value->GetNumberAsDouble());
    }
}

template <typename T, int count> void readNumbers(const tinygltf::Value *array, T (&to)[count]) {
    for (int i = 0; array && array->ArrayLen() == size_t(count) && i < count; i++) {
        readNumber(&array->Get(i), to[i]);
    }
}

void readIndex(const tinygltf::Value *value, int &to) {
    if (value && value->IsInt() && value->GetNumberAsInt() >= 0) {
        to = value->GetNumberAsInt();
    }
}

/* ---- Which image a texture shows, and where ---- */

/* A texture of a material. */
struct Texture {
    int image = -1; /* -1: the material does not name the texture; -2: it, or its image, does not exist */
    GltfPlace place;
    ModelWrap wrap[2] = {MODEL_WRAP_REPEAT, MODEL_WRAP_REPEAT};
};

/* What is read of a material of the document. */
struct Source {
    ModelMaterial material = modelPlainMaterial(nullptr);
    Texture textures[MODEL_MAP_COUNT];
};

/* Where a texture has no image of its own: one that an extension names, in another format. */
int extensionImage(const tinygltf::Texture &texture) {
    int image = -1;
    for (const auto &extension : texture.extensions) {
        readIndex(gltfMember(&extension.second, "source"), image);
    }
    return image;
}

int imageOf(const tinygltf::Model &document, int index) {
    if (index < 0) {
        return -1;
    }
    if (!isIndex(index, document.textures)) {
        return -2;
    }
    const tinygltf::Texture &texture = document.textures[size_t(index)];
    int image = texture.source >= 0 ? texture.source : extensionImage(texture);
    return isIndex(image, document.images) ? image : -2;
}

ModelWrap wrapOf(int mode) {
    return mode == TINYGLTF_TEXTURE_WRAP_CLAMP_TO_EDGE     ? MODEL_WRAP_CLAMP
           : mode == TINYGLTF_TEXTURE_WRAP_MIRRORED_REPEAT ? MODEL_WRAP_MIRROR
                                                           : MODEL_WRAP_REPEAT;
}

Texture textureOf(const tinygltf::Model &document, int index, int texcoord, const tinygltf::Value *transform) {
    Texture texture;
    const int sampler = isIndex(index, document.textures) ? document.textures[size_t(index)].sampler : -1;
    if (isIndex(sampler, document.samplers)) {
        texture.wrap[0] = wrapOf(document.samplers[size_t(sampler)].wrapS);
        texture.wrap[1] = wrapOf(document.samplers[size_t(sampler)].wrapT);
    }
    texture.image = imageOf(document, index);
    texture.place.texcoord = texcoord;
    readNumbers(gltfMember(transform, "offset"), texture.place.offset);
    readNumber(gltfMember(transform, "rotation"), texture.place.rotation);
    readNumbers(gltfMember(transform, "scale"), texture.place.scale);
    readIndex(gltfMember(transform, "texCoord"), texture.place.texcoord);
    return texture;
}

/* info: a TextureInfo, or one of a normal map or of occlusion. */
template <typename Info> Texture textureOf(const tinygltf::Model &document, const Info &info) {
    return textureOf(document, info.index, info.texCoord, gltfExtension(info.extensions, "KHR_texture_transform"));
}

/* The texture of an object in an extension; null: none. */
Texture textureOf(const tinygltf::Model &document, const tinygltf::Value *info) {
    int index = -1, texcoord = 0;
    readIndex(gltfMember(info, "index"), index);
    readIndex(gltfMember(info, "texCoord"), texcoord);
    return textureOf(document, index, texcoord, gltfMember(gltfMember(info, "extensions"), "KHR_texture_transform"));
}

bool samePlace(const GltfPlace &a, const GltfPlace &b) {
    return a.texcoord == b.texcoord && a.rotation == b.rotation && std::equal(a.offset, a.offset + 2, b.offset) &&
           std::equal(a.scale, a.scale + 2, b.scale);
}

/* ---- Images ---- */

bool isData(const std::string &uri) {
    return uri.compare(0, 5, "data:") == 0;
}

/* For messages. */
std::string pictureName(const tinygltf::Image &image, size_t index) {
    std::string other = image.name.empty() ? "image " + std::to_string(index) : image.name;
    return image.uri.empty() || isData(image.uri) ? other : image.uri;
}

/* A picture in a buffer view. */
int32_t decodeView(const GltfSource &source, const tinygltf::Image &image, const char *name) {
    const tinygltf::BufferView &view = source.document.bufferViews[size_t(image.bufferView)];
    const std::vector<unsigned char> &buffer = source.document.buffers[size_t(view.buffer)].data;
    bool fits = view.byteOffset <= buffer.size() && view.byteLength <= buffer.size() - view.byteOffset;
    return fits ? textureDecode(source.model, name, buffer.data() + view.byteOffset, view.byteLength)
                : textureMissing(source.model, name, "it reaches past its buffer");
}

/* A picture file that tinygltf has read. Its path is kept where the address needs no decoding. */
int32_t decodeFile(const GltfSource &source, const tinygltf::Image &image, const char *name) {
    const int32_t index = textureDecode(source.model, name, image.image.data(), image.image.size());
    if (index >= 0 && !isData(image.uri) && image.uri.find_first_of("%+\\") == std::string::npos) {
        char *&path = source.model->textures[index].path;
        free(path);
        path = childCopyText(image.uri.c_str());
    }
    return index;
}

/* tinygltf keeps no bytes of a file that it did not find, nor of a data address with a type that it does not know. */
int32_t decodeImage(const GltfSource &source, size_t index) {
    const tinygltf::Image &image = source.document.images[index];
    const std::string name = pictureName(image, index);
    if (image.bufferView >= 0) {
        return decodeView(source, image, name.c_str());
    }
    if (!image.image.empty()) {
        return decodeFile(source, image, name.c_str());
    }
    if (isData(image.uri)) {
        const std::string type = image.uri.substr(5, std::min(image.uri.find(';'), size_t(40)) - 5);
        return textureMissing(source.model, name.c_str(), ("pictures of the type " + type + " are not read").c_str());
    }
    return image.uri.empty() ? textureMissing(source.model, name.c_str(), "the file does not have it")
                             : textureLoad(source.model, source.folder, image.uri.c_str());
}

/* ---- Materials ---- */

/* `highest` too for what is not a number. */
float within(double value, double lowest, double highest) {
    return float(std::fmax(std::fmin(value, highest), lowest));
}

/* KHR_materials_ior and KHR_materials_specular: reflectance of what is not metallic. */
void readSpecular(const GltfSource &source, const tinygltf::Material &from, ModelMaterial &material) {
    const tinygltf::Value *specular = gltfExtension(from.extensions, "KHR_materials_specular");
    double ior = 1.5, factor = 1.0, colour[3] = {1.0, 1.0, 1.0};
    readNumber(gltfMember(gltfExtension(from.extensions, "KHR_materials_ior"), "ior"), ior);
    readNumber(gltfMember(specular, "specularFactor"), factor);
    readNumbers(gltfMember(specular, "specularColorFactor"), colour);
    double reflected = (ior - 1.0) / (ior + 1.0);
    for (int channel = 0; channel < 3; channel++) {
        material.specular[channel] =
            within(within(reflected * reflected * colour[channel], 0.0, 1.0) * factor, 0.0, 1.0);
    }
    if (gltfMember(specular, "specularTexture") || gltfMember(specular, "specularColorTexture")) {
        childWarn(source.model, "textures of KHR_materials_specular are not read: material '%.100s'",
                  from.name.c_str());
    }
}

void readMetallicRoughness(const GltfSource &source, const tinygltf::Material &from, Source &read) {
    const tinygltf::PbrMetallicRoughness &surface = from.pbrMetallicRoughness;
    gltfCopyNumbers(surface.baseColorFactor, read.material.baseColor, 4);
    read.material.metallic = within(surface.metallicFactor, 0.0, 1.0);
    read.material.roughness = within(surface.roughnessFactor, 0.0, 1.0);
    read.textures[MODEL_MAP_BASE] = textureOf(source.document, surface.baseColorTexture);
    read.textures[MODEL_MAP_SURFACE] = textureOf(source.document, surface.metallicRoughnessTexture);
    readSpecular(source, from, read.material);
}

/* KHR_materials_pbrSpecularGlossiness, which replaces the other colour and surface. */
void readSpecularGlossiness(const GltfSource &source, const tinygltf::Material &from, const tinygltf::Value *extension,
                            Source &read) {
    double glossiness = 1.0, specular[3] = {1.0, 1.0, 1.0};
    readNumbers(gltfMember(extension, "diffuseFactor"), read.material.baseColor);
    readNumbers(gltfMember(extension, "specularFactor"), specular);
    readNumber(gltfMember(extension, "glossinessFactor"), glossiness);
    read.material.roughness = within(1.0 - glossiness, 0.0, 1.0);
    for (int channel = 0; channel < 3; channel++) {
        read.material.specular[channel] = within(specular[channel], 0.0, 1.0);
    }
    read.textures[MODEL_MAP_BASE] = textureOf(source.document, gltfMember(extension, "diffuseTexture"));
    if (gltfMember(extension, "specularGlossinessTexture")) {
        childWarn(source.model, "the texture of specular and gloss is not read: material '%.100s'", from.name.c_str());
    }
}

void readAlpha(const tinygltf::Material &from, ModelMaterial &material) {
    material.alpha = from.alphaMode == "BLEND"  ? MODEL_ALPHA_BLEND
                     : from.alphaMode == "MASK" ? MODEL_ALPHA_MASK
                                                : MODEL_ALPHA_OPAQUE;
    material.alphaCutoff = within(from.alphaCutoff, 0.0, 2.0);
    material.oneSided = !from.doubleSided;
}

Source readMaterial(const GltfSource &source, const tinygltf::Material &from) {
    Source read;
    double strength = 1.0;
    const tinygltf::Value *glossy = gltfExtension(from.extensions, "KHR_materials_pbrSpecularGlossiness");
    if (glossy) {
        readSpecularGlossiness(source, from, glossy, read);
    } else {
        readMetallicRoughness(source, from, read);
    }
    readAlpha(from, read.material);
    gltfCopyNumbers(from.emissiveFactor, read.material.emission, 3);
    readNumber(gltfMember(gltfExtension(from.extensions, "KHR_materials_emissive_strength"), "emissiveStrength"),
               strength);
    for (float &channel : read.material.emission) {
        channel = within(double(channel) * strength, 0.0, 65504.0);
    }
    read.material.unlit = from.extensions.count("KHR_materials_unlit") > 0;
    read.material.normalScale = within(from.normalTexture.scale, -100.0, 100.0);
    read.material.occlusion = within(from.occlusionTexture.strength, 0.0, 1.0);
    read.textures[MODEL_MAP_EMISSION] = textureOf(source.document, from.emissiveTexture);
    read.textures[MODEL_MAP_NORMAL] = textureOf(source.document, from.normalTexture);
    read.textures[MODEL_MAP_OCCLUSION] = textureOf(source.document, from.occlusionTexture);
    return read;
}

/* A mesh has one set of texture coordinates: that of the first texture in the order of ModelMap. */
GltfMaterial placeOf(const Source &read) {
    GltfMaterial material;
    for (const Texture &texture : read.textures) {
        if (texture.image != -1 && !material.textured) {
            material.textured = true;
            material.place = texture.place;
        }
    }
    return material;
}

constexpr int32_t notDecoded = INT32_MIN;

/* textures: by image; each is decoded once. Returns the index of the texture, -1 for none. */
int32_t convertTexture(const GltfSource &source, const Texture &texture, const char *material, const GltfPlace &place,
                       std::vector<int32_t> &textures) {
    if (texture.image == -2) {
        return textureMissing(source.model, ("of material " + std::string(material)).c_str(),
                              "the file does not have it");
    }
    if (texture.image < 0) {
        return -1;
    }
    size_t image = size_t(texture.image);
    if (!samePlace(texture.place, place)) {
        const std::string name = pictureName(source.document.images[image], image);
        childWarn(source.model,
                  "texture '%.100s' of material '%.100s' is left out: it has other coordinates than the first one",
                  name.c_str(), material);
        return -1;
    }
    textures[image] = textures[image] == notDecoded ? decodeImage(source, image) : textures[image];
    return textures[image];
}

/* Whether some primitive names no material, or one that does not exist. */
bool needsDefaultMaterial(const tinygltf::Model &document) {
    return std::any_of(document.meshes.begin(), document.meshes.end(), [&](const tinygltf::Mesh &mesh) {
        return std::any_of(mesh.primitives.begin(), mesh.primitives.end(), [&](const tinygltf::Primitive &primitive) {
            return !isIndex(primitive.material, document.materials);
        });
    });
}

} // namespace

void gltfConvertMaterials(GltfSource &source) {
    const tinygltf::Model &document = source.document;
    Model *model = source.model;
    model->materials = newArray<ModelMaterial>(document.materials.size() + 1);
    model->textures = newArray<ModelTexture>(document.images.size());
    std::vector<int32_t> textures(document.images.size(), notDecoded);
    for (const tinygltf::Material &from : document.materials) {
        const Source read = readMaterial(source, from);
        const GltfMaterial placed = placeOf(read);
        ModelMaterial *material = &model->materials[model->materialCount++];
        *material = read.material;
        material->name = childCopyText(from.name.c_str());
        for (size_t map = 0; map < MODEL_MAP_COUNT; map++) {
            material->maps[map] = convertTexture(source, read.textures[map], material->name, placed.place, textures);
            std::copy_n(read.textures[map].wrap, 2, material->wraps[map]);
        }
        source.materials.push_back(placed);
    }
    /* The format's default is a rough metal, which shows shapes badly. */
    if (needsDefaultMaterial(document)) {
        model->materials[model->materialCount++] = modelPlainMaterial(childCopyText("default"));
    }
}
