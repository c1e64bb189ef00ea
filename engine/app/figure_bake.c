/* figure_bake.c: vkskin bake for 2D characters: what slots show at one time of an animation as triangles, or at many. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "figure_motion.h"
#include "figure_verbs.h"
#include "files.h"
#include "geometry_glb.h"
#include "model_load.h"
#include "outputs.h"
#include "report.h"
#include "terminal.h"

typedef struct FigureBake {
    const Arguments *arguments;
    Model *model;
    const Figure *figure;
    FigurePose *pose;
    FigureMotion motion;
    GeometryFormat format;
    GlbPictures pictures;
    uint32_t clipped, blended, dark; /* slots that the files do not show as they are: the most of any file */
    cJSON *files;
    bool good; /* memory was enough for the document */
} FigureBake;

/* ---- Materials ---- */

/* One for each page and blend mode, then those without a page: at 4 x (page + 1) + blend. */
static ModelMaterial *materialOf(const Model *model, int32_t page, uint32_t blend) {
    return &model->materials[(size_t)(page + 1) * FIGURE_BLEND_COUNT + blend];
}

static bool nameMaterial(const Figure *figure, ModelMaterial *material, int32_t page, uint32_t blend) {
    const char *name = page >= 0 ? figure->pages[page].name : "no picture";
    size_t size = strlen(name) + 32;
    char *text = malloc(size);
    if (text) {
        snprintf(text, size, blend == FIGURE_BLEND_NORMAL ? "%s" : "%s, %s", name, FIGURE_BLEND_NAMES[blend]);
        *material = modelPlainMaterial(text);
        material->unlit = 1;
        material->alpha = MODEL_ALPHA_BLEND;
        material->maps[MODEL_MAP_BASE] = page >= 0 ? figure->pages[page].texture : -1;
        material->wraps[MODEL_MAP_BASE][0] =
            page >= 0 && figure->pages[page].repeats & 1u ? MODEL_WRAP_REPEAT : MODEL_WRAP_CLAMP;
        material->wraps[MODEL_MAP_BASE][1] =
            page >= 0 && figure->pages[page].repeats & 2u ? MODEL_WRAP_REPEAT : MODEL_WRAP_CLAMP;
    }
    return text != NULL;
}

static bool makeMaterials(FigureBake *bake, EngineError *error) {
    const Figure *figure = bake->figure;
    const uint32_t count = (figure->pageCount + 1) * FIGURE_BLEND_COUNT;
    free(bake->model->materials);
    bake->model->materials = engineAllocate(count, sizeof *bake->model->materials, error);
    bool good = bake->model->materials != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        good = nameMaterial(figure, &bake->model->materials[i], (int32_t)(i / FIGURE_BLEND_COUNT) - 1,
                            i % FIGURE_BLEND_COUNT) ||
               engineFail(error, "out of memory");
        bake->model->materialCount += good;
    }
    return good;
}

/* Materials of .glb have colours that are not times alpha. */
static void straighten(const Model *model, const Figure *figure) {
    for (uint32_t p = 0; p < figure->pageCount; p++) {
        const FigurePage *page = &figure->pages[p];
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

static const FigureAttachment *shownBy(const FigurePose *pose, uint32_t slot) {
    const int32_t index = pose->slots[slot].attachment;
    const FigureAttachment *attachment = index >= 0 ? &pose->figure->attachments[index] : NULL;
    return attachment && attachment->frameCount > 0 ? attachment : NULL;
}

static float linear(float channel) {
    return channel <= 0.04045f ? channel / 12.92f : powf((channel + 0.055f) / 1.055f, 2.4f);
}

static void addVertices(const FigurePose *pose, uint32_t slot, const FigureAttachment *attachment,
                        const double *positions, uint32_t first, Geometry *geometry) {
    const FigureSlotState *state = &pose->slots[slot];
    const FigureFrame *frame = &attachment->frames[state->frame];
    for (uint32_t i = 0; i < attachment->vertexCount; i++) {
        const size_t out = (size_t)first + i;
        geometry->positions[out * 3] = (float)positions[(size_t)i * 2];
        geometry->positions[out * 3 + 1] = (float)positions[(size_t)i * 2 + 1];
        geometry->normals[out * 3 + 2] = 1.0f;
        geometry->texcoords[out * 2] = frame->texcoords[(size_t)i * 2];
        geometry->texcoords[out * 2 + 1] = frame->texcoords[(size_t)i * 2 + 1];
        for (int c = 0; c < 4; c++) {
            const float channel = state->colour[c] * attachment->colour[c];
            geometry->colours[out * 4 + (size_t)c] = c < 3 ? linear(channel) : channel;
        }
    }
}

static bool sizeGeometry(const FigureBake *bake, GeometrySize *size, EngineError *error) {
    *size = (GeometrySize){.texcoords = true, .colours = true, .pictures = glbPicturesSizeMax(bake->model)};
    for (uint32_t i = 0; i < bake->figure->slotCount; i++) {
        const FigureAttachment *attachment = shownBy(bake->pose, i);
        size->vertices += attachment ? attachment->vertexCount : 0;
        size->indices += attachment ? attachment->indexCount : 0;
        size->parts += attachment != NULL;
    }
    const OptionValue *output = optionsValue(bake->arguments, "output");
    const uint64_t mebibytes = (uint64_t)optionsValue(bake->arguments, "max-size")->integer;
    const uint64_t most = geometrySizeMax(bake->format, size) >> 20;
    if (size->parts == 0 || size->indices == 0) {
        return engineFail(error, "%s: no slot shows a region or a mesh at %g s", bake->arguments->operands[0],
                          bake->pose->time);
    }
    if (size->vertices > INT32_MAX || size->indices > INT32_MAX || most >= mebibytes) {
        return engineFail(error, "%s: may take up to %llu MiB, but --max-size is %llu", output->text,
                          (unsigned long long)most + 1, (unsigned long long)mebibytes);
    }
    return true;
}

static bool addPart(const FigureBake *bake, uint32_t slot, GeometryPart *part, Geometry *geometry, EngineError *error) {
    const FigureAttachment *attachment = shownBy(bake->pose, slot);
    const FigureFrame *frame = &attachment->frames[bake->pose->slots[slot].frame];
    double *positions = engineAllocate(attachment->vertexCount, 2 * sizeof *positions, error);
    if (!positions) {
        return false;
    }
    figurePoseVertices(bake->pose, slot, positions);
    addVertices(bake->pose, slot, attachment, positions, part->firstVertex, geometry);
    free(positions);
    for (uint32_t i = 0; i < attachment->indexCount; i++) {
        geometry->indices[part->firstIndex + i] = part->firstVertex + attachment->indices[i];
    }
    part->name = bake->figure->slots[slot].name;
    part->material = materialOf(bake->model, frame->page, bake->figure->slots[slot].blend);
    part->vertexCount = attachment->vertexCount;
    part->indexCount = attachment->indexCount;
    part->texcoords = part->colours = true;
    return finiteAll(geometry->positions + (size_t)part->firstVertex * 3, (size_t)part->vertexCount * 3) ||
           engineFail(error, "a vertex of slot '%.200s' is not finite", part->name);
}

/* Slots in draw order, from back to front. */
static bool makeGeometry(const FigureBake *bake, Geometry *geometry, EngineError *error) {
    GeometrySize size;
    GeometryPart next = {0};
    uint32_t part = 0;
    *geometry = (Geometry){0};
    if (!sizeGeometry(bake, &size, error)) {
        return false;
    }
    if (!geometryCreate(&size, geometry)) {
        return engineFail(error, "out of memory");
    }
    for (int i = 0; i < 3; i++) {
        geometry->toMetres[i][i] = 1.0f;
    }
    for (uint32_t i = 0; i < bake->figure->slotCount; i++) {
        const uint32_t slot = bake->pose->drawOrder[i];
        if (!shownBy(bake->pose, slot)) {
            continue;
        }
        if (!addPart(bake, slot, &next, geometry, error)) {
            geometryFree(geometry);
            return false;
        }
        geometry->parts[part++] = next;
        next.firstVertex += next.vertexCount;
        next.firstIndex += next.indexCount;
    }
    return true;
}

/* ---- What the files cannot say ---- */

/* The slot that a clipping polygon ends with, or -1. */
static int32_t clipEndOf(const FigurePose *pose, uint32_t slot) {
    const int32_t index = pose->slots[slot].attachment;
    const FigureAttachment *attachment = index >= 0 ? &pose->figure->attachments[index] : NULL;
    return attachment && attachment->kind == FIGURE_CLIPPING
               ? (attachment->clipEnd >= 0 ? attachment->clipEnd : INT32_MAX)
               : -1;
}

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void countLosses(FigureBake *bake) {
    const FigurePose *pose = bake->pose;
    uint32_t clipped = 0, blended = 0, dark = 0;
    int32_t end = -1; /* of the polygon that clips now */
    for (uint32_t i = 0; i < bake->figure->slotCount; i++) {
        const uint32_t slot = pose->drawOrder[i];
        const int32_t opened = clipEndOf(pose, slot);
        end = end < 0 ? opened : end;
        if (shownBy(pose, slot)) {
            clipped += end >= 0;
            blended += bake->figure->slots[slot].blend != FIGURE_BLEND_NORMAL;
            dark += bake->figure->slots[slot].twoColours != 0;
        }
        end = end == (int32_t)slot ? -1 : end;
    }
    bake->clipped = larger(bake->clipped, clipped);
    bake->blended = larger(bake->blended, blended);
    bake->dark = larger(bake->dark, dark);
}

static void sayLosses(const FigureBake *bake) {
    const char *verb = bake->arguments->verb->name, *path = bake->arguments->operands[0];
    if (bake->clipped > 0) {
        sayWarning(verb, "%s: slots that a polygon clips, written whole: %u", path, bake->clipped);
    }
    if (bake->blended > 0) {
        sayWarning(verb, "%s: slots with another blend mode, which only the material's name states: %u", path,
                   bake->blended);
    }
    if (bake->dark > 0) {
        sayWarning(verb, "%s: slots with a dark colour, which the file does not have: %u", path, bake->dark);
    }
}

/* ---- The files and their description ---- */

static void addFile(FigureBake *bake, double time, const char *name, const Geometry *geometry) {
    Bounds box = boundsEmpty();
    for (uint32_t i = 0; i < geometry->vertexCount; i++) {
        boundsAddPoint(&box, geometry->positions + (size_t)i * 3);
    }
    cJSON *row = jsonAddRow(bake->files, &bake->good);
    jsonAddText(row, "name", name, &bake->good);
    jsonAddNumber(row, "time", time, &bake->good);
    jsonAddBounds(row, "bounds", &box, &bake->good);
    cJSON *parts = jsonAddArray(row, "parts", &bake->good);
    uint32_t part = 0;
    for (uint32_t i = 0; i < bake->figure->slotCount; i++) {
        const uint32_t slot = bake->pose->drawOrder[i];
        const FigureAttachment *attachment = shownBy(bake->pose, slot);
        if (attachment) {
            const GeometryPart *from = &geometry->parts[part++];
            cJSON *to = jsonAddRow(parts, &bake->good);
            jsonAddText(to, "slot", from->name, &bake->good);
            jsonAddText(to, "attachment", bake->figure->names[attachment->name].text, &bake->good);
            jsonAddText(to, "material", from->material->name, &bake->good);
            jsonAddCount(to, "frame", bake->pose->slots[slot].frame, &bake->good);
            jsonAddCount(to, "firstVertex", from->firstVertex, &bake->good);
            jsonAddCount(to, "vertices", from->vertexCount, &bake->good);
            jsonAddCount(to, "triangles", from->indexCount / 3, &bake->good);
        }
    }
}

static bool bakeFile(FigureBake *bake, double time, const char *name, EngineError *error) {
    Geometry geometry;
    char comment[256] = "vkskin bake, 2D, setup pose";
    if (bake->motion.animation >= 0) {
        snprintf(comment, sizeof comment, "vkskin bake, 2D, clip %d '%.150s' at %g s", bake->motion.animation,
                 bake->figure->animations[bake->motion.animation].name, time);
    }
    figureMotionSet(bake->pose, &bake->motion, time);
    bool good = makeGeometry(bake, &geometry, error) &&
                geometryFinish(&geometry, bake->format, &bake->pictures, name, comment, error);
    if (good) {
        addFile(bake, time, name, &geometry);
        countLosses(bake);
    }
    geometryFree(&geometry);
    return good;
}

static bool bakeFiles(FigureBake *bake, EngineError *error) {
    const OptionSeries *series = &optionsValue(bake->arguments, "sequence")->series;
    const char *path = optionsValue(bake->arguments, "output")->text;
    const double time = optionsValue(bake->arguments, "time")->number;
    bool good = series->count > 0 || bakeFile(bake, time, path, error);
    for (uint32_t i = 0; i < series->count && good; i++) {
        char name[PATH_MAX];
        atomicFileNumbered(name, path, i);
        good = bakeFile(bake, time + series->from + i / series->perSecond, name, error);
    }
    if (good) {
        sayLosses(bake);
    }
    return good && atomicFilesCommit(error);
}

static char *writeAll(FigureBake *bake, bool *good, EngineError *error) {
    const OptionValue *output = optionsValue(bake->arguments, "output");
    const uint32_t count = optionsValue(bake->arguments, "sequence")->series.count;
    bake->good = true;
    cJSON *object = jsonBegin("bake2d", &bake->good);
    jsonAddText(object, "model", bake->arguments->operands[0], &bake->good);
    jsonAddText(object, "format", GEOMETRY_ENDINGS[bake->format] + 1, &bake->good);
    cJSON *skins = jsonAddArray(object, "skins", &bake->good);
    for (uint32_t i = 0; i < bake->arguments->nameCount; i++) {
        cJSON *text = jsonTextItem(bake->arguments->names[i]);
        bake->good = bake->good && text && cJSON_AddItemToArray(skins, text);
    }
    const int32_t clip = bake->motion.animation;
    jsonAddNumber(object, "clip", clip >= 0 ? (double)clip : (double)NAN, &bake->good);
    jsonAddText(object, "clipName", clip >= 0 ? bake->figure->animations[clip].name : NULL, &bake->good);
    bake->files = jsonAddArray(object, "files", &bake->good);
    *good = bakeFiles(bake, error);
    atomicFilesDrop();
    if (*good && count > 0) {
        sayFiles(bake->arguments->verb->name, "file", output->text, count);
    }
    return jsonPrint(object, bake->good);
}

static bool run(FigureBake *bake, EngineError *error) {
    const OptionValue *json = optionsValue(bake->arguments, "json");
    uint32_t skins[OPTION_FILES_MAX];
    bool good = false;
    bake->format = (GeometryFormat)optionsValue(bake->arguments, "output")->choice;
    bake->figure = bake->model->figures;
    if (bake->model->figureCount == 0) {
        return engineFail(error, "%s: not a 2D character", bake->arguments->operands[0]);
    }
    if (!figureMotionRead(bake->arguments, bake->figure, &bake->motion, error) ||
        !figureFindSkins(bake->arguments, bake->figure, skins, error) || !makeMaterials(bake, error)) {
        return false;
    }
    straighten(bake->model, bake->figure);
    bake->pose = figurePoseCreate(bake->figure, skins, bake->arguments->nameCount, error);
    if (!bake->pose || (bake->format == GEOMETRY_GLB && !glbPicturesCreate(bake->model, &bake->pictures, error))) {
        return false;
    }
    char *text = writeAll(bake, &good, error);
    if (!good || !json->text) {
        cJSON_free(text);
        return good;
    }
    return outputJsonWrite(text, json, error);
}

int figureBake(const Arguments *arguments) {
    EngineError error;
    FigureBake bake = {.arguments = arguments};
    static const char *const taken[] = {"output", "max-size", "clip",  "time",   "sequence", "json",       "skin",
                                        "force",  "sandbox",  "clips", "device", "validate", "blend-clip", "reach"};
    bool good = figureCheckOptions(arguments, taken, COUNT_OF(taken), &error);
    if (good) {
        bake.model = modelLoad(arguments, arguments->operands[0], MODEL_OR_FIGURE, NULL, &error);
        good = bake.model && run(&bake, &error);
    }
    glbPicturesFree(&bake.pictures);
    figurePoseFree(bake.pose);
    modelFree(bake.model);
    return good ? EXIT_GOOD : sayFailure(arguments->verb->name, "%s", error.message);
}
