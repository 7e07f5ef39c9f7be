//! States of characters that were made in another way: refused with what differs, and nothing changes.

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, BlendSpace, BoneAttachment, BreathingLayer, Character, LeanLayer, Rig,
    StateMachine, StateMachinePlayer, load_skeleton_and_clips,
    mixer::{MachineDocument, ParameterValue, StateDocument, TransitionDocument},
    state::StateProblem,
};

use super::troupe::{Troupe, options, step};

/// What a character has, as far as it can be other than that of another one.
struct SetUp {
    clips: Vec<AnimationClip>,
    scale: f32,
    samples: [(f32, usize); 2],
    mixer_layers: Vec<&'static str>,
    machines: Vec<&'static str>,
    breathes: bool,
    leans: bool,
    held: usize,
}

impl Default for SetUp {
    fn default() -> Self {
        Self {
            clips: clips(),
            scale: 1.0,
            samples: [(0.0, 1), (2.0, 2)],
            mixer_layers: vec!["arms", "face"],
            machines: vec!["wave"],
            breathes: true,
            leans: true,
            held: 1,
        }
    }
}

fn humanoid() -> (nebula_animation::Skeleton, Vec<AnimationClip>) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    load_skeleton_and_clips(&path).expect("the humanoid loads")
}

fn clips() -> Vec<AnimationClip> {
    humanoid().1
}

impl SetUp {
    fn make(&self) -> Character {
        let mut skeleton = humanoid().0;
        skeleton.joints[0].bind_scale *= self.scale;
        let library = AnimationClipLibrary::new(&Rig::new(skeleton), &self.clips);
        let space = BlendSpace::line(&library, &self.samples).expect("two places");
        let mut character = Character::of(library.clone());
        let space = character.mixer.add_blend_space(space);
        character.mixer.play(space, 0.0).expect("it was just added");
        for name in &self.mixer_layers {
            character.mixer.add_layer(*name);
        }
        for trigger in &self.machines {
            let document = MachineDocument::new("idle")
                .with_parameter(*trigger, ParameterValue::Trigger(false))
                .with_state(StateDocument::clip("idle", "idle"))
                .with_state(StateDocument::clip("wave", "wave").once())
                .with_transition(TransitionDocument::new("idle", "wave").when(*trigger));
            let machine = StateMachine::new(&document, &library, library.markers()).expect("a sound machine");
            character.machines.push(StateMachinePlayer::new(machine));
        }
        if self.breathes {
            character.add_layer(BreathingLayer::new(3));
        }
        if self.leans {
            character.add_layer(LeanLayer::new(2));
        }
        for _ in 0..self.held {
            character.attach(BoneAttachment::named("RightHand")).expect("a hand");
        }
        character
    }
}

#[test]
fn every_other_set_up_is_refused_by_what_differs() {
    let usual = SetUp::default;
    let key = |clips: &mut Vec<AnimationClip>| {
        let value = &mut clips[1].rotation_channels[2].keyframes[1].value;
        *value *= glam::Quat::from_rotation_x(0.01);
    };
    let changed = |change: &dyn Fn(&mut Vec<AnimationClip>)| {
        let mut clips = clips();
        change(&mut clips);
        clips
    };
    let cases: Vec<(SetUp, &str)> = vec![
        (SetUp { scale: 1.5, ..usual() }, "the state belongs to another rig"),
        (SetUp { clips: clips()[..5].to_vec(), ..usual() }, "mixer, clips: the record has 12, the character 5"),
        (SetUp { clips: changed(&key), ..usual() }, "mixer, clips: the state belongs to another library"),
        (
            SetUp { clips: changed(&|clips| clips[0].name = "hop".into()), ..usual() },
            "mixer, clips: the state belongs to another library",
        ),
        (
            SetUp { clips: changed(&|clips| clips.swap(0, 5)), ..usual() },
            "mixer, clips: the state belongs to another library",
        ),
        (
            SetUp { samples: [(0.0, 1), (3.0, 2)], ..usual() },
            "mixer, blend space 0: the state belongs to another blend space",
        ),
        (
            SetUp { samples: [(0.0, 1), (2.0, 0)], ..usual() },
            "mixer, blend space 0: the state belongs to another blend space",
        ),
        (
            SetUp { mixer_layers: vec!["arms"], ..usual() },
            "mixer, layers above the base layer: the record has 2, the character 1",
        ),
        (
            SetUp { mixer_layers: vec!["arms", "legs"], ..usual() },
            r#"mixer, layer 2 ("legs"): the state belongs to another layer"#,
        ),
        (SetUp { machines: vec![], ..usual() }, "machines: the record has 1, the character 0"),
        (SetUp { machines: vec!["greet"], ..usual() }, "machine 0: the state belongs to another state machine"),
        (SetUp { leans: false, ..usual() }, "layers: the record has 2, the character 1"),
        (SetUp { held: 2, ..usual() }, "attachments: the record has 1, the character 2"),
    ];
    let mut original = usual().make();
    (0..20).for_each(|frame| drop(step(&mut original, frame, 0.02)));
    let state = original.state();
    assert_eq!(usual().make().restore(&state), Ok(()), "the same set-up");
    for (set_up, expected) in cases {
        let mut other = set_up.make();
        (0..3).for_each(|frame| drop(step(&mut other, frame, 0.01)));
        let before = other.state();
        let error = other.restore(&state).expect_err(expected);
        assert_eq!(error.to_string(), expected);
        assert!(other.state() == before, "{expected}: it has changed");
    }
}

/// The same number of layers, and each as long as the other.
#[test]
fn layers_in_another_order_are_refused() {
    let make = |is_turned: bool| {
        let mut character = SetUp { breathes: false, leans: false, ..SetUp::default() }.make();
        if is_turned {
            character.add_layer(LeanLayer::new(2));
            character.add_layer(BreathingLayer::new(3));
        } else {
            character.add_layer(BreathingLayer::new(3));
            character.add_layer(LeanLayer::new(2));
        }
        character
    };
    let error = make(true).restore(&make(false).state()).expect_err("another layer");
    assert_eq!(error.to_string(), "layer 0, LeanLayer: the state belongs to another layer");
    assert_eq!(error.problem, StateProblem::Another("layer"));
}

/// Blend spaces that were added while the machine had none yet cannot be numbered in the same way.
#[test]
fn blend_spaces_in_another_order_are_refused() {
    let troupe = Troupe::humanoid(options(false));
    let extra = || BlendSpace::by_speed(&troupe.library, &troupe.gaits).expect("three speeds");
    let (mut early, _) = troupe.whole();
    early.mixer.add_blend_space(extra());
    step(&mut early, 0, 0.01);
    let (mut late, _) = troupe.whole();
    step(&mut late, 0, 0.01);
    late.mixer.add_blend_space(extra());
    let before = late.state();
    let error = late.restore(&early.state()).expect_err("other numbers");
    assert_eq!(error.to_string(), "machines: the state belongs to another set of blend spaces");
    assert!(late.state() == before);

    let (mut none, _) = troupe.whole();
    let error = none.restore(&early.state()).expect_err("one is missing");
    assert!(error.to_string().contains("blend space"), "{error}");
}
