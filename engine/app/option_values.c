#include "option_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "count_of.h"
#include "near_names.h"

/* ---- Words ---- */

static const char *const COLOUR_WORDS[] = {"none", "black",  "white", "grey",    "gray",   "silver", "red",   "green",
                                           "blue", "yellow", "cyan",  "magenta", "orange", "purple", "brown", NULL};
static const uint32_t COLOURS[COUNT_OF(COLOUR_WORDS) - 1] = {
    OPTION_COLOUR_NONE, 0x000000, 0xffffff, 0x808080, 0x808080, 0xc0c0c0, 0xff0000, 0x008000,
    0x0000ff,           0xffff00, 0x00ffff, 0xff00ff, 0xffa500, 0x800080, 0xa52a2a};

static const char *const VIEW_WORDS[] = {"front", "back", "left", "right", "side", "top", "bottom", NULL};
static const OptionCamera VIEWS[COUNT_OF(VIEW_WORDS) - 1] = {{.azimuth = 0.0},
                                                             {.azimuth = 180.0},
                                                             {.azimuth = 90.0},
                                                             {.azimuth = -90.0},
                                                             {.azimuth = 90.0},
                                                             {.elevation = OPTION_ELEVATION_MAX},
                                                             {.elevation = -OPTION_ELEVATION_MAX}};

const char *const *optionWords(const Option *option) {
    switch (option->kind) {
    case OPTION_CHOICE:
    case OPTION_WORDS:
        return option->choices;
    case OPTION_COLOUR:
        return COLOUR_WORDS;
    case OPTION_CAMERA:
        return VIEW_WORDS;
    default:
        return NULL;
    }
}

/* The index of the word that is the first `length` bytes of `text`, in any case. False: there is none. */
static bool findWord(const char *const *words, const char *text, size_t length, uint32_t *index) {
    for (uint32_t i = 0; words[i]; i++) {
        if (strlen(words[i]) == length && strncasecmp(text, words[i], length) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}

/* ---- Descriptions ---- */

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
static void formatWords(char *text, size_t size, const char *const *words) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; words[i] && used < size; i++) {
        const char *joint = i == 0 ? "" : words[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", joint, words[i]);
    }
}

void optionFormatWanted(char *text, size_t size, const Option *option) {
    static const char *const FIXED[OPTION_SETTING + 1] = {
        [OPTION_SETTING] = "NAME=NUMBER",
        [OPTION_COLOUR] = "RRGGBB or RGB in hexadecimal digits, the name of a colour, or none",
        [OPTION_FRAME] = "N or N@FPSfps: N from 0 up, FPS above 0"};
    char range[80], words[80];
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
    case OPTION_OUTPUT:
        formatWords(text, size, option->choices);
        break;
    case OPTION_WORDS:
        snprintf(text, size, "one or more, with + between them, of ");
        formatWords(text + strlen(text), size - strlen(text), option->choices);
        break;
    case OPTION_SIZE:
        snprintf(text, size, "WIDTHxHEIGHT, each %s", range);
        break;
    case OPTION_CAMERA:
        formatWords(words, sizeof words, VIEW_WORDS);
        snprintf(text, size, "%s, or AZIMUTH,ELEVATION in degrees (ELEVATION -%g to %g), each with [,DISTANCE] above 0",
                 words, OPTION_ELEVATION_MAX, OPTION_ELEVATION_MAX);
        break;
    case OPTION_SERIES:
        snprintf(text, size,
                 "FROM:TO:FPS[:FIRST]: seconds from 0 up, FPS above 0, at most %u pictures, FIRST one of them, from 0",
                 OPTION_SERIES_MAX);
        break;
    default:
        snprintf(text, size, "%s", FIXED[option->kind] ? FIXED[option->kind] : "a value");
        break;
    }
}

/* ---- Reading ---- */

static bool parseInteger(const char *text, int64_t *value) {
    char *end;
    errno = 0;
    *value = strtoll(text, &end, 10);
    return end != text && *end == '\0' && errno == 0;
}

/* A whole number, also as "10k" or "1.5M". */
static bool parseCount(const char *text, int64_t *value) {
    const size_t length = strlen(text);
    const int prefix = length > 1 ? text[length - 1] : 0;
    const double scale = prefix == 'k' || prefix == 'K' ? 1e3 : prefix == 'M' ? 1e6 : 0.0;
    if (scale == 0.0) {
        return parseInteger(text, value);
    }
    char *end;
    const double number = strtod(text, &end) * scale;
    *value = fabs(number) < 9e15 ? llround(number) : 0;
    return end == text + length - 1 && strspn(text, "-0123456789.") == length - 1 && text[0] != '.' &&
           fabs(number) < 9e15 && fabs(number - (double)*value) < 1e-6;
}

bool optionNumberParse(const char *text, const char *unit, double *number) {
    char *end;
    *number = strtod(text, &end);
    if (end != text && unit && strcmp(unit, "s") == 0 && strcmp(end, "ms") == 0) {
        *number /= 1000.0;
        return isfinite(*number);
    }
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

/* Reads up to `most` numbers, which may end with the unit, with `separator` between them. 0: the text is not such a list. */
static uint32_t parseNumbers(const char *text, char separator, const char *unit, double *numbers, uint32_t most) {
    uint32_t count = 0;
    char *end = NULL;
    do {
        const char *start = end ? end + 1 : text;
        numbers[count] = strtod(start, &end);
        if (end == start || !isfinite(numbers[count])) {
            return 0;
        }
        end += strncmp(end, unit, strlen(unit)) == 0 ? strlen(unit) : 0;
        count++;
    } while (*end == separator && count < most);
    return *end == '\0' ? count : 0;
}

static bool parseCamera(const char *text, OptionCamera *camera) {
    double numbers[3] = {0};
    uint32_t view;
    const size_t length = strcspn(text, ",");
    if (findWord(VIEW_WORDS, text, length, &view)) {
        *camera = VIEWS[view];
        return text[length] == '\0' ||
               (parseNumbers(text + length + 1, ',', "", &camera->distance, 1) == 1 && camera->distance > 0.0);
    }
    uint32_t count = parseNumbers(text, ',', "deg", numbers, 3);
    *camera = (OptionCamera){remainder(numbers[0], 360.0), numbers[1], numbers[2]};
    return count >= 2 && fabs(camera->elevation) <= OPTION_ELEVATION_MAX && (count == 2 || camera->distance > 0.0);
}

static bool parseColour(const char *text, uint32_t *colour) {
    const char *digits = text + (text[0] == '#');
    const size_t length = strlen(digits);
    uint32_t word;
    if (findWord(COLOUR_WORDS, text, strlen(text), &word)) {
        *colour = COLOURS[word];
        return true;
    }
    *colour = (uint32_t)strtoul(digits, NULL, 16);
    if (length == 3) { /* each digit twice */
        *colour = ((*colour & 0xf00) << 8 | (*colour & 0xf0) << 4 | (*colour & 0xf)) * 0x11;
    }
    return (length == 6 || length == 3) && strspn(digits, "0123456789abcdefABCDEF") == length;
}

static bool parseSeries(const char *text, OptionSeries *series) {
    double numbers[4] = {0};
    if (parseNumbers(text, ':', "", numbers, 4) < 3 || numbers[0] < 0.0 || numbers[1] < numbers[0] ||
        numbers[2] <= 0.0) {
        return false;
    }
    /* The end of the range belongs to it, also where rounding puts the last time a little behind it. */
    const double steps = (numbers[1] - numbers[0]) * numbers[2] + 1e-6;
    const uint32_t count = steps < OPTION_SERIES_MAX ? (uint32_t)steps + 1 : 0;
    if (!(numbers[3] >= 0.0 && numbers[3] < count) || numbers[3] != floor(numbers[3])) {
        return false;
    }
    const uint32_t first = (uint32_t)numbers[3];
    *series = (OptionSeries){numbers[0] + first / numbers[2], numbers[2], first, count - first};
    return true;
}

/* N@FPSfps. *rate 0: there is none. */
static bool parseFrame(const char *text, double *frame, double *rate) {
    const char *at = strchr(text, '@');
    char *end;
    *frame = (double)strtoull(text, &end, 10);
    *rate = 0.0;
    return text[0] >= '0' && text[0] <= '9' && (*end == '\0' || end == at) &&
           (!at || (optionNumberParse(at + 1, "fps", rate) && *rate > 0.0));
}

static bool parseWords(const char *const *words, const char *text, int64_t *bits) {
    *bits = 0;
    for (const char *word = text; word; word = strchr(word, '+') ? strchr(word, '+') + 1 : NULL) {
        uint32_t index = 0;
        if (!findWord(words, word, strcspn(word, "+"), &index)) {
            return false;
        }
        *bits |= (int64_t)1 << index;
    }
    return true;
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

bool optionValueParse(const Option *option, const char *text, OptionValue *value) {
    int64_t width = 0, height = 0;
    value->text = text;
    switch (option->kind) {
    case OPTION_INTEGER:
        return parseCount(text, &value->integer) && inRange(option, (double)value->integer);
    case OPTION_NUMBER:
        return optionNumberParse(text, option->unit, &value->number) && inRange(option, value->number);
    case OPTION_CHOICE:
        return findWord(option->choices, text, strlen(text), &value->choice);
    case OPTION_WORDS:
        return parseWords(option->choices, text, &value->integer);
    case OPTION_SIZE:
        if (!parseSize(text, &width, &height) || !inRange(option, (double)width) || !inRange(option, (double)height)) {
            return false;
        }
        value->width = (uint32_t)width;
        value->height = (uint32_t)height;
        return true;
    case OPTION_OUTPUT:
        if (text[0] == '-' && (text[1] == '\0' || text[1] == '.') && !option->standard) {
            return false;
        }
        text = strcmp(text, "-") == 0 ? option->choices[0] : nameEnding(text);
        return findWord(option->choices, text, strlen(text), &value->choice);
    case OPTION_CAMERA:
        return parseCamera(text, &value->camera);
    case OPTION_COLOUR:
        return parseColour(text, &value->colour);
    case OPTION_SERIES:
        return parseSeries(text, &value->series);
    case OPTION_FRAME:
        return parseFrame(text, &value->number, &value->rate);
    default:
        return text[0] != '\0';
    }
}
