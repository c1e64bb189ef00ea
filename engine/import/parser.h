/* parser.h: what the C++ sources of the importers share. For the parser's process. */
#ifndef ENGINE_PARSER_H
#define ENGINE_PARSER_H

extern "C" {
#include "child.h"
#include "engine_error.h"
#include "mesh_finish.h"
#include "model.h"
#include "named_files.h"
#include "rest_pose.h"
}

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include <strings.h>

/* Thrown after a message was written to the importer's EngineError. */
struct ParseFailed {};

/* require(condition || engineFail(...)): stops the conversion where the condition is false. */
inline void require(bool good) {
    if (!good) {
        throw ParseFailed();
    }
}

/* Zeroed memory for the model, or for free(). */
template <typename T> T *newArray(size_t count) {
    return static_cast<T *>(childAllocate(count, sizeof(T)));
}

struct FreeMemory {
    void operator()(void *memory) const {
        std::free(memory);
    }
};

/* Such memory; release() gives it to the model. */
template <typename T> using Array = std::unique_ptr<T[], FreeMemory>;

inline bool hasExtension(const char *path, const char *extension) {
    const char *dot = std::strrchr(path, '.');
    return dot && strcasecmp(dot, extension) == 0;
}

/* Limited to 0 to 1; what is not a number becomes 0. */
inline float linearFromSrgb(float value) {
    value = std::fmin(std::fmax(value, 0.0f), 1.0f);
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
}

/* A copy of the name; of "KIND INDEX" where that is empty. */
inline char *nameOr(const char *name, const char *kind, size_t index) {
    return childCopyText(name[0] ? name : (kind + std::to_string(index)).c_str());
}

/* Makes a model by fill(model); null where that throws ParseFailed. */
template <typename Convert> Model *makeModel(Convert fill) {
    Model *model = newArray<Model>(1);
    try {
        fill(model);
        return model;
    } catch (const ParseFailed &) {
        modelFree(model);
        return nullptr;
    }
}

#endif
