#include "scratch.h"

#include "test.h"

#include <dirent.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

void makeFolder(char *path) {
    snprintf(path, 64, "/tmp/vkskin-test-XXXXXX");
    assert_non_null(mkdtemp(path));
}

int countEntries(const char *folder) {
    DIR *directory = opendir(folder);
    int count = -2; /* "." and ".." */
    assert_non_null(directory);
    while (readdir(directory)) {
        count++;
    }
    closedir(directory);
    return count;
}

static int removeEntry(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

void removeFolder(const char *folder) {
    assert_int_equal(nftw(folder, removeEntry, 8, FTW_DEPTH | FTW_PHYS), 0);
}

char *readWhole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_msg("%s cannot be read", path);
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)length, file), length);
    text[length] = '\0';
    fclose(file);
    if (size) {
        *size = (size_t)length;
    }
    return text;
}

void writeWhole(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}
