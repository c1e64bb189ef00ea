/* crowd_create.c: makes a crowd (crowd.h): its members, instances and pose batches. */
#include "crowd_place.h"

#include <stdlib.h>
#include <string.h>

static bool hasInstances(const Crowd *crowd) {
    return crowd->skin.system == SKIN_SYSTEM_COMPUTE;
}

/* Creates all instances of one mesh consecutively: they share output pages and need few draw calls. */
static bool createInstances(Crowd *crowd, uint32_t kind, EngineError *error) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.methods = VKSKIN_METHOD_BIT(skinModeMethod(crowd->skin.mode));
    for (uint32_t part = 0; hasInstances(crowd) && part < crowd->characters[kind]->partCount; part++) {
        def.mesh = crowd->characters[kind]->parts[part].mesh;
        for (uint32_t i = crowd->kindStarts[kind]; i < crowd->kindStarts[kind + 1]; i++) {
            const CrowdMember *member = &crowd->members[crowd->order[i]];
            VkskinResult result =
                vkskinCreateInstance(crowd->skinning->context, &def, &crowd->instances[member->firstInstance + part]);
            if (result < 0) {
                return skinningFail(crowd->skinning, error, "making the crowd's instances", result);
            }
        }
    }
    return true;
}

static void countMembers(Crowd *crowd, const CrowdDef *def) {
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        const Character *character = crowd->characters[member->character];
        member->mode = def->skin.mode;
        member->wrap = def->wrap;
        member->passes = (1u << CROWD_PASS_COUNT) - 1;
        member->firstInstance = crowd->instanceCount;
        member->firstMorph = crowd->morphCount;
        crowd->instanceCount += character->partCount;
        crowd->morphCount += character->morphCount;
        crowd->vertexCount += character->verticesPerInstance;
        crowd->boneCount += character->bonesPerInstance;
    }
}

static void orderByKind(Crowd *crowd) {
    uint32_t next = 0;
    for (uint32_t kind = 0; kind < crowd->characterCount; kind++) {
        for (uint32_t i = 0; i < crowd->memberCount; i++) {
            if (crowd->members[i].character == kind) {
                crowd->members[i].slot = next - crowd->kindStarts[kind];
                crowd->order[next++] = i;
            }
        }
        crowd->kindStarts[kind + 1] = next;
    }
}

/* One batch for each palette of the kind: a batch poses the characters of one skeleton and one skin. */
static bool createBatches(Crowd *crowd, uint32_t kind, EngineError *error) {
    const Character *character = crowd->characters[kind];
    VkskinPoseBatch *batches = engineAllocate(character->paletteCount, sizeof(VkskinPoseBatch), error);
    crowd->scratch->batches[kind] = batches;
    for (uint32_t i = 0; batches && i < character->paletteCount && crowdKindSize(crowd, kind) > 0; i++) {
        VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
        def.skin = character->palettes[i].skin;
        if (character->packed.block) {
            def.animation = character->packed.block;
            def.animationSize = character->packed.size;
        } else {
            def.skeleton = character->skeleton;
            def.clips = character->clips;
            def.clipCount = character->clipCount;
        }
        def.slotCount = crowdKindSize(crowd, kind);
        def.blending = character->motion != NULL;
        def.logger = crowd->skinning->logger;
        VkskinResult result = vkskinCreatePoseBatch(&def, &batches[i]);
        if (result < 0) {
            return skinningFail(crowd->skinning, error, "preparing the crowd's poses", result);
        }
    }
    return batches;
}

/* Nothing if the device poses the members. */
static bool createScratch(Crowd *crowd, EngineError *error) {
    if (crowd->skin.system == SKIN_SYSTEM_CROWD) {
        return true;
    }
    size_t members = 0, palettes = 0;
    for (uint32_t kind = 0; kind < crowd->characterCount; kind++) {
        size_t size = crowdKindSize(crowd, kind), needed = size * crowd->characters[kind]->paletteCount;
        members = size > members ? size : members;
        palettes = needed > palettes ? needed : palettes;
    }
    CrowdScratch *scratch = crowd->scratch = engineAllocate(1, sizeof(*scratch), error);
    if (!scratch) {
        return false;
    }
    scratch->batches = engineAllocate(crowd->characterCount, sizeof(*scratch->batches), error);
    scratch->fresh = engineAllocate(members, sizeof(*scratch->fresh), error);
    scratch->boneCounts = engineAllocate(palettes, sizeof(*scratch->boneCounts), error);
    scratch->palettes = engineAllocate(palettes, sizeof(*scratch->palettes), error);
    scratch->data = engineAllocate(palettes, sizeof(*scratch->data), error);
    scratch->characters = engineAllocate(members, sizeof(*scratch->characters), error);
    bool made = scratch->batches && scratch->fresh && scratch->boneCounts && scratch->palettes && scratch->data &&
                scratch->characters;
    for (uint32_t kind = 0; kind < crowd->characterCount && made; kind++) {
        made = createBatches(crowd, kind, error);
    }
    return made;
}

static void destroyScratch(Crowd *crowd) {
    CrowdScratch *scratch = crowd->scratch;
    crowd->scratch = NULL;
    if (!scratch) {
        return;
    }
    for (uint32_t kind = 0; kind < crowd->characterCount && scratch->batches; kind++) {
        for (uint32_t i = 0; i < crowd->characters[kind]->paletteCount && scratch->batches[kind]; i++) {
            vkskinDestroyPoseBatch(scratch->batches[kind][i]);
        }
        free(scratch->batches[kind]);
    }
    free(scratch->batches);
    free(scratch->fresh);
    free(scratch->boneCounts);
    free(scratch->palettes);
    free(scratch->data);
    free(scratch->characters);
    free(scratch);
}

static bool build(Crowd *crowd, const CrowdDef *def, EngineError *error) {
    crowd->characters = engineAllocate(def->characterCount, sizeof(*crowd->characters), error);
    crowd->members = engineAllocate(def->count, sizeof(*crowd->members), error);
    crowd->order = engineAllocate(def->count, sizeof(*crowd->order), error);
    crowd->kindStarts = engineAllocate((size_t)def->characterCount + 1, sizeof(*crowd->kindStarts), error);
    if (!crowd->characters || !crowd->members || !crowd->order || !crowd->kindStarts) {
        return false;
    }
    memcpy(crowd->characters, def->characters, def->characterCount * sizeof(*crowd->characters));
    crowd->characterCount = def->characterCount;
    crowd->memberCount = def->count;
    crowd->skin = def->skin;
    crowdChooseKinds(crowd, def->seed);
    countMembers(crowd, def);
    orderByKind(crowd);
    crowd->instances = engineAllocate(crowd->instanceCount, sizeof(*crowd->instances), error);
    crowd->commands = engineAllocate(crowd->instanceCount, sizeof(*crowd->commands), error);
    crowd->morphWeights = engineAllocate(crowd->morphCount, sizeof(*crowd->morphWeights), error);
    bool made = crowd->instances && crowd->commands && crowd->morphWeights;
    for (uint32_t kind = 0; kind < crowd->characterCount && made; kind++) {
        made = characterCreateBoxes(crowd->characters[kind], error);
    }
    made = made && createScratch(crowd, error);
    for (uint32_t kind = 0; kind < crowd->characterCount && made; kind++) {
        made = createInstances(crowd, kind, error);
    }
    return made && crowdPlaceMembers(crowd, def, error);
}

Crowd *crowdCreate(Skinning *skinning, const CrowdDef *def, EngineError *error) {
    if (def->count == 0 || def->characterCount == 0) {
        engineFail(error, "a crowd needs at least one member and one character");
        return NULL;
    }
    Crowd *crowd = engineAllocate(1, sizeof(*crowd), error);
    if (!crowd) {
        return NULL;
    }
    crowd->skinning = skinning;
    if (!build(crowd, def, error)) {
        crowdDestroy(crowd);
        return NULL;
    }
    return crowd;
}

void crowdDestroy(Crowd *crowd) {
    if (!crowd) {
        return;
    }
    for (uint32_t i = 0; i < crowd->instanceCount && crowd->instances; i++) {
        if (!VKSKIN_IS_NULL(crowd->instances[i])) {
            (void)vkskinDestroyInstance(crowd->skinning->context, crowd->instances[i]);
        }
    }
    destroyScratch(crowd);
    free(crowd->characters);
    free(crowd->members);
    free(crowd->instances);
    free(crowd->commands);
    free(crowd->morphWeights);
    free(crowd->order);
    free(crowd->kindStarts);
    free(crowd);
}

/* crowdPlaceMembers also chooses clips and times. */
static bool placeAgain(Crowd *crowd, const CrowdDef *def, EngineError *error) {
    CrowdMember *before = engineAllocate(crowd->memberCount, sizeof(*before), error);
    if (!before) {
        return false;
    }
    memcpy(before, crowd->members, crowd->memberCount * sizeof(*before));
    bool placed = crowdPlaceMembers(crowd, def, error);
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        crowd->members[i].clip = before[i].clip;
        crowd->members[i].time = before[i].time;
    }
    free(before);
    return placed;
}

bool crowdReplaceCharacter(Crowd *crowd, uint32_t kind, Character *character, const CrowdDef *def, EngineError *error) {
    destroyScratch(crowd);
    crowd->characters[kind] = character;
    crowd->vertexCount = crowd->boneCount = 0;
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        crowd->vertexCount += crowd->characters[member->character]->verticesPerInstance;
        crowd->boneCount += crowd->characters[member->character]->bonesPerInstance;
        member->skinnedVersion = member->character == kind ? 0 : member->skinnedVersion;
    }
    return characterCreateBoxes(character, error) && createScratch(crowd, error) && placeAgain(crowd, def, error);
}
