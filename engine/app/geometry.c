#include "geometry.h"

#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "files.h"
#include "outputs.h"
#include "terminal.h"

const char *const GEOMETRY_ENDINGS[] = {
    [GEOMETRY_OBJ] = ".obj", [GEOMETRY_PLY] = ".ply", [GEOMETRY_GLB] = ".glb", NULL};

bool geometryCreate(uint32_t vertexCount, uint32_t indexCount, uint32_t partCount, bool texcoords, Geometry *geometry) {
    *geometry = (Geometry){.vertexCount = vertexCount, .indexCount = indexCount, .partCount = partCount};
    geometry->positions = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->normals = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->texcoords = texcoords ? calloc((size_t)vertexCount * 2, sizeof(float)) : NULL;
    geometry->indices = calloc((size_t)indexCount, sizeof(uint32_t));
    geometry->parts = calloc(partCount, sizeof(GeometryPart));
    if (!geometry->positions || !geometry->normals || (texcoords && !geometry->texcoords) || !geometry->indices ||
        !geometry->parts) {
        geometryFree(geometry);
        return false;
    }
    return true;
}

void geometryFree(Geometry *geometry) {
    free(geometry->positions);
    free(geometry->normals);
    free(geometry->texcoords);
    free(geometry->indices);
    free(geometry->parts);
    *geometry = (Geometry){0};
}

/* ---- OBJ ---- */

static void writeObjVertices(FILE *file, const Geometry *geometry) {
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        const float *p = geometry->positions + (size_t)i * 3;
        fprintf(file, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    /* In OBJ (0, 0) is the lower left of the image. */
    for (uint32_t i = 0; i < geometry->vertexCount && geometry->texcoords; i++) {
        const float *t = geometry->texcoords + (size_t)i * 2;
        fprintf(file, "vt %.9g %.9g\n", (double)t[0], 1.0 - (double)t[1]);
    }
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        const float *n = geometry->normals + (size_t)i * 3;
        fprintf(file, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
    }
}

static void writeObjFaces(FILE *file, const Geometry *geometry, const GeometryPart *part) {
    fputs("o ", file);
    sayClean(file, part->name);
    fputs("\nusemtl ", file);
    sayClean(file, part->material[0] ? part->material : "none");
    fputc('\n', file);
    for (uint32_t i = 0; i < part->indexCount; i += 3) {
        const uint32_t *corner = geometry->indices + part->firstIndex + i;
        uint32_t a = corner[0] + 1, b = corner[1] + 1, c = corner[2] + 1;
        if (geometry->texcoords) {
            fprintf(file, "f %u/%u/%u %u/%u/%u %u/%u/%u\n", a, a, a, b, b, b, c, c, c);
        } else {
            fprintf(file, "f %u//%u %u//%u %u//%u\n", a, a, b, b, c, c);
        }
    }
}

static void writeObj(FILE *file, const Geometry *geometry, const char *comment) {
    fputs("# ", file);
    sayClean(file, comment);
    fputc('\n', file);
    writeObjVertices(file, geometry);
    for (uint32_t i = 0; i < geometry->partCount; i++) {
        writeObjFaces(file, geometry, &geometry->parts[i]);
    }
}

/* ---- PLY ---- */

static void writePlyHead(FILE *file, const Geometry *geometry, const char *comment) {
    const uint16_t probe = 1;
    bool little = *(const uint8_t *)&probe == 1;
    fprintf(file, "ply\nformat binary_%s_endian 1.0\ncomment ", little ? "little" : "big");
    sayClean(file, comment);
    fprintf(file, "\nelement vertex %u\n", geometry->vertexCount);
    fputs("property float x\nproperty float y\nproperty float z\n", file);
    fputs("property float nx\nproperty float ny\nproperty float nz\n", file);
    if (geometry->texcoords) {
        fputs("property float s\nproperty float t\n", file);
    }
    fprintf(file, "element face %u\nproperty list uchar int vertex_indices\nend_header\n", geometry->indexCount / 3);
}

static void writePly(FILE *file, const Geometry *geometry, const char *comment) {
    writePlyHead(file, geometry, comment);
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        fwrite(geometry->positions + (size_t)i * 3, sizeof(float), 3, file);
        fwrite(geometry->normals + (size_t)i * 3, sizeof(float), 3, file);
        if (geometry->texcoords) {
            const float *t = geometry->texcoords + (size_t)i * 2;
            const float lowerLeft[2] = {t[0], 1.0f - t[1]};
            fwrite(lowerLeft, sizeof(float), 2, file);
        }
    }
    for (uint32_t i = 0; i < geometry->indexCount; i += 3) {
        fputc(3, file);
        fwrite(geometry->indices + i, sizeof(uint32_t), 3, file);
    }
}

/* ---- GLB ---- */

/* The views of the binary chunk, in this order. */
enum { VIEW_POSITIONS, VIEW_NORMALS, VIEW_TEXCOORDS, VIEW_INDICES };

enum { COMPONENT_FLOAT = 5126, COMPONENT_UINT = 5125, TARGET_VERTICES = 34962, TARGET_INDICES = 34963 };

static void addView(cJSON *views, uint64_t offset, uint64_t size, uint64_t stride, int target, bool *good) {
    cJSON *view = jsonAddRow(views, good);
    jsonAddCount(view, "buffer", 0, good);
    jsonAddCount(view, "byteOffset", offset, good);
    jsonAddCount(view, "byteLength", size, good);
    if (stride > 0) {
        jsonAddCount(view, "byteStride", stride, good);
    }
    jsonAddCount(view, "target", (uint64_t)target, good);
}

/* Returns the size of the binary chunk, a multiple of 4. */
static uint64_t addViews(cJSON *object, const Geometry *geometry, bool *good) {
    const uint64_t vertices = geometry->vertexCount, texcoords = geometry->texcoords ? vertices * 8 : 0;
    const uint64_t size = vertices * 24 + texcoords + (uint64_t)geometry->indexCount * 4;
    cJSON *views = jsonAddArray(object, "bufferViews", good);
    addView(views, 0, vertices * 12, 12, TARGET_VERTICES, good);
    addView(views, vertices * 12, vertices * 12, 12, TARGET_VERTICES, good);
    if (geometry->texcoords) {
        addView(views, vertices * 24, texcoords, 8, TARGET_VERTICES, good);
    }
    addView(views, vertices * 24 + texcoords, (uint64_t)geometry->indexCount * 4, 0, TARGET_INDICES, good);
    jsonAddCount(jsonAddRow(jsonAddArray(object, "buffers", good), good), "byteLength", size, good);
    return size;
}

/* An accessor of all of a part's vertices or indices. Its index is that in the array. */
static cJSON *addAccessor(cJSON *accessors, uint64_t view, uint64_t offset, uint64_t count, const char *type,
                          bool *good) {
    cJSON *accessor = jsonAddRow(accessors, good);
    jsonAddCount(accessor, "bufferView", view, good);
    jsonAddCount(accessor, "byteOffset", offset, good);
    jsonAddCount(accessor, "componentType", strcmp(type, "SCALAR") == 0 ? COMPONENT_UINT : COMPONENT_FLOAT, good);
    jsonAddCount(accessor, "count", count, good);
    jsonAddText(accessor, "type", type, good);
    return accessor;
}

static void addBox(cJSON *accessor, const float *positions, uint32_t count, bool *good) {
    Bounds box = boundsEmpty();
    for (uint32_t i = 0; i < count; i++) {
        boundsAddPoint(&box, positions + (size_t)i * 3);
    }
    jsonAdd(accessor, "min", cJSON_CreateFloatArray(box.min, 3), good);
    jsonAdd(accessor, "max", cJSON_CreateFloatArray(box.max, 3), good);
}

static void addMesh(cJSON *meshes, cJSON *accessors, const Geometry *geometry, const GeometryPart *part, bool *good) {
    uint64_t next = (uint64_t)cJSON_GetArraySize(accessors);
    const uint64_t first = part->firstVertex;
    cJSON *box = addAccessor(accessors, VIEW_POSITIONS, first * 12, part->vertexCount, "VEC3", good);
    addBox(box, geometry->positions + first * 3, part->vertexCount, good);
    addAccessor(accessors, VIEW_NORMALS, first * 12, part->vertexCount, "VEC3", good);
    cJSON *mesh = jsonAddRow(meshes, good);
    jsonAddText(mesh, "name", part->name, good);
    cJSON *primitive = jsonAddRow(jsonAddArray(mesh, "primitives", good), good);
    cJSON *attributes = jsonAddObject(primitive, "attributes", good);
    jsonAddCount(attributes, "POSITION", next++, good);
    jsonAddCount(attributes, "NORMAL", next++, good);
    if (part->texcoords) {
        addAccessor(accessors, VIEW_TEXCOORDS, first * 8, part->vertexCount, "VEC2", good);
        jsonAddCount(attributes, "TEXCOORD_0", next++, good);
    }
    addAccessor(accessors, geometry->texcoords ? VIEW_INDICES : VIEW_TEXCOORDS, (uint64_t)part->firstIndex * 4,
                part->indexCount, "SCALAR", good);
    jsonAddCount(primitive, "indices", next, good);
}

/* Adds the material of the part where no earlier part has it. Returns its index. */
static uint64_t addMaterial(cJSON *materials, const Geometry *geometry, uint32_t index, uint64_t *indices, bool *good) {
    const GeometryPart *part = &geometry->parts[index];
    for (uint32_t i = 0; i < index; i++) {
        if (geometry->parts[i].baseColour == part->baseColour) {
            return indices[i];
        }
    }
    cJSON *material = jsonAddRow(materials, good);
    jsonAddText(material, "name", part->material, good);
    cJSON *surface = jsonAddObject(material, "pbrMetallicRoughness", good);
    jsonAdd(surface, "baseColorFactor", cJSON_CreateFloatArray(part->baseColour, 4), good);
    jsonAddCount(surface, "metallicFactor", 0, good);
    return (uint64_t)cJSON_GetArraySize(materials) - 1;
}

/* A part without triangles is left out: an accessor must not be empty. */
static void addParts(cJSON *object, const Geometry *geometry, cJSON *children, uint64_t *indices, bool *good) {
    cJSON *nodes = cJSON_GetObjectItemCaseSensitive(object, "nodes");
    cJSON *meshes = jsonAddArray(object, "meshes", good);
    cJSON *accessors = jsonAddArray(object, "accessors", good);
    cJSON *materials = jsonAddArray(object, "materials", good);
    for (uint32_t i = 0; i < geometry->partCount && *good; i++) {
        const GeometryPart *part = &geometry->parts[i];
        indices[i] = addMaterial(materials, geometry, i, indices, good);
        if (part->indexCount == 0) {
            continue;
        }
        addMesh(meshes, accessors, geometry, part, good);
        int last = cJSON_GetArraySize(meshes) - 1;
        cJSON *primitives = cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(meshes, last), "primitives");
        jsonAddCount(cJSON_GetArrayItem(primitives, 0), "material", indices[i], good);
        *good = *good && cJSON_AddItemToArray(children, cJSON_CreateNumber(cJSON_GetArraySize(nodes)));
        cJSON *node = jsonAddRow(nodes, good);
        jsonAddText(node, "name", part->name, good);
        jsonAddCount(node, "mesh", (uint64_t)last, good);
    }
}

/* The JSON chunk, for cJSON_free, and the size of the other one. Null: out of memory. */
static char *glbJson(const Geometry *geometry, const char *comment, uint64_t *binary) {
    bool good = true;
    float matrix[16] = {[15] = 1.0f};
    uint64_t *indices = calloc(geometry->partCount, sizeof *indices);
    cJSON *object = cJSON_CreateObject();
    cJSON *asset = jsonAddObject(object, "asset", &good);
    jsonAddText(asset, "generator", comment, &good); /* files.c looks for it there */
    jsonAddText(asset, "version", "2.0", &good);
    jsonAddCount(object, "scene", 0, &good);
    const int zero = 0;
    cJSON *scene = jsonAddRow(jsonAddArray(object, "scenes", &good), &good);
    jsonAdd(scene, "nodes", cJSON_CreateIntArray(&zero, 1), &good);
    cJSON *root = jsonAddRow(jsonAddArray(object, "nodes", &good), &good);
    for (size_t i = 0; i < 9; i++) {
        matrix[4 * (i % 3) + i / 3] = geometry->toMetres[i / 3][i % 3];
    }
    jsonAdd(root, "matrix", cJSON_CreateFloatArray(matrix, 16), &good);
    cJSON *children = jsonAddArray(root, "children", &good);
    good = good && indices;
    if (good) {
        addParts(object, geometry, children, indices, &good);
    }
    *binary = addViews(object, geometry, &good);
    free(indices);
    char *text = good ? cJSON_PrintUnformatted(object) : NULL;
    cJSON_Delete(object);
    return text;
}

static void writeWord(FILE *file, uint64_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        fputc((int)(word >> shift & 0xff), file);
    }
}

/* As little-endian words of 32 bits. */
static void writeWords(FILE *file, const void *words, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, (const char *)words + i * 4, sizeof word);
        writeWord(file, word);
    }
}

/* False: *error says why. */
static bool writeGlb(FILE *file, const Geometry *geometry, const char *comment, const char *path, EngineError *error) {
    uint64_t binary = 0;
    char *json = glbJson(geometry, comment, &binary);
    if (!json) {
        return engineFail(error, "out of memory");
    }
    const uint64_t length = strlen(json), padded = (length + 3) / 4 * 4;
    if (binary + padded + 28 > UINT32_MAX) {
        cJSON_free(json);
        return engineFail(error, "%.300s: a .glb file holds at most 4 GiB; write .obj or .ply", path);
    }
    writeWord(file, 0x46546c67); /* glTF */
    writeWord(file, 2);
    writeWord(file, 12 + 8 + padded + 8 + binary);
    writeWord(file, padded);
    writeWord(file, 0x4e4f534a); /* JSON */
    fprintf(file, "%s%*s", json, (int)(padded - length), "");
    writeWord(file, binary);
    writeWord(file, 0x004e4942); /* BIN */
    writeWords(file, geometry->positions, (uint64_t)geometry->vertexCount * 3);
    writeWords(file, geometry->normals, (uint64_t)geometry->vertexCount * 3);
    writeWords(file, geometry->texcoords, geometry->texcoords ? (uint64_t)geometry->vertexCount * 2 : 0);
    for (uint32_t i = 0; i < geometry->partCount; i++) {
        const GeometryPart *part = &geometry->parts[i];
        for (uint32_t k = 0; k < part->indexCount; k++) {
            writeWord(file, geometry->indices[part->firstIndex + k] - part->firstVertex);
        }
    }
    cJSON_free(json);
    return true;
}

uint64_t geometrySizeMax(GeometryFormat format, uint64_t vertexCount, uint64_t indexCount, bool texcoords) {
    if (format == GEOMETRY_GLB) {
        return vertexCount * (texcoords ? 32 : 24) + indexCount * 4;
    }
    if (format == GEOMETRY_PLY) {
        return vertexCount * (texcoords ? 32 : 24) + indexCount / 3 * 13;
    }
    const uint64_t number = sizeof "-1.23456789e-38"; /* with the space or line end after it */
    const uint64_t vertex = 2 * (3 + 3 * number) + (texcoords ? 3 + 2 * number : 0);
    const uint64_t corner = sizeof "1234567890/1234567890/1234567890";
    return vertexCount * vertex + indexCount / 3 * (2 + 3 * corner);
}

bool geometryFinish(const Geometry *geometry, GeometryFormat format, const char *path, const char *comment,
                    EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    if (format == GEOMETRY_GLB) {
        if (!writeGlb(file.stream, geometry, comment, path, error)) {
            atomicFileDrop(&file);
            return false;
        }
    } else if (format == GEOMETRY_PLY) {
        writePly(file.stream, geometry, comment);
    } else {
        writeObj(file.stream, geometry, comment);
    }
    return atomicFileFinish(&file, error);
}
