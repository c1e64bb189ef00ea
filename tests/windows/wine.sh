#!/usr/bin/env bash
# wine.sh FOLDER PROGRAM [ARGS...]: runs a Windows program in Wine, without a display.
# wine.sh FOLDER --start|--stop: starts Wine's server and services before many programs, and ends them. Without this Wine
# ends them after the last program, and a program that starts at that moment fails.
# FOLDER is Wine's own folder (its "prefix"), made if it is not there. Wine would fill it with 700 MB of copies in 12
# seconds. Console programs need only links to the installed files, and a note that Wine must not update the folder.
set -u -o pipefail
prefix=$1
shift

fail() {
    echo "wine.sh: $*" >&2
    exit 127
}

PATH=$PATH:/usr/lib/wine # Debian's folder for these programs
command -v wine64 >/dev/null || fail "there is no wine64: install the package wine64"

if [ ! -e "$prefix/.update-timestamp" ]; then
    kernel=$(find /usr/lib/ -path '*/wine/x86_64-windows/kernel32.dll' -print -quit)
    [ -n "$kernel" ] || fail "there is no kernel32.dll of Wine in /usr/lib"
    new=$prefix.$$
    mkdir -p "$new/drive_c/windows/system32" "$new/dosdevices" &&
        ln -s "$(dirname "$kernel")"/* "$new/drive_c/windows/system32/" &&
        ln -s ../drive_c "$new/dosdevices/c:" &&
        ln -s / "$new/dosdevices/z:" &&
        echo disable >"$new/.update-timestamp" || fail "cannot write $new"
    mv -T "$new" "$prefix" 2>/dev/null || rm -rf "$new" # another program may have made it meanwhile
fi
export WINEDEBUG=-all WINEPREFIX=$prefix

export WINEDEBUG=-all WINEPREFIX=$prefix

case "$1" in
    --start)
        # Services keep the output files of the program that they start with.
        exec </dev/null >/dev/null 2>&1
        wineserver -p300
        exec wine64 cmd.exe /c exit
        ;;
    --stop) exec wineserver -k ;;
    *) exec wine64 "$@" ;;
esac
