#include "geometry.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "glb.h"
#include "terminal.h"

const char *const GEOMETRY_ENDINGS[] = {
    [GEOMETRY_OBJ] = ".obj", [GEOMETRY_PLY] = ".ply", [GEOMETRY_GLB] = ".glb", NULL};

bool geometryCreate(const GeometrySize *size, Geometry *geometry) {
    const uint32_t vertexCount = (uint32_t)size->vertices, indexCount = (uint32_t)size->indices;
    *geometry = (Geometry){.vertexCount = vertexCount, .indexCount = indexCount, .partCount = size->parts};
    geometry->positions = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->normals = calloc((size_t)vertexCount * 3, sizeof(float));
    geometry->texcoords = size->texcoords ? calloc((size_t)vertexCount * 2, sizeof(float)) : NULL;
    geometry->colours = size->colours ? calloc((size_t)vertexCount * 4, sizeof(float)) : NULL;
    geometry->indices = calloc((size_t)indexCount, sizeof(uint32_t));
    geometry->parts = calloc(size->parts, sizeof(GeometryPart));
    if (!geometry->positions || !geometry->normals || (size->texcoords && !geometry->texcoords) ||
        (size->colours && !geometry->colours) || !geometry->indices || !geometry->parts) {
        geometryFree(geometry);
        return false;
    }
    return true;
}

void geometryFree(Geometry *geometry) {
    free(geometry->positions);
    free(geometry->normals);
    free(geometry->texcoords);
    free(geometry->colours);
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
    sayClean(file, part->material->name[0] ? part->material->name : "none");
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

/* ---- GLB: glTF 2.0 in one binary file, with materials and their pictures ---- */

#define ATTRIBUTES 4

static const struct {
    const char *name;
    size_t width;
} ATTRIBUTE_LIST[ATTRIBUTES] = {{"POSITION", 3}, {"NORMAL", 3}, {"TEXCOORD_0", 2}, {"COLOR_0", 4}};

static void addAttributes(Glb *glb, const Geometry *geometry, const uint64_t views[ATTRIBUTES],
                          const GeometryPart *part, cJSON *attributes) {
    const bool has[ATTRIBUTES] = {true, true, part->texcoords, part->colours};
    for (int i = 0; i < ATTRIBUTES; i++) {
        const size_t width = ATTRIBUTE_LIST[i].width, first = part->firstVertex * width;
        cJSON *accessor = has[i] ? glbAccessor(glb, views[i], 4 * first, GLB_FLOAT, part->vertexCount, width) : NULL;
        if (accessor) {
            GLB_SET(glb, attributes, jsonCount(ATTRIBUTE_LIST[i].name, glbLast(glb, GLB_ACCESSORS)));
        }
        if (i == 0) {
            glbRange(glb, accessor, geometry->positions + first, part->vertexCount, width, false);
        }
    }
}

/* The indices of a part from its first vertex on. Returns their accessor. */
static uint64_t addIndices(Glb *glb, const Geometry *geometry, const GeometryPart *part) {
    uint32_t *indices = malloc((size_t)part->indexCount * sizeof *indices);
    glb->good = glb->good && indices;
    for (uint32_t i = 0; i < part->indexCount && glb->good; i++) {
        indices[i] = geometry->indices[part->firstIndex + i] - part->firstVertex;
    }
    (void)glbArray(glb, indices, GLB_INTEGER, part->indexCount, 1, GLB_INDICES);
    free(indices);
    return glbLast(glb, GLB_ACCESSORS);
}

/* Adds a part below the root. One without triangles is left out: an accessor must not be empty. */
static void addPart(Glb *glb, const Geometry *geometry, const uint64_t views[ATTRIBUTES], const GeometryPart *part,
                    uint64_t material, cJSON *root) {
    if (part->indexCount == 0) {
        return;
    }
    cJSON *mesh = GLB_ADD(glb, GLB_MESHES, jsonText("name", part->name));
    cJSON *primitive = jsonAddRow(jsonAddArray(mesh, "primitives", &glb->good), &glb->good);
    addAttributes(glb, geometry, views, part, jsonAddObject(primitive, "attributes", &glb->good));
    GLB_SET(glb, primitive, jsonCount("indices", addIndices(glb, geometry, part)), jsonCount("material", material));
    GLB_ADD(glb, GLB_NODES, jsonText("name", part->name), jsonCount("mesh", glbLast(glb, GLB_MESHES)));
    glbRefer(glb, root, "children", glbLast(glb, GLB_NODES));
}

/* A root that turns to y up and metres, and the parts below it. */
static void fillGlb(Glb *glb, const Geometry *geometry, uint64_t *materials) {
    const float *const values[ATTRIBUTES] = {geometry->positions, geometry->normals, geometry->texcoords,
                                             geometry->colours};
    uint64_t views[ATTRIBUTES];
    cJSON *root = glbAdd(glb, GLB_NODES);
    glbRefer(glb, glb->scene, "nodes", 0);
    glbMatrix(glb, root, geometry->toMetres);
    for (int i = 0; i < ATTRIBUTES; i++) {
        const size_t width = ATTRIBUTE_LIST[i].width, count = geometry->vertexCount * width;
        views[i] = values[i] ? glbView(glb, 4 * width, GLB_VERTICES, values[i], GLB_FLOAT, count) : GLB_NONE;
    }
    for (uint32_t i = 0; i < geometry->partCount && glb->good; i++) {
        uint32_t same = 0;
        while (geometry->parts[same].material != geometry->parts[i].material) {
            same++;
        }
        materials[i] = same < i ? materials[same] : glbMaterial(glb, geometry->parts[i].material);
        addPart(glb, geometry, views, &geometry->parts[i], materials[i], root);
    }
}

/* Writes all of the file. False: *error says why. */
static bool writeGlb(FILE *file, const Geometry *geometry, const GlbPictures *pictures, const char *comment,
                     const char *path, EngineError *error) {
    Glb glb;
    uint64_t *materials = calloc((size_t)geometry->partCount + 1, sizeof *materials);
    glbBegin(&glb, pictures, comment);
    glb.good = glb.good && materials;
    if (glb.good) {
        fillGlb(&glb, geometry, materials);
    }
    const bool good = glbWrite(&glb, file, path, error);
    glbFree(&glb);
    free(materials);
    return good;
}

/* ---- All formats ---- */

uint64_t geometrySizeMax(GeometryFormat format, const GeometrySize *size) {
    const uint64_t floats = 6 + (size->texcoords ? 2 : 0);
    if (format == GEOMETRY_GLB) {
        return size->vertices * 4 * (floats + (size->colours ? 4 : 0)) + size->indices * 4 + size->pictures;
    }
    if (format == GEOMETRY_PLY) {
        return size->vertices * 4 * floats + size->indices / 3 * 13;
    }
    const uint64_t number = sizeof "-1.23456789e-38"; /* with the space or line end after it */
    const uint64_t vertex = 2 * (3 + 3 * number) + (size->texcoords ? 3 + 2 * number : 0);
    const uint64_t corner = sizeof "1234567890/1234567890/1234567890";
    return size->vertices * vertex + size->indices / 3 * (2 + 3 * corner);
}

bool geometryFinish(const Geometry *geometry, GeometryFormat format, const GlbPictures *pictures, const char *path,
                    const char *comment, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    if (format == GEOMETRY_GLB) {
        if (!writeGlb(file.stream, geometry, pictures, comment, path, error)) {
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
