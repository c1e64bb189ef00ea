#include "fbx_writer.h"

#include "fbx_document.h"
#include "fbx_source.h"
#include "fbx_flags.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <set>

namespace {

bool endsWith(const std::string &text, const char *end) {
    const size_t length = std::strlen(end);
    return text.size() >= length && text.compare(text.size() - length, length, end) == 0;
}

FbxRecord record(const char *name, std::vector<FbxValue> values) {
    FbxRecord made;
    made.name = name;
    made.values = std::move(values);
    return made;
}

FbxValue text(const std::string &value) {
    return {0, 0.0, value};
}

FbxValue number(double value) {
    return {int64_t(value), value, {}};
}

/* ---- Kinds of numbers ---- */

/* 'i', 'l', 'f' or 'd': what exporters write for arrays of that name. */
char kindOf(const std::string &name) {
    static const std::set<std::string> integers = {
        "PolygonVertexIndex", "Indexes",         "Materials", "Edges",
        "KeyAttrFlags",       "KeyAttrRefCount", "Smoothing", "PolygonIndexList"};
    return name == "KeyTime"                                                      ? 'l'
           : name == "KeyValueFloat" || name == "KeyAttrDataFloat"                ? 'f'
           : integers.count(name) || (endsWith(name, "Index") && name != "Index") ? 'i'
                                                                                  : 'd';
}

float fromBits(double bits) {
    const auto word = uint32_t(int64_t(bits));
    float value;
    std::memcpy(&value, &word, sizeof value);
    return value;
}

/* Slopes and packed weights as floats. Descriptions have the bits of all, or decimals with the bits of the weights. */
std::vector<double> keyData(const FbxRecord &record) {
    std::vector<double> numbers = record.numbers();
    const bool bits = record.array.kind == 'l' && std::all_of(numbers.begin(), numbers.end(), [](double n) {
                          return n == 0.0 || std::fabs(n) >= 8388608.0;
                      });
    for (size_t i = 0; i < numbers.size(); i++) {
        const bool weights = i % 4 == 2 && numbers[i] >= 65536.0;
        numbers[i] = bits || weights ? double(fromBits(numbers[i])) : numbers[i];
    }
    return numbers;
}

std::vector<double> numbersOf(const FbxRecord &record) {
    return record.name == "KeyAttrDataFloat" ? keyData(record) : record.numbers();
}

/* ---- 6.1 ---- */

class Ager {
  public:
    Ager(const FbxDocument &from, FbxRecord *to) : document(from), old(to) {
    }

    void run() {
        const FbxRecord *objects = document.root.child("Objects");
        nameObjects(*objects);
        old->children.push_back(header());
        FbxRecord all = record("Objects", {});
        for (const FbxRecord &object : objects->children) {
            if (isKept(object)) {
                all.children.push_back(age(object));
            }
        }
        if (document.root.child("GlobalSettings")) {
            all.children.push_back(agedProperties(*document.root.child("GlobalSettings")));
        }
        old->children.push_back(std::move(all));
        old->children.push_back(connections());
        old->children.push_back(takes(*objects));
    }

  private:
    static FbxRecord header() {
        FbxRecord head = record("FBXHeaderExtension", {});
        head.children = {record("FBXHeaderVersion", {number(1003)}), record("FBXVersion", {number(6100)})};
        return head;
    }

    void nameObjects(const FbxRecord &objects) {
        std::set<std::string> used;
        for (const FbxRecord &object : objects.children) {
            std::string name = object.textOf(1);
            name = name.find("::") == std::string::npos ? object.name + "::" + name : name;
            if (name == "Deformer::" || endsWith(name, "::") || !used.insert(name).second) {
                name += std::to_string(fbxId(object));
                used.insert(name);
            }
            names[fbxId(object)] = name;
        }
    }

    static bool isShapePart(const FbxRecord &object) {
        return fbxType(object) == "BlendShape" || fbxType(object) == "BlendShapeChannel";
    }

    static bool isKept(const FbxRecord &object) {
        return object.name != "NodeAttribute" && object.name != "Geometry" &&
               object.name.compare(0, 9, "Animation") != 0 && !isShapePart(object);
    }

    static FbxRecord agedProperties(const FbxRecord &from) {
        FbxRecord aged = from;
        for (FbxRecord &child : aged.children) {
            if (child.name == "Properties70") {
                child.name = "Properties60";
                for (FbxRecord &property : child.children) {
                    property.name = "Property";
                    property.values.erase(property.values.begin() + 2);
                }
            }
        }
        return aged;
    }

    FbxRecord age(const FbxRecord &object) const {
        FbxRecord aged = agedProperties(object);
        aged.values = {text(names.at(fbxId(object))), text(fbxType(object))};
        for (FbxRecord &child : aged.children) {
            for (FbxRecord &part : child.children) {
                if (child.name == "PoseNode" && part.name == "Node" && names.count(part.integerOf(0))) {
                    part.values = {text(names.at(part.integerOf(0)))};
                }
            }
        }
        for (const FbxLink &geometry : document.lower(object, "Geometry")) {
            if (object.name == "Model" && fbxType(*geometry.object) == "Mesh") {
                addMesh(*geometry.object, &aged);
            }
        }
        return aged;
    }

    void addMesh(const FbxRecord &mesh, FbxRecord *model) const {
        for (const FbxRecord &part : mesh.children) {
            if (part.name != "Properties70") {
                model->children.push_back(part);
            }
        }
        for (const FbxLink &blend : document.lower(mesh, "Deformer")) {
            for (const FbxLink &channel : document.lower(*blend.object, "Deformer")) {
                if (fbxType(*blend.object) == "BlendShape") {
                    addShape(*channel.object, model);
                }
            }
        }
    }

    void addShape(const FbxRecord &channel, FbxRecord *model) const {
        const std::string name = fbxName(channel);
        const FbxRecord *child = channel.child("DeformPercent");
        const double percent = document.number(channel, "DeformPercent", child ? child->numbers()[0] : 0.0);
        for (const FbxLink &shape : document.lower(channel, "Geometry")) {
            FbxRecord made = record("Shape", {text(name)});
            made.children = shape.object->children;
            model->children.push_back(std::move(made));
        }
        for (FbxRecord &part : model->children) {
            if (part.name == "Properties60") {
                part.children.push_back(record("Property", {text(name), text("Number"), text("A+"), number(percent)}));
                return;
            }
        }
        model->children.push_back(record("Properties60", {}));
        model->children.back().children.push_back(
            record("Property", {text(name), text("Number"), text("A+"), number(percent)}));
    }

    std::string upperName(int64_t id) const {
        return id == 0 ? "Model::Scene" : names.count(id) ? names.at(id) : "";
    }

    /* The model whose mesh it is; else the object itself. */
    int64_t ownerOf(int64_t id) const {
        const auto found = document.objects.find(id);
        if (found == document.objects.end() || found->second->name != "Geometry") {
            return id;
        }
        const std::vector<FbxLink> models = document.upper(*found->second, "Model");
        return models.empty() ? id : fbxId(*models[0].object);
    }

    FbxRecord connections() const {
        FbxRecord made = record("Connections", {});
        for (const FbxRecord &link : document.root.child("Connections")->children) {
            const auto lower = document.objects.find(link.integerOf(1)),
                       upper = document.objects.find(ownerOf(link.integerOf(2)));
            if (lower == document.objects.end() || !isKept(*lower->second) ||
                (upper != document.objects.end() && !isKept(*upper->second))) {
                continue;
            }
            const std::string to = upperName(ownerOf(link.integerOf(2)));
            made.children.push_back(
                record("Connect", {text(link.textOf(0)), text(names.at(link.integerOf(1))), text(to)}));
            if (link.textOf(0) == "OP") {
                made.children.back().values.push_back(text(link.textOf(3)));
            }
        }
        return made;
    }

    /* ---- Takes ---- */

    FbxRecord takes(const FbxRecord &objects) const {
        FbxRecord made = record("Takes", {});
        for (const FbxRecord &stack : objects.children) {
            if (stack.name == "AnimationStack") {
                made.children.push_back(take(stack));
            }
        }
        return made;
    }

    FbxRecord take(const FbxRecord &stack) const {
        FbxRecord made = record("Take", {text(fbxName(stack))});
        const double start = document.number(stack, "LocalStart", 0.0), stop = document.number(stack, "LocalStop", 0.0);
        made.children.push_back(record("LocalTime", {number(start), number(stop)}));
        for (const FbxLink &layer : document.lower(stack, "AnimationLayer")) {
            for (const FbxLink &curves : document.lower(*layer.object, "AnimationCurveNode")) {
                for (const char *kind : {"Model", "Deformer"}) {
                    for (const FbxLink &target : document.upper(*curves.object, kind)) {
                        addChannel(*target.object, target.property, *curves.object, &made);
                    }
                }
            }
        }
        return made;
    }

    /* Weights of shapes belong to the model. */
    const FbxRecord &modelOf(const FbxRecord &target) const {
        const FbxRecord *object = &target;
        while (object->name != "Model") {
            const char *kind = fbxType(*object) == "BlendShape" ? "Geometry"
                               : object->name == "Geometry"     ? "Model"
                                                                : "Deformer";
            object = document.upper(*object, kind).at(0).object;
        }
        return *object;
    }

    static FbxRecord *childNamed(FbxRecord *parent, const char *name, const std::string &value) {
        for (FbxRecord &child : parent->children) {
            if (child.name == name && child.textOf(0) == value) {
                return &child;
            }
        }
        parent->children.push_back(record(name, {text(value)}));
        return &parent->children.back();
    }

    void addChannel(const FbxRecord &target, const std::string &property, const FbxRecord &curves,
                    FbxRecord *take) const {
        FbxRecord *model = childNamed(take, "Model", names.at(fbxId(modelOf(target))));
        if (property.compare(0, 4, "Lcl ") == 0) {
            FbxRecord *channel =
                childNamed(childNamed(model, "Channel", "Transform"), "Channel", property.substr(4, 1));
            for (const char *axis : {"X", "Y", "Z"}) {
                addKeys(curves, std::string("d|") + axis, childNamed(channel, "Channel", axis));
            }
        } else {
            addKeys(curves, "", childNamed(model, "Channel", target.name == "Deformer" ? fbxName(target) : property));
        }
    }

    /* component: "" for the only one. */
    void addKeys(const FbxRecord &curves, const std::string &component, FbxRecord *channel) const {
        if (!component.empty()) {
            channel->children.push_back(record("Default", {number(document.number(curves, component.c_str(), 0.0))}));
        }
        for (const FbxLink &link : document.lower(curves, "AnimationCurve")) {
            if (component.empty() || link.property == component) {
                addCurve(*link.object, channel);
            }
        }
    }

    static void addCurve(const FbxRecord &curve, FbxRecord *channel) {
        const std::vector<double> times = curve.child("KeyTime")->numbers(),
                                  values = curve.child("KeyValueFloat")->numbers(),
                                  flags = curve.child("KeyAttrFlags")->numbers(),
                                  runs = curve.child("KeyAttrRefCount")->numbers(),
                                  data = keyData(*curve.child("KeyAttrDataFloat"));
        FbxRecord keys = record("Key", {});
        size_t run = 0, used = 0;
        for (size_t i = 0; i < times.size(); i++, used++) {
            while (run + 1 < runs.size() && double(used) >= runs[run]) {
                run++;
                used = 0;
            }
            keys.values.push_back(number(times[i]));
            keys.values.push_back(number(values[i]));
            addKind(int(flags[run]), &data[4 * run], &keys);
        }
        channel->children.push_back(record("KeyVer", {number(4005)}));
        channel->children.push_back(record("KeyCount", {number(double(times.size()))}));
        channel->children.push_back(std::move(keys));
        for (const char *name : {"Pre-Extrapolation", "Post-Extrapolation"}) {
            if (curve.child(name)) {
                channel->children.push_back(*curve.child(name));
            }
        }
    }

    static FbxValue letter(char character) {
        return {character, double(character), "\x01"}; /* marks a letter for the writers */
    }

    static void addKind(int flags, const double data[4], FbxRecord *keys) {
        std::vector<FbxValue> &list = keys->values;
        if (flags & FBX_FLAG_CONSTANT) {
            list.push_back(letter('C'));
            list.push_back(letter(flags & FBX_FLAG_NEXT ? 'n' : 's'));
        } else if (!(flags & FBX_FLAG_CUBIC)) {
            list.push_back(letter('L'));
        } else {
            list.push_back(letter('U'));
            const char mode = flags & FBX_FLAG_USER ? 's' : flags & FBX_FLAG_TCB ? 't' : 'a';
            list.push_back(letter(mode));
            for (int i = 0; i < (mode == 's' ? 2 : mode == 't' ? 3 : 0); i++) {
                list.push_back(number(data[i]));
            }
            addWeights(mode == 't' ? 0 : flags, data[2], &list);
        }
    }

    static void addWeights(int flags, double packed, std::vector<FbxValue> *list) {
        const auto bits = float(packed);
        uint32_t word;
        std::memcpy(&word, &bits, sizeof word);
        const bool right = flags & FBX_FLAG_WEIGHTED, left = flags & FBX_FLAG_WEIGHTED_NEXT;
        list->push_back(letter(right && left ? 'a' : right ? 'r' : left ? 'l' : 'n'));
        if (right) {
            list->push_back(number((word & 0xffff) / FBX_WEIGHT_ONE));
        }
        if (left) {
            list->push_back(number((word >> 16) / FBX_WEIGHT_ONE));
        }
    }

    const FbxDocument &document;
    FbxRecord *old;
    std::map<int64_t, std::string> names;
};

bool isLetter(const FbxValue &value) {
    return value.text == "\x01";
}

/* ---- Text ---- */

std::string quoted(const std::string &from) {
    std::string to = "\"";
    for (const char character : from) {
        to += character == '"' ? "&quot;" : std::string(1, character);
    }
    return to + "\"";
}

std::string printed(double value) {
    char line[40];
    std::snprintf(line, sizeof line, "%.17g", value);
    return line;
}

/* An empty text looks like the number 0. */
bool isText(const FbxRecord &owner, size_t index) {
    const size_t names = owner.name == "P" ? 4 : owner.name == "Property" ? 3 : 0;
    const bool object =
        owner.values.size() >= 2 && owner.values.size() <= 3 && owner.name != "C" &&
        (owner.values[0].text.find("::") != std::string::npos || owner.values[1].text.find("::") != std::string::npos);
    return !owner.values[index].text.empty() || index < names || (object && index > 0);
}

void writeText(const FbxRecord &from, int depth, std::string *to) {
    const std::string indent(size_t(depth), '\t');
    *to += indent + from.name + ": ";
    bool first = true;
    const auto separate = [&] {
        *to += first ? "" : ",";
        first = false;
    };
    for (size_t i = 0; i < from.values.size(); i++) {
        const FbxValue &value = from.values[i];
        separate();
        *to += isLetter(value)   ? std::string(1, char(value.integer))
               : isText(from, i) ? quoted(value.text)
                                 : printed(value.number);
    }
    for (double value : from.array.kind ? numbersOf(from) : std::vector<double>()) {
        separate();
        *to += printed(value);
    }
    if (!from.children.empty() || (from.values.empty() && !from.array.kind)) {
        *to += " {\n";
        for (const FbxRecord &child : from.children) {
            writeText(child, depth + 1, to);
        }
        *to += indent + "}";
    }
    *to += "\n";
}

/* ---- Binary ---- */

class BinaryWriter {
  public:
    BinaryWriter(uint32_t number, bool packed, bool big) : version(number), packs(packed), bigEndian(big) {
    }

    std::string write(const FbxRecord &root) {
        bytes.assign("Kaydara FBX Binary  \0\x1a\0", 23);
        bytes[22] = char(bigEndian);
        put(version);
        for (const FbxRecord &child : root.children) {
            writeRecord(child);
        }
        bytes.append(version >= 7500 ? 25 : 13, '\0');
        bytes.append(176, '\xfa'); /* exporters end with a mark */
        return bytes;
    }

  private:
    template <typename Number> void putAt(size_t at, Number value) {
        char raw[sizeof value];
        std::memcpy(raw, &value, sizeof value);
        if (bigEndian) {
            std::reverse(raw, raw + sizeof value);
        }
        std::copy(raw, raw + sizeof value, &bytes[at]);
    }

    template <typename Number> void put(Number value) {
        bytes.append(sizeof value, '\0');
        putAt(bytes.size() - sizeof value, value);
    }

    void putOffset(size_t at, size_t value) {
        if (version >= 7500) {
            putAt(at, uint64_t(value));
        } else {
            putAt(at, uint32_t(value));
        }
    }

    void writeRecord(const FbxRecord &from) {
        const size_t head = bytes.size(), width = version >= 7500 ? 8 : 4;
        bytes.append(3 * width, '\0');
        put(uint8_t(from.name.size()));
        bytes += from.name;
        const size_t values = bytes.size(), count = writeValues(from);
        putOffset(head + width, count);
        putOffset(head + 2 * width, bytes.size() - values);
        for (const FbxRecord &child : from.children) {
            writeRecord(child);
        }
        if (!from.children.empty() || (from.values.empty() && !from.array.kind)) {
            bytes.append(3 * width + 1, '\0');
        }
        putOffset(head, bytes.size());
    }

    size_t writeValues(const FbxRecord &from) {
        size_t count = from.values.size();
        for (size_t i = 0; i < from.values.size(); i++) {
            writeValue(from, i);
        }
        if (from.array.kind && version >= 7000) {
            writeArray(kindOf(from.name), numbersOf(from));
            count++;
        } else if (from.array.kind) {
            const std::vector<double> numbers = numbersOf(from);
            std::for_each(numbers.begin(), numbers.end(), [&](double value) { writeNumber(kindOf(from.name), value); });
            count += numbers.size();
        }
        return count;
    }

    void writeNumber(char kind, double value) {
        bytes.push_back(char(kind - 'a' + 'A'));
        putNumber(kind, value);
    }

    void putNumber(char kind, double value) {
        switch (kind) {
        case 'i':
            return put(int32_t(value));
        case 'l':
            return put(int64_t(value));
        case 'f':
            return put(float(value));
        default:
            return put(value);
        }
    }

    void writeValue(const FbxRecord &from, size_t index) {
        const FbxValue &value = from.values[index];
        static const std::set<std::string> whole = {"int",     "enum",  "bool",
                                                    "Integer", "KTime", "Visibility Inheritance"};
        if (isLetter(value) || from.name == "Type" || from.name == "Shading") {
            if (isLetter(value) || value.text.empty()) {
                bytes.push_back('C');
                return put(int8_t(value.integer));
            }
        }
        if (isText(from, index) || from.name == "Content") {
            return writeText(from.name == "Content" ? 'R' : 'S', value.text);
        }
        const bool property = from.name == "P" || from.name == "Property";
        const bool integer = value.number == double(value.integer) && (!property || whole.count(from.textOf(1)));
        writeNumber(!integer                                                                     ? 'd'
                    : std::fabs(value.number) > 2e9 || from.name == "C" || isObject(from, index) ? 'l'
                                                                                                 : 'i',
                    value.number);
    }

    /* An id. */
    static bool isObject(const FbxRecord &from, size_t index) {
        return index == 0 && from.values.size() == 3 && !from.values[1].text.empty();
    }

    /* "Model::Arm" is the name, two bytes and the kind. */
    void writeText(char kind, const std::string &value) {
        const size_t colons = value.find("::");
        const std::string written = colons == std::string::npos || kind == 'R'
                                        ? value
                                        : value.substr(colons + 2) + std::string("\0\x01", 2) + value.substr(0, colons);
        bytes.push_back(kind);
        put(uint32_t(written.size()));
        bytes += written;
    }

    void writeArray(char kind, const std::vector<double> &numbers) {
        bytes.push_back(kind);
        put(uint32_t(numbers.size()));
        put(uint32_t(packs));
        const size_t at = bytes.size();
        put(uint32_t(0));
        for (double value : numbers) {
            putNumber(kind, value);
        }
        if (packs) {
            pack(at + 4);
        }
        putAt(at, uint32_t(bytes.size() - at - 4));
    }

    /* A zlib stream of blocks that are stored as they are. */
    void pack(size_t at) {
        const std::string plain = bytes.substr(at);
        uint32_t low = 1, high = 0;
        for (const char byte : plain) {
            low = (low + uint8_t(byte)) % 65521;
            high = (high + low) % 65521;
        }
        bytes.resize(at);
        bytes += "\x78\x01";
        for (size_t done = 0; done < plain.size() || done == 0; done += 65535) {
            const size_t length = std::min(plain.size() - done, size_t(65535));
            const char head[] = {char(done + length == plain.size()), char(length & 0xff), char(length >> 8),
                                 char(~length & 0xff), char(~length >> 8 & 0xff)};
            bytes.append(head, sizeof head);
            bytes += plain.substr(done, length);
        }
        const uint32_t sum = high << 16 | low;
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes.push_back(char(sum >> shift & 0xff));
        }
    }

    uint32_t version;
    bool packs, bigEndian;
    std::string bytes;
};

std::string writtenAs(const FbxRecord &root, const FbxDocument &document, FbxForm form) {
    FbxRecord old;
    switch (form) {
    case FBX_FORM_BINARY:
        return BinaryWriter(7400, true, false).write(root);
    case FBX_FORM_WIDE:
        return BinaryWriter(7700, false, false).write(root);
    case FBX_FORM_BIG:
        return BinaryWriter(7700, false, true).write(root);
    default:
        break;
    }
    Ager(document, &old).run();
    if (form != FBX_FORM_OLD_TEXT) {
        return BinaryWriter(6100, false, form == FBX_FORM_OLD_BIG).write(old);
    }
    std::string written = "; FBX 6.1.0 project file\n";
    for (const FbxRecord &child : old.children) {
        writeText(child, 0, &written);
    }
    return written;
}

/* The version that a binary file states in its records. */
void setVersion(FbxRecord *root, double version) {
    for (FbxRecord &head : root->children) {
        for (FbxRecord &child : head.children) {
            if (child.name == "FBXVersion") {
                child.values = {number(version)};
            }
        }
    }
}

} // namespace

char *fbxWrite(const char *description, size_t size, FbxForm form, size_t *written) {
    FbxDocument document;
    FbxTree tree;
    EngineError error;
    if (!fbxReadDocument(description, size, &document, &error) || !fbxReadTree(description, size, &tree, &error)) {
        return nullptr;
    }
    setVersion(&tree.root, form == FBX_FORM_BINARY ? 7400 : 7700);
    const std::string bytes =
        form == FBX_FORM_TEXT ? std::string(description, size) : writtenAs(tree.root, document, form);
    char *copy = static_cast<char *>(std::malloc(bytes.size() + 1));
    std::memcpy(copy, bytes.c_str(), bytes.size() + 1);
    *written = bytes.size();
    return copy;
}
