// points.glsl: flat meshes with one position per influence: the sum of weight x (bone x position).
//
// Kernels of other meshes have the same functions, which do nothing.
#ifndef POINTS_GLSL
#define POINTS_GLSL

#if POSITION_WORDS == 3

const uint INFLUENCE_POSITIONS = 0;

struct Points {
    uint none;
};

Points readVertexPoints(LayoutClass vertexClass, Influences influences, uint vertex) {
    return Points(0);
}

vec2 skinPoints(uint palette, Influences influences, Points points, uint at, uint count, uint place) {
    return vec2(0);
}

#else

layout(constant_id = LAYOUT_CONSTANT_INFLUENCE_POSITIONS) const uint INFLUENCE_POSITIONS = 0;

// Positions or deltas of the influences of a vertex. Up to four are kept in vectors, as the influences are. More than
// four are read from word `at` on.
struct Points {
    vec4 first, last; // two each
    uint at;
};

Points readPoints(uint at) {
    Points points = Points(vec4(0), vec4(0), at);
    if (!MANY) {
        points.first.xy = readMeshVec2(at);
    }
    if (!MANY && INFLUENCES > 1) {
        points.first.zw = readMeshVec2(at + 2);
    }
    if (!MANY && INFLUENCES > 2) {
        points.last.xy = readMeshVec2(at + 4);
    }
    if (!MANY && INFLUENCES > 3) {
        points.last.zw = readMeshVec2(at + 6);
    }
    return points;
}

Points readVertexPoints(LayoutClass vertexClass, Influences influences, uint vertex) {
    if (INFLUENCE_POSITIONS == 0) {
        return Points(vec4(0), vec4(0), 0);
    }
    uint first = MANY ? influences.first : vertex * INFLUENCES;
    return readPoints(vertexClass.positions + 2 * first);
}

// w: 1 for positions, 0 for deltas.
vec2 movePoint2(uint palette, uint joint, float weight, vec2 point, float w) {
    VkskinMatrix bone = READ_BONE(palette, joint);
    return weight *
           (point.x * vec2(bone.x.x, bone.y.x) + point.y * vec2(bone.x.y, bone.y.y) + w * vec2(bone.x.w, bone.y.w));
}

vec2 sumPoints(uint palette, Influences influences, Points points, float w) {
    if (MANY) {
        LayoutClass head = influences.vertexClass;
        vec2 sum = vec2(0);
        for (uint i = 0; i < influences.count; i++) {
            uint element = influences.first + i;
            sum += movePoint2(palette, readJoint(head, element), readWeight(head, element),
                              readMeshVec2(points.at + 2 * i), w);
        }
        return sum;
    }
    vec2 sum = movePoint2(palette, influences.joints.x, influences.weights.x, points.first.xy, w);
    if (INFLUENCES > 1) {
        sum += movePoint2(palette, influences.joints.y, influences.weights.y, points.first.zw, w);
    }
    if (INFLUENCES > 2) {
        sum += movePoint2(palette, influences.joints.z, influences.weights.z, points.last.xy, w);
    }
    if (INFLUENCES > 3) {
        sum += movePoint2(palette, influences.joints.w, influences.weights.w, points.last.zw, w);
    }
    return sum;
}

// The position of a vertex. at, count, place: as addMorphs; the targets before skinning. Blending is linear, so that the
// deltas of a target are moved on their own.
vec2 skinPoints(uint palette, Influences influences, Points points, uint at, uint count, uint place) {
    vec2 sum = sumPoints(palette, influences, points, 1.0);
    for (uint i = 0; MORPHS && i < count; i++, at += LAYOUT_MORPH_WEIGHT_WORDS) {
        LayoutMorphWeight part = readMorphWeight(at);
        LayoutMorph morph = readMorph(part.morph);
        uint delta;
        if (findDelta(morph, place, delta) && morph.positions != 0) {
            Points deltas = readPoints(morph.positions + 2 * morph.width * delta);
            sum += uintBitsToFloat(part.weight) * sumPoints(palette, influences, deltas, 0.0);
        }
    }
    return sum;
}

#endif
#endif
