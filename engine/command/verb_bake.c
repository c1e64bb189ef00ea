/*
 * verb_bake.c: vkskin bake MODEL: a moment of an animation as plain triangles.
 */
#include <math.h>

#include "atomic_file.h"
#include "bake.h"
#include "method.h"
#include "output_apart.h"
#include "say.h"
#include "single.h"
#include "verbs.h"
#include "write_geometry.h"

enum { BAKE_OUTPUT, BAKE_CLIP, BAKE_TIME, BAKE_METHOD, BAKE_MAX_INFLUENCES, BAKE_OPTION_COUNT };

static const Option BAKE_OPTIONS[BAKE_OPTION_COUNT] = {
    [BAKE_OUTPUT] = {.name = "output",
                     .letter = 'o',
                     .kind = OPTION_TEXT,
                     .valueName = "FILE",
                     .required = true,
                     .help = "the file to write, as its name ends: .obj (text) or .ply (binary)"},
    [BAKE_CLIP] = {.name = "clip",
                   .kind = OPTION_TEXT,
                   .valueName = "N|NAME",
                   .help = "the clip, by its index from 0 or by its name; without it the first, or the rest pose of a "
                           "model without clips"},
    [BAKE_TIME] = {.name = "time",
                   .kind = OPTION_NUMBER,
                   .valueName = "SECONDS",
                   .defaultValue = "0",
                   .minimum = 0.0,
                   .maximum = INFINITY,
                   .help = "the moment in the clip; past its end the last frame holds"},
    [BAKE_METHOD] = {.name = "method",
                     .kind = OPTION_CHOICE,
                     .valueName = "lbs|dqs",
                     .defaultValue = "lbs",
                     .choices = METHOD_NAMES,
                     .help = METHOD_HELP},
    [BAKE_MAX_INFLUENCES] = {.name = "max-influences",
                             .kind = OPTION_INTEGER,
                             .valueName = "N",
                             .defaultValue = "4",
                             .minimum = 1,
                             .maximum = 4,
                             .help = "bones that a vertex keeps, the weightiest"},
};

static bool writeBaked(Single *single, const Arguments *arguments, GeometryFormat format, EngineError *error) {
    const Model *model = single->loaded.models[0].model;
    const char *method = METHOD_NAMES[arguments->values[BAKE_METHOD].choice];
    Geometry geometry;
    char comment[512], message[ATOMIC_FILE_MESSAGE_SIZE];
    if (!sceneSkinOnce(single->scene, 0.0, error) || !bakeGeometry(single->scene, &geometry, error)) {
        return false;
    }
    if (single->clip == LOAD_REST_POSE) {
        snprintf(comment, sizeof comment, "vkskin bake, %s, rest pose", method);
    } else {
        snprintf(comment, sizeof comment, "vkskin bake, %s, clip %u '%.300s' at %g s", method, single->clip,
                 model->clips[single->clip].name, arguments->values[BAKE_TIME].number);
    }
    bool good = geometryWrite(&geometry, format, arguments->values[BAKE_OUTPUT].text, comment, message);
    geometryFree(&geometry);
    return good || engineFail(error, "%s", message);
}

static int runBake(const Arguments *arguments) {
    const OptionValue *values = arguments->values;
    const char *output = values[BAKE_OUTPUT].text;
    const char *verb = verbBake.name;
    SingleDef def = {
        .verb = verb,
        .path = arguments->operands[0],
        .clip = values[BAKE_CLIP].text,
        .time = values[BAKE_TIME].number,
        .method = (VkskinMethod)values[BAKE_METHOD].choice,
        .maxInfluences = (uint32_t)values[BAKE_MAX_INFLUENCES].integer,
        .format = VKSKIN_VERTEX_FLOAT,
        .readback = true,
    };
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
    .optionCount = BAKE_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runBake,
    .operandHelp = LOAD_MODEL_HELP,
};
