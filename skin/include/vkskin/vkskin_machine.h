/**
 * @file
 * State machines for animation: states that play clips, and transitions that fade between them.
 *
 * A machine is data: it knows the durations of clips, not their keys. Each frame the host sets parameters, and
 * vkskinStepMachine answers which clips to sample, when and with which weight:
 *
 *     vkskinStepMachine -> vkskinSampleClip for each sample -> vkskinBlendLayers -> ...
 *
 * A machine is immutable: any number of threads and characters may use it until it is destroyed. The state of a character
 * is a VkskinMachineRun and an array of parameters in memory of the host. Concurrent calls must use different ones. Only
 * creation allocates memory. The same machine, run, parameters and seconds give the same bits on any number of threads
 * and any processor of one architecture. The rules and errors of vkskin_base.h apply.
 */
#ifndef VKSKIN_MACHINE_H
#define VKSKIN_MACHINE_H

#include "vkskin_blend.h"

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup machines State machines
 *  States, transitions and conditions, evaluated once per frame and character.
 *  @{ */

/** Maximum number of clips, parameters, states, transitions, and points or conditions of one of them. */
#define VKSKIN_MACHINE_ITEMS_MAX 65536u
/** Maximum number of states that fade into each other at the same time. */
#define VKSKIN_MACHINE_FADES_MAX 4u
/** Maximum number of samples of a step: two clips of a blend space for each fading state. */
#define VKSKIN_MACHINE_SAMPLES_MAX 8u
/** Value of VkskinTransition.from: the transition leaves every state except the one that it leads to. */
#define VKSKIN_ANY_STATE 0xffffffffu
/** Returned by vkskinFindMachineParameter if there is no parameter of that name. */
#define VKSKIN_NO_NAME 0xffffffffu

/** A number that the host sets and conditions compare. Has no default function: set it to zero, then fill it. */
typedef struct VkskinParameter {
    const char *name; ///< not null, unique in the machine
    float value;      ///< at the start, finite
    /** The host sets it to another value than 0 for an event, for example a jump. A transition with a condition on it
     * sets it back to 0. */
    bool trigger;
} VkskinParameter;

/** A clip in a state. Has no default function: set it to zero, then fill it. */
typedef struct VkskinStatePoint {
    uint32_t clip; ///< below clipCount
    float value;   ///< value of the state's parameter at which only this clip is seen; finite, ascending in the state
} VkskinStatePoint;

/**
 * A state: one clip, or a 1D blend space. In a blend space the parameter lies between two points; their clips are mixed
 * linearly and play in step, as vkskinAdvanceSync does. Below the first and above the last point only that clip is seen.
 * Has no default function: set it to zero, then fill it.
 */
typedef struct VkskinState {
    const char *name;               ///< not null, unique in the machine
    uint32_t pointCount;            ///< at least 1; 1: a single clip
    const VkskinStatePoint *points; ///< [pointCount]
    uint32_t parameter;             ///< parameter of a blend space, below parameterCount; otherwise ignored
    float speed;                    ///< finite, not 0; negative plays backwards, from the end
    VkskinPlayMode mode;            ///< zero loops
} VkskinState;

/** How a condition compares a parameter with its value. */
typedef enum VkskinCompare {
    VKSKIN_COMPARE_GREATER = 0,   ///< the parameter is greater
    VKSKIN_COMPARE_LESS = 1,      ///< the parameter is less
    VKSKIN_COMPARE_EQUAL = 2,     ///< the parameter has this value
    VKSKIN_COMPARE_NOT_EQUAL = 3, ///< the parameter has another value; with value 0: a trigger is set
    VKSKIN_COMPARE_COUNT = 4      ///< number of comparisons in this version
} VkskinCompare;

/** A condition of a transition. Has no default function: set it to zero, then fill it. */
typedef struct VkskinCondition {
    uint32_t parameter;    ///< below parameterCount
    VkskinCompare compare; ///< zero: the parameter is greater
    float value;           ///< finite
} VkskinCondition;

/**
 * A fade from one state to another. It begins when all of its conditions hold and the exit time has passed. Of several
 * transitions that could begin, the first of the machine does. Has no default function: set it to zero, then fill it.
 */
typedef struct VkskinTransition {
    uint32_t from;   ///< index of a state, below stateCount; or VKSKIN_ANY_STATE
    uint32_t to;     ///< index of a state, below stateCount; may be `from`: the state then starts again
    float duration;  ///< seconds of the fade, finite, at least 0; 0 switches at once
    VkskinFade fade; ///< course of the fade
    float exitTime;  ///< finite, at least 0: how often the clip must have been played, 1 is once; 0 does not wait
    bool whole;      ///< no other transition begins before this fade is complete
    uint32_t conditionCount;           ///< 0 or more
    const VkskinCondition *conditions; ///< [conditionCount]; may be null if conditionCount is 0
} VkskinTransition;

/** Describes a machine. Made by vkskinDefaultMachineDef; everything is copied. */
typedef struct VkskinMachineDef {
    uint32_t cookie;                      ///< set by vkskinDefaultMachineDef
    uint32_t clipCount;                   ///< at least 1
    const float *clipDurations;           ///< [clipCount] seconds, finite, at least 0: vkskinGetClipDuration
    uint32_t parameterCount;              ///< 0 or more
    const VkskinParameter *parameters;    ///< [parameterCount]; may be null if parameterCount is 0
    uint32_t stateCount;                  ///< at least 1
    const VkskinState *states;            ///< [stateCount]; the machine starts in `start`
    uint32_t transitionCount;             ///< 0 or more
    const VkskinTransition *transitions;  ///< [transitionCount]; may be null if transitionCount is 0
    uint32_t start;                       ///< below stateCount; default 0
    VkskinLogger logger;                  ///< used only by vkskinCreateMachine
    const VkskinHostAllocator *allocator; ///< null: malloc. The struct is copied; used until the machine is destroyed
} VkskinMachineDef;

/** A machine: null, or made by vkskinCreateMachine and never changed. */
typedef struct VkskinMachine_T *VkskinMachine;

/** @return a def that is all zero except the cookie; set clips and states */
VKSKIN_API VkskinMachineDef vkskinDefaultMachineDef(void);

/**
 * Creates a machine.
 *
 * @param def      describes the machine
 * @param machine  receives the machine; the caller destroys it
 * @retval VKSKIN_ERROR_INVALID_VALUE        a count, index, number or enumerator is out of range or not finite; a name
 *                                           is used twice; or the values of a blend space do not ascend. The message
 *                                           names state, transition or parameter
 */
VKSKIN_API VkskinResult vkskinCreateMachine(const VkskinMachineDef *def, VkskinMachine *machine);

/**
 * Frees a machine.
 *
 * @param machine  may be null; no other call may use it during this call or later
 */
VKSKIN_API void vkskinDestroyMachine(VkskinMachine machine);

/**
 * Returns the number of parameters.
 *
 * @param machine  may be null
 * @return parameterCount of its def; 0 for null
 */
VKSKIN_API uint32_t vkskinGetMachineParameterCount(VkskinMachine machine);

/**
 * Finds a parameter. Call it once and keep the index: it compares all names.
 *
 * @param machine  may be null
 * @param name     may be null
 * @return its index, or VKSKIN_NO_NAME
 */
VKSKIN_API uint32_t vkskinFindMachineParameter(VkskinMachine machine, const char *name);

/**
 * Returns a parameter as its def had it: for programs that show all of them.
 *
 * @param machine    may be null
 * @param parameter  any value
 * @return the parameter, valid until the machine is destroyed; null if there is no such parameter
 */
VKSKIN_API const VkskinParameter *vkskinGetMachineParameter(VkskinMachine machine, uint32_t parameter);

/**
 * Returns the name of a state.
 *
 * @param machine  may be null
 * @param state    any value
 * @return its name, valid until the machine is destroyed; null if there is no such state
 */
VKSKIN_API const char *vkskinGetMachineStateName(VkskinMachine machine, uint32_t state);

/** A state that plays in a run. Written by the library; hosts may read it. */
typedef struct VkskinMachineFade {
    uint32_t state;  ///< index into the states of the def
    VkskinFade fade; ///< course of the fade that leads to the state
    float duration;  ///< seconds of that fade; 0 for the first state
    bool whole;      ///< no transition begins before the fade is complete
    double elapsed;  ///< seconds since the state began
    double phase;    ///< place in its clips, 0 to 1
    double played;   ///< how often its clips have been played, at least 0
    bool ended;      ///< the clips of the state have ended; never if they loop
} VkskinMachineFade;

/** The state of one character. Plain data: copy it to save a character. Made by vkskinStartMachine. */
typedef struct VkskinMachineRun {
    uint32_t fadeCount; ///< 1 to VKSKIN_MACHINE_FADES_MAX
    /** [fadeCount], the oldest first. The last is the current state; it fades in over those before it. */
    VkskinMachineFade fades[VKSKIN_MACHINE_FADES_MAX];
} VkskinMachineRun;

/**
 * Puts a run into the start state. Results are returned and not logged.
 *
 * @param machine     the machine
 * @param run         receives the run
 * @param parameters  [vkskinGetMachineParameterCount(machine)]: receives the start values; may be null if there are none
 * @return VKSKIN_SUCCESS, or an error that every call can return
 */
VKSKIN_API VkskinResult vkskinStartMachine(VkskinMachine machine, VkskinMachineRun *run, float *parameters);

/** A clip to sample. The weights of a step have the sum 1, within rounding; none is 0. */
typedef struct VkskinMachineSample {
    uint32_t state;      ///< index into the states of the def
    uint32_t clip;       ///< index into the clips of the def
    float weight;        ///< above 0, at most 1
    VkskinPlayStep step; ///< the part of the clip that the step played: sample at step.to
} VkskinMachineSample;

/**
 * Advances a run. First at most one transition of the current state begins, and sets the triggers among its conditions
 * to 0. Then all states that play advance by `seconds`, a new one from its start. A fade that is complete removes the
 * states before it.
 *
 * If a transition begins during a fade, the states before go on playing and fade out together. So the pose never jumps.
 * While VKSKIN_MACHINE_FADES_MAX states play, no transition begins, except one of 0 seconds.
 *
 * Results are returned and not logged. A call that fails changes nothing.
 *
 * @param machine     the machine
 * @param run         changed; from vkskinStartMachine of this machine
 * @param parameters  [vkskinGetMachineParameterCount(machine)], finite; triggers may be set to 0. May be null if there
 *                    are none
 * @param seconds     time since the last call, finite, at least 0
 * @param samples     [VKSKIN_MACHINE_SAMPLES_MAX]: receives the samples, those of the oldest state first
 * @param count       receives the number of samples, at least 1
 * @retval VKSKIN_ERROR_INVALID_VALUE  seconds or a parameter is out of range or not finite; a member of the run is out
 *                                     of range for this machine; a clip would loop more than 2,000,000,000 times
 */
VKSKIN_API VkskinResult vkskinStepMachine(VkskinMachine machine, VkskinMachineRun *run, float *parameters,
                                          double seconds, VkskinMachineSample *samples, uint32_t *count);

/** @} */

#ifdef __cplusplus
}
#endif

#endif
