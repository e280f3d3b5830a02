//! What to hand to an agent before it answers: questions are read and answered on views. Knows no SPARQL and no surface.

pub mod answer;
pub mod question;
