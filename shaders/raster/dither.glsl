// dither.glsl: which samples of a pixel a blended surface covers, where it is not sorted. In a block of 8 x 8 pixels it covers
// its opacity's share of the samples. It writes depth, so the order of drawing has no effect.
#ifndef DITHER_GLSL
#define DITHER_GLSL

#include "raster/raster_layout.h"

layout(constant_id = RASTER_CONSTANT_SAMPLES) const uint SAMPLES = 4; // in a pixel: 1 or 4

// Jarzynski and Olano 2020: PCG.
uint scatter(uint word) {
    uint state = word * 747796405u + 2891336453u;
    uint mixed = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (mixed >> 22u) ^ mixed;
}

// order: of a sample in its block. Samples of a pixel follow each other, and so do those of 2 x 2 pixels. Each aligned run of 2^n
// has its thresholds in 2^n equal parts of 0 to 1, with any upper triangular matrix of bits with ones on its diagonal. Layers
// have matrices of their own, so that one shows the same share through the gaps of another as through no layer.
float threshold(uint order, uint layer) {
    uint matrix = scatter(layer);
    uint bits = scatter(matrix);
    for (uint column = 0u; column < 8u; column++) {
        uint above = (matrix >> (column * (column - 1u) / 2u)) & ((1u << column) - 1u);
        bits ^= ((order >> column) & 1u) * (above | 1u << column);
    }
    return (float(bitfieldReverse(bits) >> 24u) + 0.5) / 256.0;
}

// For gl_SampleMask.
int coveredSamples(float opacity, uint layer) {
    uvec2 at = uvec2(gl_FragCoord.xy);
    uint pixel = 0u;
    for (int bit = 0; bit < 3; bit++) {
        pixel |= (((at.x >> bit) & 1u) | ((at.y >> bit) & 1u) << 1u) << (2 * bit);
    }
    int mask = 0;
    for (uint s = 0u; s < SAMPLES; s++) {
        mask |= threshold(pixel * SAMPLES + s, layer) < opacity ? 1 << s : 0;
    }
    return mask;
}

#endif
