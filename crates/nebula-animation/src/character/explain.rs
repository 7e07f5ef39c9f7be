//! Explains why a joint of a character is where it is.

use super::Character;
use crate::explain::{Change, Explanation};
use crate::skeleton::UnknownJoint;

impl Character {
    /// Everything that contributed to the pose of a joint in the last update, in order: clips with time, weight, mask
    /// and fade; blend spaces; inertia; procedural layers with what they wanted and what limited them; and why the
    /// state machines are in their states.
    ///
    /// Computed on demand. The contribution of each procedural layer is known only if the character was
    /// [traced](Character::set_traced) during that update; otherwise they are reported as one. For past frames, use a
    /// [`Recorder`](crate::recorder::Recorder).
    ///
    /// ```
    /// use glam::Vec3;
    /// use nebula_animation::{Character, LookAtLayer, Surroundings, load_skeleton_and_clips};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let (skeleton, clips) = load_skeleton_and_clips("test_assets/simple_humanoid.glb".as_ref())?;
    /// let mut hero = Character::new(skeleton, &clips);
    /// let head = hero.rig().require_joint("Head")?;
    /// hero.add_layer(LookAtLayer { joint_index: head, target: Vec3::new(9.0, 1.6, 0.0), max_angle: 0.5, weight: 1.0 });
    /// hero.set_traced(true);
    /// hero.update(1.0 / 60.0, &Surroundings::default());
    ///
    /// let why = hero.explain("Head")?;
    /// let look = &why.changes[0];
    /// assert!((look.change.degrees() - 0.5_f32.to_degrees()).abs() < 0.01);
    /// assert_eq!(look.reasons[0].limits[0].setting, "max_angle");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The rig has no such joint; similar names are listed.
    pub fn explain(&self, joint: &str) -> Result<Explanation, UnknownJoint> {
        let joint = self.rig().skeleton().require_joint(joint)?;
        Ok(self.explanation(joint))
    }

    /// Like [`explain`](Character::explain), by joint index; `None` if the joint does not exist.
    #[must_use]
    pub fn explain_joint(&self, joint: u16) -> Option<Explanation> {
        (usize::from(joint) < self.rig().joint_count()).then(|| self.explanation(joint))
    }

    fn explanation(&self, joint: u16) -> Explanation {
        let (rig, pose) = (self.rig(), self.frame.local(joint));
        let mixer = self.mixer.explain(joint);
        let trace = self.trace.as_deref().filter(|trace| !trace.is_empty());
        let changes = trace.map_or_else(Vec::new, |trace| trace.explain(rig, joint));
        let untold = Change::between(&mixer.pose, &pose);
        let has_untold = trace.is_none() && mixer.pose != pose;
        let placed = self.frame.model_matrix(joint);
        let (_, rotation, position) = placed.to_scale_rotation_translation();
        let name_of = |joint: u16| rig.joints[usize::from(joint)].name.clone();
        let parents = std::iter::successors(rig.parent(joint), |above| rig.parent(*above)).map(name_of).collect();
        Explanation {
            joint,
            name: name_of(joint),
            parents,
            elapsed: self.elapsed.value,
            time_scale: self.mixer.time_scale,
            machines: self.machines.iter().map(|machine| machine.explain(&self.mixer)).collect(),
            mixer,
            changes,
            untold: has_untold.then_some(untold),
            pose,
            position,
            rotation,
        }
    }

    /// Sets whether procedural layers record what they do, for [`explain`](Character::explain); default false, which
    /// costs nothing. The pose has the same bits either way.
    pub fn set_traced(&mut self, is_traced: bool) {
        if is_traced != self.trace.is_some() {
            self.trace = is_traced.then(Box::default);
        }
    }

    /// `true` if procedural layers record what they do.
    #[must_use]
    pub fn is_traced(&self) -> bool {
        self.trace.is_some()
    }
}
