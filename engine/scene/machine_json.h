/*
 * machine_json.h: a state machine for animation (vkskin_machine.h) from JSON. docs/poses.md describes the text.
 */
#ifndef ENGINE_MACHINE_JSON_H
#define ENGINE_MACHINE_JSON_H

#include "engine_error.h"
#include "vkskin/vkskin_machine.h"

#define MACHINE_TEXT_MAX   ((size_t)1 << 20) /* bytes */
#define MACHINE_VALUES_MAX 16384u            /* maximum values in the text: names are compared with each other */

/* The clips that states may name. */
typedef struct MachineClips {
    uint32_t count;
    const char *const *names; /* [count]; of equal names the first counts */
    const float *durations;   /* [count] seconds */
} MachineClips;

/*
 * Reads a machine from `text`, zero-terminated. path: for messages. Null, "PATH:LINE: FIELD: what is wrong": the text is
 * no JSON, a field is unknown, missing, given twice, of another type or out of range, or a name is not known. Lines count
 * from 1. FIELD is for example "states[2].blend.clips[0].at".
 */
VkskinMachine machineParse(const char *text, const char *path, const MachineClips *clips, EngineError *error);

/* Reads the file `path`, of at most MACHINE_TEXT_MAX bytes, with machineParse. */
VkskinMachine machineRead(const char *path, const MachineClips *clips, EngineError *error);

#endif
