/* count_of.h: the number of elements of an array. */
#ifndef ENGINE_COUNT_OF_H
#define ENGINE_COUNT_OF_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
