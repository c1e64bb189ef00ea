# vkskin_cpu_sources(TARGET LEVEL FILE...): files of a library target that may use the instructions of a level of
# VkskinCpuLevel, AVX2 or AVX512, and are run only where the processor has them (cpu_level.h). They alone get the flags.
# Where the compiler or the architecture does not know them, the files are still compiled, without: each then holds
# nothing, by VKSKIN_HAS_AVX2 or VKSKIN_HAS_AVX512, which all files of the target see where the level is there.
include(CheckCSourceCompiles)

set(vkskin_flags_AVX2 -mavx2 -mfma -ffp-contract=fast)
set(vkskin_flags_AVX512 -mavx512f -mavx512bw -mavx512dq -mavx512vl ${vkskin_flags_AVX2})

function(vkskin_cpu_sources target level)
    set(CMAKE_REQUIRED_QUIET ON)
    set(CMAKE_REQUIRED_FLAGS "-Werror ${vkskin_flags_${level}}")
    string(REPLACE ";" " " CMAKE_REQUIRED_FLAGS "${CMAKE_REQUIRED_FLAGS}")
    # What is asked is the target, not this machine.
    check_c_source_compiles("
        #if !defined(__x86_64__) || !defined(__GNUC__)
        #error
        #endif
        #include <immintrin.h>
        int main(void) { return __builtin_cpu_supports(\"avx2\") + __builtin_cpu_supports(\"avx512vl\"); }
        " vkskin_compiler_has_${level})
    if(vkskin_compiler_has_${level})
        target_compile_definitions(${target} PRIVATE VKSKIN_HAS_${level})
        if(ARGN)
            set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "${vkskin_flags_${level}}")
        endif()
    endif()
endfunction()
