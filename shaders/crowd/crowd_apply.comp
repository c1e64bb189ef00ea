// crowd_apply.comp: applies what the host changed: a thread for each changed character. The first ones also copy the
// planes of the views, and clear counters and histograms.
#version 450
#extension GL_GOOGLE_include_directive : require

#define CROWD_SET_INPUT  0
#define CROWD_SET_STATES 1
#define CROWD_SET_COLDS  2
#define CROWD_SET_WORK   3
#include "crowd/crowd_buffers.glsl"
#include "crowd/crowd_rules.h"

#define READ_INPUT_WORD(field) value.field = inputWords[at++];
LAYOUT_READER(LayoutCrowdChange, readChange, CROWD_CHANGE_FIELDS, READ_INPUT_WORD)

void main() {
    uint index = threadIndex();
    uint threads = gl_NumWorkGroups.x * gl_NumWorkGroups.y * CROWD_GROUP;
    for (uint i = index; i < CROWD_WORK_BUDGET; i += threads) {
        workWords[i] = i < CROWD_WORK_STATS ? inputWords[CROWD_INPUT_PLANES + i] : 0u;
    }
    for (uint i = index; i < min(pass.groups, CROWD_GROUPS) * CROWD_HIST_WORDS; i += threads) {
        workWords[CROWD_WORK_HISTS + i] = 0u;
    }
    if (index >= pass.changes) {
        return;
    }
    LayoutCrowdChange change = readChange(CROWD_INPUT_CHANGES + index * CROWD_CHANGE_WORDS);
    if (change.character >= pass.capacity) {
        return;
    }
    LayoutCrowdState state = states[change.character];
    LayoutCrowdCold cold = colds[change.character];
    crowdApply(state, cold, change, pass.tick);
    states[change.character] = state;
    colds[change.character] = cold;
}
