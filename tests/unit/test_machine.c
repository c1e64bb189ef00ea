/* State machines: traces by hand, refusals, copies. */
#include "pose_builders.h"
#include "vkskin/vkskin_machine.h"

/* ---- A machine: idle (2 s), move (walk of 1 s at 1, run of 0.5 s at 3), jump (1 s, holds) ---- */

enum { CLIP_IDLE, CLIP_WALK, CLIP_RUN, CLIP_JUMP, CLIPS };
enum { SPEED, JUMP, PARAMETERS };
enum { IDLE, MOVE, LEAP, STATES };
enum { TO_LEAP, TO_MOVE, TO_IDLE, FROM_LEAP, TRANSITIONS };

typedef struct Parts {
    float durations[CLIPS];
    VkskinParameter parameters[PARAMETERS];
    VkskinStatePoint points[4];
    VkskinState states[STATES];
    VkskinCondition conditions[3];
    VkskinTransition transitions[TRANSITIONS];
    VkskinMachineDef def;
} Parts;

static LogMemory logMemory;

static void fill(Parts *parts) {
    *parts = (Parts){
        .durations = {2, 1, 0.5f, 1},
        .parameters = {{"speed", 0, false}, {"jump", 0, true}},
        .points = {{CLIP_IDLE, 0}, {CLIP_WALK, 1}, {CLIP_RUN, 3}, {CLIP_JUMP, 0}},
        .conditions = {{JUMP, VKSKIN_COMPARE_NOT_EQUAL, 0},
                       {SPEED, VKSKIN_COMPARE_GREATER, 0.5f},
                       {SPEED, VKSKIN_COMPARE_LESS, 0.5f}},
    };
    parts->states[IDLE] = (VkskinState){"idle", 1, &parts->points[0], 9, 1, VKSKIN_PLAY_LOOP};
    parts->states[MOVE] = (VkskinState){"move", 2, &parts->points[1], SPEED, 1, VKSKIN_PLAY_LOOP};
    parts->states[LEAP] = (VkskinState){"leap", 1, &parts->points[3], 0, 2, VKSKIN_PLAY_HOLD};
    parts->transitions[TO_LEAP] = (VkskinTransition){.from = VKSKIN_ANY_STATE,
                                                     .to = LEAP,
                                                     .duration = 0.25f,
                                                     .conditionCount = 1,
                                                     .conditions = &parts->conditions[0]};
    parts->transitions[TO_MOVE] = (VkskinTransition){
        .from = IDLE, .to = MOVE, .duration = 0.5f, .conditionCount = 1, .conditions = &parts->conditions[1]};
    parts->transitions[TO_IDLE] = (VkskinTransition){
        .from = MOVE, .to = IDLE, .duration = 1, .conditionCount = 1, .conditions = &parts->conditions[2]};
    parts->transitions[FROM_LEAP] = (VkskinTransition){.from = LEAP, .to = IDLE, .duration = 0.25f, .exitTime = 1};
    parts->def = vkskinDefaultMachineDef();
    parts->def.clipCount = CLIPS;
    parts->def.clipDurations = parts->durations;
    parts->def.parameterCount = PARAMETERS;
    parts->def.parameters = parts->parameters;
    parts->def.stateCount = STATES;
    parts->def.states = parts->states;
    parts->def.transitionCount = TRANSITIONS;
    parts->def.transitions = parts->transitions;
    parts->def.logger = rememberingLogger(&logMemory);
}

static VkskinMachine ownMachine(const VkskinMachineDef *def) {
    VkskinMachine machine = NULL;
    OK(vkskinCreateMachine(def, &machine));
    return own(machine, destroyMachine);
}

typedef struct Player {
    VkskinMachine machine;
    VkskinMachineRun run;
    float parameters[PARAMETERS];
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    uint32_t count;
} Player;

static Player start(const Parts *parts) {
    Player player = {.machine = ownMachine(&parts->def)};
    OK(vkskinStartMachine(player.machine, &player.run, player.parameters));
    return player;
}

/* Steps, and checks that the weights have the sum 1. */
static void step(Player *player, double seconds) {
    double sum = 0;
    OK(vkskinStepMachine(player->machine, &player->run, player->parameters, seconds, player->samples, &player->count));
    for (uint32_t i = 0; i < player->count; i++) {
        assert_true(player->samples[i].weight > 0 && player->samples[i].weight <= 1);
        sum += (double)player->samples[i].weight;
    }
    assert_true(fabs(sum - 1) < 1e-6);
}

/* The samples of the last step, as "CLIP@TIME*WEIGHT ..." */
static void assertSamples(const Player *player, const char *expected) {
    static const char *const names[] = {"idle", "walk", "run", "jump"};
    char text[512] = "";
    for (uint32_t i = 0; i < player->count; i++) {
        const VkskinMachineSample *sample = &player->samples[i];
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s@%.4g*%.4g", i > 0 ? " " : "",
                 names[sample->clip], sample->step.to, (double)sample->weight);
    }
    assert_string_equal(text, expected);
}

/* ---- Traces ---- */

OWNING_TEST(statesFadeIntoEachOther) {
    Parts parts;
    fill(&parts);
    Player player = start(&parts);
    step(&player, 0.5);
    assertSamples(&player, "idle@0.5*1");
    player.parameters[SPEED] = 1;
    step(&player, 0.25); /* the fade begins with this step: half of it */
    assertSamples(&player, "idle@0.75*0.5 walk@0.25*0.5");
    step(&player, 0.125);
    assertSamples(&player, "idle@0.875*0.25 walk@0.375*0.75");
    step(&player, 0.125);
    assertSamples(&player, "walk@0.5*1");
    step(&player, 0.75);
    assertSamples(&player, "walk@0.25*1");
    assert_int_equal(player.samples[0].step.loops, 1);
    assert_int_equal(player.samples[0].state, MOVE);
    player.parameters[SPEED] = 0;
    step(&player, 0); /* transitions also begin in a step of 0 seconds, at weight 0 */
    assertSamples(&player, "walk@0.25*1");
    assert_int_equal(player.run.fadeCount, 2);
    step(&player, 0.25);
    assertSamples(&player, "walk@0.5*0.75 idle@0.25*0.25");
}

/* At speed 2, half walk and half run: 0.75 s for a phase. 0.1875 s is a quarter. */
OWNING_TEST(blendSpacesPlayInStep) {
    Parts parts;
    fill(&parts);
    parts.def.start = MOVE;
    parts.parameters[SPEED].value = 2;
    Player player = start(&parts);
    step(&player, 0.1875);
    assertSamples(&player, "walk@0.25*0.5 run@0.125*0.5");
    player.parameters[SPEED] = 2.5f; /* 1/4 and 3/4: 0.625 s */
    step(&player, 0.3125);
    assertSamples(&player, "walk@0.75*0.25 run@0.375*0.75");
    /* At and beyond the ends there is one clip. */
    static const struct {
        float speed;
        const char *expected;
    } ends[] = {{1, "walk@0.75*1"}, {0.75f, "walk@0.75*1"}, {3, "run@0.375*1"}, {99, "run@0.375*1"}};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        player.parameters[SPEED] = ends[i].speed;
        step(&player, 0);
        assertSamples(&player, ends[i].expected);
    }
}

/* The jump plays at double speed: once after 0.5 s, then it may leave. Its trigger is used up. */
OWNING_TEST(triggersAndExitTimes) {
    Parts parts;
    fill(&parts);
    Player player = start(&parts);
    player.parameters[JUMP] = 1;
    step(&player, 0.25);
    assertSamples(&player, "jump@0.5*1");
    assert_float_equal(player.parameters[JUMP], 0, 0);
    step(&player, 0.125);
    assertSamples(&player, "jump@0.75*1");
    player.parameters[JUMP] = 1; /* not from itself: VKSKIN_ANY_STATE is every other state */
    step(&player, 0.125);
    assertSamples(&player, "jump@1*1");
    assert_true(player.samples[0].step.ended);
    assert_float_equal(player.parameters[JUMP], 1, 0);
    player.parameters[JUMP] = 0;
    step(&player, 0.125); /* it has been played once: the fade back begins, while the jump holds its end */
    assertSamples(&player, "jump@1*0.5 idle@0.125*0.5");
    step(&player, 0.125);
    assertSamples(&player, "idle@0.25*1");
}

/* Idle to move, and a jump in the middle of that fade: all three go on, and the weights stay continuous. */
OWNING_TEST(fadesAreInterrupted) {
    Parts parts;
    fill(&parts);
    Player player = start(&parts);
    player.parameters[SPEED] = 1;
    step(&player, 0.25);
    assertSamples(&player, "idle@0.25*0.5 walk@0.25*0.5");
    player.parameters[JUMP] = 1;
    step(&player, 0);
    assertSamples(&player, "idle@0.25*0.5 walk@0.25*0.5");
    assert_int_equal(player.run.fadeCount, 3);
    step(&player, 0.125); /* jump 1/2, of the rest walk 3/4 */
    assertSamples(&player, "idle@0.375*0.125 walk@0.375*0.375 jump@0.25*0.5");
    step(&player, 0.125); /* the jump is complete: both others end, also the fade below that is not */
    assertSamples(&player, "jump@0.5*1");
    assert_int_equal(player.run.fadeCount, 1);
}

OWNING_TEST(wholeFadesAreNotInterrupted) {
    Parts parts;
    fill(&parts);
    parts.transitions[TO_MOVE].whole = true;
    Player player = start(&parts);
    player.parameters[SPEED] = 1;
    step(&player, 0.25);
    player.parameters[JUMP] = 1;
    step(&player, 0.125);
    assertSamples(&player, "idle@0.375*0.25 walk@0.375*0.75");
    step(&player, 0.125);
    assertSamples(&player, "walk@0.5*1");
    assert_float_equal(player.parameters[JUMP], 1, 0);
    step(&player, 0.125); /* now the event that waited */
    assertSamples(&player, "walk@0.625*0.5 jump@0.25*0.5");
}

/* Two states that leave each other at once: no more than four play, then one fade has to end. */
OWNING_TEST(noMoreStatesPlayThanMay) {
    Parts parts;
    fill(&parts);
    parts.transitions[0] = (VkskinTransition){.from = IDLE, .to = LEAP, .duration = 1};
    parts.transitions[1] = (VkskinTransition){.from = LEAP, .to = IDLE, .duration = 1};
    parts.def.transitionCount = 2;
    Player player = start(&parts);
    for (uint32_t i = 0; i < 16; i++) {
        step(&player, 0.125);
        const uint32_t expected = i < 3 ? i + 2 : 4;
        /* The second began at 0, the third at 0.125: complete after 1 s and 1.125 s, and make room. */
        assert_true(i >= 7 || player.run.fadeCount == expected);
        assert_in_range(player.run.fadeCount, 1, VKSKIN_MACHINE_FADES_MAX);
    }
    parts.transitions[0].duration = 0;
    parts.transitions[1].duration = 0;
    player = start(&parts);
    for (int i = 0; i < 8; i++) {
        step(&player, 0.125); /* switches need no room */
        assert_int_equal(player.run.fadeCount, 1);
        assert_int_equal(player.run.fades[0].state, i % 2 == 0 ? LEAP : IDLE);
    }
}

/* The first transition of the machine that may begin does, whatever the order of the states. */
OWNING_TEST(theFirstTransitionBegins) {
    Parts parts;
    fill(&parts);
    parts.transitions[0] = (VkskinTransition){.from = IDLE, .to = LEAP, .exitTime = 5};
    parts.transitions[1] = (VkskinTransition){.from = IDLE, .to = MOVE};
    parts.transitions[2] = (VkskinTransition){.from = IDLE, .to = LEAP};
    Player player = start(&parts);
    step(&player, 0);
    assert_int_equal(player.run.fades[0].state, MOVE);
}

/* A state may lead to itself: it starts again. */
OWNING_TEST(statesMayStartAgain) {
    Parts parts;
    fill(&parts);
    parts.transitions[0] = (VkskinTransition){.from = IDLE, .to = IDLE, .duration = 0.5f, .exitTime = 0.5f};
    parts.def.transitionCount = 1;
    Player player = start(&parts);
    step(&player, 1);
    assertSamples(&player, "idle@1*1");
    step(&player, 0.25);
    assertSamples(&player, "idle@1.25*0.5 idle@0.25*0.5");
}

OWNING_TEST(comparisons) {
    static const struct {
        VkskinCompare compare;
        bool less, equal, greater;
    } cases[] = {
        {VKSKIN_COMPARE_GREATER, false, false, true},
        {VKSKIN_COMPARE_LESS, true, false, false},
        {VKSKIN_COMPARE_EQUAL, false, true, false},
        {VKSKIN_COMPARE_NOT_EQUAL, true, false, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const bool expected[] = {cases[i].less, cases[i].equal, cases[i].greater};
        for (int k = 0; k < 3; k++) {
            Parts parts;
            fill(&parts);
            parts.conditions[1] = (VkskinCondition){SPEED, cases[i].compare, 2};
            parts.transitions[TO_MOVE].duration = 0;
            parts.parameters[SPEED].value = (float)(1 + k);
            Player player = start(&parts);
            step(&player, 0);
            assert_int_equal(player.run.fades[0].state, expected[k] ? MOVE : IDLE);
        }
    }
}

OWNING_TEST(clipsEndAsTheirModeSays) {
    static const struct {
        VkskinPlayMode mode;
        float speed;
        const char *middle, *end;
    } cases[] = {
        {VKSKIN_PLAY_LOOP, 1, "jump@0.75*1", "jump@0.5*1"}, {VKSKIN_PLAY_HOLD, 1, "jump@0.75*1", "jump@1*1"},
        {VKSKIN_PLAY_ONCE, 1, "jump@0.75*1", "jump@0*1"},   {VKSKIN_PLAY_LOOP, -1, "jump@0.25*1", "jump@0.5*1"},
        {VKSKIN_PLAY_HOLD, -1, "jump@0.25*1", "jump@0*1"},  {VKSKIN_PLAY_ONCE, -1, "jump@0.25*1", "jump@1*1"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Parts parts;
        fill(&parts);
        parts.def.start = LEAP;
        parts.def.transitionCount = 0;
        parts.states[LEAP].mode = cases[i].mode;
        parts.states[LEAP].speed = cases[i].speed;
        Player player = start(&parts);
        step(&player, 0.75);
        assertSamples(&player, cases[i].middle);
        step(&player, 0.75);
        assertSamples(&player, cases[i].end);
        assert_int_equal(player.samples[0].step.ended, cases[i].mode != VKSKIN_PLAY_LOOP);
        assert_true(fabs(player.run.fades[0].played - 1.5) < 1e-6 || cases[i].mode != VKSKIN_PLAY_LOOP);
    }
    /* A clip of 0 seconds has been played once after its first step. */
    Parts parts;
    fill(&parts);
    parts.durations[CLIP_JUMP] = 0;
    parts.def.start = LEAP;
    Player player = start(&parts);
    step(&player, 0);
    assert_int_equal(player.run.fades[0].state, LEAP);
    step(&player, 0.01);
    assertSamples(&player, "jump@0*1");
    assert_true(player.samples[0].step.ended);
    step(&player, 0.25);
    assertSamples(&player, "idle@0.25*1");
}

/* ---- The machine ---- */

OWNING_TEST(namesAreFound) {
    Parts parts;
    fill(&parts);
    char name[] = "idle";
    parts.states[IDLE].name = name;
    const VkskinMachine machine = ownMachine(&parts.def);
    name[0] = 'x'; /* the machine has a copy */
    memset(&parts, 0xff, sizeof parts);
    assert_string_equal(vkskinGetMachineStateName(machine, IDLE), "idle");
    assert_string_equal(vkskinGetMachineStateName(machine, LEAP), "leap");
    assert_null(vkskinGetMachineStateName(machine, STATES));
    assert_null(vkskinGetMachineStateName(NULL, 0));
    assert_int_equal(vkskinFindMachineParameter(machine, "jump"), JUMP);
    assert_int_equal(vkskinFindMachineParameter(machine, "leap"), VKSKIN_NO_NAME);
    assert_int_equal(vkskinFindMachineParameter(machine, NULL), VKSKIN_NO_NAME);
    assert_int_equal(vkskinFindMachineParameter(NULL, "jump"), VKSKIN_NO_NAME);
    assert_int_equal(vkskinGetMachineParameterCount(machine), PARAMETERS);
    assert_string_equal(vkskinGetMachineParameter(machine, JUMP)->name, "jump");
    assert_null(vkskinGetMachineParameter(machine, PARAMETERS));
    assert_null(vkskinGetMachineParameter(NULL, 0));
    assert_int_equal(vkskinGetMachineParameterCount(NULL), 0);
}

OWNING_TEST(machinesWithoutMemoryAreNotMade) {
    Parts parts;
    AllocatorState memory = {.failAt = 1};
    fill(&parts);
    const VkskinHostAllocator allocator = countingAllocator(&memory);
    VkskinMachine machine = NULL;
    parts.def.allocator = &allocator;
    while (memoryRanOut(&memory, &logMemory, vkskinCreateMachine(&parts.def, &machine),
                        "machine: no host memory for 3 states")) {
        assert_null(machine);
    }
    assert_true(memory.failAt > 10);
    Player player = {.machine = machine};
    const uint32_t made = memory.made;
    OK(vkskinStartMachine(machine, &player.run, player.parameters));
    step(&player, 1);
    assert_int_equal(memory.made, made); /* steps allocate nothing */
    vkskinDestroyMachine(machine);
    assert_int_equal(memory.alive, 0);
}

static Parts bad;

static void refuse(VkskinResult result, const char *message) {
    VkskinMachine machine = (VkskinMachine)&bad;
    assertRefused(&logMemory, vkskinCreateMachine(&bad.def, &machine), result, message);
    assert_null(machine);
}

#define REFUSE_AS(result, change, message)                                                                             \
    do {                                                                                                               \
        fill(&bad);                                                                                                    \
        change;                                                                                                        \
        refuse(result, "machine: " message);                                                                           \
    } while (0)
#define REFUSE(change, message)      REFUSE_AS(VKSKIN_ERROR_INVALID_VALUE, change, message)
#define REFUSE_NULL(change, message) REFUSE_AS(VKSKIN_ERROR_NULL_ARGUMENT, change, message)

TEST(badMachinesAreRefused) {
    REFUSE(bad.def.clipCount = 0, "clipCount is 0, not in 1 to 65536");
    REFUSE(bad.def.parameterCount = 65537, "parameterCount is 65537, not in 0 to 65536");
    REFUSE(bad.def.stateCount = 0, "stateCount is 0, not in 1 to 65536");
    REFUSE(bad.def.transitionCount = 65537, "transitionCount is 65537, not in 0 to 65536");
    REFUSE_NULL(bad.def.clipDurations = NULL, "clipDurations is null");
    REFUSE_NULL(bad.def.parameters = NULL, "parameters is null");
    REFUSE_NULL(bad.def.states = NULL, "states is null");
    REFUSE_NULL(bad.def.transitions = NULL, "transitions is null");
    REFUSE(bad.def.start = STATES, "start is not a state");
    REFUSE(bad.durations[1] = -1, "clip 1: its duration is negative or not finite");
    REFUSE(bad.durations[2] = NAN, "clip 2: its duration is negative or not finite");
    REFUSE_NULL(bad.parameters[1].name = NULL, "parameter 1: its name is null");
    REFUSE(bad.parameters[1].name = "speed", "parameter 1: another one has its name");
    REFUSE(bad.parameters[0].value = INFINITY, "parameter 0: its value is not finite");
    REFUSE_NULL(bad.states[2].name = NULL, "state 2: its name is null");
    REFUSE(bad.states[2].name = "move", "state 2: another one has its name");
    REFUSE(bad.states[0].pointCount = 0, "state 0: pointCount is out of range");
    REFUSE_NULL(bad.states[0].points = NULL, "state 0: points is null");
    REFUSE(bad.states[1].parameter = 2, "state 1: its parameter is not below parameterCount");
    REFUSE(bad.states[1].speed = 0, "state 1: its speed is 0 or not finite");
    REFUSE(bad.states[1].speed = NAN, "state 1: its speed is 0 or not finite");
    REFUSE(bad.states[1].mode = (VkskinPlayMode)3, "state 1: its mode is unknown");
    REFUSE(bad.points[2].clip = CLIPS, "state 1: a clip is not below clipCount");
    REFUSE(bad.points[2].value = NAN, "state 1: the value of a clip is not finite");
    REFUSE(bad.points[2].value = 1, "state 1: the values of its clips do not ascend");
    REFUSE(bad.transitions[1].from = STATES, "transition 1: from is not a state");
    REFUSE(bad.transitions[1].to = VKSKIN_ANY_STATE, "transition 1: to is not a state");
    REFUSE(bad.transitions[1].duration = -1, "transition 1: its duration is negative or not finite");
    REFUSE(bad.transitions[1].fade = (VkskinFade)2, "transition 1: its fade is unknown");
    REFUSE(bad.transitions[3].exitTime = NAN, "transition 3: its exitTime is negative or not finite");
    REFUSE(bad.transitions[1].conditionCount = 65537, "transition 1: conditionCount is out of range");
    REFUSE_NULL(bad.transitions[1].conditions = NULL, "transition 1: conditions is null");
    REFUSE(bad.conditions[2].parameter = 2, "transition 2: a condition's parameter is not below parameterCount");
    REFUSE(bad.conditions[2].compare = VKSKIN_COMPARE_COUNT, "transition 2: a condition's comparison is unknown");
    REFUSE(bad.conditions[2].value = NAN, "transition 2: a condition's value is not finite");
    fill(&bad);
    bad.def.cookie = 0;
    VkskinMachine machine = NULL;
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinCreateMachine(&bad.def, &machine));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateMachine(NULL, &machine));
    fill(&bad);
    assertRefused(&logMemory, vkskinCreateMachine(&bad.def, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "machine: the place for the handle is null");
    const VkskinHostAllocator half = {.user = &bad};
    REFUSE_NULL(bad.def.allocator = &half, "the host allocator lacks a function");
    vkskinDestroyMachine(NULL);
}

/* A step that is refused changes nothing. */
OWNING_TEST(badStepsAreRefused) {
    Parts parts;
    fill(&parts);
    parts.states[LEAP].mode = VKSKIN_PLAY_LOOP;
    const Player good = start(&parts);
    Player player;
#define REFUSED(change, seconds)                                                                                       \
    do {                                                                                                               \
        player = good;                                                                                                 \
        change;                                                                                                        \
        const Player before = player;                                                                                  \
        RETURNS(VKSKIN_ERROR_INVALID_VALUE, vkskinStepMachine(player.machine, &player.run, player.parameters, seconds, \
                                                              player.samples, &player.count));                         \
        assert_memory_equal(&player, &before, sizeof player);                                                          \
    } while (0)
    REFUSED((void)0, NAN);
    REFUSED((void)0, -1);
    REFUSED((void)0, INFINITY);
    REFUSED(player.parameters[JUMP] = 1, 1e300); /* the trigger stays set */
    REFUSED(player.parameters[SPEED] = NAN, 1);
    REFUSED(player.run.fadeCount = 0, 1);
    REFUSED(player.run.fadeCount = 5, 1);
    REFUSED(player.run.fades[0].state = STATES, 1);
    REFUSED(player.run.fades[0].phase = 1.5, 1);
    REFUSED(player.run.fades[0].phase = NAN, 1);
    REFUSED(player.run.fades[0].elapsed = -1, 1);
    REFUSED(player.run.fades[0].played = INFINITY, 1);
    REFUSED(player.run.fades[0].duration = NAN, 1);
    REFUSED(player.run.fades[0].fade = (VkskinFade)7, 1);
    player = good;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinStepMachine(NULL, &player.run, player.parameters, 0, player.samples, &player.count));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinStepMachine(player.machine, NULL, player.parameters, 0, player.samples, &player.count));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinStepMachine(player.machine, &player.run, NULL, 0, player.samples, &player.count));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinStepMachine(player.machine, &player.run, player.parameters, 0, NULL, &player.count));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT,
            vkskinStepMachine(player.machine, &player.run, player.parameters, 0, player.samples, NULL));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinStartMachine(NULL, &player.run, player.parameters));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinStartMachine(player.machine, NULL, player.parameters));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinStartMachine(player.machine, &player.run, NULL));
}
