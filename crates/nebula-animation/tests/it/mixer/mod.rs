mod actions;
mod blend;
mod cast;
mod continuity;
mod events;
mod layers;
#[cfg(feature = "documents")]
mod machine_documents;
mod machine_runs;
mod root_deltas;
mod root_mixer;
mod root_tracks;
mod space_play;
mod space_sync;
mod space_weights;
mod velocity;
