#include "crowd.h"

#include <stdlib.h>
#include <string.h>

#include "crowd_place.h"

static uint32_t largestStride(uint32_t ways) {
    uint32_t largest = 0;
    for (uint32_t way = 0; way < SKIN_WAY_COUNT; way++) {
        uint32_t stride = (ways & 1u << way) ? vkskinPaletteStride(skinWayEncoding((SkinWay)way)) : 0;
        largest = stride > largest ? stride : largest;
    }
    return largest;
}

CrowdNeeds crowdNeeds(const Model *const *models, uint32_t modelCount, uint32_t count, uint32_t ways) {
    CrowdNeeds needs = {0};
    const uint32_t stride = largestStride(ways);
    for (uint32_t kind = 0; kind < modelCount; kind++) {
        const Model *model = models[kind];
        uint32_t members = count / modelCount + (kind < count % modelCount ? 1 : 0);
        needs.instances += members * model->partCount;
        for (uint32_t part = 0; part < model->partCount; part++) { /* at most a palette a part */
            uint32_t morphs = model->meshes[model->parts[part].mesh].morphCount;
            needs.morphWeights += morphs > 0 ? (uint64_t)members * (morphs + 1) : 0; /* and one for the command */
            VkDeviceSize palette = (VkDeviceSize)model->skins[model->parts[part].skin].boneCount * stride;
            palette = (palette + 15) / 16 * 16; /* each begins at a multiple of 16 */
            needs.paletteBytes += members * palette;
            needs.largestPalette = palette > needs.largestPalette ? palette : needs.largestPalette;
        }
    }
    return needs;
}

/*
 * Instances of one mesh are made one after the other: they then lie together in the output's pages, and few draws
 * serve them all.
 */
static bool createInstances(Crowd *crowd, uint32_t kind, uint32_t part, EngineError *error) {
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    def.mesh = crowd->characters[kind]->parts[part].mesh;
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        const CrowdMember *member = &crowd->members[i];
        if (member->character != kind) {
            continue;
        }
        VkskinResult result =
            vkskinCreateInstance(crowd->skinning->context, &def, &crowd->instances[member->firstInstance + part]);
        if (result < 0) {
            return skinningFail(crowd->skinning, error, "making the crowd's instances", result);
        }
    }
    return true;
}

static bool createAllInstances(Crowd *crowd, EngineError *error) {
    for (uint32_t kind = 0; kind < crowd->characterCount; kind++) {
        for (uint32_t part = 0; part < crowd->characters[kind]->partCount; part++) {
            if (!createInstances(crowd, kind, part, error)) {
                return false;
            }
        }
    }
    return true;
}

static void countMembers(Crowd *crowd, const CrowdDef *def) {
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        const Character *character = crowd->characters[member->character];
        member->way = def->way;
        member->wrap = def->wrap;
        member->firstInstance = crowd->instanceCount;
        member->firstMorph = crowd->morphCount;
        crowd->instanceCount += character->partCount;
        crowd->morphCount += character->morphCount;
        crowd->vertexCount += character->verticesPerInstance;
        crowd->boneCount += character->bonesPerInstance;
    }
}

static bool createScratch(Crowd *crowd, EngineError *error) {
    uint32_t nodes = 1;
    uint32_t palettes = 1;
    for (uint32_t i = 0; i < crowd->characterCount; i++) {
        const Character *character = crowd->characters[i];
        nodes = character->model->nodeCount > nodes ? character->model->nodeCount : nodes;
        palettes = character->paletteCount > palettes ? character->paletteCount : palettes;
    }
    crowd->pose = malloc(nodes * sizeof(*crowd->pose));
    crowd->world = malloc(nodes * sizeof(*crowd->world));
    crowd->palettes = malloc(palettes * sizeof(*crowd->palettes));
    return (crowd->pose && crowd->world && crowd->palettes) || engineFail(error, "out of memory");
}

static bool build(Crowd *crowd, const CrowdDef *def, EngineError *error) {
    crowd->characters = calloc(def->characterCount, sizeof(*crowd->characters));
    crowd->members = calloc(def->count, sizeof(*crowd->members));
    if (!crowd->characters || !crowd->members) {
        return engineFail(error, "out of memory");
    }
    memcpy(crowd->characters, def->characters, def->characterCount * sizeof(*crowd->characters));
    crowd->characterCount = def->characterCount;
    crowd->memberCount = def->count;
    crowdChooseKinds(crowd, def->seed);
    countMembers(crowd, def);
    crowd->instances = calloc(crowd->instanceCount + 1, sizeof(*crowd->instances));
    crowd->commands = calloc(crowd->instanceCount + 1, sizeof(*crowd->commands));
    crowd->morphWeights = malloc((crowd->morphCount + 1) * sizeof(*crowd->morphWeights));
    if (!crowd->instances || !crowd->commands || !crowd->morphWeights) {
        return engineFail(error, "out of memory");
    }
    return createScratch(crowd, error) && createAllInstances(crowd, error) &&
           crowdPlaceMembers(crowd, def->seed, def->placement, error);
}

Crowd *crowdCreate(Skinning *skinning, const CrowdDef *def, EngineError *error) {
    if (def->count == 0 || def->characterCount == 0) {
        engineFail(error, "a crowd needs at least one member and one character");
        return NULL;
    }
    Crowd *crowd = calloc(1, sizeof(*crowd));
    if (!crowd) {
        engineFail(error, "out of memory");
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
        if (crowd->instances[i].index != 0) {
            (void)vkskinDestroyInstance(crowd->skinning->context, crowd->instances[i]);
        }
    }
    free(crowd->characters);
    free(crowd->members);
    free(crowd->instances);
    free(crowd->commands);
    free(crowd->morphWeights);
    free(crowd->pose);
    free(crowd->world);
    free(crowd->palettes);
    free(crowd);
}

static bool writePalettes(Crowd *crowd, const Character *character, VkskinPaletteEncoding encoding,
                          EngineError *error) {
    for (uint32_t i = 0; i < character->paletteCount; i++) {
        const CharacterPalette *source = &character->palettes[i];
        void *data;
        VkskinResult result =
            vkskinAllocatePalette(crowd->skinning->context, encoding, source->boneCount, &crowd->palettes[i], &data);
        if (result >= 0) {
            result = vkskinWritePalette(source->skin, crowd->world, character->model->nodeCount, encoding, data,
                                        source->boneCount);
        }
        if (result < 0) {
            return skinningFail(crowd->skinning, error, "writing a palette", result);
        }
    }
    return true;
}

static void fillCommands(Crowd *crowd, const CrowdMember *member, const Character *character) {
    for (uint32_t i = 0; i < character->partCount; i++) {
        const CharacterPart *part = &character->parts[i];
        uint32_t index = member->firstInstance + i;
        crowd->commands[index] =
            (VkskinSkinCommand){.instance = crowd->instances[index],
                                .palette = crowd->palettes[part->palette],
                                .method = skinWayMethod(member->way),
                                .morphWeights = crowd->morphWeights + member->firstMorph + part->firstMorph,
                                .morphWeightCount = part->morphCount};
    }
}

static bool poseMember(Crowd *crowd, const CrowdMember *member, double clock, EngineError *error) {
    const Character *character = crowd->characters[member->character];
    VkskinClip clip = member->clip < character->clipCount ? character->clips[member->clip] : NULL;
    VkskinResult result = vkskinSampleClip(character->skeleton, clip, member->time + clock, member->wrap, crowd->pose);
    if (result >= 0) {
        result = vkskinComposePose(character->skeleton, crowd->pose, crowd->world);
    }
    if (result < 0) {
        return skinningFail(crowd->skinning, error, "posing", result);
    }
    if (!writePalettes(crowd, character, skinWayEncoding(member->way), error) ||
        !characterMorphWeights(character, clip, member->time + clock, member->wrap,
                               crowd->morphWeights + member->firstMorph, error)) {
        return false;
    }
    fillCommands(crowd, member, character);
    return true;
}

bool crowdPose(Crowd *crowd, double clock, EngineError *error) {
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        if (!poseMember(crowd, &crowd->members[i], clock, error)) {
            return false;
        }
    }
    return true;
}

bool crowdSkin(Crowd *crowd, EngineError *error) {
    VkskinResult result = vkskinSkinInstances(crowd->skinning->context, crowd->commands, crowd->instanceCount);
    return result >= 0 || skinningFail(crowd->skinning, error, "skinning the crowd", result);
}

VkskinAffine crowdPartMatrix(const Crowd *crowd, const CrowdMember *member, uint32_t part) {
    const Character *character = crowd->characters[member->character];
    VkskinAffine common = vkskinMultiplyAffine(&character->modelToCommon, &character->parts[part].meshToModel);
    return vkskinMultiplyAffine(&member->place, &common);
}
