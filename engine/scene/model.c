#include "model.h"

#include <stdlib.h>

static void freeMorph(ModelMorph *morph) {
    free(morph->name);
    free(morph->vertices);
    free(morph->positions);
    free(morph->normals);
    free(morph->tangents);
}

void modelFreeMesh(ModelMesh *mesh) {
    free(mesh->name);
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->tangents);
    free(mesh->texcoords);
    free(mesh->joints);
    free(mesh->weights);
    free(mesh->indices);
    for (uint32_t i = 0; mesh->morphs && i < mesh->morphCount; i++) {
        freeMorph(&mesh->morphs[i]);
    }
    free(mesh->morphs);
    free(mesh->blendWeights);
    *mesh = (ModelMesh){0};
}

static void freeTrack(const VkskinTrack *track) {
    /* The pointers are const for the library that reads them; the model is who allocated them. */
    free((void *)track->times);
    free((void *)track->values);
}

static void freeClip(ModelClip *clip) {
    free(clip->name);
    for (uint32_t i = 0; clip->tracks && i < clip->trackCount; i++) {
        freeTrack(&clip->tracks[i]);
    }
    free(clip->tracks);
}

/* Counts may be set before their arrays exist: a model that was only half made is freed here too. */
void modelFree(Model *model) {
    if (!model) {
        return;
    }
    for (uint32_t i = 0; model->nodes && i < model->nodeCount; i++) {
        free(model->nodes[i].name);
    }
    for (uint32_t i = 0; model->skins && i < model->skinCount; i++) {
        free(model->skins[i].boneNodes);
        free(model->skins[i].inverseBinds);
    }
    for (uint32_t i = 0; model->meshes && i < model->meshCount; i++) {
        modelFreeMesh(&model->meshes[i]);
    }
    for (uint32_t i = 0; model->parts && i < model->partCount; i++) {
        free(model->parts[i].morphWeights);
    }
    for (uint32_t i = 0; model->materials && i < model->materialCount; i++) {
        free(model->materials[i].name);
    }
    for (uint32_t i = 0; model->textures && i < model->textureCount; i++) {
        free(model->textures[i].pixels);
    }
    for (uint32_t i = 0; model->clips && i < model->clipCount; i++) {
        freeClip(&model->clips[i]);
    }
    free(model->nodes);
    free(model->skins);
    free(model->meshes);
    free(model->parts);
    free(model->textures);
    free(model->materials);
    free(model->clips);
    free(model);
}
