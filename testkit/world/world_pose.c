/* Poses of a world: of characters at a time of a clip, or entries of any kind; and their palettes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "world.h"

#define ALIGNMENT 16u
#define DISTINCT  61u /* bones of a palette: computing all bones of a large one takes long. Prime. */

/* ---- Entries of any kind ---- */

/* The memory of the entries of a pose. */
typedef struct Entries {
    Random random;
    VkskinPaletteEncoding encoding;
    uint32_t stride;
    char *bytes;
    WorldBones bones;
} Entries;

static float wildFloat(Random *random) {
    static const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, 1e-30f, 1e-41f, 0.0f, -0.0f};
    const uint32_t choice = randomBelow(random, COUNT_OF(values) + 2), word = randomWord(random);
    float any;
    memcpy(&any, &word, sizeof any);
    return choice < COUNT_OF(values) ? values[choice] : any;
}

static void writeWild(Entries *entries, uint32_t bone) {
    const float same = wildFloat(&entries->random);
    const bool alike = randomBelow(&entries->random, 2) == 0;
    float *entry = (float *)(void *)(entries->bytes + (size_t)bone * entries->stride);
    for (uint32_t i = 0; i < entries->stride / sizeof(float); i++) {
        entry[i] = alike ? same : wildFloat(&entries->random);
    }
}

/* In the plane if the encoding is flat. */
static ReferenceMatrix anyBone(Random *random, VkskinPaletteEncoding encoding) {
    const VkskinAffine affine = randomBone(random, 1.0f, true);
    const ReferenceMatrix bone = referenceFromAffine(&affine);
    const ReferenceMatrix flat = {
        {{bone.m[0][0], bone.m[0][1], 0, bone.m[0][3]}, {bone.m[1][0], bone.m[1][1], 0, bone.m[1][3]}, {0, 0, 1, 0}}};
    return encoding == VKSKIN_PALETTE_MAT2X3 ? flat : bone;
}

static void writeSane(Entries *entries, uint32_t bone) {
    char *entry = entries->bytes + (size_t)bone * entries->stride;
    ReferenceMatrix *bones = entries->bones.bones;
    if (bone >= DISTINCT && !entries->bones.wild[bone % DISTINCT]) {
        bones[bone] = bones[bone % DISTINCT];
        memcpy(entry, entries->bytes + (size_t)(bone % DISTINCT) * entries->stride, entries->stride);
        return;
    }
    const ReferenceMatrix made = anyBone(&entries->random, entries->encoding);
    paletteEntry(entries->encoding, &made, randomBelow(&entries->random, 2) == 0, entry);
    bones[bone] = paletteEntryMatrix(entries->encoding, entry);
}

/* Makes the same entries each time. Free bytes and bones. */
static Entries makeEntries(const WorldPose *pose) {
    Entries entries = {
        .random = {pose->seed}, .encoding = pose->way.encoding, .stride = vkskinPaletteStride(pose->way.encoding)};
    entries.bytes = newZeroed(pose->bones, entries.stride);
    entries.bones.bones = newZeroed(pose->bones, sizeof *entries.bones.bones);
    entries.bones.wild = newZeroed(pose->bones, sizeof *entries.bones.wild);
    for (uint32_t b = 0; b < pose->bones; b++) {
        entries.bones.wild[b] = randomBelow(&entries.random, 10) < pose->wildOfTen;
        (entries.bones.wild[b] ? writeWild : writeSane)(&entries, b);
    }
    return entries;
}

WorldBones worldPoseBones(const WorldCharacter *character, const WorldPose *pose) {
    WorldBones bones = {NULL, NULL};
    if (pose->made) {
        Entries entries = makeEntries(pose);
        free(entries.bytes);
        return entries.bones;
    }
    ReferenceMatrix *world = newReferenceWorld(character->model, pose->clip, pose->time, VKSKIN_WRAP_LOOP);
    bones.bones = newReferenceBones(character->model, 0, world);
    free(world);
    return bones;
}

void worldBonesFree(WorldBones *bones) {
    free(bones->bones);
    free(bones->wild);
}

/* ---- Random poses ---- */

/* Whether the library's palette of any pose is exact up to rounding. */
static bool holds(const WorldCharacter *character, VkskinPaletteEncoding encoding) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return true;
    case VKSKIN_PALETTE_DUAL_QUATERNION:
    case VKSKIN_PALETTE_QUATERNION:
        return character->rigid;
    default:
        return false;
    }
}

static WorldPose randomPose(const WorldContext *context, const WorldCharacter *character, Random *random) {
    static const WorldWay FLAT = {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3};
    static const uint32_t WILD[] = {0, 0, 3, 3, 10};
    const WorldKinds *kinds = &context->kinds;
    WorldPose pose = {
        .way = character->flat ? FLAT : kinds->ways[randomBelow(random, WORLD_WAYS)],
        .clip = (int32_t)randomBelow(random, character->model->clipCount + 1) - 1,
        .time = randomFloat(random, -2.0f, 6.0f),
        .bones = character->model->skins[0].boneCount,
    };
    pose.made = !holds(character, pose.way.encoding) || randomBelow(random, 4) == 0;
    if (pose.made) {
        pose.seed = randomWord(random);
        pose.wildOfTen = WILD[randomBelow(random, COUNT_OF(WILD))];
    }
    for (uint32_t i = 0; kinds->morphs && i < WORLD_MORPHS; i++) {
        pose.morphWeights[i] = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
    return pose;
}

/* ---- Places in the ring ---- */

static void noteTaken(WorldRing *ring, const VkskinPalette *palette) {
    const VkDeviceSize size = (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    ring->page = palette->page;
    ring->used = palette->offset + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static VkDeviceSize roomOfPage(const WorldRing *ring) {
    const VkDeviceSize before = ring->page * ring->pageSize;
    const VkDeviceSize size = ring->size - before < ring->pageSize ? ring->size - before : ring->pageSize;
    return (size - ring->used) / ALIGNMENT * ALIGNMENT;
}

/* A palette of 16 bytes per bone fills any gap before one of `size` bytes. */
static void skipToEnd(WorldContext *context, VkDeviceSize size) {
    const VkDeviceSize room = roomOfPage(&context->ring);
    const VkDeviceSize taken = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    VkskinPalette palette;
    void *data;
    if (room > taken) {
        const uint32_t bones = (uint32_t)((room - taken) / vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION_HALF));
        worldContextCheck(
            context, "vkskinAllocatePalette up to the end of a page",
            vkskinAllocatePalette(context->handle, VKSKIN_PALETTE_QUATERNION_HALF, bones, &palette, &data));
        noteTaken(&context->ring, &palette);
    }
}

/* Fills a copy of `made` first: the library's memory is only written. */
static void fillPalette(WorldCharacter *character, const WorldPose *pose, void *data) {
    if (pose->made) {
        Entries entries = makeEntries(pose);
        memcpy(data, entries.bytes, (size_t)pose->bones * entries.stride);
        free(entries.bytes);
        worldBonesFree(&entries.bones);
        return;
    }
    VkskinResult result = modelObjectsPose(&character->objects, pose->clip, pose->time, VKSKIN_WRAP_LOOP);
    if (result >= 0) {
        result = modelObjectsPalette(&character->objects, 0, pose->way.encoding, data, pose->bones);
    }
    if (result != VKSKIN_SUCCESS) { /* no warning is expected: rigid characters have no scale that could be lost */
        worldFail("vkskinWritePalette: %s", vkskinResultName(result));
    }
}

bool worldPaletteTake(WorldContext *context, Random *random, WorldCharacter *character, WorldPalette *palette) {
    const bool atEnd = context->ring.fixed && randomBelow(random, context->host->dense ? 3 : 64) == 0;
    WorldPose pose = randomPose(context, character, random);
    void *data = NULL;
    pose.bones += pose.made && !atEnd && pose.bones + 2 <= context->maxBones ? randomBelow(random, 3) : 0;
    if (atEnd) {
        skipToEnd(context, (VkDeviceSize)vkskinPaletteStride(pose.way.encoding) * pose.bones);
    }
    *palette = (WorldPalette){.character = character, .pose = pose};
    const VkskinResult result =
        vkskinAllocatePalette(context->handle, pose.way.encoding, pose.bones, &palette->handle, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        return false;
    }
    worldContextCheck(context, "vkskinAllocatePalette", result);
    noteTaken(&context->ring, &palette->handle);
    fillPalette(character, &pose, data);
    return true;
}
