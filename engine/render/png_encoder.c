#include "png_encoder.h"

/* Its parts that are not used, and its warnings, stay here. */
#define STBI_WRITE_NO_STDIO
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>

typedef struct Sink {
    PngWriteFn write;
    void *user;
} Sink;

static void forward(void *context, void *data, int size) {
    Sink *sink = context;
    sink->write(sink->user, data, (size_t)size);
}

bool pngEncode(uint32_t width, uint32_t height, const uint8_t *pixels, PngWriteFn write, void *user) {
    Sink sink = {write, user};
    return stbi_write_png_to_func(forward, &sink, (int)width, (int)height, 4, pixels, (int)(width * 4)) != 0;
}
