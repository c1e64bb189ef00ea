# Files of `cmake --install`: the headers, the static and the shared library, the include files for hosts' shaders, and
# files for find_package and pkg-config.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/vkskin")

# BUILD_SHARED_LIBS decides the kind of `vkskin`. The other kind is linked from the same objects.
get_target_property(kind vkskin TYPE)
if(kind STREQUAL "SHARED_LIBRARY")
    set(own shared)
    set(other static)
else()
    set(own static)
    set(other shared)
endif()
string(TOUPPER ${other} other_kind)
add_library(vkskin_${other} ${other_kind} $<TARGET_OBJECTS:vkskin>)
set_target_properties(vkskin PROPERTIES EXPORT_NAME ${own})
set_target_properties(vkskin_${other} PROPERTIES EXPORT_NAME ${other} OUTPUT_NAME vkskin LINKER_LANGUAGE C)
vkskin_dll_exports(vkskin_${other})
foreach(property VERSION SOVERSION LINK_OPTIONS)
    get_target_property(value vkskin ${property})
    if(value)
        set_target_properties(vkskin_${other} PROPERTIES ${property} "${value}")
    endif()
endforeach()
get_target_property(libraries vkskin LINK_LIBRARIES)
target_link_libraries(vkskin_${other} PRIVATE ${libraries})

install(TARGETS vkskin vkskin_${other} EXPORT vkskin_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY include/vkskin DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${VKSKIN_SHADER_DIR}/vkskin/vkskin.glsl" "${VKSKIN_SHADER_DIR}/vkskin/vkskin_animation.glsl"
    "${VKSKIN_SHADER_DIR}/vkskin/vkskin_crowd.glsl" "${VKSKIN_SHADER_DIR}/vkskin/vkskin_vertex.glsl"
    DESTINATION "${CMAKE_INSTALL_DATADIR}/vkskin/shaders/vkskin")

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

# The prefix is relative to vkskin.pc, so that the installed folder can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH up "${CMAKE_INSTALL_PREFIX}/${pkgconfig_dir}" "${CMAKE_INSTALL_PREFIX}/")
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(vkskin.pc.in "${CMAKE_CURRENT_BINARY_DIR}/vkskin.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vkskin.pc" DESTINATION "${pkgconfig_dir}")
