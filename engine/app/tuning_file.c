#include "tuning_file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"

#define TEXT_SIZE 512
#define UUID_SIZE sizeof((VkskinTuning *)NULL)->pipelineCacheUUID
#define HEX_SIZE  (2 * UUID_SIZE + 1)

#define FORMAT                                                                                                         \
    "vkskin tuning 1\n"                                                                                                \
    "library %u\n"                                                                                                     \
    "vendor %u\n"                                                                                                      \
    "device %u\n"                                                                                                      \
    "driver %u\n"                                                                                                      \
    "cache %32s\n"                                                                                                     \
    "paletteBinding %u\n"                                                                                              \
    "instancesPerThread %u\n"                                                                                          \
    "workgroupSize %u\n"                                                                                               \
    "crowdPosing %u\n"

/* Writes the text of the file; returns its length. */
static size_t format(char text[TEXT_SIZE], const VkskinTuning *tuning) {
    char hex[HEX_SIZE];
    for (size_t i = 0; i < UUID_SIZE; i++) {
        snprintf(hex + 2 * i, HEX_SIZE - 2 * i, "%02x", tuning->pipelineCacheUUID[i]);
    }
    return (size_t)snprintf(text, TEXT_SIZE, FORMAT, tuning->version, tuning->vendorID, tuning->deviceID,
                            tuning->driverVersion, hex, tuning->paletteBinding, tuning->instancesPerThread,
                            tuning->workgroupSize, tuning->crowdPosing);
}

/* Parses a text and accepts it only if `format` writes the same text again. */
static bool parse(const char *text, size_t length, VkskinTuning *tuning) {
    char hex[HEX_SIZE];
    char again[TEXT_SIZE];
    *tuning = (VkskinTuning){0};
    /* NOLINTNEXTLINE(cert-err34-c): a number out of range fails the comparison below */
    if (sscanf(text, FORMAT, &tuning->version, &tuning->vendorID, &tuning->deviceID, &tuning->driverVersion, hex,
               &tuning->paletteBinding, &tuning->instancesPerThread, &tuning->workgroupSize,
               &tuning->crowdPosing) != 9) {
        return false;
    }
    for (size_t i = 0; i < UUID_SIZE; i++) {
        unsigned byte = 0;
        (void)sscanf(hex + 2 * i, "%2x", &byte); /* NOLINT(cert-err34-c): so does an invalid byte */
        tuning->pipelineCacheUUID[i] = (uint8_t)byte;
    }
    return format(again, tuning) == length && memcmp(again, text, length) == 0;
}

bool tuningFileRead(const char *path, VkskinTuning *tuning, TuningFileState *state, EngineError *error) {
    char text[TEXT_SIZE] = "";
    struct stat info;
    *state = TUNING_FILE_FOREIGN;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
        return engineFail(error, "%s: not a regular file", path); /* reading a pipe would block */
    }
    FILE *file = fopen(path, "rb");
    if (!file && errno == ENOENT) {
        *state = TUNING_FILE_MISSING;
        return true;
    }
    errno = file ? 0 : errno;
    size_t length = file ? fread(text, 1, TEXT_SIZE - 1, file) : 0;
    bool read = file && !ferror(file);
    if (!read) {
        engineFail(error, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (file) {
        fclose(file);
    }
    bool ours = length == 0 || strncmp(text, FORMAT, strlen("vkskin tuning ")) == 0;
    *state = !ours ? TUNING_FILE_FOREIGN : read && parse(text, length, tuning) ? TUNING_FILE_GOOD : TUNING_FILE_DAMAGED;
    return read;
}

bool tuningFileWrite(const char *path, const VkskinTuning *tuning, EngineError *error) {
    char text[TEXT_SIZE];
    AtomicFile file;
    size_t length = format(text, tuning);
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    (void)fwrite(text, 1, length, file.stream); /* the stream keeps a failure until the commit */
    return atomicFileCommit(&file, error);
}
