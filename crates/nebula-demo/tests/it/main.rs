//! The program from outside: what it prints, how it exits, and how it stands up to the two corpora.

mod bench;
mod command_line;
mod conformance;
mod corpus;
mod hostile;
