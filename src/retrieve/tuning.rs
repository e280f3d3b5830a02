//! The constants of ranking, in one place, each with what it does.
//!
//! They were chosen by coordinate descent on two of the five public conversations (docs/RETRIEVAL.md), and are general: none refers to a
//! word, a name or a date. Knows no arm.

use crate::text::Bm25;

/// BM25 over what was said.
pub(super) const TURNS: Bm25 = Bm25 { k1: 2.0, b: 0.6 };
/// BM25 over names.
pub(super) const TERMS: Bm25 = Bm25 { k1: 1.2, b: 0.4 };

/// What the score of the turn before counts for in that of a turn.
pub(super) const BEFORE: f32 = 0.225;
/// The same where the turn before only asks: the answer has the question's words for its own.
pub(super) const QUESTION_BEFORE: f32 = 1.0;
/// What the score of the turn after counts for.
pub(super) const AFTER: f32 = 0.4;
/// Two turns before.
pub(super) const TWO_BEFORE: f32 = 0.1;
/// Two turns after.
pub(super) const TWO_AFTER: f32 = 0.125;
/// A turn of up to so many tokens hangs on those around it; a longer one less, by its length.
pub(super) const HANGS_UP_TO: f32 = 24.0;
/// What each word of the question counts for that a turn or one of two around it has.
pub(super) const AROUND: f32 = 0.07;
/// What each word counts for that a turn has itself, however often.
pub(super) const COVERED: f32 = 0.3;
/// What the mean of the three best turns of its session counts for.
pub(super) const SESSION: f32 = 0.6;
/// A turn of a speaker whom the question names.
pub(super) const NAMED_SPEAKER: f32 = 1.42;
/// A turn of somebody else, where the question names a speaker.
pub(super) const OTHER_SPEAKER: f32 = 0.8;
/// A short turn that only asks.
pub(super) const SHORT_QUESTION: f32 = 0.76;
/// So many tokens are short.
pub(super) const SHORT: f32 = 14.0;
/// What a turn of average length gains over an empty one; up to twice that.
pub(super) const LENGTH: f32 = 0.1;
/// A turn within the time that the question names.
pub(super) const IN_TIME: f32 = 2.0;
/// What happened is told for so many days after it, at least and at most; between them, as long as it lasted.
pub(super) const TOLD_FOR_DAYS: (i64, i64) = (7, 14);

/// So many turns are ranked with what is around them.
pub(super) const TURNS_RANKED: usize = 800;
/// So many of each arm are fused.
pub(super) const FUSED: usize = 200;
/// So many observations are looked at with their words.
pub(super) const READ: usize = 60;

/// What the ranks of each arm count for beside those of [`Arm::Words`](super::Arm::Words), which count for 1.
pub(super) const GRAPH_WEIGHT: f64 = 0.2;
pub(super) const TIME_WEIGHT: f64 = 0.2;
pub(super) const LITERAL_WEIGHT: f64 = 1.5;

pub(super) const FACT_WORDS_WEIGHT: f64 = 1.0;

/// What a term of a passage that was found by words counts for as a seed, beside a name in the question.
pub(super) const PASSAGE_SEED: f64 = 0.1;
/// So many passages give such seeds.
pub(super) const PASSAGES_AS_SEEDS: usize = 5;

/// Entities with more facts than this are reached and not walked through, seeds excepted.
pub(super) const HUB_LIMIT: usize = 500;
/// So many facts of one term are looked at; of a term with more, those for relations that the question names.
pub(super) const FACTS_OF_TERM: usize = 600;
/// So many terms are matched by words.
pub(super) const TERMS_MATCHED: usize = 40;
/// What a fact one hop further counts for.
pub(super) const HOP_DECAY: f64 = 0.5;

/// Two texts that share this much of their tokens are copies.
pub(super) const COPY: f64 = 0.9;
/// Two observations are on one subject where their question words agree this much, and those that both have say this much of all that is
/// asked for.
pub(super) const SUBJECT_QUESTION: f32 = 0.6;
pub(super) const SUBJECT_ASKED: f32 = 0.4;
