#include "output_picture.h"

#include <string.h>
#include <strings.h>

#include "atomic_file.h"
#include "options.h"
#include "say.h"

int outputPictureCheck(const char *verb, const char *path) {
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (!dot || strcasecmp(dot, ".png") != 0) {
        sayFailure(verb, "-o takes a name that ends in .png, not '%s'", path);
        return EXIT_USAGE;
    }
    return atomicFileCheck(path, message) ? EXIT_GOOD : sayFailure(verb, "%s", message);
}

bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error) {
    return pictureWrite(picture, path, error);
}
