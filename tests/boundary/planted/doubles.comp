#version 450

// A buffer of doubles, which Metal does not have.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) buffer Numbers { double numbers[]; };

void main() {
    numbers[gl_GlobalInvocationID.x] *= 2.0;
}
