#include "crowd_options.h"

#include <string.h>

#include "count_of.h"
#include "model_levels.h"
#include "model_load.h"

#define NAMES_MAX 32u /* bits of a mask */

const Option DETAIL_OPTIONS[] = {
    LODS_OPTION("of crowd: use"),
    {"intervals", OPTION_TEXT, "N,...",
     .help = "of crowd with --lods: 1, 2 or 4 for each level: its characters are posed and skinned in one of N frames; "
             "the last number counts for the levels behind it; default: 1"},
    {"max-vertices", OPTION_INTEGER, "N",
     .help = "of crowd with --lods: vertices that are skinned in a frame, on average; if characters need more, levels "
             "become coarser; default: any number",
     .minimum = 1, .maximum = 1e12},
    {"optional", OPTION_TEXT, "NAME,...",
     .help = "of crowd: meshes that only half of the characters show, such as helmets; 'vkskin info' lists the names"},
    {.name = NULL, .help = "levels of detail"},
};

/* The option that only levels have, or null. */
static const char *levelOption(const SkinChoice *skin) {
    return skin->intervals[0] != 0 ? "intervals" : skin->maxVertices != 0 ? "max-vertices" : NULL;
}

/* text: numbers with commas between them. */
static bool readIntervals(const char *text, SkinChoice *skin) {
    for (uint32_t level = 0; level < COUNT_OF(skin->intervals); level++) {
        if (text[0] == '\0') {
            skin->intervals[level] = skin->intervals[level - 1];
        } else if (!strchr("124", text[0]) || (text[1] != '\0' && (text[1] != ',' || text[2] == '\0'))) {
            return false;
        } else {
            skin->intervals[level] = (uint32_t)(text[0] - '0');
            text += text[1] == ',' ? 2 : 1;
        }
    }
    return text[0] == '\0';
}

bool crowdOptionsRead(const Arguments *arguments, SkinChoice *skin, EngineError *error) {
    const OptionValue *intervals = optionsValue(arguments, "intervals");
    skin->lods = (uint32_t)optionsValue(arguments, "lods")->integer;
    skin->maxVertices = (uint64_t)optionsValue(arguments, "max-vertices")->integer;
    skin->optional = optionsValue(arguments, "optional")->text;
    if (intervals->given && (intervals->text[0] == '\0' || !readIntervals(intervals->text, skin))) {
        return engineFail(error,
                          "--intervals takes up to %zu numbers, 1, 2 or 4, with commas between them, not '%.100s'",
                          COUNT_OF(skin->intervals), intervals->text);
    }
    return skin->lods > 1 || !levelOption(skin) ||
           engineFail(error, "--%s is for levels of detail: give --lods 2 or more too", levelOption(skin));
}

static bool hasMesh(const Model *model, const char *name, size_t length) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        if (strlen(model->meshes[i].name) == length && strncmp(model->meshes[i].name, name, length) == 0) {
            return true;
        }
    }
    return false;
}

bool crowdOptionsCheck(const SkinChoice *skin, const Model *const *models, uint32_t count, EngineError *error) {
    bool levels = !levelOption(skin);
    for (uint32_t i = 0; i < count; i++) {
        levels = levels || modelLodCount(models[i]) > 0;
    }
    if (!levels) {
        return engineFail(error, "--%s: no model has levels of detail", levelOption(skin));
    }
    const char *name = skin->optional;
    for (uint32_t names = 1; name; names++) {
        const size_t length = strcspn(name, ",");
        bool found = false;
        for (uint32_t i = 0; i < count && !found; i++) {
            found = hasMesh(models[i], name, length);
        }
        if (!found || names > NAMES_MAX) {
            return found ? engineFail(error, "--optional: more than %u names", NAMES_MAX)
                         : engineFail(error, "--optional: no mesh '%.*s'; 'vkskin info' lists them", (int)length, name);
        }
        name = name[length] == ',' ? name + length + 1 : NULL;
    }
    return true;
}
