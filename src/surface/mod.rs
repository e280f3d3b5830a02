//! Surfaces: where people and programs meet the memory. Transfer types, and for each surface its mapping of error kinds.
//!
//! Knows the facade and nothing of how it stores or derives.

#[cfg(all(feature = "sparql", any(feature = "cli", feature = "http")))]
mod chunks;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "llm")]
mod endpoint;
#[cfg(feature = "http")]
pub mod http;
pub mod transfer;

#[cfg(feature = "llm")]
pub use endpoint::{Endpoint, EndpointError};

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
