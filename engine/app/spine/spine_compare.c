/* spine_compare.c: what `compare` needs of 2D characters: a grid of them, drawn and measured with one system. */
#include "compare.h"
#include "content.h"
#include "spine_characters.h"
#include "spine_options.h"

static bool run(Session *session, SpineCharacters *characters, CompareRow *row, EngineError *error) {
    const OptionValue *size = optionsValue(session->arguments, "size");
    const RunDef def = {.frames = (uint32_t)optionsValue(session->arguments, "frames")->integer,
                        .warmupFrames = WARMUP_FRAMES,
                        .width = size->width,
                        .height = size->height};
    SpineShow show = spineCharactersShow(characters, session);
    show.device = session->device;
    show.system = row->entry->skin.system;
    show.skinning = spineSkinning(session, error);
    const bool good = show.skinning && spineRun(&show, &def, &row->result, &row->picture, error);
    skinningDestroy(show.skinning);
    return good;
}

/* A CompareDraw: compares the two systems that draw 2D characters. */
static bool draw(void *user, Session *session, CompareRow *row, EngineError *error) {
    const SkinSystem system = row->entry->skin.system;
    const bool draws = (system == SKIN_SYSTEM_COMPUTE && row->entry->reference == COMPARE_MATRICES) ||
                       system == SKIN_SYSTEM_UNIFORM_2D;
    if (!draws) {
        snprintf(row->refusal, sizeof row->refusal, "does not draw 2D characters; 'compute' and 'uniform-2d' do");
        return true;
    }
    return run(session, user, row, error);
}

static bool compare(Session *session, EngineError *error) {
    SpineCharacters *characters = NULL;
    if (!spineLoad(session, error)) {
        return false;
    }
    session->skin.backend = VKSKIN_BACKEND_COMPUTE; /* as of other models */
    characters = spineCharactersCreate(session, SPINE_GRID, error);
    const bool good =
        characters && sessionOpenDevice(session, NULL, error) && compareAll(session, draw, characters, error);
    spineCharactersDestroy(characters);
    return good;
}

int spineCompare(const Arguments *arguments) {
    return sessionRun(arguments, compare);
}
