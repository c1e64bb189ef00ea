/* model_rows.h: macros for the rows of the tables of model_fields.h. Include it last, after model_fields.h, in the sources with tables. */
#ifndef ENGINE_MODEL_ROWS_H
#define ENGINE_MODEL_ROWS_H

#include <stddef.h>

#include "count_of.h"

#define AT(owner, field)       .name = #field, .offset = offsetof(owner, field)
#define SIZE(owner, field)     sizeof(((owner *)0)->field)
#define ROW_SIZE(owner, field) sizeof(*((owner *)0)->field)

#define TEXT(owner, field)                                                                                             \
    { AT(owner, field), .kind = MODEL_TEXT }
#define PLAIN(owner, field, ...)                                                                                       \
    { AT(owner, field), .kind = MODEL_PLAIN, .size = SIZE(owner, field), __VA_ARGS__ }
/* Rows of `width` numbers; `counter` is the number of rows. */
#define ARRAY(owner, field, width, counter, ...)                                                                       \
    {                                                                                                                  \
        AT(owner, field), .kind = MODEL_ARRAY, .size = (width)*ROW_SIZE(owner, field),                                 \
                          .count = offsetof(owner, counter), __VA_ARGS__                                               \
    }
#define STRUCTS(owner, field, counter, structs)                                                                        \
    {                                                                                                                  \
        AT(owner, field), .kind = MODEL_STRUCTS, .size = ROW_SIZE(owner, field), .count = offsetof(owner, counter),    \
                          .type = &(structs)                                                                           \
    }
#define BELOW(from, owner, counter) .rules = MODEL_BELOW, .limitIn = (from), .limit = offsetof(owner, counter)
#define FINITE                      .rules = MODEL_FINITE
#define STRUCT(title, rows, checker)                                                                                   \
    { .name = (title), .fields = (rows), .fieldCount = COUNT_OF(rows), .check = (checker) }

#endif
