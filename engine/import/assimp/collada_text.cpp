#include "collada_text.h"

#include "parser.h"

#include <algorithm>
#include <cmath>
#include <map>

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

/* ---- Morph controllers ---- */

struct Controllers {
    std::map<std::string, std::string> morphs; /* what each is of: a mesh, or another controller */
    std::set<std::string> skins;
};

Controllers readControllers(const std::string &text) {
    Controllers controllers;
    std::string id;
    ColladaTag tag;
    for (size_t from = 0; colladaNextTag(text, from, &tag); from = tag.end) {
        if (tag.name == "controller") {
            id = colladaAttribute(text, tag, "id");
        } else if (tag.name == "morph") {
            controllers.morphs[id] = colladaAttribute(text, tag, "source");
        } else if (tag.name == "skin") {
            controllers.skins.insert(id);
        }
    }
    return controllers;
}

/* What a controller is of, below all morph controllers. They may form a circle. */
std::string sourceOf(const Controllers &controllers, std::string id) {
    for (size_t i = 0; i <= controllers.morphs.size(); i++) {
        const auto found = controllers.morphs.find(id);
        if (found == controllers.morphs.end()) {
            break;
        }
        id = found->second;
    }
    return id;
}

} // namespace

bool colladaNextTag(const std::string &text, size_t from, ColladaTag *tag) {
    tag->at = text.find('<', from);
    while (tag->at != std::string::npos) {
        const bool comment = text.compare(tag->at, 4, "<!--") == 0, data = text.compare(tag->at, 9, "<![CDATA[") == 0;
        if (!comment && !data) {
            break;
        }
        const size_t end = text.find(comment ? "-->" : "]]>", tag->at);
        tag->at = end == std::string::npos ? end : text.find('<', end);
    }
    tag->end = tag->at == std::string::npos ? tag->at : text.find('>', tag->at);
    if (tag->end == std::string::npos) {
        return false;
    }
    const size_t name = tag->at + 1;
    tag->name = text.substr(name, std::min(text.find_first_of(" \t\r\n/>", name + 1), tag->end) - name);
    tag->end++;
    return true;
}

std::string colladaAttribute(const std::string &text, const ColladaTag &tag, const char *name) {
    const std::string wanted = std::string(name) + "=";
    size_t at = text.find(wanted, tag.at);
    while (at < tag.end && !std::strchr(BLANKS, text[at - 1])) {
        at = text.find(wanted, at + 1);
    }
    at += wanted.size() + 1; /* behind the quotation mark */
    if (at >= tag.end) {
        return "";
    }
    const size_t end = std::min(text.find(text[at - 1], at), tag.end);
    at += text[at] == '#';
    return text.substr(at, std::max(end, at) - at);
}

std::set<std::string> colladaMend(std::string *text, const std::string &nodes) {
    const Controllers controllers = readControllers(*text);
    std::set<std::string> replaced;
    std::string changed;
    ColladaTag tag;
    bool open = false; /* an instance whose name was changed */
    size_t copied = 0;
    for (size_t from = 0; colladaNextTag(*text, from, &tag); from = tag.end) {
        const bool instance = tag.name == "instance_controller";
        const std::string id = colladaAttribute(*text, tag, instance ? "url" : "source"),
                          source = sourceOf(controllers, id);
        changed.append(*text, copied, tag.at - copied);
        copied = tag.end;
        if (tag.name == "controller" && controllers.morphs.count(colladaAttribute(*text, tag, "id")) > 0) {
            while (tag.name != "/controller" && colladaNextTag(*text, tag.end, &tag)) {
                copied = tag.end;
            }
        } else if (tag.name == "/instance_controller" && open) {
            changed += "</instance_geometry>";
            open = false;
        } else if ((instance || tag.name == "skin") && source != id) {
            const bool mesh = instance && controllers.skins.count(source) == 0, closed = (*text)[tag.end - 2] == '/';
            changed += "<" + (mesh ? "instance_geometry" : tag.name) + (instance ? " url" : " source") + "=\"#" +
                       source + (closed ? "\"/>" : "\">");
            open = mesh && !closed;
            replaced.insert(id);
        } else {
            changed += tag.name == "/visual_scene" ? nodes : "";
            changed.append(*text, tag.at, tag.end - tag.at);
        }
        ColladaTag next;
        if (tag.name == "skin" && colladaNextTag(*text, tag.end, &next) && next.name != "bind_shape_matrix") {
            changed += "<bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>";
        }
    }
    changed += text->substr(std::min(copied, text->size()));
    *text = changed;
    return replaced;
}

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
