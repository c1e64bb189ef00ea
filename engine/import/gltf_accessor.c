#include "gltf.h"

#include "child.h"

#include <stdlib.h>
#include <string.h>

/* The format's values for component types. */
enum {
    COMPONENT_BYTE = 5120,
    COMPONENT_UNSIGNED_BYTE = 5121,
    COMPONENT_SHORT = 5122,
    COMPONENT_UNSIGNED_SHORT = 5123,
    COMPONENT_UNSIGNED_INT = 5125,
    COMPONENT_FLOAT = 5126
};

/* Larger than any model. Keeps every product below within 64 bits and every count within 32. */
#define ELEMENTS_MAX ((size_t)1 << 30)

/* Elements in a buffer. */
typedef struct Run {
    const uint8_t *bytes;
    size_t stride;
} Run;

/* 0: an unknown type. */
static size_t componentSize(int component) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    bool known = component >= COMPONENT_BYTE && component <= COMPONENT_FLOAT;
    return known ? sizes[component - COMPONENT_BYTE] : 0;
}

static double signedUnit(double value, double largest) {
    double unit = value / largest;
    return unit < -1.0 ? -1.0 : unit;
}

/* One number. Buffers have the machine's byte order (little-endian) and any alignment. */
static double readComponent(const uint8_t *bytes, int component, bool normalized) {
    switch (component) {
    case COMPONENT_BYTE: {
        int8_t value = (int8_t)bytes[0];
        return normalized ? signedUnit(value, 127.0) : value;
    }
    case COMPONENT_UNSIGNED_BYTE:
        return normalized ? bytes[0] / 255.0 : bytes[0];
    case COMPONENT_SHORT: {
        int16_t value;
        memcpy(&value, bytes, sizeof value);
        return normalized ? signedUnit(value, 32767.0) : value;
    }
    case COMPONENT_UNSIGNED_SHORT: {
        uint16_t value;
        memcpy(&value, bytes, sizeof value);
        return normalized ? value / 65535.0 : value;
    }
    case COMPONENT_UNSIGNED_INT: {
        uint32_t value;
        memcpy(&value, bytes, sizeof value);
        return normalized ? value / 4294967295.0 : value;
    }
    default: {
        float value;
        memcpy(&value, bytes, sizeof value);
        return (double)value;
    }
    }
}

/* Null: source->error is written. */
static const GltfView *findView(const GltfSource *source, int index, const char *what) {
    const GltfDocument *document = source->document;
    if (index < 0 || (size_t)index >= document->viewCount) {
        engineFail(source->error, "%s names buffer view %d, but there are %zu", what, index, document->viewCount);
        return NULL;
    }
    const GltfView *view = &document->views[index];
    if (view->buffer < 0 || (size_t)view->buffer >= document->bufferCount) {
        engineFail(source->error, "buffer view %d names buffer %d, but there are %zu", index, view->buffer,
                   document->bufferCount);
        return NULL;
    }
    size_t size = document->buffers[view->buffer].size;
    if (view->offset > size || view->length > size - view->offset) {
        engineFail(source->error, "buffer view %d reaches past the %zu bytes of its buffer", index, size);
        return NULL;
    }
    return view;
}

/* Finds `count` elements of `size` bytes. strided: uses the view's stride. */
static bool findRun(const GltfSource *source, int viewIndex, size_t offset, size_t count, size_t size, bool strided,
                    const char *what, Run *run) {
    const GltfView *view = findView(source, viewIndex, what);
    if (!view) {
        return false;
    }
    run->stride = strided && view->stride ? view->stride : size;
    /* A wrong stride reads wrong numbers, but none outside the view. The limit keeps the product small. */
    bool fits = offset <= view->length && run->stride <= ELEMENTS_MAX;
    if (fits && count > 0) {
        size_t left = view->length - offset;
        fits = size <= left && (count - 1) <= (left - size) / run->stride;
    }
    if (!fits) {
        engineFail(source->error, "%s reads past the end of buffer view %d", what, viewIndex);
        return false;
    }
    run->bytes = source->document->buffers[view->buffer].bytes + view->offset + offset;
    return true;
}

static void decode(const uint8_t *bytes, const GltfAccessor *accessor, double *out) {
    size_t size = componentSize(accessor->component);
    for (int c = 0; c < accessor->components; c++) {
        out[c] = readComponent(bytes + (size_t)c * size, accessor->component, accessor->normalized);
    }
}

/* The elements in the accessor's view; without a view run->bytes is null: they are zeros. */
static bool findDense(const GltfSource *source, const GltfAccessor *accessor, const char *what, Run *run) {
    size_t size = componentSize(accessor->component) * (size_t)accessor->components;
    *run = (Run){0};
    return accessor->view < 0 ||
           findRun(source, accessor->view, accessor->offset, accessor->count, size, true, what, run);
}

static void readDense(const GltfAccessor *accessor, const Run *run, double *out) {
    for (size_t i = 0; run->bytes && i < accessor->count; i++) {
        decode(run->bytes + i * run->stride, accessor, out + i * (size_t)accessor->components);
    }
}

static bool readSparse(const GltfSource *source, const GltfAccessor *accessor, const char *what, double *out) {
    const GltfSparse *sparse = &accessor->sparse;
    size_t indexSize = componentSize(sparse->indexComponent);
    size_t valueSize = componentSize(accessor->component) * (size_t)accessor->components;
    if (sparse->count == 0) {
        return true;
    }
    if (sparse->count < 0 || sparse->indexOffset < 0 || sparse->valueOffset < 0 || indexSize == 0 ||
        sparse->indexComponent == COMPONENT_FLOAT) {
        return engineFail(source->error, "%s has sparse values that are not usable", what);
    }
    Run indices, values;
    size_t count = (size_t)sparse->count;
    if (!findRun(source, sparse->indexView, (size_t)sparse->indexOffset, count, indexSize, false, what, &indices) ||
        !findRun(source, sparse->valueView, (size_t)sparse->valueOffset, count, valueSize, false, what, &values)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        double index = readComponent(indices.bytes + i * indices.stride, sparse->indexComponent, false);
        if (!(index >= 0.0 && index < (double)accessor->count)) {
            return engineFail(source->error, "%s replaces element %.0f, but there are %zu", what, index,
                              accessor->count);
        }
        decode(values.bytes + i * values.stride, accessor, out + (size_t)index * (size_t)accessor->components);
    }
    return true;
}

/* Null: source->error is written. */
static const GltfAccessor *findAccessor(const GltfSource *source, int index, int components, const char *what) {
    if (index < 0 || (size_t)index >= source->document->accessorCount) {
        engineFail(source->error, "%s names accessor %d, but there are %zu", what, index,
                   source->document->accessorCount);
        return NULL;
    }
    const GltfAccessor *accessor = &source->document->accessors[index];
    if (accessor->components != components || componentSize(accessor->component) == 0) {
        engineFail(source->error, "%s has another type than the format allows", what);
        return NULL;
    }
    if (accessor->count > ELEMENTS_MAX) {
        engineFail(source->error, "%s has %zu elements, more than can be read", what, accessor->count);
        return NULL;
    }
    return accessor;
}

/* Doubles hold every component type exactly. Memory is allocated only for a count that fits its view. */
static double *readNumbers(const GltfSource *source, const GltfAccessor *accessor, const char *what) {
    Run run;
    if (!findDense(source, accessor, what, &run)) {
        return NULL;
    }
    double *numbers = childAllocate(accessor->count, (size_t)accessor->components * sizeof *numbers);
    readDense(accessor, &run, numbers);
    if (!readSparse(source, accessor, what, numbers)) {
        free(numbers);
        return NULL;
    }
    return numbers;
}

int gltfFindAttribute(const GltfAttribute *attributes, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(attributes[i].name, name) == 0) {
            return attributes[i].accessor;
        }
    }
    return -1;
}

size_t gltfAccessorCount(const GltfSource *source, int accessor) {
    bool known = accessor >= 0 && (size_t)accessor < source->document->accessorCount;
    return known ? source->document->accessors[accessor].count : 0;
}

float *gltfReadFloats(const GltfSource *source, int accessorIndex, int components, const char *what) {
    const GltfAccessor *accessor = findAccessor(source, accessorIndex, components, what);
    double *numbers = accessor ? readNumbers(source, accessor, what) : NULL;
    if (!numbers) {
        return NULL;
    }
    float *floats = childAllocate(accessor->count, (size_t)components * sizeof *floats);
    for (size_t i = 0; i < accessor->count * (size_t)components; i++) {
        floats[i] = (float)numbers[i];
    }
    free(numbers);
    return floats;
}

uint32_t *gltfReadUnsigned(const GltfSource *source, int accessorIndex, int components, const char *what) {
    const GltfAccessor *accessor = findAccessor(source, accessorIndex, components, what);
    if (!accessor) {
        return NULL;
    }
    GltfAccessor plain = *accessor;
    plain.normalized = false;
    if (plain.component != COMPONENT_UNSIGNED_BYTE && plain.component != COMPONENT_UNSIGNED_SHORT &&
        plain.component != COMPONENT_UNSIGNED_INT) {
        engineFail(source->error, "%s has another type than the format allows", what);
        return NULL;
    }
    double *numbers = readNumbers(source, &plain, what);
    if (!numbers) {
        return NULL;
    }
    uint32_t *integers = childAllocate(plain.count, (size_t)components * sizeof *integers);
    for (size_t i = 0; i < plain.count * (size_t)components; i++) {
        integers[i] = (uint32_t)numbers[i];
    }
    free(numbers);
    return integers;
}
