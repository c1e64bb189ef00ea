/*
 * fbx_document.h: the objects of an .fbx file, their connections and their properties. For the parser's process.
 *
 * Files of 6.1 have the same form as those of 7.x (fbx_old.h): objects have ids; the geometry inside a model is an
 * object Geometry "Mesh" below it, its shapes are Geometry "Shape" below Deformer "BlendShapeChannel" below Deformer
 * "BlendShape" below the mesh; skins are below the mesh; takes are AnimationStack, AnimationLayer, AnimationCurveNode
 * and AnimationCurve with the records of 7.x; properties are in Properties70 with the value in values[4].
 * `GlobalSettings` is a child of the root.
 */
#ifndef ENGINE_FBX_DOCUMENT_H
#define ENGINE_FBX_DOCUMENT_H

extern "C" {
#include "engine_error.h"
}

#include "fbx_object.h"
#include "fbx_turn.h"

#include <map>

struct FbxLink {
    const FbxRecord *object;
    std::string property; /* property of the upper object; "" for an object below another one */
};

struct FbxDocument {
    uint32_t version; /* the file's own, for example 6100 */
    FbxRecord root;
    std::map<int64_t, const FbxRecord *> objects;
    std::map<int64_t, std::vector<FbxLink>> below,
        above; /* links of each object, in the order of the file; 0: the scene */
    std::map<std::string, const FbxRecord *> templates; /* default properties of each kind of object */
    std::vector<std::string> warnings;                  /* what was repaired, one line each */

    /* The objects of that kind that are connected below an object, and above it. */
    std::vector<FbxLink> lower(const FbxRecord &object, const char *kind) const;
    std::vector<FbxLink> upper(const FbxRecord &object, const char *kind) const;
    /* The values of a property; null: neither the object nor its kind has it. The first number is values[4]. */
    const FbxRecord *property(const FbxRecord &object, const char *name) const;
    FbxVector vector(const FbxRecord &object, const char *name, double missing) const;
    double number(const FbxRecord &object, const char *name, double missing) const;
    std::string text(const FbxRecord &object, const char *name) const; /* "" where it is missing */
    /* A setting of the scene: units, axes, frame rate. */
    double setting(const char *name, double missing) const;
};

/*
 * Reads a file's bytes. False: they are damaged, or of a version that is not read; *error says why. The document must stay at its address.
 */
bool fbxReadDocument(const char *bytes, size_t size, FbxDocument *document, EngineError *error);

#endif
