#include "folder.h"

#include "scratch.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

Folder folderCreate(void) {
    Folder folder = {0};
    makeFolder(folder.path);
    assert_int_equal(mkdir(folderFile(&folder, "raster"), 0777), 0);
    assert_int_equal(mkdir(folderFile(&folder, "vkskin"), 0777), 0);
    return folder;
}

Folder folderCopyShaders(const char *source) {
    Folder folder = {0};
    char *copy = NULL;
    makeFolder(folder.path);
    assert_true(asprintf(&copy, "cp -R '%s/raster' '%s/vkskin' '%s'", source, source, folder.path) >= 0);
    assert_int_equal(system(copy), 0);
    free(copy);
    return folder;
}

const char *folderFile(const Folder *folder, const char *name) {
    static char texts[4][128];
    static int next;
    char *text = texts[next++ % 4];
    int length = snprintf(text, sizeof texts[0], "%s/%s", folder->path, name);
    assert_true(length > 0 && (size_t)length < sizeof texts[0]);
    return text;
}

void folderWrite(const Folder *folder, const char *name, const char *text) {
    char fresh[136];
    const char *file = folderFile(folder, name);
    snprintf(fresh, sizeof fresh, "%s.new", file);
    writeWhole(fresh, text);
    assert_int_equal(rename(fresh, file), 0);
}

void folderReplace(const Folder *folder, const char *name, const char *from, const char *to) {
    char *text = readWhole(folderFile(folder, name), NULL);
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
