/*
 * output_picture.h: the pictures that the verbs write, such as -o FILE.png of those that draw.
 */
#ifndef COMMAND_OUTPUT_PICTURE_H
#define COMMAND_OUTPUT_PICTURE_H

#include "options.h"
#include "target.h"

/* The option --size as an entry of an Option table. what: the help's phrase. */
#define PICTURE_SIZE_OPTION(what)                                                                                      \
    {                                                                                                                  \
        .name = "size", .kind = OPTION_SIZE, .valueName = "WxH", .defaultValue = "1280x720", .minimum = 1,             \
        .maximum = 16384, .help = (what)                                                                               \
    }

/*
 * Before any work: whether `path`, the value of `option`, ends in .png and looks writable. Prints what is wrong;
 * returns EXIT_GOOD, EXIT_FAILED or EXIT_USAGE.
 */
int outputPictureCheck(const char *verb, const char *option, const char *path);

/* The picture as a PNG file, there whole or not at all. */
bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error);

#endif
