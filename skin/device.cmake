# The library with its Vulkan side. Needs Vulkan headers and glslc. Links no Vulkan symbol.
find_path(VKSKIN_VULKAN_INCLUDE_DIR vulkan/vulkan_core.h REQUIRED DOC "Folder of the Vulkan headers")
mark_as_advanced(VKSKIN_VULKAN_INCLUDE_DIR)

# Each kernel is compiled to four modules: up to four influences per vertex or more, without or with morph targets. They
# are separate modules, not specialisations of one, because drivers also spend time on code that a constant disables.
# kernel_code.inc gathers them into arrays NAME_plain, NAME_many, NAME_morphs and NAME_many_morphs. The archive that
# scripts/release.sh makes has a folder of compiled kernels. To compile changed kernels there, delete that folder.
set(kernel_dir "${CMAKE_CURRENT_BINARY_DIR}/kernels")
set(kernel_words_dir "${CMAKE_CURRENT_SOURCE_DIR}/kernels")
if(EXISTS "${kernel_words_dir}")
    message(STATUS "vkskin: the compiled kernels of ${kernel_words_dir}; glslc is not needed")
else()
    set(kernel_words_dir "${kernel_dir}")
endif()
set(kernel_defines_plain)
set(kernel_defines_many KERNEL_MANY)
set(kernel_defines_morphs KERNEL_MORPHS)
set(kernel_defines_many_morphs KERNEL_MANY KERNEL_MORPHS)
file(GLOB kernel_sources CONFIGURE_DEPENDS "${VKSKIN_SHADER_DIR}/kernels/*.comp")
set(kernel_words)
set(kernel_arrays)
foreach(variant plain many morphs many_morphs)
    if(kernel_words_dir STREQUAL kernel_dir)
        vkskin_compile_shaders(words vulkan1.1 "${kernel_dir}/${variant}" ${kernel_sources}
                               DEFINES ${kernel_defines_${variant}})
        list(APPEND kernel_words ${words})
    endif()
    foreach(source IN LISTS kernel_sources)
        get_filename_component(name "${source}" NAME_WE)
        string(APPEND kernel_arrays "static const uint32_t ${name}_${variant}[] =\n"
                                    "#include \"${variant}/${name}.comp.inc\"\n    ;\n")
    endforeach()
endforeach()
file(GENERATE OUTPUT "${kernel_dir}/kernel_code.inc" CONTENT "${kernel_arrays}")

# The passes of crowds: C includes crowd/NAME.comp.inc.
file(GLOB crowd_sources CONFIGURE_DEPENDS "${VKSKIN_SHADER_DIR}/crowd/*.comp")
if(kernel_words_dir STREQUAL kernel_dir)
    vkskin_compile_shaders(words vulkan1.1 "${kernel_dir}/crowd" ${crowd_sources})
    list(APPEND kernel_words ${words})
endif()
if(PROJECT_IS_TOP_LEVEL)
    add_custom_target(vkskin_kernels DEPENDS ${kernel_words}) # for scripts/release.sh
endif()

add_library(vkskin
    src/base/gpu.c
    src/crowd/clip_set.c
    src/crowd/crowd_ball.c
    src/crowd/crowd_bounds.c
    src/crowd/crowd_calls.c
    src/crowd/crowd_changes.c
    src/crowd/crowd_cpu.c
    src/crowd/crowd_create.c
    src/crowd/crowd_def.c
    src/crowd/crowd_device.c
    src/crowd/crowd_kernels.c
    src/crowd/crowd_morphs.c
    src/crowd/crowd_parts.c
    src/crowd/crowd_path.c
    src/crowd/crowd_plan.c
    src/crowd/crowd_pose.c
    src/crowd/crowd_query.c
    src/crowd/crowd_record.c
    src/crowd/crowd_stages.c
    src/crowd/crowd_views.c
    src/device/barriers.c
    src/device/buffer.c
    src/device/check_commands.c
    src/device/command_list.c
    src/device/commands.c
    src/device/context.c
    src/device/cpu_backend.c
    src/device/fills.c
    src/device/frame.c
    src/device/handle_table.c
    src/device/instance.c
    src/device/job_table.c
    src/device/kernels.c
    src/device/mesh.c
    src/device/mesh_kernels.c
    src/device/output_buffer.c
    src/device/page_pool.c
    src/device/palette_ring.c
    src/device/palettes.c
    src/device/record.c
    src/device/scopes.c
    src/device/specialise.c
    src/device/tuning.c
    src/device/updates.c
    src/device/uploads.c
    src/setup/lifecycle.c
    src/setup/tune.c
    src/setup/tune_poses.c
    ${kernel_words}
    $<TARGET_OBJECTS:vkskin_cpu>)
add_library(vkskin::vkskin ALIAS vkskin)
vkskin_library(vkskin)
vkskin_dll_exports(vkskin)
target_include_directories(vkskin PRIVATE src/crowd src/device src/setup "${kernel_dir}" "${kernel_words_dir}")
target_include_directories(vkskin SYSTEM PUBLIC "$<BUILD_INTERFACE:${VKSKIN_VULKAN_INCLUDE_DIR}>")
vkskin_level_sources(vkskin src/crowd/crowd_lanes.c)
