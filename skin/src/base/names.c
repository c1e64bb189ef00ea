#include "names.h"

const char *sknMethodName(VkskinMethod method) {
    static const char *const names[VKSKIN_METHOD_COUNT] = {
        [VKSKIN_METHOD_LINEAR_BLEND] = "linear blend",
        [VKSKIN_METHOD_DUAL_QUATERNION] = "dual quaternion",
        [VKSKIN_METHOD_SCALED_DUAL_QUATERNION] = "scaled dual quaternion",
        [VKSKIN_METHOD_PAINTED_BLEND] = "painted blend",
        [VKSKIN_METHOD_CENTRES_OF_ROTATION] = "centres of rotation",
    };
    return (uint32_t)method < VKSKIN_METHOD_COUNT ? names[method] : "unknown";
}

const char *sknEncodingName(VkskinPaletteEncoding encoding) {
    static const char *const names[VKSKIN_PALETTE_ENCODING_COUNT] = {
        [VKSKIN_PALETTE_MAT3X4] = "MAT3X4",
        [VKSKIN_PALETTE_DUAL_QUATERNION] = "DUAL_QUATERNION",
        [VKSKIN_PALETTE_SCALED_DUAL_QUATERNION] = "SCALED_DUAL_QUATERNION",
        [VKSKIN_PALETTE_QUATERNION] = "QUATERNION",
        [VKSKIN_PALETTE_QUATERNION_HALF] = "QUATERNION_HALF",
        [VKSKIN_PALETTE_QUATERNION_SNORM16] = "QUATERNION_SNORM16",
        [VKSKIN_PALETTE_MAT2X3] = "MAT2X3",
    };
    return (uint32_t)encoding < VKSKIN_PALETTE_ENCODING_COUNT ? names[encoding] : "unknown";
}

const char *sknFormatName(VkskinVertexFormat format) {
    static const char *const names[VKSKIN_VERTEX_FORMAT_COUNT] = {
        [VKSKIN_VERTEX_PACKED] = "packed",
        [VKSKIN_VERTEX_FLOAT] = "float",
    };
    return (uint32_t)format < VKSKIN_VERTEX_FORMAT_COUNT ? names[format] : "unknown";
}
