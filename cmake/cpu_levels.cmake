# Sources that are compiled once per instruction level of VkskinCpuLevel. At run time, only code of levels that the
# processor supports is called (cpu_level.h).
include(CheckCSourceCompiles)

set(vkskin_flags_Portable)
set(vkskin_flags_Avx2 -mavx2 -mfma -ffp-contract=fast)
set(vkskin_flags_Avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl ${vkskin_flags_Avx2})

# vkskin_level_sources(TARGET FILE...): compiles the files into the library target for each level that the compiler and
# the architecture support. Defines VKSKIN_SIMD_LEVEL (Portable, Avx2 or Avx512) for them; see simd.h. Defines
# VKSKIN_HAS_AVX2 and VKSKIN_HAS_AVX512 for all files of the target if the level exists. Call it after the target's
# other settings, which each level copies.
function(vkskin_level_sources target)
    foreach(level Portable Avx2 Avx512)
        set(flags ${vkskin_flags_${level}})
        if(flags)
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
        endif()
        set(objects ${target}_${level})
        add_library(${objects} OBJECT ${ARGN})
        foreach(property C_STANDARD C_STANDARD_REQUIRED C_EXTENSIONS C_VISIBILITY_PRESET POSITION_INDEPENDENT_CODE)
            get_target_property(value ${target} ${property})
            set_target_properties(${objects} PROPERTIES ${property} "${value}")
        endforeach()
        target_include_directories(${objects} PRIVATE "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
        target_compile_definitions(${objects} PRIVATE VKSKIN_SIMD_LEVEL=${level})
        target_compile_options(${objects} PRIVATE "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" ${flags})
        target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
    endforeach()
endfunction()
