#include "fbx_tree.h"

#include "parser.h"

#include <climits>

namespace {

#define DEPTH_MAX 64

struct Source {
    const char *bytes;
    size_t size, at;
};

/* ---- Binary files ---- */

const char MAGIC[] = "Kaydara FBX Binary  ";
#define HEADER_SIZE 27 /* magic, three bytes, version */

template <typename Number> bool take(Source &source, Number *number) {
    const bool there = source.size - source.at >= sizeof *number;
    if (there) {
        std::memcpy(number, source.bytes + source.at, sizeof *number);
        source.at += sizeof *number;
    }
    return there;
}

template <typename Number> bool takeNumber(Source &source, FbxValue *value) {
    Number number;
    if (!take(source, &number)) {
        return false;
    }
    value->number = double(number);
    value->integer = std::is_integral<Number>::value ? int64_t(number) : 0;
    return true;
}

bool takeText(Source &source, FbxValue *value) {
    uint32_t length;
    if (!take(source, &length) || length > source.size - source.at) {
        return false;
    }
    value->text.assign(source.bytes + source.at, length);
    source.at += length;
    return true;
}

/* Arrays of geometry are large and not needed: they stay empty. */
template <typename Number> bool takeArray(Source &source, bool skipped, FbxValue *value) {
    uint32_t count, packed, length;
    if (!take(source, &count) || !take(source, &packed) || !take(source, &length) || length > source.size - source.at ||
        length > INT_MAX || count > INT_MAX / sizeof(Number)) {
        return false;
    }
    const char *bytes = source.bytes + source.at;
    const size_t size = count * sizeof(Number);
    std::vector<char> plain;
    source.at += length;
    if (skipped) {
        return true;
    }
    if (packed && size > 0) {
        if (size / 1100 > length) { /* zlib packs no better */
            return false;
        }
        plain.resize(size);
        /* NOLINTNEXTLINE(readability-suspicious-call-argument): `size` is of the unpacked bytes */
        if (!bytesUnpack(bytes, length, plain.data(), size)) {
            return false;
        }
        bytes = plain.data();
    } else if (!packed && length != size) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        Number number;
        std::memcpy(&number, bytes + i * sizeof number, sizeof number);
        value->array.push_back(double(number));
    }
    return true;
}

bool takeValue(Source &source, bool skipped, FbxValue *value) {
    char kind;
    if (!take(source, &kind)) {
        return false;
    }
    switch (kind) {
    case 'C':
        return takeNumber<int8_t>(source, value);
    case 'Y':
        return takeNumber<int16_t>(source, value);
    case 'I':
        return takeNumber<int32_t>(source, value);
    case 'L':
        return takeNumber<int64_t>(source, value);
    case 'F':
        return takeNumber<float>(source, value);
    case 'D':
        return takeNumber<double>(source, value);
    case 'S':
    case 'R':
        return takeText(source, value);
    case 'b':
    case 'c':
        return takeArray<int8_t>(source, skipped, value);
    case 'i':
        return takeArray<int32_t>(source, skipped, value);
    case 'l':
        return takeArray<int64_t>(source, skipped, value);
    case 'f':
        return takeArray<float>(source, skipped, value);
    case 'd':
        return takeArray<double>(source, skipped, value);
    default:
        return false;
    }
}

bool takeOffset(Source &source, bool wide, uint64_t *offset) {
    uint32_t narrow = 0;
    const bool good = wide ? take(source, offset) : take(source, &narrow);
    *offset = wide ? *offset : narrow;
    return good;
}

/* An empty record ends a list: *last. */
bool takeRecord(Source &source, bool wide, unsigned depth, bool skipped, FbxRecord *record, bool *last) {
    uint64_t end = 0, count = 0, length = 0;
    uint8_t nameLength = 0;
    if (!takeOffset(source, wide, &end) || !takeOffset(source, wide, &count) || !takeOffset(source, wide, &length) ||
        !take(source, &nameLength) || nameLength > source.size - source.at || depth > DEPTH_MAX) {
        return false;
    }
    *last = end == 0;
    record->name.assign(source.bytes + source.at, nameLength);
    source.at += nameLength;
    if (*last) {
        return true;
    }
    skipped = skipped || record->name == "Geometry";
    for (uint64_t i = 0; i < count; i++) {
        record->values.emplace_back();
        if (!takeValue(source, skipped, &record->values.back())) {
            return false;
        }
    }
    for (bool ended = false; !ended && source.at < end;) {
        FbxRecord child;
        if (!takeRecord(source, wide, depth + 1, skipped, &child, &ended)) {
            return false;
        }
        if (!ended) {
            record->children.push_back(std::move(child));
        }
    }
    return source.at == end;
}

bool readBinary(Source source, FbxRecord *root) {
    uint32_t version = 0;
    source.at = HEADER_SIZE - sizeof version;
    bool last = !take(source, &version), good = !last;
    while (!last && good) {
        FbxRecord record;
        good = takeRecord(source, version >= 7500, 0, false, &record, &last);
        if (good && !last) {
            root->children.push_back(std::move(record));
        }
    }
    return good;
}

/* ---- Text files ---- */

/* A text without its quotation marks, a brace, or a word; words end at blanks, commas, braces, and after a colon. */
struct Token {
    bool quoted;
    std::string text; /* empty and not quoted: the end */
};

bool isBlank(char character) {
    return std::strchr(" \t\r\n,", character) && character != '\0';
}

Token nextToken(Source &source) {
    while (source.at < source.size && (isBlank(source.bytes[source.at]) || source.bytes[source.at] == ';')) {
        const bool comment = source.bytes[source.at++] == ';';
        while (comment && source.at < source.size && source.bytes[source.at] != '\n') {
            source.at++;
        }
    }
    const size_t start = source.at;
    if (start == source.size) {
        return {false, ""};
    }
    if (source.bytes[start] == '"') {
        const void *end = std::memchr(source.bytes + start + 1, '"', source.size - start - 1);
        source.at = end ? size_t(static_cast<const char *>(end) - source.bytes) + 1 : source.size;
        return {true, std::string(source.bytes + start + 1, source.at - start - (end ? 2 : 1))};
    }
    bool ended = source.bytes[start] == '{' || source.bytes[start] == '}';
    for (source.at++; !ended && source.at < source.size; source.at++) {
        const char character = source.bytes[source.at];
        if (isBlank(character) || character == '{' || character == '}') {
            break;
        }
        ended = character == ':';
    }
    return {false, std::string(source.bytes + start, source.at - start)};
}

bool endsRecord(const Token &token) {
    return !token.quoted && (token.text.empty() || token.text == "}" || token.text.back() == ':');
}

FbxValue valueOf(const Token &token) {
    FbxValue value = {0, 0.0, token.text, {}};
    const char *digits = token.text.c_str() + (token.text[0] == '*');
    if (!token.quoted) {
        value.integer = std::strtoll(digits, nullptr, 10);
        value.number = std::strtod(digits, nullptr);
    }
    return value;
}

/* Reads records up to a closing brace or the end. skipped: without their values. */
bool readRecords(Source &source, unsigned depth, bool skipped, FbxRecord *parent) {
    Token token = nextToken(source);
    while (!token.text.empty() && !(token.text == "}" && !token.quoted)) {
        if (!endsRecord(token) || depth > DEPTH_MAX) {
            return false;
        }
        parent->children.emplace_back();
        FbxRecord &record = parent->children.back();
        record.name = token.text.substr(0, token.text.size() - 1);
        for (token = nextToken(source); !endsRecord(token) && (token.quoted || token.text != "{");
             token = nextToken(source)) {
            if (!skipped) {
                record.values.push_back(valueOf(token));
            }
        }
        if (!token.quoted && token.text == "{") {
            if (!readRecords(source, depth + 1, skipped || record.name == "Geometry", &record)) {
                return false;
            }
            token = nextToken(source);
        }
    }
    return true;
}

} // namespace

const FbxRecord *FbxRecord::child(const char *wanted) const {
    for (const FbxRecord &record : children) {
        if (record.name == wanted) {
            return &record;
        }
    }
    return nullptr;
}

std::string FbxRecord::textOf(size_t value) const {
    return value < values.size() ? values[value].text : "";
}

int64_t FbxRecord::integerOf(size_t value) const {
    return value < values.size() ? values[value].integer : 0;
}

std::vector<double> FbxRecord::numbers() const {
    const FbxRecord *inside = child("a");
    if (!inside && values.size() == 1 && !values[0].array.empty()) {
        return values[0].array;
    }
    std::vector<double> numbers;
    for (const FbxValue &value : (inside ? inside : this)->values) {
        numbers.push_back(value.number);
    }
    return numbers;
}

bool fbxReadTree(const char *bytes, size_t size, FbxRecord *root) {
    Source source = {bytes, size, 0};
    const bool binary = size >= HEADER_SIZE && std::memcmp(bytes, MAGIC, sizeof MAGIC) == 0;
    return binary ? readBinary(source, root) : readRecords(source, 0, false, root);
}
