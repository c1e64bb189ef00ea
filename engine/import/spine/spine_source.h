/*
 * spine_source.h: what the sources of the reader of Spine files share: the document, names, and what was not understood.
 * For the parser's process.
 */
#ifndef ENGINE_SPINE_SOURCE_H
#define ENGINE_SPINE_SOURCE_H

#include "spine_atlas.h"

extern "C" {
#include "spine_model.h"
}

#include <cjson/cJSON.h>
#include <array>
#include <map>
#include <tuple>
#include <vector>

/* Adds a zeroed element to an array of the model and returns it. Room doubles, so pointers to elements do not stay. */
template <typename T> T &append(T *&array, uint32_t &count) {
    if ((count & (count - 1)) == 0) {
        T *longer = newArray<T>(count > 0 ? 2 * static_cast<size_t>(count) : 1);
        if (count > 0) {
            std::memcpy(static_cast<void *>(longer), array, count * sizeof(T));
        }
        std::free(array);
        array = longer;
    }
    return array[count++];
}

template <typename T> T *copyArray(const std::vector<T> &values) {
    T *array = newArray<T>(values.size());
    for (size_t i = 0; i < values.size(); i++) {
        array[i] = values[i];
    }
    return array;
}

struct SpineSource {
    EngineError *error;
    Model *model;
    SpineModel *spine;
    Atlas atlas;
    std::vector<std::array<double, 2>> pageSizes; /* in texels */
    std::map<std::string, uint32_t> names, bones, slots, skins;
    std::map<std::string, uint32_t> constraints[SPINE_CONSTRAINT_COUNT];      /* by kind */
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, uint32_t> attachments; /* by skin, slot, name */
    std::map<std::string, size_t> unread;                                     /* sentence: how often */
    std::map<std::string, std::string> first;                                 /* sentence: where it holds first */

    /* Counts something that is not shown as the file means it; the warning is "SENTENCE: COUNT". */
    void count(const std::string &sentence) {
        unread[sentence]++;
    }

    /* "SENTENCE (first: WHERE): COUNT" */
    void count(const std::string &sentence, const std::string &where) {
        first.emplace(sentence, where);
        count(sentence);
    }

    /* Stops with "WHAT 'NAME' FAULT". */
    [[noreturn]] void fail(const char *what, const std::string &name, const std::string &fault) const {
        engineFail(error, "%s '%.80s' %.200s", what, name.c_str(), fault.c_str());
        throw ParseFailed();
    }

    /* The index of a text among the 2D model's names, added where it is new. */
    uint32_t name(const std::string &text);

    /* The index of what a member names. kind: "bone". Stops where it does not exist. */
    uint32_t find(const std::map<std::string, uint32_t> &map, const char *kind, const std::string &name,
                  const std::string &where) const;

    /* ---- Members of objects. `where` is for messages: "bone 'hip'". Stops at a wrong type. ---- */

    double number(const cJSON *object, const char *member, double fallback, const std::string &where) const;
    std::vector<double> numbers(const cJSON *object, const char *member, const std::string &where) const;

    /* The position of a text in a null-terminated list; stops where it is not in it. */
    uint32_t choice(const cJSON *object, const char *member, const char *const *list, uint32_t fallback,
                    const std::string &where) const;

    /* "rrggbb" or "rrggbbaa" to numbers from 0 to 1. Channels that are not there stay. */
    void colour(const cJSON *object, const char *member, float *channels, size_t count, const std::string &where) const;

    uint32_t integer(double value, double limit, const std::string &where) const;
};

/* An object's child, or null. */
inline const cJSON *memberOf(const cJSON *object, const char *member) {
    return cJSON_GetObjectItemCaseSensitive(object, member);
}

/* A member that is a truth value or a text; the fallback where it is not. */
bool flagOf(const cJSON *object, const char *member, bool fallback);
std::string textOf(const cJSON *object, const char *member, const std::string &fallback);

inline std::string keyOf(const cJSON *item) {
    return item->string ? item->string : "";
}

/* Reads the attachments of all skins, after bones, slots and constraints. spine_attachments.cpp */
void spineReadAttachments(SpineSource &source, const cJSON *skins);

/* After attachments. spine_animations.cpp */
void spineReadAnimations(SpineSource &source, const cJSON *root);

/* After bones and slots. spine_constraints.cpp */
void spineReadConstraints(SpineSource &source, const cJSON *root);

#endif
