/*
 * gltf_source.h: what the C++ sources of the glTF importer share.
 *
 *     gltf.cpp            parses the file with tinygltf, converts nodes and clips
 *     gltf_accessor.cpp   reads numbers from buffers
 *     gltf_materials.cpp  materials and their textures
 *     gltf_mesh.cpp       primitives, morph targets, skins, parts
 *     gltf_meshopt.cpp    compressed buffer views
 *     gltf_support.cpp    what is not read: refusals and warnings
 *     gltf_text.cpp       what is changed before tinygltf reads the file
 *
 * tinygltf checks only the file's syntax: an index may point anywhere, a count may be wrong. An index of -1 means that
 * the file has none.
 */
#ifndef ENGINE_GLTF_SOURCE_H
#define ENGINE_GLTF_SOURCE_H

#include "parser.h"

#include <tiny_gltf.h>

#include <map>
#include <vector>

/* Whether `index` is an element of `list`. */
template <typename List> bool isIndex(int index, const List &list) {
    return index >= 0 && size_t(index) < list.size();
}

/* Which texture coordinates of a primitive a texture reads, and how it changes them. */
struct GltfPlace {
    int texcoord = 0;                                                     /* the n of TEXCOORD_n */
    double offset[2] = {0.0, 0.0}, rotation = 0.0, scale[2] = {1.0, 1.0}; /* KHR_texture_transform */
};

/* What the meshes of a material need to know. */
struct GltfMaterial {
    bool textured = false; /* the file names a texture, read or not */
    GltfPlace place;       /* place of all textures */
};

struct GltfSource {
    const tinygltf::Model &document;
    Model *model; /* being made */
    EngineError *error;
    const char *folder;                  /* folder of the model's file: ends with a slash, or is empty */
    std::vector<uint32_t> modelNodes;    /* the model's node for each of the document's */
    std::vector<bool> shown;             /* by the model's nodes: in the scene, and not hidden */
    std::vector<GltfMaterial> materials; /* the document's */
    std::vector<uint32_t> positionUses;  /* by accessor: how many primitives have it as POSITION */
    std::vector<uint32_t> targetCounts;  /* by mesh: morph targets of the primitive with the most */
};

/* A member of an extension's object: null where it is absent. */
const tinygltf::Value *gltfMember(const tinygltf::Value *object, const char *name);
const tinygltf::Value *gltfExtension(const tinygltf::ExtensionMap &extensions, const char *name);

/* Where `from` does not have `count` numbers, `to` keeps its values. */
void gltfCopyNumbers(const std::vector<double> &from, float *to, size_t count);

/* The accessor of an attribute; -1: the attribute is absent. */
int gltfFindAttribute(const std::map<std::string, int> &attributes, const std::string &name);

/* How many elements an accessor claims to have; 0 where the accessor does not exist. */
size_t gltfAccessorCount(const GltfSource &source, int accessor);

/*
 * Reads all elements of an accessor, `components` numbers each. Resolves strides, offsets, sparse replacements and
 * normalised integers. An accessor without a buffer view gives zeros. Every read is checked against buffer view and
 * buffer; `what` ("POSITION of mesh 'body'") is for messages.
 */
Array<float> gltfReadFloats(const GltfSource &source, int accessor, int components, const std::string &what);

/* The same for unsigned integers, not normalised. */
Array<uint32_t> gltfReadUnsigned(const GltfSource &source, int accessor, int components, const std::string &what);

/* glTF's matrices are column-major. */
VkskinAffine gltfAffine(const float columns[16]);

/* The document's materials, then the format's default material if a primitive needs it. */
void gltfConvertMaterials(GltfSource &source);

/*
 * The file as tinygltf can read it: a few bytes in place of each buffer that is only a fallback for
 * EXT_meshopt_compression, nodes and paths in place of the pointers of KHR_animation_pointer, chunks of whole words.
 * Empty: nothing is to be changed, or the file is not readable. binary: it is a .glb.
 */
std::string gltfChangeText(const uint8_t *bytes, size_t size, bool binary);

/* Decompresses each buffer view that EXT_meshopt_compression compresses, into a buffer of its own. */
void gltfDecompress(tinygltf::Model &document, EngineError *error);

/*
 * The reason for which a file is refused whatever else it has: its version, or an extension that it requires. Empty: none.
 * document: as far as tinygltf could read it.
 */
std::string gltfRefusal(const tinygltf::Model &document, const uint8_t *bytes, size_t size, bool binary);

/* Warns of extensions that are not read and of meshes that are not shown as the file means it. */
void gltfWarn(const GltfSource &source);

/* Makes the model's meshes, skins and parts. Its nodes and materials are complete. */
void gltfConvertMeshes(const GltfSource &source);

#endif
