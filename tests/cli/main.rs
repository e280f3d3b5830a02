//! The command line as a process: every command for people and as JSON, errors, exit codes, the tour.

#![cfg(test)]

#[cfg(feature = "sparql")]
mod asking;
mod errors;
mod harness;
#[cfg(feature = "sparql")]
mod linking;
mod patterns;
mod reading;
mod remembering;
mod telling;
mod touring;
mod writing;
