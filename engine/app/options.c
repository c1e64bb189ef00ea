#include "options.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "option_values.h"

/* ---- Messages ---- */

/* Writes the message; returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(char *message, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(message, OPTIONS_MESSAGE_SIZE, format, values);
    va_end(values);
    return false;
}

void optionsFormatName(char *text, size_t size, const Option *option) {
    if (option->letter) {
        snprintf(text, size, "-%c", option->letter);
    } else {
        snprintf(text, size, "--%s", option->name);
    }
}

static bool refuseValue(const Option *option, const char *text, char *message) {
    char name[48], wanted[200];
    const char *const *words = optionWords(option);
    size_t count = 0;
    optionsFormatName(name, sizeof name, option);
    optionFormatWanted(wanted, sizeof wanted, option);
    if (option->kind == OPTION_OUTPUT && text[0] != '\0') {
        return refuse(message, "%s needs a name that ends in %s, not '%.400s'", name, wanted, text);
    }
    while (words && words[count]) {
        count++;
    }
    const int nearest = words ? nearestWord(text, words, count) : -1;
    if (!words || nearest < 0) {
        return refuse(message, "%s takes %s, not '%.100s'", name, wanted, text);
    }
    return refuse(message, "%s takes %s, not '%.100s'; did you mean '%s'?", name, wanted, text, words[nearest]);
}

/* Verbs without a device have the first one. */
static const Option COMMON_OPTIONS[] = {
    {"help", OPTION_FLAG, .letter = 'h', .help = "print this text"},
    {"device", OPTION_TEXT, "INDEX|NAME",
     .help = "the Vulkan device: its index in 'vkskin devices' or a part of its name; default: the first discrete, "
             "integrated, virtual or CPU device, in this order",
     .content = OPTION_FOR_ALL},
    {"validate", OPTION_FLAG,
     .help = "enable the validation layer; every message is printed and makes the command fail",
     .content = OPTION_FOR_ALL},
};

const char *verbJoint(const char *name) {
    return name[0] == '-' ? "" : " ";
}

/* ---- Finding options ---- */

/* The option at *index of a list; null, and *index counts on from its end, where the list is shorter. */
static const Option *findIn(const Option *list, const Option *end, uint32_t *index) {
    for (; list != end && (list->name || list->group); list++) {
        const Option *found = list->group ? findIn(list->group, NULL, index) : list;
        if (list->group ? found != NULL : (*index)-- == 0) {
            return found;
        }
    }
    return NULL;
}

static uint32_t commonCount(const Verb *verb) {
    return verb->takesDevice ? COUNT_OF(COMMON_OPTIONS) : 1;
}

const Option *optionsAt(const Verb *verb, uint32_t index) {
    const Option *own = NULL;
    if (verb->optionCount > 0) {
        own = findIn(verb->options, verb->options + verb->optionCount, &index);
    }
    return own ? own : index < commonCount(verb) ? &COMMON_OPTIONS[index] : NULL;
}

/* The option whose long name is the first `length` bytes of `name`; OPTIONS_MAX: none. */
static uint32_t findName(const Verb *verb, const char *name, size_t length) {
    const Option *option;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0) {
            return i;
        }
    }
    return OPTIONS_MAX;
}

static uint32_t findLetter(const Verb *verb, char letter) {
    const Option *option;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        if (option->letter == letter) {
            return i;
        }
    }
    return OPTIONS_MAX;
}

const OptionValue *optionsValue(const Arguments *arguments, const char *name) {
    return &arguments->values[findName(arguments->verb, name, strlen(name))];
}

/* `text`: as the user wrote it, with dashes and perhaps a value. */
static bool refuseUnknown(const Verb *verb, const char *text, char *message) {
    const char *names[OPTIONS_MAX];
    char word[64];
    uint32_t count = 0;
    for (const Option *option; (option = optionsAt(verb, count)); count++) {
        names[count] = option->name;
    }
    int length = (int)strcspn(text, "=");
    snprintf(word, sizeof word, "%.*s", length, text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    length = length < 100 ? length : 100;
    /* One letter is not enough for a guess. */
    int nearest = strlen(word) > 1 ? nearestWord(word, names, count) : -1;
    return nearest < 0 ? refuse(message, "no option '%.*s'; see 'vkskin%s%s --help'", length, text,
                                verbJoint(verb->name), verb->name)
                       : refuse(message, "no option '%.*s'; did you mean '--%s'?", length, text, names[nearest]);
}

/* ---- Parsing ---- */

typedef struct Parser {
    const Verb *verb;
    Arguments *arguments;
    char **texts;
    int count, next;
    bool optionsEnded;
    char *message;
} Parser;

/* Whether a text is an option and not a value. "-" and negative numbers are values. */
static bool looksLikeOption(const char *text) {
    return text[0] == '-' && text[1] != '\0' && text[1] != '.' && (text[1] < '0' || text[1] > '9');
}

/* Cuts the text at its last '='. */
static bool takeSetting(Parser *parser, const Option *option, char *text) {
    Arguments *arguments = parser->arguments;
    char *equals = strrchr(text, '=');
    double number;
    if (!equals || equals == text || !optionNumberParse(equals + 1, NULL, &number) || !isfinite((float)number)) {
        return refuseValue(option, text, parser->message);
    }
    if (arguments->settingCount == OPTION_SETTINGS_MAX) {
        return refuse(parser->message, "--%s is given more than %d times", option->name, OPTION_SETTINGS_MAX);
    }
    *equals = '\0';
    arguments->settings[arguments->settingCount++] = (OptionSetting){text, number};
    return true;
}

/* One more text of a repeatable option. */
static bool takeText(Parser *parser, const Option *option, const char *text, const char **texts, uint32_t *count) {
    if (text[0] == '\0') {
        return refuseValue(option, text, parser->message);
    }
    if (*count == OPTION_FILES_MAX) {
        return refuse(parser->message, "--%s is given more than %d times", option->name, OPTION_FILES_MAX);
    }
    texts[(*count)++] = text;
    return true;
}

static bool takeOperand(Parser *parser, char *text) {
    Arguments *arguments = parser->arguments;
    const Verb *verb = parser->verb;
    if (text[0] == '\0' && verb->operandsMax > 0) {
        return refuse(parser->message, "an empty %s", verb->operandName);
    }
    if (arguments->operandCount == verb->operandsMax) {
        return verb->operandsMax == 0
                   ? refuse(parser->message, "'%.200s' is not expected: this verb takes no operand", text)
                   : refuse(parser->message, "'%.200s' is one %s too many", text, verb->operandName);
    }
    arguments->operands[arguments->operandCount++] = text;
    return true;
}

/* attached: the value within the option's own text, or null. */
static bool takeOption(Parser *parser, uint32_t index, char *attached) {
    const Option *option = optionsAt(parser->verb, index);
    OptionValue *value = &parser->arguments->values[index];
    char name[48];
    optionsFormatName(name, sizeof name, option);
    value->given = true;
    if (option->kind == OPTION_FLAG) {
        return !attached || refuse(parser->message, "--%s takes no value", option->name);
    }
    if (!attached) {
        if (parser->next == parser->count || looksLikeOption(parser->texts[parser->next])) {
            return refuse(parser->message, "%s needs a value: %s", name, option->valueName);
        }
        attached = parser->texts[parser->next++];
    }
    if (option->kind == OPTION_SETTING) {
        return takeSetting(parser, option, attached);
    }
    if (option->kind == OPTION_FILES) {
        return takeText(parser, option, attached, parser->arguments->files, &parser->arguments->fileCount);
    }
    if (option->kind == OPTION_NAMES) {
        return takeText(parser, option, attached, parser->arguments->names, &parser->arguments->nameCount);
    }
    if (option->kind == OPTION_CHAINS) {
        return takeText(parser, option, attached, parser->arguments->chains, &parser->arguments->chainCount);
    }
    if (option->kind == OPTION_OPERAND) {
        return takeOperand(parser, attached);
    }
    return optionValueParse(option, attached, value) || refuseValue(option, attached, parser->message);
}

static bool takeLong(Parser *parser, char *text) {
    char *name = text + 2;
    size_t length = strcspn(name, "=");
    uint32_t index = findName(parser->verb, name, length);
    if (index == OPTIONS_MAX) {
        return refuseUnknown(parser->verb, text, parser->message);
    }
    return takeOption(parser, index, name[length] == '=' ? name + length + 1 : NULL);
}

static bool takeShort(Parser *parser, char *text) {
    uint32_t index = findLetter(parser->verb, text[1]);
    /* "-output x" is a long option with a missing dash, not "-o" with the value "utput". */
    bool isLong = text[2] != '\0' && findName(parser->verb, text + 1, strcspn(text + 1, "=")) < OPTIONS_MAX;
    if (isLong || index == OPTIONS_MAX) {
        return refuseUnknown(parser->verb, text, parser->message);
    }
    char *attached = text[2] == '=' ? text + 3 : text + 2;
    return takeOption(parser, index, text[2] ? attached : NULL);
}

static bool takeNext(Parser *parser) {
    char *text = parser->texts[parser->next++];
    if (!parser->optionsEnded && strcmp(text, "--") == 0) {
        parser->optionsEnded = true;
        return true;
    }
    if (parser->optionsEnded || !looksLikeOption(text)) {
        return takeOperand(parser, text);
    }
    return text[1] == '-' ? takeLong(parser, text) : takeShort(parser, text);
}

static void setDefaults(const Verb *verb, Arguments *arguments) {
    const Option *option;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        if (option->defaultValue) {
            optionValueParse(option, option->defaultValue, &arguments->values[i]);
        }
    }
}

/* Checks for missing operands and required options. */
static bool checkComplete(const Verb *verb, const Arguments *arguments, char *message) {
    if (arguments->operandCount < verb->operandsMin) {
        return refuse(message, "no %s given; see 'vkskin%s%s --help'", verb->operandName, verbJoint(verb->name),
                      verb->name);
    }
    const Option *option;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        if (option->required && !arguments->values[i].given) {
            char name[48];
            optionsFormatName(name, sizeof name, option);
            return refuse(message, "%s %s is required", name, option->valueName);
        }
    }
    return true;
}

OptionsOutcome optionsParse(const Verb *verb, int count, char **texts, Arguments *arguments, char *message) {
    *arguments = (Arguments){.verb = verb, .operands = texts};
    Parser parser = {.verb = verb, .arguments = arguments, .texts = texts, .count = count, .message = message};
    setDefaults(verb, arguments);
    while (parser.next < count) {
        if (!takeNext(&parser)) {
            return OPTIONS_WRONG;
        }
        if (optionsValue(arguments, "help")->given) {
            return OPTIONS_HELP;
        }
    }
    return checkComplete(verb, arguments, message) ? OPTIONS_RUN : OPTIONS_WRONG;
}

/* ---- Help ---- */

#define HELP_WIDTH  80
#define HELP_INDENT 28

/* Prints `text` from column `indent`, wrapped between words. The cursor is already in that column. */
static void printWrapped(FILE *file, const char *text, size_t end, size_t indent) {
    size_t column = indent;
    for (size_t at = 0; at < end;) {
        const size_t length = strcspn(text + at, " \n") < end - at ? strcspn(text + at, " \n") : end - at;
        if (column > indent && column + 1 + length > HELP_WIDTH) {
            fprintf(file, "\n%*s", (int)indent, "");
            column = indent;
        }
        column += (size_t)fprintf(file, "%s%.*s", column > indent ? " " : "", (int)length, text + at);
        at += length + strspn(text + at + length, " \n");
    }
    fputc('\n', file);
}

/* Paragraphs with blank lines between them. */
static void printParagraphs(FILE *file, const char *text) {
    while (*text) {
        const char *blank = strstr(text, "\n\n");
        const size_t length = blank ? (size_t)(blank - text) : strlen(text);
        fputc('\n', file);
        printWrapped(file, text, length, 0);
        text += blank ? length + 2 : length;
    }
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
    printWrapped(file, text, strlen(text), HELP_INDENT);
}

/* The heading of a group stands at its end; null: its options are those of the list that it is in. */
static const char *groupHeading(const Option *group) {
    while (group->name || group->group) {
        group++;
    }
    return group->help;
}

/* Prints the options of a list: those without a heading, or those with one, each heading before its options. */
static void printList(FILE *file, const Option *list, const Option *end, bool headed) {
    for (; list != end && (list->name || list->group); list++) {
        const char *heading = list->group ? groupHeading(list->group) : NULL;
        if (!list->group && !headed) {
            printOption(file, list);
        } else if (heading && headed) {
            fprintf(file, "\n%s:\n", heading);
            printList(file, list->group, NULL, false);
            printList(file, list->group, NULL, true);
        } else if (list->group && !heading) {
            printList(file, list->group, NULL, headed);
        }
    }
}

void optionsPrintHelp(FILE *file, const Verb *verb) {
    const Option *end = verb->options ? verb->options + verb->optionCount : NULL;
    fprintf(file, "vkskin%s%s: %s\n\n", verbJoint(verb->name), verb->name, verb->summary);
    const int used = fprintf(file, "usage: vkskin%s%s%s", verbJoint(verb->name), verb->name, verb->usage[0] ? " " : "");
    printWrapped(file, verb->usage, strlen(verb->usage), (size_t)used);
    fputc('\n', file);
    if (verb->operandHelp) {
        fprintf(file, "  %-*s", HELP_INDENT - 2, verb->operandName);
        printWrapped(file, verb->operandHelp, strlen(verb->operandHelp), HELP_INDENT);
    }
    if (end) {
        printList(file, verb->options, end, false);
    }
    for (uint32_t i = 0; i < commonCount(verb); i++) {
        printOption(file, &COMMON_OPTIONS[i]);
    }
    if (end) {
        printList(file, verb->options, end, true);
    }
    printParagraphs(file, verb->details ? verb->details : "");
    for (size_t i = 0; i < COUNT_OF(verb->examples) && verb->examples[i]; i++) {
        fprintf(file, "%s  vkskin%s%s%s%s\n", i == 0 ? "\nexamples:\n" : "", verbJoint(verb->name), verb->name,
                verb->examples[i][0] ? " " : "", verb->examples[i]);
    }
}
