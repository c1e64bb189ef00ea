#include "assimp_scene.h"

#include "collada_morphs.h"
#include "collada_text.h"
#include "parser.h"
#include "refusals.h"

#include <assimp/BaseImporter.h>
#include <assimp/DefaultIOStream.h>
#include <assimp/IOSystem.hpp>
#include <assimp/Importer.hpp>
#include <assimp/MemoryIOWrapper.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>

#include <cerrno>
#include <cmath>

#include <unistd.h>

namespace {

/* ---- Files that assimp may open ---- */

/* A stream that was opened for reading; it is closed at the end. */
class OpenedFile : public Assimp::DefaultIOStream {
  public:
    OpenedFile(FILE *stream, const char *name) : DefaultIOStream(stream, name) {
    }
};

/*
 * The model's own file, which may be a link because the user named it, and regular files below its folder, by name and
 * with links followed. Any other file does not exist for assimp.
 */
class FilesBelow : public Assimp::IOSystem {
  public:
    /* text: what assimp reads in place of the model's own file; empty: the file itself. It must stay. */
    FilesBelow(const char *path, const std::string &text) : model(path), folder(pathFolder(path)), content(text) {
    }
    bool Exists(const char *name) const override {
        return isAllowed(name) && access(name, R_OK) == 0;
    }
    char getOsSeparator() const override {
        return '/';
    }
    Assimp::IOStream *Open(const char *name, const char *mode) override {
        size_t size;
        if (!content.empty() && std::strcmp(name, model) == 0) {
            return new Assimp::MemoryIOStream(reinterpret_cast<const uint8_t *>(content.data()), content.size());
        }
        FILE *stream = mode[0] == 'r' && !std::strchr(mode, '+') && isAllowed(name) ? fileOpen(name, &size) : nullptr;
        return stream ? new OpenedFile(stream, name) : nullptr;
    }
    void Close(Assimp::IOStream *file) override {
        delete file;
    }

  private:
    bool isAllowed(const char *name) const {
        return std::strcmp(name, model) == 0 || (pathIsBelow(name, folder.get()) && pathLeadsBelow(name, folder.get()));
    }

    const char *model; /* path of the model's file, as the user named it */
    Array<char> folder;
    const std::string &content;
};

/* ---- Reading ---- */

/* The name of an importer, without a final "Importer", "Reader" or "Loader". */
std::string formatName(const Assimp::Importer &importer) {
    std::string name = importer.GetImporterInfo(0)->mName;
    for (const std::string ending : {" Importer", " Reader", " Loader"}) {
        if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
            name.resize(name.size() - ending.size());
        }
    }
    return name;
}

/* The scene; where it is null, reports the reason. */
const aiScene *checkScene(const aiScene *scene, const char *path, const Assimp::Importer &importer,
                          EngineError *error) {
    if (!scene && !refusalFromHead(path, error)) {
        const char *reason = importer.GetErrorString();
        engineFail(error, "not readable as %s: %s", formatName(importer).c_str(),
                   reason[0] ? reason : "no reason given");
    }
    require(scene != nullptr);
    return scene;
}

/* Removes all importers except that of the extension: no content of a file leads to another one. */
void keepImporter(Assimp::Importer &importer, const char *extension) {
    const Assimp::BaseImporter *kept = importer.GetImporter(extension);
    for (size_t i = importer.GetImporterCount(); i-- > 0;) {
        Assimp::BaseImporter *other = importer.GetImporter(i);
        if (other != kept) {
            importer.UnregisterLoader(other);
            delete other;
        }
    }
}

/* assimp makes a mesh in place of the bones of a file that has none. */
void removeMeshes(aiNode *node) {
    node->mNumMeshes = 0; // NOLINT(clang-analyzer-core.NullDereference): readScene requires a root
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        removeMeshes(node->mChildren[i]);
    }
}

/*
 * Keeps every influence of the file. meshWeld joins identical vertices:
 * aiProcess_JoinIdenticalVertices would join vertices whose weights differ.
 */
std::unique_ptr<aiScene> readScene(const char *path, const std::string &text, ModelRepairs *repairs,
                                   EngineError *error) {
    Assimp::Importer importer;
    keepImporter(importer, std::strrchr(path, '.'));
    importer.SetIOHandler(new FilesBelow(path, text)); /* the importer deletes it */
    importer.SetPropertyBool(AI_CONFIG_IMPORT_NO_SKELETON_MESHES, true);
    importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
    const aiScene *scene = checkScene(importer.ReadFile(path, 0), path, importer, error);
    require(scene->mRootNode || engineFail(error, "no meshes"));
    if (hasExtension(path, ".md5anim")) {
        removeMeshes(scene->mRootNode);
    }
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        repairs->normalsComputed += scene->mMeshes[i]->mNormals == nullptr;
    }
    const unsigned steps = aiProcess_Triangulate | aiProcess_GenSmoothNormals | aiProcess_FlipUVs;
    checkScene(importer.ApplyPostProcessing(steps), path, importer, error);
    return std::unique_ptr<aiScene>(importer.GetOrphanedScene());
}

/* ---- Axes and unit ---- */

/* The model keeps the file's axes and unit, so that nothing is turned or scaled twice: takes back what assimp did. */
void keepSpace(aiScene *scene, const char *path, const std::string &text, Model *model) {
    aiMatrix4x4 &root = scene->mRootNode->mTransformation;
    if (hasExtension(path, ".dae")) {
        aiMatrix4x4 scale;
        model->up = colladaUp(text);
        model->metres = colladaMetres(text);
        root = root * aiMatrix4x4::Scaling(aiVector3D(1.0f / model->metres), scale);
    } else if (hasExtension(path, ".md5mesh") || hasExtension(path, ".md5anim")) {
        root = aiMatrix4x4(); /* removes assimp's quarter turn about x */
        model->up = MODEL_UP_Z;
    }
}

} // namespace

std::unique_ptr<aiScene> assimpReadScene(const char *path, Model *model, EngineError *error) {
    std::string text;
    require(!hasExtension(path, ".dae") || colladaRead(path, &text) || engineFail(error, "%s", std::strerror(errno)));
    const std::vector<ColladaMorph> morphs = colladaReadMorphs(&text, model);
    std::unique_ptr<aiScene> scene = readScene(path, text, &model->repairs, error);
    colladaApplyMorphs(morphs, scene.get(), model);
    keepSpace(scene.get(), path, text, model);
    return scene;
}
