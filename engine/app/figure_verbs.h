/* figure_verbs.h: what the verbs `info` and `bake` do with 2D characters. Needs no Vulkan device. */
#ifndef APP_FIGURE_VERBS_H
#define APP_FIGURE_VERBS_H

#include "import.h"
#include "options.h"

/* Whether a file's name says that it holds a 2D character. */
bool figureIsNamed(const char *path);

/* Prints the tables or JSON of `info`. The model has a figure. */
bool figureInfo(const Arguments *arguments, const Model *model, const ImportSandbox *sandbox, EngineError *error);

/* All of `bake`: returns its exit status. */
int figureBake(const Arguments *arguments);

#define SKIN_NAME_OPTION                                                                                               \
    {                                                                                                                  \
        "skin", OPTION_NAMES, "NAME",                                                                                  \
            .help = "of a 2D character: also show what this skin has; repeatable, the last one counts where several "  \
                    "have the same; default: only the skin 'default'"                                                  \
    }

#endif
