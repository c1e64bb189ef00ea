/* model_bake.c: one character at one time of a clip as triangles, or at many times in many files. */
#include <math.h>
#include <stdlib.h>

#include "content.h"
#include "files.h"
#include "model_bake_clips.h"
#include "moment.h"
#include "outputs.h"
#include "report.h"
#include "sequence.h"
#include "single.h"

/*
 * Multiplies with the transpose of `inverse` and normalises; a zero result keeps the normal. In double, as the
 * determinant: a tiny or huge scale would leave the range of float.
 */
static void transformNormal(const VkskinAffine *inverse, const float normal[3], float result[3]) {
    double turned[3], squared = 0.0;
    for (int r = 0; r < 3; r++) {
        turned[r] = 0.0;
        for (int c = 0; c < 3; c++) {
            turned[r] += (double)inverse->m[c][r] * normal[c];
        }
        squared += turned[r] * turned[r];
    }
    double length = sqrt(squared);
    for (int r = 0; r < 3; r++) {
        result[r] = length > 0.0 ? (float)(turned[r] / length) : normal[r];
    }
}

static double minor(const VkskinAffine *a, int first, int second) {
    return (double)a->m[1][first] * a->m[2][second] - (double)a->m[1][second] * a->m[2][first];
}

static double determinant(const VkskinAffine *a) {
    return a->m[0][0] * minor(a, 1, 2) - a->m[0][1] * minor(a, 0, 2) + a->m[0][2] * minor(a, 0, 1);
}

static void addVertices(const SkinnedVertices *vertices, const ModelMesh *mesh, const VkskinAffine *matrix,
                        const VkskinAffine *inverse, uint32_t first, Geometry *geometry) {
    for (uint32_t i = 0; i < vertices->count; i++) {
        size_t out = (size_t)first + i;
        transformPoint(matrix, vertices->positions + (size_t)i * 3, geometry->positions + out * 3);
        transformNormal(inverse, vertices->normals + (size_t)i * 3, geometry->normals + out * 3);
        if (geometry->texcoords && mesh->texcoords) {
            geometry->texcoords[out * 2] = mesh->texcoords[(size_t)i * 2];
            geometry->texcoords[out * 2 + 1] = mesh->texcoords[(size_t)i * 2 + 1];
        }
        for (size_t channel = 0; channel < 4 && geometry->colours; channel++) {
            geometry->colours[out * 4 + channel] = mesh->colours ? mesh->colours[(size_t)i * 4 + channel] : 1.0f;
        }
    }
}

/* Where the matrix mirrors, triangles are turned round. */
static void addTriangles(const ModelMesh *mesh, bool mirrored, const GeometryPart *part, Geometry *geometry) {
    uint32_t *out = geometry->indices + part->firstIndex;
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): geometryCreate allocated it */
        out[i] = part->firstVertex + mesh->indices[i];
        out[i + 1] = part->firstVertex + mesh->indices[mirrored ? i + 2 : i + 1];
        out[i + 2] = part->firstVertex + mesh->indices[mirrored ? i + 1 : i + 2];
    }
}

/* Morph weights and scales may have any size; the file must contain finite numbers. */
static bool checkFinite(const Geometry *geometry, const GeometryPart *part, uint32_t index, EngineError *error) {
    for (uint32_t i = 0; i < part->vertexCount; i++) {
        size_t at = ((size_t)part->firstVertex + i) * 3;
        if (!finiteAll(geometry->positions + at, 3) || !finiteAll(geometry->normals + at, 3)) {
            return engineFail(error, "vertex %u of part %u, mesh '%.200s', is not finite after skinning", i, index,
                              part->name);
        }
    }
    return true;
}

/* to: states where its vertices and indices begin. */
static bool addPart(Scene *scene, uint32_t index, GeometryPart *to, Geometry *geometry, EngineError *error) {
    const Character *character = &scene->population->characters[0];
    const SkinnedModel *skinned = scene->models[character->model];
    const SkinnedPart *part = &skinned->parts[index];
    const ModelMesh *mesh = &skinned->model->meshes[part->modelMesh];
    VkskinInstance instance = scene->population->instances[character->firstInstance + index];
    SkinnedVertices vertices;
    VkskinAffine inverse;
    VkskinResult result = vkskinInvertAffine(&part->meshToModel, &inverse);
    if (result != VKSKIN_SUCCESS) {
        return skinningFail(scene->skinning, error, "the matrix of a mesh's node", result);
    }
    if (!readbackInstance(scene->skinning, instance, &vertices, error)) {
        return false;
    }
    to->name = mesh->name;
    to->material = &skinned->model->materials[mesh->material];
    to->vertexCount = mesh->vertexCount;
    to->indexCount = mesh->indexCount;
    to->texcoords = mesh->texcoords != NULL;
    to->colours = mesh->colours != NULL;
    addVertices(&vertices, mesh, &part->meshToModel, &inverse, to->firstVertex, geometry);
    addTriangles(mesh, determinant(&part->meshToModel) < 0.0, to, geometry);
    skinnedVerticesFree(&vertices);
    return checkFinite(geometry, to, index, error);
}

/* All parts of a character. */
static GeometrySize totalsOf(const SkinnedModel *skinned) {
    GeometrySize totals = {.parts = skinned->partCount, .pictures = glbPicturesSizeMax(skinned->model)};
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        const ModelMesh *mesh = &skinned->model->meshes[skinned->parts[i].modelMesh];
        totals.vertices += mesh->vertexCount;
        totals.indices += mesh->indexCount;
        totals.texcoords |= mesh->texcoords != NULL;
        totals.colours |= mesh->colours != NULL;
    }
    return totals;
}

/* A small model may place a large mesh many times. */
static bool checkSize(const Session *session, EngineError *error) {
    const OptionValue *output = optionsValue(session->arguments, "output");
    const uint64_t mebibytes = (uint64_t)optionsValue(session->arguments, "max-size")->integer;
    const GeometrySize totals = totalsOf(session->scene->models[0]);
    uint64_t size = geometrySizeMax((GeometryFormat)output->choice, &totals) >> 20;
    if (size >= mebibytes) {
        return engineFail(error, "%s: may take up to %llu MiB, but --max-size is %llu", output->text,
                          (unsigned long long)size + 1, (unsigned long long)mebibytes);
    }
    return true;
}

/*
 * The parts of the scene's first character as they were skinned last, each from its mesh's space to the model's world space
 * by its meshToModel, normals by the inverse transpose. Where that matrix mirrors, triangles are turned round, so that
 * they still show their outside. *geometry borrows names of the model; on failure it is zero.
 */
static bool bakeGeometry(Scene *scene, Geometry *geometry, EngineError *error) {
    const SkinnedModel *skinned = scene->models[scene->population->characters[0].model];
    const float metres = skinned->model->metres > 0.0f ? skinned->model->metres : 1.0f; /* as the formats that are */
    const GeometrySize totals = totalsOf(skinned);
    GeometryPart next = {0};
    if (totals.vertices > INT32_MAX || totals.indices > INT32_MAX) {
        return engineFail(error, "the model has too many vertices for one file");
    }
    if (!geometryCreate(&totals, geometry)) {
        return engineFail(error, "out of memory");
    }
    for (int i = 0; i < 9; i++) {
        geometry->toMetres[i / 3][i % 3] = metres * skinned->modelToCommon.m[i / 3][i % 3];
    }
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        if (!addPart(scene, i, &next, geometry, error)) {
            geometryFree(geometry);
            return false;
        }
        geometry->parts[i] = next;
        next.firstVertex += next.vertexCount;
        next.firstIndex += next.indexCount;
    }
    return true;
}

/* What a user chose, and what it costs. */
static void describeSkin(FILE *file, const SkinChoice *skin, const SceneWeights *weights) {
    fprintf(file, "vkskin bake, %s", SKIN_MODE_NAMES[skin->mode]);
    if (skin->mode == SKIN_MODE_BLEND) {
        fprintf(file, " %g", (double)skin->blend);
    }
    fprintf(file, ", %s normals, weights %s%s", SKIN_NORMALS_NAMES[skin->normals], SKIN_WEIGHTS_NAMES[skin->weights],
            skin->weights == VKSKIN_WEIGHTS_FLOAT ? "" : " bits");
    if (skin->maxInfluences > 0) {
        fprintf(file, ", at most %u influences", skin->maxInfluences);
    }
    if (weights->trimmed > 0.0f) {
        fprintf(file, " (up to %.3g %% of a vertex's weight lost)", 100.0 * (double)weights->trimmed);
    }
    if (weights->error > 0.0f) {
        fprintf(file, ", error up to %.3g " WEIGHT_CHECK_WHILE, (double)weights->error);
    }
    for (uint32_t i = 0; i < skin->morphCount; i++) {
        fprintf(file, ", morph '%s' %g", skin->morphs[i].name, (double)skin->morphs[i].weight);
    }
}

/* How and when the geometry was skinned, in one line to be freed. */
static char *describe(const Session *session, double time, EngineError *error) {
    const Character *character = &session->scene->population->characters[0];
    SceneWeights weights;
    char *text = NULL;
    size_t size = 0;
    if (!sceneWeights(session->scene, &weights, error)) {
        return NULL;
    }
    FILE *file = open_memstream(&text, &size);
    if (file) {
        describeSkin(file, &session->skin, &weights);
        if (character->clip == REST_POSE) {
            fputs(", rest pose", file);
        } else {
            fprintf(file, ", clip %u '%s' at %g s", character->clip, session->models[0]->clips[character->clip].name,
                    time);
        }
    }
    if (!file || fclose(file) != 0) {
        engineFail(error, "out of memory");
        free(text);
        return NULL;
    }
    return text;
}

/* ---- The files and their description ---- */

typedef struct Bake {
    Session *session;
    GeometryFormat format;
    GlbPictures pictures; /* zero for other formats */
    Document document;    /* without a table */
    cJSON *files;         /* the member "files" */
} Bake;

/* A SequenceFileFn. */
static bool bakeFile(void *user, double clock, const char *name, EngineError *error) {
    Bake *bake = user;
    Session *session = bake->session;
    const double time = momentShown(session->arguments, singleDuration(session),
                                    session->scene->population->characters[0].time + clock);
    Geometry geometry = {0};
    char *comment = describe(session, time, error);
    bool good = comment && sceneSkinOnce(session->scene, clock, error) &&
                bakeGeometry(session->scene, &geometry, error) &&
                geometryFinish(&geometry, bake->format, &bake->pictures, name, comment, error);
    if (good) {
        (void)jsonAddBaked(bake->files, name, time, &geometry, &bake->document.good);
    }
    geometryFree(&geometry);
    free(comment);
    return good;
}

static void addParts(cJSON *object, const SkinnedModel *skinned, bool *good) {
    const Model *model = skinned->model;
    uint64_t first = 0;
    cJSON *parts = jsonAddArray(object, "parts", good);
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        const ModelMesh *mesh = &model->meshes[skinned->parts[i].modelMesh];
        JSON_ROW(parts, good, jsonText("name", mesh->name), jsonText("material", model->materials[mesh->material].name),
                 jsonCount("firstVertex", first), jsonCount("vertices", mesh->vertexCount),
                 jsonCount("triangles", mesh->indexCount / 3));
        first += mesh->vertexCount;
    }
}

/* All but the files. */
static void addHead(cJSON *object, const Bake *bake, bool *good) {
    const Session *session = bake->session;
    const Character *character = &session->scene->population->characters[0];
    const SkinnedModel *skinned = session->scene->models[0];
    const Model *model = skinned->model;
    const GeometrySize totals = totalsOf(skinned);
    bool clip = character->clip != REST_POSE;
    JSON_ADD(object, good, jsonText("model", session->arguments->operands[0]),
             jsonText("device", session->device->info.name), jsonText("format", GEOMETRY_ENDINGS[bake->format] + 1));
    jsonAddSkin(object, &session->skin, good);
    JSON_ADD(object, good, jsonNumber("clip", numberIf(clip, character->clip)),
             jsonText("clipName", clip ? model->clips[character->clip].name : NULL),
             jsonText("up", MODEL_UP_NAMES[model->up]));
    jsonAddMetres(object, model->metres, good);
    JSON_ADD(object, good, jsonCount("vertices", totals.vertices), jsonCount("triangles", totals.indices / 3));
    addParts(object, skinned, good);
}

static bool bake(Session *session, EngineError *error) {
    const OptionValue *output = optionsValue(session->arguments, "output");
    const OptionSeries *series = &optionsValue(session->arguments, "sequence")->series;
    Bake state = {.session = session, .format = (GeometryFormat)output->choice};
    Progress progress;
    if (!openSingle(session, VKSKIN_VERTEX_FLOAT, true, error) || !checkSize(session, error)) {
        return false;
    }
    if (state.format == GEOMETRY_GLB && !glbPicturesCreate(session->models[0], &state.pictures, error)) {
        return false;
    }
    state.document = documentBegin("bake", NULL, 0, 0);
    addHead(state.document.json, &state, &state.document.good);
    state.files = jsonAddArray(state.document.json, "files", &state.document.good);
    sessionBeginProgress(session, &progress, "files", series->count);
    const bool good = sequenceWrite(session->arguments, &progress, bakeFile, &state, error);
    sessionEndProgress(session);
    if (good) {
        sayFiles(session->verb, "file", output->text, series->first, series->count);
    }
    glbPicturesFree(&state.pictures);
    return documentEnd(&state.document, session->arguments, good, error);
}

int modelBake(const Arguments *arguments) {
    return bakesAllClips(arguments) ? modelBakeClips(arguments) : sessionRun(arguments, bake);
}
