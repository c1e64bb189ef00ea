/* model_bake_clips.c: vkskin bake --clip all: a whole model with its clips as a .glb file. It needs no device. */
#include "model_bake_clips.h"

#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "geometry.h"
#include "model_glb.h"
#include "model_load.h"
#include "model_unpack.h"
#include "report.h"
#include "terminal.h"

/* Options of one pose, which the file does not have. */
static const char *const REFUSED[] = {"time",  "frame",   "loop",    "keep",     "sequence",  "blend-clip", "add-clip",
                                      "reach", "look",    "spring",  "collapse", "machine",   "parameters", "method",
                                      "blend", "normals", "weights", "morph",    "max-error", "backend"};

bool bakesAllClips(const Arguments *arguments) {
    const OptionValue *clip = optionsValue(arguments, "clip");
    return clip->given && strcmp(clip->text, "all") == 0;
}

static bool checkOptions(const Arguments *arguments, EngineError *error) {
    if (optionsValue(arguments, "output")->choice != GEOMETRY_GLB) {
        return engineFail(error, "--clip all: only .glb files have clips");
    }
    for (size_t i = 0; i < COUNT_OF(REFUSED); i++) {
        if (optionsValue(arguments, REFUSED[i])->given) {
            return engineFail(error, "--clip all writes all of each clip: leave out --%s", REFUSED[i]);
        }
    }
    return true;
}

/* One line for each kind of loss, on reading and on writing. */
static void sayLosses(const Arguments *arguments, const Model *model, const ModelGlbLosses *losses) {
    const char *verb = arguments->verb->name, *path = arguments->operands[0];
    for (uint32_t i = 0; i < model->warningCount; i++) {
        sayWarning(verb, "%s: %s", path, model->warnings[i].text);
    }
    if (losses->resampled > 0) {
        sayWarning(verb, "%s: tracks whose curves became straight lines, which leave them by at most %.2g: %u", path,
                   losses->curveError, losses->resampled);
    }
    if (losses->dropped > 0) {
        sayWarning(verb, "%s: tracks of morph weights left out, because their node has no morph targets: %u", path,
                   losses->dropped);
    }
    if (losses->further > 0) {
        sayWarning(verb,
                   "%s: vertices with more than 4 influences: %llu. Readers of JOINTS_0 alone lose up to %.2g %% of a "
                   "vertex's weight",
                   path, (unsigned long long)losses->further, 100.0 * losses->furtherShare);
    }
    if (losses->trimmedShare > 0.0) {
        sayWarning(verb, "%s: --max-influences removes up to %.2g %% of a vertex's weight", path,
                   100.0 * losses->trimmedShare);
    }
    if (losses->dual > 0) {
        sayWarning(verb,
                   "%s: vertices for dual quaternions: %llu. The attribute _BLEND has them; other programs skin "
                   "linearly, up to %.3g of the model's units away",
                   path, (unsigned long long)losses->dual, losses->dualDistance);
    }
}

/* The same limit as for one pose: a small packed file may hold much. */
static bool checkSize(const Arguments *arguments, const Glb *glb, EngineError *error) {
    const OptionValue *output = optionsValue(arguments, "output");
    const uint64_t mebibytes = (uint64_t)optionsValue(arguments, "max-size")->integer;
    return glb->size >> 20 < mebibytes ||
           engineFail(error, "%s: takes %llu MiB, but --max-size is %llu", output->text,
                      (unsigned long long)(glb->size >> 20) + 1, (unsigned long long)mebibytes);
}

static bool writeFile(const char *path, Glb *glb, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    if (!glbWrite(glb, file.stream, path, error)) {
        atomicFileDrop(&file);
        return false;
    }
    return atomicFileCommit(&file, error);
}

static bool writeDocument(const Arguments *arguments, const Model *model, const Glb *glb, const ModelGlbLosses *losses,
                          EngineError *error) {
    Document document = documentBegin("bakeclips", NULL, 0, 0);
    cJSON *object = document.json;
    bool *good = &document.good;
    JSON_ADD(object, good, jsonText("model", arguments->operands[0]),
             jsonText("format", GEOMETRY_ENDINGS[GEOMETRY_GLB] + 1),
             jsonText("file", optionsValue(arguments, "output")->text), jsonText("up", MODEL_UP_NAMES[model->up]));
    jsonAddMetres(object, model->metres, good);
    JSON_ADD(object, good, jsonCount("nodes", glb->counts[GLB_NODES]), jsonCount("skins", glb->counts[GLB_SKINS]),
             jsonCount("meshes", glb->counts[GLB_MESHES]), jsonCount("materials", glb->counts[GLB_MATERIALS]),
             jsonCount("pictures", glb->counts[GLB_IMAGES]), jsonCount("clips", glb->counts[GLB_ANIMATIONS]),
             jsonCount("tracksResampled", losses->resampled), jsonNumber("curveError", losses->curveError),
             jsonCount("tracksDropped", losses->dropped), jsonNumber("weightBehindFour", losses->furtherShare),
             jsonNumber("weightTrimmed", losses->trimmedShare), jsonCount("dualVertices", losses->dual),
             jsonNumber("dualDistance", losses->dualDistance));
    return documentEnd(&document, arguments, true, error);
}

static bool bakeModel(const Arguments *arguments, Model *model, EngineError *error) {
    const uint32_t influences = (uint32_t)optionsValue(arguments, "max-influences")->integer;
    const char *path = optionsValue(arguments, "output")->text;
    GlbPictures pictures;
    ModelGlbLosses losses = {0};
    Glb glb;
    if (!modelUnpack(model, error) || !glbPicturesCreate(model, &pictures, error)) {
        return false;
    }
    glbBegin(&glb, &pictures, "vkskin bake, all clips");
    bool good =
        (glb.good || engineFail(error, "out of memory")) &&
        (modelGlbFill(&glb, model, influences, &losses, error) || engineFailAt(error, arguments->operands[0])) &&
        checkSize(arguments, &glb, error) && writeFile(path, &glb, error);
    if (good) {
        sayLosses(arguments, model, &losses);
        good = writeDocument(arguments, model, &glb, &losses, error);
    }
    glbFree(&glb);
    glbPicturesFree(&pictures);
    return good;
}

int modelBakeClips(const Arguments *arguments) {
    EngineError error;
    Model *model = checkOptions(arguments, &error)
                       ? modelLoad(arguments, arguments->operands[0], MODEL_OR_CLIPS, NULL, &error)
                       : NULL;
    const bool good = model && bakeModel(arguments, model, &error);
    modelFree(model);
    return sayEnd(arguments->verb->name, good, &error);
}
