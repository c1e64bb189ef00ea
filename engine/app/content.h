/*
 * content.h: the kinds of what the operands of a verb hold: models in three dimensions, or 2D characters. A verb that takes
 * both has one function per kind, in the tables of content.c and view_run.c; no other source of the verbs asks for the kind.
 */
#ifndef APP_CONTENT_H
#define APP_CONTENT_H

#include "model.h"
#include "near_names.h"
#include "options.h"

typedef enum ContentKind { CONTENT_MODEL = 0, CONTENT_SPINE, CONTENT_COUNT } ContentKind;

/* The work of a verb. Returns the exit status. */
typedef int (*ContentRun)(const Arguments *arguments);

/* How many numbers a point has in the space of the first operand: 2 or 3. */
uint32_t contentDimensions(const Arguments *arguments);

/* The kind of the operands. False, and a line: they differ in kind, or an option is not for it. */
bool contentCheck(const Arguments *arguments, ContentKind *kind);

/*
 * Calls the function of the operands' kind, and returns its exit status. EXIT_FAILED, and a line: the operands differ in
 * kind, the function is null, or an option is not for their kind.
 */
int contentRun(const Arguments *arguments, const ContentRun runs[CONTENT_COUNT]);

/* What a file holds. Of 2D characters, nodes are bones; meshes are counted with models alone. */
typedef struct ContentCounts {
    double vertices, triangles; /* NAN: 2D */
    double nodes, clips, warnings;
    double seconds; /* all clips together */
} ContentCounts;

ContentCounts contentCounts(const Model *model);

/* Whether a file is a 2D character by its name, which may also be that of any other document. */
bool contentIsFlatName(const char *path);

/* Whether the model is a 2D character: paints, overlays and faults differ. */
bool contentIsFlat(const Model *model);

/* Verb.run of the verbs that read models. */
int contentBake(const Arguments *arguments);
int contentCompare(const Arguments *arguments);
int contentCrowd(const Arguments *arguments);
int contentInfo(const Arguments *arguments); /* one file: see info_list.h */
int contentPack(const Arguments *arguments);
int contentRender(const Arguments *arguments);
int contentView(const Arguments *arguments); /* view_run.c, with the window */

/* Their work for models in three dimensions: model/. */
int modelBake(const Arguments *arguments);
int modelCompare(const Arguments *arguments);
int modelCrowd(const Arguments *arguments);
int modelInfo(const Arguments *arguments);
int modelPackFile(const Arguments *arguments);
int modelRender(const Arguments *arguments);

/* Their work for 2D characters: spine/. `info` and `bake` need no Vulkan device. */
int spineBake(const Arguments *arguments);
int spineCompare(const Arguments *arguments);
int spineCrowd(const Arguments *arguments);
int spineInfo(const Arguments *arguments);
int spineRender(const Arguments *arguments);

#endif
