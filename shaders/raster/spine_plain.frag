#version 450

// Debug views of 2D characters: one colour.

layout(push_constant) uniform Push {
    layout(offset = 16) vec4 plainColour;
};

layout(location = 0) out vec4 colour;

void main() {
    colour = plainColour;
}
