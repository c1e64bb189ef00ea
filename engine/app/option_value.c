#include "option_value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"

/* ---- What an option accepts, in words ---- */

/* A bound as a user would write it. */
static void formatBound(char *text, size_t size, double bound) {
    snprintf(text, size, bound == floor(bound) ? "%.0f" : "%.10g", bound);
}

void optionFormatRange(char *text, size_t size, const Option *option) {
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

/* ---- Values ---- */

void optionFormatName(char *text, size_t size, const Option *option) {
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

bool optionParseNumber(const char *text, double *number) {
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

bool optionParseValue(const Option *option, const char *text, OptionValue *value) {
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

void optionSayWrong(const Option *option, const char *text, char *message) {
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
