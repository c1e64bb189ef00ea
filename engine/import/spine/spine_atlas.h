/* spine_atlas.h: the .atlas of a Spine file: the part of a picture that each region is. For the parser's process. */
#ifndef ENGINE_SPINE_ATLAS_H
#define ENGINE_SPINE_ATLAS_H

#include "parser.h"

#include <vector>

struct AtlasPage {
    std::string name;
    double width = 0.0, height = 0.0; /* size of the picture in texels; 0: the atlas does not say */
    bool premultiplied = false, nearest = false;
    uint32_t repeats = 0; /* as SpinePage */
};

/* A region as it was before it was trimmed and turned. Texels of the original picture, (0, 0) is its upper left. */
struct AtlasRegion {
    std::string name;
    size_t page = 0;
    double x = 0.0, y = 0.0;          /* on the page: the upper left of what is stored */
    double width = 0.0, height = 0.0; /* size of the stored part, before it was turned */
    double left = 0.0, bottom = 0.0;  /* what was trimmed there */
    double originalWidth = 0.0, originalHeight = 0.0;
    int degrees = 0; /* that it was turned counter-clockwise: 0, 90, 180, 270 */

    /* The texel of the page for a texel of the original picture. */
    void place(double u, double v, double texel[2]) const;
};

struct Atlas {
    std::vector<AtlasPage> pages;
    std::vector<AtlasRegion> regions;

    const AtlasRegion *find(const std::string &name) const;
};

/* Reads the text of an atlas, in the layout of 4.0 (bounds, offsets) or the one before (xy, size, orig, offset). Throws
 * ParseFailed: *error names the line. */
Atlas atlasParse(const char *text, size_t size, EngineError *error);

#endif
