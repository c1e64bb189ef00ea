# Sources that are compiled once per instruction level of VkskinCpuLevel. At run time, only code of levels that the
# processor supports is called (cpu_level.h).
include(CheckCSourceCompiles)

set(vkskin_flags_Avx2 -mavx2 -mfma -ffp-contract=fast)
if(WIN32 AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # The stack of Windows is aligned to 16 bytes, and GCC does not align it further (GCC bug 54412). So the assembler
    # writes unaligned moves. Without the option (binutils 2.38) these levels are omitted.
    list(APPEND vkskin_flags_Avx2 -Wa,-muse-unaligned-vector-move)
endif()
set(vkskin_flags_Avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl ${vkskin_flags_Avx2})

# vkskin_level_sources(TARGET FILE...): compiles the files into the library target once for each level that the compiler
# and the architecture support. Defines VKSKIN_SIMD_LEVEL (Portable, Avx2 or Avx512) for them; see simd.h. Defines
# VKSKIN_HAS_AVX2 and VKSKIN_HAS_AVX512 for the whole target. The portable level is the file itself. The others are
# generated files that include it: a host that takes the library as a subproject then gets one target. Call it after
# setting the COMPILE_OPTIONS of the files: each level uses them, after its own.
function(vkskin_level_sources target)
    target_sources(${target} PRIVATE ${ARGN})
    set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS VKSKIN_SIMD_LEVEL=Portable)
    foreach(level Avx2 Avx512)
        set(flags ${vkskin_flags_${level}})
        string(TOUPPER ${level} LEVEL)
        set(CMAKE_REQUIRED_QUIET ON)
        string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "-Werror ${flags}")
        # Tests the target architecture, not this machine's processor.
        check_c_source_compiles("
            #if !defined(__x86_64__) || !defined(__GNUC__)
            #error
            #endif
            #include <immintrin.h>
            int main(void) { return __builtin_cpu_supports(\"avx2\") + __builtin_cpu_supports(\"avx512vl\"); }
            " vkskin_compiler_has_${LEVEL})
        if(NOT vkskin_compiler_has_${LEVEL})
            continue()
        endif()
        target_compile_definitions(${target} PRIVATE VKSKIN_HAS_${LEVEL})
        foreach(file IN LISTS ARGN)
            get_filename_component(name "${file}" NAME_WE)
            get_source_file_property(options "${file}" COMPILE_OPTIONS)
            if(NOT options)
                set(options)
            endif()
            set(source "${CMAKE_CURRENT_BINARY_DIR}/levels/${name}_${level}.c")
            file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n" @ONLY)
            set_source_files_properties("${source}" PROPERTIES
                COMPILE_OPTIONS "${flags};${options}" COMPILE_DEFINITIONS VKSKIN_SIMD_LEVEL=${level})
            target_sources(${target} PRIVATE "${source}")
        endforeach()
    endforeach()
endfunction()
