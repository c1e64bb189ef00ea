#include "output_picture.h"

#include <string.h>
#include <strings.h>

#include "atomic_file.h"
#include "options.h"
#include "say.h"
#include "target.h"

int outputPictureCheck(const char *verb, const char *option, const char *path) {
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (!dot || strcasecmp(dot, ".png") != 0) {
        sayFailure(verb, "%s takes a name that ends in .png, not '%s'", option, path);
        return EXIT_USAGE;
    }
    return atomicFileCheck(path, message) ? EXIT_GOOD : sayFailure(verb, "%s", message);
}

static void writeBytes(void *user, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, user); /* the stream remembers a failure until it is committed */
}

bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error) {
    AtomicFile file;
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    if (!atomicFileBegin(&file, path, message)) {
        return engineFail(error, "%s", message);
    }
    if (!pngEncode(picture->width, picture->height, picture->pixels, writeBytes, file.stream)) {
        atomicFileDrop(&file);
        return engineFail(error, "%.300s: cannot be written: out of memory", path);
    }
    return atomicFileCommit(&file, message) || engineFail(error, "%s", message);
}
