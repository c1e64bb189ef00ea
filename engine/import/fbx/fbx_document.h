/* fbx_document.h: the objects of an .fbx file, their connections and their properties. For the parser's process. */
#ifndef ENGINE_FBX_DOCUMENT_H
#define ENGINE_FBX_DOCUMENT_H

#include "fbx_tree.h"

#include <array>
#include <map>

using FbxVector = std::array<double, 3>;

struct FbxLink {
    const FbxRecord *object;
    std::string property; /* property of the upper object; "" for an object below another one */
};

struct FbxDocument {
    FbxRecord root;
    std::map<int64_t, const FbxRecord *> objects;
    std::map<int64_t, std::vector<FbxLink>> below,
        above; /* links of each object, in the order of the file; 0: the scene */
    std::map<std::string, const FbxRecord *> templates; /* default properties of each kind of object */

    /* The objects of that kind that are connected below an object, and above it. */
    std::vector<FbxLink> lower(const FbxRecord &object, const char *kind) const;
    std::vector<FbxLink> upper(const FbxRecord &object, const char *kind) const;
    /* The values of a property; null: neither the object nor its kind has it. The first number is values[4]. */
    const FbxRecord *property(const FbxRecord &object, const char *name) const;
    FbxVector vector(const FbxRecord &object, const char *name, double missing) const;
    double number(const FbxRecord &object, const char *name, double missing) const;
};

/* Reads a file's bytes. False: they are damaged; the document has what stands before. It must stay at its address. */
bool fbxReadDocument(const char *bytes, size_t size, FbxDocument *document);

/* Without its kind: "Model::Arm" in text files, "Arm", a zero byte and more in binary ones. */
std::string fbxName(const FbxRecord &object);

/* The number of an object, by which connections name it. */
int64_t fbxId(const FbxRecord &object);

#endif
