#!/usr/bin/env bash
# Everything that has to be true of this repository, on any machine with Rust and a C compiler.
#
#   scripts/check.sh          checks all of it
#
# Debian packages that the tests need are installed when they are missing (as root, or through sudo). The tests on the
# two corpora run where those are found: in the folder that NEBULA_CORPORA names, or in `shared` beside the repository.
# NEBULA_REQUIRE_CORPORA=1 makes their absence an error. The tests of the GPU run on Mesa's software drivers, and must; those of
# the windows on a display that nobody sees.
set -euo pipefail
cd "$(dirname "$0")/.."

# shellcheck source=scripts/need.sh
. scripts/need.sh

step "what the tests of the GPU and of windows need"
if is_debian; then
    need_packages mesa-vulkan-drivers libvulkan1 libegl1 libgl1-mesa-dri
    need_packages xvfb xdotool imagemagick libx11-6 libx11-xcb1 libxcursor1 libxi6 libxkbcommon0 libxkbcommon-x11-0 libxcb1
    # Skipping is an error here.
    export NEBULA_REQUIRE_GPU=1 NEBULA_REQUIRE_DISPLAY=1
else
    echo "NOTE: not a Debian: what lacks a GPU or a display will say that it did not run, unless NEBULA_REQUIRE_GPU=1 or NEBULA_REQUIRE_DISPLAY=1"
fi
# The drivers want a folder of their own.
if [ -z "${XDG_RUNTIME_DIR:-}" ]; then
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
fi

step "what the tests of written files need: Khronos's validator"
need npm npm
validator=$PWD/target/tools/validator
[ -d "$validator/node_modules/gltf-validator" ] ||
    npm install --silent --no-audit --no-fund --prefix "$validator" gltf-validator@2.0.0-dev.3.10
export NODE_PATH=$validator/node_modules${NODE_PATH:+:$NODE_PATH} NEBULA_REQUIRE_VALIDATOR=1

step "FBX files of others, to be compared with ufbx"
# Cargo keeps what it looks at where the test finds it; crates that depend on an engine are not built for that.
fetched=0
for crate in bevy_ufbx@0.18.0 fbx_direct@0.6.0 fbx3d@0.1.0; do
    if (cd / && cargo info --quiet "$crate") >/dev/null 2>&1; then
        fetched=$((fetched + 1))
    else
        echo "NOTE: the registry has no $crate, or cannot be reached"
    fi
done
if [ "$fetched" -gt 0 ]; then
    export NEBULA_REQUIRE_FBX=1
else
    echo "NOTE: no FBX files of others: only those that the tests make are compared with ufbx"
fi

corpora=${NEBULA_CORPORA:-../shared}
if [ -f "$corpora/hostile/run_corpus.py" ]; then
    step "what the corpora need"
    need python3 python3
    need strace strace
elif [ "${NEBULA_REQUIRE_CORPORA:-0}" = 1 ]; then
    echo "no corpora in $corpora, and NEBULA_REQUIRE_CORPORA=1" >&2
    exit 1
else
    echo "NOTE: no corpora in $corpora: the tests on them will say that they did not run"
fi

step "licences, sources and duplicates of dependencies"
# Without optimisation: the check takes a second, and building it as long as the rest.
tools=${CARGO_TARGET_DIR:-target}/tools
export PATH="$PATH:$PWD/target/tools/bin:$tools/bin"
command -v cargo-deny >/dev/null || cargo install cargo-deny --version 0.20.2 --locked --debug --root "$tools"
cargo deny --log-level error check licenses bans sources
# Bevy has several versions of many crates, and only Bevy can put that in order.
cargo deny --manifest-path bevy/Cargo.toml --config deny.toml --log-level error check licenses sources
cargo deny --manifest-path web/Cargo.toml --config deny.toml --log-level error check licenses sources
# The other workspaces are not built here, but for Bevy's and that of the web below; their dependencies are the ones written down.
for folder in fuzz peers bevy web; do
    cargo update --quiet --workspace --locked --manifest-path "$folder/Cargo.toml"
done
# What the build scripts of this repository could do, none can: there are none.
for manifest in $(git ls-files '*Cargo.toml'); do
    if [ -e "${manifest%Cargo.toml}build.rs" ]; then
        echo "a build script beside $manifest: the promise of no network in builds needs a look" >&2
        exit 1
    fi
done

step "the oldest compiler that is promised is the one that builds"
promised=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if ! rustc --version | grep -qF "rustc $promised."; then
    echo "NOTE: rust-version promises $promised, but this is $(rustc --version)"
    [ "${NEBULA_REQUIRE_MSRV:-0}" = 0 ] || exit 1
fi

step "format"
cargo fmt --all --check
cargo fmt --all --check --manifest-path web/Cargo.toml

step "lints"
cargo clippy --workspace --all-targets --all-features -- -D warnings

step "documentation"
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --all-features --document-private-items

step "the bare core, and each feature alone"
cargo clippy -p nebula-animation --lib --no-default-features -- -D warnings
for feature in $(sed -n '/^\[features\]/,/^\[/s/^\([a-z_]*\) = .*/\1/p' crates/nebula-animation/Cargo.toml); do
    [ "$feature" = default ] && continue
    cargo clippy -p nebula-animation --lib --no-default-features --features "$feature" -- -D warnings
done

step "the program without windows, and without a GPU"
cargo clippy -p nebula-demo --all-targets --no-default-features --features gpu -- -D warnings
cargo clippy -p nebula-demo --all-targets --no-default-features -- -D warnings

step "what features cost in crates, as the documentation says"
crates() {
    cargo tree -p nebula-animation --no-default-features --features "$1" --target x86_64-unknown-linux-gnu \
        -e normal --prefix none | sed 's/ (\*)$//' | sort -u | wc -l
}
bare=$(crates "")
# shellcheck disable=SC2016 # The backquotes are those of a table.
sed -n 's/^\/\/! | `\([a-z]*\)` | [a-z` ]* | \([0-9]*\) | .*/\1 \2/p' crates/nebula-animation/src/lib.rs |
    while read -r feature told; do
        found=$(($(crates "$feature") - bare))
        echo "$feature: $found"
        [ "$found" = "$told" ] || { echo "lib.rs says $told" >&2; exit 1; }
    done
found="The default is $(($(crates default) - bare)) crates beyond the core, everything $(($(crates default,gpu,parallel,serde,bytemuck) - bare))."
grep -qF "$found" crates/nebula-animation/src/lib.rs || { echo "lib.rs does not say: $found" >&2; exit 1; }
grep -qF "by default $(($(crates default) - 1)):" README.md || { echo "README.md says another number of crates" >&2; exit 1; }

# All of the following is built with the features of the whole workspace: dependencies are compiled once.
step "examples"
cargo build --workspace --all-features --examples
for file in crates/nebula-animation/examples/*.rs; do
    echo "-- $(basename "$file" .rs)"
    "${CARGO_TARGET_DIR:-target}/debug/examples/$(basename "$file" .rs)"
done

step "the README, followed outside the workspace"
scripts/outside.sh

step "the plugin for Bevy, a workspace of its own"
scripts/bevy.sh

step "the viewer as a page and the package for npm, in a browser"
scripts/web.sh test

step "benchmarks, once each"
cargo test --workspace --all-features --bench '*'

step "tests, with bevy's threads switched on as another crate may do"
cargo test -p nebula-animation --all-features --features bevy_ecs/multi_threaded --test it ecs

step "tests"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
cargo test --workspace --all-features 2>&1 | tee "$log"
# One line for all test binaries together.
awk '/^test result:/ { passed += $4; failed += $6 } END { printf "\n%d passed, %d failed\n", passed, failed }' "$log"
