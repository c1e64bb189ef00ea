#include "gltf_source.h"

#include <algorithm>

namespace {

/* Larger than any model. Keeps every product below within 64 bits and every count within 32. */
constexpr size_t elementsMax = size_t(1) << 30;

/* Elements in a buffer. */
struct Run {
    const uint8_t *bytes;
    size_t stride;
};

/* 0: an unknown type. */
size_t componentSize(int component) {
    static const uint8_t sizes[] = {1, 1, 2, 2, 0, 4, 4};
    bool known = component >= TINYGLTF_COMPONENT_TYPE_BYTE && component <= TINYGLTF_COMPONENT_TYPE_FLOAT;
    return known ? sizes[component - TINYGLTF_COMPONENT_TYPE_BYTE] : 0;
}

size_t elementSize(const tinygltf::Accessor &accessor, int components) {
    return componentSize(accessor.componentType) * size_t(components);
}

/* Buffers have the machine's byte order (little-endian) and any alignment. largest: the value that stands for 1. */
template <typename T> double load(const uint8_t *bytes, bool normalized, double largest) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return normalized ? std::max(double(value) / largest, -1.0) : double(value);
}

double readComponent(const uint8_t *bytes, int component, bool normalized) {
    switch (component) {
    case TINYGLTF_COMPONENT_TYPE_BYTE:
        return load<int8_t>(bytes, normalized, 127.0);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE:
        return load<uint8_t>(bytes, normalized, 255.0);
    case TINYGLTF_COMPONENT_TYPE_SHORT:
        return load<int16_t>(bytes, normalized, 32767.0);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT:
        return load<uint16_t>(bytes, normalized, 65535.0);
    case TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT:
        return load<uint32_t>(bytes, normalized, 4294967295.0);
    default:
        return load<float>(bytes, false, 1.0);
    }
}

const tinygltf::BufferView &findView(const GltfSource &source, int index, const std::string &what) {
    const tinygltf::Model &document = source.document;
    require(isIndex(index, document.bufferViews) ||
            engineFail(source.error, "%s names buffer view %d, but there are %zu", what.c_str(), index,
                       document.bufferViews.size()));
    const tinygltf::BufferView &view = document.bufferViews[size_t(index)];
    require(isIndex(view.buffer, document.buffers) ||
            engineFail(source.error, "buffer view %d names buffer %d, but there are %zu", index, view.buffer,
                       document.buffers.size()));
    size_t size = document.buffers[size_t(view.buffer)].data.size();
    require((view.byteOffset <= size && view.byteLength <= size - view.byteOffset) ||
            engineFail(source.error, "buffer view %d reaches past the %zu bytes of its buffer", index, size));
    return view;
}

/* Finds `count` elements of `size` bytes. strided: uses the view's stride. */
Run findRun(const GltfSource &source, int viewIndex, size_t offset, size_t count, size_t size, bool strided,
            const std::string &what) {
    const tinygltf::BufferView &view = findView(source, viewIndex, what);
    size_t stride = strided && view.byteStride ? view.byteStride : size;
    /* A wrong stride reads wrong numbers, but none outside the view. The limit keeps the product small. */
    bool fits = offset <= view.byteLength && stride <= elementsMax;
    if (fits && count > 0) {
        size_t left = view.byteLength - offset;
        fits = size <= left && (count - 1) <= (left - size) / stride;
    }
    require(fits || engineFail(source.error, "%s reads past the end of buffer view %d", what.c_str(), viewIndex));
    return {source.document.buffers[size_t(view.buffer)].data.data() + view.byteOffset + offset, stride};
}

/* Doubles hold every component type exactly. */
template <typename T>
void decode(const uint8_t *bytes, const tinygltf::Accessor &accessor, int components, bool normalized, T *out) {
    size_t size = componentSize(accessor.componentType);
    for (int c = 0; c < components; c++) {
        out[c] = T(readComponent(bytes + size_t(c) * size, accessor.componentType, normalized));
    }
}

template <typename T>
void readSparse(const GltfSource &source, const tinygltf::Accessor &accessor, int components, bool normalized,
                const std::string &what, T *out) {
    const auto &sparse = accessor.sparse;
    size_t indexSize = componentSize(sparse.indices.componentType);
    if (!sparse.isSparse || sparse.count == 0) {
        return;
    }
    bool usable = sparse.count > 0 && sparse.indices.byteOffset >= 0 && sparse.values.byteOffset >= 0 &&
                  indexSize > 0 && sparse.indices.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT;
    require(usable || engineFail(source.error, "%s has sparse values that are not usable", what.c_str()));
    size_t count = size_t(sparse.count);
    Run indices =
        findRun(source, sparse.indices.bufferView, size_t(sparse.indices.byteOffset), count, indexSize, false, what);
    Run values = findRun(source, sparse.values.bufferView, size_t(sparse.values.byteOffset), count,
                         elementSize(accessor, components), false, what);
    for (size_t i = 0; i < count; i++) {
        double index = readComponent(indices.bytes + i * indices.stride, sparse.indices.componentType, false);
        require((index >= 0.0 && index < double(accessor.count)) ||
                engineFail(source.error, "%s replaces element %.0f, but there are %zu", what.c_str(), index,
                           accessor.count));
        decode(values.bytes + i * values.stride, accessor, components, normalized,
               out + size_t(index) * size_t(components));
    }
}

const tinygltf::Accessor &findAccessor(const GltfSource &source, int index, int components, const std::string &what) {
    const std::vector<tinygltf::Accessor> &accessors = source.document.accessors;
    require(isIndex(index, accessors) ||
            engineFail(source.error, "%s names accessor %d, but there are %zu", what.c_str(), index, accessors.size()));
    const tinygltf::Accessor &accessor = accessors[size_t(index)];
    bool allowed = tinygltf::GetNumComponentsInType(uint32_t(accessor.type)) == components &&
                   componentSize(accessor.componentType) > 0;
    require(allowed || engineFail(source.error, "%s has another type than the format allows", what.c_str()));
    require(accessor.count <= elementsMax ||
            engineFail(source.error, "%s has %zu elements, more than can be read", what.c_str(), accessor.count));
    return accessor;
}

/* Memory is allocated only for a count that fits its view. Without a view all elements are zeros. */
template <typename T>
Array<T> readElements(const GltfSource &source, const tinygltf::Accessor &accessor, int components, bool normalized,
                      const std::string &what) {
    Run run = {nullptr, 0};
    if (accessor.bufferView >= 0) {
        run = findRun(source, accessor.bufferView, accessor.byteOffset, accessor.count,
                      elementSize(accessor, components), true, what);
    }
    Array<T> numbers(newArray<T>(accessor.count * size_t(components)));
    for (size_t i = 0; run.bytes && i < accessor.count; i++) {
        decode(run.bytes + i * run.stride, accessor, components, normalized, &numbers[i * size_t(components)]);
    }
    readSparse(source, accessor, components, normalized, what, numbers.get());
    return numbers;
}

} // namespace

int gltfFindAttribute(const std::map<std::string, int> &attributes, const std::string &name) {
    auto found = attributes.find(name);
    return found == attributes.end() ? -1 : found->second;
}

size_t gltfAccessorCount(const GltfSource &source, int accessor) {
    return isIndex(accessor, source.document.accessors) ? source.document.accessors[size_t(accessor)].count : 0;
}

Array<float> gltfReadFloats(const GltfSource &source, int accessor, int components, const std::string &what) {
    const tinygltf::Accessor &from = findAccessor(source, accessor, components, what);
    return readElements<float>(source, from, components, from.normalized, what);
}

Array<uint32_t> gltfReadUnsigned(const GltfSource &source, int accessor, int components, const std::string &what) {
    const tinygltf::Accessor &from = findAccessor(source, accessor, components, what);
    bool allowed = from.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE ||
                   from.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ||
                   from.componentType == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT;
    require(allowed || engineFail(source.error, "%s has another type than the format allows", what.c_str()));
    return readElements<uint32_t>(source, from, components, false, what);
}
