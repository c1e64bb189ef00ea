#include "source_mesh.h"

#include <stdlib.h>
#include <string.h>

#define MOST SKIN_SYSTEM_INFLUENCES

/* The influences of all vertices, sorted and trimmed. */
typedef struct Influences {
    uint32_t *joints; /* [vertexCount][MOST], unused: 0 */
    float *weights;   /* likewise */
    uint8_t *counts;  /* [vertexCount] */
} Influences;

/* What the vertices and indices become. */
typedef struct Cut {
    uint32_t vertexCount;
    uint32_t *origins; /* [vertexCount]: of the mesh */
    uint32_t *joints;  /* [vertexCount][MOST]: of the piece's bones */
    uint32_t *indices; /* [indexCount of the mesh] */
} Cut;

/* ---- Influences ---- */

/* The largest weights, of equal ones the earlier, as the library keeps them. */
static uint8_t trimVertex(const ModelMesh *mesh, uint32_t vertex, uint32_t most, uint32_t *joints, float *weights) {
    const uint32_t *from = mesh->joints + (size_t)vertex * mesh->influences;
    const float *shares = mesh->weights + (size_t)vertex * mesh->influences;
    uint32_t count = 0;
    double sum = 0.0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        uint32_t place = count;
        while (place > 0 && shares[i] > weights[place - 1]) {
            place--;
        }
        if (shares[i] == 0.0f || place == most) {
            continue;
        }
        count = count < most ? count + 1 : most;
        memmove(weights + place + 1, weights + place, (count - 1 - place) * sizeof(*weights));
        memmove(joints + place + 1, joints + place, (count - 1 - place) * sizeof(*joints));
        weights[place] = shares[i];
        joints[place] = from[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = (float)(weights[i] / sum);
    }
    return (uint8_t)count;
}

static bool trim(const ModelMesh *mesh, uint32_t most, Influences *influences, EngineError *error) {
    const size_t count = (size_t)mesh->vertexCount * MOST;
    influences->joints = engineAllocate(count, sizeof(*influences->joints), error);
    influences->weights = engineAllocate(count, sizeof(*influences->weights), error);
    influences->counts = engineAllocate(mesh->vertexCount, sizeof(*influences->counts), error);
    bool made = influences->joints && influences->weights && influences->counts;
    for (uint32_t v = 0; made && v < mesh->vertexCount; v++) {
        influences->counts[v] =
            trimVertex(mesh, v, most, influences->joints + (size_t)v * MOST, influences->weights + (size_t)v * MOST);
    }
    return made;
}

/* ---- Pieces by influence count ---- */

static uint32_t triangleCount(const ModelMesh *mesh, const Influences *influences, uint32_t first) {
    uint32_t most = 1;
    for (uint32_t corner = 0; corner < 3; corner++) {
        const uint32_t count = influences->counts[mesh->indices[first + corner]];
        most = count > most ? count : most;
    }
    return most;
}

static uint32_t largestCount(const ModelMesh *mesh, const Influences *influences) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        const uint32_t count = triangleCount(mesh, influences, i);
        most = count > most ? count : most;
    }
    return most;
}

/* Keeps all vertices. Triangles go to the piece of the largest count of their corners. */
static void groupTriangles(const SourceMeshDef *def, const ModelMesh *mesh, const Influences *influences, Cut *cut,
                           SourceMesh *made) {
    const uint32_t last = def->byInfluences ? largestCount(mesh, influences) : MOST;
    const bool groups = def->byInfluences && !def->keepsOrder;
    uint32_t next = 0;
    for (uint32_t count = groups ? 1 : last; count <= last; count++) {
        SystemPiece *piece = &made->pieces[made->pieceCount];
        *piece = (SystemPiece){.firstIndex = next, .variant = count - 1, .boneCount = mesh->boneCount};
        for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
            if (!groups || triangleCount(mesh, influences, i) == count) {
                memcpy(cut->indices + next, mesh->indices + i, 3 * sizeof(*cut->indices));
                next += 3;
            }
        }
        piece->indexCount = next - piece->firstIndex;
        made->pieceCount += piece->indexCount > 0 ? 1 : 0;
    }
}

static bool keepVertices(const SourceMeshDef *def, const ModelMesh *mesh, const Influences *influences, Cut *cut,
                         SourceMesh *made, EngineError *error) {
    cut->vertexCount = mesh->vertexCount;
    cut->origins = engineAllocate(mesh->vertexCount, sizeof(*cut->origins), error);
    cut->joints = engineAllocate((size_t)mesh->vertexCount * MOST, sizeof(*cut->joints), error);
    cut->indices = engineAllocate(mesh->indexCount, sizeof(*cut->indices), error);
    made->pieces = engineAllocate(MOST, sizeof(*made->pieces), error);
    if (!cut->origins || !cut->joints || !cut->indices || !made->pieces) {
        return false;
    }
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        cut->origins[v] = v;
    }
    memcpy(cut->joints, influences->joints, (size_t)mesh->vertexCount * MOST * sizeof(*cut->joints));
    groupTriangles(def, mesh, influences, cut, made);
    return true;
}

/* ---- Pieces by bones ---- */

static uint32_t indexAt(const VkskinSplitPart *part, uint32_t i) {
    return part->wideIndices ? ((const uint32_t *)part->indices)[i] : ((const uint16_t *)part->indices)[i];
}

static VkskinSplitPart splitPart(VkskinSplit split, uint32_t index) {
    VkskinSplitPart part = {0};
    (void)vkskinGetSplitPart(split, index, &part); /* cannot fail: the index is below the count */
    return part;
}

static void addPart(const VkskinSplitPart *part, uint32_t firstIndex, Cut *cut, SystemPiece *piece, uint32_t *bones) {
    memcpy(cut->origins + cut->vertexCount, part->vertices, part->vertexCount * sizeof(*part->vertices));
    memcpy(cut->joints + (size_t)cut->vertexCount * MOST, part->joints,
           (size_t)part->vertexCount * MOST * sizeof(*part->joints));
    for (uint32_t i = 0; i < part->indexCount; i++) {
        cut->indices[firstIndex + i] = cut->vertexCount + indexAt(part, i);
    }
    memcpy(bones, part->bones, part->boneCount * sizeof(*bones));
    *piece = (SystemPiece){.firstIndex = firstIndex,
                           .indexCount = part->indexCount,
                           .variant = MOST - 1,
                           .boneCount = part->boneCount,
                           .bones = bones};
    cut->vertexCount += part->vertexCount;
}

static bool takeParts(VkskinSplit split, Cut *cut, SourceMesh *made, EngineError *error) {
    const uint32_t count = vkskinGetSplitPartCount(split);
    size_t vertices = 0, indices = 0, bones = 0;
    for (uint32_t i = 0; i < count; i++) {
        const VkskinSplitPart part = splitPart(split, i);
        vertices += part.vertexCount;
        indices += part.indexCount;
        bones += part.boneCount;
    }
    cut->origins = engineAllocate(vertices, sizeof(*cut->origins), error);
    cut->joints = engineAllocate(vertices * MOST, sizeof(*cut->joints), error);
    cut->indices = engineAllocate(indices, sizeof(*cut->indices), error);
    made->pieces = engineAllocate(count, sizeof(*made->pieces), error);
    made->bones = engineAllocate(bones, sizeof(*made->bones), error);
    if (!cut->origins || !cut->joints || !cut->indices || !made->pieces || !made->bones) {
        return false;
    }
    uint32_t firstIndex = 0;
    uint32_t *next = made->bones;
    for (; made->pieceCount < count; made->pieceCount++) {
        const VkskinSplitPart part = splitPart(split, made->pieceCount);
        addPart(&part, firstIndex, cut, &made->pieces[made->pieceCount], next);
        firstIndex += part.indexCount;
        next += part.boneCount;
    }
    return true;
}

static bool split(Skinning *skinning, const SourceMeshDef *def, const ModelMesh *mesh, const Influences *influences,
                  Cut *cut, SourceMesh *made, EngineError *error) {
    const VkskinPrepareRun run = {.logger = skinning->logger};
    VkskinMeshDef whole = vkskinDefaultMeshDef();
    VkskinSplit parts = NULL;
    whole.name = mesh->name;
    whole.vertexCount = mesh->vertexCount;
    whole.boneCount = mesh->boneCount;
    whole.positions = mesh->positions;
    whole.influencesPerVertex = MOST;
    whole.jointFormat = VKSKIN_JOINTS_U32;
    whole.joints = influences->joints;
    whole.weights = influences->weights;
    whole.indices = mesh->indices;
    whole.indexCount = mesh->indexCount;
    VkskinResult result = vkskinSplitMesh(&whole, def->maxBones, &run, &parts);
    bool good = result >= 0 ? takeParts(parts, cut, made, error) : skinningFail(skinning, error, mesh->name, result);
    vkskinDestroySplit(parts);
    return good;
}

/* ---- Buffers ---- */

static SourceVertex describeVertex(const SourceMeshDef *def, const ModelMesh *mesh, const Influences *influences,
                                   const Cut *cut, uint32_t index) {
    const size_t origin = cut->origins[index];
    SourceVertex vertex = {.tangent = {0}};
    memcpy(vertex.position, mesh->positions + 3 * origin, sizeof(vertex.position));
    memcpy(vertex.normal, mesh->normals + 3 * origin, sizeof(vertex.normal));
    if (mesh->tangents) {
        memcpy(vertex.tangent, mesh->tangents + 4 * origin, sizeof(vertex.tangent));
    }
    memcpy(vertex.weights, influences->weights + MOST * origin, sizeof(vertex.weights));
    for (uint32_t i = 0; i < MOST; i++) {
        const bool used = i < influences->counts[origin];
        vertex.joints[i] = used                  ? (uint16_t)cut->joints[(size_t)index * MOST + i]
                           : def->endsByNegative ? UINT16_MAX /* -1 */
                                                 : 0;
    }
    return vertex;
}

static bool createVertices(Device *device, const SourceMeshDef *def, const ModelMesh *mesh,
                           const Influences *influences, const Cut *cut, SourceMesh *made, EngineError *error) {
    SourceVertex *vertices = engineAllocate(cut->vertexCount, sizeof(*vertices), error);
    for (uint32_t i = 0; vertices && i < cut->vertexCount; i++) {
        vertices[i] = describeVertex(def, mesh, influences, cut, i);
    }
    bool filled =
        vertices && bufferCreateFilled(device, vertices, cut->vertexCount * sizeof(*vertices),
                                       VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "source vertices", &made->vertices, error);
    free(vertices);
    return filled;
}

/* Rows of `width` floats in the order of the cut; null, and true, for null. */
static bool gather(const float *values, size_t width, const Cut *cut, float **gathered, EngineError *error) {
    *gathered = values ? engineAllocate(cut->vertexCount, width * sizeof(float), error) : NULL;
    for (uint32_t i = 0; *gathered && i < cut->vertexCount; i++) {
        memcpy(*gathered + width * i, values + width * cut->origins[i], width * sizeof(float));
    }
    return !values || *gathered;
}

/* Streams in the order of the cut. */
static bool createStreams(Device *device, const SourceMeshDef *def, const ModelMesh *mesh, const Cut *cut,
                          SourceMesh *made, EngineError *error) {
    ModelMesh streams = *mesh; /* the arrays that are read are replaced below */
    streams.vertexCount = cut->vertexCount;
    streams.indices = cut->indices;
    bool good = gather(mesh->texcoords, 2, cut, &streams.texcoords, error);
    good = gather(mesh->colours, 4, cut, &streams.colours, error) && good;
    good = good && skinnedModelCreateStreams(device, def->model, &streams, &made->own, error);
    free(streams.texcoords);
    free(streams.colours);
    return good;
}

static void describe(const SourceMeshDef *def, SourceMesh *made) {
    const SkinnedMesh *streams = made->own.indexCount > 0 ? &made->own : def->streams;
    made->drawn = (SystemMesh){.texcoords = streams->texcoords.handle,
                               .colours = streams->colours.handle,
                               .vertices = made->vertices.handle,
                               .indices = streams->indices.handle,
                               .indexType = streams->indexType,
                               .pieceCount = made->pieceCount,
                               .pieces = made->pieces,
                               .vertexCount = streams->vertexCount,
                               .origins = made->origins};
}

bool sourceMeshCreate(Skinning *skinning, const SourceMeshDef *def, SourceMesh *mesh, EngineError *error) {
    const ModelMesh *source = &def->model->meshes[def->mesh];
    const bool splits = def->maxBones > 0 && source->boneCount > def->maxBones;
    Influences influences = {0};
    Cut cut = {0};
    *mesh = (SourceMesh){.pieceCount = 0};
    if (source->indexCount == 0) {
        return true; /* nothing to draw */
    }
    bool good = trim(source, def->maxInfluences, &influences, error);
    if (good) {
        good = splits ? split(skinning, def, source, &influences, &cut, mesh, error)
                      : keepVertices(def, source, &influences, &cut, mesh, error);
    }
    good = good && createVertices(skinning->device, def, source, &influences, &cut, mesh, error) &&
           ((mesh->pieceCount == 1 && !splits) || createStreams(skinning->device, def, source, &cut, mesh, error));
    if (good) {
        mesh->origins = splits ? cut.origins : NULL;
        cut.origins = splits ? NULL : cut.origins;
        describe(def, mesh);
    }
    free(influences.joints);
    free(influences.weights);
    free(influences.counts);
    free(cut.origins);
    free(cut.joints);
    free(cut.indices);
    return good;
}

void sourceMeshDestroy(Device *device, SourceMesh *mesh) {
    skinnedModelDestroyStreams(device, &mesh->own);
    bufferDestroy(device, &mesh->vertices);
    free(mesh->pieces);
    free(mesh->bones);
    free(mesh->origins);
    *mesh = (SourceMesh){.pieceCount = 0};
}
