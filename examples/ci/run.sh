#!/usr/bin/env bash
# run.sh [CMAKE-ARGUMENTS...]: builds the test project and runs its tests on two drivers without a GPU, with validation.
# The build goes to `build` in the current folder. A missing driver fails the run.
set -eu -o pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
drivers=("${SWIFTSHADER:-/usr/lib/chromium/vk_swiftshader_icd.json}"
    "${LAVAPIPE:-/usr/share/vulkan/icd.d/lvp_icd.x86_64.json}")

cmake -S "$here" -B build -DCMAKE_BUILD_TYPE=Release "$@"
cmake --build build --parallel
for driver in "${drivers[@]}"; do
    if [ ! -e "$driver" ]; then
        echo "no driver: $driver"
        exit 1
    fi
    echo "driver: $driver"
    # The loader reads the first name from version 1.3.207 on, older ones the second.
    VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver \
        VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT \
        VKSKIN_EXAMPLE_VALIDATION=1 ctest --test-dir build --output-on-failure
done
