//! The contributions of every joint compose to its pose.

use nebula_animation::explain::LevelSource;
use nebula_animation::sample_pose;

use super::compose::{self, Wide};
use super::troupe::{Actor, files, share};
use crate::characters::Random;

/// A thousand random moments of random scripts on the characters of others, and as many each on ours: all joints of each.
#[test]
fn contributions_of_every_joint_compose_to_its_pose() {
    let test = "contributions_of_every_joint_compose_to_its_pose";
    let mut random = Random::new(26);
    let mut actors: Vec<(String, Actor)> = Vec::new();
    let files = files(test);
    let each = share(1000, &files);
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        actors.push((name, Actor::new(&file, &mut random)));
    }
    assert!(actors.len() >= 2, "there is nothing to look at");
    let (mut worst, mut seen) = ((0.0, String::new()), Seen::default());
    for (name, actor) in &mut actors {
        let mut frame = 0;
        for moment in 0..each {
            for _ in 0..=random.below(8) {
                if random.chance(0.5) {
                    actor.act(&mut random);
                }
                let dt = [1.0 / 60.0, 1.0 / 30.0, 0.0, 0.2, -0.02][random.below(40).saturating_sub(35)];
                actor.update(frame, dt);
                frame += 1;
            }
            for joint in 0..actor.character.rig().joint_count() as u16 {
                let why = actor.character.explain_joint(joint).expect("the joint is there");
                let pose = Wide::of(why.pose);
                let error = compose::all(&why).difference(pose);
                if error > worst.0 {
                    worst = (error, format!("{name}, moment {moment}, joint {joint}\n{why}"));
                }
                assert!(error < 1e-5, "{name}, moment {moment}, joint {joint}: off by {error}\n{why}\n{why:#?}");
                // Nothing was changed since the update, so all of it is explained by what plays.
                assert_eq!((why.mixer.since, why.untold), (None, None), "{name}, joint {joint}\n{why}");
                seen.note(&why);
            }
            clips_are_those_of_the_file(actor, &mut random);
        }
    }
    seen.is_everything();
    println!("{} characters, {each} moments each; worst {:e}", actors.len(), worst.0);
}

/// The poses of clips are what the plain path makes of the keys in the file.
fn clips_are_those_of_the_file(actor: &Actor, random: &mut Random) {
    let rig = actor.character.rig();
    let joint = random.below(rig.joint_count()) as u16;
    let why = actor.character.explain_joint(joint).expect("the joint is there");
    for level in why.mixer.layers.iter().flat_map(|layer| &layer.levels) {
        let LevelSource::Action(action) = &level.source else { continue };
        for clip in &action.clips {
            let mut poses = rig.bind_pose();
            sample_pose(&actor.clips[clip.clip], rig, clip.time, &mut poses);
            let error = Wide::of(clip.pose).difference(Wide::of(poses[usize::from(joint)]));
            assert!(error < 1e-5, "{} at {} s, joint {joint}: off by {error}", clip.name, clip.time);
        }
    }
}

/// Whether the scripts came by everything that there is to explain.
#[derive(Debug, Default)]
struct Seen {
    fades: usize,
    spaces: usize,
    masks: usize,
    additions: usize,
    inertia: usize,
    standing: usize,
    changes: usize,
    limits: usize,
    taken: usize,
}

impl Seen {
    fn note(&mut self, why: &nebula_animation::explain::Explanation) {
        let levels = || why.mixer.layers.iter().flat_map(|layer| &layer.levels);
        let add = |slot: &mut usize, is_there: bool| *slot += usize::from(is_there);
        add(&mut self.fades, levels().any(|level| level.fade.is_some() && level.fraction > 0.0));
        let in_space = |source: &LevelSource| matches!(source, LevelSource::Action(action) if action.clips.len() > 1);
        add(&mut self.spaces, levels().any(|level| in_space(&level.source)));
        add(&mut self.standing, levels().any(|level| level.source == LevelSource::Standing));
        add(&mut self.masks, why.mixer.layers.iter().any(|layer| layer.mask.is_some_and(|mask| mask > 0.0)));
        add(&mut self.additions, why.mixer.layers.iter().any(|layer| layer.is_additive && layer.fraction > 0.0));
        add(&mut self.inertia, why.mixer.inertia.as_ref().is_some_and(|inertia| inertia.change.degrees() > 1.0));
        add(&mut self.changes, why.changes.iter().any(|change| change.change.degrees() > 1.0));
        add(
            &mut self.limits,
            why.changes.iter().flat_map(|part| &part.reasons).any(|reason| !reason.limits.is_empty()),
        );
        add(&mut self.taken, why.machines.iter().any(|machine| machine.taken.is_some()));
    }

    fn is_everything(&self) {
        let Self { fades, spaces, masks, additions, inertia, standing, changes, limits, taken } = *self;
        let counts = [fades, spaces, masks, additions, inertia, standing, changes, limits, taken];
        assert!(counts.iter().all(|count| *count > 20), "{self:?}");
    }
}
