//! Numbers that a fault would change.
