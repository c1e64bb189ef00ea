#include "bench_options.h"

#define CASES_MAX 256

static const Option OPTIONS[BENCH_OPTION_COUNT] = {
    [BENCH_CASE] = {.name = "case",
                    .kind = OPTION_OPERAND,
                    .valueName = "NAME...",
                    .help = "measure these, with what they are compared with; without it all, or those of --quick"},
    [BENCH_LIST] = {.name = "list", .kind = OPTION_FLAG, .help = "the cases, a line each, and no more"},
    [BENCH_QUICK] = {.name = "quick",
                     .kind = OPTION_FLAG,
                     .help = "few repetitions, and without --case the main cases alone: to see that all works"},
    [BENCH_JSON] = {.name = "json",
                    .kind = OPTION_TEXT,
                    .valueName = "FILE",
                    .help = "write the table as JSON too; '-': to standard output, in place of the table"},
    [BENCH_REPORT] = {.name = "report",
                      .kind = OPTION_TEXT,
                      .valueName = "DIR",
                      .help = "write a report into this folder: Markdown, JSON, and plots where gnuplot is there"},
};

const Verb BENCH_PROGRAM = {
    .name = "bench",
    .isProgram = true,
    .summary = "measures skinning, side by side with what it is compared with",
    .usage = "[options]",
    .details =
        "Each output is held against a reference before it is timed and after; one that is wrong has no time, and the\n"
        "exit status is 1. Cases with the same baseline run in turn, round by round, with the limits of the memory\n"
        "among them. Exit status: 0 done, 1 failed, 2 wrong usage.\n",
    .options = OPTIONS,
    .optionCount = BENCH_OPTION_COUNT,
    .operandName = "NAME",
    .operandHelp = "a case of --list, as after --case",
    .operandsMax = CASES_MAX,
    .takesDevice = true,
};
