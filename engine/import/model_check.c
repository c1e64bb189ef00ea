#include "model_check.h"

#include "diagnostic.h"
#include "finite.h"

#include <math.h>

typedef struct Check {
    const Model *model;
    const char *path;
    char *message;
} Check;

static bool allBelow(const uint32_t *values, size_t count, uint32_t limit) {
    for (size_t i = 0; i < count; i++) {
        if (values[i] >= limit) {
            return false;
        }
    }
    return true;
}

static bool transformFinite(const VkskinTransform *transform) {
    return finiteAll(transform->translation, 3) && finiteAll(transform->rotation, 4) && finiteAll(transform->scale, 3);
}

static bool checkNode(const Check *check, uint32_t index) {
    const ModelNode *node = &check->model->nodes[index];
    if (node->parent < -1 || node->parent >= (int64_t)index) {
        return diagnose(check->message, "%s: node '%s' comes before its parent", check->path, node->name);
    }
    if (!transformFinite(&node->rest) || !finiteAll(&node->preTransform.m[0][0], 12)) {
        return diagnose(check->message, "%s: node '%s' has a transform that is not finite", check->path, node->name);
    }
    return true;
}

static bool checkSkin(const Check *check, uint32_t index) {
    const ModelSkin *skin = &check->model->skins[index];
    if (skin->boneCount == 0 || !allBelow(skin->boneNodes, skin->boneCount, check->model->nodeCount)) {
        return diagnose(check->message, "%s: skin %u names a node that is not there", check->path, index);
    }
    if (!finiteAll(&skin->inverseBinds[0].m[0][0], (size_t)skin->boneCount * 12)) {
        return diagnose(check->message, "%s: skin %u has an inverse bind matrix that is not finite", check->path,
                        index);
    }
    return true;
}

static bool weightsGood(const ModelMesh *mesh) {
    for (size_t vertex = 0; vertex < mesh->vertexCount; vertex++) {
        const float *weights = mesh->weights + vertex * mesh->influences;
        double sum = 0.0;
        for (uint32_t i = 0; i < mesh->influences; i++) {
            if (!isfinite(weights[i]) || weights[i] < 0.0f) {
                return false;
            }
            sum += weights[i];
        }
        if (!(sum > 0.0)) {
            return false;
        }
    }
    return true;
}

static bool attributesFinite(const ModelMesh *mesh) {
    size_t vertices = mesh->vertexCount;
    return finiteAll(mesh->positions, vertices * 3) && finiteAll(mesh->normals, vertices * 3) &&
           (!mesh->tangents || finiteAll(mesh->tangents, vertices * 4)) &&
           (!mesh->texcoords || finiteAll(mesh->texcoords, vertices * 2));
}

static bool ascendBelow(const uint32_t *values, size_t count, uint32_t limit) {
    for (size_t i = 1; i < count; i++) {
        if (values[i] <= values[i - 1]) {
            return false;
        }
    }
    return allBelow(values, count, limit);
}

static bool checkMorphs(const Check *check, const ModelMesh *mesh) {
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        const ModelMorph *morph = &mesh->morphs[i];
        size_t floats = 3 * (size_t)morph->vertexCount;
        if (!ascendBelow(morph->vertices, morph->vertexCount, mesh->vertexCount)) {
            return diagnose(check->message, "%s: morph '%s' of mesh '%s' moves a vertex twice or one past the mesh",
                            check->path, morph->name, mesh->name);
        }
        if ((morph->positions && !finiteAll(morph->positions, floats)) ||
            (morph->normals && !finiteAll(morph->normals, floats)) ||
            (morph->tangents && !finiteAll(morph->tangents, floats))) {
            return diagnose(check->message, "%s: morph '%s' of mesh '%s' is not finite", check->path, morph->name,
                            mesh->name);
        }
    }
    return true;
}

static bool blendGood(const ModelMesh *mesh) {
    for (size_t v = 0; mesh->blendWeights && v < mesh->vertexCount; v++) {
        if (!(mesh->blendWeights[v] >= 0.0f && mesh->blendWeights[v] <= 1.0f)) {
            return false;
        }
    }
    return true;
}

static bool checkMesh(const Check *check, uint32_t index) {
    const ModelMesh *mesh = &check->model->meshes[index];
    if (!attributesFinite(mesh)) {
        return diagnose(check->message, "%s: mesh '%s' has a vertex that is not finite", check->path, mesh->name);
    }
    if (mesh->indexCount % 3 != 0 || !allBelow(mesh->indices, mesh->indexCount, mesh->vertexCount)) {
        return diagnose(check->message, "%s: mesh '%s' has a triangle past its vertices", check->path, mesh->name);
    }
    size_t slots = (size_t)mesh->vertexCount * mesh->influences;
    if (mesh->influences == 0 || !allBelow(mesh->joints, slots, mesh->boneCount)) {
        return diagnose(check->message, "%s: mesh '%s' has a joint past its bones", check->path, mesh->name);
    }
    if (!weightsGood(mesh)) {
        return diagnose(check->message, "%s: mesh '%s' has weights that are not usable", check->path, mesh->name);
    }
    if (!blendGood(mesh)) {
        return diagnose(check->message, "%s: mesh '%s' has a blend weight outside 0 to 1", check->path, mesh->name);
    }
    if (mesh->material >= check->model->materialCount) {
        return diagnose(check->message, "%s: mesh '%s' names a material that is not there", check->path, mesh->name);
    }
    return checkMorphs(check, mesh);
}

static bool checkPart(const Check *check, uint32_t index) {
    const Model *model = check->model;
    const ModelPart *part = &model->parts[index];
    if (part->mesh >= model->meshCount || part->skin >= model->skinCount || part->node >= model->nodeCount ||
        part->carrier >= model->nodeCount) {
        return diagnose(check->message, "%s: part %u names a mesh, skin or node that is not there", check->path, index);
    }
    if (model->meshes[part->mesh].boneCount > model->skins[part->skin].boneCount) {
        return diagnose(check->message, "%s: part %u has a mesh with more bones than its skin", check->path, index);
    }
    if (part->morphWeights && !finiteAll(part->morphWeights, model->meshes[part->mesh].morphCount)) {
        return diagnose(check->message, "%s: part %u has a morph weight that is not finite", check->path, index);
    }
    return true;
}

static bool checkTexture(const Check *check, uint32_t index) {
    const ModelTexture *texture = &check->model->textures[index];
    if (texture->width - 1 >= MODEL_TEXTURE_SIDE || texture->height - 1 >= MODEL_TEXTURE_SIDE) {
        return diagnose(check->message, "%s: texture %u is of no usable size", check->path, index);
    }
    return true;
}

static bool checkMaterial(const Check *check, uint32_t index) {
    const ModelMaterial *material = &check->model->materials[index];
    bool known = material->texture >= -1 && material->texture < (int64_t)check->model->textureCount;
    if (!known || !finiteAll(material->baseColor, 4)) {
        return diagnose(check->message, "%s: material '%s' is not usable", check->path, material->name);
    }
    return true;
}

static bool trackGood(const Model *model, const VkskinTrack *track) {
    if (track->node >= model->nodeCount || track->keyCount == 0 ||
        (uint32_t)track->channel > VKSKIN_CHANNEL_MORPH_WEIGHTS ||
        (uint32_t)track->interpolation > VKSKIN_INTERPOLATION_CUBIC) {
        return false;
    }
    for (uint32_t i = 1; i < track->keyCount; i++) {
        if (track->times[i] < track->times[i - 1]) {
            return false;
        }
    }
    bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    size_t values = weights ? track->weightCount : (track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3);
    if (values == 0) {
        return false;
    }
    if (track->interpolation == VKSKIN_INTERPOLATION_CUBIC) {
        values *= 3;
    }
    return finiteAll(track->times, track->keyCount) && finiteAll(track->values, track->keyCount * values);
}

static bool checkClip(const Check *check, uint32_t index) {
    const ModelClip *clip = &check->model->clips[index];
    if (!isfinite(clip->duration) || clip->duration < 0.0f) {
        return diagnose(check->message, "%s: clip '%s' has no usable duration", check->path, clip->name);
    }
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        if (!trackGood(check->model, &clip->tracks[i])) {
            return diagnose(check->message, "%s: clip '%s' has a track that is not usable", check->path, clip->name);
        }
    }
    return true;
}

static bool checkEach(const Check *check, uint32_t count, bool (*checkOne)(const Check *, uint32_t)) {
    for (uint32_t i = 0; i < count; i++) {
        if (!checkOne(check, i)) {
            return false;
        }
    }
    return true;
}

bool modelCheck(const Model *model, const char *path, char *message) {
    const Check check = {model, path, message};
    if (model->partCount == 0) {
        return diagnose(message, "%s: no meshes", path);
    }
    return checkEach(&check, model->nodeCount, checkNode) && checkEach(&check, model->skinCount, checkSkin) &&
           checkEach(&check, model->meshCount, checkMesh) && checkEach(&check, model->partCount, checkPart) &&
           checkEach(&check, model->textureCount, checkTexture) &&
           checkEach(&check, model->materialCount, checkMaterial) && checkEach(&check, model->clipCount, checkClip);
}
