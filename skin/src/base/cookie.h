/*
 * cookie.h: the values of the cookie field of defs. A default function writes it, so an unfilled def is detected.
 *
 * It is the first field of every def. Each def type has its own value, so a def of another type is refused too.
 */
#ifndef VKSKIN_COOKIE_H
#define VKSKIN_COOKIE_H

#include "vkskin/vkskin_base.h"

#define VKSKIN_COOKIE_SKELETON    0x534b454cu /* "SKEL" */
#define VKSKIN_COOKIE_CLIP        0x434c4950u /* "CLIP" */
#define VKSKIN_COOKIE_SKIN        0x534b494eu /* "SKIN" */
#define VKSKIN_COOKIE_POSE_BATCH  0x43524f57u /* "CROW" */
#define VKSKIN_COOKIE_BLEND       0x424c4e44u /* "BLND" */
#define VKSKIN_COOKIE_ROOT        0x524f4f54u /* "ROOT" */
#define VKSKIN_COOKIE_TWO_BONE    0x494b3242u /* "IK2B" */
#define VKSKIN_COOKIE_AIM         0x41494d41u /* "AIMA" */
#define VKSKIN_COOKIE_SPRING      0x53505247u /* "SPRG" */
#define VKSKIN_COOKIE_MACHINE     0x4d434849u /* "MCHI" */
#define VKSKIN_COOKIE_CONTEXT     0x43545854u /* "CTXT" */
#define VKSKIN_COOKIE_PIPELINE    0x50495045u /* "PIPE" */
#define VKSKIN_COOKIE_MESH        0x4d455348u /* "MESH" */
#define VKSKIN_COOKIE_TUNE        0x54554e45u /* "TUNE" */
#define VKSKIN_COOKIE_INSTANCE    0x494e5354u /* "INST" */
#define VKSKIN_COOKIE_OUTPUT      0x4f555450u /* "OUTP" */
#define VKSKIN_COOKIE_ANIMATION   0x414e494du /* "ANIM" */
#define VKSKIN_COOKIE_CPU_MESH    0x43505553u /* "CPUS" */
#define VKSKIN_COOKIE_CROWD       0x43524f44u /* "CROD" */
#define VKSKIN_COOKIE_CROWD_FRAME 0x43524652u /* "CRFR" */
#define VKSKIN_COOKIE_CROWD_PLAY  0x43525059u /* "CRPY" */
#define VKSKIN_COOKIE_CHARACTER   0x43484152u /* "CHAR" */

/* Checks a def before its logger is used: a null def, or one without the cookie, has no valid logger. */
static inline VkskinResult sknCheckCookie(const void *def, uint32_t cookie) {
    if (def == NULL) {
        return VKSKIN_ERROR_NULL_ARGUMENT;
    }
    return *(const uint32_t *)def == cookie ? VKSKIN_SUCCESS : VKSKIN_ERROR_DEF_NOT_INITIALISED;
}

#endif
