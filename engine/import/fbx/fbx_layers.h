/* fbx_layers.h: what the animation layers of an .fbx file make of a property at a time. For the parser's process. */
#ifndef ENGINE_FBX_LAYERS_H
#define ENGINE_FBX_LAYERS_H

#include "fbx_curve.h"
#include "fbx_joint.h"

enum FbxBlend { FBX_ADD, FBX_REPLACE, FBX_MIX };

struct FbxLayer {
    const FbxRecord *record;
    bool base; /* the lowest: its values stand for themselves */
    FbxBlend blend;
    bool turns, scales; /* rotations are combined as turns, not angle by angle; scales are multiplied, not added */
    double weight;      /* 0 to 1 */
    FbxCurve weights;   /* percent, over time; empty: `weight` */
};

/* One property in one layer. A component without keys has its default. */
struct FbxLayerKeys {
    size_t layer;
    FbxVector defaults;
    FbxCurve curves[3];
};

/* A property of an object with keys or other values in at least one layer, the lowest first. */
struct FbxProperty {
    const FbxRecord *object;
    std::string name;
    FbxVector rest; /* the value without keys */
    std::vector<FbxLayerKeys> keys;
    bool moved; /* it has keys; without them, it has another value than `rest` */
};

/* An animation stack. */
struct FbxStack {
    std::string name;
    double start, stop; /* seconds */
    std::vector<FbxLayer> layers;
    std::vector<FbxProperty> properties;
    uint32_t repairs; /* curves that lack what the file has of them: see FbxCurve */
};

/* The stacks in the order of the file; layers that are muted, or not solo beside one that is, are left out. */
std::vector<FbxStack> fbxReadStacks(const FbxDocument &document);

/* At a time; before: just before it. Keys after it do not count where they jump. */
FbxVector fbxPropertyAt(const FbxStack &stack, const FbxProperty &property, double time, bool before);

/* The same for "Lcl Rotation", as a turn. joint: has the order and the limits of the angles. */
FbxQuaternion fbxTurnAt(const FbxStack &stack, const FbxProperty &property, const FbxJoint &joint, double time,
                        bool before);

/* Whether layers combine turns of "Lcl Rotation": then the limits of its angles do not count. */
bool fbxCombinesTurns(const FbxStack &stack, const FbxProperty &property);

/* Whether the first number of a property takes several values. */
bool fbxChanges(const FbxStack &stack, const FbxProperty &property);

/*
 * Adds the times of all keys that change the property, repeated ones within the time of the stack. False: there are too
 * many of these (fbxCurveTimes).
 */
bool fbxAddTimes(const FbxStack &stack, const FbxProperty &property, std::vector<double> *times);

#endif
