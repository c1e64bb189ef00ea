#!/bin/sh
# run_watched.sh PROGRAM [ARGUMENTS...]: runs a ThreadSanitizer program at fixed addresses.
#
# It needs the address space laid out as it expects, and some kernels shuffle it more widely. Where fixed addresses may
# not be had, as in some containers, the program runs as it is.
if setarch "$(uname -m)" --addr-no-randomize true 2>/dev/null; then
    exec setarch "$(uname -m)" --addr-no-randomize "$@"
fi
exec "$@"
