#include "names.h"

#define RETURN_METHOD(name, text)                                                                                      \
    case VKSKIN_METHOD_##name:                                                                                         \
        return text;
#define RETURN_ENCODING(name, bytes, text)                                                                             \
    case VKSKIN_PALETTE_##name:                                                                                        \
        return #name;
#define RETURN_FORMAT(name, text)                                                                                      \
    case VKSKIN_VERTEX_##name:                                                                                         \
        return text;

const char *sknMethodName(VkskinMethod method) {
    switch (method) { VKSKIN_METHODS(RETURN_METHOD) }
    return "unknown";
}

const char *sknEncodingName(VkskinPaletteEncoding encoding) {
    switch (encoding) { VKSKIN_PALETTE_ENCODINGS(RETURN_ENCODING) }
    return "unknown";
}

const char *sknFormatName(VkskinVertexFormat format) {
    switch (format) { VKSKIN_VERTEX_FORMATS(RETURN_FORMAT) }
    return "unknown";
}
