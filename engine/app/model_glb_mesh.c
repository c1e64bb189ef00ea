/* model_glb_mesh.c: the arrays of a mesh in a .glb file: vertices, influences, morph targets, triangles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_glb.h"

/* ---- Attributes ---- */

/* The accessor that was added last becomes an attribute. */
static void nameAccessor(Glb *glb, cJSON *attributes, const char *name) {
    GLB_SET(glb, attributes, jsonCount(name, glbLast(glb, GLB_ACCESSORS)));
}

/* values: null: none. */
static void addFloats(Glb *glb, cJSON *attributes, const char *name, const float *values, uint32_t count,
                      size_t width) {
    if (values) {
        (void)glbArray(glb, values, GLB_FLOAT, count, width, GLB_VERTICES);
        nameAccessor(glb, attributes, name);
    }
}

/* Directions with length 1, and signs that are 1 or -1: what the format demands. width: 3, or 4 with a sign. */
static void addDirections(Glb *glb, cJSON *attributes, const char *name, const float *values, uint32_t count,
                          size_t width) {
    float *made = values ? malloc((size_t)count * width * sizeof *made) : NULL;
    glb->good = glb->good && (made || !values);
    for (size_t i = 0; i < count && made; i++) {
        const float *from = values + i * width;
        float *to = made + i * width;
        const double length = sqrt((double)from[0] * from[0] + (double)from[1] * from[1] + (double)from[2] * from[2]);
        for (int axis = 0; axis < 3; axis++) {
            to[axis] = length > 0.0 ? (float)(from[axis] / length) : axis == 2 ? 1.0f : 0.0f;
        }
        if (width == 4) {
            to[3] = from[3] < 0.0f ? -1.0f : 1.0f;
        }
    }
    addFloats(glb, attributes, name, made, count, width);
    free(made);
}

/* ---- Influences ---- */

typedef struct Influence {
    uint32_t joint;
    float weight;
} Influence;

static int compareJoints(const void *a, const void *b) {
    const Influence *left = a, *right = b;
    return (left->joint > right->joint) - (left->joint < right->joint);
}

static int compareWeights(const void *a, const void *b) {
    const Influence *left = a, *right = b;
    return left->weight != right->weight ? (left->weight < right->weight) - (left->weight > right->weight)
                                         : compareJoints(a, b);
}

/* The influences of a vertex from the largest on, each joint once, at most `limit`, with the sum 1. Returns how many. */
static uint32_t sortInfluences(ModelGlb *out, const ModelMesh *mesh, uint32_t vertex, uint32_t limit, Influence *list) {
    const size_t row = (size_t)vertex * mesh->influences;
    uint32_t count = 0, kept = 0;
    double all = 0.0, sum = 0.0, four = 0.0;
    for (uint32_t i = 0; i < mesh->influences; i++) {
        if (mesh->weights[row + i] > 0.0f) {
            list[count++] = (Influence){mesh->joints[row + i], mesh->weights[row + i]};
            all += (double)mesh->weights[row + i];
        }
    }
    qsort(list, count, sizeof *list, compareJoints);
    for (uint32_t i = 0; i < count; i++) {
        if (kept > 0 && list[kept - 1].joint == list[i].joint) {
            list[kept - 1].weight += list[i].weight;
        } else {
            list[kept++] = list[i];
        }
    }
    qsort(list, kept, sizeof *list, compareWeights);
    const uint32_t found = kept;
    kept = kept < limit ? kept : limit;
    for (uint32_t i = 0; i < kept; i++) {
        sum += (double)list[i].weight;
        four += i < 4 ? (double)list[i].weight : 0.0;
    }
    for (uint32_t i = 0; i < kept; i++) {
        list[i].weight = (float)(list[i].weight / sum);
    }
    out->losses.further += kept > 4;
    out->losses.furtherShare = fmax(out->losses.furtherShare, 1.0 - four / sum);
    if (found > kept) {
        out->losses.trimmedShare = fmax(out->losses.trimmedShare, 1.0 - sum / all);
    }
    return kept;
}

/* JOINTS_n and WEIGHTS_n have four influences of each vertex. */
static void addInfluences(ModelGlb *out, const ModelMesh *mesh, cJSON *attributes) {
    const uint32_t limit = out->maxInfluences > 0 ? out->maxInfluences : mesh->influences, count = mesh->vertexCount;
    const uint32_t sets = ((limit < mesh->influences ? limit : mesh->influences) + 3) / 4;
    uint16_t *joints = calloc((size_t)count * sets * 4, sizeof *joints); /* [sets][count][4] */
    float *weights = calloc((size_t)count * sets * 4, sizeof *weights);
    Influence *list = calloc(mesh->influences, sizeof *list);
    uint32_t most = 1;
    out->glb->good = out->glb->good && joints && weights && list;
    for (uint32_t v = 0; v < count && out->glb->good; v++) {
        const uint32_t kept = sortInfluences(out, mesh, v, limit, list);
        for (uint32_t i = 0; i < kept; i++) {
            const size_t at = ((size_t)(i / 4) * count + v) * 4 + i % 4;
            joints[at] = (uint16_t)list[i].joint;
            weights[at] = list[i].weight;
        }
        most = kept > most ? kept : most;
    }
    for (uint32_t set = 0; 4 * set < most && out->glb->good; set++) {
        char name[24];
        (void)glbArray(out->glb, joints + (size_t)set * count * 4, GLB_SHORT, count, 4, GLB_VERTICES);
        snprintf(name, sizeof name, "JOINTS_%u", set);
        nameAccessor(out->glb, attributes, name);
        snprintf(name, sizeof name, "WEIGHTS_%u", set);
        addFloats(out->glb, attributes, name, weights + (size_t)set * count * 4, count, 4);
    }
    free(joints);
    free(weights);
    free(list);
}

/* ---- Morph targets ---- */

/* Deltas of some vertices in an accessor of all. There is at least one: other readers know no accessor without bytes. */
static void addSparse(Glb *glb, const uint32_t *vertices, const float *deltas, uint32_t moved, cJSON *accessor) {
    const uint64_t indices = glbView(glb, 0, GLB_NO_TARGET, vertices, GLB_INTEGER, moved);
    const uint64_t values = glbView(glb, 0, GLB_NO_TARGET, deltas, GLB_FLOAT, (size_t)moved * 3);
    GLB_SET(
        glb, accessor,
        JSON_OBJECT("sparse", jsonCount("count", moved),
                    JSON_OBJECT("indices", jsonCount("bufferView", indices), jsonCount("componentType", GLB_INTEGER)),
                    JSON_OBJECT("values", jsonCount("bufferView", values))));
}

static cJSON *addDense(Glb *glb, const ModelMorph *morph, const float *deltas, uint32_t count) {
    float *all = calloc((size_t)count * 3, sizeof *all);
    glb->good = glb->good && all;
    for (size_t i = 0; i < morph->vertexCount && all; i++) {
        memcpy(all + 3 * (size_t)morph->vertices[i], deltas + 3 * i, 3 * sizeof *all);
    }
    cJSON *accessor = all ? glbArray(glb, all, GLB_FLOAT, count, 3, GLB_VERTICES) : NULL;
    free(all);
    return accessor;
}

/* Whichever is smaller. deltas: null: all are 0. */
static void addDeltas(Glb *glb, cJSON *target, const char *name, const ModelMorph *morph, const float *deltas,
                      uint32_t count) {
    static const float none[3];
    static const uint32_t first = 0;
    const uint32_t moved = deltas ? morph->vertexCount : 0;
    const bool sparse = (uint64_t)moved * 16 < (uint64_t)count * 12;
    cJSON *accessor = sparse ? glbAccessor(glb, GLB_NONE, 0, GLB_FLOAT, count, 3) : addDense(glb, morph, deltas, count);
    if (sparse) {
        addSparse(glb, moved > 0 ? morph->vertices : &first, moved > 0 ? deltas : none, moved > 0 ? moved : 1,
                  accessor);
    }
    glbRange(glb, accessor, deltas, moved, 3, moved < count);
    nameAccessor(glb, target, name);
}

static void addTargets(Glb *glb, const ModelMesh *mesh, cJSON *primitive) {
    static const char *const names[] = {"POSITION", "NORMAL", "TANGENT"};
    cJSON *targets = mesh->morphCount > 0 ? jsonAddArray(primitive, "targets", &glb->good) : NULL;
    for (uint32_t i = 0; i < mesh->morphCount && glb->good; i++) {
        const ModelMorph *morph = &mesh->morphs[i];
        cJSON *target = jsonAddRow(targets, &glb->good);
        const float *const deltas[] = {morph->positions, morph->normals, morph->tangents};
        for (size_t j = 0; j < COUNT_OF(deltas); j++) {
            if (j == 0 || deltas[j]) {
                addDeltas(glb, target, names[j], morph, deltas[j], mesh->vertexCount);
            }
        }
    }
}

/* ---- Triangles ---- */

/* 16 bits, if they suffice: 65535 is not an index. */
static void addIndices(Glb *glb, const ModelMesh *mesh, cJSON *primitive) {
    if (mesh->vertexCount > UINT16_MAX) {
        (void)glbArray(glb, mesh->indices, GLB_INTEGER, mesh->indexCount, 1, GLB_INDICES);
    } else {
        uint16_t *indices = malloc((size_t)mesh->indexCount * sizeof *indices);
        glb->good = glb->good && indices;
        for (uint32_t i = 0; i < mesh->indexCount && indices; i++) {
            indices[i] = (uint16_t)mesh->indices[i];
        }
        (void)glbArray(glb, indices, GLB_SHORT, mesh->indexCount, 1, GLB_INDICES);
        free(indices);
    }
    nameAccessor(glb, primitive, "indices");
}

static uint64_t materialOf(ModelGlb *out, uint32_t material) {
    uint64_t *known = &out->materials[material];
    if (*known == 0) {
        *known = glbMaterial(out->glb, &out->model->materials[material]) + 1;
    }
    return *known - 1;
}

static void countDual(ModelGlb *out, const ModelMesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertexCount && mesh->blendWeights; v++) {
        out->losses.dual += mesh->blendWeights[v] > 0.0f;
    }
}

/* A material with textures needs coordinates. */
static void addTexcoords(ModelGlb *out, const ModelMesh *mesh, cJSON *attributes) {
    const ModelMaterial *material = &out->model->materials[mesh->material];
    bool textured = false;
    for (int map = 0; map < MODEL_MAP_COUNT; map++) {
        textured = textured || material->maps[map] >= 0;
    }
    float *zeros = textured && !mesh->texcoords ? calloc((size_t)mesh->vertexCount * 2, sizeof *zeros) : NULL;
    addFloats(out->glb, attributes, "TEXCOORD_0", mesh->texcoords ? mesh->texcoords : zeros, mesh->vertexCount, 2);
    free(zeros);
}

static void fillPrimitive(ModelGlb *out, const ModelMesh *mesh, bool skinned, cJSON *primitive) {
    Glb *glb = out->glb;
    const uint32_t count = mesh->vertexCount;
    cJSON *attributes = jsonAddObject(primitive, "attributes", &glb->good);
    glbRange(glb, glbArray(glb, mesh->positions, GLB_FLOAT, count, 3, GLB_VERTICES), mesh->positions, count, 3, false);
    nameAccessor(glb, attributes, "POSITION");
    addDirections(glb, attributes, "NORMAL", mesh->normals, count, 3);
    addDirections(glb, attributes, "TANGENT", mesh->tangents, count, 4);
    addTexcoords(out, mesh, attributes);
    addFloats(glb, attributes, "COLOR_0", mesh->colours, count, 4);
    addFloats(glb, attributes, "_BLEND", mesh->blendWeights, count, 1);
    if (skinned) {
        addInfluences(out, mesh, attributes);
        countDual(out, mesh);
    }
    addTargets(glb, mesh, primitive);
    addIndices(glb, mesh, primitive);
    GLB_SET(glb, primitive, jsonCount("material", materialOf(out, mesh->material)));
}

void modelGlbPrimitive(ModelGlb *out, uint32_t mesh, bool skinned, cJSON *primitives) {
    cJSON **known = &out->primitives[2 * (size_t)mesh + skinned];
    cJSON *primitive = *known ? cJSON_Duplicate(*known, true) : cJSON_CreateObject();
    if (!primitive || !cJSON_AddItemToArray(primitives, primitive)) {
        cJSON_Delete(primitive);
        out->glb->good = false;
        return;
    }
    if (!*known) {
        *known = primitive;
        fillPrimitive(out, &out->model->meshes[mesh], skinned, primitive);
    }
}
