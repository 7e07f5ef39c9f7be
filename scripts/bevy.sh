#!/usr/bin/env bash
# Everything that has to be true of the plugin for Bevy, which is a workspace of its own: part of scripts/check.sh.
#
#   scripts/bevy.sh
#
# Pictures are drawn on whatever adapter there is, and without a window.
set -euo pipefail
cd "$(dirname "$0")/../bevy"
# Beside the folder of the others, not in it: they are built with other features.
CARGO_TARGET_DIR=${CARGO_TARGET_DIR:+$CARGO_TARGET_DIR/bevy}
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}

cargo fmt --check
# The lints are part of the build, as `cargo clippy` does it, but of one with code: Bevy is compiled once for everything.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS=-D__CLIPPY_HACKERY__warnings
cargo build --locked --all-targets
cargo build --locked --tests --no-default-features
cargo test --locked
pictures=$(mktemp -d)
trap 'rm -r "$pictures"' EXIT
for example in play third_person crowd; do
    TMPDIR=$pictures NEBULA_HEADLESS=1 "$CARGO_TARGET_DIR/debug/examples/$example"
    [ -s "$pictures/$example.png" ] || { echo "$example left no picture" >&2; exit 1; }
done
