//! The facts as text.

use std::fmt::Write;

use super::summary::{ClipSummary, EntrySummary, JointSummary, MeshSummary, Summary};

/// The whole page.
pub fn page(summary: &Summary) -> String {
    let mut page = String::new();
    let _ = writeln!(page, "{} ({})", printable(&summary.file), size(summary.file_bytes));
    let helpers = summary.joints.iter().filter(|joint| joint.is_helper).count();
    let note = if helpers > 0 { format!(", {helpers} of them helpers (*)") } else { String::new() };
    section(&mut page, &format!("joints: {}{note}", summary.joints.len()), summary.joints.iter().map(joint));
    section(
        &mut page,
        &format!("skins: {}", summary.skins.len()),
        summary.skins.iter().map(|skin| {
            let meshes: Vec<_> = skin.meshes.iter().map(ToString::to_string).collect();
            let used = if meshes.is_empty() { "no mesh".into() } else { format!("meshes {}", meshes.join(", ")) };
            format!("{:>3} {}  {} joints, used by {used}", skin.index, quoted(&skin.name), skin.joints)
        }),
    );
    section(&mut page, &format!("clips: {}", summary.clips.len()), summary.clips.iter().map(clip));
    if !summary.clip_entries.is_empty() {
        let title = format!("KHR_animation_clip entries: {}", summary.clip_entries.len());
        section(&mut page, &title, summary.clip_entries.iter().map(entry));
    }
    section(&mut page, &format!("meshes: {}", summary.meshes.len()), summary.meshes.iter().map(mesh));
    if !summary.images.is_empty() {
        section(
            &mut page,
            &format!("base colour images: {}", summary.images.len()),
            summary.images.iter().map(|image| {
                let kind = image.mime_type.as_deref().unwrap_or("unknown type");
                format!("{:>3} {kind}, {}", image.index, size(image.bytes as u64))
            }),
        );
    }
    let warnings = summary.warnings.iter().map(|warning| printable(warning));
    section(&mut page, &format!("warnings: {}", summary.warnings.len()), warnings);
    page
}

fn section(page: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let _ = writeln!(page, "\n{title}");
    for line in lines {
        let _ = writeln!(page, "  {line}");
    }
}

fn joint(joint: &JointSummary) -> String {
    // Beyond this depth the indentation says nothing any more.
    const DEEPEST: usize = 30;
    let indent = "  ".repeat(joint.depth.min(DEEPEST));
    let mark = if joint.is_helper { " *" } else { "" };
    format!("{:>3} {indent}{}{mark}", joint.index, printable(&joint.name))
}

fn clip(clip: &ClipSummary) -> String {
    let parts = [
        (clip.translation_channels, "translation"),
        (clip.rotation_channels, "rotation"),
        (clip.scale_channels, "scale"),
        (clip.morph_channels, "morph"),
    ];
    let channels: Vec<_> =
        parts.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let channels = if channels.is_empty() { "no channels".into() } else { channels.join(", ") };
    let kinds: Vec<_> = clip.interpolations.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    let kinds = if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) };
    format!(
        "{:>3} {}  {:.3} s, {channels}{kinds}, {} joints, {} keys",
        clip.index,
        quoted(&clip.name),
        clip.duration,
        clip.joints,
        clip.keys
    )
}

fn entry(entry: &EntrySummary) -> String {
    let animations: Vec<_> = entry.animations.iter().map(ToString::to_string).collect();
    let end = entry.end.map_or_else(|| "the end".into(), |end| format!("{end} s"));
    let times = match entry.repetitions {
        -1 => "endless".into(),
        count => format!("{count} times"),
    };
    let there_and_back = if entry.reverse { ", back and forth" } else { "" };
    format!(
        "{}  animations {}, {} s to {end}, offset {} s, speed {}, {times}{there_and_back}",
        quoted(&entry.name),
        animations.join(", "),
        entry.start,
        entry.offset,
        entry.speed
    )
}

fn mesh(mesh: &MeshSummary) -> String {
    let skin = match mesh.skin {
        Some(skin) => format!("skin {skin}, {} influences", mesh.influences),
        None => "rigid".into(),
    };
    let morphs = match mesh.morph_targets.len() {
        0 => String::new(),
        count => {
            let names: Vec<_> =
                mesh.morph_targets.iter().filter(|name| !name.is_empty()).map(|name| printable(name)).collect();
            let names = if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) };
            format!(", {count} morph targets{names}")
        }
    };
    let [x, y, z] = mesh.size;
    let missing = if mesh.is_geometry_missing { ", geometry missing" } else { "" };
    format!(
        "{:>3} {}  node {}, {skin}, {} primitives, {} vertices, {} triangles, {x:.3} x {y:.3} x {z:.3}{morphs}{missing}",
        mesh.index,
        quoted(&mesh.name),
        mesh.node,
        mesh.primitives,
        mesh.vertices,
        mesh.triangles
    )
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", printable(name))
}

/// Text of a stranger without anything that a terminal would obey.
pub(crate) fn printable(text: &str) -> String {
    let mut printable = String::with_capacity(text.len());
    for character in text.chars() {
        // Besides control characters: marks that break lines or turn the direction of writing.
        let is_mark = matches!(character, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if character.is_control() || is_mark {
            printable.extend(character.escape_unicode());
        } else {
            printable.push(character);
        }
    }
    printable
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}
