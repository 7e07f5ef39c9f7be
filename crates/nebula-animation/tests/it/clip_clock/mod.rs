//! Clocks: closed forms against tables from outside and against walking there step by step.

mod khr_tables;
mod limits;
mod markers;
mod walker;
