#include "fbx_source.h"

#include "parser.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace {

/* A text without its quotation marks, a brace, or a word; words end at blanks, commas, braces, and after a colon. */
struct Token {
    bool quoted;
    std::string text; /* empty and not quoted: the end */

    bool is(char character) const {
        return !quoted && text.size() == 1 && text[0] == character;
    }
};

bool isBlank(char character) {
    return character == ' ' || character == '\t' || character == '\r' || character == '\n' || character == ',';
}

bool isDigit(char character) {
    return character >= '0' && character <= '9';
}

/* ---- Values ---- */

/* Writes the characters for which texts have names. */
void replaceNames(std::string *text) {
    static const std::pair<const char *, char> names[] = {{"&quot;", '"'}, {"&cr;", '\r'}, {"&lf;", '\n'}};
    for (size_t at = text->find('&'); at != std::string::npos; at = text->find('&', at + 1)) {
        for (const auto &name : names) {
            if (text->compare(at, std::strlen(name.first), name.first) == 0) {
                text->replace(at, std::strlen(name.first), 1, name.second);
            }
        }
    }
}

/* "1.#INF", "-1.#IND", "1.#QNAN" and the like. */
double oddNumber(const std::string &text) {
    const double size = text.find("INF") != std::string::npos ? HUGE_VAL : std::nan("");
    return text[0] == '-' ? -size : size;
}

bool isNumber(const std::string &text) {
    const size_t first = text[0] == '-' || text[0] == '+' || text[0] == '*';
    return isDigit(text[first]) || (text[first] == '.' && isDigit(text[first + 1])) ||
           text.compare(first, 3, "nan") == 0 || text.compare(first, 3, "inf") == 0;
}

bool isWhole(const std::string &text) {
    return std::all_of(text.begin() + (text[0] == '-' || text[0] == '+' || text[0] == '*'), text.end(), isDigit);
}

FbxValue numberValue(const std::string &text, bool whole) {
    const char *digits = text.c_str() + (text[0] == '*');
    if (whole) {
        const int64_t integer = std::strtoll(digits, nullptr, 10);
        return {integer, double(integer), {}};
    }
    return fbxNumber(text.find('#') == std::string::npos ? std::strtod(digits, nullptr) : oddNumber(text));
}

/* A letter is a number, as in binary files. whole: receives whether it has no part after the point. */
FbxValue valueOf(Token &token, bool *whole) {
    const bool digits = !token.quoted && isNumber(token.text),
               letter = !token.quoted && !digits && token.text.size() == 1;
    *whole = letter || (digits && isWhole(token.text));
    return digits   ? numberValue(token.text, *whole)
           : letter ? FbxValue{token.text[0], double(token.text[0]), {}}
                    : FbxValue{0, 0.0, std::move(token.text)};
}

/* The values of the characters of base64; -1: it is none. */
std::array<int, 256> base64Values() {
    const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::array<int, 256> values;
    values.fill(-1);
    for (int i = 0; i < 64; i++) {
        values[uint8_t(digits[i])] = i;
    }
    return values;
}

/* The bytes of a text of base64; nothing where it is not that. */
std::string decodeBase64(const std::string &text) {
    static const std::array<int, 256> values = base64Values();
    std::string bytes;
    uint32_t bits = 0;
    unsigned count = 0;
    bytes.reserve(text.size() / 4 * 3);
    for (const char character : text) {
        const int value = values[uint8_t(character)];
        if (value >= 0) {
            bits = bits << 6 | uint32_t(value);
            count += 6;
        }
        if (count >= 8) {
            count -= 8;
            bytes.push_back(char(bits >> count & 0xff));
        }
    }
    return bytes;
}

/* ---- Records ---- */

class Reader {
  public:
    Reader(const FbxSource &from, FbxTree *to, EngineError *reason) : source(from), tree(to), error(reason) {
        const bool marked = source.size >= 3 && std::memcmp(source.bytes, "\xef\xbb\xbf", 3) == 0; /* UTF-8 */
        source.at = marked ? 3 : 0;
        next();
    }

    bool read() {
        readVersion();
        const bool good = readRecords(0, &tree->root) && token.text.empty();
        return good || engineFail(error, "it is damaged in line %zu",
                                  1 + size_t(std::count(source.bytes, source.bytes + source.at, '\n')));
    }

  private:
    void skipBlanks() {
        while (source.at < source.size && (isBlank(source.bytes[source.at]) || source.bytes[source.at] == ';')) {
            const bool comment = source.bytes[source.at++] == ';';
            while (comment && source.at < source.size && source.bytes[source.at] != '\n') {
                source.at++;
            }
        }
    }

    void next() {
        skipBlanks();
        const char *start = source.bytes + source.at, *end = source.bytes + source.size;
        token.quoted = start < end && *start == '"';
        if (token.quoted) {
            const void *quote = std::memchr(start + 1, '"', size_t(end - start) - 1);
            const char *last = quote ? static_cast<const char *>(quote) : end;
            token.text.assign(start + 1, last);
            source.at = size_t(last - source.bytes) + (quote != nullptr);
            replaceNames(&token.text);
            return;
        }
        const char *last = start;
        bool ended = start == end;
        while (!ended) {
            const bool brace = *last == '{' || *last == '}';
            ended = brace || *last == ':';
            last += !brace || last == start;
            ended = ended || last == end || isBlank(*last);
        }
        token.text.assign(start, last);
        source.at = size_t(last - source.bytes);
    }

    bool endsRecord() const {
        return !token.quoted && (token.text.empty() || token.is('}') || token.text.back() == ':');
    }

    /* Reads records up to a closing brace or the end. */
    bool readRecords(unsigned depth, FbxRecord *parent) {
        while (!(token.text.empty() && !token.quoted) && !token.is('}')) {
            if (!endsRecord() || depth > FBX_DEPTH_MAX) {
                return false;
            }
            parent->children.emplace_back();
            if (!readRecord(depth, &parent->children.back())) {
                return false;
            }
        }
        return true;
    }

    bool readRecord(unsigned depth, FbxRecord *record) {
        record->name = token.text.substr(0, token.text.size() - 1);
        next();
        readValues(record);
        if (!token.is('{')) {
            return true;
        }
        next();
        if (!readRecords(depth + 1, record) || !token.is('}')) {
            return false;
        }
        next();
        takeArray(record);
        return true;
    }

    void readValues(FbxRecord *record) {
        record->array.kind = record->name == "a" ? 'l' : '\0';
        for (; !endsRecord() && !token.is('{'); next()) {
            bool whole;
            FbxValue value = valueOf(token, &whole);
            record->add(std::move(value), whole);
        }
        if (record->name == "Content") {
            joinContent(record);
        }
    }

    /* "*24 { a: ... }" becomes an array. */
    static void takeArray(FbxRecord *record) {
        if (record->children.size() == 1 && record->children[0].name == "a") {
            FbxArray inside = std::move(record->children[0].array);
            record->array = std::move(inside);
            record->children.clear();
            record->values.clear();
        }
    }

    /* Texts of base64, which are the bytes of a file. */
    static void joinContent(FbxRecord *record) {
        std::string all;
        for (const FbxValue &value : record->values) {
            all += decodeBase64(value.text);
        }
        record->values = {{0, 0.0, std::move(all)}};
    }

    /* The first line: "; FBX 7.4.0 project file". */
    void readVersion() {
        const std::string head(source.bytes, std::min(source.size, size_t(64)));
        const size_t at = head.find("; FBX ");
        unsigned major = 0, minor = 0;
        const char *text = at != std::string::npos ? head.c_str() + at : "";
        /* NOLINTNEXTLINE(cert-err34-c): so few digits fit */
        if (std::sscanf(text, "; FBX %3u.%1u", &major, &minor) == 2) {
            tree->version = 1000 * major + 100 * minor;
        }
    }

    FbxSource source;
    FbxTree *tree;
    EngineError *error;
    Token token = {};
};

} // namespace

bool fbxReadText(const FbxSource &source, FbxTree *tree, EngineError *error) {
    return Reader(source, tree, error).read();
}

/* What is not binary is text. */
bool fbxReadTree(const char *bytes, size_t size, FbxTree *tree, EngineError *error) {
    const FbxSource source = {bytes, size, 0};
    return fbxIsBinary(bytes, size) ? fbxReadBinary(source, tree, error) : fbxReadText(source, tree, error);
}
