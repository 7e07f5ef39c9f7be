#!/usr/bin/env bash
# The viewer as a page, the package for npm, and the example pages.
#
#   scripts/web.sh            builds all of it into web/dist and serves it: http://localhost:8787
#   scripts/web.sh build      builds it
#   scripts/web.sh test       builds it, and runs the browser tests: part of scripts/check.sh
#
# The compiler is that of rustup where it has the target wasm32-unknown-unknown, else Debian's (its packages for browsers are unpacked below
# the target folder; nothing is installed for it). Cargo, Node and npm are needed; the tests need Chromium or Chrome too. As root, or through sudo,
# Debian packages are installed where they are missing; what is still missing is said before anything is built.
set -euo pipefail
called=$PWD
cd "$(dirname "$0")/.."
root=$PWD
target=wasm32-unknown-unknown
# Beside the folders of the other workspaces, not in them: the compiler and the features are others.
if [ -n "${CARGO_TARGET_DIR:-}" ]; then
    # As whoever called meant it: relative to where they were.
    CARGO_TARGET_DIR=$(cd "$called" && mkdir -p "$CARGO_TARGET_DIR" && cd "$CARGO_TARGET_DIR" && pwd)
    export CARGO_TARGET_DIR
fi
built=${CARGO_TARGET_DIR:+$CARGO_TARGET_DIR/web}
built=${built:-$root/web/target}
tools=$built/tools
mkdir -p "$tools"

step() { printf -- '-- %s\n' "$*"; }

has() { command -v "$1" >/dev/null; }

fail() {
    echo "$*" >&2
    exit 1
}

# Whether Debian packages can be installed here.
can_install() { has apt-get && { [ "$(id -u)" = 0 ] || has sudo; }; }

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi; }

# Installs a Debian package unless the command that it brings is there.
need() {
    local command=$1 package=$2
    has "$command" && return
    can_install || fail "$command is missing: install it (on Debian, as root: \`apt-get install $package\`)"
    step "installing $package, for $command"
    as_root apt-get update -qq && as_root apt-get install -y -qq --no-install-recommends "$package" ||
        fail "$command is missing, and $package could not be installed"
}

need_compiler() {
    local command
    for command in cargo rustc; do
        has "$command" || fail "$command is missing: install Rust (https://rustup.rs), and \`rustup target add $target\`"
    done
    need node nodejs
    need npm npm
}

# The browser of the tests: another one than that of the path, where that is wanted.
need_browser() {
    local name
    for name in ${NEBULA_CHROMIUM:-chromium chromium-browser google-chrome google-chrome-stable}; do
        if has "$name"; then
            NEBULA_CHROMIUM=$(command -v "$name")
            export NEBULA_CHROMIUM
            return
        fi
    done
    [ -z "${NEBULA_CHROMIUM:-}" ] || fail "NEBULA_CHROMIUM is $NEBULA_CHROMIUM: there is no such program"
    need chromium chromium
    need_browser
}

# A compiler with the target: rustup's, or Debian's unpacked below the target folder, with a standard library that cargo builds along.
std=()
find_compiler() {
    if [ -d "$(rustc --print sysroot)/lib/rustlib/$target/lib" ]; then
        return
    fi
    has apt-get || fail "no compiler for $target: \`rustup target add $target\`"
    local debian=$tools/debian
    if [ ! -e "$debian/complete" ]; then
        step "unpacking Debian's compiler for browsers"
        rm -rf "$debian" && mkdir -p "$debian/packages"
        apt-cache show rustc-web >/dev/null 2>&1 || { can_install && as_root apt-get update -qq; } ||
            fail "Debian's packages for browsers are not known here; with rustup: \`rustup target add $target\`"
        (
            cd "$debian/packages"
            local lib
            lib=$(apt-cache depends libstd-rust-web-dev | sed -n 's/.*Depends: \(libstd-rust-web-[0-9.]*\)$/\1/p' | head -n 1)
            local llvm
            llvm=$(apt-cache depends "$lib" | sed -n 's/.*Depends: libllvm\([0-9]*\)$/\1/p' | head -n 1)
            apt-get download -qq rustc-web libstd-rust-web-dev "$lib" rust-web-src rust-web-llvm "libllvm$llvm" "lld-$llvm" ||
                fail "Debian's packages for browsers are not to be had; with rustup: \`rustup target add $target\`"
            for package in *.deb; do dpkg -x "$package" ..; done
        )
        rm -rf "$debian/packages"
        # Both look for their libraries where they were unpacked.
        local name
        for name in rustc wasm-ld; do
            local program
            program=$(find "$debian/usr/bin" -name "$name" -o -name "$name-[0-9]*" | head -n 1)
            printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' \
                "$(echo "$debian"/usr/lib/*-linux-gnu* "$debian"/usr/lib/llvm-*/lib | tr ' ' :)" "$program" >"$debian/$name"
            chmod +x "$debian/$name"
        done
        touch "$debian/complete"
    fi
    export RUSTC=$debian/rustc RUSTC_BOOTSTRAP=1
    export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$debian/wasm-ld
    std=(-Z build-std=std,panic_abort)
}

# Everything is built twice: with vector instructions, and for browsers that have none.
modules=(simd plain)

# Builds a crate of the workspace for browsers: its name, the folder of the result, flags of the compiler, and what else cargo is told.
build_crate() {
    local name=$1 folder=$2 flags=$3
    shift 3
    # Flags of the environment are for another machine, and would take the place of these. An empty list is an error to old shells.
    env -u RUSTFLAGS -u CARGO_ENCODED_RUSTFLAGS \
        CARGO_TARGET_DIR="$built/$folder" CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS="$flags" \
        cargo build --quiet --locked --release --manifest-path web/Cargo.toml --target $target ${std[@]+"${std[@]}"} -p "$name" "$@"
}

# The JavaScript that belongs to a module.
bind() {
    "$tools/bin/wasm-bindgen" --target web --no-typescript --remove-name-section --remove-producers-section \
        --out-dir "web/dist/$3" --out-name "$4" "$built/$2/$target/release/${1//-/_}.wasm"
}

build() {
    need_compiler
    # The same version as the crate, without optimisation: it runs for a second.
    local version
    version=$(sed -n 's/^wasm-bindgen = "=\(.*\)"/\1/p' web/Cargo.toml)
    if ! "$tools/bin/wasm-bindgen" --version 2>/dev/null | grep -qF "$version"; then
        cargo install --quiet wasm-bindgen-cli --version "$version" --debug --root "$tools"
    fi
    (
        find_compiler
        local flags
        for folder in "${modules[@]}"; do
            flags=
            [ "$folder" = plain ] || flags="-C target-feature=+simd128"
            step "the package, $folder"
            build_crate nebula-animation-web "$folder" "$flags"
            step "the viewer, $folder"
            # One character is evaluated soon enough; a page had better be small.
            build_crate nebula-viewer-web "$folder" "$flags" --config 'profile.release.package.nebula-animation.opt-level="z"'
        done
    )
    rm -rf web/dist
    local folder
    for folder in "${modules[@]}"; do
        bind nebula-animation-web "$folder" "nebula-animation/$folder" nebula
        bind nebula-viewer-web "$folder" "viewer/$folder" viewer
    done
    # Servers that compress do not say how long the whole is.
    length() { wc -c <"web/dist/viewer/$1/viewer_bg.wasm" | tr -d ' '; }
    echo "export const LENGTHS = { simd: $(length simd), plain: $(length plain) };" >web/dist/viewer/lengths.js
    cp web/package/js/* LICENSE-MIT LICENSE-APACHE web/dist/nebula-animation/
    mkdir -p web/dist/models
    cp crates/nebula-animation/test_assets/*.glb web/dist/models/
    step "what the examples and the tests use"
    # Hosts of registries have no place in a lock file.
    (cd web && npm ci --loglevel=error --no-audit --no-fund) || fail "npm could not install what web/package-lock.json names"
}

case ${1:-serve} in
build) build ;;
serve)
    build
    exec node web/serve.mjs 8787
    ;;
test)
    need_compiler
    need_browser
    build
    step "clippy on the package"
    # As code of this machine: clippy is not there for the other compiler. The viewer's few lines compile for browsers only.
    if cargo clippy --version >/dev/null 2>&1; then
        CARGO_TARGET_DIR=$built/native cargo clippy --quiet --locked --manifest-path web/Cargo.toml -p nebula-animation-web -- -D warnings
    fi
    step "what a desktop makes of the same files"
    cargo build --quiet --workspace --all-features --examples
    NEBULA_REFERENCE=${CARGO_TARGET_DIR:-$root/target}/debug/examples/web_reference
    export NEBULA_REFERENCE
    step "types of the package, and the pages' scripts"
    # Pages are scripts without a compiler: at least they are read.
    for script in web/*.js web/*.mjs web/tests/*.js web/tests/*.mjs web/package/js/*.js; do node --check "$script"; done
    step "browser tests"
    node --test --test-concurrency=1 web/tests/*.test.mjs
    ;;
*)
    echo "scripts/web.sh [build|serve|test]" >&2
    exit 2
    ;;
esac
