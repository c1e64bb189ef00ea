/*
 * verb_bake.c: vkskin bake MODEL: a moment of an animation as plain triangles.
 */
#include "atomic_file.h"
#include "bake.h"
#include "output_apart.h"
#include "say.h"
#include "single.h"
#include "verbs.h"
#include "write_geometry.h"

static const Option BAKE_OPTIONS[SINGLE_OPTION_COUNT] = {
    SINGLE_OPTIONS("FILE", "the file to write, as its name ends: .obj (text) or .ply (binary)"),
};

/* How and when the geometry was skinned. */
static bool describe(const Single *single, const SingleDef *def, char *text, size_t size, EngineError *error) {
    const SkinChoice *skin = &def->skin.choice;
    SceneWeights weights;
    if (!sceneWeights(single->scene, &weights, error)) {
        return false;
    }
    int used = snprintf(text, size, "vkskin bake, %s, %s normals, weights %s", SKIN_WAY_NAMES[skin->way],
                        SKIN_NORMALS_NAMES[skin->normals], SKIN_WEIGHTS_NAMES[skin->weights]);
    if (weights.error > 0.0f) {
        used += snprintf(text + used, size - (size_t)used, " (off by up to %.3g)", (double)weights.error);
    }
    text += used;
    size -= (size_t)used;
    if (single->clip == LOAD_REST_POSE) {
        snprintf(text, size, ", rest pose");
    } else {
        snprintf(text, size, ", clip %u '%.300s' at %g s", single->clip,
                 single->loaded.models[0].model->clips[single->clip].name, def->time);
    }
    return true;
}

static bool writeBaked(Single *single, const SingleDef *def, const char *output, GeometryFormat format,
                       EngineError *error) {
    Geometry geometry;
    char comment[512], message[ATOMIC_FILE_MESSAGE_SIZE];
    if (!describe(single, def, comment, sizeof comment, error) || !sceneSkinOnce(single->scene, 0.0, error) ||
        !bakeGeometry(single->scene, &geometry, error)) {
        return false;
    }
    bool good = geometryWrite(&geometry, format, output, comment, message);
    geometryFree(&geometry);
    return good || engineFail(error, "%s", message);
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
    .details = "The vertices are skinned by the compute pass and read back. All parts go in one file, in the model's\n"
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
