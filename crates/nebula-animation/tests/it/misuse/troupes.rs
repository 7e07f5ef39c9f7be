//! Troupes, and from where they are seen.

use glam::{Affine3A, Vec3};
use nebula_animation::troupe::{Budget, Troupe, TroupeOptions, View};
use nebula_animation::{Character, Surroundings};

use super::Table;
use super::fixtures::{library, numbers, times, vectors};

/// A troupe of one, and a handle of nobody.
fn troupe(options: TroupeOptions) -> (Troupe, [nebula_animation::troupe::TroupeId; 2]) {
    let mut troupe = Troupe::new(options);
    let mut character = Character::of(library());
    character.mixer.play(1, 0.0).expect("there is one");
    let gone = troupe.add(character.clone());
    assert!(troupe.remove(gone).is_some());
    let ids = [troupe.add(character), gone];
    (troupe, ids)
}

fn view() -> View {
    View::look_at(Vec3::new(0.0, 1.0, 8.0), Vec3::Y, 1.0, [640.0, 480.0])
}

fn is_sound(troupe: &Troupe) -> bool {
    troupe.palettes().iter().all(|rows| rows.0.as_flattened().iter().all(|number| number.is_finite()))
}

fn frames(troupe: &mut Troupe, view: &View) {
    for _ in 0..3 {
        troupe.advance(1.0 / 60.0);
        troupe.finish(view, |_, _| Surroundings::default());
        assert!(is_sound(troupe));
    }
}

pub fn rows(table: &mut Table) {
    table.row("View::look_at", || {
        for vector in vectors() {
            for number in numbers() {
                let view = View::look_at(vector, -vector, number, [number, number]);
                frames(&mut troupe(TroupeOptions::default()).0, &view);
            }
        }
    });
    table.row("View::pixels_per_metre", || {
        for number in numbers() {
            assert!(view().pixels_per_metre(number) >= 0.0);
        }
    });
    table.row("Troupe::new", || {
        for number in numbers() {
            for budget in [Budget::Joints(0), Budget::Milliseconds(number), Budget::Unlimited] {
                let options = TroupeOptions { budget, tolerance: number, longest: 0, radius: number };
                let (mut troupe, [member, _]) = troupe(options);
                troupe.set_place(member, Vec3::Y);
                frames(&mut troupe, &view());
            }
        }
    });
    table.row("Troupe::add", || {
        let mut troupe = Troupe::new(TroupeOptions::default());
        let member = troupe.add(Character::of(nebula_animation::AnimationClipLibrary::default()));
        troupe.set_place(member, Vec3::Y);
        frames(&mut troupe, &view());
    });
    table.row("Troupe::remove", || {
        let (mut troupe, [member, gone]) = troupe(TroupeOptions::default());
        assert!(troupe.remove(gone).is_none());
        assert!(troupe.remove(member).is_some() && troupe.remove(member).is_none());
    });
    table.row("Troupe::get_mut", || assert!(troupe(TroupeOptions::default()).0.get_mut(gone()).is_none()));
    table.row("Troupe::set_place", || {
        for vector in vectors() {
            let (mut troupe, [member, gone]) = troupe(TroupeOptions::default());
            troupe.set_place(member, vector);
            troupe.set_place(gone, vector);
            frames(&mut troupe, &view());
        }
    });
    table.row("Troupe::advance", || {
        for time in times() {
            let (mut troupe, [member, _]) = troupe(TroupeOptions::default());
            troupe.set_place(member, Vec3::Y);
            troupe.advance(time);
            frames(&mut troupe, &view());
        }
    });
    table.row("Troupe::finish", || {
        for vector in vectors() {
            let (mut troupe, [member, _]) = troupe(TroupeOptions::default());
            troupe.set_place(member, Vec3::Y);
            troupe.finish(&view(), |_, _| Surroundings::at(Affine3A::from_scale(vector)));
            assert!(is_sound(&troupe));
        }
    });
    let (troupe, [_, gone]) = troupe(TroupeOptions::default());
    table.row("Troupe::root_step", || assert_eq!(troupe.root_step(gone).translation.length(), 0.0));
    table.row("Troupe::palette_start", || assert!(troupe.palette_start(gone).is_none()));
    table.row("Troupe::previous_palette_start", || assert!(troupe.previous_palette_start(gone).is_none()));
    table.row("Troupe::error_of", || assert!(troupe.error_of(gone).is_none()));
}

fn gone() -> nebula_animation::troupe::TroupeId {
    troupe(TroupeOptions::default()).1[1]
}
