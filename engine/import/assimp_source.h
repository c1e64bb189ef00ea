/* assimp_source.h: what the files of the assimp import share: the scene that was read and the model being made. */
#ifndef ENGINE_ASSIMP_SOURCE_H
#define ENGINE_ASSIMP_SOURCE_H

#include "model.h"

#include <assimp/scene.h>

typedef struct AssimpSource {
    const struct aiScene *scene;
    const struct aiNode **nodes; /* [model->nodeCount]: where each of the model's nodes comes from */
    Model *model;
    const char *path;
    char *message; /* IMPORT_MESSAGE_SIZE bytes */
} AssimpSource;

/* assimp's matrices are row-major with columns as vectors, like ours; the last row is (0 0 0 1). */
VkskinAffine assimpAffine(const struct aiMatrix4x4 *matrix);

/*
 * The node of that name, -1 where there is none. Names are not unique: a joint and the node that carries its mesh
 * may share theirs, and bones and keys mean the joint; so a node without meshes goes before one with.
 */
int64_t assimpFindNode(const AssimpSource *source, const struct aiString *name);

/* Makes the model's clips and marks the nodes that they move in animated[model->nodeCount]. False: message. */
bool assimpConvertClips(const AssimpSource *source, bool *animated);

/* Makes the model's materials, at least one. */
void assimpConvertMaterials(const AssimpSource *source);

/* Makes the model's meshes, skins and parts; its nodes and materials are finished. False: message. */
bool assimpConvertMeshes(const AssimpSource *source);

#endif
