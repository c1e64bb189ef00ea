/*
 * verb_info.c: vkskin info MODEL. Needs no Vulkan device.
 */
#include "info_report.h"
#include "load.h"
#include "outputs.h"
#include "terminal.h"
#include "verbs.h"

enum { INFO_MAX_BONES, INFO_JSON, INFO_OPTION_COUNT };

static const Option INFO_OPTIONS[INFO_OPTION_COUNT] = {
    [INFO_MAX_BONES] = {.name = "max-bones",
                        .kind = OPTION_INTEGER,
                        .valueName = "N",
                        .minimum = 1,
                        .maximum = 1048576,
                        .help = "also split each mesh into parts with at most so many bones, for programs that bind "
                                "palettes in uniform blocks"},
    [INFO_JSON] = JSON_OPTION,
};

static bool printInfo(Info *info, const OptionValue *json, uint32_t maxBones, EngineError *error) {
    bool good = modelSurveyTake(info->model, &info->survey) || engineFail(error, "out of memory");
    good = good && modelSplitTake(info->model, info->path, maxBones, &info->split, error);
    good = good && (!json->text || outputJsonWrite(infoJson(info), json, error));
    if (good && !outputJsonIsStandard(json)) {
        infoPrint(stdout, info);
    }
    modelSurveyFree(&info->survey);
    modelSplitFree(&info->split);
    return good;
}

static int runInfo(const Arguments *arguments) {
    const OptionValue *json = &arguments->values[INFO_JSON];
    EngineError error;
    int status = outputsCheckApart(arguments, verbInfo.name, &(OutputName){"--json", outputJsonFile(json)}, 1);
    if (status == EXIT_GOOD) {
        status = outputJsonCheck(verbInfo.name, json);
    }
    if (status != EXIT_GOOD) {
        return status;
    }
    Model *model = loadFile(arguments->operands[0], &error);
    if (!model) {
        return sayFailure(verbInfo.name, "%s", error.message);
    }
    Info info = {.path = arguments->operands[0], .model = model};
    bool good = printInfo(&info, json, (uint32_t)arguments->values[INFO_MAX_BONES].integer, &error);
    modelFree(model);
    return good ? EXIT_GOOD : sayFailure(verbInfo.name, "%s", error.message);
}

const Verb verbInfo = {
    .name = "info",
    .summary = "shows the content of a model file",
    .usage = "MODEL [options]",
    .details = "For weights it shows how many vertices have how many influences, and the cost of keeping fewer: the\n"
               "lost share of weight at the worst vertex, and an upper bound of its position error in the unit of\n"
               "the model. The bound holds while the bones of a vertex place it within one mesh diagonal.\n"
               "This verb needs no Vulkan device and ignores --device and --validate.\n",
    .options = INFO_OPTIONS,
    .optionCount = INFO_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = 1,
    .takesDevice = true,
    .run = runInfo,
    .operandHelp = LOAD_MODEL_HELP,
};
