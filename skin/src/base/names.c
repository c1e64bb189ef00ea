#include "names.h"

uint32_t vkskinVersion(void) {
    return VKSKIN_VERSION;
}

/* A switch, so that the compiler warns about a missing result. */
#define RESULT_CASE(name)                                                                                              \
    case name:                                                                                                         \
        return #name

const char *vkskinResultName(VkskinResult result) {
    switch (result) {
        RESULT_CASE(VKSKIN_SUCCESS);
        RESULT_CASE(VKSKIN_WARNING_WEIGHTS_NORMALISED);
        RESULT_CASE(VKSKIN_WARNING_INFLUENCES_TRIMMED);
        RESULT_CASE(VKSKIN_WARNING_SCALE_LOST);
        RESULT_CASE(VKSKIN_WARNING_COMMANDS_DROPPED);
        RESULT_CASE(VKSKIN_WARNING_INCOMPLETE);
        RESULT_CASE(VKSKIN_WARNING_DEPTH_LOST);
        RESULT_CASE(VKSKIN_WARNING_COMMANDS_REFUSED);
        RESULT_CASE(VKSKIN_WARNING_PIPELINE_MISSING);
        RESULT_CASE(VKSKIN_WARNING_NORMALS_CHEAP);
        RESULT_CASE(VKSKIN_WARNING_ERROR_BOUND);
        RESULT_CASE(VKSKIN_WARNING_GAP_AFTER_NORMAL);
        RESULT_CASE(VKSKIN_ERROR_DEF_NOT_INITIALISED);
        RESULT_CASE(VKSKIN_ERROR_NULL_ARGUMENT);
        RESULT_CASE(VKSKIN_ERROR_INVALID_VALUE);
        RESULT_CASE(VKSKIN_ERROR_NULL_HANDLE);
        RESULT_CASE(VKSKIN_ERROR_STALE_HANDLE);
        RESULT_CASE(VKSKIN_ERROR_OUT_OF_HOST_MEMORY);
        RESULT_CASE(VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY);
        RESULT_CASE(VKSKIN_ERROR_DEVICE_LOST);
        RESULT_CASE(VKSKIN_ERROR_VULKAN);
        RESULT_CASE(VKSKIN_ERROR_MISSING_FUNCTION);
        RESULT_CASE(VKSKIN_ERROR_UNSUPPORTED_DEVICE);
        RESULT_CASE(VKSKIN_ERROR_TUNING_MISMATCH);
        RESULT_CASE(VKSKIN_ERROR_KERNEL_CODE);
        RESULT_CASE(VKSKIN_ERROR_JOINT_OUT_OF_RANGE);
        RESULT_CASE(VKSKIN_ERROR_WEIGHT_NOT_FINITE);
        RESULT_CASE(VKSKIN_ERROR_WEIGHT_NEGATIVE);
        RESULT_CASE(VKSKIN_ERROR_WEIGHT_ZERO);
        RESULT_CASE(VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE);
        RESULT_CASE(VKSKIN_ERROR_MESH_TOO_LARGE);
        RESULT_CASE(VKSKIN_ERROR_MESH_IN_USE);
        RESULT_CASE(VKSKIN_ERROR_CENTRES_MISMATCH);
        RESULT_CASE(VKSKIN_ERROR_MORPH_OUT_OF_RANGE);
        RESULT_CASE(VKSKIN_ERROR_FRAME_NOT_BEGUN);
        RESULT_CASE(VKSKIN_ERROR_FRAME_ORDER);
        RESULT_CASE(VKSKIN_ERROR_PALETTE_RING_FULL);
        RESULT_CASE(VKSKIN_ERROR_PALETTE_STALE);
        RESULT_CASE(VKSKIN_ERROR_PALETTE_TOO_SMALL);
        RESULT_CASE(VKSKIN_ERROR_PALETTE_ENCODING);
        RESULT_CASE(VKSKIN_ERROR_TOO_MANY_INSTANCES);
        RESULT_CASE(VKSKIN_ERROR_ALREADY_SKINNED);
        RESULT_CASE(VKSKIN_ERROR_NOT_SKINNED);
        RESULT_CASE(VKSKIN_ERROR_PIPELINE_MISSING);
        RESULT_CASE(VKSKIN_ERROR_UPLOADS_PENDING);
        RESULT_CASE(VKSKIN_ERROR_TOO_MANY_SCOPES);
        RESULT_CASE(VKSKIN_ERROR_TOO_MANY_MORPHS);
        RESULT_CASE(VKSKIN_ERROR_METHOD_DATA_MISSING);
        RESULT_CASE(VKSKIN_ERROR_OUTPUT_OVERLAP);
        RESULT_CASE(VKSKIN_ERROR_OUTPUT_BUFFER_FULL);
        RESULT_CASE(VKSKIN_ERROR_OUTPUT_BUFFER_IN_USE);
        RESULT_CASE(VKSKIN_ERROR_CLIP_SET_IN_USE);
        RESULT_CASE(VKSKIN_ERROR_CROWD_FULL);
        RESULT_CASE(VKSKIN_ERROR_NODE_OUT_OF_RANGE);
        RESULT_CASE(VKSKIN_ERROR_KEY_TIMES);
        RESULT_CASE(VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
        RESULT_CASE(VKSKIN_ERROR_SINGULAR_MATRIX);
        RESULT_CASE(VKSKIN_ERROR_HIERARCHY_CYCLE);
        RESULT_CASE(VKSKIN_ERROR_ANIMATION_DATA);
        RESULT_CASE(VKSKIN_ERROR_ANIMATION_VERSION);
        RESULT_CASE(VKSKIN_ERROR_TRANSFORM_NOT_AFFINE);
        RESULT_CASE(VKSKIN_ERROR_INDEX_OUT_OF_RANGE);
        RESULT_CASE(VKSKIN_ERROR_BONE_LIMIT);
        RESULT_CASE(VKSKIN_ERROR_CANCELLED);
    case VKSKIN_RESULT_FORCE_INT32:
        break;
    }
    return "VKSKIN_UNKNOWN";
}

#define RETURN_METHOD(name, text)                                                                                      \
    case VKSKIN_METHOD_##name:                                                                                         \
        return text;
#define RETURN_ENCODING(name, bytes, text)                                                                             \
    case VKSKIN_PALETTE_##name:                                                                                        \
        return #name;
#define RETURN_FORMAT(name, text)                                                                                      \
    case VKSKIN_VERTEX_##name:                                                                                         \
        return text;

#define RETURN_METHOD_ENUMERATOR(name, text)                                                                           \
    case VKSKIN_METHOD_##name:                                                                                         \
        return #name;
#define RETURN_FORMAT_ENUMERATOR(name, text)                                                                           \
    case VKSKIN_VERTEX_##name:                                                                                         \
        return #name;

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

const char *sknMethodEnumerator(VkskinMethod method) {
    switch (method) { VKSKIN_METHODS(RETURN_METHOD_ENUMERATOR) }
    return "unknown";
}

const char *sknFormatEnumerator(VkskinVertexFormat format) {
    switch (format) { VKSKIN_VERTEX_FORMATS(RETURN_FORMAT_ENUMERATOR) }
    return "unknown";
}
