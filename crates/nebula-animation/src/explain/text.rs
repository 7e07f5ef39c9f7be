//! Formats explanations as text.

use std::fmt::{self, Display, Formatter};

use glam::Vec3;

use super::{
    ActionPart, Change, ConditionPart, Explanation, FadePart, LayerPart, LevelSource, MachinePart, Outcome,
    ProceduralPart, Reason, TransitionPart,
};
use crate::skeleton::JointPose;

impl Display for Explanation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} (joint {}), {:.3} s after the start", self.name, self.joint, self.elapsed)?;
        if self.time_scale != 1.0 {
            write!(f, ", at {} times the speed", self.time_scale)?;
        }
        writeln!(f)?;
        for (index, machine) in self.machines.iter().enumerate() {
            write!(f, "state machine {index}, ")?;
            machine.fmt(f)?;
        }
        writeln!(f, "  rest pose: {}", pose(&self.mixer.rest))?;
        self.mixer.layers.iter().try_for_each(|layer| layer.fmt(f))?;
        if let Some(inertia) = &self.mixer.inertia {
            let (left, part) = (inertia.seconds_left, inertia.progress * 100.0);
            writeln!(f, "+ inertia of a fade: {}; {part:.0} % through, {left:.3} s left", inertia.change)?;
        }
        if let Some(since) = &self.mixer.since {
            writeln!(f, "+ changed since the last update: {since}")?;
        }
        self.changes.iter().try_for_each(|part| part.fmt(f))?;
        if let Some(untold) = &self.untold {
            writeln!(f, "+ procedural layers together: {untold} (trace the character to tell them apart)")?;
        }
        write!(f, "= {}", pose(&self.pose))?;
        match &self.parents[..] {
            [] => write!(f, "; a root")?,
            [parent, ..] => write!(f, " in the space of {parent}")?,
        }
        writeln!(f, "; in model space at {}", place(self.position))?;
        if let [_, _, ..] = self.parents[..] {
            writeln!(f, "  moved along by its parents: {}", self.parents.join(" < "))?;
        }
        Ok(())
    }
}

impl Display for Change {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (degrees, millimetres) = (self.degrees(), self.millimetres());
        match (degrees < 0.005, millimetres < 0.05) {
            (true, true) => write!(f, "no change")?,
            (false, true) => write!(f, "turns it by {degrees:.2}°")?,
            (true, false) => write!(f, "moves it by {millimetres:.1} mm")?,
            (false, false) => write!(f, "turns it by {degrees:.2}°, moves it by {millimetres:.1} mm")?,
        }
        if self.growth.abs().max_element() > 1e-6 {
            write!(f, ", scale {:+.4} {:+.4} {:+.4}", self.growth.x, self.growth.y, self.growth.z)?;
        }
        Ok(())
    }
}

impl Display for LayerPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mode = if self.is_additive { "additive" } else { "override" };
        write!(f, "+ layer \"{}\" ({mode}), weight {:.2}", self.name.escape_debug(), self.weight)?;
        match self.mask {
            Some(0.0) => write!(f, ", its mask leaves this joint out")?,
            Some(mask) => write!(f, ", mask {mask:.2}")?,
            None => {}
        }
        if self.levels.is_empty() {
            return writeln!(f, ": nothing plays in it");
        }
        writeln!(f, ": {:.1} % of it shows, {}", self.fraction * 100.0, self.change)?;
        for level in &self.levels {
            write!(f, "    {:5.1} % ", level.share * 100.0)?;
            match &level.source {
                LevelSource::Rest => write!(f, "rest pose")?,
                LevelSource::Standing => write!(f, "a frozen pose, of fades that were interrupted")?,
                LevelSource::Action(action) => action.fmt(f)?,
            }
            if let Some(fade) = &level.fade {
                write!(f, "; {fade}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Display for ActionPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some((space, position)) = self.space {
            write!(f, "blend space {space} at ({:.2}, {:.2}): ", position.x, position.y)?;
        }
        for (index, clip) in self.clips.iter().enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}\"{}\"", clip.name.escape_debug())?;
            if self.clips.len() > 1 || self.space.is_some() {
                write!(f, " {:.1} %", clip.weight * 100.0)?;
            }
            write!(f, " at {:.3} s", clip.time)?;
        }
        let unit = if self.space.is_some() { "passes" } else { "s" };
        write!(f, "; clock {:.3} {unit}, pass {}, speed {:.2}", self.total_time, self.pass, self.speed)?;
        if !self.is_playing {
            write!(f, ", paused")?;
        }
        if self.weight < 1.0 {
            write!(f, ", weight {:.2}", self.weight)?;
        }
        Ok(())
    }
}

impl Display for FadePart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} fade of {:.3} s, {:.0} % through", self.curve, self.seconds, self.progress * 100.0)
    }
}

impl Display for MachinePart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.states.iter().map(|name| format!("\"{}\"", name.escape_debug())).collect();
        writeln!(f, "layer {}: in state {}", self.layer, names.join(" within "))?;
        let parameters: Vec<String> = self.parameters.iter().map(|(name, value)| format!("{name} {value}")).collect();
        if !parameters.is_empty() {
            writeln!(f, "    parameters: {}", parameters.join(", "))?;
        }
        if let Some(taken) = &self.taken {
            let named = |condition: &ConditionPart| format!("{} (it was {})", condition.text, condition.value);
            let conditions: Vec<String> = taken.conditions.iter().map(named).collect();
            let after = taken.exit.as_ref().map(|exit| format!("after {} passes", exit.after));
            let held: Vec<String> = conditions.into_iter().chain(after).collect();
            let fade = format!("{} fade of {} s", taken.curve, taken.fade_seconds);
            match &held[..] {
                [] => writeln!(f, "    came here by {} -> {} ({fade}), which has no condition", taken.from, taken.to)?,
                _ => writeln!(
                    f,
                    "    came here by {} -> {} ({fade}), because of: {}",
                    taken.from,
                    taken.to,
                    held.join(", ")
                )?,
            }
        }
        for exit in &self.exits {
            writeln!(f, "    {exit}")?;
        }
        Ok(())
    }
}

impl Display for TransitionPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {} ", self.from, self.to)?;
        if self.is_open() {
            return write!(f, "is open: it is taken in the next update");
        }
        let mut waits: Vec<String> = self.blocked.iter().cloned().collect();
        let unmet = self.conditions.iter().filter(|condition| !condition.holds);
        waits.extend(unmet.map(|condition| format!("{} (it is {})", condition.text, condition.value)));
        if let Some(exit) = self.exit.as_ref().filter(|exit| !exit.holds) {
            waits.push(format!("{} passes (played {:.2})", exit.after, exit.passes.unwrap_or(f64::INFINITY)));
        }
        write!(f, "waits for: {}", waits.join(", "))
    }
}

impl Display for ProceduralPart {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "+ {}", self.layer)?;
        match self.outcome {
            Outcome::NoWeight => return writeln!(f, ": no weight"),
            Outcome::Rejected => return writeln!(f, ": could not be applied, the log says why"),
            Outcome::Applied => {}
        }
        if self.weight < 1.0 {
            write!(f, " (weight {:.2})", self.weight)?;
        }
        let (turned, moved) = (self.turned, self.moved.length() * 1000.0);
        writeln!(f, ": {}; with its parents, in model space: {turned:.2}°, {moved:.1} mm", self.change)?;
        // Joints of a limb are mostly wanted for the same thing: they share a line.
        for alike in self.reasons.chunk_by(|a, b| (&a.wanted, &a.limits) == (&b.wanted, &b.limits)) {
            let names: Vec<String> = alike.iter().map(Reason::who).collect();
            write!(f, "    {}: wanted to {}", names.join(", "), alike[0].wanted)?;
            for (index, limit) in alike[0].limits.iter().enumerate() {
                write!(f, "{}{limit}", if index == 0 { "; limited by " } else { ", and by " })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Reason {
    /// The joint, for people.
    fn who(&self) -> String {
        if self.name.is_empty() { format!("joint {}", self.joint) } else { self.name.clone() }
    }
}

fn pose((translation, rotation, scale): &JointPose) -> String {
    let mut text = format!("{} turned by {:.1}°", place(*translation), degrees(*rotation));
    if !scale.abs_diff_eq(Vec3::ONE, 1e-6) {
        text += &format!(", scaled by {}", place(*scale));
    }
    text
}

fn place(place: Vec3) -> String {
    format!("({:.3}, {:.3}, {:.3})", place.x, place.y, place.z)
}

fn degrees(rotation: glam::Quat) -> f32 {
    Change { turn: rotation, ..Change::NONE }.degrees()
}
