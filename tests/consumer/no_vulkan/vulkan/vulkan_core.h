/* Stands for a machine without Vulkan headers: a source that includes this file does not compile. */
#error "vkskin::cpu must not include Vulkan headers"
