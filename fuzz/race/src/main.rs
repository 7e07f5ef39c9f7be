//! What several threads do at once: crowds evaluated by four, libraries compiled by eight, files loaded beside characters that play.
//!
//! For ThreadSanitizer, which watches every access to memory. The standard library has to be watched too (`-Zbuild-std`, which
//! needs the component `rust-src`): its locks and counters are otherwise not seen to order anything, and everything is reported.
//! `RUSTFLAGS=-Zsanitizer=thread cargo +nightly run --release -Zbuild-std --target x86_64-unknown-linux-gnu -p nebula-race`

use glam::{Mat4, Quat, Vec3};
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, Asset, Channel, Character, Crowd, Interpolation, Joint, Keyframe, Rig,
    Skeleton, Surroundings, asset::LoadOptions,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn skeleton(joints: u16, offset: f32) -> Skeleton {
    let joint = |index: u16| Joint {
        index,
        parent: index.checked_sub(1).map(|before| before / 2),
        inverse_bind_matrix: Mat4::IDENTITY,
        name: format!("Joint {index}"),
        bind_translation: Vec3::new(offset, 1.0, 0.0),
        bind_rotation: Quat::IDENTITY,
        bind_scale: Vec3::ONE,
    };
    Skeleton { joints: (0..joints).map(joint).collect() }
}

fn clip(joints: u16, seconds: f32) -> AnimationClip {
    let key = |key: u8| Keyframe {
        time: f32::from(key) / 8.0 * seconds,
        value: Quat::from_rotation_x(f32::from(key) * 0.1),
        tangents: None,
    };
    let channel = |joint_index| Channel {
        joint_index,
        interpolation: Interpolation::Linear,
        keyframes: (0..9).map(key).collect(),
    };
    AnimationClip {
        name: format!("{seconds}"),
        duration: seconds,
        rotation_channels: (0..joints).map(channel).collect(),
        ..AnimationClip::default()
    }
}

/// Crowds of two rigs and two clips, small and large, on four threads; one thread has to come to the same.
fn crowds() -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build()?;
    for count in [3, 65, 700, 3_000] {
        let make = || {
            let mut crowd = Crowd::new();
            let mut clips = Vec::new();
            for joints in [20, 67] {
                let rig = Rig::new(skeleton(joints, 0.0));
                let library = AnimationClipLibrary::new(&rig, &[clip(joints, 1.0)]);
                clips.extend(library.ids().map_while(|clip| crowd.add_clip(&library, clip).ok()));
            }
            for index in 0..count {
                let character = crowd.spawn(clips[usize::from(index % 7 == 0)]);
                if let Some(character) = character.ok().and_then(|character| crowd.character_mut(character)) {
                    character.time = f64::from(index) * 0.01;
                }
            }
            crowd
        };
        let (mut threaded, mut alone) = (make(), make());
        for _ in 0..8 {
            threaded.advance(1.0 / 60.0);
            pool.install(|| threaded.evaluate_on_threads());
            alone.update(1.0 / 60.0);
            if threaded.palettes() != alone.palettes() {
                return Err(format!("{count} characters on four threads differ from one").into());
            }
        }
    }
    Ok(())
}

/// Eight threads compile the same clips for skeletons of their own, while two play a library that they share.
fn libraries() -> Outcome {
    let clips = [clip(12, 1.0), clip(12, 0.5)];
    let library = AnimationClipLibrary::new(&Rig::new(skeleton(12, 0.0)), &clips);
    std::thread::scope(|scope| {
        for thread in 0..8_u8 {
            let clips = &clips;
            scope.spawn(move || {
                for turn in 0..40_u8 {
                    let rig = Rig::new(skeleton(12, f32::from((turn + thread) % 11)));
                    assert_eq!(AnimationClipLibrary::new(&rig, clips).len(), 2);
                }
            });
        }
        for _ in 0..2 {
            scope.spawn(|| {
                let mut character = Character::of(library.clone());
                for frame in 0..200_usize {
                    let _ = character.mixer.play(frame / 50 % 2, 0.2);
                    character.update(1.0 / 60.0, &Surroundings::default());
                    assert!(character.palette().iter().all(|matrix| matrix.is_finite()));
                }
            });
        }
    });
    Ok(())
}

/// Eight threads load a file, and share what they loaded.
fn loading() -> Outcome {
    let bytes =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../crates/nebula-animation/test_assets/robot.glb"))?;
    let assets = std::thread::scope(|scope| {
        let load = || Asset::from_bytes("robot", &bytes, &LoadOptions::default(), &mut |_| Ok(Vec::new()));
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()?.ok()).collect::<Vec<_>>()
    });
    if assets.len() != 8 {
        return Err(format!("{} of 8 threads loaded the file", assets.len()).into());
    }
    std::thread::scope(|scope| {
        for asset in &assets {
            scope.spawn(|| {
                let mut pose = asset.skeleton.bind_pose();
                for animation in &assets[0].animations {
                    animation.sample_pose(&asset.skeleton, 0.5, &mut pose);
                }
            });
        }
    });
    Ok(())
}

fn main() -> Outcome {
    crowds()?;
    libraries()?;
    loading()?;
    println!("crowds on 4 threads, libraries on 10, loading on 8: the same bits as on one");
    Ok(())
}
