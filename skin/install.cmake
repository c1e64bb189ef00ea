# Files of `cmake --install`: the headers, the static and the shared libraries, the include files for hosts' shaders, and
# files for find_package and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/vkskin")
# The prefix is relative to the files of pkg-config, so that the installed folder can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH up "${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir}" "${CMAKE_INSTALL_PREFIX}/")
string(REGEX REPLACE "/$" "" up "${up}")

# vkskin_install(TARGET PREFIX OBJECTS DESCRIPTION): both kinds of a library, exported as vkskin::<PREFIX>static and
# vkskin::<PREFIX>shared, and TARGET.pc. BUILD_SHARED_LIBS decides the kind of TARGET. The other kind is linked from
# OBJECTS, the same ones.
function(vkskin_install target prefix objects description)
    get_target_property(kind ${target} TYPE)
    if(kind STREQUAL "SHARED_LIBRARY")
        set(own shared)
        set(other static)
    else()
        set(own static)
        set(other shared)
    endif()
    string(TOUPPER ${other} other_kind)
    add_library(${target}_${other} ${other_kind} ${objects})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${prefix}${own})
    set_target_properties(${target}_${other} PROPERTIES
        EXPORT_NAME ${prefix}${other} OUTPUT_NAME ${target} LINKER_LANGUAGE C)
    vkskin_dll_exports(${target}_${other})
    foreach(property VERSION SOVERSION LINK_OPTIONS)
        get_target_property(value ${target} ${property})
        if(value)
            set_target_properties(${target}_${other} PROPERTIES ${property} "${value}")
        endif()
    endforeach()
    get_target_property(libraries ${target} LINK_LIBRARIES)
    target_link_libraries(${target}_${other} PRIVATE ${libraries})
    install(TARGETS ${target} ${target}_${other} EXPORT vkskin_targets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    set(name ${target})
    configure_file(vkskin.pc.in "${CMAKE_CURRENT_BINARY_DIR}/${target}.pc" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/${target}.pc" DESTINATION "${pkgconfig_dir}")
endfunction()

vkskin_install(vkskin_cpu cpu_ "$<TARGET_OBJECTS:vkskin_cpu>"
    "Poses, packs and skins meshes on the CPU: the part of vkskin that needs no Vulkan")
if(TARGET vkskin)
    vkskin_install(vkskin "" "$<TARGET_OBJECTS:vkskin>;$<TARGET_OBJECTS:vkskin_cpu>"
        "Skins meshes on the GPU by one compute pass, for Vulkan engines")
    install(FILES "${VKSKIN_SHADER_DIR}/vkskin/vkskin.glsl" "${VKSKIN_SHADER_DIR}/vkskin/vkskin_animation.glsl"
        "${VKSKIN_SHADER_DIR}/vkskin/vkskin_crowd.glsl" "${VKSKIN_SHADER_DIR}/vkskin/vkskin_vertex.glsl"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/vkskin/shaders/vkskin")
endif()
file(GLOB headers "${CMAKE_CURRENT_SOURCE_DIR}/include/vkskin/*.h")
if(NOT TARGET vkskin)
    list(FILTER headers EXCLUDE REGEX "/vkskin(_crowd)?\\.h$")
endif()
install(FILES ${headers} DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/vkskin")

install(EXPORT vkskin_targets NAMESPACE vkskin:: FILE vkskin-targets.cmake DESTINATION "${package_dir}")
configure_package_config_file(vkskin-config.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/vkskin-config.cmake"
    INSTALL_DESTINATION "${package_dir}"
    PATH_VARS CMAKE_INSTALL_DATADIR)
# Until 1.0 any minor version may break the interface.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/vkskin-config-version.cmake"
    VERSION "${PROJECT_VERSION}" COMPATIBILITY SameMinorVersion)
install(FILES
    "${CMAKE_CURRENT_BINARY_DIR}/vkskin-config.cmake"
    "${CMAKE_CURRENT_BINARY_DIR}/vkskin-config-version.cmake"
    DESTINATION "${package_dir}")
