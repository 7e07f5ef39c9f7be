//! Avatars in the viewer: their own springs, constraints and eyes.

use nebula_animation::Fade;
use nebula_animation::procedural::avatar::JointConstraints;
use nebula_animation::procedural::springs::SpringJoints;

use super::super::puppet::{Bending, Puppet};
use crate::show::tests::avatar::avatar;

#[test]
fn hair_swings_and_ears_follow_in_the_viewer() {
    let model = avatar();
    let joint = |name: &str| model.asset.skeleton.joints.iter().position(|joint| joint.name == name).expect("a joint");
    let [head, hair, ear] = ["head", "hair", "ear"].map(joint);
    let rest = model.asset.skeleton.joints[hair].bind_rotation;
    let mut puppet = Puppet::new(model);
    assert!(puppet.character.layers.layer::<SpringJoints>().is_some(), "springs of the file");
    assert!(puppet.character.layers.layer::<JointConstraints>().is_some(), "constraints of the file");
    puppet.play(0, Fade::NONE).expect("a clip");
    let mut most = 0.0_f32;
    for _ in 0..60 {
        puppet.update(1.0 / 60.0, &Bending::default());
        let turn = |joint: usize| puppet.character.frame().local(joint as u16).1;
        most = most.max(turn(hair).angle_between(rest));
        let half = glam::Quat::IDENTITY.slerp(turn(head), 0.5);
        assert!(turn(ear).angle_between(half) < 2e-3);
    }
    assert!(most > 0.05, "hair swings: {most} rad");
}
