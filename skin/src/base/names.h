/*
 * names.h: names of methods, encodings and vertex formats for messages and debuggers; "unknown" for any other value.
 *
 * Implements vkskinResultName and vkskinVersion.
 */
#ifndef VKSKIN_NAMES_H
#define VKSKIN_NAMES_H

#include "vkskin/vkskin_mesh.h"

const char *sknMethodName(VkskinMethod method);
const char *sknEncodingName(VkskinPaletteEncoding encoding);
const char *sknFormatName(VkskinVertexFormat format);

/* Names of enumerators, without VKSKIN_METHOD_ and VKSKIN_VERTEX_. sknEncodingName returns this form, too. */
const char *sknMethodEnumerator(VkskinMethod method);
const char *sknFormatEnumerator(VkskinVertexFormat format);

#endif
