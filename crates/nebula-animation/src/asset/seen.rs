//! The part of a mesh that is visible in first person.

use super::{Asset, Mesh, Primitive, Topology};
use crate::rig::avatar::{Eyes, Seen};
use crate::skeleton::HumanoidJoint;

impl Asset {
    /// The indices of a primitive, by the mesh's position in [`Asset::meshes`], that are visible in a view: all of
    /// them, unless the file is an avatar that says otherwise. For a mesh that is shown without the head, triangles
    /// with a vertex attached to the head or a joint below it are left out, as VRM specifies. Empty if there is no such
    /// primitive.
    ///
    /// ```no_run
    /// use nebula_animation::{Asset, rig::avatar::Eyes};
    ///
    /// # fn main() -> Result<(), nebula_animation::AnimationLoadError> {
    /// let asset = Asset::load("avatar.vrm")?;
    /// let drawn_for_the_player = asset.indices_seen(0, 0, Eyes::Own);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn indices_seen(&self, mesh: usize, primitive: usize, eyes: Eyes) -> Vec<u32> {
        let Some(mesh) = self.meshes.get(mesh) else { return Vec::new() };
        let Some(primitive) = mesh.primitives.get(primitive) else { return Vec::new() };
        match self.avatar.as_ref().map_or(Seen::Whole, |avatar| avatar.seen(mesh.node, eyes)) {
            Seen::Whole => primitive.indices.clone(),
            Seen::Nothing => Vec::new(),
            Seen::WithoutHead => self.without_head(mesh, primitive),
        }
    }

    fn without_head(&self, mesh: &Mesh, primitive: &Primitive) -> Vec<u32> {
        let of_head = self.of_head();
        let is_head = |joint: u16| of_head.get(usize::from(joint)).copied().unwrap_or(false);
        if primitive.joints.is_empty() {
            return if mesh.joint.is_some_and(is_head) { Vec::new() } else { primitive.indices.clone() };
        }
        let follows = |vertex: u32| {
            let sets = [(&primitive.joints, &primitive.weights), (&primitive.more_joints, &primitive.more_weights)];
            sets.into_iter().any(|(joints, weights)| {
                let pair = joints.get(vertex as usize).zip(weights.get(vertex as usize));
                pair.is_some_and(|(joints, weights)| {
                    joints.iter().zip(weights).any(|(joint, weight)| *weight > 0.0 && is_head(*joint))
                })
            })
        };
        let corners = match primitive.topology {
            Topology::Triangles => 3,
            Topology::Lines => 2,
            Topology::Points => 1,
        };
        let shapes = primitive.indices.chunks_exact(corners);
        shapes.filter(|shape| !shape.iter().any(|vertex| follows(*vertex))).flatten().copied().collect()
    }

    /// For each joint, whether it is the head or below it.
    fn of_head(&self) -> Vec<bool> {
        let named = self.humanoid.as_ref().and_then(|map| map.get(HumanoidJoint::Head));
        let head = named.or_else(|| self.avatar.as_ref()?.gaze.map(|gaze| gaze.head));
        let mut of_head: Vec<bool> = Vec::with_capacity(self.skeleton.joints.len());
        for (index, joint) in self.skeleton.joints.iter().enumerate() {
            let above = joint.parent.and_then(|parent| of_head.get(usize::from(parent))).copied().unwrap_or(false);
            of_head.push(above || head.map(usize::from) == Some(index));
        }
        of_head
    }
}
