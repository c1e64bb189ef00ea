#include "picture_file.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define STBI_ONLY_PNG
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

PictureFile pictureRead(const char *path) {
    PictureFile picture = {0};
    int channels;
    picture.pixels = stbi_load(path, &picture.width, &picture.height, &channels, 3);
    return picture;
}

void pictureFree(PictureFile *picture) {
    stbi_image_free(picture->pixels);
    memset(picture, 0, sizeof *picture);
}

double pictureLikeness(const PictureFile *a, const PictureFile *b) {
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
