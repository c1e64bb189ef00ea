/*
 * verb_single.c: vkskin bake MODEL and vkskin render MODEL: one character at one time of a clip, as triangles or as a
 * picture.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry.h"
#include "outputs.h"
#include "pictures.h"
#include "session.h"
#include "skinning.h"
#include "verbs.h"

static const Option MOMENT_OPTIONS[] = {
    CLIP_OPTION("the clip", "; default: the first, or the rest pose of a model without clips"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip; after its end the last frame holds",
     .defaultValue = "0", .minimum = 0.0, .maximum = INFINITY},
    {.group = SKIN_OPTIONS},
    {.name = NULL},
};

/*
 * Reads the model and finds the clip, opens the device and makes a scene of one member at that time.
 */
static bool openSingle(Session *session, VkskinVertexFormat format, bool readback, EngineError *error) {
    const SceneDef def = {
        .count = 1,
        .placement = CROWD_ORIGIN,
        .wrap = VKSKIN_WRAP_CLAMP,
        .format = format,
        .readback = readback,
    };
    if (!sessionLoad(session, LOAD_AS_FILE, error) || !sessionChooseClips(session, error) ||
        !sessionOpenDevice(session, NULL, error) || !sessionMakeScene(session, &def, error)) {
        return false;
    }
    CrowdMember *member = &session->scene->crowd->members[0];
    member->time = optionsValue(session->arguments, "time")->number;
    return sessionCheckScale(session, member, error);
}

/* ---- bake ---- */

/* The end of the parts that are already baked. */
typedef struct Cursor {
    uint32_t vertex, index, part;
} Cursor;

static void transformPoint(const VkskinAffine *matrix, const float point[3], float result[3]) {
    for (int r = 0; r < 3; r++) {
        const float *row = matrix->m[r];
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): geometryCreate allocated it */
        result[r] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + row[3];
    }
}

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
    }
}

static void addTriangles(const ModelMesh *mesh, bool mirrored, Cursor *cursor, Geometry *geometry) {
    uint32_t *out = geometry->indices + cursor->index;
    for (uint32_t i = 0; i < mesh->indexCount; i += 3) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): geometryCreate allocated it */
        out[i] = cursor->vertex + mesh->indices[i];
        out[i + 1] = cursor->vertex + mesh->indices[mirrored ? i + 2 : i + 1];
        out[i + 2] = cursor->vertex + mesh->indices[mirrored ? i + 1 : i + 2];
    }
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): geometryCreate allocated it */
    geometry->parts[cursor->part++] =
        (GeometryPart){.name = mesh->name, .firstIndex = cursor->index, .indexCount = mesh->indexCount};
    cursor->index += mesh->indexCount;
    cursor->vertex += mesh->vertexCount;
}

/* Morph weights and scales may have any size; the file must contain finite numbers. */
static bool checkFinite(const Geometry *geometry, const Cursor *cursor, const ModelMesh *mesh, EngineError *error) {
    for (uint32_t i = 0; i < mesh->vertexCount; i++) {
        size_t at = ((size_t)cursor->vertex + i) * 3;
        if (!finiteAll(geometry->positions + at, 3) || !finiteAll(geometry->normals + at, 3)) {
            return engineFail(error, "vertex %u of part %u, mesh '%.200s', is not finite after skinning", i,
                              cursor->part, mesh->name);
        }
    }
    return true;
}

static bool addPart(Scene *scene, uint32_t index, Cursor *cursor, Geometry *geometry, EngineError *error) {
    const CrowdMember *member = &scene->crowd->members[0];
    const Character *character = scene->characters[member->character];
    const CharacterPart *part = &character->parts[index];
    const ModelMesh *mesh = &character->model->meshes[part->modelMesh];
    VkskinInstance instance = scene->crowd->instances[member->firstInstance + index];
    SkinnedVertices vertices;
    VkskinAffine inverse;
    VkskinResult result = vkskinInvertAffine(&part->meshToModel, &inverse);
    if (result != VKSKIN_SUCCESS) {
        return skinningFail(scene->skinning, error, "the matrix of a mesh's node", result);
    }
    if (!readbackInstance(scene->skinning, instance, &vertices, error)) {
        return false;
    }
    addVertices(&vertices, mesh, &part->meshToModel, &inverse, cursor->vertex, geometry);
    skinnedVerticesFree(&vertices);
    if (!checkFinite(geometry, cursor, mesh, error)) {
        return false;
    }
    addTriangles(mesh, determinant(&part->meshToModel) < 0.0, cursor, geometry);
    return true;
}

/* All parts of a character. */
typedef struct Totals {
    uint64_t vertices, indices;
    bool texcoords; /* of any part */
} Totals;

static Totals totalsOf(const Character *character) {
    Totals totals = {0};
    for (uint32_t i = 0; i < character->partCount; i++) {
        const ModelMesh *mesh = &character->model->meshes[character->parts[i].modelMesh];
        totals.vertices += mesh->vertexCount;
        totals.indices += mesh->indexCount;
        totals.texcoords |= mesh->texcoords != NULL;
    }
    return totals;
}

/* A small model may place a large mesh many times. */
static bool checkSize(const Session *session, EngineError *error) {
    const OptionValue *output = optionsValue(session->arguments, "output");
    const uint64_t mebibytes = (uint64_t)optionsValue(session->arguments, "max-size")->integer;
    const Totals totals = totalsOf(session->scene->characters[0]);
    uint64_t size =
        geometrySizeMax((GeometryFormat)output->choice, totals.vertices, totals.indices, totals.texcoords) >> 20;
    if (size >= mebibytes) {
        return engineFail(error, "%s: may take up to %llu MiB, but --max-size is %llu", output->text,
                          (unsigned long long)size + 1, (unsigned long long)mebibytes);
    }
    return true;
}

static bool createGeometry(const Character *character, Geometry *geometry, EngineError *error) {
    const Totals totals = totalsOf(character);
    if (totals.vertices > INT32_MAX || totals.indices > INT32_MAX) {
        return engineFail(error, "the model has too many vertices for one file");
    }
    if (!geometryCreate((uint32_t)totals.vertices, (uint32_t)totals.indices, character->partCount, totals.texcoords,
                        geometry)) {
        return engineFail(error, "out of memory");
    }
    return true;
}

/*
 * The parts of the scene's first member as they were skinned last, each from its mesh's space to the model's world space
 * by its meshToModel, normals by the inverse transpose. Where that matrix mirrors, triangles are turned round, so that
 * they still show their outside. *geometry borrows names of the model; on failure it is zero.
 */
static bool bakeGeometry(Scene *scene, Geometry *geometry, EngineError *error) {
    const Character *character = scene->characters[scene->crowd->members[0].character];
    Cursor cursor = {0};
    *geometry = (Geometry){0};
    if (!createGeometry(character, geometry, error)) {
        return false;
    }
    for (uint32_t i = 0; i < character->partCount; i++) {
        if (!addPart(scene, i, &cursor, geometry, error)) {
            geometryFree(geometry);
            return false;
        }
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
static char *describe(const Session *session, EngineError *error) {
    const CrowdMember *member = &session->scene->crowd->members[0];
    SceneWeights weights;
    char *text = NULL;
    size_t size = 0;
    if (!sceneWeights(session->scene, &weights, error)) {
        return NULL;
    }
    FILE *file = open_memstream(&text, &size);
    if (file) {
        describeSkin(file, &session->skin, &weights);
        if (member->clip == REST_POSE) {
            fputs(", rest pose", file);
        } else {
            fprintf(file, ", clip %u '%s' at %g s", member->clip, session->models[0]->clips[member->clip].name,
                    member->time);
        }
    }
    if (!file || fclose(file) != 0) {
        engineFail(error, "out of memory");
        free(text);
        return NULL;
    }
    return text;
}

static bool bake(Session *session, EngineError *error) {
    const OptionValue *output = optionsValue(session->arguments, "output");
    Geometry geometry = {0};
    if (!openSingle(session, VKSKIN_VERTEX_FLOAT, true, error) || !checkSize(session, error)) {
        return false;
    }
    char *comment = describe(session, error);
    bool good = comment && sceneSkinOnce(session->scene, 0.0, error) && bakeGeometry(session->scene, &geometry, error);
    good = good && geometryWrite(&geometry, (GeometryFormat)output->choice, output->text, comment, error);
    geometryFree(&geometry);
    free(comment);
    return good;
}

static int runBake(const Arguments *arguments) {
    return sessionRun(arguments, bake);
}

static const Option BAKE_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE", .help = "the file to write, as its name ends: .obj (text) or .ply (binary)",
     .choices = GEOMETRY_ENDINGS, .letter = 'o', .required = true},
    {"max-size", OPTION_INTEGER, "MIB", .help = "refuse to write a file that may take more", .defaultValue = "512",
     .minimum = 1, .maximum = 1048576},
    {.group = MOMENT_OPTIONS},
    FORCE_OPTION,
};

const Verb verbBake = {
    .name = "bake",
    .summary = "writes a skinned model at one time of a clip as triangles",
    .usage = "MODEL [--clip N|NAME|none] [--time SECONDS] [options] -o FILE.obj|FILE.ply",
    .details = "The vertices are skinned as for a picture and read back. One file contains all parts in the world\n"
               "space of the model (node transforms are applied), in its own unit and axes, with normals, faces and\n"
               "texture coordinates.\n",
    .options = BAKE_OPTIONS,
    .optionCount = COUNT_OF(BAKE_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runBake,
    .operandHelp = MODEL_HELP,
};

/* ---- render ---- */

#define VIEW_YAW   0.5f
#define VIEW_PITCH 0.2f

/* From behind the camera, over its left shoulder: what faces the viewer is lit. */
static const float SUN[3] = {-0.35f, 1.0f, 0.9f};

/* Looks at the character from slightly beside and above, unless an option moves the camera. */
static bool frameCharacter(const Session *session, DrawScene *view, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Crowd *crowd = session->scene->crowd;
    Bounds bounds;
    if (!pictureBounds(arguments, crowd, &crowd->members[0], arguments->operands[0], &bounds, error)) {
        return false;
    }
    *view = drawDefaultScene(crowd, pictureAspect(arguments));
    view->camera = pictureCamera(arguments, &bounds, VIEW_YAW, VIEW_PITCH);
    view->groundHeight = bounds.min[1];
    memcpy(view->sunDirection, SUN, sizeof view->sunDirection);
    return true;
}

static bool render(Session *session, EngineError *error) {
    DrawScene view;
    CrowdResult result;
    return openSingle(session, VKSKIN_VERTEX_PACKED, false, error) && frameCharacter(session, &view, error) &&
           picturesRun(session, 0, 1, view, &result, error);
}

static int runRender(const Arguments *arguments) {
    return sessionRun(arguments, render);
}

static const Option RENDER_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE.png", .help = "the picture to write", .choices = PICTURE_ENDINGS, .letter = 'o',
     .required = true},
    {.group = MOMENT_OPTIONS},
    {.group = PICTURE_OPTIONS},
    FORCE_OPTION,
};

const Verb verbRender = {
    .name = "render",
    .summary = "draws one character at one time of a clip",
    .usage = "MODEL [--clip N|NAME|none] [--time SECONDS] [options] -o FILE.png",
    .details = "The picture shows the whole character at that time, unless --camera or --fit moves the camera.\n",
    .options = RENDER_OPTIONS,
    .optionCount = COUNT_OF(RENDER_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runRender,
    .operandHelp = MODEL_HELP,
};
