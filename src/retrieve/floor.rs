//! The floor: whether what was found answers to the question at all.
//!
//! Owns the measure of evidence. Knows no text.

use super::asked::{Asked, Word};
use super::turns::Turn;
use crate::text::Corpus;

/// The floor as shipped; docs/RETRIEVAL.md has the curve.
pub(super) const FLOOR: f64 = 0.5;

/// So many of the best turns are looked at.
const LOOKED_AT: usize = 200;

// What the measure is made of: a logistic regression over the single-hop questions of the two conversations that everything is tuned on,
// against the questions of others put to them. What words say is measured in words that one passage alone has.
/// The share of what is asked for that the best turn and those around it have.
const AROUND: f64 = 0.84;
/// The share that the fifth best has, what is around it counted by half.
const FIFTH: f64 = 1.22;
/// How much of it a turn of a speaker who is named has.
const OF_SPEAKER: f64 = 2.0;
/// The score of the best turn.
const SCORE: f64 = 0.79;
/// The most telling word in the best turn, as a share of the most telling word of all.
const TELLING: f64 = 1.23;
/// A word of the question that the memory has.
const SPECIFIC: f64 = 0.8;
/// Each word of up to three that the memory does not have.
const UNKNOWN: f64 = -0.46;
/// A name, number or the like that the memory does not have.
const UNKNOWN_NAME: f64 = -2.64;
/// A time without a turn in it.
const OUT_OF_TIME: f64 = -2.03;
/// The logarithm of the number of words.
const WORDS: f64 = -1.5;
const BIAS: f64 = -6.05;
/// In a memory of few passages no word is rare; there the share decides.
const FEW: f64 = 6.0;
const FEW_PASSAGES: f64 = 50.0;

/// How well the turns answer to the question, from 0 to 1.
pub(super) fn of_turns(asked: &Asked, corpus: &Corpus, turns: &[Turn]) -> f64 {
    let words: Vec<_> = asked.words.iter().filter(|word| !word.is_time).collect();
    if words.is_empty() {
        // Nothing is asked but for a speaker, or a time: whatever is known of either answers.
        let is_about = !asked.speakers.is_empty() || turns.iter().any(|turn| turn.is_in_time);
        return if is_about { 1.0 } else { 0.0 };
    }
    let turns = turns.get(..turns.len().min(LOOKED_AT)).unwrap_or_default();
    let Some(first) = turns.first() else { return 0.0 };
    let lasting = words.iter().fold(0_u64, |bits, word| bits | 1 << word.bit);
    let says = |bits: u64| f64::from(asked.says(bits & lasting));
    let total = says(u64::MAX).max(f64::MIN_POSITIVE);
    let rarest = f64::from(corpus.index().weight_of_count(1)).max(f64::MIN_POSITIVE);
    let mixed = |turn: &Turn| says(turn.words).midpoint(says(turn.around));
    let is_speakers = |turn: &&Turn| {
        let speaker = corpus.document(turn.document).and_then(|document| document.speaker);
        asked.speakers.is_empty() || speaker.is_some_and(|speaker| asked.speakers.contains(&speaker))
    };
    let greatest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let around = greatest(&mut turns.iter().map(|turn| says(turn.around))) / total;
    let mut own: Vec<f64> = turns.iter().map(|turn| says(turn.words)).collect();
    own.sort_by(|left, right| right.total_cmp(left));
    let telling = |bits: u64| greatest(&mut words.iter().filter(|word| bits >> word.bit & 1 == 1).map(|word| f64::from(word.says)));
    let count = |test: &dyn Fn(&Word) -> bool, most: usize| float(words.iter().filter(|word| test(word)).count().min(most));
    let out_of_time = !asked.windows.is_empty() && !turns.iter().take(IN_TIME_AMONG).any(|turn| turn.is_in_time);
    let few = (1.0 - (float(corpus.len()) + 1.0).ln() / FEW_PASSAGES.ln()).max(0.0);
    let z = BIAS
        + AROUND * around
        + FIFTH * own.get(4).copied().unwrap_or_default() / total
        + OF_SPEAKER * greatest(&mut turns.iter().filter(is_speakers).map(mixed)) / rarest
        + SCORE * f64::from(first.score) / rarest
        + TELLING * telling(first.words) / telling(u64::MAX).max(f64::MIN_POSITIVE)
        + SPECIFIC * count(&|word| word.is_specific && !word.is_unknown, 2)
        + UNKNOWN * count(&|word| word.is_unknown, 3)
        + UNKNOWN_NAME * count(&|word| word.is_specific && word.is_unknown, 2)
        + if out_of_time { OUT_OF_TIME } else { 0.0 }
        + WORDS * float(words.len()).ln()
        + FEW * few * (2.0 * around - 1.0);
    1.0 / (1.0 + (-z).exp())
}

/// A turn within the time asked for is looked for among so many.
const IN_TIME_AMONG: usize = 20;

#[expect(clippy::cast_precision_loss, reason = "counts of words and passages")]
const fn float(count: usize) -> f64 {
    count as f64
}

/// How well a fact answers to the question, from 0 to 1, by the question's words in its sentence and in those of the facts that lead to it
/// from a seed: the square of their share, so that two words in three are hardly enough. Names of speakers are no such words.
pub(super) fn of_fact(asked: &Asked, words: u64, at_seed: bool) -> f64 {
    let lasting = asked.words.iter().filter(|word| !word.is_time).fold(0_u64, |bits, word| bits | 1 << word.bit);
    let asked_for = f64::from(asked.says(lasting));
    if asked_for <= 0.0 {
        return if at_seed { 1.0 } else { 0.0 };
    }
    let share = f64::from(asked.says(words & lasting)) / asked_for;
    share * share
}
