// crowd_cull.comp: writes the key of each character: the views that see its bounds. A thread for each character.
//
// The host may write any bits into the states: characters with values that do not exist are not drawn, and are counted.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_TABLES 0
#define CROWD_SET_STATES 1
#define CROWD_SET_COLDS  2
#define CROWD_SET_WORK   3
#include "crowd/crowd_buffers.glsl"
#include "crowd/crowd_rules.h"

struct Box {
    vec3 centre, extent;
};

// The rows of a transform.
struct Rows {
    vec4 x, y, z;
};

Rows rowsOf(LayoutCrowdState state) {
    return Rows(uintBitsToFloat(uvec4(state.transform0, state.transform1, state.transform2, state.transform3)),
                uintBitsToFloat(uvec4(state.transform4, state.transform5, state.transform6, state.transform7)),
                uintBitsToFloat(uvec4(state.transform8, state.transform9, state.transform10, state.transform11)));
}

Box boxOf(LayoutCrowdBounds bounds) {
    return Box(uintBitsToFloat(uvec3(bounds.centreX, bounds.centreY, bounds.centreZ)),
               uintBitsToFloat(uvec3(bounds.extentX, bounds.extentY, bounds.extentZ)));
}

// The union of the boxes of two clips, enlarged by the larger margin.
Box fadeBox(LayoutCrowdBounds a, LayoutCrowdBounds b) {
    float margin = max(uintBitsToFloat(a.margin), uintBitsToFloat(b.margin));
    Box from = boxOf(a);
    Box to = boxOf(b);
    vec3 low = min(from.centre - from.extent, to.centre - to.extent) - margin;
    vec3 high = max(from.centre + from.extent, to.centre + to.extent) + margin;
    return Box((low + high) * 0.5, (high - low) * 0.5);
}

LayoutCrowdView viewAt(uint view) {
    uint at = CROWD_WORK_VIEWS + view * CROWD_VIEW_WORDS;
    return LayoutCrowdView(workWords[at], workWords[at + 1u], workWords[at + 2u], workWords[at + 3u],
                           workWords[at + 4u], workWords[at + 5u], 0u, 0u);
}

// A box in the world. The extent is in model space.
struct Solid {
    Rows rows;
    vec3 centre, extent;
    vec3 size; // sums of the sizes of all terms of a coordinate
};

Solid solidOf(Rows rows, Box box) {
    vec4 centre = vec4(box.centre, 1.0);
    vec4 size = vec4(abs(box.centre) + box.extent, 1.0);
    return Solid(rows, vec3(dot(rows.x, centre), dot(rows.y, centre), dot(rows.z, centre)), box.extent,
                 vec3(dot(abs(rows.x), size), dot(abs(rows.y), size), dot(abs(rows.z), size)));
}

// Whether a plane has the whole box behind it. The box counts as larger by what rounding can move the result.
bool isBehind(vec4 plane, Solid solid) {
    vec3 normal = plane.x * solid.rows.x.xyz + plane.y * solid.rows.y.xyz + plane.z * solid.rows.z.xyz;
    float distance = plane.w + dot(plane.xyz, solid.centre);
    float size = abs(plane.w) + dot(abs(plane.xyz), solid.size);
    return distance + dot(abs(normal), solid.extent) < -CROWD_SLACK * size;
}

uint viewsOf(Solid solid) {
    uint views = 0u;
    for (uint view = 0u; view < CROWD_VIEWS; view++) {
        bool visible = (pass.views >> view & 1u) != 0u;
        uint planes = visible ? min(viewAt(view).planes, CROWD_PLANES) : 0u;
        for (uint p = 0u; visible && p < planes; p++) {
            uint at = CROWD_WORK_PLANES + 4u * (view * CROWD_PLANES + p);
            vec4 plane =
                uintBitsToFloat(uvec4(workWords[at], workWords[at + 1u], workWords[at + 2u], workWords[at + 3u]));
            visible = !isBehind(plane, solid);
        }
        views |= (visible ? 1u : 0u) << view;
    }
    return views;
}

// ---- Levels ----

// The square of how many pixels long a unit of the model is in the view: that of the nearest point of the box.
float unitOf(LayoutCrowdView view, Solid solid, float scale) {
    vec3 eye = uintBitsToFloat(uvec3(view.eyeX, view.eyeY, view.eyeZ));
    vec3 reach = vec3(dot(abs(solid.rows.x.xyz), solid.extent), dot(abs(solid.rows.y.xyz), solid.extent),
                      dot(abs(solid.rows.z.xyz), solid.extent));
    vec3 away = max(abs(eye - solid.centre) - reach, vec3(0.0));
    float squared = view.parallel != 0u ? 1.0 : max(dot(away, away), CROWD_NEAREST);
    return view.scale == 0u ? CROWD_LARGEST : min(uintBitsToFloat(view.scale) * scale / squared, CROWD_LARGEST);
}

// The largest one of the colour views. seen: only of these, if the character is in one.
float pixelsOf(Solid solid, uint seen) {
    vec3 columns = solid.rows.x.xyz * solid.rows.x.xyz + solid.rows.y.xyz * solid.rows.y.xyz +
                   solid.rows.z.xyz * solid.rows.z.xyz;
    float scale = max(columns.x, max(columns.y, columns.z));
    uint colours = (seen & pass.colours) != 0u ? seen & pass.colours : pass.colours;
    float pixels = 0.0;
    for (uint view = 0u; view < CROWD_VIEWS; view++) {
        if ((colours >> view & 1u) != 0u) {
            pixels = max(pixels, unitOf(viewAt(view), solid, scale));
        }
    }
    return pixels;
}

float errorOf(LayoutCrowdHead head, uint group) {
    return uintBitsToFloat(readGroup(head, group).error);
}

// The level of a character. pixels: of a unit of the model, squared. most: pixels that an error may have, squared.
uint levelOf(LayoutCrowdHead head, LayoutCrowdModel model, float pixels, float most, uint resident, bool shadow) {
    uint last = min(model.levelCount, CROWD_LEVELS) - 1u;
    uint old = (resident >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP) - model.firstGroup;
    bool has = (resident & CROWD_RESIDENT_SLOT) != 0u && old <= last;
    uint level = has ? old : last;
    level -= has && shadow && level > 0u ? 1u : 0u;
    while (level > 0u && errorOf(head, model.firstGroup + level) * pixels > most) {
        level--;
    }
    while (has && level < last && errorOf(head, model.firstGroup + level + 1u) * pixels < CROWD_COARSER * most) {
        level++;
    }
    return min(level + (shadow ? 1u : 0u), last);
}

// Who gets a slot first.
uint classOf(float pixels, vec3 extent, bool priority, bool shadow) {
    float size = pixels * max(extent.x, max(extent.y, extent.z)) * max(extent.x, max(extent.y, extent.z));
    uint bits = floatBitsToUint(size) >> CROWD_SIZE_SHIFT;
    return (priority ? CROWD_CLASS_PRIORITY : 0u) + (shadow ? 0u : CROWD_CLASS_COLOUR) +
           min(max(bits, CROWD_SIZE_FIRST) - CROWD_SIZE_FIRST, CROWD_SIZES - 1u);
}

// It compares bits: compilers may assume that no number is NaN.
bool isNear(uint word) {
    return (word & 0x7fffffffu) <= floatBitsToUint(CROWD_FAR);
}

#define IS_NEAR(field) isNear(state.field) &&

bool areNear(LayoutCrowdState state) {
    return CROWD_TRANSFORM_FIELDS(IS_NEAR, transform) true;
}

void countBad(uint field, bool bad) {
    if (bad) {
        atomicAdd(workWords[CROWD_WORK_STATS + field], 1u);
    }
}

LayoutCrowdBounds boundsOf(LayoutCrowdModel model, LayoutCrowdHead head, uint clip) {
    return readBoundsAt(model.boundsAt + crowdKnownClip(clip, head.clipCount) * CROWD_BOUNDS_WORDS);
}

uint keyOf(uint character, LayoutCrowdHead head) {
    LayoutCrowdState state = states[character];
    if ((state.flags & CROWD_EXISTS) == 0u) {
        return 0u;
    }
    uint marks = state.flags & (CROWD_TELEPORTED | CROWD_PARTED);
    LayoutCrowdCold cold = LayoutCrowdCold(0, 0, 0, 0, 0, 0, 0, 0);
    if ((state.flags & CROWD_FADING) != 0u) {
        cold = colds[character];
    }
    bool advanced = crowdAdvance(state, cold, pass.tick);
    state.flags &= ~(CROWD_TELEPORTED | CROWD_PARTED);
    if (advanced) {
        states[character].clips = state.clips;
        states[character].phase = state.phase;
        states[character].rate = state.rate;
    }
    if (advanced || marks != 0u) {
        states[character].flags = state.flags;
    }
    uint model = state.flags & CROWD_MODEL_MASK;
    bool near = areNear(state);
    bool fading = (state.flags & CROWD_FADING) != 0u;
    uint clipA = state.clips & 0xffffu;
    uint clipB = state.clips >> 16;
    countBad(CROWD_STATS_BAD_CLIP, clipA >= head.clipCount || (fading && clipB >= head.clipCount));
    countBad(CROWD_STATS_BAD_MODEL, model >= head.modelCount);
    countBad(CROWD_STATS_BAD_PLACE, !near);
    if (model >= head.modelCount || !near || (state.flags & CROWD_HIDDEN) != 0u) {
        return 0u;
    }
    LayoutCrowdModel found = readModel(head, model);
    LayoutCrowdBounds from = boundsOf(found, head, clipA);
    Box box = boxOf(from);
    if (fading) {
        box = fadeBox(from, boundsOf(found, head, clipB));
    }
    Solid solid = solidOf(rowsOf(state), box);
    uint views = viewsOf(solid);
    if (views == 0u) {
        return 0u;
    }
    bool priority = (state.flags & CROWD_PRIORITY) != 0u;
    bool shadow = (views & pass.colours) == 0u;
    float pixels = pixelsOf(solid, views);
    float most = crowdGrown(uintBitsToFloat(pass.maxPixels), workWords[CROWD_WORK_BUDGET]);
    uint level = found.levelCount == 1u ? 0u
                                        : levelOf(head, found, pixels, most * most,
                                                  workWords[head.residents + character], shadow);
    return views | (priority ? CROWD_KEY_PRIORITY : 0u) |
           ((marks & CROWD_TELEPORTED) != 0u ? CROWD_KEY_TELEPORTED : 0u) |
           ((marks & CROWD_PARTED) != 0u ? CROWD_KEY_PARTED : 0u) |
           classOf(pixels, box.extent, priority, shadow) << CROWD_KEY_CLASS_SHIFT |
           found.firstGroup + level << CROWD_KEY_GROUP_SHIFT;
}

void main() {
    LayoutCrowdHead head = readHead(0u);
    uint character = threadIndex();
    if (character < head.capacity) {
        workWords[head.keys + character] = keyOf(character, head);
    }
}
