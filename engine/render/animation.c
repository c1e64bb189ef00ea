#include "animation.h"

#include <stdlib.h>
#include <string.h>

#include <webp/encode.h>
#include <webp/mux.h>

#define EFFORT 2 /* from 0 to 9: the higher ones take several times as long for some percent of the size */

const char ANIMATION_SIGN[ANIMATION_SIGN_SIZE] = {'V', 'K', 'S', 'K', 6, 0, 0, 0, 'v', 'k', 's', 'k', 'i', 'n'};

struct Animation {
    WebPAnimEncoder *encoder;
    uint32_t width, height;
};

static bool fail(const Animation *animation, EngineError *error) {
    return engineFail(error, "an animated picture cannot be made: %.200s", WebPAnimEncoderGetError(animation->encoder));
}

Animation *animationCreate(uint32_t width, uint32_t height, EngineError *error) {
    WebPAnimEncoderOptions options;
    if (width > ANIMATION_SIDE_MAX || height > ANIMATION_SIDE_MAX) {
        engineFail(error, "a WebP picture has at most %u pixels a side, not %ux%u", ANIMATION_SIDE_MAX, width, height);
        return NULL;
    }
    Animation *animation = engineAllocate(1, sizeof *animation, error);
    if (!animation) {
        return NULL;
    }
    *animation = (Animation){.width = width, .height = height};
    if (WebPAnimEncoderOptionsInit(&options)) {
        animation->encoder = WebPAnimEncoderNew((int)width, (int)height, &options);
    }
    if (!animation->encoder) {
        free(animation);
        engineFail(error, "out of memory");
        return NULL;
    }
    return animation;
}

bool animationAdd(Animation *animation, const uint8_t *pixels, int from, EngineError *error) {
    WebPConfig config;
    WebPPicture picture;
    if (!WebPConfigInit(&config) || !WebPConfigLosslessPreset(&config, EFFORT) || !WebPPictureInit(&picture)) {
        return engineFail(error, "the library libwebp has another version");
    }
    config.exact = 1; /* colours under alpha 0 stay */
    picture.use_argb = 1;
    picture.width = (int)animation->width;
    picture.height = (int)animation->height;
    const bool there = WebPPictureImportRGBA(&picture, pixels, (int)animation->width * 4);
    const bool good = there && WebPAnimEncoderAdd(animation->encoder, &picture, from, &config);
    WebPPictureFree(&picture);
    return good || (there ? fail(animation, error) : engineFail(error, "out of memory"));
}

/* Appends the sign. A RIFF file has its size less 8 in bytes 4 to 7. */
static uint8_t *sign(const WebPData *data, size_t *size) {
    *size = data->size + ANIMATION_SIGN_SIZE;
    uint8_t *bytes = malloc(*size);
    if (bytes) {
        memcpy(bytes, data->bytes, data->size);
        memcpy(bytes + data->size, ANIMATION_SIGN, ANIMATION_SIGN_SIZE);
    }
    for (size_t i = 0; i < 4 && bytes; i++) {
        bytes[4 + i] = (uint8_t)((*size - 8) >> (8 * i));
    }
    return bytes;
}

bool animationFinish(Animation *animation, int end, uint8_t **bytes, size_t *size, EngineError *error) {
    WebPData data;
    WebPDataInit(&data);
    if (!WebPAnimEncoderAdd(animation->encoder, NULL, end, NULL) ||
        !WebPAnimEncoderAssemble(animation->encoder, &data)) {
        return fail(animation, error);
    }
    *bytes = data.size < UINT32_MAX - ANIMATION_SIGN_SIZE ? sign(&data, size) : NULL;
    WebPDataClear(&data);
    return *bytes || engineFail(error, "out of memory");
}

void animationFree(Animation *animation) {
    if (animation) {
        WebPAnimEncoderDelete(animation->encoder);
        free(animation);
    }
}
