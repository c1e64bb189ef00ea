/* sequence.h: the files of --sequence, and what --keep keeps of them. */
#ifndef APP_SEQUENCE_H
#define APP_SEQUENCE_H

#include "options.h"
#include "terminal.h"

#define KEEP_OPTION                                                                                                    \
    {                                                                                                                  \
        "keep", OPTION_FLAG,                                                                                           \
            .help = "with --sequence: each file is there as soon as it is complete. After an interruption a line "     \
                    "names the --sequence of the rest",                                                                \
            .content = OPTION_FOR_ALL                                                                                  \
    }

/*
 * After atomicFileFinish of file `index` of the sequence, from 0. With --keep the file is completed, and an interruption from
 * now on, or sequenceFailed, says how to go on.
 */
bool sequenceFinished(const Arguments *arguments, uint32_t index, EngineError *error);

/* After a failure: with --keep, a line about the files that stay. */
void sequenceFailed(void);

/* Makes a file up to atomicFileFinish. seconds: what --sequence adds to --time. */
typedef bool (*SequenceFileFn)(void *user, double seconds, const char *name, EngineError *error);

/* Makes and completes the file of --output, or all files of --sequence. progress: begun by the caller, who ends it. */
bool sequenceWrite(const Arguments *arguments, Progress *progress, SequenceFileFn file, void *user, EngineError *error);

#endif
