//! Surfaces: where people and programs meet the memory. Transfer types, and for each surface its mapping of error kinds.
//!
//! Knows the facade and nothing of how it stores or derives.

#[cfg(all(feature = "sparql", any(feature = "cli", feature = "http")))]
mod chunks;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "llm")]
mod embeddings;
#[cfg(feature = "llm")]
mod endpoint;
#[cfg(feature = "http")]
pub mod http;
pub mod recalled;
pub mod transfer;
#[cfg(feature = "llm")]
mod wire;

#[cfg(feature = "llm")]
pub use embeddings::EmbeddingEndpoint;
#[cfg(feature = "llm")]
pub use endpoint::Endpoint;
#[cfg(feature = "llm")]
pub use wire::EndpointError;

/// The examples of the README are run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
