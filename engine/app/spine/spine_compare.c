/* spine_compare.c: what `compare` needs of 2D characters: a grid of them, drawn and measured with one system. */
#include "compare.h"
#include "content.h"
#include "spine_characters.h"
#include "spine_options.h"

static CrowdResult asCrowd(const SpineResult *from, uint32_t characters) {
    CrowdResult result = {.clock = from->clock,
                          .pipelines = SPINE_BLEND_COUNT + 1, /* and one that clips */
                          .characters = characters,
                          .vertices = from->vertices,
                          .bones = from->bones,
                          .drawCalls = from->drawCalls,
                          .skinning = from->skinning,
                          .draw = from->draw};
    result.system.bytesPerBone = 6 * sizeof(float);
    result.system.uploadBytes = result.system.bytesPerBone * from->bones;
    return result;
}

static bool run(Session *session, SpineCharacters *characters, CompareRow *row, EngineError *error) {
    const SpineRunDef def = spineCharactersRun(characters, session, row->entry->skin.system);
    SpineResult measured = {0};
    Skinning *skinning = spineSkinning(session, error);
    const bool good = skinning && spineRun(session->device, skinning, &def, &measured, &row->picture, error);
    if (good) {
        SystemStats *system = &row->result.system;
        row->result = asCrowd(&measured, characters->population.count);
        if (measured.trimmed > 0) {
            snprintf(system->remarks[system->remarkCount++], SYSTEM_REMARK_SIZE,
                     "keeps the 4 largest influences; vertices with more: %u", measured.trimmed);
        }
    }
    skinningDestroy(skinning);
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
