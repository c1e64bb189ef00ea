/*
 * quantity.h: numbers as people read them.
 */
#ifndef COMMAND_QUANTITY_H
#define COMMAND_QUANTITY_H

#include <stddef.h>
#include <stdint.h>

/* Room for any of these texts. */
#define QUANTITY_SIZE 48

/* "1,234,567". */
void quantityCount(char text[QUANTITY_SIZE], uint64_t count);

/* "1.23 M": three or four digits that count, by powers of 1,000 up to T; "0" for zero. unit: follows, such as "B/s". */
void quantityScaled(char text[QUANTITY_SIZE], double value, const char *unit);

#endif
