/* fbx_skins.h: the skins of an .fbx file: which bones move which points of a geometry. For the parser's process. */
#ifndef ENGINE_FBX_SKINS_H
#define ENGINE_FBX_SKINS_H

#include "fbx_geometry.h"
#include "fbx_nodes.h"
#include "parts.h"

/* A bone and the points that it moves. */
struct FbxCluster {
    const FbxRecord *record, *bone;
    bool hasMatrix, hasLink;
    VkskinAffine matrix, link; /* mesh's node to bone, and the bone's world, both at bind */
};

struct FbxPointWeight {
    uint32_t cluster;
    double weight;
};

struct FbxSkin {
    std::vector<FbxCluster> clusters; /* empty: no skin */
    std::vector<FbxPointWeight> weights;
    std::vector<size_t> first; /* [points + 1]: where the weights of each point begin */
    std::vector<float> blend;  /* [points]: 0 linear, 1 dual quaternions; empty: all linear */
};

/* World matrices of Models at the time of binding, as the file's bind poses state them. */
using FbxBindPose = std::map<const FbxRecord *, VkskinAffine>;

FbxBindPose fbxReadBindPose(const FbxDocument &document);

/*
 * The skin of a geometry, with weights as in the file; those of one bone and point are summed. Warns of clusters
 * without a bone, of unknown points, and of unusual modes.
 */
FbxSkin fbxReadSkin(const FbxDocument &document, const FbxGeometry &geometry, const FbxNodes &nodes, Model *model);

/* Sets joints, weights and blend weights of a mesh that was cut from the geometry. Returns what influencesPack does. */
bool fbxFillInfluences(const FbxSkin &skin, const FbxGeometry &geometry, const FbxCut &cut, ModelMesh *mesh,
                       ModelRepairs *repairs);

/* Where the mesh of a skin stands. */
struct FbxPlace {
    const FbxRecord *object; /* the Model */
    uint32_t node;           /* node without the geometric transform */
    VkskinAffine geometric;  /* the geometric transform */
};

/*
 * The bones of the skin, for a mesh at a place. Matrices that a cluster lacks come from the bind pose, else from the
 * pose at rest. Fails where a matrix is not finite.
 */
Bones fbxBones(const FbxSkin &skin, const FbxNodes &nodes, const FbxBindPose &poses, const Parts &parts,
               const FbxPlace &place, EngineError *error);

#endif
