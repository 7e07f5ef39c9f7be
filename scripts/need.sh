# What the scripts beside this one install or ask for, on any system. To be sourced.

step() { printf '\n== %s\n' "$*"; }

# As root, or through sudo where that is there.
as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        echo "this has to be run as root: $*" >&2
        return 1
    fi
}

# Installs Debian packages unless the command that they bring is there; where there is no apt-get, says what is missing.
need() {
    local command=$1
    shift
    command -v "$command" >/dev/null && return
    if ! command -v apt-get >/dev/null; then
        echo "$command is missing: install it (Debian's packages: $*)" >&2
        return 1
    fi
    echo "installing $*, for $command"
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$@"
}

is_debian() { command -v dpkg >/dev/null && command -v apt-get >/dev/null; }

# Installs Debian packages unless all of them are there.
need_packages() {
    dpkg -s "$@" >/dev/null 2>&1 && return
    echo "installing $*"
    as_root apt-get update -qq && as_root apt-get install -y -qq "$@"
}
