#include "fbx_document.h"

#include <cmath>

namespace {

void readTemplates(FbxDocument *document) {
    const FbxRecord *definitions = document->root.child("Definitions");
    for (size_t i = 0; definitions && i < definitions->children.size(); i++) {
        const FbxRecord &kind = definitions->children[i], *of = kind.child("PropertyTemplate");
        if (kind.name == "ObjectType" && of) {
            document->templates[kind.textOf(0)] = of;
        }
    }
}

void connect(FbxDocument *document, const FbxRecord &link) {
    const int64_t lower = link.integerOf(1), upper = link.integerOf(2);
    const auto from = document->objects.find(lower), to = document->objects.find(upper);
    const std::string property = link.textOf(0) == "OP" ? link.textOf(3) : "";
    if (from == document->objects.end()) {
        return;
    }
    document->below[upper].push_back({from->second, property});
    if (to != document->objects.end()) {
        document->above[lower].push_back({to->second, property});
    }
}

const FbxRecord *propertyIn(const FbxRecord *owner, const char *name) {
    const FbxRecord *table = owner ? owner->child("Properties70") : nullptr;
    for (size_t i = 0; table && i < table->children.size(); i++) {
        if (table->children[i].textOf(0) == name) {
            return &table->children[i];
        }
    }
    return nullptr;
}

std::vector<FbxLink> linked(const std::map<int64_t, std::vector<FbxLink>> &links, const FbxRecord &object,
                            const char *kind) {
    std::vector<FbxLink> found;
    const auto all = links.find(fbxId(object));
    for (size_t i = 0; all != links.end() && i < all->second.size(); i++) {
        if (all->second[i].object->name == kind) {
            found.push_back(all->second[i]);
        }
    }
    return found;
}

double finiteOr(double value, double missing) {
    return std::isfinite(value) ? value : missing;
}

} // namespace

bool fbxReadDocument(const char *bytes, size_t size, FbxDocument *document) {
    const bool good = fbxReadTree(bytes, size, &document->root);
    const FbxRecord *objects = document->root.child("Objects"), *connections = document->root.child("Connections");
    for (size_t i = 0; objects && i < objects->children.size(); i++) {
        document->objects[fbxId(objects->children[i])] = &objects->children[i];
    }
    for (size_t i = 0; connections && i < connections->children.size(); i++) {
        connect(document, connections->children[i]);
    }
    readTemplates(document);
    return good;
}

std::vector<FbxLink> FbxDocument::lower(const FbxRecord &object, const char *kind) const {
    return linked(below, object, kind);
}

std::vector<FbxLink> FbxDocument::upper(const FbxRecord &object, const char *kind) const {
    return linked(above, object, kind);
}

const FbxRecord *FbxDocument::property(const FbxRecord &object, const char *name) const {
    const FbxRecord *own = propertyIn(&object, name);
    const auto kind = templates.find(object.name);
    return own || kind == templates.end() ? own : propertyIn(kind->second, name);
}

FbxVector FbxDocument::vector(const FbxRecord &object, const char *name, double missing) const {
    const FbxRecord *record = property(object, name);
    FbxVector vector = {missing, missing, missing};
    for (size_t i = 0; record && record->values.size() >= 7 && i < 3; i++) {
        vector[i] = finiteOr(record->values[4 + i].number, missing);
    }
    return vector;
}

double FbxDocument::number(const FbxRecord &object, const char *name, double missing) const {
    const FbxRecord *record = property(object, name);
    return record && record->values.size() >= 5 ? finiteOr(record->values[4].number, missing) : missing;
}

std::string fbxName(const FbxRecord &object) {
    const std::string text = object.textOf(1);
    const size_t zero = text.find('\0'), colons = text.find("::");
    return zero != std::string::npos     ? text.substr(0, zero)
           : colons == std::string::npos ? text
                                         : text.substr(colons + 2);
}

int64_t fbxId(const FbxRecord &object) {
    return object.integerOf(0);
}
