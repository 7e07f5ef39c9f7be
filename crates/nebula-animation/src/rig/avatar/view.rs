use super::{Avatar, FirstPerson};

/// Through whose eyes an avatar is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Eyes {
    /// Its own: first person, without the inside of its head.
    Own,
    /// Everyone else's: third person cameras and mirrors.
    Others,
}

/// How much of a mesh is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seen {
    /// All of it.
    Whole,
    /// All but what follows the head or a joint below it.
    WithoutHead,
    /// None of it.
    Nothing,
}

impl Avatar {
    /// How much of a mesh is visible in a view, by the glTF node that shows it.
    /// [`Asset::indices_seen`](crate::Asset::indices_seen) has the triangles.
    ///
    /// ```
    /// use nebula_animation::rig::avatar::{Avatar, Eyes, FirstPerson, Seen};
    ///
    /// let avatar = Avatar { first_person: vec![(4, FirstPerson::ThirdPersonOnly)], ..Avatar::default() };
    /// assert_eq!(avatar.seen(4, Eyes::Own), Seen::Nothing);
    /// assert_eq!(avatar.seen(4, Eyes::Others), Seen::Whole);
    /// assert_eq!(avatar.seen(5, Eyes::Own), Seen::WithoutHead, "the file says nothing of it");
    /// ```
    #[must_use]
    pub fn seen(&self, node: usize, eyes: Eyes) -> Seen {
        let listed = self.first_person.iter().find(|(listed, _)| *listed == node);
        match (listed.map_or(FirstPerson::Auto, |(_, kind)| *kind), eyes) {
            (FirstPerson::Both, _)
            | (FirstPerson::FirstPersonOnly, Eyes::Own)
            | (FirstPerson::ThirdPersonOnly | FirstPerson::Auto, Eyes::Others) => Seen::Whole,
            (FirstPerson::Auto, Eyes::Own) => Seen::WithoutHead,
            (FirstPerson::ThirdPersonOnly, Eyes::Own) | (FirstPerson::FirstPersonOnly, Eyes::Others) => Seen::Nothing,
        }
    }
}
