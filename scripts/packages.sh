# shellcheck shell=bash disable=SC2034
# packages.sh: which Debian packages the project needs, and how they get installed. For bash: run.sh and test.sh source
# it.
#
# Names are those of Debian 12. Only what is missing is installed, so a machine that has everything needs no network.

# What builds the project and runs the command `vkskin` on a software driver.
PACKAGES_RUN=(
    gcc g++ libc6-dev cmake ninja-build pkg-config
    libvulkan-dev libvulkan-volk-dev glslc libshaderc-dev
    libglfw3-dev libassimp-dev libtinygltf-dev libcjson-dev libstb-dev
    mesa-vulkan-drivers assimp-testmodels
)

# What the tests need besides: the test library, a second driver, the validation layer, a display without a screen, what
# draws the bench's plots, what makes the API reference, the compiler that brings libFuzzer (its runtime and tinygltf's
# JSON parser come as sources of the fuzz targets), and what scripts/lint.sh looks with.
PACKAGES_TEST=(
    libcmocka-dev chromium-common vulkan-validationlayers xvfb xauth libx11-dev x11-utils spirv-tools binutils git
    gnuplot-nox doxygen clang libclang-rt-14-dev nlohmann-json3-dev
    clang-format clang-tidy cppcheck shellcheck
)

# packagesMissing NAME...: prints those that are not installed, a name a line.
packagesMissing() {
    local name
    for name in "$@"; do
        case "$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null)" in
            installed) ;;
            *) printf '%s\n' "$name" ;;
        esac
    done
}

# packagesInstall NAME...: installs those that are missing, without questions. On failure one line on stderr, status 1.
packagesInstall() {
    local missing asRoot=()
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "this system has no apt: install the counterparts of these Debian packages and give --no-install: $*" >&2
        return 1
    fi
    mapfile -t missing < <(packagesMissing "$@")
    if [ "${#missing[@]}" -eq 0 ]; then
        return 0
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "not root, and there is no sudo; as root: apt-get install ${missing[*]}" >&2
            return 1
        fi
        asRoot=(sudo)
    fi
    echo "installing ${missing[*]}" >&2
    # `env` hands the variable through sudo, which clears the environment.
    if ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet update >&2 ||
        ! "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet --yes --no-install-recommends \
            -o Dpkg::Use-Pty=0 install "${missing[@]}" >&2; then
        echo "could not install: ${missing[*]}" >&2
        return 1
    fi
}

# packagesRequire NAME...: for --no-install: one line on stderr that names what is missing, status 1. Where there is no
# dpkg the build itself will tell.
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
