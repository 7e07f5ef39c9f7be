mod actions;
mod blend;
mod cast;
mod continuity;
mod events;
mod layers;
mod velocity;
