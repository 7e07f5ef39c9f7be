//! What has no state: one call each.

use nebula_animation::{
    BoneAttachment, Clock, HumanoidMap, JointMask, Retarget,
    compile::{CompiledClip, extract_root_motion},
    mixer::{BlendInput, BlendMode, Blender, blend_poses},
    palette::{Evaluator, PaletteRows, joint_model_matrix, model_matrices, skinning_matrices},
    retarget::Mirror,
    sample::additive_clip_from_frame,
    sample_pose,
};

use super::draw::Draw;
use super::world::World;

pub fn call(world: &World, draw: &mut Draw) {
    let (rig, other_rig) = (world.rig(draw), world.rig(draw));
    let (skeleton, other) = (rig.skeleton(), other_rig.skeleton());
    let Some(clip) = world.authored(draw).get(draw.below(5)) else { return };
    let mut pose = skeleton.bind_pose();
    match draw.below(8) {
        0 | 1 => evaluate(world, draw),
        2 => {
            if let Ok(retarget) = Retarget::new(rig, other_rig) {
                sample_pose(&retarget.clip(clip), other, draw.wild(), &mut pose);
            }
        }
        3 => {
            let mirror = Mirror::from_pairs(skeleton, &[(draw.joint(), draw.joint()), (draw.joint(), draw.joint())]);
            sample_pose(&mirror.clip(clip), skeleton, draw.wild(), &mut pose);
            if draw.is_tame {
                super::assert_finite(&pose, "mirrored");
            }
        }
        4 => {
            let additive = additive_clip_from_frame(clip, skeleton, draw.wild());
            sample_pose(&additive, skeleton, draw.wild(), &mut pose);
        }
        5 => {
            let options = nebula_animation::compile::RootMotionOptions::of_joint(draw.joint());
            let (clip, track) = extract_root_motion(clip, skeleton, &options);
            let _ =
                track.motion(&Clock::looping(f64::from(clip.duration)), f64::from(draw.wild()), f64::from(draw.wild()));
            sample_pose(&clip, skeleton, draw.wild(), &mut pose);
        }
        6 => {
            let clock = draw.clock();
            let times = [f64::from(draw.wild()), f64::from(draw.wild())];
            assert!(clock.at(times[0]).time.is_finite(), "{clock:?} at {}", times[0]);
            let _ = (clock.passes_between(times[0], times[1]), clock.finishes_at());
            let hits = clock.markers_between(world.markers.of(0), times[0], times[1]);
            assert!(hits.take(64).all(|hit| hit.total_time.is_finite()));
        }
        _ => {
            let _ = HumanoidMap::find(skeleton);
            let mut matrices = vec![glam::Mat4::IDENTITY; draw.below(20)];
            model_matrices(skeleton, &pose, &mut matrices);
            skinning_matrices(other, &mut matrices);
            let _ = joint_model_matrix(skeleton, &pose, draw.joint());
            if let Ok(attachment) = BoneAttachment::new(skeleton, draw.pick(&["Head", "LeftFoot", "nobody"])) {
                let _ = attachment.at(draw.wild_vector(), draw.rotation()).model_matrix(other, &pose);
            }
            let mut shorter = pose.clone();
            shorter.truncate(draw.below(8));
            blend_poses(&pose.clone(), &other.bind_pose(), draw.wild(), &mut shorter);
        }
    }
}

/// Clips compiled for one rig and evaluated on another, into slices of any length.
fn evaluate(world: &World, draw: &mut Draw) {
    let rigs = [world.rig(draw), world.rig(draw)];
    let clips = world.authored(draw);
    let compile = |draw: &mut Draw| {
        let (rig, clip) = (rigs[draw.below(2)], clips.get(draw.below(4)).or(clips.first())?);
        Some(if draw.yes() { CompiledClip::new(rig, clip) } else { CompiledClip::for_palettes(rig, clip) })
    };
    let (Some(first), Some(second)) = (compile(draw), compile(draw)) else { return };
    let at_rest = (glam::Vec3::ZERO, glam::Quat::IDENTITY, glam::Vec3::ONE);
    let mut pose = vec![at_rest; draw.below(20)];
    let mut rows = vec![PaletteRows::IDENTITY; draw.below(20)];
    let mut evaluator = Evaluator::new();
    let layers = [
        nebula_animation::palette::ClipAt { clip: &first, time: draw.wild() },
        nebula_animation::palette::ClipAt { clip: &second, time: draw.wild() },
    ];
    evaluator.pose(rigs[0], &first, draw.wild(), &mut pose);
    evaluator.blended_pose(rigs[0], layers[0], layers[1], draw.wild(), &mut pose);
    evaluator.blended_palette_rows(rigs[0], layers[0], layers[1], draw.wild(), &mut rows);
    evaluator.palette_rows_of_pose(rigs[1], &pose, &mut rows);
    if draw.is_tame {
        super::assert_finite(&pose, "of an evaluator");
    }
    let mask = JointMask::from_weights(&[draw.wild(), draw.wild()]);
    let input = |clip, draw: &mut Draw| BlendInput {
        clip,
        time: draw.wild(),
        weight: draw.wild(),
        mask: draw.yes().then_some(&mask),
        mode: draw.pick(&[BlendMode::Override, BlendMode::Additive]),
    };
    let inputs = [input(&first, draw), input(&second, draw), input(&first, draw)];
    Blender::new().blend(rigs[0], &inputs[..draw.below(4)], &mut pose);
    if draw.is_tame {
        super::assert_finite(&pose, "of a blender");
    }
}
