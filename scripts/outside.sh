#!/usr/bin/env bash
# The README followed by a stranger: its commands as printed, and its programs outside the workspace.
#
#   scripts/outside.sh        builds and runs them
#
# The ten lines have the default features alone, the thirty `gpu` besides. A last program has none: it plays a clip of its own making
# on `glam`, `log` and `thiserror`.
set -euo pipefail
cd "$(dirname "$0")/.."

# In a folder of its own, with the versions that the repository is built of.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export CARGO_TARGET_DIR=$folder/target CARGO_PROFILE_DEV_DEBUG=0
mkdir "$folder/nebula"
ln -s "$PWD/README.md" "$PWD/Cargo.toml" "$PWD/Cargo.lock" "$PWD/crates" "$folder/nebula"
cd "$folder/nebula"

# The first block of a language below a heading of the README.
block() {
    awk -v heading="## $1" -v fence="\`\`\`$2" '
        $0 == heading { below = 1 }
        inside && /^```$/ { exit }
        inside { print }
        below && index($0, fence) == 1 { inside = 1 }
    ' "$folder/nebula/README.md"
}

echo "-- ten lines"
# The shell of macOS cannot read commands from a substituted process.
block "Ten lines" sh >"$folder/commands"
# shellcheck source=/dev/null
. "$folder/commands"
[ "$PWD" = "$folder/my-game" ]
cp ../nebula/Cargo.lock .
block "Ten lines" rust >src/main.rs
cargo run

echo "-- thirty lines"
eval "$(grep -o '`cargo add nebula-animation[^`]*`' ../nebula/README.md | tr -d '`')"
# The first build has left out of it what it did not need.
cp ../nebula/Cargo.lock .
block "On screen in thirty lines" rust >src/main.rs
cargo run -- character.glb
[ -s skin.png ]

echo "-- without features"
cargo new --quiet ../bare
cd ../bare
cp ../nebula/Cargo.lock .
cargo add --quiet --path ../nebula/crates/nebula-animation --no-default-features
cargo add --quiet glam@0.32
cat >src/main.rs <<'RUST'
use glam::{Mat4, Quat, Vec3};
use nebula_animation::{AnimationClip, Channel, Character, Interpolation, Joint, Keyframe, Skeleton, Surroundings};

fn main() {
    let joint = |index: u16, parent| Joint {
        name: format!("joint {index}"),
        index,
        parent,
        bind_translation: Vec3::Y * f32::from(index),
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
        inverse_bind_matrix: Mat4::from_translation(-Vec3::Y * f32::from(index)),
    };
    let key = |time, angle| Keyframe { time, value: Quat::from_rotation_z(angle), tangents: None };
    let keyframes = vec![key(0.0, 0.0), key(1.0, 1.0)];
    let bend = Channel { joint_index: 1, interpolation: Interpolation::Linear, keyframes };
    let clip = AnimationClip { duration: 1.0, rotation_channels: vec![bend], ..Default::default() };
    let skeleton = Skeleton { joints: vec![joint(0, None), joint(1, Some(0))] };
    let mut character = Character::new(skeleton, &[clip]);
    character.update(0.5, &Surroundings::default());
    let tip = character.palette()[1].transform_point3(Vec3::Y * 2.0);
    assert!(tip.abs_diff_eq(Vec3::new(-(0.5_f32.sin()), 1.0 + 0.5_f32.cos(), 0.0), 1e-5), "{tip}");
}
RUST
cargo run
# What is there when it runs: no crate but these.
crates=$(cargo tree --edges normal,no-proc-macro --prefix none | sed 's/ .*//' | sort -u | tr '\n' ' ')
[ "$crates" = "bare glam log nebula-animation thiserror " ] || { echo "also: $crates" >&2; exit 1; }
