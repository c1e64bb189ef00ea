#include "fbx_old.h"

#include "fbx_object.h"

#include <algorithm>
#include <map>

namespace {

/* ---- Records ---- */

FbxValue textValue(const std::string &text) {
    return {0, 0.0, text};
}

FbxValue idValue(int64_t id) {
    return fbxNumber(double(id));
}

FbxRecord record(const char *name, std::vector<FbxValue> values) {
    FbxRecord made;
    made.name = name;
    made.values = std::move(values);
    return made;
}

FbxRecord *childOf(FbxRecord *parent, const char *name) {
    return const_cast<FbxRecord *>(parent->child(name));
}

void addProperty(FbxRecord *object, const std::string &name, const FbxValue &value) {
    if (!object->child("Properties70")) {
        object->children.push_back(record("Properties70", {}));
    }
    childOf(object, "Properties70")
        ->children.push_back(record("P", {textValue(name), textValue(""), textValue(""), textValue(""), value}));
}

/* "Model::Arm" for both forms of a name. */
std::string fullName(const std::string &text) {
    const size_t zero = text.find('\0');
    return zero == std::string::npos || zero + 2 > text.size() ? text
                                                               : text.substr(zero + 2) + "::" + text.substr(0, zero);
}

bool begins(const std::string &text, const char *start) {
    return text.compare(0, std::char_traits<char>::length(start), start) == 0;
}

/* Properties60 has no second name of the type. */
void renewProperties(FbxRecord *owner) {
    FbxRecord *table = owner ? childOf(owner, "Properties60") : nullptr;
    if (!table) {
        return;
    }
    table->name = "Properties70";
    for (FbxRecord &property : table->children) {
        property.name = "P";
        property.values.insert(property.values.begin() +
                                   std::min(std::ptrdiff_t(property.values.size()), std::ptrdiff_t(2)),
                               textValue(""));
    }
}

bool isGeometry(const FbxRecord &part) {
    return part.name == "Vertices" || part.name == "PolygonVertexIndex" || part.name == "Edges" ||
           part.name == "Shape" || begins(part.name, "Layer") || begins(part.name, "Geometry");
}

/* ---- The file ---- */

struct Object {
    int64_t id, mesh;                      /* mesh: of the geometry that was inside; 0: none */
    std::map<std::string, int64_t> shapes; /* channels of blend shapes by name */
};

class Renewer {
  public:
    Renewer(FbxRecord *from, std::vector<std::string> *lines) : root(from), warnings(lines) {
    }

    void run() {
        std::vector<FbxRecord> &objects = childOf(root, "Objects")->children;
        renewProperties(childOf(root, "GlobalSettings"));
        std::vector<FbxRecord> kept;
        for (FbxRecord &from : objects) {
            if (renewObject(&from)) {
                kept.push_back(std::move(from));
            }
        }
        objects = std::move(kept);
        std::for_each(objects.begin(), objects.end(), [&](FbxRecord &from) { renewPose(&from); });
        renewConnections();
        for (const FbxRecord &take : root->childrenOf("Takes")) {
            renewTake(take);
        }
        finish(&objects);
    }

  private:
    void link(const char *kind, int64_t lower, int64_t upper, const std::string &property) {
        links.push_back(record("C", {textValue(kind), idValue(lower), idValue(upper), textValue(property)}));
    }

    static FbxRecord object(const char *kind, int64_t id, const std::string &name, const char *type) {
        return record(kind, {idValue(id), textValue("::" + name), textValue(type)});
    }

    /* False: an object before it has its name. */
    bool renewObject(FbxRecord *from) {
        renewProperties(from);
        if (from->name == "GlobalSettings" || from->values.empty()) {
            return true;
        }
        const std::string name = fullName(from->textOf(0));
        const auto [made, fresh] = known.insert({name, {nextId, 0, {}}});
        if (!fresh) {
            warnings->push_back("several objects have the name '" + name + "'; the first one counts");
            return false;
        }
        from->values.insert(from->values.begin(), idValue(nextId++));
        if (from->name == "Model" && from->child("Vertices")) {
            splitGeometry(from, &made->second);
        }
        return true;
    }

    void splitGeometry(FbxRecord *model, Object *made) {
        FbxRecord mesh = object("Geometry", nextId, fbxName(*model), "Mesh");
        made->mesh = nextId++;
        std::vector<FbxRecord> rest, shapes;
        for (FbxRecord &part : model->children) {
            (part.name == "Shape" ? shapes : isGeometry(part) ? mesh.children : rest).push_back(std::move(part));
        }
        model->children = std::move(rest);
        if (!shapes.empty()) {
            const int64_t blend = nextId++;
            added.push_back(object("Deformer", blend, "", "BlendShape"));
            link("OO", blend, made->mesh, "");
            for (FbxRecord &shape : shapes) {
                addShape(*model, blend, &shape, made);
            }
        }
        link("OO", made->mesh, made->id, "");
        added.push_back(std::move(mesh));
    }

    /* The weight is a property of the model, with the name of the shape. */
    void addShape(const FbxRecord &model, int64_t blend, FbxRecord *shape, Object *made) {
        const std::string name = shape->textOf(0);
        const int64_t id = nextId++, channel = nextId++;
        const FbxRecord *percent = fbxOwnProperty(model, name.c_str());
        FbxRecord geometry = object("Geometry", id, name, "Shape");
        FbxRecord deformer = object("Deformer", channel, name, "BlendShapeChannel");
        geometry.children = std::move(shape->children);
        addProperty(&deformer, "DeformPercent",
                    percent && percent->values.size() > 4 ? percent->values[4] : fbxNumber(0.0));
        deformer.children.push_back(record("FullWeights", {fbxNumber(100.0)}));
        link("OO", id, channel, "");
        link("OO", channel, blend, "");
        made->shapes[name] = channel;
        added.push_back(std::move(geometry));
        added.push_back(std::move(deformer));
    }

    const Object *find(const std::string &name) const {
        const auto found = known.find(fullName(name));
        return found == known.end() ? nullptr : &found->second;
    }

    void renewPose(FbxRecord *pose) {
        for (FbxRecord &part : pose->children) {
            FbxRecord *node = part.name == "PoseNode" ? childOf(&part, "Node") : nullptr;
            const Object *named = node ? find(node->textOf(0)) : nullptr;
            if (named) {
                node->values = {idValue(named->id)};
            }
        }
    }

    void renewConnections() {
        for (const FbxRecord &from : root->childrenOf("Connections")) {
            const Object *lower = find(from.textOf(1)), *upper = find(from.textOf(2));
            const bool deforms = begins(fullName(from.textOf(1)), "Deformer::");
            if (lower && (upper || fullName(from.textOf(2)) == "Model::Scene")) {
                const int64_t to = !upper ? 0 : deforms && upper->mesh ? upper->mesh : upper->id;
                link(from.textOf(0).c_str(), lower->id, to, from.textOf(3));
            }
        }
    }

    /* ---- Takes ---- */

    void renewTake(const FbxRecord &take) {
        if (take.name != "Take") {
            return;
        }
        const int64_t stack = nextId++, layer = nextId++;
        FbxRecord made = object("AnimationStack", stack, take.textOf(0), "");
        for (const std::string kind : {"Local", "Reference"}) {
            const FbxRecord *time = take.child((kind + "Time").c_str());
            if (time && time->values.size() >= 2) {
                addProperty(&made, kind + "Start", time->values[0]);
                addProperty(&made, kind + "Stop", time->values[1]);
            }
        }
        if (hasLayers(take)) {
            warnings->push_back("take '" + take.textOf(0) + "' has layers, which are not read in files of 6.1");
        }
        added.push_back(std::move(made));
        added.push_back(object("AnimationLayer", layer, "", ""));
        link("OO", layer, stack, "");
        for (const FbxRecord &part : take.children) {
            const Object *target = part.values.empty() ? nullptr : find(part.textOf(0));
            for (size_t i = 0; target && i < part.children.size(); i++) {
                renewChannel(layer, *target, part.children[i]);
            }
        }
    }

    /* Layers of a take or of a channel. LayerType only numbers the channels of a transform. */
    static bool hasLayers(const FbxRecord &from) {
        return std::any_of(from.children.begin(), from.children.end(), [](const FbxRecord &part) {
            return (begins(part.name, "Layer") && part.name != "LayerType") || hasLayers(part);
        });
    }

    void renewChannel(int64_t layer, const Object &target, const FbxRecord &channel) {
        static const std::map<std::string, const char *> transform = {
            {"T", "Lcl Translation"}, {"R", "Lcl Rotation"}, {"S", "Lcl Scaling"}};
        const std::string name = channel.textOf(0);
        const auto shape = target.shapes.find(name);
        if (channel.name != "Channel") {
            return;
        }
        if (name != "Transform") {
            const bool weight = shape != target.shapes.end();
            addCurves(layer, weight ? shape->second : target.id, weight ? "DeformPercent" : name, channel);
            return;
        }
        for (const FbxRecord &part : channel.children) {
            const auto property = transform.find(part.textOf(0));
            if (part.name == "Channel" && property != transform.end()) {
                addCurves(layer, target.id, property->second, part);
            }
        }
    }

    /* A channel with keys is a number; one without has a channel for each component. */
    void addCurves(int64_t layer, int64_t target, const std::string &property, const FbxRecord &channel) {
        const int64_t id = nextId++;
        FbxRecord curves = object("AnimationCurveNode", id, property, "");
        bool any = addCurve(id, property, channel, &curves);
        for (const FbxRecord &part : channel.children) {
            if (part.name == "Channel") {
                const bool keys = addCurve(id, part.textOf(0), part, &curves);
                any = any || keys;
            }
        }
        if (any) {
            link("OO", id, layer, "");
            link("OP", id, target, property);
            added.push_back(std::move(curves));
        }
    }

    bool addCurve(int64_t curves, const std::string &component, const FbxRecord &channel, FbxRecord *node) {
        const FbxRecord *value = channel.child("Default");
        FbxRecord curve = object("AnimationCurve", nextId, "", "");
        if (value && !value->values.empty()) {
            addProperty(node, "d|" + component, value->values[0]);
        }
        if (!channel.child("Key")) {
            return false;
        }
        if (!fbxRenewCurve(channel, &curve)) {
            warnings->push_back("keys of '" + fbxName(*node) + "' have a form that is not known, and are not played");
            return false;
        }
        link("OP", nextId++, curves, "d|" + component);
        added.push_back(std::move(curve));
        return true;
    }

    /* ---- The result ---- */

    void finish(std::vector<FbxRecord> *objects) {
        FbxRecord connections = record("Connections", {}), settings;
        connections.children = std::move(links);
        for (const FbxRecord &object : *objects) {
            settings = object.name == "GlobalSettings" ? object : settings;
        }
        std::move(added.begin(), added.end(), std::back_inserter(*objects));
        for (FbxRecord &part : root->children) {
            part.name = part.name == "Connections" || part.name == "Takes" ? "Old" : part.name;
        }
        root->children.push_back(std::move(connections));
        if (!settings.name.empty()) {
            root->children.push_back(std::move(settings));
        }
    }

    FbxRecord *root;
    std::vector<std::string> *warnings;
    std::map<std::string, Object> known;
    std::vector<FbxRecord> added, links;
    int64_t nextId = 1;
};

} // namespace

void fbxRenew(FbxRecord *root, std::vector<std::string> *warnings) {
    Renewer(root, warnings).run();
}
