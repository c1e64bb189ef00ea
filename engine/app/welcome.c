#include "welcome.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "content.h"
#include "count_of.h"
#include "import.h"

/* Names that a shell would read as something else are left out, so that the commands can be copied. */
#define PLAIN_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-+,@=%"

#define PACKAGE_MODEL "/usr/share/assimp/models/X/Testwuson.X"

/* Whether the name is that of a model. .json may be any document, and .md5anim has only clips. */
static bool isModel(const char *name) {
    const char *dot = strrchr(name, '.');
    const bool found = importIsNamed(name) && !contentIsFlatName(name) && strcasecmp(dot, ".md5anim") != 0;
    return found && name[0] != '-' && name[strspn(name, PLAIN_LETTERS)] == '\0';
}

/* The first model of the current folder by name, to be freed. Null: there is none. */
static char *findModel(void) {
    DIR *folder = opendir(".");
    char *first = NULL;
    const struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        if (isModel(entry->d_name) && access(entry->d_name, R_OK) == 0 &&
            (!first || strcmp(entry->d_name, first) < 0)) {
            free(first);
            first = strdup(entry->d_name);
        }
    }
    if (folder) {
        closedir(folder);
    }
    return first;
}

void welcomePrint(FILE *file) {
    static const struct {
        const char *verb, *rest, *what;
    } COMMANDS[] = {
        {"info", "", "what the file holds"},
        {"render", " -o still.png", "a picture"},
        {"render", " --fit --sheet 4x2 --size 320x240 -o sheet.png", "eight moments of a clip"},
        {"crowd", " --count 200 -o crowd.png", "200 characters, and times"},
        {"bake", " --time 0.5 -o pose.obj", "triangles at half a second"},
    };
    char *found = findModel();
    const char *model = found ? found : access(PACKAGE_MODEL, R_OK) == 0 ? PACKAGE_MODEL : "builtin:strip";
    fputs("vkskin: skins animated models on the GPU, draws and measures them\n\nTry:\n", file);
    for (size_t i = 0; i < COUNT_OF(COMMANDS); i++) {
        fprintf(file, "  vkskin %s %s%s\n      %s\n", COMMANDS[i].verb, model, COMMANDS[i].rest, COMMANDS[i].what);
    }
    fputs("\n'vkskin --help' lists the verbs. 'vkskin devices' says what they run on.\n", file);
    free(found);
}
