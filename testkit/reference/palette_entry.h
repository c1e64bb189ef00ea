/* palette_entry.h: palette entries as vkskin_base.h describes them, written and read here and not by the library. */
#ifndef ENGINE_PALETTE_ENTRY_H
#define ENGINE_PALETTE_ENTRY_H

#include "reference.h"

/*
 * Writes vkskinPaletteStride(encoding) bytes, what the encoding can hold of the bone: its nearest rotation, its
 * translation, the stretch or the uniform scale of the same volume. antipode: the quaternion and what goes with it
 * with the other sign, which means the same.
 */
void paletteEntry(VkskinPaletteEncoding encoding, const ReferenceMatrix *bone, bool antipode, void *entry);

/* What an entry stands for, once its quaternion is brought back to unit length. */
ReferenceMatrix paletteEntryMatrix(VkskinPaletteEncoding encoding, const void *entry);

#endif
