/*
 * EXT_meshopt_compression: buffer views whose bytes are compressed in another buffer.
 *
 * Such a view also names a fallback buffer, which is as large as the decompressed bytes and usually has none: see
 * gltf_text.cpp. The views are decompressed into buffers of their own.
 */
#include "gltf_source.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <iterator>

#define EXTENSION "EXT_meshopt_compression"

namespace {

/* ---- Compressed views ---- */

/* How bytes are compressed: elements of strideMin to strideMax bytes, a multiple of `step`, in groups of `group`. */
struct Mode {
    const char *name;
    int (*decode)(void *to, size_t count, size_t stride, const unsigned char *from, size_t size);
    size_t strideMin, strideMax, step, group;
};

const Mode modes[] = {
    {"ATTRIBUTES", meshopt_decodeVertexBuffer, 4, 256, 4, 1},
    {"TRIANGLES", meshopt_decodeIndexBuffer, 2, 4, 2, 3},
    {"INDICES", meshopt_decodeIndexSequence, 2, 4, 2, 1},
};

/* What is done to the elements after that. A filter is for attributes. */
struct Filter {
    const char *name;
    void (*apply)(void *elements, size_t count, size_t stride);
    size_t strideMin, strideMax;
};

const Filter filters[] = {
    {"NONE", nullptr, 0, 256},
    {"OCTAHEDRAL", meshopt_decodeFilterOct, 4, 8},
    {"QUATERNION", meshopt_decodeFilterQuat, 8, 8},
    {"EXPONENTIAL", meshopt_decodeFilterExp, 4, 256},
};

/* The most bytes that one byte becomes: 256 elements of 16 groups have at least 4 bytes for each byte of an element. */
constexpr size_t growthMax = 64;
/* The filters may work on four elements at once. */
constexpr size_t filterGroup = 4;

/* The extension's object, as the file has it. */
struct Compressed {
    size_t buffer, offset, size, stride, count;
    const Mode *mode;
    const Filter *filter;
};

/* A number that is absent is `otherwise`. One that is no index or size is larger than any. */
size_t sizeOf(const tinygltf::Value &object, const char *name, size_t otherwise) {
    if (!object.Has(name)) {
        return otherwise;
    }
    const tinygltf::Value &value = object.Get(name);
    return value.IsInt() && value.GetNumberAsInt() >= 0 ? size_t(value.GetNumberAsInt()) : SIZE_MAX;
}

/* Null: the table has no such name. */
template <typename Row, size_t count>
const Row *findRow(const Row (&rows)[count], const tinygltf::Value &object, const char *member, const char *otherwise) {
    bool named = object.Has(member) && object.Get(member).IsString();
    const std::string name = named ? object.Get(member).Get<std::string>() : otherwise;
    const Row *row = std::find_if(rows, rows + count, [&](const Row &other) { return name == other.name; });
    return row == rows + count ? nullptr : row;
}

bool strideFits(const Compressed &from) {
    const Mode &mode = *from.mode;
    const Filter &filter = *from.filter;
    return from.stride >= std::max(mode.strideMin, filter.strideMin) &&
           from.stride <= std::min(mode.strideMax, filter.strideMax) && from.stride % mode.step == 0 &&
           (!filter.apply || mode.step == 4);
}

Compressed readCompressed(const tinygltf::Model &document, size_t bufferCount, const tinygltf::Value &object,
                          size_t view, EngineError *error) {
    Compressed from = {sizeOf(object, "buffer", SIZE_MAX),        sizeOf(object, "byteOffset", 0),
                       sizeOf(object, "byteLength", SIZE_MAX),    sizeOf(object, "byteStride", SIZE_MAX),
                       sizeOf(object, "count", SIZE_MAX),         findRow(modes, object, "mode", ""),
                       findRow(filters, object, "filter", "NONE")};
    require((from.mode && from.filter) ||
            engineFail(error, "buffer view %zu has an unknown mode or filter of " EXTENSION, view));
    require(from.buffer < bufferCount ||
            engineFail(error, "the compressed bytes of buffer view %zu are in no buffer", view));
    size_t size = document.buffers[from.buffer].data.size();
    require((from.offset <= size && from.size <= size - from.offset) ||
            engineFail(error, "the compressed bytes of buffer view %zu reach past their buffer of %zu", view, size));
    require(strideFits(from) ||
            engineFail(error, "the stride of buffer view %zu does not fit its mode and filter of " EXTENSION, view));
    require((from.count % from.mode->group == 0 && from.count <= growthMax * from.size / from.stride) ||
            engineFail(error, "the number of elements of buffer view %zu does not fit its compressed bytes", view));
    return from;
}

std::vector<unsigned char> decompress(const tinygltf::Model &document, const Compressed &from, size_t view,
                                      EngineError *error) {
    size_t room = (from.count + filterGroup - 1) / filterGroup * filterGroup;
    std::vector<unsigned char> bytes(room * from.stride);
    const unsigned char *packed = document.buffers[from.buffer].data.data() + from.offset;
    require(from.mode->decode(bytes.data(), from.count, from.stride, packed, from.size) == 0 ||
            engineFail(error, "the compressed bytes of buffer view %zu are damaged", view));
    if (from.filter->apply) {
        from.filter->apply(bytes.data(), from.count, from.stride);
    }
    bytes.resize(from.count * from.stride);
    return bytes;
}

} // namespace

void gltfDecompress(tinygltf::Model &document, EngineError *error) {
    size_t bufferCount = document.buffers.size();
    for (size_t v = 0; v < document.bufferViews.size(); v++) {
        tinygltf::BufferView &view = document.bufferViews[v];
        auto extension = view.extensions.find(EXTENSION);
        if (extension != view.extensions.end()) {
            Compressed from = readCompressed(document, bufferCount, extension->second, v, error);
            tinygltf::Buffer buffer;
            buffer.data = decompress(document, from, v, error);
            view.buffer = int(document.buffers.size());
            view.byteOffset = 0;
            view.byteLength = buffer.data.size();
            document.buffers.push_back(std::move(buffer));
        }
    }
}
