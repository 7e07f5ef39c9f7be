mod root_deltas;
mod root_tracks;
mod space_sync;
mod space_weights;
