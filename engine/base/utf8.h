/* utf8.h: which bytes of a text that others wrote are UTF-8. */
#ifndef ENGINE_UTF8_H
#define ENGINE_UTF8_H

#include <stddef.h>

/* Bytes, 1 to 4, of the UTF-8 sequence at `text`, which a zero ends; 0: it is none. The zero itself is one of 1. */
size_t utf8Length(const char *text);

/* Puts '?' in place of every byte that is part of no UTF-8 sequence. */
void utf8Mend(char *text);

#endif
