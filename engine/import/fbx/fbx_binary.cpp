#include "fbx_source.h"

#include "parser.h"

#include <algorithm>
#include <climits>

namespace {

const char MARK[] = "Kaydara FBX Binary  ";
#define MARK_SIZE  sizeof MARK /* with its final zero */
#define ENDIAN_AT  22          /* 0: little-endian, 1: big-endian */
#define VERSION_AT 23
#define WIDE       7500 /* version from which on offsets have 64 bits */
#define PACKED_MAX 1100 /* zlib packs no better */

class Reader {
  public:
    Reader(const FbxSource &from, FbxTree *to, EngineError *reason) : source(from), tree(to), error(reason) {
    }

    bool read() {
        tree->binary = true;
        if (source.size > ENDIAN_AT && (source.bytes[MARK_SIZE - 1] != '\0' || uint8_t(source.bytes[ENDIAN_AT]) > 1)) {
            return engineFail(error, "the head of the file is damaged: it should have bytes of zero");
        }
        source.at = VERSION_AT;
        tree->bigEndian = source.size > ENDIAN_AT && source.bytes[ENDIAN_AT] == 1;
        bool last = false, good = take(&tree->version);
        while (good && !last && source.at < source.size) {
            FbxRecord record;
            good = takeRecord(0, &record, &last);
            if (good && !last) {
                tree->root.children.push_back(std::move(record));
            }
        }
        return good || (!cutOff && engineFail(error, "it is damaged at byte %zu", source.at));
    }

  private:
    size_t left() const {
        return source.size - source.at;
    }

    template <typename Number> bool take(Number *number) {
        if (left() < sizeof *number) {
            return false;
        }
        std::memcpy(number, source.bytes + source.at, sizeof *number);
        source.at += sizeof *number;
        if (tree->bigEndian) {
            turnBytes(reinterpret_cast<uint8_t *>(number), sizeof *number);
        }
        return true;
    }

    static void turnBytes(uint8_t *bytes, size_t width) {
        std::reverse(bytes, bytes + width);
    }

    template <typename Number> bool takeNumber(FbxValue *value) {
        Number number;
        if (!take(&number)) {
            return false;
        }
        value->number = double(number);
        value->integer = std::is_integral<Number>::value ? int64_t(number) : 0;
        return true;
    }

    bool takeText(FbxValue *value) {
        uint32_t length;
        if (!take(&length) || length > left()) {
            return false;
        }
        value->text.assign(source.bytes + source.at, length);
        source.at += length;
        return true;
    }

    static size_t widthOf(char kind) {
        return kind == 'b' ? 1 : kind == 'i' || kind == 'f' ? 4 : 8;
    }

    /* A record has one array; a further one is checked and dropped. */
    bool takeArray(char kind, FbxRecord *record) {
        uint32_t count, packed, length;
        const size_t width = widthOf(kind);
        if (!take(&count) || !take(&packed) || !take(&length) || length > left() || length > INT_MAX ||
            count > INT_MAX / width) {
            return false;
        }
        FbxArray array;
        const size_t plainSize = count * width;
        const char *bytes = source.bytes + source.at;
        const bool fits = packed ? plainSize / PACKED_MAX <= length : plainSize == length;
        if (!fits) {
            return false;
        }
        array.kind = kind;
        array.bytes.resize(plainSize);
        source.at += length;
        if (!packed) {
            std::copy_n(bytes, plainSize, reinterpret_cast<char *>(array.bytes.data()));
        } else if (plainSize > 0 &&
                   !bytesUnpack(bytes, length, reinterpret_cast<char *>(array.bytes.data()), plainSize)) {
            return false;
        }
        for (size_t i = 0; tree->bigEndian && i < count; i++) {
            turnBytes(&array.bytes[i * width], width);
        }
        if (!record->array.kind) {
            record->array = std::move(array);
        }
        return true;
    }

    bool takeValue(char kind, FbxValue *value) {
        switch (kind) {
        case 'B':
        case 'C':
        case 'Z':
            return takeNumber<int8_t>(value);
        case 'Y':
            return takeNumber<int16_t>(value);
        case 'I':
            return takeNumber<int32_t>(value);
        case 'L':
            return takeNumber<int64_t>(value);
        case 'F':
            return takeNumber<float>(value);
        case 'D':
            return takeNumber<double>(value);
        default:
            return (kind == 'S' || kind == 'R') && takeText(value);
        }
    }

    /* Values beside an array are dropped. */
    bool takeValues(uint64_t count, FbxRecord *record) {
        bool arrays = false;
        for (uint64_t i = 0; i < count; i++) {
            FbxValue value = {};
            char kind;
            if (!take(&kind)) {
                return false;
            }
            const bool array = kind && std::strchr("bcilfd", kind);
            if (array ? !takeArray(kind == 'c' ? 'b' : kind, record) : !takeValue(kind, &value)) {
                return false;
            }
            arrays = arrays || array;
            if (!arrays) {
                record->add(std::move(value), kind != 'F' && kind != 'D');
            }
        }
        return true;
    }

    bool takeOffset(uint64_t *offset) {
        uint32_t narrow = 0;
        const bool wide = tree->version >= WIDE;
        const bool good = wide ? take(offset) : take(&narrow);
        *offset = wide ? *offset : narrow;
        return good;
    }

    /* An empty record ends a list: *last. A list also ends where its record does. */
    bool takeRecord(unsigned depth, FbxRecord *record, bool *last) {
        uint64_t end = 0, count = 0, length = 0;
        uint8_t nameLength = 0;
        if (depth > FBX_DEPTH_MAX || !takeOffset(&end) || !takeOffset(&count) || !takeOffset(&length) ||
            !take(&nameLength) || nameLength > left()) {
            return false;
        }
        *last = end == 0 && nameLength == 0;
        if (*last) {
            return true;
        }
        record->name.assign(source.bytes + source.at, nameLength);
        source.at += nameLength;
        if (end > source.size) {
            cutOff = true;
            return engineFail(error, "it ends at byte %zu, inside a record that ends at byte %llu", source.size,
                              static_cast<unsigned long long>(end));
        }
        if (!takeValues(count, record)) {
            return false;
        }
        for (bool ended = false; !ended && (end == 0 || source.at < end);) {
            FbxRecord child;
            if (!takeRecord(depth + 1, &child, &ended)) {
                return false;
            }
            if (!ended) {
                record->children.push_back(std::move(child));
            }
        }
        return end == 0 || source.at == end;
    }

    FbxSource source;
    FbxTree *tree;
    EngineError *error;
    bool cutOff = false; /* *error says it */
};

} // namespace

bool fbxIsBinary(const char *bytes, size_t size) {
    return size >= VERSION_AT && std::memcmp(bytes, MARK, MARK_SIZE - 1) == 0;
}

bool fbxReadBinary(const FbxSource &source, FbxTree *tree, EngineError *error) {
    return Reader(source, tree, error).read();
}
