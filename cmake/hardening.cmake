# vkskin_harden(TARGET): what an optimised build without sanitizers defends itself with: canaries on the stack, checked
# calls of the C library, a table of addresses that is read-only once loaded, code that may lie anywhere. A flag that
# the compiler or the linker does not know is left out. All of it is private to the target, and nothing is asked of
# those who link it.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(vkskin_harden target)
    # Sanitizers see more of the C library's calls where those are not replaced by checked ones.
    if(VKSKIN_SANITIZE OR CMAKE_C_FLAGS MATCHES "-fsanitize" OR MSVC)
        return()
    endif()
    set(CMAKE_REQUIRED_QUIET ON)
    set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")

    set(CMAKE_REQUIRED_FLAGS -Werror) # a flag that only draws a warning is unknown too
    foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
        string(MAKE_C_IDENTIFIER "vkskin_compiler_has${flag}" known)
        check_c_compiler_flag(${flag} ${known})
        if(${known})
            target_compile_options(${target} PRIVATE "$<${optimised}:${flag}>")
        endif()
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)

    # Whoever builds may have chosen a level already.
    if(NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
        target_compile_options(${target} PRIVATE "$<${optimised}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
    endif()

    check_linker_flag(C "LINKER:-z,relro,-z,now" vkskin_linker_has_relro)
    if(vkskin_linker_has_relro)
        target_link_options(${target} PRIVATE "$<${optimised}:LINKER:-z,relro,-z,now>")
    endif()

    check_pie_supported(OUTPUT_VARIABLE pie_refusal)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()
