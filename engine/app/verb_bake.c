/*
 * verb_bake.c: vkskin bake MODEL: a moment of an animation as plain triangles.
 */
#include <stdlib.h>

#include "atomic_file.h"
#include "bake.h"
#include "output_apart.h"
#include "say.h"
#include "single.h"
#include "verbs.h"
#include "weight_check.h"
#include "write_geometry.h"

static const Option BAKE_OPTIONS[SINGLE_OPTION_COUNT] = {
    SINGLE_OPTIONS("FILE", "the file to write, as its name ends: .obj (text) or .ply (binary)"),
};

/* What a user chose, and what it costs. */
static void describeSkin(FILE *file, const SkinChoice *skin, const SceneWeights *weights) {
    fprintf(file, "vkskin bake, %s", SKIN_WAY_NAMES[skin->way]);
    if (skin->way == SKIN_WAY_BLEND) {
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
        fprintf(file, ", off by up to %.3g " WEIGHT_CHECK_WHILE, (double)weights->error);
    }
    for (uint32_t i = 0; i < skin->morphCount; i++) {
        fprintf(file, ", morph '%s' %g", skin->morphs[i].name, (double)skin->morphs[i].weight);
    }
}

/* How and when the geometry was skinned, in one line to be freed. */
static char *describe(const Single *single, const SingleDef *def, EngineError *error) {
    SceneWeights weights;
    char *text = NULL;
    size_t size = 0;
    if (!sceneWeights(single->scene, &weights, error)) {
        return NULL;
    }
    FILE *file = open_memstream(&text, &size);
    if (file) {
        describeSkin(file, &def->skin.choice, &weights);
        if (single->clip == LOAD_REST_POSE) {
            fputs(", rest pose", file);
        } else {
            fprintf(file, ", clip %u '%s' at %g s", single->clip,
                    single->loaded.models[0].model->clips[single->clip].name, def->time);
        }
    }
    if (!file || fclose(file) != 0) {
        engineFail(error, "out of memory");
        free(text);
        return NULL;
    }
    return text;
}

static bool writeBaked(Single *single, const SingleDef *def, const char *output, GeometryFormat format,
                       EngineError *error) {
    Geometry geometry = {0};
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    char *comment = describe(single, def, error);
    bool good = comment && sceneSkinOnce(single->scene, 0.0, error) && bakeGeometry(single->scene, &geometry, error);
    if (good && !geometryWrite(&geometry, format, output, comment, message)) {
        good = engineFail(error, "%s", message);
    }
    geometryFree(&geometry);
    free(comment);
    return good;
}

static int runBake(const Arguments *arguments) {
    const char *output = arguments->values[SINGLE_OUTPUT].text;
    const char *verb = verbBake.name;
    SingleDef def;
    GeometryFormat format;
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    EngineError error;
    Single single;
    int status = singleDef(verb, arguments, &def);
    if (status != EXIT_GOOD) {
        return status;
    }
    if (!geometryFormat(output, &format)) {
        sayFailure(verb, "-o takes a name that ends in .obj or .ply, not '%s'", output);
        return EXIT_USAGE;
    }
    if (outputsCheckApart(arguments, verb, &(OutputName){"-o", output}, 1) != EXIT_GOOD) {
        return EXIT_USAGE;
    }
    if (!atomicFileCheck(output, message)) {
        return sayFailure(verb, "%s", message);
    }
    def.format = VKSKIN_VERTEX_FLOAT;
    def.readback = true;
    bool good = singleOpen(&def, arguments, &single, &error) && writeBaked(&single, &def, output, format, &error);
    return singleClose(&single, good ? EXIT_GOOD : sayFailure(verb, "%s", error.message));
}

const Verb verbBake = {
    .name = "bake",
    .summary = "writes a model at one moment of a clip as plain triangles",
    .usage = "MODEL [--clip N|NAME] [--time SECONDS] [options] -o FILE.obj|FILE.ply",
    .details = "The vertices are skinned as for a picture and read back. All parts go in one file, in the model's\n"
               "world space (every node's transform applied), in the model's own unit and axes, with normals, faces\n"
               "and texture coordinates where there are any.\n",
    .options = BAKE_OPTIONS,
    .optionCount = SINGLE_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runBake,
    .operandHelp = LOAD_MODEL_HELP,
};
