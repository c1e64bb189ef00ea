/* spine_compare.c: what `compare` needs of 2D characters: a grid of them, drawn and measured with one system. */
#include "spine_verbs.h"

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

SpineCharacters *spineCompareLoad(Session *session, EngineError *error) {
    static const char *const taken[] = {"output", "count", "clip",    "time",   "frames",   "seed", "skin",
                                        "size",   "json",  "sandbox", "device", "validate", "force"};
    if (!spineLoad(session, taken, COUNT_OF(taken), error)) {
        return NULL;
    }
    session->skin.backend = VKSKIN_BACKEND_COMPUTE; /* as of other models */
    return spineCharactersCreate(session, SPINE_GRID, error);
}

bool spineCompareRun(Session *session, SpineCharacters *characters, SkinSystem system, CrowdResult *result,
                     Picture *picture, EngineError *error) {
    const SpineRunDef run = spineCharactersRun(characters, session, system);
    SpineResult measured = {0};
    Skinning *skinning = spineSkinning(session, error);
    const bool good = skinning && spineRun(session->device, skinning, &run, &measured, picture, error);
    if (good) {
        *result = asCrowd(&measured, characters->crowd.count);
        if (measured.trimmed > 0) {
            snprintf(result->system.remarks[result->system.remarkCount++], SYSTEM_REMARK_SIZE,
                     "keeps the 4 largest influences; vertices with more: %u", measured.trimmed);
        }
    }
    skinningDestroy(skinning);
    return good;
}
