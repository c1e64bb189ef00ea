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

#endif
