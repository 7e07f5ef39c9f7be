//! Examples for `--help`: of the whole program, and of each command.

pub const ALL: &str = "Examples:
  nebula-demo                                    the demo: a window, or nebula-demo.gif and nebula-demo.png
  nebula-demo --scene crowd                      one part of it
  nebula-demo --scene crowd --out many.mp4       the same as a film (needs ffmpeg)
  nebula-demo view fox.glb                       your character in a window
  nebula-demo render fox.glb --clip Run          a film of a clip
  nebula-demo render fox.glb --sheet 8           eight moments of a clip in one picture
  nebula-demo sheet fox.glb sheet.png            all clips in one picture
  nebula-demo inspect fox.glb                    joints, skins, clips, meshes and warnings
  nebula-demo validate fox.glb                   one line: OK, WARN or ERROR
  nebula-demo report hero.glb                    how well its clips walk: speed, loops, feet on slopes and stairs
  nebula-demo convert dance.bvh hero-dances.glb --retarget-to hero.glb
                                                 any motion on any character
  nebula-demo retarget walks.glb hero.glb --out hero-walks.glb
                                                 the clips of one file on the character of another
  nebula-demo compress walk.bvh --error 0.1mm    how small its clips become, and how far off
  nebula-demo pose fox.glb --times t.json        every joint's transform at given times, as JSON
  nebula-demo act walk.json                      plays a script, and prints where its joints were
  nebula-demo explain walk.json --joint LeftFoot --time 1.2
                                                 why a joint was there: clips, fades, masks, layers, limits
  nebula-demo clock fox.glb --hold 1             the times that each KHR_animation_clip entry shows
  nebula-demo bench                              how long a pose takes on this machine

Each command has examples too: nebula-demo render --help";

#[cfg(feature = "window")]
pub const VIEW: &str = "Examples:
  nebula-demo view fox.glb
  nebula-demo view fox.glb --recording fox.recording";

pub const RENDER: &str = "Examples:
  nebula-demo render fox.glb                                a film of the first clip, as fox.gif
  nebula-demo render fox.glb --clip Run --out run.mp4       a film of a clip (needs ffmpeg)
  nebula-demo render fox.glb --clip Run --time 0.4 --skeleton --out run.png
  nebula-demo render fox.glb --sheet 8 --out moments.png    eight moments in one picture";

pub const SHEET: &str = "Examples:
  nebula-demo sheet fox.glb sheet.png
  nebula-demo sheet fox.glb sheet.png --clip Walk --clip Run --frames 12";

pub const INSPECT: &str = "Examples:
  nebula-demo inspect fox.glb
  nebula-demo inspect fox.glb --json";

pub const REPORT: &str = "Examples:
  nebula-demo report hero.glb
  nebula-demo report hero.glb --json";

pub const VALIDATE: &str = "Examples:
  nebula-demo validate fox.glb
  nebula-demo validate fox.glb --strict";

pub const RETARGET: &str = "Examples:
  nebula-demo retarget walks.glb hero.glb --out hero-walks.glb
  nebula-demo retarget walks.glb hero.glb --clip Walk --hands body --report --out hero-walks.glb";

pub const CONVERT: &str = "Examples:
  nebula-demo convert dance.bvh dance.glb
  nebula-demo convert dance.bvh hero-dances.glb --retarget-to hero.glb --rate 30 --trim --loop --compress
  nebula-demo convert hero.vrm hero.glb --clips walk.vrma run.vrma";

pub const COMPRESS: &str = "Examples:
  nebula-demo compress walk.bvh
  nebula-demo compress hero.glb --error 1mm --out hero.clips";

pub const POSE: &str = "Example:
  nebula-demo pose fox.glb --times t.json";

pub const ACT: &str = "Examples:
  nebula-demo act walk.json
  echo '{\"character\": \"fox.glb\", \"seconds\": 1, \"play\": [{\"clip\": \"Walk\"}]}' | nebula-demo act -";

pub const EXPLAIN: &str = "Examples:
  nebula-demo explain walk.json --joint LeftFoot --time 1.2
  nebula-demo explain fox.recording --character fox.glb --joint b_Head_05 --frame 40";

pub const CLOCK: &str = "Examples:
  nebula-demo clock fox.glb
  nebula-demo clock fox.glb --until 8 --step 0.5 --hold 1";

pub const AUTHOR: &str = "Example:
  nebula-demo author crates/nebula-animation/test_assets";

pub const BENCH: &str = "Examples:
  nebula-demo bench
  nebula-demo bench --workload full-1000 --workload feet-1000 --seconds 1
  NEBULA_SIMD=sse2 nebula-demo bench --json";
