/*
 * spine.cpp: reads 2D characters: skeletons that Spine 4.0 to 4.2 exported as JSON, with their .atlas and its pictures.
 * Written from the format's public documentation; docs/2d.md says what is read.
 */
#include "spine_source.h"

#include "readers.h"
#include "spine.h"

#include <algorithm>
#include <climits>
#include <cmath>

/* ---- Members of objects ---- */

uint32_t SpineSource::name(const std::string &text) {
    auto found = names.find(text);
    if (found == names.end()) {
        found = names.emplace(text, spine->nameCount).first;
        append(spine->names, spine->nameCount).text = childCopyText(text.c_str());
    }
    return found->second;
}

uint32_t SpineSource::find(const std::map<std::string, uint32_t> &map, const char *kind, const std::string &name,
                           const std::string &where) const {
    auto found = map.find(name);
    require(found != map.end() ||
            engineFail(error, "%.120s names the %s '%.80s', which does not exist", where.c_str(), kind, name.c_str()));
    return found->second;
}

double SpineSource::number(const cJSON *object, const char *member, double fallback, const std::string &where) const {
    const cJSON *item = memberOf(object, member);
    if (!item) {
        return fallback;
    }
    require((cJSON_IsNumber(item) && std::isfinite(static_cast<float>(item->valuedouble))) ||
            engineFail(error, "%.120s: '%s' is not a number", where.c_str(), member));
    return item->valuedouble;
}

bool flagOf(const cJSON *object, const char *member, bool fallback) {
    const cJSON *item = memberOf(object, member);
    return cJSON_IsBool(item) ? cJSON_IsTrue(item) : fallback;
}

std::string textOf(const cJSON *object, const char *member, const std::string &fallback) {
    const cJSON *item = memberOf(object, member);
    return cJSON_IsString(item) ? item->valuestring : fallback;
}

std::vector<double> SpineSource::numbers(const cJSON *object, const char *member, const std::string &where) const {
    std::vector<double> values;
    const cJSON *item;
    cJSON_ArrayForEach(item, memberOf(object, member)) {
        require((cJSON_IsNumber(item) && std::isfinite(static_cast<float>(item->valuedouble))) ||
                engineFail(error, "%.120s: '%s' has something that is not a number", where.c_str(), member));
        values.push_back(item->valuedouble);
    }
    return values;
}

uint32_t SpineSource::choice(const cJSON *object, const char *member, const char *const *list, uint32_t fallback,
                             const std::string &where) const {
    const cJSON *item = memberOf(object, member);
    if (!item) {
        return fallback;
    }
    const std::string value = cJSON_IsString(item) ? item->valuestring : "";
    for (uint32_t i = 0; list[i]; i++) {
        if (strcasecmp(list[i], value.c_str()) == 0) { /* 4.0 writes some of them with capitals */
            return i;
        }
    }
    engineFail(error, "%.120s: '%s' is '%.40s', which is not known", where.c_str(), member, value.c_str());
    throw ParseFailed();
}

void SpineSource::colour(const cJSON *object, const char *member, float *channels, size_t count,
                         const std::string &where) const {
    const cJSON *item = memberOf(object, member);
    if (!item) {
        return;
    }
    const std::string digits = cJSON_IsString(item) ? item->valuestring : "";
    bool good = digits.size() == 6 || digits.size() == 8;
    good = good && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    require(good || engineFail(error, "%.120s: '%s' is not a colour of 6 or 8 digits", where.c_str(), member));
    for (size_t i = 0; i < count && i * 2 < digits.size(); i++) {
        channels[i] = static_cast<float>(std::strtoul(digits.substr(i * 2, 2).c_str(), nullptr, 16)) / 255.0f;
    }
}

uint32_t SpineSource::integer(double value, double limit, const std::string &where) const {
    require((value >= 0.0 && value < limit && value == std::floor(value)) ||
            engineFail(error, "%.120s: %g is not a whole number below %g", where.c_str(), value, limit));
    return static_cast<uint32_t>(value);
}

namespace {

/* ---- The document ---- */

struct DeleteJson {
    void operator()(cJSON *item) const {
        cJSON_Delete(item);
    }
};
using Document = std::unique_ptr<cJSON, DeleteJson>;

Document parseDocument(const char *text, size_t size, EngineError *error) {
    const char *end = nullptr;
    Document document(cJSON_ParseWithLengthOpts(text, size, &end, false));
    if (!document) {
        size_t line = 1;
        for (const char *c = text; end && c < end && c < text + size; c++) {
            line += *c == '\n';
        }
        engineFail(error, "line %zu: not JSON", line);
        throw ParseFailed();
    }
    return document;
}

/* "4.2.22" to 4002; 0: no version. */
unsigned versionOf(const std::string &text) {
    unsigned major = 0, minor = 0;
    /* NOLINTNEXTLINE(cert-err34-c): three digits fit */
    return std::sscanf(text.c_str(), "%3u.%3u", &major, &minor) == 2 ? major * 1000 + minor : 0;
}

void readHead(SpineSource &source, const cJSON *root) {
    const cJSON *skeleton = memberOf(root, "skeleton");
    require(cJSON_IsObject(skeleton) || engineFail(source.error, "not a Spine file: it has no 'skeleton'"));
    const std::string version = textOf(skeleton, "spine", "");
    const unsigned number = versionOf(version);
    require((number >= 4000 && number <= 4002) ||
            engineFail(source.error, "Spine %.20s is not read; 4.0, 4.1 and 4.2 are",
                       version.empty() ? "of an unknown version" : version.c_str()));
    source.spine->version = childCopyText(version.c_str());
    source.spine->referenceScale = static_cast<float>(source.number(skeleton, "referenceScale", 100.0, "the skeleton"));
    require(source.spine->referenceScale > 0.0f ||
            engineFail(source.error, "the skeleton: 'referenceScale' is not above 0"));
    const char *const members[] = {"x", "y", "width", "height"};
    for (size_t i = 0; i < 4; i++) {
        source.spine->bounds[i] = static_cast<float>(source.number(skeleton, members[i], 0.0, "the skeleton"));
    }
}

/* ---- Bones and slots ---- */

/* Members of a bone's place, as SPINE_X and so on, and their defaults. */
const char *const LOCAL_MEMBERS[] = {"x", "y", "rotation", "scaleX", "scaleY", "shearX", "shearY"};

void addUnique(SpineSource &source, std::map<std::string, uint32_t> &map, const char *kind, const std::string &name,
               uint32_t index) {
    if (!map.emplace(name, index).second) {
        source.fail(kind, name, "exists twice");
    }
}

void readBones(SpineSource &source, const cJSON *root) {
    const cJSON *item;
    cJSON_ArrayForEach(item, memberOf(root, "bones")) {
        const std::string name = textOf(item, "name", ""), where = "bone '" + name + "'";
        const std::string parent = textOf(item, "parent", "");
        const uint32_t index = source.spine->boneCount;
        SpineBone &bone = append(source.spine->bones, source.spine->boneCount);
        bone.name = childCopyText(name.c_str());
        bone.parent = -1;
        if (!parent.empty()) {
            bone.parent = static_cast<int32_t>(source.find(source.bones, "bone", parent, where));
        }
        const char *member = memberOf(item, "inherit") ? "inherit" : "transform"; /* from 4.2; before it */
        bone.inherit = source.choice(item, member, SPINE_INHERIT_NAMES, SPINE_INHERIT_NORMAL, where);
        bone.skinOnly = flagOf(item, "skin", false);
        bone.length = static_cast<float>(source.number(item, "length", 0.0, where));
        for (int i = 0; i < SPINE_LOCAL_COUNT; i++) {
            const double fallback = i == SPINE_SCALE_X || i == SPINE_SCALE_Y ? 1.0 : 0.0;
            bone.local[i] = static_cast<float>(source.number(item, LOCAL_MEMBERS[i], fallback, where));
        }
        addUnique(source, source.bones, "bone", name, index);
    }
    require(source.spine->boneCount > 0 || engineFail(source.error, "the skeleton has no bones"));
}

void readSlots(SpineSource &source, const cJSON *root) {
    const cJSON *item;
    cJSON_ArrayForEach(item, memberOf(root, "slots")) {
        const std::string name = textOf(item, "name", ""), where = "slot '" + name + "'";
        const uint32_t index = source.spine->slotCount;
        SpineSlot &slot = append(source.spine->slots, source.spine->slotCount);
        slot.name = childCopyText(name.c_str());
        slot.bone = source.find(source.bones, "bone", textOf(item, "bone", ""), where);
        slot.shown = -1;
        if (cJSON_IsString(memberOf(item, "attachment"))) {
            slot.shown = static_cast<int32_t>(source.name(textOf(item, "attachment", "")));
        }
        slot.blend = source.choice(item, "blend", SPINE_BLEND_NAMES, SPINE_BLEND_NORMAL, where);
        slot.twoColours = memberOf(item, "dark") != nullptr;
        std::fill_n(slot.colour, 4, 1.0f);
        source.colour(item, "color", slot.colour, 4, where);
        source.colour(item, "dark", slot.dark, 3, where);
        addUnique(source, source.slots, "slot", name, index);
    }
}

/* ---- Skins ---- */

void readSkinMembers(SpineSource &source, const cJSON *item, SpineSkin &skin, const std::string &where) {
    const cJSON *entry;
    cJSON_ArrayForEach(entry, memberOf(item, "bones")) {
        const std::string bone = cJSON_IsString(entry) ? entry->valuestring : "";
        append(skin.bones, skin.boneCount) = source.find(source.bones, "bone", bone, where);
    }
    for (uint32_t kind = 0; kind < SPINE_CONSTRAINT_COUNT; kind++) {
        const char *list = SPINE_CONSTRAINT_NAMES[kind];
        cJSON_ArrayForEach(entry, memberOf(item, list)) {
            const std::string constraint = cJSON_IsString(entry) ? entry->valuestring : "";
            append(skin.constraints, skin.constraintCount) =
                source.find(source.constraints[kind], list, constraint, where);
        }
    }
    if (!skin.bones) {
        skin.bones = newArray<uint32_t>(1);
    }
    if (!skin.constraints) {
        skin.constraints = newArray<uint32_t>(1);
    }
}

void readSkins(SpineSource &source, const cJSON *root) {
    const cJSON *item;
    source.spine->defaultSkin = -1;
    cJSON_ArrayForEach(item, memberOf(root, "skins")) {
        const std::string name = textOf(item, "name", "");
        const uint32_t index = source.spine->skinCount;
        SpineSkin &skin = append(source.spine->skins, source.spine->skinCount);
        skin.name = childCopyText(name.c_str());
        readSkinMembers(source, item, skin, "skin '" + name + "'");
        addUnique(source, source.skins, "skin", name, index);
        if (name == "default") {
            source.spine->defaultSkin = static_cast<int32_t>(index);
        }
    }
    spineReadAttachments(source, memberOf(root, "skins"));
}

/* ---- Pages ---- */

void readPages(SpineSource &source, const char *folder) {
    source.model->textures = newArray<ModelTexture>(source.atlas.pages.size());
    for (const AtlasPage &from : source.atlas.pages) {
        SpinePage &page = append(source.spine->pages, source.spine->pageCount);
        page.name = childCopyText(from.name.c_str());
        page.texture = textureLoad(source.model, folder, from.name.c_str());
        page.premultiplied = from.premultiplied;
        page.nearest = from.nearest;
        page.repeats = from.repeats;
        /* The atlas may state the size before pictures were scaled: texture coordinates need that one. */
        double width = from.width, height = from.height;
        if (page.texture >= 0 && (width <= 0.0 || height <= 0.0)) {
            width = source.model->textures[page.texture].width;
            height = source.model->textures[page.texture].height;
        }
        source.pageSizes.push_back({width > 0.0 ? width : 1.0, height > 0.0 ? height : 1.0});
    }
}

/* ---- All of it ---- */

template <typename T> void provide(T *&array) {
    if (!array) {
        array = newArray<T>(1);
    }
}

/* Lists that are not there are empty arrays. */
void provideArrays(Model *model, SpineModel *spine) {
    provide(spine->names);
    provide(spine->pages);
    provide(spine->slots);
    provide(spine->skins);
    provide(spine->attachments);
    provide(spine->constraints);
    provide(spine->animations);
    provide(model->nodes);
    provide(model->skins);
    provide(model->meshes);
    provide(model->parts);
    provide(model->materials);
    provide(model->clips);
}

void warn(const SpineSource &source) {
    for (const auto &entry : source.unread) {
        const auto first = source.first.find(entry.first);
        const std::string where = first == source.first.end() ? "" : " (first: " + first->second + ")";
        childWarn(source.model, "%s%s: %zu", entry.first.c_str(), where.c_str(), entry.second);
    }
}

void convert(SpineSource &source, const cJSON *root, const char *folder) {
    readHead(source, root);
    readBones(source, root);
    readSlots(source, root);
    spineReadConstraints(source, root);
    readPages(source, folder);
    readSkins(source, root);
    spineReadAnimations(source, root);
    provideArrays(source.model, source.spine);
    warn(source);
}

/* ---- Files ---- */

constexpr size_t TEXT_MAX = static_cast<size_t>(256) << 20;

struct Text {
    FileBytes file = {};
    Text() = default;
    Text(const Text &) = delete;
    Text &operator=(const Text &) = delete;
    ~Text() {
        std::free(file.bytes);
    }
    bool read(const std::string &path) {
        return fileRead(path.c_str(), TEXT_MAX, &file);
    }
    const char *text() const {
        return reinterpret_cast<const char *>(file.bytes);
    }
};

/*
 * The atlas beside "NAME.json": NAME.atlas; where it does not exist, NAME without what follows its last dash, which
 * exports add ("-pro", "-ess"): NAME.atlas, NAME-pma.atlas.
 */
bool readAtlas(const std::string &path, Text &atlas, EngineError *error) {
    const std::string stem = path.substr(0, path.find_last_of('.'));
    const size_t slash = stem.find_last_of('/') + 1, dash = stem.find_last_of('-');
    const bool shorter = dash != std::string::npos && dash > slash;
    const std::string base = shorter ? stem.substr(0, dash) : stem;
    if (atlas.read(stem + ".atlas") || atlas.read(base + ".atlas") || atlas.read(base + "-pma.atlas") ||
        (shorter && atlas.read(stem + "-pma.atlas"))) {
        return true;
    }
    const std::string first = "'" + stem.substr(slash) + ".atlas'", second = "'" + base.substr(slash) + ".atlas'";
    return engineFail(error, "its atlas is missing: %.150s%s%.150s cannot be read", first.c_str(),
                      shorter ? " or " : "", shorter ? second.c_str() : "");
}

/* document: an object with 'skeleton', or not. */
Model *build(const cJSON *document, const char *atlas, size_t atlasSize, const char *folder, EngineError *error) {
    return makeModel([&](Model *model) {
        SpineSource source{};
        source.error = error;
        source.model = model;
        model->spines = newArray<SpineModel>(1);
        model->spineCount = 1;
        source.spine = model->spines;
        source.atlas = atlasParse(atlas, atlasSize, error);
        convert(source, document, folder);
    });
}

} // namespace

Model *spineParseTexts(const char *json, size_t jsonSize, const char *atlas, size_t atlasSize, const char *folder,
                       EngineError *error) {
    try {
        const Document document = parseDocument(json, jsonSize, error);
        return build(document.get(), atlas, atlasSize, folder, error);
    } catch (const ParseFailed &) {
        return nullptr;
    }
}

Model *spineParse(const char *path, EngineError *error) {
    Text json, atlas;
    if (!json.read(path)) {
        engineFail(error, "the file cannot be read, or is larger than 256 MiB");
        return nullptr;
    }
    try {
        const Document document = parseDocument(json.text(), json.file.size, error);
        SpineSource head{};
        SpineModel spine = {};
        head.error = error;
        head.spine = &spine;
        readHead(head, document.get()); /* before the atlas: files of other kinds or versions have none */
        std::free(spine.version);
        require(readAtlas(path, atlas, error));
        const std::unique_ptr<char, FreeMemory> folder(pathFolder(path));
        return build(document.get(), atlas.text(), atlas.file.size, folder.get(), error);
    } catch (const ParseFailed &) {
        return nullptr;
    }
}
