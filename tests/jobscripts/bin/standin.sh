# What the stand-ins for launchers have in common: they check their arguments and start as many ranks with mpirun.
# shellcheck shell=bash disable=SC2034
set -u

refuse() { echo "${0##*/}: $*" >&2; exit 99; }

number() { case $1 in '' | *[!0-9]* | 0) refuse "not a number: $1" ;; esac; }

# start RANKS RANKS_PER_NODE NODES THREADS PROGRAM...: "" where the launcher is not told
start() {
    local ranks=$1 per_node=$2 nodes=$3 threads=$4
    shift 4
    number "$ranks"
    [ -z "$per_node" ] || [ -z "$nodes" ] || [ $((nodes * per_node)) -eq "$ranks" ] || refuse "$nodes nodes x $per_node ranks are not $ranks"
    [ -x "$1" ] || refuse "not a program: $1"
    [ -z "$threads" ] || case " $* " in *" --threads=$threads "*) ;; *) refuse "$threads cores for each rank, but: $*" ;; esac
    printf '%s\n' "${0##*/} $ranks" >>"$HEDDLE_STANDIN_LOG"
    if [ -n "${HEDDLE_STANDIN_WAITS:-}" ]; then
        trap 'echo terminated >>"$HEDDLE_STANDIN_LOG"; kill $!; exit 7' TERM USR1
        sleep 1200 >/dev/null 2>&1 & # until it is told
        printf 'waiting\n' >>"$HEDDLE_STANDIN_LOG"
        wait $!
        exit 98
    fi
    # shellcheck disable=SC2086  # a command with options
    exec $HEDDLE_STANDIN_MPIRUN -n "$ranks" "$@"
}
