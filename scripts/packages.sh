# shellcheck shell=bash disable=SC2034
# packages.sh: the Debian packages of the project, and functions that install them. run.sh and test.sh source it (bash).
#
# The names are those of Debian 12. Only missing packages are installed.

# Needed to build the project and to run the command `vkskin` on a software driver.
PACKAGES_RUN=(
    gcc g++ libc6-dev cmake ninja-build pkg-config
    libvulkan-dev libvulkan-volk-dev glslc libshaderc-dev
    libglfw3-dev libassimp-dev libtinygltf-dev libmeshoptimizer-dev libcjson-dev libstb-dev libseccomp-dev libwebp-dev
    libode-dev
    nlohmann-json3-dev libimgui-dev fonts-dejavu-core
    mesa-vulkan-drivers assimp-testmodels
)

# Also needed by the tests: the test library, a second driver, the validation layer, a virtual display, gnuplot for the
# bench, jq for reports in JSON, a validator of JSON schemas, doxygen, clang with libFuzzer (its runtime is part of the fuzz targets), a compiler for
# Windows and Wine, and the tools of scripts/lint.sh.
PACKAGES_TEST=(
    libcmocka-dev chromium-common vulkan-validationlayers xvfb xauth libx11-dev x11-utils spirv-tools spirv-cross binutils git
    gnuplot-nox jq python3-jsonschema doxygen clang libclang-rt-14-dev gcc-mingw-w64-x86-64-win32 wine64
    clang-format clang-tidy cppcheck shellcheck
)

# packagesMissing NAME...: prints the packages that are not installed, one per line.
packagesMissing() {
    local name
    for name in "$@"; do
        case "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" in
            installed) ;;
            *) printf '%s\n' "$name" ;;
        esac
    done
}

# packagesInstall NAME...: installs missing packages without questions. On failure one line on stderr, status 1.
packagesInstall() {
    local missing asRoot=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "this system has no apt: install the equivalents of these Debian packages and pass --no-install: $*" >&2
        return 1
    fi
    mapfile -t missing < <(packagesMissing "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "not root and no sudo; run as root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        asRoot=(sudo)
    fi
    echo "installing ${missing[*]}" >&2
    # sudo clears the environment, so `env` sets the variable.
    if ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet update >&2 ||
        ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet --yes --no-install-recommends \
            -o Dpkg::Use-Pty=0 install "${missing[@]}" >&2; then
        echo "could not install: ${missing[*]}" >&2
        return 1
    fi
}

# packagesRequire NAME...: for --no-install. Prints one line on stderr that names missing packages; status 1. Without dpkg
# it checks nothing.
packagesRequire() {
    local missing
    if ! command -v dpkg-query >/dev/null; then
        return 0
    fi
    mapfile -t missing < <(packagesMissing "$@")
    if [ "${#missing[@]}" -ne 0 ]; then
        echo "not installed: ${missing[*]}" >&2
        return 1
    fi
}
