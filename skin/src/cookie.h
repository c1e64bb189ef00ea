/*
 * cookie.h: what a default function writes into its def, so that a def that was never filled is told apart.
 *
 * A constant for each def type: a def of one type handed over as another is refused as well.
 */
#ifndef VKSKIN_COOKIE_H
#define VKSKIN_COOKIE_H

#define VKSKIN_COOKIE_SKELETON 0x534b454cu /* "SKEL" */
#define VKSKIN_COOKIE_CLIP 0x434c4950u     /* "CLIP" */
#define VKSKIN_COOKIE_SKIN 0x534b494eu     /* "SKIN" */

#endif
