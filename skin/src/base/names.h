/*
 * names.h: what methods, encodings and vertex formats are called in messages and debuggers. "unknown" for any other
 * value.
 */
#ifndef VKSKIN_NAMES_H
#define VKSKIN_NAMES_H

#include "vkskin/vkskin.h"

const char *sknMethodName(VkskinMethod method);
const char *sknEncodingName(VkskinPaletteEncoding encoding);
const char *sknFormatName(VkskinVertexFormat format);

#endif
