//! Text to state machines: any text is either read or refused, and what is read runs.

use std::sync::OnceLock;

use nebula_animation::{
    AnimationClip, AnimationClipLibrary, AnimationMixer, ClipMarkers, Marker, Rig, Skeleton, StateMachine,
    StateMachinePlayer, mixer::ParameterValue,
};

/// The clips that documents may name, and markers on some of them.
fn clips() -> &'static (AnimationClipLibrary, ClipMarkers) {
    static CLIPS: OnceLock<(AnimationClipLibrary, ClipMarkers)> = OnceLock::new();
    CLIPS.get_or_init(|| {
        let clip = |name: &str, duration| AnimationClip { name: name.into(), duration, ..AnimationClip::default() };
        let clips = vec![clip("idle", 2.0), clip("walk", 1.0), clip("run", 0.5), clip("jump", 0.8), clip("pose", 0.0)];
        let mut markers = ClipMarkers::new();
        for (clip, scale) in [(1, 1.0), (2, 0.5)] {
            markers.add(clip, Marker { name: "left".into(), time: 0.2 * scale });
            markers.add(clip, Marker { name: "right".into(), time: 0.7 * scale });
        }
        (AnimationClipLibrary::new(&Rig::new(Skeleton::default()), &clips), markers)
    })
}

/// The body of the target `document`.
pub fn document(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (clips, markers) = clips();
    let machine = match StateMachine::from_json(&text, clips, markers) {
        Ok(machine) => machine,
        Err(error) => {
            let message = error.to_string();
            assert!(
                !message.is_empty() && message.len() < 4_000 + 2 * text.len(),
                "{} bytes of message",
                message.len()
            );
            return;
        }
    };
    let parameters: Vec<(String, ParameterValue)> = machine.parameters().to_vec();
    let mut mixer = AnimationMixer::new(clips.clone());
    let mut player = StateMachinePlayer::new(machine);
    for frame in 0..24_usize {
        for (index, (name, value)) in parameters.iter().enumerate() {
            let parameter = player.parameter(name).expect("the machine has its parameters");
            let is_on = (frame >> (index % 4)) & 1 == 1;
            let done = match value {
                ParameterValue::Bool(_) => player.set_bool(parameter, is_on),
                ParameterValue::Float(_) => player.set_float(parameter, frame as f32 * 0.3 - 2.0),
                ParameterValue::Trigger(_) if is_on => player.trigger_for(parameter, index as f32 * 0.1),
                ParameterValue::Trigger(_) => Ok(()),
            };
            // Names may be there twice; the first counts.
            let _ = done;
        }
        player.update(&mut mixer);
        mixer.update(0.1);
        assert!(player.is_in(player.state()));
        for layer in mixer.layers() {
            assert!(layer.actions().all(|(action, share)| action.time.is_finite() && share.is_finite()));
        }
    }
}
