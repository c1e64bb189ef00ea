#include "fbx_document.h"

#include "fbx_old.h"
#include "fbx_source.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#define WARNINGS_MAX 8

namespace {

void readTemplates(FbxDocument *document) {
    for (const FbxRecord &kind : document->root.childrenOf("Definitions")) {
        const FbxRecord *of = kind.child("PropertyTemplate");
        if (kind.name == "ObjectType" && of) {
            document->templates[kind.textOf(0)] = of;
        }
    }
}

using FbxLinkKeys = std::set<std::tuple<int64_t, int64_t, std::string>>;

/* A link that is there twice counts once. */
void connect(FbxDocument *document, const FbxRecord &link, FbxLinkKeys *known) {
    const int64_t lower = link.integerOf(1), upper = link.integerOf(2);
    const auto from = document->objects.find(lower), to = document->objects.find(upper);
    const std::string property = link.textOf(0) == "OP" ? link.textOf(3) : "";
    if (from == document->objects.end() || !known->insert(std::make_tuple(lower, upper, property)).second) {
        return;
    }
    document->below[upper].push_back({from->second, property});
    if (to != document->objects.end()) {
        document->above[lower].push_back({to->second, property});
    }
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

/* Objects of 6.1 have names in place of ids. */
bool isOld(const FbxDocument &document) {
    const std::vector<FbxRecord> &objects = document.root.childrenOf("Objects");
    const bool named = std::any_of(objects.begin(), objects.end(), [](const FbxRecord &object) {
        return object.textOf(0).find("::") != std::string::npos;
    });
    return document.version > 0 ? document.version < 7000 : named;
}

#define OLDEST 6000u
#define NEWEST 7999u

/* The version of the file itself; the head of binary files before 6.0 has another one. */
bool isUnread(FbxDocument &document, EngineError *error) {
    const unsigned marked = document.version;
    const FbxRecord *head = document.root.child("FBXHeaderExtension"),
                    *own = head ? head->child("FBXVersion") : nullptr;
    const int64_t stated = own ? own->integerOf(0) : 0;
    const unsigned version = stated > 0 && stated <= INT32_MAX ? unsigned(stated) : document.version;
    document.version = version;
    if (version > 0 && version < OLDEST) {
        engineFail(error, "FBX %u.%u is older than this reader supports, which is %u.%u", version / 1000,
                   version / 100 % 10, OLDEST / 1000, OLDEST / 100 % 10);
        return true;
    }
    if (std::max(marked, version) > NEWEST) {
        engineFail(error, "FBX %u.%u is newer than this reader supports, which is %u.x",
                   std::max(marked, version) / 1000, std::max(marked, version) / 100 % 10, NEWEST / 1000);
        return true;
    }
    return false;
}

void addObject(FbxDocument *document, const FbxRecord &object) {
    const bool added = document->objects.insert({fbxId(object), &object}).second;
    if (!added && document->warnings.size() < WARNINGS_MAX) {
        document->warnings.push_back("several objects have the id " + std::to_string(fbxId(object)) +
                                     "; connections count for the first");
    }
}

double finiteOr(double value, double missing) {
    return std::isfinite(value) ? value : missing;
}

} // namespace

bool fbxReadDocument(const char *bytes, size_t size, FbxDocument *document, EngineError *error) {
    FbxTree tree;
    EngineError damage = {};
    const bool good = fbxReadTree(bytes, size, &tree, &damage);
    document->version = tree.version;
    document->root = std::move(tree.root);
    if (isUnread(*document, error)) {
        return false;
    }
    if (!good || !document->root.child("Objects")) {
        return engineFail(error, "not readable as FBX: %s", good ? "it has no objects" : damage.message);
    }
    if (isOld(*document)) {
        fbxRenew(&document->root, &document->warnings);
    }
    FbxLinkKeys known;
    for (const FbxRecord &object : document->root.childrenOf("Objects")) {
        addObject(document, object);
    }
    for (const FbxRecord &link : document->root.childrenOf("Connections")) {
        connect(document, link, &known);
    }
    readTemplates(document);
    return true;
}

std::vector<FbxLink> FbxDocument::lower(const FbxRecord &object, const char *kind) const {
    return linked(below, object, kind);
}

std::vector<FbxLink> FbxDocument::upper(const FbxRecord &object, const char *kind) const {
    return linked(above, object, kind);
}

const FbxRecord *FbxDocument::property(const FbxRecord &object, const char *name) const {
    const FbxRecord *own = fbxOwnProperty(object, name);
    const auto kind = templates.find(object.name);
    return own || kind == templates.end() ? own : fbxOwnProperty(*kind->second, name);
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

std::string FbxDocument::text(const FbxRecord &object, const char *name) const {
    const FbxRecord *record = property(object, name);
    return record ? record->textOf(4) : "";
}

double FbxDocument::setting(const char *name, double missing) const {
    const FbxRecord *settings = root.child("GlobalSettings");
    return settings ? number(*settings, name, missing) : missing;
}
