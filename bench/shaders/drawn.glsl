// What is drawn of a vertex: a point. Timed passes move it behind the far plane, so that vertices are worked on and
// nothing is rastered; the probe puts each vertex into a pixel of its own, where the host reads it.
layout(constant_id = 0) const bool PROBE = false;

layout(push_constant) uniform Target {
    uvec2 size; // pixels
};

layout(location = 0) out vec4 outPosition;
layout(location = 1) out vec4 outNormal;
layout(location = 2) out vec4 outTangent;

void drawVertex(vec3 position, vec3 normal, vec4 tangent) {
    outPosition = vec4(position, 1.0);
    outNormal = vec4(normal, 0.0);
    outTangent = tangent;
    gl_PointSize = 1.0;
    if (PROBE) {
        vec2 pixel = vec2(uint(gl_VertexIndex) % size.x, uint(gl_VertexIndex) / size.x) + 0.5;
        gl_Position = vec4(pixel / vec2(size) * 2.0 - 1.0, 0.5, 1.0);
    } else {
        gl_Position = vec4(position.xy * 0.01, 2.0 + abs(position.z), 1.0);
    }
}
