#include "folder.h"

#include "test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const SUB_FOLDERS[] = {"raster", "vkskin"};
#define SUB_FOLDER_COUNT 2

static void path(char out[2 * FOLDER_PATH_SIZE], const char *folder, const char *name) {
    int length = snprintf(out, 2 * FOLDER_PATH_SIZE, "%s/%s", folder, name);
    assert_true(length > 0 && length < 2 * FOLDER_PATH_SIZE);
}

Folder folderCreate(void) {
    Folder folder;
    const char *base = getenv("TMPDIR");
    char sub[2 * FOLDER_PATH_SIZE];
    snprintf(folder.path, sizeof folder.path, "%.400s/vkskin-window-XXXXXX", base ? base : "/tmp");
    assert_non_null(mkdtemp(folder.path));
    for (int i = 0; i < SUB_FOLDER_COUNT; i++) {
        path(sub, folder.path, SUB_FOLDERS[i]);
        assert_int_equal(mkdir(sub, 0777), 0);
    }
    return folder;
}

static char *readWhole(const char *file) {
    FILE *stream = fopen(file, "rb");
    if (!stream) {
        fail_msg("%s cannot be read", file);
    }
    assert_int_equal(fseek(stream, 0, SEEK_END), 0);
    long size = ftell(stream);
    rewind(stream);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, stream), size);
    fclose(stream);
    return text;
}

static void copyFolder(const Folder *folder, const char *source, const char *sub) {
    char from[2 * FOLDER_PATH_SIZE], file[2 * FOLDER_PATH_SIZE], name[2 * FOLDER_PATH_SIZE];
    path(from, source, sub);
    DIR *listing = opendir(from);
    assert_non_null(listing);
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        if (entry->d_name[0] != '.') {
            path(file, from, entry->d_name);
            path(name, sub, entry->d_name);
            char *text = readWhole(file);
            folderWrite(folder, name, text);
            free(text);
        }
    }
    closedir(listing);
}

Folder folderCopyShaders(const char *source) {
    Folder folder = folderCreate();
    for (int i = 0; i < SUB_FOLDER_COUNT; i++) {
        copyFolder(&folder, source, SUB_FOLDERS[i]);
    }
    return folder;
}

static void emptyFolder(const char *where) {
    char file[2 * FOLDER_PATH_SIZE];
    DIR *listing = opendir(where);
    if (!listing) {
        return;
    }
    for (struct dirent *entry = readdir(listing); entry; entry = readdir(listing)) {
        path(file, where, entry->d_name);
        unlink(file); /* refuses . and .. */
    }
    closedir(listing);
}

void folderRemove(const Folder *folder) {
    char sub[2 * FOLDER_PATH_SIZE];
    for (int i = 0; i < SUB_FOLDER_COUNT; i++) {
        path(sub, folder->path, SUB_FOLDERS[i]);
        emptyFolder(sub);
        rmdir(sub);
    }
    emptyFolder(folder->path);
    assert_int_equal(rmdir(folder->path), 0);
}

const char *folderFile(const Folder *folder, const char *name) {
    static char texts[4][2 * FOLDER_PATH_SIZE];
    static int next;
    char *text = texts[next++ % 4];
    path(text, folder->path, name);
    return text;
}

void folderWrite(const Folder *folder, const char *name, const char *text) {
    char fresh[2 * FOLDER_PATH_SIZE + 8];
    const char *file = folderFile(folder, name);
    snprintf(fresh, sizeof fresh, "%s.new", file);
    FILE *stream = fopen(fresh, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, strlen(text), stream), strlen(text));
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(rename(fresh, file), 0);
}

char *folderRead(const Folder *folder, const char *name) {
    return readWhole(folderFile(folder, name));
}

void folderReplace(const Folder *folder, const char *name, const char *from, const char *to) {
    char *text = folderRead(folder, name);
    char *place = strstr(text, from);
    if (!place) {
        fail_msg("%s does not hold \"%s\"", name, from);
    }
    char *changed = NULL;
    assert_true(asprintf(&changed, "%.*s%s%s", (int)(place - text), text, to, place + strlen(from)) >= 0);
    folderWrite(folder, name, changed);
    free(changed);
    free(text);
}
