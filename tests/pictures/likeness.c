/*
 * likeness.c: prints how alike two PNG files are: their peak signal-to-noise ratio in decibels, 10 log10(255^2 / mean
 * squared difference) over all channels. 100 for equal pictures, 0 for pictures of different sizes.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

typedef struct Picture {
    int width, height;
    unsigned char *pixels; /* [height][width][3], sRGB */
} Picture;

static double likeness(const Picture *a, const Picture *b) {
    if (a->width != b->width || a->height != b->height) {
        return 0.0;
    }
    size_t count = (size_t)a->width * (size_t)a->height * 3;
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        double difference = (double)a->pixels[i] - b->pixels[i];
        sum += difference * difference;
    }
    return sum > 0.0 ? 10.0 * log10(255.0 * 255.0 * (double)count / sum) : 100.0;
}

int main(int argc, char **argv) {
    Picture pictures[2] = {0};
    for (int i = 0; i < 2 && argc == 3; i++) {
        int channels;
        pictures[i].pixels = stbi_load(argv[i + 1], &pictures[i].width, &pictures[i].height, &channels, 3);
    }
    bool good = pictures[0].pixels && pictures[1].pixels;
    if (good) {
        printf("%.1f\n", likeness(&pictures[0], &pictures[1]));
    } else {
        fprintf(stderr, "usage: likeness PNG PNG\n");
    }
    stbi_image_free(pictures[0].pixels);
    stbi_image_free(pictures[1].pixels);
    return good ? 0 : 1;
}
