# Compile options of engine, bench and tests: they call vkskin_options(target).
# The library sets its options in skin/, so that they are the same in a host's build.
include("${CMAKE_CURRENT_LIST_DIR}/hardening.cmake")

function(vkskin_options target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 17 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow
        $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes -Wmissing-prototypes>
        $<$<BOOL:${VKSKIN_WERROR}>:-Werror>
        $<$<BOOL:${VKSKIN_SANITIZE}>:-fsanitize=address,undefined;-fno-sanitize-recover=undefined;-fno-omit-frame-pointer>)
    target_link_options(${target} PRIVATE
        $<$<BOOL:${VKSKIN_SANITIZE}>:-fsanitize=address,undefined>)
    vkskin_harden(${target})
endfunction()
