#include "glb.h"

#include <stdlib.h>
#include <string.h>

static const char *const LIST_NAMES[GLB_LIST_COUNT] = {
    [GLB_NODES] = "nodes",           [GLB_MESHES] = "meshes",       [GLB_SKINS] = "skins",
    [GLB_ANIMATIONS] = "animations", [GLB_MATERIALS] = "materials", [GLB_TEXTURES] = "textures",
    [GLB_SAMPLERS] = "samplers",     [GLB_IMAGES] = "images",       [GLB_ACCESSORS] = "accessors",
    [GLB_VIEWS] = "bufferViews",
};

/* ---- The document ---- */

void glbBegin(Glb *glb, const GlbPictures *pictures, const char *comment) {
    const size_t textures = (size_t)pictures->count + 1;
    *glb = (Glb){.pictures = pictures, .object = cJSON_CreateObject()};
    glb->textures = calloc(textures * MODEL_WRAP_COUNT * MODEL_WRAP_COUNT, sizeof *glb->textures);
    glb->images = calloc(textures, sizeof *glb->images);
    glb->stream = open_memstream(&glb->bytes, &glb->room);
    glb->good = glb->textures && glb->images && glb->stream;
    GLB_SET(glb, glb->object,
            JSON_OBJECT("asset", jsonText("generator", comment), /* files.c looks for it there */
                        jsonText("version", "2.0")),
            jsonCount("scene", 0));
    glb->scene = jsonAddRow(jsonAddArray(glb->object, "scenes", &glb->good), &glb->good);
}

void glbFree(Glb *glb) {
    cJSON_Delete(glb->object);
    free(glb->textures);
    free(glb->images);
    if (glb->stream) {
        fclose(glb->stream);
    }
    free(glb->bytes);
    *glb = (Glb){0};
}

cJSON *glbAdd(Glb *glb, GlbList list) {
    if (!glb->lists[list]) {
        glb->lists[list] = jsonAddArray(glb->object, LIST_NAMES[list], &glb->good);
    }
    glb->counts[list]++;
    return jsonAddRow(glb->lists[list], &glb->good);
}

uint64_t glbLast(const Glb *glb, GlbList list) {
    return glb->counts[list] - 1;
}

void glbRefer(Glb *glb, cJSON *object, const char *name, uint64_t index) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(object, name);
    list = list ? list : jsonAddArray(object, name, &glb->good);
    jsonPush(list, cJSON_CreateNumber((double)index), &glb->good);
}

void glbMatrix(Glb *glb, cJSON *node, const float linear[3][3]) {
    float matrix[16] = {[15] = 1.0f};
    for (size_t i = 0; i < 9; i++) {
        matrix[4 * (i % 3) + i / 3] = linear[i / 3][i % 3];
    }
    GLB_SET(glb, node, jsonFloats("matrix", matrix, 16));
}

/* ---- Bytes ---- */

static size_t padded(size_t size) {
    return (size + 3) / 4 * 4;
}

static void pad(Glb *glb) {
    for (; glb->size < padded(glb->size) && glb->stream; glb->size++) {
        fputc(0, glb->stream);
    }
}

uint64_t glbBeginView(Glb *glb, uint64_t stride, int target) {
    pad(glb);
    glb->viewAt = glb->size;
    glb->view = GLB_ADD(glb, GLB_VIEWS, jsonCount("buffer", 0), jsonCount("byteOffset", glb->viewAt),
                        jsonCount(stride > 0 ? "byteStride" : NULL, stride),
                        jsonCount(target != GLB_NO_TARGET ? "target" : NULL, (uint64_t)target));
    return glbLast(glb, GLB_VIEWS);
}

void glbEndView(Glb *glb) {
    GLB_SET(glb, glb->view, jsonCount("byteLength", glb->size - glb->viewAt));
}

/* The file is little-endian on every machine. */
uint64_t glbPut(Glb *glb, const void *numbers, int component, size_t count) {
    const uint16_t probe = 1;
    const size_t size = component == GLB_BYTE ? 1 : component == GLB_SHORT ? 2 : 4;
    const bool little = *(const uint8_t *)&probe == 1;
    pad(glb);
    for (size_t i = 0; i < size * count && glb->good && !little; i++) {
        fputc(((const uint8_t *)numbers)[i / size * size + size - 1 - i % size], glb->stream);
    }
    if (little && count > 0 && glb->good) {
        fwrite(numbers, size, count, glb->stream); /* the stream keeps a failure until glbWrite */
    }
    glb->size += size * count;
    return glb->size - size * count - glb->viewAt;
}

uint64_t glbView(Glb *glb, uint64_t stride, int target, const void *numbers, int component, size_t count) {
    const uint64_t view = glbBeginView(glb, stride, target);
    (void)glbPut(glb, numbers, component, count);
    glbEndView(glb);
    return view;
}

cJSON *glbAccessor(Glb *glb, uint64_t view, uint64_t offset, int component, uint64_t count, size_t width) {
    static const char *const types[17] = {[1] = "SCALAR", [2] = "VEC2", [3] = "VEC3", [4] = "VEC4", [16] = "MAT4"};
    const bool viewed = view != GLB_NONE;
    return GLB_ADD(glb, GLB_ACCESSORS, jsonCount(viewed ? "bufferView" : NULL, view),
                   jsonCount(viewed ? "byteOffset" : NULL, offset), jsonCount("componentType", (uint64_t)component),
                   jsonCount("count", count), jsonText("type", types[width]));
}

cJSON *glbArray(Glb *glb, const void *numbers, int component, uint64_t count, size_t width, int target) {
    return glbAccessor(glb, glbView(glb, 0, target, numbers, component, (size_t)count * width), 0, component, count,
                       width);
}

void glbRange(Glb *glb, cJSON *accessor, const float *values, size_t count, size_t width, bool zero) {
    float least[3] = {0}, most[3] = {0};
    for (size_t i = 0; i < count * width; i++) {
        const size_t axis = i % width;
        const bool first = i < width && !zero;
        least[axis] = first || values[i] < least[axis] ? values[i] : least[axis];
        most[axis] = first || values[i] > most[axis] ? values[i] : most[axis];
    }
    GLB_SET(glb, accessor, jsonFloats("min", least, width), jsonFloats("max", most, width));
}

/* ---- The file ---- */

static void finishDocument(Glb *glb) {
    cJSON *used = glb->extensions ? jsonAddArray(glb->object, "extensionsUsed", &glb->good) : NULL;
    for (unsigned i = 0; i < GLB_EXTENSION_COUNT && used; i++) {
        if (glb->extensions & 1u << i) {
            jsonAddItem(used, GLB_EXTENSION_NAMES[i], &glb->good);
        }
    }
    pad(glb);
    if (glb->size > 0) {
        JSON_ROW(jsonAddArray(glb->object, "buffers", &glb->good), &glb->good, jsonCount("byteLength", glb->size));
    }
    glb->good = fflush(glb->stream) == 0 && !ferror(glb->stream) && glb->good;
}

static void writeWord(FILE *file, uint64_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        fputc((int)(word >> shift & 0xff), file);
    }
}

bool glbWrite(Glb *glb, FILE *file, const char *path, EngineError *error) {
    if (glb->good) {
        finishDocument(glb);
    }
    char *json = glb->good ? cJSON_PrintUnformatted(glb->object) : NULL;
    if (!json) {
        return engineFail(error, "out of memory");
    }
    const uint64_t length = strlen(json), filled = padded(length), binary = glb->size > 0 ? 8 + glb->size : 0;
    const bool fits = 12 + 8 + filled + binary <= UINT32_MAX;
    if (fits) {
        writeWord(file, 0x46546c67); /* glTF */
        writeWord(file, 2);
        writeWord(file, 12 + 8 + filled + binary);
        writeWord(file, filled);
        writeWord(file, 0x4e4f534a); /* JSON */
        fprintf(file, "%s%*s", json, (int)(filled - length), "");
    }
    if (fits && binary > 0) {
        writeWord(file, glb->size);
        writeWord(file, 0x004e4942); /* BIN */
        fwrite(glb->bytes, 1, glb->size, file);
    }
    cJSON_free(json);
    return fits || engineFail(error, "%.300s: a .glb file holds at most 4 GiB; write .obj or .ply", path);
}
