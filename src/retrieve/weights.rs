//! What makes one hit worth more than another, as numbers that a user can set.
//!
//! Owns the formula and its presets. Knows no arm.

use std::collections::BTreeMap;

/// Microseconds in an hour.
const HOUR: f64 = 3_600_000_000.0;

/// `score = relevance × w_rel + importance × w_imp + recency × w_rec + credibility × w_cred`.
///
/// ```
/// use erstwhile::retrieve::Weights;
///
/// // The preset of the two formulas that agents' memories are taught with.
/// let engine = Weights::memory_engine();
/// let hour = 3_600_000_000;
/// assert_eq!(format!("{:.4}", engine.score(5.0, 0.90, hour, 1.0)), "3.1627");
/// assert_eq!(format!("{:.4}", engine.score(1.0, 0.95, 3 * hour, 1.0)), "0.9641");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// What relevance counts for.
    pub relevance: f64,
    /// What importance (0 to 1, as recorded with the claims) counts for.
    pub importance: f64,
    /// What recency (0 to 1, of age at the reading position) counts for.
    pub recency: f64,
    /// What the rank of the source (0 to 1) counts for.
    pub credibility: f64,
    /// How recency falls with age.
    pub decay: Recency,
    /// What relevance is.
    pub measure: Relevance,
}

/// How recency falls with age.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recency {
    /// `exp(-age / τ)`, with τ in hours.
    Exponential {
        /// τ.
        hours: f64,
    },
    /// Everything is as recent as everything else.
    Never,
}

/// What relevance is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relevance {
    /// The fused ranks of all arms, 1 for what every arm that found anything puts first.
    Fused,
    /// The same, stretched so that the best hit has 1 and the last one 0; importance and recency likewise.
    Stretched,
    /// The number of tokens that question and text share, words and pairs of characters of the text without blanks.
    Overlap,
}

/// Weights that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("weights: {field}: {reason}")]
pub struct WeightsError {
    /// The field.
    pub field: String,
    /// What is wrong with it.
    pub reason: String,
}

impl Default for Weights {
    /// Relevance decides; importance, recency and the source's rank tell near equals apart.
    ///
    /// Tuned on two of five public conversations, where more weight on any of the three lowers the recall of what is asked for.
    fn default() -> Self {
        Self {
            relevance: 1.0,
            importance: 0.02,
            recency: 0.01,
            credibility: 0.02,
            decay: Recency::Exponential { hours: 24.0 * 90.0 },
            measure: Relevance::Fused,
        }
    }
}

impl Weights {
    /// `0.55 × overlap + 0.30 × importance + 0.15 × exp(-age / 20)`, an hour being a step of age and the overlap a count of tokens.
    ///
    /// Source: the teaching example of a memory engine, "implementation of memory engineering", whose two scores are 3.1627 and 0.9641.
    #[must_use]
    pub fn memory_engine() -> Self {
        Self {
            relevance: 0.55,
            importance: 0.30,
            recency: 0.15,
            credibility: 0.0,
            decay: Recency::Exponential { hours: 20.0 },
            measure: Relevance::Overlap,
        }
    }

    /// Relevance, importance and recency alike, each stretched to 0 to 1 over what was found; recency falls by 0.995 an hour.
    ///
    /// Source: Park et al. 2023, "Generative agents: interactive simulacra of human behavior", section 4.1.
    #[must_use]
    pub fn generative_agents() -> Self {
        Self {
            relevance: 1.0,
            importance: 1.0,
            recency: 1.0,
            credibility: 0.0,
            decay: Recency::Exponential { hours: -1.0 / 0.995_f64.ln() },
            measure: Relevance::Stretched,
        }
    }

    /// `λ × similarity + (1 − λ) × exp(-age / τ)` with λ = 0.7 and a decay of 0.01 an hour.
    ///
    /// Source: the hybrid store of the survey of agents' memories, equation of recency-weighted retrieval and its listing.
    #[must_use]
    pub fn vector_store() -> Self {
        Self {
            relevance: 0.7,
            importance: 0.0,
            recency: 0.3,
            credibility: 0.0,
            decay: Recency::Exponential { hours: 100.0 },
            measure: Relevance::Fused,
        }
    }

    /// A preset by its name: `default`, `memory-engine`, `generative-agents` or `vector-store`.
    #[must_use]
    pub fn preset(name: &str) -> Option<Self> {
        match name.replace('_', "-").as_str() {
            "default" => Some(Self::default()),
            "memory-engine" => Some(Self::memory_engine()),
            "generative-agents" => Some(Self::generative_agents()),
            "vector-store" => Some(Self::vector_store()),
            _ => None,
        }
    }

    /// The names of the presets.
    pub const PRESETS: [&'static str; 4] = ["default", "memory-engine", "generative-agents", "vector-store"];

    /// Reads weights from TOML: `preset`, over which `relevance`, `importance`, `recency`, `credibility` and `decay_hours` (0: no decay)
    /// are laid.
    ///
    /// # Errors
    /// [`WeightsError`] naming the field.
    pub fn read(toml: &str) -> Result<Self, WeightsError> {
        let wrong = |field: &str, reason: String| WeightsError { field: field.to_owned(), reason };
        let table: toml::Table = toml.parse().map_err(|error: toml::de::Error| wrong("file", error.message().to_owned()))?;
        let fields: BTreeMap<&str, &toml::Value> = table.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let mut weights = match fields.get("preset") {
            None => Self::default(),
            Some(value) => {
                let name = value.as_str().unwrap_or_default();
                Self::preset(name).ok_or_else(|| wrong("preset", format!("{value} is none of {}", Self::PRESETS.join(", "))))?
            }
        };
        for (field, value) in fields.into_iter().filter(|(field, _)| *field != "preset") {
            let number = value.as_float().or_else(|| value.as_integer().and_then(|whole| i32::try_from(whole).ok()).map(f64::from));
            let number = number
                .filter(|number| number.is_finite() && *number >= 0.0)
                .ok_or_else(|| wrong(field, format!("{value} is no number from 0 on")))?;
            match field {
                "relevance" => weights.relevance = number,
                "importance" => weights.importance = number,
                "recency" => weights.recency = number,
                "credibility" => weights.credibility = number,
                "decay_hours" if number > 0.0 => weights.decay = Recency::Exponential { hours: number },
                "decay_hours" => weights.decay = Recency::Never,
                _ => return Err(wrong(field, "there is no such weight".to_owned())),
            }
        }
        Ok(weights)
    }

    /// The score of something of this relevance, importance, age in microseconds and credibility.
    #[must_use]
    pub fn score(&self, relevance: f64, importance: f64, age_micros: i64, credibility: f64) -> f64 {
        relevance * self.relevance
            + importance * self.importance
            + self.recency_of(age_micros) * self.recency
            + credibility * self.credibility
    }

    /// Recency from 0 to 1; what lies ahead is as recent as can be.
    #[must_use]
    pub fn recency_of(&self, age_micros: i64) -> f64 {
        match self.decay {
            Recency::Never => 1.0,
            #[expect(clippy::cast_precision_loss, reason = "an age of centuries needs no microseconds")]
            Recency::Exponential { hours } => (-(age_micros.max(0) as f64) / HOUR / hours).exp(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOURS: i64 = 3_600_000_000;

    #[test]
    fn each_preset_is_its_formula() {
        let close = |left: f64, right: f64| assert!((left - right).abs() < 1e-9, "{left} is not {right}");
        close(Weights::memory_engine().score(2.0, 0.5, 20 * HOURS, 1.0), 0.55 * 2.0 + 0.30 * 0.5 + 0.15 * (-1.0_f64).exp());
        close(Weights::vector_store().score(0.8, 1.0, 50 * HOURS, 1.0), 0.7 * 0.8 + 0.3 * (-0.01 * 50.0_f64).exp());
        close(Weights::generative_agents().recency_of(24 * HOURS), 0.995_f64.powi(24));
        for name in Weights::PRESETS {
            assert!(Weights::preset(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_lies_ahead_is_most_recent() {
        assert!((Weights::default().recency_of(-5) - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn a_file_lays_its_weights_over_a_preset() {
        let read = Weights::read("preset = \"vector-store\"\nimportance = 1\ndecay_hours = 0").unwrap();
        assert_eq!(read, Weights { importance: 1.0, decay: Recency::Never, ..Weights::vector_store() });
        for (toml, field) in [
            ("preset = \"best\"", "preset"),
            ("recency = -1", "recency"),
            ("recency = \"much\"", "recency"),
            ("luck = 1", "luck"),
            ("recency = ", "file"),
        ] {
            assert_eq!(Weights::read(toml).unwrap_err().field, field, "{toml}");
        }
    }
}
