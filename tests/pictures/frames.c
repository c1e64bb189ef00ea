/* frames.c: writes the frames of an animated WebP as FILE-0000.png and so on, and prints when each ends, in milliseconds. */
#include <stdio.h>
#include <stdlib.h>

#include <webp/demux.h>

#include "target.h"

int main(int count, char **texts) {
    static uint8_t bytes[1 << 20];
    WebPAnimInfo info;
    FILE *file = count == 3 ? fopen(texts[1], "rb") : NULL;
    const WebPData data = {bytes, file ? fread(bytes, 1, sizeof bytes, file) : 0};
    WebPAnimDecoder *decoder = WebPAnimDecoderNew(&data, NULL);
    if (!decoder || !WebPAnimDecoderGetInfo(decoder, &info)) {
        fprintf(stderr, "usage: frames FILE.webp STEM\n");
        return 2;
    }
    for (uint32_t i = 0; i < info.frame_count; i++) {
        uint8_t *pixels;
        int end;
        char name[256];
        snprintf(name, sizeof name, "%s-%04u.png", texts[2], i);
        FILE *out = fopen(name, "wb");
        if (!out || !WebPAnimDecoderGetNext(decoder, &pixels, &end) ||
            !pngWrite(info.canvas_width, info.canvas_height, pixels, NULL, out) || fclose(out) != 0) {
            return 1;
        }
        printf("%s%d", i > 0 ? " " : "", end);
    }
    printf(", %s\n", info.loop_count == 0 ? "for ever" : "once");
    WebPAnimDecoderDelete(decoder);
    return fclose(file);
}
