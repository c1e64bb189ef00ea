// Uses all that a vertex has, so that no driver leaves any of it out.
#version 450

layout(location = 0) in vec4 inPosition;
layout(location = 1) in vec4 inNormal;
layout(location = 2) in vec4 inTangent;

layout(location = 0) out vec4 outPosition;
layout(location = 1) out vec4 outNormal;
layout(location = 2) out vec4 outTangent;

void main() {
    outPosition = inPosition;
    outNormal = inNormal;
    outTangent = inTangent;
}
