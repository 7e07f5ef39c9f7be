//! State machines.

use glam::Vec3;
use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, Channel, ClipMarkers, Fade, Interpolation, Keyframe,
    LibraryOptions, Marker, Rig, StateMachine, StateMachinePlayer,
    compile::RootMotionOptions,
    mixer::{BlendDocument, BlendSampleDocument, MachineDocument, ParameterValue, StateDocument, TransitionDocument},
};

use super::allocations;

/// A machine with every kind of state, transitions with every kind of fade, a blend over a plane, markers and root motion.
#[test]
fn state_machines_blend_spaces_and_root_motion_allocate_nothing() {
    let rig = Rig::new(super::skeleton());
    let mut clips = super::clips();
    clips.push(AnimationClip { name: "run".into(), ..clips[1].clone() });
    clips[1].name = "idle".into();
    for clip in &mut clips {
        let key = |time: f32, z: f32| Keyframe { time, value: Vec3::new(0.0, 1.0, z), tangents: None };
        let keyframes = vec![key(0.0, 0.0), key(clip.duration, 1.0)];
        clip.translation_channels = vec![Channel { joint_index: 0, interpolation: Interpolation::Linear, keyframes }];
    }
    let mut markers = ClipMarkers::new();
    for clip in 0..3 {
        markers.add(clip, Marker { name: "step".into(), time: 0.3 });
    }
    let sample = |clip: &str, x, y| BlendSampleDocument { clip: clip.into(), x, y };
    let blend = BlendDocument {
        x: "speed".into(),
        y: Some("turn".into()),
        samples: vec![sample("idle", 0.0, 0.0), sample("walk", 1.0, -1.0), sample("run", 1.0, 1.0)],
        sync: vec!["step".into()],
    };
    let within = MachineDocument::new("a")
        .with_state(StateDocument::clip("a", "idle").once())
        .with_state(StateDocument::clip("b", "run"))
        .with_transition(TransitionDocument::new("a", "b").after(0.4).with_fade(Fade::smooth(0.1)))
        .with_transition(TransitionDocument::new("b", "a").when("go").with_fade(Fade::inertialised(0.2)));
    let document = MachineDocument::new("ground")
        .with_parameter("speed", ParameterValue::Float(0.0))
        .with_parameter("turn", ParameterValue::Float(0.0))
        .with_parameter("go", ParameterValue::Trigger(false))
        .with_state(StateDocument::blend("ground", blend))
        .with_state(StateDocument::machine("within", within))
        .with_transition(TransitionDocument::new("ground", "within").when("speed > 0.9"))
        .with_transition(TransitionDocument::new("within", "ground").when("speed < 0.2").with_fade(0.2));
    let options =
        LibraryOptions { markers, root_motion: Some(RootMotionOptions::default()), ..LibraryOptions::default() };
    let clips = AnimationClipLibrary::with_options(&rig, &clips, options);
    let machine = StateMachine::new(&document, &clips, clips.markers()).expect("a machine");
    let mut mixer = AnimationMixer::new(clips);
    let mut player = StateMachinePlayer::new(machine);
    let [speed, turn, go] = ["speed", "turn", "go"].map(|name| player.parameter(name).expect("it is there"));
    let mut pose = rig.bind_pose();
    let (mut steps, mut way) = (0, 0.0);
    let mut frame = |number: u16| {
        player.set_float(speed, f32::from(number % 120) / 110.0).expect("a number");
        player.set_float(turn, f32::from(number % 77) / 38.5 - 1.0).expect("a number");
        if number.is_multiple_of(50) {
            player.trigger_for(go, 0.3).expect("a trigger");
        }
        player.update(&mut mixer);
        mixer.update(1.0 / 60.0);
        mixer.write_pose(&mut pose);
        steps += mixer.events().count();
        way += mixer.root_motion().translation.length();
    };
    // Until everything has been seen once.
    (0..240).for_each(&mut frame);
    let count = allocations(|| (240..1500).for_each(&mut frame));
    assert_eq!(count, 0, "frames of a state machine");
    assert!(steps > 20 && way > 5.0, "{steps} steps, {way} m");
    assert!(player.transitions_taken() > 20, "{} transitions", player.transitions_taken());
}
