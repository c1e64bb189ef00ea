/*
 * null_touch.h: marks by which ThreadSanitizer sees Vulkan's threading rules broken.
 *
 * In a ThreadSanitizer program this pair alone of the null driver is instrumented. The rest keeps its state right by a
 * lock that the sanitizer does not see: a visible one would order the library's threads, and hide their races. What
 * Vulkan wants externally synchronised is written here, what is merely used is read; two threads that do so without
 * an order of their own are a race, reported with the stacks of both.
 */
#ifndef TESTS_NULL_TOUCH_H
#define TESTS_NULL_TOUCH_H

#include <stdint.h>

void nullTouchWrite(uint32_t *mark);
void nullTouchRead(const uint32_t *mark);

#endif
