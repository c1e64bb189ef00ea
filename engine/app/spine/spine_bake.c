/* spine_bake.c: vkskin bake for 2D characters: what slots show at one time of an animation as triangles, or at many. */
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "files.h"
#include "outputs.h"
#include "report.h"
#include "sequence.h"
#include "spine_clip.h"
#include "spine_options.h"

typedef struct SpineBake {
    const Arguments *arguments;
    Model *model;
    const SpineModel *spine;
    SpinePose *pose;
    SpineMotion motion;
    double time; /* --time, in seconds */
    GeometryFormat format;
    GlbPictures pictures;
    uint32_t blended, dark; /* slots that the files do not show as they are: the most of any file */
    Document document;      /* without a table */
    cJSON *files;           /* the member "files" */
} SpineBake;

/* ---- Materials ---- */

/* One for each page and blend mode, then those without a page: at 4 x (page + 1) + blend. */
static ModelMaterial *materialOf(const Model *model, int32_t page, uint32_t blend) {
    return &model->materials[(size_t)(page + 1) * SPINE_BLEND_COUNT + blend];
}

static bool nameMaterial(const SpineModel *spine, ModelMaterial *material, int32_t page, uint32_t blend) {
    const char *name = page >= 0 ? spine->pages[page].name : "no picture";
    size_t size = strlen(name) + 32;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, blend == SPINE_BLEND_NORMAL ? "%s" : "%s, %s", name, SPINE_BLEND_NAMES[blend]);
        *material = modelPlainMaterial(text);
        material->unlit = 1;
        material->alpha = MODEL_ALPHA_BLEND;
        material->maps[MODEL_MAP_BASE] = page >= 0 ? spine->pages[page].texture : -1;
        material->wraps[MODEL_MAP_BASE][0] =
            page >= 0 && spine->pages[page].repeats & 1u ? MODEL_WRAP_REPEAT : MODEL_WRAP_CLAMP;
        material->wraps[MODEL_MAP_BASE][1] =
            page >= 0 && spine->pages[page].repeats & 2u ? MODEL_WRAP_REPEAT : MODEL_WRAP_CLAMP;
    }
    return text != NULL;
}

static bool makeMaterials(SpineBake *bake, EngineError *error) {
    const SpineModel *spine = bake->spine;
    const uint32_t count = (spine->pageCount + 1) * SPINE_BLEND_COUNT;
    free(bake->model->materials);
    bake->model->materials = engineAllocate(count, sizeof *bake->model->materials, error);
    bool good = bake->model->materials != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        good = nameMaterial(spine, &bake->model->materials[i], (int32_t)(i / SPINE_BLEND_COUNT) - 1,
                            i % SPINE_BLEND_COUNT) ||
               engineFail(error, "out of memory");
        bake->model->materialCount += good;
    }
    return good;
}

/* Materials of .glb have colours that are not times alpha. */
static void straighten(const Model *model, const SpineModel *spine) {
    for (uint32_t p = 0; p < spine->pageCount; p++) {
        const SpinePage *page = &spine->pages[p];
        ModelTexture *texture = page->premultiplied && page->texture >= 0 ? &model->textures[page->texture] : NULL;
        const size_t count = texture ? (size_t)texture->width * texture->height : 0;
        for (size_t i = 0; i < count; i++) {
            uint8_t *texel = texture->pixels + i * 4;
            for (int c = 0; c < 3 && texel[3] > 0; c++) {
                const unsigned straight = (texel[c] * 255u + texel[3] / 2u) / texel[3];
                texel[c] = (uint8_t)(straight < 255u ? straight : 255u);
            }
        }
    }
}

/* ---- Geometry ---- */

static const SpineAttachment *shownBy(const SpinePose *pose, uint32_t slot) {
    const int32_t index = pose->slots[slot].attachment;
    const SpineAttachment *attachment = index >= 0 ? &pose->spine->attachments[index] : NULL;
    return attachment && attachment->frameCount > 0 ? attachment : NULL;
}

static float linear(float channel) {
    return channel <= 0.04045f ? channel / 12.92f : powf((channel + 0.055f) / 1.055f, 2.4f);
}

/* What a slot shows: its triangles as they are, or cut by the polygon that clips it. */
typedef struct BakedSlot {
    const SpineAttachment *attachment; /* null: nothing, or nothing is left */
    const char *clippedBy;             /* the slot of the polygon; null: none */
    double *positions;                 /* [vertexCount of the attachment][2] */
    SpineCut cut;
} BakedSlot;

static bool isFinite(const double *values, size_t count) {
    bool finite = true;
    for (size_t i = 0; i < count; i++) {
        finite = finite && isfinite((float)values[i]);
    }
    return finite;
}

/* [vertexCount][2] of what the slot shows. Null on failure. */
static double *newPositions(const SpinePose *pose, uint32_t slot, EngineError *error) {
    const SpineAttachment *attachment = &pose->spine->attachments[pose->slots[slot].attachment];
    double *positions = engineAllocate(attachment->vertexCount, 2 * sizeof *positions, error);
    if (positions) {
        spinePoseVertices(pose, slot, positions);
        if (!isFinite(positions, (size_t)attachment->vertexCount * 2)) {
            engineFail(error, "a vertex of slot '%.200s' is not finite", pose->spine->slots[slot].name);
            free(positions);
            positions = NULL;
        }
    }
    return positions;
}

static bool takeSlot(const SpinePose *pose, uint32_t slot, const SpineRegion *region, uint64_t *left, BakedSlot *baked,
                     EngineError *error) {
    const SpineAttachment *attachment = shownBy(pose, slot);
    if (!attachment) {
        return true;
    }
    baked->positions = newPositions(pose, slot, error);
    const bool good =
        baked->positions && spineCutMake(region, baked->positions, attachment->vertexCount, attachment->indices,
                                         attachment->indexCount, left, &baked->cut, error);
    baked->attachment = good && (!region || baked->cut.indexCount > 0) ? attachment : NULL;
    return good;
}

static bool beginRegion(const SpinePose *pose, uint32_t slot, uint64_t *left, SpineRegion *region, EngineError *error) {
    double *polygon = newPositions(pose, slot, error);
    const uint32_t count = pose->spine->attachments[pose->slots[slot].attachment].vertexCount;
    const bool good = polygon && spineRegionCreate(polygon, count, left, region, error);
    free(polygon);
    return good;
}

/* In draw order, which says what a polygon clips. slots: [slotCount], zero. */
static bool takeSlots(const SpinePose *pose, BakedSlot *slots, EngineError *error) {
    SpineClipping clipping = SPINE_UNCLIPPED;
    SpineRegion region = {0};
    uint64_t left = SPINE_CLIP_STEPS;
    bool good = true;
    for (uint32_t i = 0; i < pose->spine->slotCount && good; i++) {
        const uint32_t slot = pose->drawOrder[i];
        const int32_t before = clipping.slot;
        spineClipBegin(pose, slot, &clipping);
        if (clipping.slot != before) {
            spineRegionFree(&region);
            good = beginRegion(pose, slot, &left, &region, error);
        }
        good = good && takeSlot(pose, slot, clipping.slot >= 0 ? &region : NULL, &left, &slots[slot], error);
        slots[slot].clippedBy = clipping.slot >= 0 ? pose->spine->slots[clipping.slot].name : NULL;
        spineClipEnd(slot, &clipping);
    }
    spineRegionFree(&region);
    return good;
}

static void freeSlots(BakedSlot *slots, uint32_t count) {
    for (uint32_t i = 0; i < count && slots; i++) {
        free(slots[i].positions);
        spineCutFree(&slots[i].cut);
    }
    free(slots);
}

/* A vertex of the cut. positions, texcoords: of the vertices of the attachment, [][2]. */
static void mix(const SpineCutVertex *vertex, const double *positions, const float *texcoords, float position[2],
                float texcoord[2]) {
    for (size_t axis = 0; axis < 2; axis++) {
        double place = 0.0, texture = 0.0;
        for (int i = 0; i < 3; i++) {
            const size_t at = (size_t)vertex->corners[i] * 2 + axis;
            place += vertex->shares[i] * positions[at];
            texture += vertex->shares[i] * (double)texcoords[at];
        }
        position[axis] = (float)place;
        texcoord[axis] = (float)texture;
    }
}

static void addVertices(const SpinePose *pose, uint32_t slot, const BakedSlot *baked, uint32_t first,
                        Geometry *geometry) {
    const SpineSlotState *state = &pose->slots[slot];
    const SpineFrame *frame = &baked->attachment->frames[state->frame];
    for (uint32_t i = 0; i < baked->cut.vertexCount; i++) {
        const size_t out = (size_t)first + i;
        mix(&baked->cut.vertices[i], baked->positions, frame->texcoords, geometry->positions + out * 3,
            geometry->texcoords + out * 2);
        geometry->normals[out * 3 + 2] = 1.0f;
        for (int c = 0; c < 4; c++) {
            const float channel = state->colour[c] * baked->attachment->colour[c];
            geometry->colours[out * 4 + (size_t)c] = c < 3 ? linear(channel) : channel;
        }
    }
}

static bool sizeGeometry(const SpineBake *bake, const BakedSlot *slots, GeometrySize *size, EngineError *error) {
    bool any = false;
    *size = (GeometrySize){.texcoords = true, .colours = true, .pictures = glbPicturesSizeMax(bake->model)};
    for (uint32_t i = 0; i < bake->spine->slotCount; i++) {
        any = any || shownBy(bake->pose, i);
        if (slots[i].attachment) {
            size->vertices += slots[i].cut.vertexCount;
            size->indices += slots[i].cut.indexCount;
            size->parts++;
        }
    }
    const OptionValue *output = optionsValue(bake->arguments, "output");
    const uint64_t mebibytes = (uint64_t)optionsValue(bake->arguments, "max-size")->integer;
    const uint64_t most = geometrySizeMax(bake->format, size) >> 20;
    if (size->parts == 0 || size->indices == 0) {
        return engineFail(error,
                          any ? "%s: polygons clip all that slots show at %g s"
                              : "%s: no slot shows a region or a mesh at %g s",
                          bake->arguments->operands[0], bake->pose->time.seconds);
    }
    if (size->vertices > INT32_MAX || size->indices > INT32_MAX || most >= mebibytes) {
        return engineFail(error, "%s: may take up to %llu MiB, but --max-size is %llu", output->text,
                          (unsigned long long)most + 1, (unsigned long long)mebibytes);
    }
    return true;
}

static void addPart(const SpineBake *bake, uint32_t slot, const BakedSlot *baked, GeometryPart *part,
                    Geometry *geometry) {
    const SpineFrame *frame = &baked->attachment->frames[bake->pose->slots[slot].frame];
    addVertices(bake->pose, slot, baked, part->firstVertex, geometry);
    for (uint32_t i = 0; i < baked->cut.indexCount; i++) {
        geometry->indices[part->firstIndex + i] = part->firstVertex + baked->cut.indices[i];
    }
    part->name = bake->spine->slots[slot].name;
    part->material = materialOf(bake->model, frame->page, bake->spine->slots[slot].blend);
    part->vertexCount = baked->cut.vertexCount;
    part->indexCount = baked->cut.indexCount;
    part->texcoords = part->colours = true;
}

/* Slots in draw order, from back to front. */
static bool makeGeometry(const SpineBake *bake, const BakedSlot *slots, Geometry *geometry, EngineError *error) {
    GeometrySize size;
    GeometryPart next = {0};
    uint32_t part = 0;
    *geometry = (Geometry){0};
    if (!sizeGeometry(bake, slots, &size, error)) {
        return false;
    }
    if (!geometryCreate(&size, geometry)) {
        return engineFail(error, "out of memory");
    }
    for (int i = 0; i < 3; i++) {
        geometry->toMetres[i][i] = 1.0f;
    }
    for (uint32_t i = 0; i < bake->spine->slotCount; i++) {
        const uint32_t slot = bake->pose->drawOrder[i];
        if (slots[slot].attachment) {
            addPart(bake, slot, &slots[slot], &next, geometry);
            geometry->parts[part++] = next;
            next.firstVertex += next.vertexCount;
            next.firstIndex += next.indexCount;
        }
    }
    return true;
}

/* ---- What the files cannot say ---- */

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void countLosses(SpineBake *bake, const BakedSlot *slots) {
    uint32_t blended = 0, dark = 0;
    for (uint32_t i = 0; i < bake->spine->slotCount; i++) {
        blended += slots[i].attachment && bake->spine->slots[i].blend != SPINE_BLEND_NORMAL;
        dark += slots[i].attachment && bake->spine->slots[i].twoColours != 0;
    }
    bake->blended = larger(bake->blended, blended);
    bake->dark = larger(bake->dark, dark);
}

static void sayLosses(const SpineBake *bake) {
    const char *verb = bake->arguments->verb->name, *path = bake->arguments->operands[0];
    if (bake->blended > 0) {
        sayWarning(verb, "%s: slots with another blend mode, which only the material's name states: %u", path,
                   bake->blended);
    }
    if (bake->dark > 0) {
        sayWarning(verb, "%s: slots with a dark colour, which the file does not have: %u", path, bake->dark);
    }
}

/* ---- The files and their description ---- */

static void addFile(SpineBake *bake, const BakedSlot *slots, double time, const char *name, const Geometry *geometry) {
    cJSON *row = jsonAddBaked(bake->files, name, time, geometry, &bake->document.good);
    cJSON *parts = jsonAddArray(row, "parts", &bake->document.good);
    uint32_t part = 0;
    for (uint32_t i = 0; i < bake->spine->slotCount; i++) {
        const uint32_t slot = bake->pose->drawOrder[i];
        const SpineAttachment *attachment = slots[slot].attachment;
        if (attachment) {
            const GeometryPart *from = &geometry->parts[part++];
            JSON_ROW(parts, &bake->document.good, jsonText("slot", from->name),
                     jsonText("attachment", bake->spine->names[attachment->name].text),
                     jsonText("material", from->material->name), jsonCount("frame", bake->pose->slots[slot].frame),
                     jsonText("clippedBy", slots[slot].clippedBy), jsonCount("firstVertex", from->firstVertex),
                     jsonCount("vertices", from->vertexCount), jsonCount("triangles", from->indexCount / 3));
        }
    }
}

/* A SequenceFileFn. */
static bool bakeFile(void *user, double seconds, const char *name, EngineError *error) {
    SpineBake *bake = user;
    char comment[256] = "vkskin bake, 2D, setup pose";
    const double time = spineMomentShown(bake->arguments, bake->spine, &bake->motion, bake->time + seconds);
    if (bake->motion.animation >= 0) {
        snprintf(comment, sizeof comment, "vkskin bake, 2D, clip %d '%.150s' at %g s", bake->motion.animation,
                 bake->spine->animations[bake->motion.animation].name, time);
    }
    spineMotionPlay(bake->pose, &bake->motion, time);
    Geometry geometry = {0};
    BakedSlot *slots = engineAllocate(bake->spine->slotCount, sizeof *slots, error);
    const bool good = slots && takeSlots(bake->pose, slots, error) && makeGeometry(bake, slots, &geometry, error) &&
                      geometryFinish(&geometry, bake->format, &bake->pictures, name, comment, error);
    if (good) {
        addFile(bake, slots, time, name, &geometry);
        countLosses(bake, slots);
    }
    geometryFree(&geometry);
    freeSlots(slots, bake->spine->slotCount);
    return good;
}

static bool writeAll(SpineBake *bake, EngineError *error) {
    const OptionValue *output = optionsValue(bake->arguments, "output");
    const OptionSeries *series = &optionsValue(bake->arguments, "sequence")->series;
    Progress progress;
    if (!spineMoment(bake->arguments, bake->spine, &bake->motion, &bake->time, error)) {
        return false;
    }
    bake->document = documentBegin("bake2d", NULL, 0, 0);
    cJSON *object = bake->document.json;
    JSON_ADD(object, &bake->document.good, jsonText("model", bake->arguments->operands[0]),
             jsonText("format", GEOMETRY_ENDINGS[bake->format] + 1));
    cJSON *skins = jsonAddArray(object, "skins", &bake->document.good);
    for (uint32_t i = 0; i < bake->pose->skinCount; i++) {
        jsonAddItem(skins, bake->spine->skins[bake->pose->skins[i]].name, &bake->document.good);
    }
    const int32_t clip = bake->motion.animation;
    JSON_ADD(object, &bake->document.good, jsonNumber("clip", numberIf(clip >= 0, clip)),
             jsonText("clipName", clip >= 0 ? bake->spine->animations[clip].name : NULL));
    bake->files = jsonAddArray(object, "files", &bake->document.good);
    progressBegin(&progress, "files", series->count);
    const bool good = sequenceWrite(bake->arguments, &progress, bakeFile, bake, error);
    if (good) {
        sayLosses(bake);
        sayFiles(bake->arguments->verb->name, "file", output->text, series->first, series->count);
    }
    return documentEnd(&bake->document, bake->arguments, good, error);
}

static bool run(SpineBake *bake, EngineError *error) {
    uint32_t skins[OPTION_FILES_MAX], skinCount = 0;
    bake->format = (GeometryFormat)optionsValue(bake->arguments, "output")->choice;
    bake->spine = bake->model->spines;
    const char *clip = optionsValue(bake->arguments, "clip")->text;
    if (clip && strcmp(clip, "all") == 0) {
        return engineFail(error,
                          "%s: --clip all: a .glb file cannot move 2D characters; --sequence writes a file per time",
                          bake->arguments->operands[0]);
    }
    if (bake->model->spineCount == 0) {
        return engineFail(error, "%s: not a 2D character", bake->arguments->operands[0]);
    }
    if (!spineMotionRead(bake->arguments, bake->spine, &bake->motion, error) ||
        !spineFindSkins(bake->arguments, bake->spine, skins, &skinCount, error) || !makeMaterials(bake, error)) {
        return false;
    }
    straighten(bake->model, bake->spine);
    bake->pose = spinePoseCreate(bake->spine, skins, skinCount, error);
    if (bake->pose) {
        spineNameSkins(bake->arguments, bake->pose);
    }
    if (!bake->pose || (bake->format == GEOMETRY_GLB && !glbPicturesCreate(bake->model, &bake->pictures, error))) {
        return false;
    }
    return writeAll(bake, error);
}

int spineBake(const Arguments *arguments) {
    EngineError error;
    SpineBake bake = {.arguments = arguments};
    bake.model = modelLoad(arguments, arguments->operands[0], MODEL_OR_SPINE, NULL, &error);
    const bool good = bake.model && run(&bake, &error);
    glbPicturesFree(&bake.pictures);
    spinePoseFree(bake.pose);
    motionMachineDestroy(bake.motion.machine);
    modelFree(bake.model);
    return sayEnd(arguments->verb->name, good, &error);
}
