//! What to hand to an agent before it answers: from a question, a point of both times and a budget to facts and verbatim observations,
//! each with an explanation; or to an honest "nothing is known".
//!
//! Owns the reading of questions, the arms, their fusion, weights, floor and budget. Knows no SPARQL, no file and no clock.

pub mod answer;
mod asked;
mod diverse;
mod facts;
mod floor;
mod fuse;
mod names;
mod order;
mod overlap;
mod pack;
pub mod question;
mod recall;
mod recalled;
mod spread;
mod tuning;
mod turns;
mod weights;
mod written;

pub use names::Names;
pub use overlap::{overlap, overlap_tokens};
pub use pack::tokens_of;
pub use recall::{Query, Sources, Texts, recall};
pub use recalled::{Arm, Basis, Cut, Hit, Item, Noted, Parts, Reading, Recalled, Seed, Step, Window};
pub use spread::{Spread, spread};
pub use weights::{Recency, Relevance, Weights, WeightsError};
pub use written::{to_markdown, to_prompt};
