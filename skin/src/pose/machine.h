/*
 * machine.h: a state machine. Immutable after creation.
 */
#ifndef VKSKIN_MACHINE_INTERNAL_H
#define VKSKIN_MACHINE_INTERNAL_H

#include "host.h"
#include "vkskin/vkskin_machine.h"

/* As VkskinMachineDef, whose rules hold for all members. */
struct VkskinMachine_T {
    Arena arena; /* memory of the machine, this struct included */
    uint32_t clipCount, parameterCount, stateCount, transitionCount;
    float *clipDurations;
    VkskinParameter *parameters;
    VkskinState *states;
    VkskinTransition *transitions;
    uint32_t start;
};

#endif
