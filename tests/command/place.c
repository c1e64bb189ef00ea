#include "place.h"

#include <stdio.h>
#include <stdlib.h>

#include "run_command.h"

int enterPlace(void **state) {
    Place *place = calloc(1, sizeof *place);
    if (!place) {
        return -1;
    }
    makeFolder(place->folder);
    makeFolder(place->inputs);
    snprintf(place->text, sizeof place->text, "%s/out.txt", place->folder);
    snprintf(place->obj, sizeof place->obj, "%s/out.obj", place->folder);
    snprintf(place->ply, sizeof place->ply, "%s/out.ply", place->folder);
    snprintf(place->picture, sizeof place->picture, "%s/out.png", place->folder);
    snprintf(place->json, sizeof place->json, "%s/out.json", place->folder);
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
