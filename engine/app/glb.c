#include "glb.h"

#include <stdlib.h>
#include <string.h>

#include "outputs.h"

static const char *const LIST_NAMES[GLB_LIST_COUNT] = {
    [GLB_NODES] = "nodes",           [GLB_MESHES] = "meshes",       [GLB_SKINS] = "skins",
    [GLB_ANIMATIONS] = "animations", [GLB_MATERIALS] = "materials", [GLB_TEXTURES] = "textures",
    [GLB_SAMPLERS] = "samplers",     [GLB_IMAGES] = "images",       [GLB_ACCESSORS] = "accessors",
    [GLB_VIEWS] = "bufferViews",
};

/* ---- The document ---- */

void glbBegin(Glb *glb, const GlbPictures *pictures, const char *comment) {
    const size_t textures = (size_t)pictures->count + 1;
    *glb = (Glb){.pictures = pictures, .object = cJSON_CreateObject(), .good = true};
    glb->textures = calloc(textures * MODEL_WRAP_COUNT * MODEL_WRAP_COUNT, sizeof *glb->textures);
    glb->images = calloc(textures, sizeof *glb->images);
    glb->good = glb->textures && glb->images;
    cJSON *asset = jsonAddObject(glb->object, "asset", &glb->good);
    jsonAddText(asset, "generator", comment, &glb->good); /* files.c looks for it there */
    jsonAddText(asset, "version", "2.0", &glb->good);
    jsonAddCount(glb->object, "scene", 0, &glb->good);
    glb->scene = jsonAddRow(jsonAddArray(glb->object, "scenes", &glb->good), &glb->good);
}

void glbFree(Glb *glb) {
    cJSON_Delete(glb->object);
    free(glb->textures);
    free(glb->images);
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
    cJSON *item = cJSON_CreateNumber((double)index);
    if (!item || !cJSON_AddItemToArray(list, item)) {
        cJSON_Delete(item);
        glb->good = false;
    }
}

void glbNumbers(Glb *glb, cJSON *owner, const char *name, const float *values, size_t count) {
    jsonAdd(owner, name, cJSON_CreateFloatArray(values, (int)count), &glb->good);
}

void glbMatrix(Glb *glb, cJSON *node, const float linear[3][3]) {
    float matrix[16] = {[15] = 1.0f};
    for (size_t i = 0; i < 9; i++) {
        matrix[4 * (i % 3) + i / 3] = linear[i / 3][i % 3];
    }
    glbNumbers(glb, node, "matrix", matrix, 16);
}

/* ---- Bytes ---- */

static size_t padded(size_t size) {
    return (size + 3) / 4 * 4;
}

/* Room for `count` bytes after zeros up to a multiple of 4. Null: out of memory. */
static uint8_t *grow(Glb *glb, size_t count) {
    const size_t at = padded(glb->size), needed = at + count;
    if (needed > glb->room) {
        const size_t room = padded(needed + glb->room);
        uint8_t *bytes = glb->good ? realloc(glb->bytes, room) : NULL;
        glb->good = bytes != NULL;
        if (!bytes) {
            return NULL;
        }
        glb->bytes = bytes;
        glb->room = room;
    }
    while (glb->size < at) {
        glb->bytes[glb->size++] = 0;
    }
    glb->size = needed;
    return glb->bytes ? glb->bytes + at : NULL;
}

uint64_t glbBeginView(Glb *glb, uint64_t stride, int target) {
    (void)grow(glb, 0);
    glb->viewAt = glb->size;
    glb->view = glbAdd(glb, GLB_VIEWS);
    jsonAddCount(glb->view, "buffer", 0, &glb->good);
    jsonAddCount(glb->view, "byteOffset", glb->viewAt, &glb->good);
    if (stride > 0) {
        jsonAddCount(glb->view, "byteStride", stride, &glb->good);
    }
    if (target != GLB_NO_TARGET) {
        jsonAddCount(glb->view, "target", (uint64_t)target, &glb->good);
    }
    return glbLast(glb, GLB_VIEWS);
}

void glbEndView(Glb *glb) {
    jsonAddCount(glb->view, "byteLength", glb->size - glb->viewAt, &glb->good);
}

uint64_t glbBytes(Glb *glb, const void *bytes, size_t count) {
    uint8_t *to = grow(glb, count);
    if (to && count > 0) {
        memcpy(to, bytes, count);
    }
    return glb->size - count - glb->viewAt;
}

/* The file is little-endian on every machine. */
uint64_t glbShorts(Glb *glb, const uint16_t *shorts, size_t count) {
    uint8_t *to = grow(glb, 2 * count);
    for (size_t i = 0; i < count && to; i++) {
        to[2 * i] = (uint8_t)(shorts[i] & 0xff);
        to[2 * i + 1] = (uint8_t)(shorts[i] >> 8);
    }
    return glb->size - 2 * count - glb->viewAt;
}

uint64_t glbWords(Glb *glb, const void *words, size_t count) {
    uint8_t *to = grow(glb, 4 * count);
    for (size_t i = 0; i < count && to; i++) {
        uint32_t word;
        memcpy(&word, (const uint8_t *)words + 4 * i, sizeof word);
        for (size_t byte = 0; byte < 4; byte++) {
            to[4 * i + byte] = (uint8_t)(word >> 8 * byte & 0xff);
        }
    }
    return glb->size - 4 * count - glb->viewAt;
}

cJSON *glbAccessor(Glb *glb, uint64_t view, uint64_t offset, int component, uint64_t count, const char *type) {
    cJSON *accessor = glbAdd(glb, GLB_ACCESSORS);
    if (view != GLB_NONE) {
        jsonAddCount(accessor, "bufferView", view, &glb->good);
        jsonAddCount(accessor, "byteOffset", offset, &glb->good);
    }
    jsonAddCount(accessor, "componentType", (uint64_t)component, &glb->good);
    jsonAddCount(accessor, "count", count, &glb->good);
    jsonAddText(accessor, "type", type, &glb->good);
    return accessor;
}

cJSON *glbArray(Glb *glb, const void *words, int component, uint64_t count, const char *type, size_t width,
                int target) {
    const uint64_t view = glbBeginView(glb, 0, target);
    (void)glbWords(glb, words, (size_t)count * width);
    glbEndView(glb);
    return glbAccessor(glb, view, 0, component, count, type);
}

void glbRange(Glb *glb, cJSON *accessor, const float *values, size_t count, size_t width, bool zero) {
    float least[3] = {0}, most[3] = {0};
    for (size_t i = 0; i < count * width; i++) {
        const size_t axis = i % width;
        const bool first = i < width && !zero;
        least[axis] = first || values[i] < least[axis] ? values[i] : least[axis];
        most[axis] = first || values[i] > most[axis] ? values[i] : most[axis];
    }
    glbNumbers(glb, accessor, "min", least, width);
    glbNumbers(glb, accessor, "max", most, width);
}

/* ---- The file ---- */

static void finishDocument(Glb *glb) {
    cJSON *used = glb->extensions ? jsonAddArray(glb->object, "extensionsUsed", &glb->good) : NULL;
    for (unsigned i = 0; i < GLB_EXTENSION_COUNT && used; i++) {
        if (glb->extensions & 1u << i) {
            jsonAddItem(used, GLB_EXTENSION_NAMES[i], &glb->good);
        }
    }
    (void)grow(glb, 0);
    if (glb->size > 0) {
        cJSON *buffer = jsonAddRow(jsonAddArray(glb->object, "buffers", &glb->good), &glb->good);
        jsonAddCount(buffer, "byteLength", glb->size, &glb->good);
    }
}

static void writeWord(FILE *file, uint64_t word) {
    for (int shift = 0; shift < 32; shift += 8) {
        fputc((int)(word >> shift & 0xff), file);
    }
}

bool glbWrite(Glb *glb, FILE *file, const char *path, EngineError *error) {
    finishDocument(glb);
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
