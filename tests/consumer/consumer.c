/*
 * A user's program, compiled as C11 and as C++17: it needs no device to tell that headers and library fit together.
 */
#include <stdio.h>
#include <string.h>

#include <vkskin/vkskin.h>
#include <vkskin/vkskin_pose.h>

int main(void) {
    VkskinContextDef def = vkskinDefaultContextDef();
    VkskinContext context = NULL;
    VkskinResult result = vkskinCreateContext(&def, &context); /* the def has no instance yet */
    VkskinTransform transform = vkskinIdentityTransform();
    VkskinAffine affine = vkskinAffineFromTransform(&transform);
    printf("%s\n", vkskinResultName(result));
    return result == VKSKIN_ERROR_NULL_ARGUMENT && context == NULL && affine.m[0][0] == 1.0f ? 0 : 1;
}
