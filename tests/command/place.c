#include "place.h"

#include "scratch.h"

void expectFile(const char *path, const char *text) {
    char *found = readWhole(path, NULL);
    assert_string_equal(found, text);
    free(found);
}

int enterPlace(void **state) {
    Place *place = calloc(1, sizeof *place);
    if (!place) {
        return -1;
    }
    makeFolder(place->folder);
    makeFolder(place->inputs);
    snprintf(place->text, sizeof place->text, "%s/out.txt", place->folder);
    *state = place;
    return 0;
}

int leavePlace(void **state) {
    Place *place = *state;
    removeFolder(place->folder);
    removeFolder(place->inputs);
    free(place);
    return 0;
}
