/* collada_morphs.h: the morph targets of .dae files and their weights over time. For the parser's process. */
#ifndef ENGINE_COLLADA_MORPHS_H
#define ENGINE_COLLADA_MORPHS_H

extern "C" {
#include "model.h"
}

#include "assimp_morphs.h"

#include <assimp/scene.h>

#include <map>
#include <string>
#include <vector>

using ColladaKeys = std::vector<MorphCurveKey>;

/* A morph controller of a mesh. */
struct ColladaMorph {
    std::string controller, mesh; /* names in the file */
    bool relative;                /* targets are differences */
    std::vector<std::string> targets;
    std::vector<float> weights;           /* [targets] at rest */
    std::map<unsigned, ColladaKeys> keys; /* keys of the targets that move */
};

/*
 * Reads the controllers of the text, and changes it to one that assimp can read (colladaMend), with a node for each
 * target. Warns of controllers that are not read, and of keys with other interpolations than linear and Bezier.
 */
std::vector<ColladaMorph> colladaReadMorphs(std::string *text, Model *model);

/*
 * Takes these nodes out of assimp's scene, and gives the meshes their targets, weights and keys. Warns of targets that do
 * not have the vertices of their mesh.
 */
void colladaApplyMorphs(const std::vector<ColladaMorph> &morphs, aiScene *scene, Model *model);

#endif
