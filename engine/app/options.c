#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- The nearest word ---- */

#define LENGTH_MAX 63

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static size_t shownLength(const char *word) {
    return smaller(strlen(word), LENGTH_MAX);
}

static int lowered(char letter) {
    return tolower((unsigned char)letter);
}

size_t nearestDistance(const char *a, const char *b) {
    size_t rows[LENGTH_MAX + 1][LENGTH_MAX + 1];
    size_t aLength = shownLength(a);
    size_t bLength = shownLength(b);
    for (size_t i = 0; i <= aLength; i++) {
        for (size_t j = 0; j <= bLength; j++) {
            if (i == 0 || j == 0) {
                rows[i][j] = i + j;
                continue;
            }
            size_t replaced = rows[i - 1][j - 1] + (lowered(a[i - 1]) != lowered(b[j - 1]));
            rows[i][j] = smaller(replaced, smaller(rows[i - 1][j], rows[i][j - 1]) + 1);
            if (i > 1 && j > 1 && lowered(a[i - 1]) == lowered(b[j - 2]) && lowered(a[i - 2]) == lowered(b[j - 1])) {
                rows[i][j] = smaller(rows[i][j], rows[i - 2][j - 2] + 1);
            }
        }
    }
    return rows[aLength][bLength];
}

int nearestWord(const char *word, const char *const *words, size_t count) {
    size_t length = strlen(word);
    size_t limit = length / 3 > 2 ? length / 3 : 2;
    int best = -1;
    size_t bestDistance = limit + 1;
    for (size_t i = 0; i < count; i++) {
        size_t distance = nearestDistance(word, words[i]);
        if (length > 0 && strncasecmp(word, words[i], length) == 0) {
            distance = smaller(distance, 1);
        }
        /* With as many edits as letters any short word would be near. */
        if (distance < bestDistance && distance < strlen(words[i])) {
            best = (int)i;
            bestDistance = distance;
        }
    }
    return best;
}

/* ---- One value ---- */

/* A bound as a user would write it. */
static void formatBound(char *text, size_t size, double bound) {
    snprintf(text, size, bound == floor(bound) ? "%.0f" : "%.10g", bound);
}

static void optionFormatRange(char *text, size_t size, const Option *option) {
    char minimum[32], maximum[32];
    formatBound(minimum, sizeof minimum, option->minimum);
    formatBound(maximum, sizeof maximum, option->maximum);
    bool bounded = option->kind == OPTION_INTEGER || option->kind == OPTION_NUMBER || option->kind == OPTION_SIZE;
    if (!bounded || isinf(option->minimum)) {
        text[0] = '\0';
    } else if (isinf(option->maximum)) {
        snprintf(text, size, "%s and up", minimum);
    } else {
        snprintf(text, size, "%s to %s", minimum, maximum);
    }
}

/* "a, b or c" */
static void formatChoices(char *text, size_t size, const Option *option) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; option->choices[i] && used < size; i++) {
        const char *joint = i == 0 ? "" : option->choices[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", joint, option->choices[i]);
    }
}

/* "a whole number, 1 to 10" */
static void formatWanted(char *text, size_t size, const Option *option) {
    char range[80];
    optionFormatRange(range, sizeof range, option);
    const char *comma = range[0] ? ", " : "";
    switch (option->kind) {
    case OPTION_INTEGER:
        snprintf(text, size, "a whole number%s%s", comma, range);
        break;
    case OPTION_NUMBER:
        snprintf(text, size, "a number%s%s", comma, range);
        break;
    case OPTION_CHOICE:
        formatChoices(text, size, option);
        break;
    case OPTION_SIZE:
        snprintf(text, size, "WIDTHxHEIGHT, each %s", range);
        break;
    case OPTION_SETTING:
        snprintf(text, size, "NAME=NUMBER");
        break;
    default:
        snprintf(text, size, "a value");
        break;
    }
}

static void optionFormatName(char *text, size_t size, const Option *option) {
    if (option->letter) {
        snprintf(text, size, "-%c", option->letter);
    } else {
        snprintf(text, size, "--%s", option->name);
    }
}

static bool parseInteger(const char *text, int64_t *value) {
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

static bool optionParseNumber(const char *text, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*number);
}

static bool parseSize(const char *text, int64_t *width, int64_t *height) {
    char *end;
    errno = 0;
    *width = strtoll(text, &end, 10);
    if (end == text || (*end != 'x' && *end != 'X')) {
        return false;
    }
    return errno == 0 && parseInteger(end + 1, height);
}

static bool parseChoice(const char *text, const char *const *choices, uint32_t *choice) {
    for (uint32_t i = 0; choices[i]; i++) {
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    return false;
}

static bool inRange(const Option *option, double value) {
    return value >= option->minimum && value <= option->maximum;
}

static bool optionParseValue(const Option *option, const char *text, OptionValue *value) {
    int64_t width = 0, height = 0;
    value->text = text;
    switch (option->kind) {
    case OPTION_INTEGER:
        return parseInteger(text, &value->integer) && inRange(option, (double)value->integer);
    case OPTION_NUMBER:
        return optionParseNumber(text, &value->number) && inRange(option, value->number);
    case OPTION_CHOICE:
        return parseChoice(text, option->choices, &value->choice);
    case OPTION_SIZE:
        if (!parseSize(text, &width, &height) || !inRange(option, (double)width) || !inRange(option, (double)height)) {
            return false;
        }
        value->width = (uint32_t)width;
        value->height = (uint32_t)height;
        return true;
    default:
        return text[0] != '\0';
    }
}

static void optionSayWrong(const Option *option, const char *text, char *message) {
    char name[48], wanted[160];
    optionFormatName(name, sizeof name, option);
    formatWanted(wanted, sizeof wanted, option);
    int nearest = -1;
    if (option->kind == OPTION_CHOICE) {
        size_t count = 0;
        while (option->choices[count]) {
            count++;
        }
        nearest = nearestWord(text, option->choices, count);
    }
    if (nearest >= 0) {
        snprintf(message, OPTIONS_MESSAGE_SIZE, "%s takes %s, not '%.100s'; did you mean '%s'?", name, wanted, text,
                 option->choices[nearest]);
    } else {
        snprintf(message, OPTIONS_MESSAGE_SIZE, "%s takes %s, not '%.100s'", name, wanted, text);
    }
}

static const Option COMMON_OPTIONS[COMMON_OPTION_COUNT] = {
    [COMMON_HELP] = {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "print this text"},
    [COMMON_DEVICE] = {.name = "device",
                       .kind = OPTION_TEXT,
                       .valueName = "INDEX|NAME",
                       .help = "the Vulkan device: its index in 'vkskin devices' or a part of its name; default: "
                               "the first discrete, integrated, virtual or CPU device, in this order"},
    [COMMON_VALIDATE] = {.name = "validate",
                         .kind = OPTION_FLAG,
                         .help = "enable the validation layer; every message is printed and makes the command fail"},
};

char optionsJoint(const Verb *verb) {
    return verb->isProgram ? '-' : ' ';
}

/* ---- Finding options ---- */

uint32_t optionsCount(const Verb *verb) {
    return verb->optionCount + (verb->takesDevice ? COMMON_OPTION_COUNT : COMMON_HELP + 1);
}

const Option *optionsAt(const Verb *verb, uint32_t index) {
    return index < verb->optionCount ? &verb->options[index] : &COMMON_OPTIONS[index - verb->optionCount];
}

static OptionValue *valueAt(const Verb *verb, Arguments *arguments, uint32_t index) {
    return index < verb->optionCount ? &arguments->values[index] : &arguments->common[index - verb->optionCount];
}

/* The option whose long name is the first `length` bytes of `name`; optionsCount: none. */
static uint32_t findName(const Verb *verb, const char *name, size_t length) {
    uint32_t index = 0;
    for (; index < optionsCount(verb); index++) {
        const char *known = optionsAt(verb, index)->name;
        if (strlen(known) == length && strncmp(known, name, length) == 0) {
            break;
        }
    }
    return index;
}

static uint32_t findLetter(const Verb *verb, char letter) {
    uint32_t index = 0;
    while (index < optionsCount(verb) && optionsAt(verb, index)->letter != letter) {
        index++;
    }
    return index;
}

/* `text`: as the user wrote it, with dashes and perhaps a value. */
static void sayUnknown(const Verb *verb, const char *text, char *message) {
    const char *names[OPTIONS_MAX + COMMON_OPTION_COUNT];
    char word[64];
    for (uint32_t i = 0; i < optionsCount(verb); i++) {
        names[i] = optionsAt(verb, i)->name;
    }
    int length = (int)strcspn(text, "=");
    snprintf(word, sizeof word, "%.*s", length, text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    /* One letter is not enough for a guess. */
    int nearest = strlen(word) > 1 ? nearestWord(word, names, optionsCount(verb)) : -1;
    if (nearest >= 0) {
        snprintf(message, OPTIONS_MESSAGE_SIZE, "no option '%.*s'; did you mean '--%s'?", length < 100 ? length : 100,
                 text, names[nearest]);
    } else {
        snprintf(message, OPTIONS_MESSAGE_SIZE, "no option '%.*s'; see 'vkskin%c%s --help'",
                 length < 100 ? length : 100, text, optionsJoint(verb), verb->name);
    }
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
    if (!equals || equals == text || !optionParseNumber(equals + 1, &number) || !isfinite((float)number)) {
        optionSayWrong(option, text, parser->message);
        return false;
    }
    if (arguments->settingCount == OPTION_SETTINGS_MAX) {
        snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "--%s is given more than %d times", option->name,
                 OPTION_SETTINGS_MAX);
        return false;
    }
    *equals = '\0';
    arguments->settings[arguments->settingCount++] = (OptionSetting){text, number};
    return true;
}

static bool takeOperand(Parser *parser, char *text) {
    Arguments *arguments = parser->arguments;
    const Verb *verb = parser->verb;
    if (text[0] == '\0' && verb->operandsMax > 0) {
        snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "an empty %s", verb->operandName);
        return false;
    }
    if (arguments->operandCount == verb->operandsMax) {
        if (verb->operandsMax == 0) {
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "'%.200s' is not expected: this verb takes no operand",
                     text);
        } else {
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "'%.200s' is one %s too many", text, verb->operandName);
        }
        return false;
    }
    arguments->operands[arguments->operandCount++] = text;
    return true;
}

/* attached: the value within the option's own text, or null. */
static bool takeOption(Parser *parser, uint32_t index, char *attached) {
    const Option *option = optionsAt(parser->verb, index);
    OptionValue *value = valueAt(parser->verb, parser->arguments, index);
    char name[48];
    optionFormatName(name, sizeof name, option);
    value->given = true;
    if (option->kind == OPTION_FLAG) {
        if (attached) {
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "--%s takes no value", option->name);
        }
        return attached == NULL;
    }
    if (!attached) {
        if (parser->next == parser->count || looksLikeOption(parser->texts[parser->next])) {
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "%s needs a value: %s", name, option->valueName);
            return false;
        }
        attached = parser->texts[parser->next++];
    }
    if (option->kind == OPTION_SETTING) {
        return takeSetting(parser, option, attached);
    }
    if (option->kind == OPTION_OPERAND) {
        return takeOperand(parser, attached);
    }
    if (!optionParseValue(option, attached, value)) {
        optionSayWrong(option, attached, parser->message);
        return false;
    }
    return true;
}

static bool takeLong(Parser *parser, char *text) {
    char *name = text + 2;
    size_t length = strcspn(name, "=");
    uint32_t index = findName(parser->verb, name, length);
    if (index == optionsCount(parser->verb)) {
        sayUnknown(parser->verb, text, parser->message);
        return false;
    }
    return takeOption(parser, index, name[length] == '=' ? name + length + 1 : NULL);
}

static bool takeShort(Parser *parser, char *text) {
    uint32_t index = findLetter(parser->verb, text[1]);
    /* "-output x" is a long option with a missing dash, not "-o" with the value "utput". */
    uint32_t total = optionsCount(parser->verb);
    bool isLong = text[2] != '\0' && findName(parser->verb, text + 1, strcspn(text + 1, "=")) < total;
    if (isLong || index == total) {
        sayUnknown(parser->verb, text, parser->message);
        return false;
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
    for (uint32_t i = 0; i < verb->optionCount; i++) {
        if (verb->options[i].defaultValue) {
            optionParseValue(&verb->options[i], verb->options[i].defaultValue, &arguments->values[i]);
        }
    }
}

/* Checks for missing operands and required options. */
static bool checkComplete(const Verb *verb, const Arguments *arguments, char *message) {
    if (arguments->operandCount < verb->operandsMin) {
        snprintf(message, OPTIONS_MESSAGE_SIZE, "no %s given; see 'vkskin%c%s --help'", verb->operandName,
                 optionsJoint(verb), verb->name);
        return false;
    }
    for (uint32_t i = 0; i < verb->optionCount; i++) {
        if (verb->options[i].required && !arguments->values[i].given) {
            char name[48];
            optionFormatName(name, sizeof name, &verb->options[i]);
            snprintf(message, OPTIONS_MESSAGE_SIZE, "%s %s is required", name, verb->options[i].valueName);
            return false;
        }
    }
    return true;
}

OptionsOutcome optionsParse(const Verb *verb, int count, char **texts, Arguments *arguments, char *message) {
    memset(arguments, 0, sizeof *arguments);
    arguments->operands = texts;
    Parser parser = {.verb = verb, .arguments = arguments, .texts = texts, .count = count, .message = message};
    setDefaults(verb, arguments);
    while (parser.next < count) {
        if (!takeNext(&parser)) {
            return OPTIONS_WRONG;
        }
        if (arguments->common[COMMON_HELP].given) {
            return OPTIONS_HELP;
        }
    }
    return checkComplete(verb, arguments, message) ? OPTIONS_RUN : OPTIONS_WRONG;
}

/* ---- Help ---- */

#define HELP_WIDTH  100
#define HELP_INDENT 28

/* Prints `text` from column HELP_INDENT, wrapped between words. The cursor is already in that column. */
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
