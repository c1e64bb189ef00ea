/* count_of.h: the number of elements of an array. */
#ifndef TESTKIT_COUNT_OF_H
#define TESTKIT_COUNT_OF_H

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
