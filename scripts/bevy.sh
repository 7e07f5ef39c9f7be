#!/usr/bin/env bash
# Everything that has to be true of the plugin for Bevy, which is a workspace of its own: part of scripts/check.sh.
#
#   scripts/bevy.sh
#
# Bevy is compiled once for tests and examples, and once more, without code, for the lints. Pictures are drawn on whatever adapter there is, and without a window.
set -euo pipefail
cd "$(dirname "$0")/../bevy"
# Beside the folder of the others, not in it: they are built with other features.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:+$CARGO_TARGET_DIR/bevy}
[ -n "$CARGO_TARGET_DIR" ] || CARGO_TARGET_DIR=$PWD/target

cargo fmt --check
# The examples are built along with the tests.
cargo test --locked
pictures=$(mktemp -d)
trap 'rm -r "$pictures"' EXIT
for example in play third_person crowd; do
    TMPDIR=$pictures NEBULA_HEADLESS=1 "$CARGO_TARGET_DIR/debug/examples/$example"
    [ -s "$pictures/$example.png" ] || { echo "$example left no picture" >&2; exit 1; }
done
cargo clippy --locked --all-targets -- -D warnings
# Without a renderer. What the examples need of Bevy is left out here.
cargo clippy --locked --lib --no-default-features -- -D warnings
