#include "mesh_builder.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

void meshSetPosition(TestMesh *mesh, uint32_t vertex, float x, float y, float z) {
    const float position[3] = {x, y, z};
    memcpy(mesh->positions + 3 * (size_t)vertex, position, sizeof position);
}

void meshSetInfluence(TestMesh *mesh, uint32_t vertex, uint32_t slot, uint32_t joint, float weight) {
    const size_t at = (size_t)vertex * mesh->def.influencesPerVertex + slot;
    const size_t size = (size_t)1 << mesh->def.jointFormat;
    memcpy((char *)mesh->joints + at * size, &joint, size); /* little-endian: the low bytes come first */
    mesh->weights[at] = weight;
}

void meshSetTriangle(TestMesh *mesh, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c) {
    const uint32_t corners[3] = {a, b, c};
    memcpy(mesh->indices + 3 * (size_t)triangle, corners, sizeof corners);
}

static void fillVertex(TestMesh *mesh, const MeshSpec *spec, uint32_t vertex) {
    const uint32_t influences = mesh->def.influencesPerVertex;
    meshSetPosition(mesh, vertex, (float)vertex, 0.0f, 0.0f);
    for (uint32_t i = 0; i < influences && spec->bones > 0; i++) {
        meshSetInfluence(mesh, vertex, i, (vertex + i) % spec->bones, 1.0f / (float)influences);
    }
    if (mesh->normals != NULL) {
        mesh->normals[3 * (size_t)vertex + 2] = 1.0f;
    }
    if (mesh->tangents != NULL) {
        mesh->tangents[4 * (size_t)vertex] = mesh->tangents[4 * (size_t)vertex + 3] = 1.0f;
    }
    mesh->deltas[mesh->def.dimensions * ((size_t)vertex + 1) - 1] = 1.0f;
}

/* Neighbouring triangles have neighbouring vertices. */
static void fillPlain(TestMesh *mesh, const MeshSpec *spec) {
    for (uint32_t v = 0; v < spec->vertices; v++) {
        fillVertex(mesh, spec, v);
    }
    for (uint32_t t = 0; t < spec->triangles; t++) {
        meshSetTriangle(mesh, t, t % spec->vertices, (t + 1) % spec->vertices, (t + 2) % spec->vertices);
    }
}

static void takeArray(float **array, float *values, size_t count) {
    if (*array != NULL) {
        memcpy(*array, values, count * sizeof *values);
    }
}

static void fillRandom(TestMesh *mesh, const MeshSpec *spec) {
    Random random = {spec->seed};
    const RandomMeshDef def = {spec->vertices, spec->bones, mesh->def.influencesPerVertex, .minInfluences = 1,
                               .normalised = true};
    ModelMesh values = randomMesh(&random, &def);
    takeArray(&mesh->positions, values.positions, (size_t)3 * spec->vertices);
    takeArray(&mesh->normals, values.normals, (size_t)3 * spec->vertices);
    takeArray(&mesh->tangents, values.tangents, (size_t)4 * spec->vertices);
    for (uint32_t v = 0; v < spec->vertices; v++) {
        for (uint32_t i = 0; i < values.influences; i++) {
            const size_t at = (size_t)v * values.influences + i;
            meshSetInfluence(mesh, v, i, values.joints[at], values.weights[at]);
        }
        if (mesh->blendWeights != NULL) {
            mesh->blendWeights[v] = randomFloat(&random, 0.0f, 1.0f);
        }
    }
    for (size_t i = 0; i < (size_t)mesh->def.dimensions * spec->vertices; i++) {
        mesh->deltas[i] = randomFloat(&random, -0.2f, 0.2f);
    }
    for (uint32_t i = 0; i < 3 * spec->triangles; i++) {
        mesh->indices[i] = randomBelow(&random, spec->vertices);
    }
    randomMeshFree(&values);
}

static float *newFloats(const MeshSpec *spec, MeshAttributeBits attribute, size_t components) {
    return (spec->attributes & attribute) != 0 ? newZeroed(spec->vertices, components * sizeof(float)) : NULL;
}

static void newArrays(TestMesh *mesh, const MeshSpec *spec) {
    const size_t influences = (size_t)spec->vertices * mesh->def.influencesPerVertex;
    mesh->positions = newZeroed(spec->vertices, 3 * sizeof(float));
    mesh->normals = newFloats(spec, MESH_NORMALS, 3);
    mesh->tangents = newFloats(spec, MESH_TANGENTS, 4);
    mesh->blendWeights = newFloats(spec, MESH_BLEND_WEIGHTS, 1);
    mesh->weights = newZeroed(influences, sizeof(float));
    mesh->joints = newZeroed(influences, (size_t)1 << mesh->def.jointFormat);
    mesh->indices = newZeroed(spec->triangles, 3 * sizeof(uint32_t));
    mesh->materials = newZeroed(spec->triangles, sizeof(uint32_t));
    mesh->deltas = newZeroed(spec->vertices, mesh->def.dimensions * sizeof(float));
}

static void describe(TestMesh *mesh, const MeshSpec *spec) {
    VkskinMeshDef *def = &mesh->def;
    def->name = "test";
    def->vertexCount = spec->vertices;
    def->boneCount = spec->bones;
    def->positions = mesh->positions;
    def->positionStride = spec->flat ? 3 * sizeof(float) : 0;
    def->normals = mesh->normals;
    def->tangents = mesh->tangents;
    def->blendWeights = mesh->blendWeights;
    def->joints = mesh->joints;
    def->weights = mesh->weights;
    def->indexCount = 3 * spec->triangles;
    def->indices = mesh->indices;
    def->materials = mesh->materials;
    def->morphTargets = mesh->targets;
    def->morphTargetCount = spec->morphs;
    for (uint32_t i = 0; i < spec->morphs; i++) {
        mesh->targets[i] =
            (VkskinMorphTarget){.vertexCount = spec->vertices, .positions = mesh->deltas, .afterSkinning = i % 2 == 1};
    }
}

static void addCentres(TestMesh *mesh) {
    mesh->def.centresSize = vkskinCentresSize(mesh->def.vertexCount);
    mesh->centres = newZeroed(1, mesh->def.centresSize);
    if (vkskinComputeCentres(&mesh->def, NULL, mesh->centres, mesh->def.centresSize) != VKSKIN_SUCCESS) {
        abort();
    }
    mesh->def.centres = mesh->centres;
}

TestMesh *meshBuild(MeshSpec spec) {
    TestMesh *mesh = newZeroed(1, sizeof *mesh);
    mesh->def = vkskinDefaultMeshDef();
    mesh->def.dimensions = spec.flat ? 2 : 3;
    mesh->def.influencesPerVertex = spec.influences > 0 ? spec.influences : 1;
    mesh->def.jointFormat = spec.jointBytes == 1   ? VKSKIN_JOINTS_U8
                            : spec.jointBytes == 4 ? VKSKIN_JOINTS_U32
                                                   : VKSKIN_JOINTS_U16;
    newArrays(mesh, &spec);
    describe(mesh, &spec);
    if (spec.values == MESH_PLAIN) {
        fillPlain(mesh, &spec);
    } else if (spec.values == MESH_RANDOM) {
        fillRandom(mesh, &spec);
    }
    if ((spec.attributes & MESH_CENTRES) != 0) {
        addCentres(mesh);
    }
    return mesh;
}

void meshFree(TestMesh *mesh) {
    free(mesh->positions);
    free(mesh->normals);
    free(mesh->tangents);
    free(mesh->blendWeights);
    free(mesh->weights);
    free(mesh->joints);
    free(mesh->indices);
    free(mesh->materials);
    free(mesh->centres);
    free(mesh->deltas);
    free(mesh);
}

VkskinResult meshCreate(VkskinContext context, MeshSpec spec, VkskinMesh *mesh) {
    TestMesh *built = meshBuild(spec);
    const VkskinResult result = vkskinCreateMesh(context, &built->def, mesh);
    meshFree(built);
    return result;
}
