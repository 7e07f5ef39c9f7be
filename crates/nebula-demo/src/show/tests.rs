//! Numbers behind the pictures.
