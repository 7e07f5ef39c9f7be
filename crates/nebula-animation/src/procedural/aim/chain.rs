//! The joints of an aim, shared until they are modified.

use std::ops::Deref;
use std::sync::Arc;

use super::AimJoint;
use crate::state::{StateError, StateReader, StateWriter, Stateful, stateful};

stateful!(AimJoint { joint, share, limit, axis });

/// A list that clones share until one of them changes. How long it is stays as it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chain {
    joints: Arc<[AimJoint]>,
    /// As they were made.
    made: Arc<[AimJoint]>,
}

impl Chain {
    pub fn new(joints: Vec<AimJoint>) -> Self {
        let joints: Arc<[AimJoint]> = joints.into();
        Self { made: Arc::clone(&joints), joints }
    }

    /// The joints, for changes.
    pub fn joints_mut(&mut self) -> &mut [AimJoint] {
        Arc::make_mut(&mut self.joints)
    }
}

impl Deref for Chain {
    type Target = [AimJoint];

    fn deref(&self) -> &[AimJoint] {
        &self.joints
    }
}

/// A word as long as they are as they were made, or else all of them.
impl Stateful for Chain {
    fn write_state(&self, writer: &mut StateWriter) {
        let is_changed = self.joints != self.made;
        writer.write(&is_changed);
        if is_changed {
            writer.write(&*self.joints);
        }
    }

    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
        let mut is_changed = false;
        reader.read(&mut is_changed)?;
        self.joints = Arc::clone(&self.made);
        if is_changed {
            reader.read(self.joints_mut())?;
        }
        Ok(())
    }
}
