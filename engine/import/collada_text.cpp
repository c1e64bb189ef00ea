#include "collada_text.h"

#include "parser.h"

#include <cmath>

namespace {

const char BLANKS[] = " \t\r\n";

/* Between "<!--" and "-->", and between "<![CDATA[" and "]]>", '>' ends no tag; nothing is lost there but blanks. */
std::string withoutLeadingBlanks(const std::string &text) {
    std::string stripped;
    size_t from = 0;
    stripped.reserve(text.size());
    while (from < text.size()) {
        size_t end = text.find('>', from);
        end = end == std::string::npos ? text.size() : end + 1;
        stripped.append(text, from, end - from);
        from = std::min(text.find_first_not_of(BLANKS, end), text.size());
    }
    return stripped;
}

} // namespace

bool colladaRead(const char *path, std::string *text) {
    FileBytes file;
    if (!fileRead(path, SIZE_MAX, &file)) {
        return false;
    }
    Array<uint8_t> owner(file.bytes);
    text->assign(reinterpret_cast<const char *>(file.bytes), file.size);
    if (text->find('\0') == std::string::npos) { /* UTF-16 has zero bytes */
        *text = withoutLeadingBlanks(*text);
    }
    return true;
}

ModelUp colladaUp(const std::string &text) {
    const std::string tag = "<up_axis>";
    const size_t at = text.find(tag);
    const char axis = at == std::string::npos || at + tag.size() >= text.size() ? 'Y' : text[at + tag.size()];
    return axis == 'Z' ? MODEL_UP_Z : axis == 'X' ? MODEL_UP_X : MODEL_UP_Y;
}

float colladaMetres(const std::string &text) {
    const std::string tag = "<unit ", name = "meter=";
    const size_t at = text.find(tag);
    const size_t value = at == std::string::npos ? at : text.find(name, at);
    if (value == std::string::npos || value > text.find('>', at)) {
        return 1.0f;
    }
    const float metres = std::strtof(text.c_str() + value + name.size() + 1, nullptr); /* after the quotation mark */
    return std::isfinite(metres) && metres > 0.0f ? metres : 1.0f;
}
