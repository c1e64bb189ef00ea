/*
 * output_apart.h: the files that a verb writes are none of those that it reads, and no two of them are one.
 */
#ifndef COMMAND_OUTPUT_APART_H
#define COMMAND_OUTPUT_APART_H

#include <stdint.h>

#include "options.h"

typedef struct OutputName {
    const char *option; /* as a user writes it: "-o" */
    const char *path;   /* null: the option was not given, or names no file */
} OutputName;

/*
 * EXIT_GOOD, or EXIT_USAGE after a line that names what clashes: two outputs, or an output and an operand, that are
 * one file (the same device and inode) or would become one (the same name in the same folder). Devices and pipes, in
 * which nothing is lost, may be named twice.
 */
int outputsCheckApart(const Arguments *arguments, const char *verb, const OutputName *outputs, uint32_t count);

#endif
