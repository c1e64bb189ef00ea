/* spine_verb_crowd.c: vkskin crowd for 2D characters: a grid or a street of them, skinned in one pass, drawn and measured. */
#include "content.h"
#include "pictures.h"
#include "report.h"
#include "spine_characters.h"
#include "spine_options.h"

/* ---- The report ---- */

static void writeCounts(Document *document, const RunResult *result) {
    fieldCount(document, "characters", "characters", result->characters, "");
    fieldCount(document, "vertices", "vertices", result->vertices, "");
    fieldCount(document, "bones", "bones", result->bones, "");
    JSON_FIELDS(document, jsonCount("verticesSkinned", result->stats.verticesSkinned));
    fieldCount(document, "dispatches", "dispatches", result->stats.dispatches, "");
    fieldCount(document, "draw calls", "drawCalls", result->drawCalls, "");
    fieldCount(document, "palette", "paletteBytes", result->stats.paletteBytes, "B");
    fieldCount(document, "output", "outputBytes", result->stats.outputBytes, "B");
    fieldCount(document, "deform", "deformWeights", result->stats.morphWeights, "weights");
}

static bool report(const Session *session, const RunResult *result, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    const bool series = optionsValue(arguments, "sequence")->given, stamps = result->clock == RUN_CLOCK_TIMESTAMPS;
    Document document = documentOf(arguments, "crowd2d", REPORT_LABEL_WIDTH, REPORT_VALUE_WIDTH);
    reportDevice(&document, &result->device);
    fieldText(&document, "system", "system", SKIN_SYSTEM_NAMES[result->skin.system]);
    fieldText(&document, "backend", "backend", result->backend);
    fieldCount(&document, "threads", "threads", result->threads, "");
    reportClock(&document, result->clock, stamps ? "device timestamps; pose and prepare: wall clock" : "wall clock");
    jsonAddTexts(document.json, "models", arguments->operands, arguments->operandCount, &document.good);
    jsonAddTexts(document.json, "skins", (char *const *)arguments->names, arguments->nameCount, &document.good);
    JSON_FIELDS(&document, jsonText("place", SPINE_PLACE_NAMES[optionsValue(arguments, "place")->choice]),
                jsonCount("seed", (uint64_t)optionsValue(arguments, "seed")->integer));
    documentNote(&document, "\n");
    writeCounts(&document, result);
    reportStepHeading(&document);
    fieldStep(&document, "pose", "pose", &result->pose);
    fieldStep(&document, "prepare", "prepare", &result->prepare);
    fieldStep(&document, "skinning", "skinning", &result->skinning);
    fieldStep(&document, "draw", "draw", &result->draw);
    reportFrames(&document, NULL, result->frames, size->width, size->height);
    fieldRate(&document, "vertices/s", "verticesPerSecond", result->verticesPerSecond, "");
    reportPicture(&document, series ? NULL : optionsValue(arguments, "output")->text); /* those of a series are named */
    return documentEnd(&document, arguments, true, error);
}

/* ---- The verb ---- */

static bool runAndReport(Session *session, SpineCharacters *characters, EngineError *error) {
    RunResult result;
    SpineShow show = spineCharactersShow(characters, session);
    const PictureRun run = {.warmupFrames = WARMUP_FRAMES,
                            .frames = (uint32_t)optionsValue(session->arguments, "frames")->integer,
                            .moments = pictureMoments(session->arguments, 0.0)};
    return spinePicturesRun(session, &show, run, &result, error) && report(session, &result, error);
}

static bool work(Session *session, EngineError *error) {
    if (!spineLoad(session, error)) {
        return false;
    }
    SpineCharacters *characters =
        spineCharactersCreate(session, (SpinePlacement)optionsValue(session->arguments, "place")->choice, error);
    const bool good = characters && runAndReport(session, characters, error);
    spineCharactersDestroy(characters);
    return good;
}

int spineCrowd(const Arguments *arguments) {
    return sessionRun(arguments, work);
}
