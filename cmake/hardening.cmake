# vkskin_harden(TARGET): hardens optimised builds without sanitizers: stack canaries, checked calls of the C library,
# read-only relocations, position-independent code. Flags that the compiler or linker does not support are omitted. All
# flags are private to the target and do not affect programs that link it. Nothing for Windows: hosts that link the
# static library would need libssp, and the linker's defaults already randomise addresses and forbid code on the stack.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckPIESupported)

function(vkskin_harden target)
    # Sanitizers detect more if calls of the C library are not replaced with checked calls.
    if(VKSKIN_SANITIZE OR CMAKE_C_FLAGS MATCHES "-fsanitize" OR WIN32)
        return()
    endif()
    set(CMAKE_REQUIRED_QUIET ON)
    set(optimised "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")

    set(CMAKE_REQUIRED_FLAGS -Werror) # a flag that causes a warning is not supported
    foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
        string(MAKE_C_IDENTIFIER "vkskin_compiler_has${flag}" known)
        check_c_compiler_flag(${flag} ${known})
        if(${known})
            target_compile_options(${target} PRIVATE "$<${optimised}:${flag}>")
        endif()
    endforeach()
    unset(CMAKE_REQUIRED_FLAGS)

    # Keep a level that the user has chosen.
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
