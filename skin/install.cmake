# What `cmake --install` puts where: the headers, the library, the include file for hosts' shaders, and what
# find_package and pkg-config look for.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/vkskin")

install(TARGETS vkskin EXPORT vkskin_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY include/vkskin DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES "${VKSKIN_SHADER_DIR}/vkskin/vkskin.glsl" DESTINATION "${CMAKE_INSTALL_DATADIR}/vkskin/shaders/vkskin")

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

configure_file(vkskin.pc.in "${CMAKE_CURRENT_BINARY_DIR}/vkskin.pc" @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/vkskin.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
