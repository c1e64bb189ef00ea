/* gltf_source.h: what the files of the glTF import share: the document that was read and the model being made. */
#ifndef ENGINE_GLTF_SOURCE_H
#define ENGINE_GLTF_SOURCE_H

#include "gltf_document.h"
#include "model.h"

typedef struct GltfSource {
    const GltfDocument *document;
    Model *model;
    uint32_t *modelNodes; /* [document->nodeCount]: the document's nodes in the model's order */
    bool *shown;          /* [model->nodeCount]: in the scene */
    const char *path;
    char *message; /* IMPORT_MESSAGE_SIZE bytes */
} GltfSource;

/* Makes the model's clips and marks the nodes that they move in animated[model->nodeCount]. False: message. */
bool gltfConvertClips(const GltfSource *source, bool *animated);

/* Makes the model's meshes, skins and parts; its nodes and materials are finished. False: message. */
bool gltfConvertMeshes(const GltfSource *source);

#endif
