// Drawing what compute has skinned: the library's packed output, pulled from its page.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "drawn.glsl"
#include "vkskin/vkskin.glsl"

layout(set = 0, binding = 0, std430) readonly buffer Page { uint page[]; };
// Of each instance: words from the page's start to its positions, and to its attributes.
layout(set = 0, binding = 1, std430) readonly buffer Places { uvec2 places[]; };

void main() {
    uvec2 place = places[gl_InstanceIndex];
    uint p = place.x + 3u * uint(gl_VertexIndex);
    uint a = place.y + 2u * uint(gl_VertexIndex);
    drawVertex(uintBitsToFloat(uvec3(page[p], page[p + 1u], page[p + 2u])), vkskinUnpackNormal(page[a]),
               vkskinUnpackTangent(page[a + 1u]));
}
