#include "spine_atlas.h"

#include <cmath>

namespace {

/* Sides of pages and places on them stay far below it. */
constexpr double TEXELS_MAX = 1e6;

std::string trimmed(const std::string &text) {
    const char *blank = " \t\r";
    size_t first = text.find_first_not_of(blank);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/* Up to four values behind the colon. */
struct Entry {
    std::string key;
    std::vector<std::string> values;
};

class Reader {
  public:
    Reader(const char *text, size_t size, EngineError *failed) : left(text, size), error(failed) {
    }

    Atlas read() {
        while (next()) {
            take();
        }
        finishRegion();
        require(!atlas.pages.empty() || engineFail(error, "the atlas has no page"));
        return std::move(atlas);
    }

  private:
    std::string left, line;
    EngineError *error;
    Atlas atlas;
    size_t at = 0, number = 0;
    bool inPage = false, inRegion = false;

    bool next() {
        if (at >= left.size()) {
            return false;
        }
        size_t end = left.find('\n', at);
        end = end == std::string::npos ? left.size() : end;
        line = trimmed(left.substr(at, end - at));
        at = end + 1;
        number++;
        return true;
    }

    /* A line is empty, "key: values", or a name. */
    void take() {
        size_t colon = line.find(':');
        if (line.empty()) {
            finishRegion();
            inPage = false;
        } else if (!inPage) {
            atlas.pages.emplace_back();
            atlas.pages.back().name = line;
            inPage = true;
        } else if (colon != std::string::npos) {
            const Entry entry = split(colon);
            inRegion ? takeRegion(entry) : takePage(entry);
        } else {
            finishRegion();
            atlas.regions.emplace_back();
            atlas.regions.back().name = line;
            atlas.regions.back().page = atlas.pages.size() - 1;
            inRegion = true;
        }
    }

    Entry split(size_t colon) const {
        Entry entry;
        entry.key = trimmed(line.substr(0, colon));
        size_t begin = colon + 1;
        for (size_t comma; entry.values.size() < 4; begin = comma + 1) {
            comma = line.find(',', begin);
            entry.values.push_back(trimmed(line.substr(begin, comma - begin)));
            if (comma == std::string::npos) {
                break;
            }
        }
        return entry;
    }

    void numbers(const Entry &entry, std::initializer_list<double *> targets) {
        size_t i = 0;
        for (double *target : targets) {
            char *end = nullptr;
            const std::string text = i < entry.values.size() ? entry.values[i] : "";
            *target = std::strtod(text.c_str(), &end);
            require((!text.empty() && *end == '\0' && std::fabs(*target) <= TEXELS_MAX) ||
                    engineFail(error, "line %zu of the atlas: '%.40s' needs %zu numbers", number, entry.key.c_str(),
                               targets.size()));
            i++;
        }
    }

    void takePage(const Entry &entry) {
        AtlasPage &page = atlas.pages.back();
        const std::string &value = entry.values[0];
        if (entry.key == "size") {
            numbers(entry, {&page.width, &page.height});
        } else if (entry.key == "pma") {
            page.premultiplied = value == "true";
        } else if (entry.key == "filter") {
            page.nearest = value == "Nearest";
        } else if (entry.key == "repeat") {
            page.repeats = (value == "x" || value == "xy" ? 1u : 0u) | (value == "y" || value == "xy" ? 2u : 0u);
        }
    }

    void takeRegion(const Entry &entry) {
        AtlasRegion &region = atlas.regions.back();
        if (entry.key == "bounds") {
            numbers(entry, {&region.x, &region.y, &region.width, &region.height});
        } else if (entry.key == "offsets") {
            numbers(entry, {&region.left, &region.bottom, &region.originalWidth, &region.originalHeight});
        } else if (entry.key == "xy") {
            numbers(entry, {&region.x, &region.y});
        } else if (entry.key == "size") {
            numbers(entry, {&region.width, &region.height});
        } else if (entry.key == "offset") {
            numbers(entry, {&region.left, &region.bottom});
        } else if (entry.key == "orig") {
            numbers(entry, {&region.originalWidth, &region.originalHeight});
        } else if (entry.key == "rotate") {
            takeRotation(region, entry);
        }
    }

    void takeRotation(AtlasRegion &region, const Entry &entry) {
        double degrees = entry.values[0] == "true" ? 90.0 : 0.0;
        if (entry.values[0] != "true" && entry.values[0] != "false") {
            numbers(entry, {&degrees});
        }
        region.degrees = static_cast<int>(degrees);
        require((region.degrees == degrees && region.degrees % 90 == 0 && degrees >= 0.0 && degrees < 360.0) ||
                engineFail(error, "line %zu of the atlas: regions are turned by 0, 90, 180 or 270 degrees", number));
    }

    void finishRegion() {
        if (inRegion) {
            AtlasRegion &region = atlas.regions.back();
            bool trims = region.originalWidth > 0.0 && region.originalHeight > 0.0;
            region.originalWidth = trims ? region.originalWidth : region.width;
            region.originalHeight = trims ? region.originalHeight : region.height;
            require((region.width > 0.0 && region.height > 0.0) ||
                    engineFail(error, "region '%.80s' of the atlas is empty", region.name.c_str()));
        }
        inRegion = false;
    }
};

} // namespace

void AtlasRegion::place(double u, double v, double texel[2]) const {
    const double along = u - left, down = v - (originalHeight - bottom - height);
    switch (degrees) {
    case 90: /* right became up */
        texel[0] = x + down;
        texel[1] = y + width - along;
        break;
    case 180:
        texel[0] = x + width - along;
        texel[1] = y + height - down;
        break;
    case 270:
        texel[0] = x + height - down;
        texel[1] = y + along;
        break;
    default:
        texel[0] = x + along;
        texel[1] = y + down;
        break;
    }
}

const AtlasRegion *Atlas::find(const std::string &name) const {
    for (const AtlasRegion &region : regions) {
        if (region.name == name) {
            return &region;
        }
    }
    return nullptr;
}

Atlas atlasParse(const char *text, size_t size, EngineError *error) {
    return Reader(text, size, error).read();
}
