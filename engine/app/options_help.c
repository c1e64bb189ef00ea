/*
 * options_help.c: optionsPrintHelp of options.h.
 */
#include <string.h>

#include "option_value.h"

#define HELP_WIDTH  100
#define HELP_INDENT 28

/* Prints `text` from column HELP_INDENT on, wrapped between words; the cursor stands there already. */
static void printWrapped(FILE *file, const char *text) {
    size_t column = HELP_INDENT;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > HELP_INDENT && column + 1 + length > HELP_WIDTH) {
            fprintf(file, "\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        }
        if (column > HELP_INDENT) {
            fputc(' ', file);
            column++;
        }
        fprintf(file, "%.*s", (int)length, text);
        column += length;
        text += length + strspn(text + length, " ");
    }
    fputc('\n', file);
}

static void printOption(FILE *file, const Option *option) {
    char head[80], text[640], range[80];
    int used = option->letter ? snprintf(head, sizeof head, "  -%c, --%s", option->letter, option->name)
                              : snprintf(head, sizeof head, "      --%s", option->name);
    if (option->valueName) {
        snprintf(head + used, sizeof head - (size_t)used, " %s", option->valueName);
    }
    optionFormatRange(range, sizeof range, option);
    snprintf(text, sizeof text, "%s%s%s%s%s%s%s", option->help, range[0] ? "; " : "", range,
             option->defaultValue ? " (default " : "", option->defaultValue ? option->defaultValue : "",
             option->defaultValue ? ")" : "", option->required ? " (required)" : "");
    if (strlen(head) >= HELP_INDENT) {
        fprintf(file, "%s\n%*s", head, HELP_INDENT, "");
    } else {
        fprintf(file, "%-*s", HELP_INDENT, head);
    }
    printWrapped(file, text);
}

void optionsPrintHelp(FILE *file, const Verb *verb) {
    fprintf(file, "vkskin%c%s: %s\n\nusage: vkskin%c%s%s%s\n\n", optionsJoint(verb), verb->name, verb->summary,
            optionsJoint(verb), verb->name, verb->usage[0] ? " " : "", verb->usage);
    if (verb->operandHelp) {
        fprintf(file, "  %-*s", HELP_INDENT - 2, verb->operandName);
        printWrapped(file, verb->operandHelp);
    }
    for (uint32_t i = 0; i < optionsCount(verb); i++) {
        printOption(file, optionsAt(verb, i));
    }
    if (verb->details) {
        fprintf(file, "\n%s", verb->details);
    }
}
