/* content_view.c: the row of `view` in the tables of content.h, which only programs with a window have. */
#include "content.h"
#include "model_verbs.h"
#include "spine_verbs.h"

int contentView(const Arguments *arguments) {
    static const ContentRun runs[CONTENT_COUNT] = {[CONTENT_MODEL] = modelView, [CONTENT_SPINE] = spineView};
    return contentRun(arguments, runs);
}
