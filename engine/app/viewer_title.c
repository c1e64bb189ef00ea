#include "viewer_title.h"

#include <stdio.h>
#include <string.h>

/* Whether all members of the first one's kind show its clip. */
static bool oneClip(const Crowd *crowd) {
    const CrowdMember *first = &crowd->members[0];
    for (uint32_t i = 1; i < crowd->memberCount; i++) {
        const CrowdMember *member = &crowd->members[i];
        if (member->character == first->character && member->clip != first->clip) {
            return false;
        }
    }
    return true;
}

static void clipText(char *text, size_t size, const Crowd *crowd) {
    const CrowdMember *first = &crowd->members[0];
    const Model *model = crowd->characters[first->character]->model;
    if (!oneClip(crowd)) {
        snprintf(text, size, "mixed clips");
    } else if (first->clip >= model->clipCount) {
        snprintf(text, size, "rest pose");
    } else {
        snprintf(text, size, "clip %u of %u: %s", first->clip + 1, model->clipCount, model->clips[first->clip].name);
    }
}

void viewerTitle(char text[VIEWER_TITLE_SIZE], const ViewerTitle *title, const Crowd *crowd) {
    char clip[96], rate[32] = "";
    clipText(clip, sizeof clip, crowd);
    if (title->framesPerSecond > 0.0) {
        snprintf(rate, sizeof rate, " | %.1f fps", title->framesPerSecond);
    }
    snprintf(text, VIEWER_TITLE_SIZE, "%.96s | %s | %s by %s%s%s", title->label, clip,
             skinWayTitle(crowd->members[0].way), SKIN_BACKEND_NAMES[title->backend], rate,
             title->paused ? " | paused" : "");
}
