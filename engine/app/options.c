#include "options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- The nearest word ---- */

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

static int lowered(char letter) {
    return tolower((unsigned char)letter);
}

size_t nearestDistance(const char *a, const char *b) {
    size_t rows[NEAREST_LENGTH_MAX + 1][NEAREST_LENGTH_MAX + 1];
    size_t aLength = strnlen(a, NEAREST_LENGTH_MAX);
    size_t bLength = strnlen(b, NEAREST_LENGTH_MAX);
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

/* Writes the message; returns false. */
__attribute__((format(printf, 2, 3))) static bool refuse(char *message, const char *format, ...) {
    va_list values;
    va_start(values, format);
    vsnprintf(message, OPTIONS_MESSAGE_SIZE, format, values);
    va_end(values);
    return false;
}

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
        snprintf(text, size, "a number%s%s%s%s%s", comma, range, option->unit ? ", with or without '" : "",
                 option->unit ? option->unit : "", option->unit ? "'" : "");
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
    case OPTION_CAMERA:
        snprintf(text, size, "AZIMUTH,ELEVATION[,DISTANCE]: degrees, ELEVATION from -%g to %g, DISTANCE above 0",
                 OPTION_ELEVATION_MAX, OPTION_ELEVATION_MAX);
        break;
    case OPTION_COLOUR:
        snprintf(text, size, "RRGGBB (two hexadecimal digits each for red, green and blue) or none");
        break;
    case OPTION_SERIES:
        snprintf(text, size, "FROM:TO:FPS: seconds from 0 up, FPS above 0, at most %u pictures", OPTION_SERIES_MAX);
        break;
    default:
        snprintf(text, size, "a value");
        break;
    }
}

void optionsFormatName(char *text, size_t size, const Option *option) {
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

/* unit: what may follow the number; null: nothing. */
static bool optionParseNumber(const char *text, const char *unit, double *number) {
    char *end;
    *number = strtod(text, &end);
    return end != text && (*end == '\0' || (unit && strcmp(end, unit) == 0)) && isfinite(*number);
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

/* Reads up to `most` numbers with `separator` between them. Returns how many; 0: the text is not such a list. */
static uint32_t parseNumbers(const char *text, char separator, double *numbers, uint32_t most) {
    uint32_t count = 0;
    char *end = NULL;
    do {
        const char *start = end ? end + 1 : text;
        numbers[count] = strtod(start, &end);
        if (end == start || !isfinite(numbers[count])) {
            return 0;
        }
        count++;
    } while (*end == separator && count < most);
    return *end == '\0' ? count : 0;
}

static bool parseCamera(const char *text, OptionCamera *camera) {
    double numbers[3] = {0};
    uint32_t count = parseNumbers(text, ',', numbers, 3);
    *camera = (OptionCamera){remainder(numbers[0], 360.0), numbers[1], numbers[2]};
    return count >= 2 && fabs(camera->elevation) <= OPTION_ELEVATION_MAX && (count == 2 || camera->distance > 0.0);
}

static bool parseColour(const char *text, uint32_t *colour) {
    const char *digits = text + (text[0] == '#');
    bool none = strcmp(text, "none") == 0;
    *colour = none ? OPTION_COLOUR_NONE : (uint32_t)strtoul(digits, NULL, 16);
    return none || (strlen(digits) == 6 && strspn(digits, "0123456789abcdefABCDEF") == 6);
}

static bool parseSeries(const char *text, OptionSeries *series) {
    double numbers[3] = {0};
    if (parseNumbers(text, ':', numbers, 3) != 3 || numbers[0] < 0.0 || numbers[1] < numbers[0] || numbers[2] <= 0.0) {
        return false;
    }
    /* The end of the range belongs to it, also where rounding puts the last time a little behind it. */
    double steps = (numbers[1] - numbers[0]) * numbers[2] + 1e-6;
    *series = (OptionSeries){numbers[0], numbers[2], steps < OPTION_SERIES_MAX ? (uint32_t)steps + 1 : 0};
    return series->count > 0;
}

/* Case counts in names, but not in endings. */
static bool parseChoice(const Option *option, const char *text, uint32_t *choice) {
    int (*compare)(const char *, const char *) = option->kind == OPTION_OUTPUT ? strcasecmp : strcmp;
    for (uint32_t i = 0; option->choices[i]; i++) {
        if (compare(text, option->choices[i]) == 0) {
            *choice = i;
            return true;
        }
    }
    return false;
}

/* From the last dot of the file's name on; "" where it has none. */
static const char *nameEnding(const char *path) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    return dot ? dot : "";
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
        return optionParseNumber(text, option->unit, &value->number) && inRange(option, value->number);
    case OPTION_CHOICE:
        return parseChoice(option, text, &value->choice);
    case OPTION_SIZE:
        if (!parseSize(text, &width, &height) || !inRange(option, (double)width) || !inRange(option, (double)height)) {
            return false;
        }
        value->width = (uint32_t)width;
        value->height = (uint32_t)height;
        return true;
    case OPTION_OUTPUT:
        return parseChoice(option, nameEnding(text), &value->choice);
    case OPTION_CAMERA:
        return parseCamera(text, &value->camera);
    case OPTION_COLOUR:
        return parseColour(text, &value->colour);
    case OPTION_SERIES:
        return parseSeries(text, &value->series);
    default:
        return text[0] != '\0';
    }
}

static bool refuseValue(const Option *option, const char *text, char *message) {
    char name[48], wanted[160];
    optionsFormatName(name, sizeof name, option);
    if (option->kind == OPTION_OUTPUT && text[0] != '\0') {
        formatChoices(wanted, sizeof wanted, option);
        return refuse(message, "%s needs a name that ends in %s, not '%.400s'", name, wanted, text);
    }
    formatWanted(wanted, sizeof wanted, option);
    int nearest = -1;
    if (option->kind == OPTION_CHOICE) {
        size_t count = 0;
        while (option->choices[count]) {
            count++;
        }
        nearest = nearestWord(text, option->choices, count);
    }
    return nearest < 0 ? refuse(message, "%s takes %s, not '%.100s'", name, wanted, text)
                       : refuse(message, "%s takes %s, not '%.100s'; did you mean '%s'?", name, wanted, text,
                                option->choices[nearest]);
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

const Option *optionsAt(const Verb *verb, uint32_t index) {
    const uint32_t commonCount = verb->takesDevice ? COUNT_OF(COMMON_OPTIONS) : 1;
    const Option *own = NULL;
    if (verb->optionCount > 0) {
        own = findIn(verb->options, verb->options + verb->optionCount, &index);
    }
    return own ? own : index < commonCount ? &COMMON_OPTIONS[index] : NULL;
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
    if (!equals || equals == text || !optionParseNumber(equals + 1, NULL, &number) || !isfinite((float)number)) {
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
    if (option->kind == OPTION_OPERAND) {
        return takeOperand(parser, attached);
    }
    return optionParseValue(option, attached, value) || refuseValue(option, attached, parser->message);
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
            optionParseValue(option, option->defaultValue, &arguments->values[i]);
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
    fprintf(file, "vkskin%s%s: %s\n\nusage: vkskin%s%s%s%s\n\n", verbJoint(verb->name), verb->name, verb->summary,
            verbJoint(verb->name), verb->name, verb->usage[0] ? " " : "", verb->usage);
    if (verb->operandHelp) {
        fprintf(file, "  %-*s", HELP_INDENT - 2, verb->operandName);
        printWrapped(file, verb->operandHelp);
    }
    const Option *option;
    for (uint32_t i = 0; (option = optionsAt(verb, i)); i++) {
        printOption(file, option);
    }
    if (verb->details) {
        fprintf(file, "\n%s", verb->details);
    }
    for (size_t i = 0; i < COUNT_OF(verb->examples) && verb->examples[i]; i++) {
        fprintf(file, "%s  vkskin%s%s%s%s\n", i == 0 ? "\nexamples:\n" : "", verbJoint(verb->name), verb->name,
                verb->examples[i][0] ? " " : "", verb->examples[i]);
    }
}
