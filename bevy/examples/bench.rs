//! A thousand characters, animated by bevy_animation, by the plugin with `Transform`s of joints, and by its fast path for crowds: three apps without a window in one
//! program, frame by frame in turns.
//!
//! Systems run one after the other on the main thread: what is timed is the work, not a thread that is woken up.
//!
//! `cargo run --release --example bench -- [FILE [CHARACTERS]]`, with a file of your own or the shipped character.
//!
//! What is timed is the whole animation stage: for bevy_animation its set of systems, for the plugin all of its sets, from clocks to what they write. The fast path includes
//! writing the matrices of every skin in world space, as the renderer's buffer gets them. The second column adds what everybody needs to get there: Bevy's propagation of
//! transforms, and, where joints are entities, the matrices of every skin, made as Bevy's renderer makes them.

use std::path::Path;
use std::time::{Duration, Instant};

use bevy::animation::graph::{AnimationGraph, AnimationGraphHandle};
use bevy::animation::{AnimationPlayer, AnimationPlugin};
use bevy::app::AnimationSystems;
use bevy::camera::CameraPlugin;
use bevy::camera::visibility::VisibilitySystems;
use bevy::ecs::entity::EntityHashMap;
use bevy::ecs::schedule::{ScheduleLabel, SingleThreadedExecutor};
use bevy::gltf::GltfPlugin;
use bevy::mesh::MeshPlugin;
use bevy::mesh::skinning::{SkinnedMesh, SkinnedMeshInverseBindposes};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy::transform::TransformSystems;
use bevy::world_serialization::{WorldAssetRoot, WorldInstanceReady, WorldSerializationPlugin};
use nebula_bevy::crowd::{CrowdPart, CrowdSeat, NebulaCrowd, SkinWriter};
use nebula_bevy::{
    Animator, CharacterAsset, CharacterSettings, CrowdMember, NebulaCharacter, NebulaPlugin, NebulaSystems,
};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/nebula-animation/test_assets/simple_humanoid.glb");
const WARM_UP: usize = 60;
const ROUNDS: usize = 8;
const FRAMES: usize = 50;

/// When the stages of this frame began and ended.
#[derive(Resource, Default)]
struct Clock {
    start: Option<Instant>,
    animated: Option<Instant>,
    propagated: Option<Instant>,
    placed: Option<Instant>,
    /// Whether there is anything to place after the propagation.
    places: bool,
    start_skins: Option<Instant>,
    skinned: Option<Instant>,
}

impl Clock {
    /// Seconds of the animation stage, and from clocks to matrices.
    fn times(&self, by: By) -> Option<[f64; 2]> {
        let stage = self.animated? - self.start?;
        // Taking the time takes some itself, which is not counted where nothing happens.
        let placing = if self.places { self.placed? - self.propagated? } else { Duration::ZERO };
        let after = placing + (self.skinned? - self.start_skins?);
        let all = (self.propagated? - self.start?) + after;
        let stage = if by == By::FastPath { stage + after } else { stage };
        Some([stage.as_secs_f64(), all.as_secs_f64()])
    }
}

// Exclusive, so that nothing of another stage runs beside what is timed.
fn start(world: &mut World) {
    world.resource_mut::<Clock>().start = Some(Instant::now());
}

fn animated(world: &mut World) {
    world.resource_mut::<Clock>().animated = Some(Instant::now());
}

fn propagated(world: &mut World) {
    world.resource_mut::<Clock>().propagated = Some(Instant::now());
}

fn placed(world: &mut World, parts: &mut QueryState<(), With<CrowdPart>>) {
    let (places, now) = (parts.iter(world).next().is_some(), Instant::now());
    let mut clock = world.resource_mut::<Clock>();
    (clock.places, clock.placed) = (places, Some(now));
}

fn start_skins(world: &mut World) {
    world.resource_mut::<Clock>().start_skins = Some(Instant::now());
}

fn skinned(world: &mut World) {
    world.resource_mut::<Clock>().skinned = Some(Instant::now());
}

/// What the renderer's buffer gets, and where each skin begins in it: a stand-in, since there is no device.
#[derive(Resource, Default)]
struct Staging {
    matrices: Vec<Mat4>,
    starts: EntityHashMap<u32>,
}

impl Staging {
    /// The matrices of a skin, for which there is room in fours.
    fn of(&mut self, mesh: Entity, joints: usize) -> &mut [Mat4] {
        let Self { matrices, starts } = self;
        let start = *starts.entry(mesh).or_insert_with(|| {
            let start = matrices.len();
            matrices.resize(start + joints.next_multiple_of(4), Mat4::IDENTITY);
            start as u32
        }) as usize;
        &mut matrices[start..start + joints]
    }
}

/// What Bevy's renderer does with joints that have moved.
fn stage_joints(
    mut staging: ResMut<Staging>,
    skins: Query<(Entity, &SkinnedMesh)>,
    poses: Res<Assets<SkinnedMeshInverseBindposes>>,
    joints: Query<(Entity, &GlobalTransform), Changed<GlobalTransform>>,
) {
    for (mesh, skin) in &skins {
        let Some(poses) = poses.get(&skin.inverse_bindposes) else { continue };
        let matrices = staging.of(mesh, skin.joints.len());
        for ((matrix, joint), bind) in matrices.iter_mut().zip(&skin.joints).zip(poses.iter()) {
            if let Ok((_, place)) = joints.get(*joint) {
                *matrix = place.affine() * *bind;
            }
        }
    }
}

/// What the plugin does for the renderer.
fn stage_skins(
    mut writer: Local<SkinWriter>,
    mut staging: ResMut<Staging>,
    crowd: Res<NebulaCrowd>,
    seats: Query<&CrowdSeat>,
    places: Query<&GlobalTransform>,
) {
    let Staging { matrices, starts } = &mut *staging;
    let members = seats.iter().filter_map(|seat| Some((seat, places.get(seat.model_entity()).ok()?)));
    writer.write(&crowd, members, |mesh| starts.get(&mesh).copied(), matrices);
}

/// What the renderer does when meshes come into view.
fn make_room(mut staging: ResMut<Staging>, seats: Query<&CrowdSeat, Added<CrowdSeat>>) {
    for (mesh, joints) in seats.iter().flat_map(CrowdSeat::skins) {
        staging.of(mesh, joints.len());
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum By {
    Bevy,
    Joints,
    FastPath,
}

struct Subject {
    by: By,
    app: App,
    /// Seconds of the animation stage, and from clocks to matrices, frame by frame.
    times: Vec<[f64; 2]>,
}

impl Subject {
    fn new(by: By, folder: &Path, file: &str, count: usize) -> Self {
        let mut app = App::new();
        app.add_plugins((
            MinimalPlugins,
            TransformPlugin,
            AssetPlugin { file_path: folder.to_string_lossy().into_owned(), ..default() },
            WorldSerializationPlugin,
            ImagePlugin::default(),
            MeshPlugin,
            CameraPlugin,
            GltfPlugin::default(),
            AnimationPlugin,
        ));
        app.init_resource::<Clock>()
            .init_resource::<Staging>()
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f32(1.0 / 60.0)))
            .add_systems(PostUpdate, propagated.after(TransformSystems::Propagate).before(NebulaSystems::Place))
            .add_systems(PostUpdate, placed.after(NebulaSystems::Place).before(VisibilitySystems::CheckVisibility))
            .add_observer(play_bevys);
        let animated = animated.before(TransformSystems::Propagate);
        if by == By::Bevy {
            app.add_systems(PostUpdate, (start.before(AnimationSystems), animated.after(AnimationSystems)));
        } else {
            // Bevy's loader wants bevy_animation here too; what that does with nothing to play is not counted.
            app.add_plugins(NebulaPlugin).add_systems(
                PostUpdate,
                (start.after(AnimationSystems).before(NebulaSystems::Bind), animated.after(NebulaSystems::Write)),
            );
        }
        if by == By::FastPath {
            app.add_systems(Last, (make_room, start_skins, stage_skins, skinned).chain());
        } else {
            app.add_systems(Last, (start_skins, stage_joints, skinned).chain());
        }
        // One thread, and none that waits for another to wake up.
        for schedule in [PostUpdate.intern(), Last.intern()] {
            app.edit_schedule(schedule, |schedule| {
                schedule.set_executor(SingleThreadedExecutor::new());
            });
        }
        app.finish();
        app.cleanup();
        let server = app.world().resource::<AssetServer>().clone();
        let for_crowds = |settings: &mut CharacterSettings| settings.for_crowds = true;
        let handle: Handle<CharacterAsset> = match by {
            By::Bevy => Handle::default(),
            _ => server.load_builder().with_settings(for_crowds).load(file.to_owned()),
        };
        let scene = server.load(format!("{file}#Scene0"));
        for number in 0..count {
            let time = 0.037 * number as f64;
            match by {
                By::Bevy => app.world_mut().spawn((WorldAssetRoot(scene.clone()), Bevys(file.to_owned(), time as f32))),
                By::Joints => app.world_mut().spawn(NebulaCharacter::new(handle.clone())),
                By::FastPath => app.world_mut().spawn(CrowdMember { time, ..CrowdMember::new(handle.clone()) }),
            };
        }
        let mut subject = Self { by, app, times: Vec::new() };
        let begin = Instant::now();
        while subject.ready() < count {
            assert!(
                begin.elapsed() < Duration::from_secs(120),
                "{by:?}: only {} of {count} characters came",
                subject.ready()
            );
            subject.app.update();
        }
        if by == By::Joints {
            let mut animators = subject.app.world_mut().query::<&mut Animator>();
            for (number, mut animator) in animators.iter_mut(subject.app.world_mut()).enumerate() {
                if let Some(action) =
                    animator.mixer.layer_mut(default()).and_then(|layer| layer.current_action.as_mut())
                {
                    action.seek(0.037 * number as f64);
                }
            }
        }
        (0..WARM_UP).for_each(|_| subject.app.update());
        subject
    }

    /// How many characters play.
    fn ready(&mut self) -> usize {
        let world = self.app.world_mut();
        match self.by {
            By::Bevy => world.query::<(&AnimationPlayer, &AnimationGraphHandle)>().iter(world).count(),
            By::Joints => world.query::<&Animator>().iter(world).count(),
            By::FastPath => world.query::<&CrowdSeat>().iter(world).count(),
        }
    }

    fn run(&mut self) {
        for _ in 0..FRAMES {
            self.app.update();
            if let Some(times) = self.app.world().resource::<Clock>().times(self.by) {
                self.times.push(times);
            }
        }
    }

    /// The median of a column, in milliseconds.
    fn median(&self, column: usize) -> f64 {
        let mut times: Vec<f64> = self.times.iter().map(|times| times[column]).collect();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied().unwrap_or_default() * 1e3
    }
}

/// A character for bevy_animation: its file, and the time to begin with.
#[derive(Component)]
struct Bevys(String, f32);

fn play_bevys(
    ready: On<WorldInstanceReady>,
    mut commands: Commands,
    assets: Res<AssetServer>,
    mut graphs: ResMut<Assets<AnimationGraph>>,
    subjects: Query<&Bevys>,
    children: Query<&Children>,
    mut players: Query<&mut AnimationPlayer>,
) {
    let Ok(Bevys(file, time)) = subjects.get(ready.entity) else { return };
    let (graph, node) = AnimationGraph::from_clip(assets.load(format!("{file}#Animation0")));
    let graph = graphs.add(graph);
    for child in children.iter_descendants(ready.entity) {
        if let Ok(mut player) = players.get_mut(child) {
            player.play(node).repeat().seek_to(*time);
            commands.entity(child).insert(AnimationGraphHandle(graph.clone()));
        }
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| FILE.to_owned());
    let count = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(1000);
    let path = Path::new(&path).canonicalize().unwrap_or_else(|error| {
        eprintln!("{path}: {error}");
        std::process::exit(1);
    });
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut subjects = [By::Bevy, By::Joints, By::FastPath].map(|by| Subject::new(by, folder, &file, count));
    for _ in 0..ROUNDS {
        subjects.iter_mut().for_each(Subject::run);
    }
    let threads = bevy::tasks::ComputeTaskPool::get().thread_num();
    println!("{file}, {count} characters, {threads} threads, medians of {} frames", ROUNDS * FRAMES);
    println!("| | animation ms | times | to matrices ms | times |");
    println!("|---|---|---|---|---|");
    let bevy = [subjects[0].median(0), subjects[0].median(1)];
    for subject in &subjects {
        let [own, all] = [subject.median(0), subject.median(1)];
        println!("| {:?} | {own:.3} | {:.1} | {all:.3} | {:.1} |", subject.by, bevy[0] / own, bevy[1] / all);
    }
}
