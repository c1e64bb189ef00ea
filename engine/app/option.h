/* option.h: a row of a table of options, and the value of one. */
#ifndef APP_OPTION_H
#define APP_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The type of an option's value, and the member of OptionValue that receives it. */
typedef enum OptionKind {
    OPTION_FLAG,    /* no value, only `given` */
    OPTION_INTEGER, /* `integer`; also as 10k or 1.5M */
    OPTION_NUMBER,  /* `number`, finite */
    OPTION_TEXT,    /* `text`, not empty */
    OPTION_CHOICE,  /* `choice`: index into `choices`, in any case */
    OPTION_WORDS,   /* words of `choices` with + between them: bit i of `integer` for word i */
    OPTION_SIZE,    /* WIDTHxHEIGHT: `width` and `height` */
    OPTION_CAMERA,  /* AZIMUTH,ELEVATION[,DISTANCE] or VIEW[,DISTANCE]: `camera` */
    OPTION_COLOUR,  /* RRGGBB or RGB in hexadecimal digits, a name, or none: `colour` */
    OPTION_SERIES,  /* FROM:TO:FPS[:FIRST]: `series` */
    OPTION_FRAME,   /* N or N@FPSfps: `number` and `rate` */
    OPTION_INPUT,   /* `text`: a file to read, not empty */
    OPTION_OUTPUT,  /* `text`: a file to write; `choice`: index of its ending into `choices`, in any case */
    OPTION_REPORT,  /* `text`: a file to write, or "-" for standard output */
    OPTION_UPDATED, /* `text`: a file to read, and to write where it does not serve */
    OPTION_OPERAND, /* adds an operand, as without the option */
    OPTION_NAMES,   /* name, added to Arguments.names; at most one such option per verb */
    OPTION_CHAINS,  /* text, added to Arguments.chains; at most one such option per verb */
    OPTION_FILES,   /* file to read, added to Arguments.files; at most one such option per verb */
    OPTION_SETTING  /* NAME=NUMBER, added to Arguments.settings; at most one such option per verb */
} OptionKind;

/* The kinds of content, of the verb's operands, that an option is for. */
typedef enum OptionContent {
    OPTION_FOR_MODELS = 0, /* models in three dimensions */
    OPTION_FOR_SPINE,      /* 2D characters */
    OPTION_FOR_ALL
} OptionContent;

typedef struct Option {
    const char *name; /* without the dashes */
    OptionKind kind;
    const char *valueName;      /* shown in the help; null for a flag */
    const char *help;           /* phrase without a full stop; the help adds range and default */
    const char *defaultValue;   /* as the user would write it; null: none */
    const char *unit;           /* unit of a NUMBER, which a value may end with, for optionNumberParse; null: none */
    double minimum, maximum;    /* inclusive, for INTEGER, NUMBER and both sides of SIZE; INFINITY: no bound */
    const char *const *choices; /* for CHOICE, WORDS and OUTPUT, null-terminated */
    char letter;                /* the short form; 0: none */
    bool required;
    bool standard;         /* OUTPUT: "-", or "-" with an ending, is standard output: the verb writes no table there */
    OptionContent content; /* content.h refuses an option that is given and not for the operands */
    const struct Option *group; /* not null: the options that stand here, up to one without a name, whose `help` is the
                                 * heading in the help of the verb; null: none */
} Option;

/* Where a camera stands, seen from what it looks at. */
typedef struct OptionCamera {
    double azimuth, elevation; /* degrees; elevation within +-OPTION_ELEVATION_MAX */
    double distance;           /* above 0, or 0: not given */
} OptionCamera;

#define OPTION_ELEVATION_MAX 89.0 /* straight up or down a camera has no up direction */

/* Times `from`, `from` + 1 / `perSecond` and so on, up to the end of the range, without those before the first file. */
typedef struct OptionSeries {
    double from, perSecond; /* seconds, at least 0; above 0 */
    uint32_t first;         /* number of the first file */
    uint32_t count;         /* number of times, 1 to OPTION_SERIES_MAX; 0: not given */
} OptionSeries;

#define OPTION_SERIES_MAX  10000u
#define OPTION_COLOUR_NONE UINT32_MAX

typedef struct OptionValue {
    bool given; /* by the user; a default sets only the value */
    int64_t integer;
    double number;
    double rate; /* with FRAME: frames per second; 0: not given */
    const char *text;
    uint32_t choice;
    uint32_t width, height;
    uint32_t colour; /* 0xRRGGBB, or OPTION_COLOUR_NONE */
    OptionCamera camera;
    OptionSeries series;
} OptionValue;

/* A value of an OPTION_SETTING. */
typedef struct OptionSetting {
    const char *name; /* not empty; may hold '=' */
    double number;    /* finite, also as a float */
} OptionSetting;

#endif
