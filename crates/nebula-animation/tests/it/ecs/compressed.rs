//! Players of compressed clips, as components.

use bevy_ecs::prelude::*;
use glam::Mat4;
use nebula_animation::{
    AnimationClipLibrary, AnimationPlayer, Compression, Rig, add_animation_systems, ecs::Time, load_skeleton_and_clips,
};

#[test]
fn players_of_compressed_clips_look_as_others() {
    let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref()).expect("the humanoid");
    let rig = Rig::new(skeleton);
    let small = AnimationClipLibrary::compressed(&rig, &clips, &Compression::default());
    assert!(small[0].is_compressed());
    let mut world = World::new();
    let mut schedule = Schedule::default();
    add_animation_systems(&mut schedule);
    let both = [AnimationClipLibrary::new(&rig, &clips), small].map(|library| {
        let player = AnimationPlayer::new(0, clips[0].duration, rig.joint_count());
        world.spawn((player, library)).id()
    });
    for _ in 0..40 {
        world.get_resource_or_init::<Time>().advance(1.0 / 60.0);
        schedule.run(&mut world);
        let [plain, small] =
            both.map(|entity| world.get::<AnimationPlayer>(entity).expect("a player").joint_matrices.clone());
        for (joint, (plain, small)) in plain.iter().zip(&small).enumerate() {
            let bind = rig.joints[joint].inverse_bind_matrix.inverse();
            let place = |matrix: &Mat4| (*matrix * bind).w_axis.truncate();
            assert!(place(plain).distance(place(small)) < 1.2e-4, "joint {joint}");
        }
    }
}
