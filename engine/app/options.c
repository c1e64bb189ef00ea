#include "options.h"

#include <math.h>
#include <string.h>

#include "nearest.h"
#include "option_value.h"

static const Option COMMON_OPTIONS[COMMON_OPTION_COUNT] = {
    [COMMON_HELP] = {.name = "help", .letter = 'h', .kind = OPTION_FLAG, .help = "this text"},
    [COMMON_DEVICE] = {.name = "device",
                       .kind = OPTION_TEXT,
                       .valueName = "INDEX|NAME",
                       .help = "the Vulkan device: its index in 'vkskin devices', or a part of its name; without it a "
                               "discrete, integrated, virtual or CPU device, in that order"},
    [COMMON_VALIDATE] = {.name = "validate",
                         .kind = OPTION_FLAG,
                         .help = "switch the validation layer on; any message of it is printed and fails the command"},
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

/* The option whose long name is the first `length` bytes of `name`; optionTotal where there is none. */
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

/* `text` is what the user wrote, with its dashes and perhaps a value. */
static void sayUnknown(const Verb *verb, const char *text, char *message) {
    const char *names[OPTIONS_MAX + COMMON_OPTION_COUNT];
    char word[64];
    for (uint32_t i = 0; i < optionsCount(verb); i++) {
        names[i] = optionsAt(verb, i)->name;
    }
    int length = (int)strcspn(text, "=");
    snprintf(word, sizeof word, "%.*s", length, text + strspn(text, "-"));
    word[strcspn(word, "=")] = '\0';
    /* One letter is too little to guess from. */
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

/* Whether a text is an option rather than a value; "-" and negative numbers are values. */
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
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "'%.200s' is too much: no operand is taken", text);
        } else {
            snprintf(parser->message, OPTIONS_MESSAGE_SIZE, "'%.200s' is one %s too many", text, verb->operandName);
        }
        return false;
    }
    arguments->operands[arguments->operandCount++] = text;
    return true;
}

/* attached: the value that came with the option's own text, or null. */
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
    /* "-output x" is a long option short of a dash, not "-o" with the value "utput". */
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

/* What must be there and is not. */
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
