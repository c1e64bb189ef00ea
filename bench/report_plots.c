#include "report.h"

#include <string.h>

#define WIDTH       1000
#define CURVES_HIGH 620
#define BAR_HIGH    26  /* pixels per bar and gap */
#define BARS_ABOVE  130 /* pixels for title, legend and axis */

/* The palette of Okabe and Ito, safe for colour-blind readers. */
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
#define COLOUR_COUNT (sizeof COLOURS / sizeof *COLOURS)

/* gnuplot's filled circle, square, triangles and diamond, then open ones. */
static const uint32_t POINT_TYPES[] = {7, 5, 9, 13, 11, 6, 4, 8};
#define POINT_TYPE_COUNT (sizeof POINT_TYPES / sizeof *POINT_TYPES)

/* ---- What is shown ---- */

static bool isShown(Plot plot, const CaseResult *result) {
    const BenchCase *benchCase = result->benchCase;
    if (result->outcome != OUTCOME_TIMED) {
        return false;
    }
    switch (plot) {
    case PLOT_SYSTEMS_1:
    case PLOT_SYSTEMS_3:
        return benchCase->curve && benchCase->passes == (plot == PLOT_SYSTEMS_1 ? 1 : 3);
    case PLOT_FRAMES:
    case PLOT_VISIBLE:
        return benchCase->framePlot == (plot == PLOT_FRAMES ? FRAME_PLOT_COUNT : FRAME_PLOT_VISIBLE);
    case PLOT_COST:
    case PLOT_CALLS:
        return benchCase->curve && benchCase->passes == 0 && benchCase->framePlot == FRAME_PLOT_NONE &&
               (benchCase->kind == CASE_CALLS) == (plot == PLOT_CALLS) && result->verticesPerSecond > 0.0;
    case PLOT_STEPS:
        return benchCase->step > 0 && result->ratio.count > 0;
    default:
        return benchCase->kind != CASE_LIMIT && result->percentOfLimit > 0.0;
    }
}

static uint32_t countShown(Plot plot, const BenchRun *run) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        count += isShown(plot, &run->results[i]);
    }
    return count;
}

bool plotHasData(Plot plot, const BenchRun *run) {
    return countShown(plot, run) > 0;
}

/* The x of a case in the plot: instances on a curve, or the step. */
static uint32_t placeOf(Plot plot, const CaseResult *result) {
    return plot == PLOT_STEPS ? result->benchCase->step : result->benchCase->instances;
}

/* The shown result that follows `last` (null: the first) by its place, or null. curve: null for all. */
static const CaseResult *nextShown(Plot plot, const BenchRun *run, const char *curve, const CaseResult *last) {
    const uint32_t above = last ? placeOf(plot, last) : 0;
    const CaseResult *next = NULL;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        const CaseResult *result = &run->results[i];
        const uint32_t place = placeOf(plot, result);
        if (isShown(plot, result) && (!curve || strcmp(result->benchCase->curve, curve) == 0) && place > above &&
            (!next || place < placeOf(plot, next))) {
            next = result;
        }
    }
    return next;
}

/* ---- Curves ---- */

/* Whether this result is the first of its curve. */
static bool beginsCurve(Plot plot, const BenchRun *run, uint32_t index) {
    const CaseResult *result = &run->results[index];
    bool first = isShown(plot, result);
    for (uint32_t i = 0; first && i < index; i++) {
        const CaseResult *other = &run->results[i];
        first = !isShown(plot, other) || strcmp(other->benchCase->curve, result->benchCase->curve) != 0;
    }
    return first;
}

static bool showsFrames(Plot plot) {
    return plot == PLOT_SYSTEMS_1 || plot == PLOT_SYSTEMS_3 || plot == PLOT_FRAMES || plot == PLOT_VISIBLE;
}

static void writeCurve(FILE *file, Plot plot, const BenchRun *run, const char *curve) {
    fprintf(file, "# %s\n", curve);
    for (const CaseResult *point = NULL; (point = nextShown(plot, run, curve, point));) {
        fprintf(file, "%u %.6g\n", point->benchCase->instances,
                showsFrames(plot) ? point->time.median : 1e9 / point->verticesPerSecond);
    }
    fputs("\n\n", file);
}

static const char *unitOf(Plot plot) {
    return plot == PLOT_FRAMES || plot == PLOT_VISIBLE ? "milliseconds of culling, posing and skinning"
           : showsFrames(plot)                         ? "milliseconds of skinning and drawing"
           : plot == PLOT_CALLS                        ? "nanoseconds per instance"
                                                       : "nanoseconds per vertex";
}

static const char *placeUnitOf(Plot plot) {
    return plot == PLOT_FRAMES ? "characters" : plot == PLOT_VISIBLE ? "visible percent" : "instances";
}

/* One block of lines per curve. */
static void writeCurves(FILE *file, Plot plot, const BenchRun *run) {
    fprintf(file, "# %s, %s\n", placeUnitOf(plot), unitOf(plot));
    for (uint32_t i = 0; i < run->resultCount; i++) {
        if (beginsCurve(plot, run, i)) {
            writeCurve(file, plot, run, run->results[i].benchCase->curve);
        }
    }
}

static void scriptCurves(FILE *file, Plot plot, const BenchRun *run) {
    uint32_t curve = 0;
    fprintf(file,
            "set logscale xy\nset xlabel '%s'\nset ylabel '%s'\nset key above horizontal samplen 2\n"
            "set grid\nplot",
            placeUnitOf(plot), unitOf(plot));
    for (uint32_t i = 0; i < run->resultCount; i++) {
        if (beginsCurve(plot, run, i)) {
            fprintf(file,
                    "%s $data index %u using 1:2 with linespoints linewidth 2 pointtype %u pointsize 1.4 "
                    "linecolor rgb '%s' title '%s'",
                    curve > 0 ? "," : "", curve, POINT_TYPES[curve % POINT_TYPE_COUNT], COLOURS[curve % COLOUR_COUNT],
                    run->results[i].benchCase->curve);
            curve++;
        }
    }
}

/* ---- Bars ---- */

/* place: the row, counted from the top. */
static void writeBar(FILE *file, uint32_t place, const char *label, double value) {
    fprintf(file, "%u \"%s\" %.6g\n", place, label, value);
}

static void writeSteps(FILE *file, Plot plot, const BenchRun *run) {
    uint32_t place = 0;
    fputs("# row, step, times faster than the baseline\n", file);
    writeBar(file, place++, "baseline", 1.0);
    for (const CaseResult *step = NULL; (step = nextShown(plot, run, NULL, step));) {
        writeBar(file, place++, step->benchCase->stepName, step->ratio.median);
    }
}

static bool hasLimits(const BenchRun *run, LimitDomain domain) {
    bool any = false;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        any = any || (run->results[i].benchCase->domain == domain && isShown(PLOT_LIMIT, &run->results[i]));
    }
    return any;
}

/* One block of lines per domain; rows are numbered across all blocks. */
static void writeLimits(FILE *file, Plot plot, const BenchRun *run) {
    uint32_t place = 0;
    fputs("# row, case, percent of its limit\n", file);
    for (LimitDomain domain = 0; domain < LIMIT_DOMAIN_COUNT; domain++) {
        for (uint32_t i = 0; i < run->resultCount; i++) {
            const CaseResult *result = &run->results[i];
            if (result->benchCase->domain == domain && isShown(plot, result)) {
                writeBar(file, place++, result->benchCase->name, result->percentOfLimit);
            }
        }
        fputs(hasLimits(run, domain) ? "\n\n" : "", file);
    }
}

/* Horizontal bars with their values. line: the x of a dashed reference line. */
static void scriptBarAxes(FILE *file, const char *unit, double line, uint32_t bars) {
    fprintf(file,
            "set xlabel '%s'\nset xrange [0:%g<*]\nset yrange [%g:0.7]\nset style fill solid\nset grid xtics\n"
            "set key above horizontal samplen 2\nset offsets 0, graph 0.08, 0, 0\nset tics nomirror scale 0\n"
            "set arrow from first %g, graph 0 to first %g, graph 1 nohead front dashtype 2 linewidth 2\nplot",
            unit, 1.05 * line, -(double)bars + 0.3, line, line);
}

static void scriptBarBlock(FILE *file, uint32_t block, const char *colour, const char *title) {
    fprintf(file,
            "%s $data index %u using ($3/2):(-$1):($3/2):(0.36):yticlabels(2) with boxxyerror linecolor rgb '%s' "
            "%s%s%s, '' index %u using 3:(-$1):(sprintf(' %%.3g', $3)) with labels left notitle",
            block > 0 ? "," : "", block, colour, title ? "title '" : "notitle", title ? title : "", title ? "'" : "",
            block);
}

static void scriptSteps(FILE *file, Plot plot, const BenchRun *run) {
    scriptBarAxes(file, "times faster than the baseline", 1.0, countShown(plot, run) + 1);
    scriptBarBlock(file, 0, COLOURS[0], NULL);
}

static void scriptLimits(FILE *file, Plot plot, const BenchRun *run) {
    static const char *const TITLES[LIMIT_DOMAIN_COUNT] = {
        [LIMIT_DEVICE] = "of the device''s limit",
        [LIMIT_CPU] = "of one thread''s limit",
        [LIMIT_CPU_THREADS] = "of all processors'' limit",
    };
    uint32_t block = 0;
    scriptBarAxes(file, "percent of the measured limit", 100.0, countShown(plot, run));
    for (LimitDomain domain = 0; domain < LIMIT_DOMAIN_COUNT; domain++) {
        if (hasLimits(run, domain)) {
            scriptBarBlock(file, block++, COLOURS[domain], TITLES[domain]);
        }
    }
}

/* ---- Any plot ---- */

static const struct {
    const char *name, *title;
    void (*data)(FILE *file, Plot plot, const BenchRun *run);
    void (*script)(FILE *file, Plot plot, const BenchRun *run);
} PLOTS[PLOT_COUNT] = {
    [PLOT_COST] = {"cost", "Cost of a vertex by number of instances", writeCurves, scriptCurves},
    [PLOT_CALLS] = {"calls", "Cost of the calls of an instance by number of instances", writeCurves, scriptCurves},
    [PLOT_SYSTEMS_1] = {"systems-1", "What compute gains: skinning and one pass", writeCurves, scriptCurves},
    [PLOT_SYSTEMS_3] = {"systems-3", "What compute gains: skinning and three passes", writeCurves, scriptCurves},
    [PLOT_FRAMES] = {"frames", "A frame of a crowd by number of characters, 14 % visible", writeCurves, scriptCurves},
    [PLOT_VISIBLE] = {"visible", "A frame of 10,000 characters by visible percent", writeCurves, scriptCurves},
    [PLOT_STEPS] = {"steps", "How much faster than the baseline, step by step", writeSteps, scriptSteps},
    [PLOT_LIMIT] = {"limit", "Percent of the measured limit of the memory", writeLimits, scriptLimits},
};

const char *plotName(Plot plot) {
    return PLOTS[plot].name;
}

const char *plotTitle(Plot plot) {
    return PLOTS[plot].title;
}

static uint32_t height(Plot plot, const BenchRun *run) {
    bool curves = PLOTS[plot].data == writeCurves;
    return curves ? CURVES_HIGH : BARS_ABOVE + BAR_HIGH * (countShown(plot, run) + (plot == PLOT_STEPS));
}

/* A gnuplot string in single quotes. */
static void writeQuoted(FILE *file, const char *text) {
    for (; *text; text++) {
        const unsigned char letter = (unsigned char)*text;
        fputs(letter == '\'' ? "'" : "", file);
        fputc(letter < ' ' ? '?' : letter, file);
    }
}

void plotScript(FILE *file, Plot plot, const BenchRun *run) {
    const char *device = run->deviceInfo.name[0] ? run->deviceInfo.name : run->cpuName;
    fputs("$data << END\n", file);
    PLOTS[plot].data(file, plot, run);
    fprintf(
        file,
        "END\n"
        "# gnuplot %s.gp draws %s.png\nif (!exists('picture')) picture = '%s.png'\n"
        "set terminal pngcairo size %d, %u noenhanced font 'sans,11'\nset output picture\nset title '%s' . \"\\n\" . '",
        plotName(plot), plotName(plot), plotName(plot), WIDTH, height(plot, run), plotTitle(plot));
    writeQuoted(file, device);
    fputs("'\n", file);
    PLOTS[plot].script(file, plot, run);
    fputs("\nunset output\n", file);
}
