# vkskin_compile_shaders(WORDS ENVIRONMENT FOLDER SOURCES... [DEFINES NAME=VALUE...]): compiles each GLSL source
# to FOLDER/NAME.inc, a list of 32-bit words for C to include. Sets WORDS to these files. ENVIRONMENT is a target of
# glslc such as vulkan1.1. Sources include files by paths relative to shaders/.
set(VKSKIN_SHADER_DIR "${CMAKE_CURRENT_LIST_DIR}/../shaders")

function(vkskin_compile_shaders words environment folder)
    find_program(VKSKIN_GLSLC glslc REQUIRED DOC "The GLSL compiler of shaderc")
    mark_as_advanced(VKSKIN_GLSLC)
    cmake_parse_arguments(PARSE_ARGV 3 shader "" "" "DEFINES")
    list(TRANSFORM shader_DEFINES PREPEND -D)
    set(all)
    foreach(source IN LISTS shader_UNPARSED_ARGUMENTS)
        get_filename_component(name "${source}" NAME)
        add_custom_command(
            OUTPUT "${folder}/${name}.inc"
            COMMAND ${CMAKE_COMMAND} -E make_directory "${folder}"
            COMMAND ${VKSKIN_GLSLC} -O --target-env=${environment} -Werror -mfmt=c -I "${VKSKIN_SHADER_DIR}" ${shader_DEFINES}
                    -MD -MF "${folder}/${name}.d" -o "${folder}/${name}.inc" "${source}"
            DEPENDS "${source}"
            DEPFILE "${folder}/${name}.d"
            COMMENT "Compiling shader ${name}"
            VERBATIM)
        list(APPEND all "${folder}/${name}.inc")
    endforeach()
    set(${words} ${all} PARENT_SCOPE)
endfunction()
