#include "fbx_pictures.h"

#include <algorithm>

namespace {

/* ---- Embedded contents ---- */

/* The name after its last slash, of either kind. */
std::string endOf(const std::string &name) {
    const size_t slash = name.find_last_of("/\\");
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

std::string nameIn(const FbxRecord &record) {
    for (const char *child : {"RelativeFilename", "FileName", "Filename"}) {
        std::string name = record.childText(child);
        if (!name.empty()) {
            return name;
        }
    }
    return "";
}

bool hasBytes(const FbxRecord *content) {
    return content && std::any_of(content->values.begin(), content->values.end(),
                                  [](const FbxValue &value) { return !value.text.empty(); });
}

/* Long contents are cut into several values. */
std::string contentOf(const FbxRecord &record) {
    std::string all;
    for (const FbxValue &value : record.values) {
        all += value.text;
    }
    return all;
}

int32_t addPicture(const FbxPictures &pictures, const std::string &name) {
    const auto found = pictures.embedded.find(endOf(name));
    if (found == pictures.embedded.end()) {
        return textureLoad(pictures.model, pictures.folder.get(), name.c_str());
    }
    const std::string bytes = contentOf(*found->second);
    return textureDecode(pictures.model, name.c_str(), reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size());
}

/* ---- Pictures in shades of grey ---- */

struct Grey {
    Array<char> name;
    uint32_t width = 1, height = 1;
    Array<uint8_t> pixels; /* null: none; it is white */

    uint8_t at(float u, float v) const {
        const uint32_t x = uint32_t(u * float(width)), y = uint32_t(v * float(height));
        return pixels ? pixels[4 * (size_t(std::min(y, height - 1)) * width + std::min(x, width - 1))] : 255;
    }
};

/* Reads a picture, and takes it out of the model again. */
Grey takeGrey(const FbxPictures &pictures, const std::string &name) {
    Grey grey;
    if (!name.empty() && addPicture(pictures, name) >= 0) {
        const ModelTexture &texture = pictures.model->textures[--pictures.model->textureCount];
        grey.name.reset(texture.name);
        std::free(texture.path);
        std::free(texture.source);
        grey.width = texture.width;
        grey.height = texture.height;
        grey.pixels.reset(texture.pixels);
    }
    return grey;
}

int32_t combine(const FbxPictures &pictures, const std::string &metal, const std::string &rough) {
    const Grey metals = takeGrey(pictures, metal), roughs = takeGrey(pictures, rough);
    if (!metals.pixels && !roughs.pixels) {
        return -1;
    }
    const uint32_t width = std::max(metals.width, roughs.width), height = std::max(metals.height, roughs.height);
    const std::string name = metals.pixels && roughs.pixels ? metal + " + " + rough : metals.pixels ? metal : rough;
    const int32_t index = textureAdd(pictures.model, name.c_str(), width, height);
    for (uint32_t i = 0; index >= 0 && i < width * height; i++) {
        const uint32_t column = i % width, row = i / width;
        const float u = (float(column) + 0.5f) / float(width), v = (float(row) + 0.5f) / float(height);
        const uint8_t values[4] = {255, roughs.at(u, v), metals.at(u, v), 255};
        std::copy_n(values, 4, pictures.model->textures[index].pixels + 4 * size_t(i));
    }
    return index;
}

} // namespace

FbxPictures fbxBeginPictures(const FbxDocument &document, const char *path, Model *model) {
    FbxPictures pictures = {model, Array<char>(pathFolder(path)), {}, {}};
    for (const auto &object : document.objects) {
        const FbxRecord *content = object.second->name == "Video" ? object.second->child("Content") : nullptr;
        if (hasBytes(content)) {
            pictures.embedded.emplace(endOf(nameIn(*object.second)), content);
        }
    }
    return pictures;
}

std::string fbxPictureName(const FbxDocument &document, const FbxRecord &texture) {
    std::string name = nameIn(texture);
    for (const FbxLink &video : document.lower(texture, "Video")) {
        name = name.empty() ? nameIn(*video.object) : name;
    }
    return name;
}

int32_t fbxPicture(FbxPictures *pictures, const std::string &name) {
    const auto [found, added] = pictures->textures.emplace(name, -1);
    if (added && !name.empty()) {
        found->second = addPicture(*pictures, name);
    }
    return found->second;
}

int32_t fbxSurfacePicture(FbxPictures *pictures, const std::string &metal, const std::string &rough) {
    const auto [found, added] = pictures->textures.emplace(metal + '\n' + rough, -1);
    if (added) {
        found->second = combine(*pictures, metal, rough);
    }
    return found->second;
}
