use super::{StateError, StateReader, StateWriter};

/// A value that can be written into a record and read back with the same bits.
///
/// Implemented for numbers, `glam`'s vectors and rotations, and arrays, tuples, options and lists of such values. A
/// `Vec` takes the length it had when it was written; a slice must already have that length, or the record is refused.
///
/// ```
/// use nebula_animation::state::{StateError, StateReader, StateWriter, Stateful};
///
/// /// A door that opens.
/// struct Door {
///     opened: f32,
/// }
///
/// impl Stateful for Door {
///     fn write_state(&self, writer: &mut StateWriter) {
///         writer.write(&self.opened);
///     }
///     fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError> {
///         reader.read(&mut self.opened).map_err(|error| error.within("opened"))
///     }
/// }
/// ```
pub trait Stateful {
    /// Writes what changes from frame to frame: at least one word.
    fn write_state(&self, writer: &mut StateWriter);

    /// Reads what [`write_state`](Stateful::write_state) wrote. After an error, the value may have changed in part.
    ///
    /// # Errors
    /// The record is too short, or contains something that the value cannot be.
    fn read_state(&mut self, reader: &mut StateReader<'_>) -> Result<(), StateError>;
}

/// Both directions of a state from one list of fields, so that they cannot differ.
///
/// `stateful!(Type { field, field })` makes a type [`Stateful`]. `stateful!(given { field } kept { field })` expands to
/// the two methods alone, for an `impl` of a trait that has them too: `given` fields were set by users and may be any
/// number, `kept` fields must be finite, and `flags { field }` before them are booleans that share a word.
/// `then method` calls a method without arguments after reading, which brings numbers back into their ranges.
macro_rules! stateful {
    ($type:ty { $($kept:ident),* $(,)? } $(then $clean:ident)?) => {
        impl $crate::state::Stateful for $type {
            $crate::state::stateful!(given {} kept { $($kept),* } $(then $clean)?);
        }
    };
    ($(flags { $($flag:ident),* $(,)? })? given { $($given:ident),* $(,)? } kept { $($kept:ident),* $(,)? }
        $(then $clean:ident)?) => {
        fn write_state(&self, writer: &mut $crate::state::StateWriter) {
            $(writer.flags([$(self.$flag),*]);)?
            $(writer.write(&self.$given);)*
            $(writer.write(&self.$kept);)*
        }

        fn read_state(&mut self, reader: &mut $crate::state::StateReader<'_>) -> Result<(), $crate::state::StateError> {
            $([$(self.$flag),*] = reader.flags().map_err(|error| error.within(stringify!($($flag)|*)))?;)?
            $(reader.read_any(&mut self.$given).map_err(|error| error.within(stringify!($given)))?;)*
            $(reader.read(&mut self.$kept).map_err(|error| error.within(stringify!($kept)))?;)*
            $(self.$clean();)?
            Ok(())
        }
    };
}
pub(crate) use stateful;
