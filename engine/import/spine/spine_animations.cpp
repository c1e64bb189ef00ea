/* spine_animations.cpp: the animations of a Spine file: timelines and events. */
#include "spine_source.h"

#include <algorithm>
#include <cmath>

namespace {

/* Members that one channel of a key may have. A member that is missing takes the value of the one named by `like`. */
struct Channel {
    const char *member;
    double fallback;
    int like; /* index of a channel before it; -1: the fallback */
};

/* How the file writes a timeline whose keys are numbers. Tables are constants: parsers run before constructors. */
struct Format {
    const char *name;
    SpineTimelineKind kind;
    uint32_t count;
    Channel channels[6];
};

constexpr Format BONE_FORMATS[] = {
    {"rotate", SPINE_TIMELINE_ROTATE, 1, {{"value", 0.0, -1}}},
    {"translate", SPINE_TIMELINE_TRANSLATE, 2, {{"x", 0.0, -1}, {"y", 0.0, -1}}},
    {"translatex", SPINE_TIMELINE_TRANSLATE_X, 1, {{"value", 0.0, -1}}},
    {"translatey", SPINE_TIMELINE_TRANSLATE_Y, 1, {{"value", 0.0, -1}}},
    {"scale", SPINE_TIMELINE_SCALE, 2, {{"x", 1.0, -1}, {"y", 1.0, -1}}},
    {"scalex", SPINE_TIMELINE_SCALE_X, 1, {{"value", 1.0, -1}}},
    {"scaley", SPINE_TIMELINE_SCALE_Y, 1, {{"value", 1.0, -1}}},
    {"shear", SPINE_TIMELINE_SHEAR, 2, {{"x", 0.0, -1}, {"y", 0.0, -1}}},
    {"shearx", SPINE_TIMELINE_SHEAR_X, 1, {{"value", 0.0, -1}}},
    {"sheary", SPINE_TIMELINE_SHEAR_Y, 1, {{"value", 0.0, -1}}},
};
constexpr Format TRANSFORM_FORMATS[] = {{"transform",
                                         SPINE_TIMELINE_TRANSFORM,
                                         6,
                                         {{"mixRotate", 1.0, -1},
                                          {"mixX", 1.0, -1},
                                          {"mixY", 1.0, 1},
                                          {"mixScaleX", 1.0, -1},
                                          {"mixScaleY", 1.0, 3},
                                          {"mixShearY", 1.0, -1}}}};
constexpr Format PATH_FORMATS[] = {
    {"position", SPINE_TIMELINE_PATH_POSITION, 1, {{"value", 0.0, -1}}},
    {"spacing", SPINE_TIMELINE_PATH_SPACING, 1, {{"value", 0.0, -1}}},
    {"mix", SPINE_TIMELINE_PATH_MIX, 3, {{"mixRotate", 1.0, -1}, {"mixX", 1.0, -1}, {"mixY", 1.0, 1}}},
};
constexpr Format PHYSICS_FORMATS[] = {
    {"inertia", SPINE_TIMELINE_INERTIA, 1, {{"value", 0.0, -1}}},
    {"strength", SPINE_TIMELINE_STRENGTH, 1, {{"value", 0.0, -1}}},
    {"damping", SPINE_TIMELINE_DAMPING, 1, {{"value", 0.0, -1}}},
    {"mass", SPINE_TIMELINE_MASS, 1, {{"value", 0.0, -1}}},
    {"wind", SPINE_TIMELINE_WIND, 1, {{"value", 0.0, -1}}},
    {"gravity", SPINE_TIMELINE_GRAVITY, 1, {{"value", 0.0, -1}}},
    {"mix", SPINE_TIMELINE_PHYSICS_MIX, 1, {{"value", 0.0, -1}}},
};
constexpr Format ALPHA_FORMATS[] = {{"alpha", SPINE_TIMELINE_ALPHA, 1, {{"value", 0.0, -1}}}};

/* Colours: digits of `first` and `second`. */
struct ColourFormat {
    const char *name;
    SpineTimelineKind kind;
    const char *first;
    size_t firstChannels;
};
constexpr ColourFormat COLOUR_FORMATS[] = {
    {"rgba", SPINE_TIMELINE_RGBA, "color", 4},
    {"rgb", SPINE_TIMELINE_RGB, "color", 3},
    {"rgba2", SPINE_TIMELINE_RGBA2, "light", 4},
    {"rgb2", SPINE_TIMELINE_RGB2, "light", 3},
};

class AnimationReader {
  public:
    AnimationReader(SpineSource &from, SpineAnimation &to, const std::string &name)
        : source(from), animation(to), where("animation '" + name + "'") {
    }

    void read(const cJSON *item, const cJSON *events) {
        readBones(memberOf(item, "bones"));
        readSlots(memberOf(item, "slots"));
        readConstraints(item);
        readAttachments(memberOf(item, "attachments"), false);
        readAttachments(memberOf(item, "deform"), true); /* 4.0 */
        const cJSON *order = memberOf(item, "drawOrder");
        readDrawOrder(order ? order : memberOf(item, "draworder"));
        readEvents(memberOf(item, "events"), events);
        if (!animation.timelines) {
            animation.timelines = newArray<SpineTimeline>(1);
        }
        if (!animation.events) {
            animation.events = newArray<SpineEvent>(1);
        }
    }

  private:
    SpineSource &source;
    SpineAnimation &animation;
    std::string where;

    /* ---- Keys of any kind ---- */

    /* Null: it has no keys, so it changes nothing. */
    SpineTimeline *begin(SpineTimelineKind kind, uint32_t target, const cJSON *keys, uint32_t channels,
                         uint32_t integers) {
        const int count = cJSON_GetArraySize(keys);
        if (count == 0) {
            return nullptr;
        }
        SpineTimeline &timeline = append(animation.timelines, animation.timelineCount);
        timeline.kind = kind;
        timeline.target = target;
        timeline.keyCount = static_cast<uint32_t>(count);
        timeline.channels = channels;
        timeline.curves = SPINE_TIMELINE_TYPES[kind].curves;
        timeline.integers = integers;
        timeline.times = newArray<float>(timeline.keyCount);
        timeline.shapes = newArray<uint32_t>(timeline.keyCount);
        timeline.values = channels > 0 ? newArray<float>(static_cast<size_t>(timeline.keyCount) * channels) : nullptr;
        timeline.numbers =
            integers > 0 ? newArray<int32_t>(static_cast<size_t>(timeline.keyCount) * integers) : nullptr;
        size_t i = 0;
        const cJSON *key;
        cJSON_ArrayForEach(key, keys) {
            timeline.times[i] = readTime(key);
            require(
                i == 0 || timeline.times[i] >= timeline.times[i - 1] ||
                engineFail(source.error, "%.120s has keys that are not in the order of their times", where.c_str()));
            i++;
        }
        if (timeline.curves > 0) {
            readCurves(timeline, keys);
        }
        return &timeline;
    }

    float readTime(const cJSON *key) {
        const float time = static_cast<float>(source.number(key, "time", 0.0, where));
        require(time >= 0.0f || engineFail(source.error, "%.120s has a key at a negative time", where.c_str()));
        animation.duration = std::max(animation.duration, time);
        return time;
    }

    void readCurves(SpineTimeline &timeline, const cJSON *keys) {
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            const cJSON *curve = memberOf(key, "curve");
            if (cJSON_IsString(curve)) {
                require(std::strcmp(curve->valuestring, "stepped") == 0 ||
                        engineFail(source.error, "%.120s has the curve '%.40s', which is not known", where.c_str(),
                                   curve->valuestring));
                timeline.shapes[i] = SPINE_STEPPED;
            } else if (cJSON_IsArray(curve) && i + 1 < timeline.keyCount) {
                timeline.shapes[i] = SPINE_BEZIER;
                readHandles(timeline, i, source.numbers(key, "curve", where));
            }
            i++;
        }
    }

    void readHandles(SpineTimeline &timeline, size_t key, const std::vector<double> &numbers) {
        const size_t count = static_cast<size_t>(timeline.curves) * 4;
        require(numbers.size() >= count || engineFail(source.error, "%.120s has a curve of %zu numbers instead of %zu",
                                                      where.c_str(), numbers.size(), count));
        if (!timeline.handles) {
            timeline.handles = newArray<float>(count * timeline.keyCount);
        }
        float *handles = timeline.handles + key * count;
        for (size_t i = 0; i < count; i++) {
            handles[i] = static_cast<float>(numbers[i]);
        }
    }

    void readNumbers(const Format &format, uint32_t target, const cJSON *keys) {
        const uint32_t channels = format.count;
        SpineTimeline *timeline = begin(format.kind, target, keys, channels, 0);
        if (!timeline) {
            return;
        }
        float *values = timeline->values;
        const cJSON *key;
        cJSON_ArrayForEach(key, keys) {
            for (uint32_t i = 0; i < channels; i++) {
                const Channel &channel = format.channels[i];
                const double fallback =
                    channel.like >= 0 ? static_cast<double>(values[channel.like]) : channel.fallback;
                values[i] = static_cast<float>(source.number(key, channel.member, fallback, where));
            }
            values += channels;
        }
    }

    /* False: the list has no such name. */
    template <size_t COUNT> bool readListed(const Format (&formats)[COUNT], uint32_t target, const cJSON *keys) {
        const Format *end = formats + COUNT;
        const Format *found =
            std::find_if(formats + 0, end, [&](const Format &format) { return keyOf(keys) == format.name; });
        if (found != end) {
            readNumbers(*found, target, keys);
        }
        return found != end;
    }

    void countUnknown(const cJSON *keys) {
        source.count("timelines of the unknown kind '" + keyOf(keys).substr(0, 40) + "', left out");
    }

    /* ---- Bones ---- */

    void readInherit(uint32_t bone, const cJSON *keys) {
        SpineTimeline *timeline = begin(SPINE_TIMELINE_INHERIT, bone, keys, 1, 0);
        if (!timeline) {
            return;
        }
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            timeline->values[i++] =
                static_cast<float>(source.choice(key, "inherit", SPINE_INHERIT_NAMES, SPINE_INHERIT_NORMAL, where));
        }
    }

    void readBones(const cJSON *bones) {
        const cJSON *bone, *keys;
        cJSON_ArrayForEach(bone, bones) {
            const uint32_t target = source.find(source.bones, "bone", keyOf(bone), where);
            cJSON_ArrayForEach(keys, bone) {
                if (keyOf(keys) == "inherit") {
                    readInherit(target, keys);
                } else if (!readListed(BONE_FORMATS, target, keys)) {
                    countUnknown(keys);
                }
            }
        }
    }

    /* ---- Slots ---- */

    void readShown(uint32_t slot, const cJSON *keys) {
        SpineTimeline *timeline = begin(SPINE_TIMELINE_SHOW, slot, keys, 0, 1);
        if (!timeline) {
            return;
        }
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            const bool named = cJSON_IsString(memberOf(key, "name"));
            timeline->numbers[i++] = named ? static_cast<int32_t>(source.name(textOf(key, "name", ""))) : -1;
        }
    }

    void readColours(const ColourFormat &format, uint32_t slot, const cJSON *keys) {
        const uint32_t channels = SPINE_TIMELINE_TYPES[format.kind].channels;
        SpineTimeline *timeline = begin(format.kind, slot, keys, channels, 0);
        if (!timeline) {
            return;
        }
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            float *values = timeline->values + channels * i++;
            std::fill_n(values, format.firstChannels, 1.0f);
            source.colour(key, format.first, values, format.firstChannels, where);
            source.colour(key, "dark", values + format.firstChannels, channels - format.firstChannels, where);
        }
    }

    void readSlot(uint32_t slot, const cJSON *keys) {
        const std::string name = keyOf(keys);
        for (const ColourFormat &format : COLOUR_FORMATS) {
            if (name == format.name) {
                readColours(format, slot, keys);
                return;
            }
        }
        if (name == "attachment") {
            readShown(slot, keys);
        } else if (!readListed(ALPHA_FORMATS, slot, keys)) {
            countUnknown(keys);
        }
    }

    void readSlots(const cJSON *slots) {
        const cJSON *slot, *keys;
        cJSON_ArrayForEach(slot, slots) {
            const uint32_t target = source.find(source.slots, "slot", keyOf(slot), where);
            cJSON_ArrayForEach(keys, slot) {
                readSlot(target, keys);
            }
        }
    }

    /* ---- Constraints ---- */

    uint32_t constraint(SpineConstraintKind kind, const cJSON *item) {
        return source.find(source.constraints[kind], SPINE_CONSTRAINT_NAMES[kind], keyOf(item), where);
    }

    void readIk(const cJSON *keys) {
        SpineTimeline *timeline = begin(SPINE_TIMELINE_IK, constraint(SPINE_IK, keys), keys, 5, 0);
        if (!timeline) {
            return;
        }
        float *values = timeline->values;
        const cJSON *key;
        cJSON_ArrayForEach(key, keys) {
            values[SPINE_IK_MIX] = static_cast<float>(source.number(key, "mix", 1.0, where));
            values[SPINE_IK_SOFTNESS] = static_cast<float>(source.number(key, "softness", 0.0, where));
            values[SPINE_IK_BEND] = flagOf(key, "bendPositive", true) ? 1.0f : -1.0f;
            values[SPINE_IK_COMPRESS] = flagOf(key, "compress", false);
            values[SPINE_IK_STRETCH] = flagOf(key, "stretch", false);
            values += 5;
        }
    }

    void readConstraints(const cJSON *item) {
        const cJSON *entry, *keys;
        cJSON_ArrayForEach(entry, memberOf(item, "ik")) {
            readIk(entry);
        }
        cJSON_ArrayForEach(entry, memberOf(item, "transform")) {
            readNumbers(TRANSFORM_FORMATS[0], constraint(SPINE_TRANSFORM, entry), entry);
        }
        cJSON_ArrayForEach(entry, memberOf(item, "path")) {
            const uint32_t target = constraint(SPINE_PATH_FOLLOW, entry);
            cJSON_ArrayForEach(keys, entry) {
                if (!readListed(PATH_FORMATS, target, keys)) {
                    countUnknown(keys);
                }
            }
        }
        cJSON_ArrayForEach(entry, memberOf(item, "physics")) {
            const bool all = keyOf(entry).empty();
            const uint32_t target = all ? source.spine->constraintCount : constraint(SPINE_PHYSICS, entry);
            cJSON_ArrayForEach(keys, entry) {
                if (keyOf(keys) == "reset") {
                    begin(SPINE_TIMELINE_RESET, target, keys, 0, 0);
                } else if (!readListed(PHYSICS_FORMATS, target, keys)) {
                    countUnknown(keys);
                }
            }
        }
    }

    /* ---- Attachments ---- */

    void readDeform(uint32_t attachment, const cJSON *keys) {
        const uint32_t width = 2 * source.spine->attachments[attachment].influenceCount;
        SpineTimeline *timeline = begin(SPINE_TIMELINE_DEFORM, attachment, keys, width, 0);
        if (!timeline) {
            return;
        }
        float *values = timeline->values;
        const cJSON *key;
        cJSON_ArrayForEach(key, keys) {
            const std::vector<double> numbers = source.numbers(key, "vertices", where);
            const uint32_t first = source.integer(source.number(key, "offset", 0.0, where), width + 1.0, where);
            require(numbers.size() <= width - first ||
                    engineFail(source.error, "%.120s moves vertices that an attachment does not have", where.c_str()));
            for (size_t i = 0; i < numbers.size(); i++) {
                values[first + i] = static_cast<float>(numbers[i]);
            }
            values += width;
        }
    }

    void readSequence(uint32_t attachment, const cJSON *keys) {
        SpineTimeline *timeline = begin(SPINE_TIMELINE_SEQUENCE, attachment, keys, 1, 2);
        if (!timeline) {
            return;
        }
        double delay = 0.0;
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            delay = source.number(key, "delay", delay, where); /* that of the key before */
            timeline->values[i] = static_cast<float>(delay);
            timeline->numbers[2 * i] =
                static_cast<int32_t>(source.choice(key, "mode", SPINE_SEQUENCE_NAMES, SPINE_SEQUENCE_HOLD, where));
            timeline->numbers[2 * i + 1] =
                static_cast<int32_t>(source.integer(source.number(key, "index", 0.0, where), 1 << 24, where));
            i++;
        }
    }

    void readAttachment(uint32_t attachment, const cJSON *item, bool old) {
        const cJSON *keys;
        if (old) {
            readDeform(attachment, item);
            return;
        }
        cJSON_ArrayForEach(keys, item) {
            if (keyOf(keys) == "deform") {
                readDeform(attachment, keys);
            } else if (keyOf(keys) == "sequence") {
                readSequence(attachment, keys);
            } else {
                countUnknown(keys);
            }
        }
    }

    void readAttachments(const cJSON *skins, bool old) {
        const cJSON *skin, *slot, *item;
        cJSON_ArrayForEach(skin, skins) {
            const uint32_t skinIndex = source.find(source.skins, "skin", keyOf(skin), where);
            cJSON_ArrayForEach(slot, skin) {
                const uint32_t slotIndex = source.find(source.slots, "slot", keyOf(slot), where);
                cJSON_ArrayForEach(item, slot) {
                    auto found = source.attachments.find({skinIndex, slotIndex, source.name(keyOf(item))});
                    if (found == source.attachments.end()) {
                        source.fail("attachment", keyOf(item), "has keys in " + where + ", but does not exist");
                    }
                    readAttachment(found->second, item, old);
                }
            }
        }
    }

    /* ---- Draw order and events ---- */

    /* Slots with an offset move by it from their place in the setup pose; the others fill the places that are left. */
    void readOrder(const cJSON *key, int32_t *order) {
        const uint32_t count = source.spine->slotCount;
        std::vector<bool> moved(count, false);
        const cJSON *entry;
        std::fill_n(order, count, -1);
        cJSON_ArrayForEach(entry, memberOf(key, "offsets")) {
            const uint32_t slot = source.find(source.slots, "slot", textOf(entry, "slot", ""), where);
            const double place = slot + source.number(entry, "offset", 0.0, where);
            const uint32_t to = source.integer(place, count, where);
            require((!moved[slot] && order[to] < 0) ||
                    engineFail(source.error, "%.120s gives a place of the draw order twice", where.c_str()));
            moved[slot] = true;
            order[to] = static_cast<int32_t>(slot);
        }
        uint32_t next = 0;
        for (uint32_t i = 0; i < count; i++) {
            while (order[i] < 0 && moved[next]) {
                next++;
            }
            order[i] = order[i] < 0 ? static_cast<int32_t>(next++) : order[i];
        }
    }

    void readDrawOrder(const cJSON *keys) {
        const uint32_t count = source.spine->slotCount;
        SpineTimeline *timeline = count > 0 ? begin(SPINE_TIMELINE_DRAW_ORDER, 0, keys, 0, count) : nullptr;
        if (!timeline) {
            return;
        }
        const cJSON *key;
        size_t i = 0;
        cJSON_ArrayForEach(key, keys) {
            readOrder(key, timeline->numbers + count * i++);
        }
    }

    void readEvents(const cJSON *keys, const cJSON *events) {
        const cJSON *key;
        cJSON_ArrayForEach(key, keys) {
            const std::string name = textOf(key, "name", "");
            const cJSON *setup = memberOf(events, name.c_str());
            require(setup || engineFail(source.error, "%.120s names the event '%.80s', which does not exist",
                                        where.c_str(), name.c_str()));
            SpineEvent &event = append(animation.events, animation.eventCount);
            event.name = childCopyText(name.c_str());
            event.time = readTime(key);
            const double integer = source.number(key, "int", source.number(setup, "int", 0.0, where), where);
            event.integer = static_cast<int32_t>(std::max(-2147483647.0, std::min(2147483647.0, integer)));
            event.number =
                static_cast<float>(source.number(key, "float", source.number(setup, "float", 0.0, where), where));
            event.text = childCopyText(textOf(key, "string", textOf(setup, "string", "")).c_str());
            if (!textOf(setup, "audio", "").empty()) {
                source.count("events with sounds, which are not played");
            }
        }
    }
};

} // namespace

void spineReadAnimations(SpineSource &source, const cJSON *root) {
    const cJSON *item;
    cJSON_ArrayForEach(item, memberOf(root, "animations")) {
        SpineAnimation &animation = append(source.spine->animations, source.spine->animationCount);
        animation.name = childCopyText(keyOf(item).c_str());
        AnimationReader(source, animation, keyOf(item)).read(item, memberOf(root, "events"));
    }
}
