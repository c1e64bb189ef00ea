/*
 * make_packed.c FOLDER: writes the fixtures packed*, one model with and without EXT_meshopt_compression.
 *
 * The model is a tube around y of radius 0.25 from y = 0 to 1. Two joints move it, at y = 0 and y = 0.5, and the clip
 * turns the upper one around z by 90 degrees in one second. Every coordinate is within -1 to 1, so that normalised
 * integers hold it. The fixtures differ in `variants` alone.
 */
#include "count_of.h"

#include <math.h>
#include <meshoptimizer.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDES    8
#define RINGS    9
#define VERTICES (SIDES * RINGS)
#define INDICES  (6 * SIDES * (RINGS - 2)) /* the last ring of quads is a strip of its own */
#define STRIP    (2 * SIDES + 2)
#define KEYS     5

typedef struct Variant {
    const char *file;
    bool packed, quantized, binary;
    bool fallback; /* the fallback buffer has the bytes, so the extension is not required */
} Variant;

static const Variant variants[] = {
    {"packed_not.gltf", false, false, false, false},   {"packed.gltf", true, false, false, false},
    {"packed.glb", true, false, true, false},          {"packed_fallback.gltf", true, true, false, true},
    {"packed_quantized.glb", true, true, true, false},
};

/* ---- The model ---- */

typedef struct Tube {
    float positions[VERTICES][4], normals[VERTICES][4]; /* the filters take four numbers */
    uint8_t joints[VERTICES][4], weights[VERTICES][4];
    uint32_t indices[INDICES], strip[STRIP];
    float inverseBinds[2][16], times[KEYS], rotations[KEYS][4];
} Tube;

static uint32_t vertexAt(uint32_t ring, uint32_t side) {
    return ring * SIDES + side % SIDES;
}

static void makeVertex(Tube *tube, uint32_t ring, uint32_t side) {
    uint32_t vertex = vertexAt(ring, side);
    double angle = 2.0 * M_PI * side / SIDES, height = ring / (RINGS - 1.0);
    const float normal[4] = {(float)cos(angle), 0.0f, (float)sin(angle), 0.0f};
    const float position[4] = {0.25f * normal[0], (float)height, 0.25f * normal[2], 0.0f};
    memcpy(tube->normals[vertex], normal, sizeof normal);
    memcpy(tube->positions[vertex], position, sizeof position);
    tube->joints[vertex][1] = 1;
    tube->weights[vertex][1] = (uint8_t)lround(255.0 * height);
    tube->weights[vertex][0] = (uint8_t)(255 - tube->weights[vertex][1]);
}

static Tube makeTube(void) {
    Tube tube = {0};
    for (uint32_t i = 0; i < VERTICES; i++) {
        makeVertex(&tube, i / SIDES, i % SIDES);
    }
    for (uint32_t i = 0; i < INDICES; i++) {
        static const uint32_t up[6] = {0, 1, 1, 0, 1, 0}, on[6] = {0, 0, 1, 0, 1, 1};
        uint32_t quad = i / 6, corner = i % 6;
        tube.indices[i] = vertexAt(quad / SIDES + up[corner], quad + on[corner]);
    }
    for (uint32_t i = 0; i < STRIP; i++) {
        tube.strip[i] = vertexAt(RINGS - 2 + i % 2, i / 2);
    }
    for (uint32_t i = 0; i < 16; i++) {
        tube.inverseBinds[0][i] = tube.inverseBinds[1][i] = i % 5 == 0 ? 1.0f : 0.0f;
    }
    tube.inverseBinds[1][13] = -0.5f;
    for (uint32_t i = 0; i < KEYS; i++) {
        tube.times[i] = (float)i / (KEYS - 1);
        double half = 0.25 * M_PI * tube.times[i];
        tube.rotations[i][2] = (float)sin(half);
        tube.rotations[i][3] = (float)cos(half);
    }
    return tube;
}

/* ---- Buffer views ---- */

typedef struct View {
    const char *mode, *filter;
    size_t stride, count;
    bool isStrided; /* the view states its stride */
    uint8_t bytes[4096];
    uint8_t packed[8192];
    size_t packedSize;
} View;

enum { POSITIONS, NORMALS, JOINTS, WEIGHTS, TRIANGLES, STRIP_INDICES, INVERSE_BINDS, TIMES, ROTATIONS, VIEWS };

typedef struct Accessor {
    int component;
    bool normalized;
    const char *type;
    const char *more;
} Accessor;

static void fillView(View *view, const char *mode, const void *bytes, size_t count, size_t stride) {
    *view = (View){.mode = mode, .filter = "NONE", .stride = stride, .count = count};
    memcpy(view->bytes, bytes, count * stride);
}

static void fillIndices(View *view, const char *mode, const uint32_t *indices, size_t count, size_t stride) {
    *view = (View){.mode = mode, .filter = "NONE", .stride = stride, .count = count};
    for (size_t i = 0; i < count; i++) {
        memcpy(view->bytes + i * stride, &indices[i], stride); /* little-endian: the low bytes come first */
    }
}

/* Vectors of three numbers as four normalised integers of 16 bits, the last one 0. */
static void fillQuantized(View *view, const float (*vectors)[4]) {
    int16_t numbers[VERTICES][4];
    for (size_t i = 0; i < VERTICES; i++) {
        for (size_t c = 0; c < 4; c++) {
            numbers[i][c] = (int16_t)lroundf(32767.0f * vectors[i][c]);
        }
    }
    fillView(view, "ATTRIBUTES", numbers, VERTICES, sizeof numbers[0]);
    view->isStrided = true;
}

static void fillTight(View *view, const float (*vectors)[4]) {
    float numbers[VERTICES][3];
    for (size_t i = 0; i < VERTICES; i++) {
        memcpy(numbers[i], vectors[i], sizeof numbers[i]);
    }
    fillView(view, "ATTRIBUTES", numbers, VERTICES, sizeof numbers[0]);
}

/* The bytes that the filter gives are those of the view; what is packed is what the filter takes. */
static void packFiltered(View *view, const char *filter, const float *numbers) {
    static const char *const names[] = {"OCTAHEDRAL", "QUATERNION", "EXPONENTIAL"};
    void (*const encode[])(void *, size_t, size_t, int, const float *) = {
        meshopt_encodeFilterOct, meshopt_encodeFilterQuat, meshopt_encodeFilterExp};
    void (*const decode[])(void *, size_t, size_t) = {meshopt_decodeFilterOct, meshopt_decodeFilterQuat,
                                                      meshopt_decodeFilterExp};
    const int bits[] = {view->stride == 4 ? 8 : 12, 12, 15};
    uint8_t filtered[sizeof view->bytes];
    size_t f = 0;
    while (strcmp(names[f], filter) != 0) {
        f++;
    }
    encode[f](filtered, view->count, view->stride, bits[f], numbers);
    view->filter = filter;
    view->packedSize =
        meshopt_encodeVertexBuffer(view->packed, sizeof view->packed, filtered, view->count, view->stride);
    decode[f](filtered, view->count, view->stride);
    memcpy(view->bytes, filtered, view->count * view->stride);
}

static void packPlain(View *view, const uint32_t *indices) {
    if (strcmp(view->mode, "ATTRIBUTES") == 0) {
        view->packedSize =
            meshopt_encodeVertexBuffer(view->packed, sizeof view->packed, view->bytes, view->count, view->stride);
    } else if (strcmp(view->mode, "TRIANGLES") == 0) {
        view->packedSize = meshopt_encodeIndexBuffer(view->packed, sizeof view->packed, indices, view->count);
    } else {
        view->packedSize = meshopt_encodeIndexSequence(view->packed, sizeof view->packed, indices, view->count);
    }
}

static void packViews(View views[VIEWS], const Tube *tube, bool quantized) {
    if (!quantized) {
        float tight[VERTICES * 3];
        memcpy(tight, views[POSITIONS].bytes, sizeof tight);
        packFiltered(&views[POSITIONS], "EXPONENTIAL", tight);
    }
    views[NORMALS] = (View){.mode = "ATTRIBUTES", .stride = quantized ? 8 : 4, .count = VERTICES, .isStrided = true};
    packFiltered(&views[NORMALS], "OCTAHEDRAL", tube->normals[0]);
    views[ROTATIONS] = (View){.mode = "ATTRIBUTES", .stride = 8, .count = KEYS};
    packFiltered(&views[ROTATIONS], "QUATERNION", tube->rotations[0]);
    for (int v = 0; v < VIEWS; v++) {
        if (views[v].packedSize == 0) {
            packPlain(&views[v], v == TRIANGLES ? tube->indices : tube->strip);
        }
    }
}

static void makeViews(View views[VIEWS], const Tube *tube, const Variant *variant) {
    (variant->quantized ? fillQuantized : fillTight)(&views[POSITIONS], tube->positions);
    fillTight(&views[NORMALS], tube->normals);
    fillView(&views[JOINTS], "ATTRIBUTES", tube->joints, VERTICES, 4);
    fillView(&views[WEIGHTS], "ATTRIBUTES", tube->weights, VERTICES, 4);
    fillIndices(&views[TRIANGLES], "TRIANGLES", tube->indices, INDICES, 2);
    fillIndices(&views[STRIP_INDICES], "INDICES", tube->strip, STRIP, 4);
    fillView(&views[INVERSE_BINDS], "ATTRIBUTES", tube->inverseBinds, 2, 64);
    fillView(&views[TIMES], "ATTRIBUTES", tube->times, KEYS, 4);
    fillView(&views[ROTATIONS], "ATTRIBUTES", tube->rotations, KEYS, 16);
    if (variant->packed) {
        packViews(views, tube, variant->quantized);
    }
}

/* ---- Files ---- */

typedef struct Bytes {
    uint8_t bytes[65536];
    size_t size;
} Bytes;

/* Appends and aligns; returns where the bytes begin. */
static size_t append(Bytes *to, const void *bytes, size_t size) {
    size_t at = to->size;
    memcpy(to->bytes + at, bytes, size);
    to->size = (at + size + 3) / 4 * 4;
    return at;
}

static void writeUri(FILE *file, const Bytes *data) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    fputs(", \"uri\": \"data:application/octet-stream;base64,", file);
    for (size_t i = 0; i < data->size; i += 3) {
        uint32_t group = (uint32_t)data->bytes[i] << 16 | (uint32_t)data->bytes[i + 1] << 8 | data->bytes[i + 2];
        for (size_t d = 0; d < 4; d++) {
            fputc(i + d > data->size ? '=' : digits[group >> (18 - 6 * d) & 63], file);
        }
    }
    fputc('"', file);
}

static void writeViews(FILE *file, const View views[VIEWS], const Variant *variant, Bytes *data, Bytes *fallback) {
    fputs(" \"bufferViews\": [\n", file);
    for (int v = 0; v < VIEWS; v++) {
        const View *view = &views[v];
        Bytes *own = variant->packed ? fallback : data;
        size_t size = view->stride * view->count, at = append(own, view->bytes, size);
        fprintf(file, "  {\"buffer\": %d, \"byteOffset\": %zu, \"byteLength\": %zu", variant->packed, at, size);
        if (view->isStrided) {
            fprintf(file, ", \"byteStride\": %zu", view->stride);
        }
        if (variant->packed) {
            at = append(data, view->packed, view->packedSize);
            fprintf(file,
                    ",\n   \"extensions\": {\"EXT_meshopt_compression\": {\"buffer\": 0, \"byteOffset\": %zu, "
                    "\"byteLength\": %zu,\n    \"byteStride\": %zu, \"count\": %zu, \"mode\": \"%s\", "
                    "\"filter\": \"%s\"}}",
                    at, view->packedSize, view->stride, view->count, view->mode, view->filter);
        }
        fprintf(file, "}%s\n", v + 1 < VIEWS ? "," : "");
    }
    fputs(" ],\n", file);
}

static void writeBuffers(FILE *file, const Variant *variant, const Bytes *data, const Bytes *fallback) {
    fprintf(file, " \"buffers\": [\n  {\"byteLength\": %zu", data->size);
    if (!variant->binary) {
        writeUri(file, data);
    }
    if (variant->packed) {
        fprintf(file, "},\n  {\"byteLength\": %zu", fallback->size);
        if (variant->fallback) {
            writeUri(file, fallback);
        }
        fputs(", \"extensions\": {\"EXT_meshopt_compression\": {\"fallback\": true}}", file);
    }
    fputs("}\n ],\n", file);
}

static void writeAccessors(FILE *file, const View views[VIEWS], const Variant *variant) {
    const bool packed = variant->packed, quantized = variant->quantized;
    const Accessor accessors[VIEWS] = {
        {quantized ? 5122 : 5126, quantized, "VEC3", ", \"min\": [-0.25, 0, -0.25], \"max\": [0.25, 1, 0.25]"},
        {!packed     ? 5126
         : quantized ? 5122
                     : 5120,
         packed, "VEC3", ""},
        {5121, false, "VEC4", ""},
        {5121, true, "VEC4", ""},
        {5123, false, "SCALAR", ""},
        {5125, false, "SCALAR", ""},
        {5126, false, "MAT4", ""},
        {5126, false, "SCALAR", ", \"min\": [0], \"max\": [1]"},
        {packed ? 5122 : 5126, packed, "VEC4", ""},
    };
    fputs(" \"accessors\": [\n", file);
    for (int a = 0; a < VIEWS; a++) {
        fprintf(file, "  {\"bufferView\": %d, \"componentType\": %d,%s \"count\": %zu, \"type\": \"%s\"%s}%s\n", a,
                accessors[a].component, accessors[a].normalized ? " \"normalized\": true," : "", views[a].count,
                accessors[a].type, accessors[a].more, a + 1 < VIEWS ? "," : "");
    }
    fputs(" ],\n", file);
}

static void writeHead(FILE *file, const Variant *variant) {
    const char *extensions =
        variant->quantized ? "\"EXT_meshopt_compression\", \"KHR_mesh_quantization\"" : "\"EXT_meshopt_compression\"";
    const char *needed = variant->fallback ? "\"KHR_mesh_quantization\"" : extensions;
    fputs("{\n \"asset\": {\"version\": \"2.0\"},\n", file);
    if (variant->packed) {
        fprintf(file, " \"extensionsUsed\": [%s],\n \"extensionsRequired\": [%s],\n", extensions, needed);
    }
}

static void writeScene(FILE *file) {
    const char *attributes = "\"attributes\": {\"POSITION\": 0, \"NORMAL\": 1, \"JOINTS_0\": 2, \"WEIGHTS_0\": 3}";
    fprintf(file,
            " \"meshes\": [{\"name\": \"tube\", \"primitives\": [\n  {%s, \"indices\": 4},\n  {%s, \"indices\": 5, "
            "\"mode\": 5}\n ]}],\n",
            attributes, attributes);
    fputs(" \"nodes\": [\n  {\"name\": \"body\", \"mesh\": 0, \"skin\": 0},\n  {\"name\": \"lower\", \"children\": "
          "[2]},\n"
          "  {\"name\": \"upper\", \"translation\": [0, 0.5, 0]}\n ],\n"
          " \"skins\": [{\"joints\": [1, 2], \"inverseBindMatrices\": 6}],\n"
          " \"animations\": [{\"name\": \"bend\",\n"
          "  \"channels\": [{\"sampler\": 0, \"target\": {\"node\": 2, \"path\": \"rotation\"}}],\n"
          "  \"samplers\": [{\"input\": 7, \"output\": 8}]}],\n"
          " \"scenes\": [{\"nodes\": [0, 1]}],\n \"scene\": 0\n}\n",
          file);
}

/* Both chunks have whole multiples of four bytes. */
static void writeBinary(FILE *file, const char *text, size_t textSize, const Bytes *data) {
    uint32_t padded = (uint32_t)(textSize + 3) / 4 * 4, size = (uint32_t)data->size;
    const uint32_t head[5] = {0x46546c67, 2, 28 + padded + size, padded, 0x4e4f534a}, next[2] = {size, 0x004e4942};
    fwrite(head, sizeof head, 1, file);
    fprintf(file, "%-*s", (int)padded, text);
    fwrite(next, sizeof next, 1, file);
    fwrite(data->bytes, size, 1, file);
}

static bool writeVariant(const char *folder, const Tube *tube, const Variant *variant) {
    static View views[VIEWS];
    static Bytes data, fallback;
    char path[4096], *text = NULL;
    size_t size = 0;
    data = fallback = (Bytes){0};
    makeViews(views, tube, variant);
    FILE *memory = open_memstream(&text, &size);
    writeHead(memory, variant);
    writeViews(memory, views, variant, &data, &fallback);
    writeBuffers(memory, variant, &data, &fallback);
    writeAccessors(memory, views, variant);
    writeScene(memory);
    fclose(memory);
    snprintf(path, sizeof path, "%s/%s", folder, variant->file);
    FILE *file = fopen(path, "wb");
    if (file && variant->binary) {
        writeBinary(file, text, size, &data);
    } else if (file) {
        fwrite(text, size, 1, file);
    }
    free(text);
    return file && fclose(file) == 0;
}

int main(int count, char **texts) {
    const Tube tube = makeTube();
    meshopt_encodeVertexVersion(0); /* the versions that the extension allows */
    meshopt_encodeIndexVersion(1);
    bool good = count == 2;
    for (size_t v = 0; good && v < COUNT_OF(variants); v++) {
        good = writeVariant(texts[1], &tube, &variants[v]);
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
