//! Measuring and checking: [`check`] runs fixtures, a user's own included; the evaluations read data sets by a path they are
//! given and score what the product makes of them.
//!
//! Owns the formats of fixtures and data sets, the scorers and their independent oracles. Everything goes through the same
//! doors a user has; nothing here is needed to run a memory. Knows no terminal: progress and findings go to callbacks.

pub mod answers;
pub mod check;
pub mod consolidation;
pub mod conversations;
pub mod extraction;
pub mod hops;
pub mod intervals;
mod orders;
pub mod pointintime;
pub mod policy;
mod random;
pub mod recall;
pub mod resolution;
mod source;
pub mod stretches;
pub mod time;
pub mod timeline;
pub mod updates;

pub use source::EvalError;

/// What an evaluation tells while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// So much of a stage is done.
    Progress {
        /// What is being done.
        stage: &'a str,
        /// How much of it.
        done: u64,
        /// Out of how much.
        total: u64,
    },
    /// Something that is not as it should be.
    Finding(&'a str),
    /// A line for people that the flat result has no room for.
    Detail(&'a str),
}
