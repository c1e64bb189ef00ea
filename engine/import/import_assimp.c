#include "import_assimp.h"

#include "assimp_files.h"
#include "assimp_source.h"
#include "child_memory.h"
#include "diagnostic.h"
#include "finite.h"
#include "path_below.h"
#include "rest_pose.h"

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/importerdesc.h>
#include <assimp/postprocess.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

VkskinAffine assimpAffine(const struct aiMatrix4x4 *matrix) {
    return (VkskinAffine){{
        {matrix->a1, matrix->a2, matrix->a3, matrix->a4},
        {matrix->b1, matrix->b2, matrix->b3, matrix->b4},
        {matrix->c1, matrix->c2, matrix->c3, matrix->c4},
    }};
}

int64_t assimpFindNode(const AssimpSource *source, const struct aiString *name) {
    int64_t found = -1;
    for (uint32_t i = 0; i < source->model->nodeCount; i++) {
        const struct aiNode *node = source->nodes[i];
        if (node->mName.length != name->length || memcmp(node->mName.data, name->data, name->length) != 0) {
            continue;
        }
        if (node->mNumMeshes == 0) {
            return i;
        }
        found = found < 0 ? i : found;
    }
    return found;
}

static uint32_t countNodes(const struct aiNode *node) {
    uint32_t count = 1;
    for (unsigned i = 0; i < node->mNumChildren; i++) {
        count += countNodes(node->mChildren[i]);
    }
    return count;
}

/* Level by level, so that parents come first. */
static void listNodes(AssimpSource *source) {
    Model *model = source->model;
    uint32_t count = countNodes(source->scene->mRootNode);
    source->nodes = childAllocate(count, sizeof(const struct aiNode *));
    model->nodes = childAllocate(count, sizeof *model->nodes);
    model->nodeCount = 1;
    source->nodes[0] = source->scene->mRootNode;
    model->nodes[0].parent = -1;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const struct aiNode *node = source->nodes[i];
        model->nodes[i].name = childCopyText(node->mName.data);
        for (unsigned c = 0; c < node->mNumChildren; c++) {
            model->nodes[model->nodeCount].parent = (int32_t)i;
            source->nodes[model->nodeCount++] = node->mChildren[c];
        }
    }
}

static bool setRestPose(const AssimpSource *source, const bool *animated) {
    Model *model = source->model;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        VkskinAffine matrix = assimpAffine(&source->nodes[i]->mTransformation);
        if (!finiteAll(&matrix.m[0][0], 12)) {
            return diagnose(source->message, "%s: node '%s' has a matrix that is not finite", source->path,
                            model->nodes[i].name);
        }
        restSet(&model->nodes[i], &matrix, animated[i], &model->repairs);
    }
    return true;
}

static bool convert(AssimpSource *source) {
    listNodes(source);
    bool *animated = childAllocate(source->model->nodeCount, sizeof *animated);
    bool good = assimpConvertClips(source, animated) && setRestPose(source, animated);
    free(animated);
    if (good) {
        assimpConvertMaterials(source);
        good = assimpConvertMeshes(source);
    }
    free(source->nodes);
    return good;
}

static uint32_t countWithoutNormals(const struct aiScene *scene) {
    uint32_t count = 0;
    for (unsigned i = 0; i < scene->mNumMeshes; i++) {
        count += scene->mMeshes[i]->mNormals == NULL;
    }
    return count;
}

/* What the file was taken for: the importer's name for the format, without the word that ends most of them. */
static void formatName(const char *path, char *name, size_t size) {
    static const char *const endings[] = {" Importer", " Reader", " Loader"};
    const char *extension = strrchr(path, '.') + 1; /* assimpParse has seen it */
    const struct aiImporterDesc *importer = aiGetImporterDesc(extension);
    snprintf(name, size, "%s", importer && importer->mName ? importer->mName : extension);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(name), cut = strlen(endings[i]);
        if (length > cut && strcmp(name + length - cut, endings[i]) == 0) {
            name[length - cut] = '\0';
        }
    }
}

/* With assimp's reason in words of one line. */
static bool reject(const char *path, char *message) {
    char format[80];
    const char *reason = aiGetErrorString();
    formatName(path, format, sizeof format);
    return diagnose(message, "%s: not readable as %s: %s", path, format,
                    reason && reason[0] ? reason : "no reason given");
}

/*
 * Weights are not limited: every influence of the file is kept. Identical vertices are joined by meshWeld and not by
 * aiProcess_JoinIdenticalVertices, which takes vertices as identical that differ in their weights.
 */
static const struct aiScene *readScene(const char *path, struct aiFileIO *files, uint32_t *normalsComputed,
                                       char *message) {
    const struct aiScene *scene = aiImportFileEx(path, 0, files);
    if (!scene) {
        reject(path, message);
        return NULL;
    }
    if (!scene->mRootNode || scene->mNumMeshes == 0) {
        diagnose(message, "%s: no meshes", path);
        aiReleaseImport(scene);
        return NULL;
    }
    *normalsComputed = countWithoutNormals(scene);
    scene = aiApplyPostProcessing(scene, aiProcess_Triangulate | aiProcess_GenSmoothNormals | aiProcess_FlipUVs);
    if (!scene) {
        reject(path, message);
    }
    return scene;
}

/* assimp keeps `files` until the scene is released. */
static Model *parseBelow(const char *path, struct aiFileIO *files, char *message) {
    uint32_t normalsComputed = 0;
    const struct aiScene *scene = readScene(path, files, &normalsComputed, message);
    if (!scene) {
        return NULL;
    }
    AssimpSource source = {.scene = scene, .path = path, .message = message};
    source.model = childAllocate(1, sizeof *source.model);
    source.model->repairs.normalsComputed = normalsComputed;
    if (!convert(&source)) {
        modelFree(source.model);
        source.model = NULL;
    }
    aiReleaseImport(scene);
    return source.model;
}

Model *assimpParse(const char *path, char *message) {
    const char *dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/') || !aiIsExtensionSupported(dot)) {
        diagnose(message, "%s: no importer knows this kind of file; .x, .fbx, .dae, .md5mesh, .gltf and .glb are known",
                 path);
        return NULL;
    }
    char *folder = pathFolder(path);
    AssimpFiles known = {.model = path, .folder = folder};
    struct aiFileIO files = assimpFilesBelow(&known);
    Model *model = parseBelow(path, &files, message);
    free(folder);
    return model;
}
