//! The container of a file: what keeps lengths right.

use super::dice::Dice;

/// A file taken apart.
pub struct Parts {
    is_glb: bool,
    pub json: Vec<u8>,
    pub binary: Option<Vec<u8>>,
    pub choice: u8,
}

impl Parts {
    pub fn of(input: &[u8]) -> Option<Self> {
        let (&choice, file) = input.split_last()?;
        if !file.starts_with(b"glTF") {
            let is_json = file.first() == Some(&b'{');
            return is_json.then(|| Self { is_glb: false, json: file.to_vec(), binary: None, choice });
        }
        let length = u32::from_le_bytes(*file.get(12..)?.first_chunk()?) as usize;
        let (json, rest) = file.get(20..)?.split_at_checked(length)?;
        let json = json.trim_ascii_end().to_vec();
        Some(Self { is_glb: true, json, binary: rest.get(8..).map(<[u8]>::to_vec), choice })
    }

    pub fn pack(&self, is_wrong: bool, dice: &mut Dice) -> Vec<u8> {
        let mut file = Vec::with_capacity(self.json.len() + 256);
        if !self.is_glb {
            file.extend(&self.json);
            file.push(self.choice);
            return file;
        }
        let padded = |length: usize| length.next_multiple_of(4);
        file.extend(b"glTF\x02\0\0\0\0\0\0\0");
        file.extend((padded(self.json.len()) as u32).to_le_bytes());
        file.extend(b"JSON");
        file.extend(&self.json);
        file.resize(20 + padded(self.json.len()), b' ');
        if let Some(binary) = &self.binary {
            file.extend((padded(binary.len()) as u32).to_le_bytes());
            file.extend(b"BIN\0");
            file.extend(binary);
            file.resize(padded(file.len()), 0);
        }
        let length = file.len() as u32;
        file[8..12].copy_from_slice(&length.to_le_bytes());
        if is_wrong {
            let at = [4, 8, 12, 16, 20 + padded(self.json.len())][dice.below(5)].min(file.len() - 1);
            file[at] = file[at].wrapping_add(dice.below(9) as u8).wrapping_sub(4);
        }
        file.push(self.choice);
        file
    }
}
