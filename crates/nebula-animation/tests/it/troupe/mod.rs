//! Troupes, against the full evaluation of every member in every frame.

use glam::{Affine3A, Mat4, Vec3};
use nebula_animation::palette::PaletteRows;
use nebula_animation::troupe::{Budget, Troupe, TroupeId, TroupeOptions, View};
use nebula_animation::{AnimationClipLibrary, Character, LibraryOptions, Rig, Surroundings, load_skeleton_and_clips};

const DT: f64 = 1.0 / 60.0;
const FOV: f32 = std::f32::consts::FRAC_PI_3;
const MOTIONS: [&str; 4] = ["idle", "walk_root_motion", "run", "wave"];

fn library() -> AnimationClipLibrary {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("test_assets/simple_humanoid.glb");
    let (skeleton, clips) = load_skeleton_and_clips(&path).expect("the file loads");
    let options = LibraryOptions {
        step_marker: Some("step".into()),
        root_motion: Some(nebula_animation::compile::RootMotionOptions::default()),
        ..LibraryOptions::default()
    };
    AnimationClipLibrary::with_options(&Rig::new(skeleton), &clips, options)
}

/// A troupe in rows ten metres apart, and the same characters alone.
struct Stage {
    troupe: Troupe,
    ids: Vec<TroupeId>,
    alone: Vec<Character>,
    places: Vec<Vec3>,
    frame: usize,
}

impl Stage {
    fn new(count: usize, options: TroupeOptions) -> Self {
        let library = library();
        let mut stage = Self { troupe: Troupe::new(options), ids: vec![], alone: vec![], places: vec![], frame: 0 };
        for index in 0..count {
            let mut character = Character::of(library.clone());
            let action = character.mixer.play(MOTIONS[index % 4], 0.0).expect("it is there");
            action.seek(0.137 * index as f64);
            action.speed = 0.8 + 0.05 * (index % 9) as f32;
            stage.ids.push(stage.troupe.add(character.clone()));
            stage.alone.push(character);
            stage.places.push(Vec3::new((index % 8) as f32 - 4.0, 0.0, -4.0 - 10.0 * (index / 8) as f32));
        }
        stage
    }

    fn view() -> View {
        View::look_at(Vec3::new(0.0, 1.5, 4.0), Vec3::new(0.0, 1.0, -20.0), FOV, [1920.0, 1080.0])
    }

    /// One frame of both; somebody changes what it plays now and then.
    fn step(&mut self, view: &View) {
        self.frame += 1;
        if self.frame % 7 == 0 {
            let index = self.frame / 7 * 5 % self.ids.len();
            let motion = MOTIONS[self.frame / 7 % 4];
            self.troupe.get_mut(self.ids[index]).expect("it is there").mixer.play(motion, 0.3).expect("it is there");
            self.alone[index].mixer.play(motion, 0.3).expect("it is there");
        }
        self.troupe.advance(DT);
        for (id, place) in self.ids.iter().zip(&self.places) {
            self.troupe.set_place(*id, *place + Vec3::Y);
        }
        let Self { troupe, ids, places, alone, .. } = self;
        let at = |id| {
            Surroundings::at(Affine3A::from_translation(places[ids.iter().position(|known| *known == id).unwrap_or(0)]))
        };
        troupe.finish(view, |id, _| at(id));
        for (character, place) in alone.iter_mut().zip(places) {
            character.update(DT, &Surroundings::at(Affine3A::from_translation(*place)));
        }
    }

    /// Where the joints of a member are on the screen, in pixels: as the troupe shows them, and as they should be.
    fn joints(&self, index: usize, view: &View) -> Option<Vec<[glam::Vec2; 2]>> {
        let start = self.troupe.palette_start(self.ids[index])?;
        let camera_from_model = view.camera_from_world * Affine3A::from_translation(self.places[index]);
        let project = |point: Vec3| {
            let place = camera_from_model.transform_point3(point);
            place.truncate() * view.pixels_per_metre(-place.z)
        };
        let alone = &self.alone[index];
        let joints = alone.rig().skeleton().joints.iter().zip(&self.troupe.palettes()[start..]).zip(alone.palette());
        let screen = |((joint, shown), full): ((&nebula_animation::Joint, &PaletteRows), &Mat4)| {
            let bind = joint.inverse_bind_matrix.inverse().w_axis.truncate();
            [shown.to_matrix(), *full].map(|matrix| project(matrix.transform_point3(bind)))
        };
        Some(joints.map(screen).collect())
    }

    fn largest_deviation(&self, view: &View) -> f32 {
        let members = (0..self.ids.len()).filter_map(|index| self.joints(index, view));
        members.flatten().map(|[shown, full]| shown.distance(full)).fold(0.0, f32::max)
    }
}

#[test]
fn time_is_that_of_the_full_evaluation() {
    let mut stage = Stage::new(64, TroupeOptions::default());
    // Nobody is in view: nothing is worked out, and nothing is missed.
    let away = View::look_at(Vec3::new(0.0, 1.0, 50.0), Vec3::new(0.0, 1.0, 100.0), FOV, [1920.0, 1080.0]);
    let mut count = 0;
    for frame in 0..900 {
        let view = if frame % 200 < 150 { away } else { Stage::view() };
        stage.step(&view);
        let told: Vec<_> = stage.troupe.events().collect();
        let mut expected = 0;
        for (id, character) in stage.ids.iter().zip(&stage.alone) {
            let step = stage.troupe.root_step(*id);
            let full = character.frame().root_step();
            assert!(step.translation.distance(full.translation) < 1e-9, "frame {frame}: {step:?}, not {full:?}");
            let key =
                |event: nebula_animation::mixer::MixerEvent<'_>| (event.clip, event.index, event.pass, event.weight);
            let events: Vec<_> = character.events().map(key).collect();
            let own = told.iter().find(|(member, _)| member == id).map(|(_, events)| events.clone());
            let own: Vec<_> = own.into_iter().flatten().map(key).collect();
            assert_eq!(own, events, "frame {frame}");
            expected += events.len();
        }
        count += expected;
    }
    assert!(count > 500, "{count} events");
}

#[test]
fn whoever_is_worked_out_in_every_frame_is_shown_exactly() {
    let mut stage = Stage::new(24, TroupeOptions { longest: 1, ..TroupeOptions::default() });
    for frame in 0..200 {
        stage.step(&Stage::view());
        let deviation = stage.largest_deviation(&Stage::view());
        assert!(deviation < 0.02, "frame {frame}: {deviation} pixels");
    }
}

#[test]
fn the_deviation_on_the_screen_is_bounded() {
    let mut stage = Stage::new(96, TroupeOptions::default());
    let (mut worst, mut evaluated) = (0.0_f32, 0);
    for frame in 0..600 {
        stage.step(&Stage::view());
        worst = worst.max(stage.largest_deviation(&Stage::view()));
        if frame > 60 {
            evaluated += stage.troupe.report().evaluated;
        }
    }
    assert!(worst <= 1.0, "{worst} pixels");
    let share = evaluated as f32 / (539 * 96) as f32;
    assert!(share < 0.5, "{share} of all poses were worked out");
}

#[test]
fn a_budget_in_joints_is_kept() {
    let joints = library().rig().joint_count();
    let options = TroupeOptions { budget: Budget::Joints(12 * joints), ..TroupeOptions::default() };
    let mut stage = Stage::new(96, options);
    let mut keys = Vec::new();
    for _ in 0..600 {
        stage.step(&Stage::view());
        keys.push(stage.troupe.report().evaluated);
    }
    let mean = keys[300..].iter().sum::<usize>() as f32 / 300.0;
    assert!(mean < 14.0, "{mean} keys a frame, of 12");
}
