# Toolchain file: builds for 64-bit Windows with mingw-w64 (Debian: gcc-mingw-w64-x86-64-win32), and runs test programs
# in Wine (Debian: wine64). VKSKIN_VULKAN_INCLUDE_DIR must name a folder with the Vulkan headers and no others of this
# system: see tests/windows/build.sh.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_CROSSCOMPILING_EMULATOR "${CMAKE_CURRENT_LIST_DIR}/../tests/windows/wine.sh" "${CMAKE_BINARY_DIR}/wine")
