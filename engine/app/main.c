/*
 * main.c: the command `vkskin`: finds the verb, parses its options, runs it.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "outputs.h"
#include "terminal.h"
#include "verbs.h"
#include "welcome.h"

#define ADDRESS_OF(verb) &verb,
static const Verb *const VERB_LIST[] = {VERBS(ADDRESS_OF)};

#define VERB_COUNT COUNT_OF(VERB_LIST)

static void printHelp(FILE *file) {
    fputs("vkskin: skins animated models on the GPU, draws and measures them\n\n"
          "usage: vkskin VERB [options]\n\n",
          file);
    for (size_t i = 0; i < VERB_COUNT; i++) {
        fprintf(file, "  %-12s%s\n", VERB_LIST[i]->name, VERB_LIST[i]->summary);
    }
    fputs("\n'vkskin VERB --help' lists the options of a verb.\n"
          "'vkskin --version' prints the version.\n"
          "Exit status: 0 done, 1 failed, 2 wrong usage, 3 faults found (info --check).\n",
          file);
}

static const Verb *findVerb(const char *name) {
    for (size_t i = 0; i < VERB_COUNT; i++) {
        if (strcmp(VERB_LIST[i]->name, name) == 0) {
            return VERB_LIST[i];
        }
    }
    return NULL;
}

/* Prints one line for a word that is neither a verb nor an option. */
static int refuseWord(const char *word) {
    const char *names[VERB_COUNT + 3] = {"--help", "--version", "help"};
    bool isOption = word[0] == '-';
    for (size_t i = 0; i < VERB_COUNT; i++) {
        names[3 + i] = VERB_LIST[i]->name;
    }
    int nearest = isOption ? nearestWord(word, names, 2) : nearestWord(word, names + 2, VERB_COUNT + 1);
    const char *kind = isOption ? "option" : "verb";
    fprintf(stderr, "vkskin: no %s '", kind);
    sayClean(stderr, word);
    if (nearest >= 0) {
        fprintf(stderr, "'; did you mean '%s'?\n", names[isOption ? nearest : nearest + 2]);
    } else {
        fputs("'; see 'vkskin --help'\n", stderr);
    }
    return EXIT_USAGE;
}

static int help(int count, char **texts) {
    if (count == 0) {
        printHelp(stdout);
        return EXIT_GOOD;
    }
    const Verb *verb = findVerb(texts[0]);
    if (!verb) {
        return refuseWord(texts[0]);
    }
    optionsPrintHelp(stdout, verb);
    return EXIT_GOOD;
}

/* Whether the last --json of the texts, which may be wrong, is for standard output. */
static bool asksForJson(const Verb *verb, int count, char **texts) {
    const Option *option;
    bool takes = false, asks = false;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        takes = takes || strcmp(option->name, "json") == 0;
    }
    for (int i = 0; takes && i < count && strcmp(texts[i], "--") != 0; i++) {
        if (strncmp(texts[i], "--json=", 7) == 0) {
            asks = strcmp(texts[i] + 7, "-") == 0;
        } else if (strcmp(texts[i], "--json") == 0) {
            asks = i + 1 < count && strcmp(texts[i + 1], "-") == 0;
        }
    }
    return asks;
}

static int runVerb(const Verb *verb, int count, char **texts) {
    const bool json = asksForJson(verb, count, texts); /* the parser moves the texts */
    const int status = verbRun(verb, count, texts);
    if (json && status != EXIT_GOOD) {
        outputJsonFailure(verb->name, saidFailure());
    }
    return status;
}

static int run(int count, char **texts) {
    if (count == 0) {
        welcomePrint(stderr);
        return EXIT_USAGE;
    }
    if (strcmp(texts[0], "--help") == 0 || strcmp(texts[0], "-h") == 0 || strcmp(texts[0], "help") == 0) {
        return help(count - 1, texts + 1);
    }
    if (strcmp(texts[0], "--version") == 0) {
        puts("vkskin " PROGRAM_VERSION);
        return EXIT_GOOD;
    }
    const Verb *verb = findVerb(texts[0]);
    return verb ? runVerb(verb, count - 1, texts + 1) : refuseWord(texts[0]);
}

int main(int count, char **texts) {
    terminalOpenStandard();
    /* A file above the size limit is a write error; the signal would end the program. */
    signal(SIGXFSZ, SIG_IGN);
    int status = run(count - (count > 0), texts + (count > 0));
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "vkskin: standard output cannot be written: %s\n", strerror(errno));
        return status == EXIT_GOOD ? EXIT_FAILED : status;
    }
    return status;
}
