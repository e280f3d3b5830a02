//! The arm of words over what was said: BM25 with the turns around, the session, who speaks and when.
//!
//! Owns the score of a turn. Knows no fact.

use super::asked::Asked;
use super::tuning::{
    AFTER, AROUND, BEFORE, COVERED, HANGS_UP_TO, IN_TIME, LENGTH, NAMED_SPEAKER, OTHER_SPEAKER, QUESTION_BEFORE, SESSION, SHORT,
    SHORT_QUESTION, TOLD_FOR_DAYS, TURNS, TURNS_RANKED, TWO_AFTER, TWO_BEFORE,
};
use crate::text::{Corpus, Document, Matches};
use crate::time::Instant;
use rustc_hash::FxHashMap;

const DAY: i64 = 86_400_000_000;

/// A turn that was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) document: u32,
    pub(super) score: f32,
    /// The question's words that it has itself.
    pub(super) words: u64,
    /// Those that it or one of the two turns around it on either side has.
    pub(super) around: u64,
    /// Whether it was said within a time that the question names.
    pub(super) is_in_time: bool,
}

/// The turns found, the best first; of equals the one that came in first.
///
/// # Complexity
/// That of the search, and O(n log n) in the 800 best turns.
pub(super) fn rank(asked: &Asked, corpus: &Corpus, admits: &dyn Fn(u32) -> bool) -> Vec<Turn> {
    let matches = corpus.index().search(&asked.sought(), TURNS, TURNS_RANKED, admits);
    let best = best(&matches);
    let sessions = sessions(&best, &matches, corpus);
    let mut candidates: Vec<u32> = best.clone();
    for document in &best {
        let near = [corpus.before(*document), corpus.after(*document)];
        let further = [near[0].and_then(|one| corpus.before(one)), near[1].and_then(|one| corpus.after(one))];
        candidates.extend(near.into_iter().chain(further).flatten().filter(|document| admits(*document)));
    }
    candidates.sort_unstable();
    candidates.dedup();
    let mut turns: Vec<Turn> = candidates
        .into_iter()
        .filter_map(|document| turn(document, asked, corpus, &matches, &sessions))
        .filter(|turn| turn.score > 0.0)
        .collect();
    turns.sort_by(|left, right| right.score.total_cmp(&left.score).then(left.document.cmp(&right.document)));
    turns
}

/// The turns with the best scores of their own, in no order.
fn best(matches: &Matches) -> Vec<u32> {
    let mut found = matches.found.clone();
    if found.len() > TURNS_RANKED {
        found.select_nth_unstable_by(TURNS_RANKED - 1, |left, right| {
            matches.score(*right).total_cmp(&matches.score(*left)).then(left.cmp(right))
        });
        found.truncate(TURNS_RANKED);
    }
    found
}

/// For each session the mean of its three best turns.
fn sessions(best: &[u32], matches: &Matches, corpus: &Corpus) -> FxHashMap<u32, f32> {
    let mut top: FxHashMap<u32, [f32; 3]> = FxHashMap::default();
    for document in best {
        let Some(session) = corpus.document(*document).map(|document| document.session) else { continue };
        let three = top.entry(session).or_default();
        let mut score = matches.score(*document);
        for kept in three.iter_mut() {
            if score > *kept {
                std::mem::swap(&mut score, kept);
            }
        }
    }
    top.into_iter().map(|(session, three)| (session, three.iter().sum::<f32>() / 3.0)).collect()
}

fn turn(number: u32, asked: &Asked, corpus: &Corpus, matches: &Matches, sessions: &FxHashMap<u32, f32>) -> Option<Turn> {
    let document = corpus.document(number).filter(|document| !document.is_gone)?;
    let (before, after) = (corpus.before(number), corpus.after(number));
    let (two_before, two_after) = (before.and_then(|one| corpus.before(one)), after.and_then(|one| corpus.after(one)));
    let of = |turn: Option<u32>, weight: f32| turn.map_or(0.0, |turn| weight * matches.score(turn));
    // An answer is somebody else's, and follows at once.
    let asks_before =
        before.and_then(|turn| corpus.document(turn)).is_some_and(|turn| turn.is_question && turn.speaker != document.speaker);
    let (length, average) = corpus.index().length(number);
    // A long text speaks for itself.
    let hangs = (HANGS_UP_TO / length.max(1.0)).min(1.0);
    let words = matches.words(number);
    let around = [before, after, two_before, two_after].into_iter().flatten().fold(words, |bits, turn| bits | matches.words(turn));
    let near = of(before, if asks_before { QUESTION_BEFORE } else { BEFORE })
        + of(after, AFTER)
        + of(two_before, TWO_BEFORE)
        + of(two_after, TWO_AFTER)
        + AROUND * asked.says(around);
    let mut score = matches.score(number)
        + hangs * near
        + COVERED * asked.says(words)
        + SESSION * sessions.get(&document.session).copied().unwrap_or_default();
    if !asked.speakers.is_empty()
        && let Some(speaker) = document.speaker
    {
        score *= if asked.speakers.contains(&speaker) { NAMED_SPEAKER } else { OTHER_SPEAKER };
    }
    if document.is_question && length < SHORT {
        score *= SHORT_QUESTION;
    }
    score *= 1.0 + LENGTH * (length / average).min(2.0);
    let is_in_time = asked.windows.iter().any(|window| is_told_in(document, *window));
    if is_in_time {
        score *= IN_TIME;
    }
    Some(Turn { document: number, score, words, around, is_in_time })
}

/// Whether a turn was said within a time, or not long after it.
fn is_told_in(document: &Document, (from, until): (Option<Instant>, Option<Instant>)) -> bool {
    let at = document.observed_at;
    let long = match (from, until) {
        (Some(from), Some(until)) => until.micros_since(from),
        (Some(_) | None, None) | (None, Some(_)) => 0,
    };
    let (least, most) = TOLD_FOR_DAYS;
    let told_for = long.clamp(least * DAY, most * DAY);
    from.is_none_or(|from| at >= from.saturating_sub(DAY)) && until.is_none_or(|until| at < until.saturating_add(told_for))
}
