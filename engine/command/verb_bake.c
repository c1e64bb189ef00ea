/*
 * verb_bake.c: vkskin bake MODEL: a moment of an animation as plain triangles.
 */
#include "atomic_file.h"
#include "bake.h"
#include "method.h"
#include "output_apart.h"
#include "say.h"
#include "single.h"
#include "verbs.h"
#include "write_geometry.h"

static const Option BAKE_OPTIONS[SINGLE_OPTION_COUNT] = {
    SINGLE_OPTIONS("FILE", "the file to write, as its name ends: .obj (text) or .ply (binary)"),
};

static bool writeBaked(Single *single, const Arguments *arguments, GeometryFormat format, EngineError *error) {
    const Model *model = single->loaded.models[0].model;
    const char *method = METHOD_NAMES[arguments->values[SINGLE_METHOD].choice];
    Geometry geometry;
    char comment[512], message[ATOMIC_FILE_MESSAGE_SIZE];
    if (!sceneSkinOnce(single->scene, 0.0, error) || !bakeGeometry(single->scene, &geometry, error)) {
        return false;
    }
    if (single->clip == LOAD_REST_POSE) {
        snprintf(comment, sizeof comment, "vkskin bake, %s, rest pose", method);
    } else {
        snprintf(comment, sizeof comment, "vkskin bake, %s, clip %u '%.300s' at %g s", method, single->clip,
                 model->clips[single->clip].name, arguments->values[SINGLE_TIME].number);
    }
    bool good = geometryWrite(&geometry, format, arguments->values[SINGLE_OUTPUT].text, comment, message);
    geometryFree(&geometry);
    return good || engineFail(error, "%s", message);
}

static int runBake(const Arguments *arguments) {
    const char *output = arguments->values[SINGLE_OUTPUT].text;
    const char *verb = verbBake.name;
    SingleDef def = singleDef(verb, arguments);
    GeometryFormat format;
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    EngineError error;
    Single single;
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
    bool good = singleOpen(&def, arguments, &single, &error) && writeBaked(&single, arguments, format, &error);
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
