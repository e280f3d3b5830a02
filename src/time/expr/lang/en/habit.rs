//! Guards of English on what is done again and again, and on weekends of a kind: words beside which no one time is meant.
//! Knows no grammar of times.

use super::guard::is_noun;
use crate::time::expr::lexicon::Atom;
use crate::time::expr::token::Token;

/// What people do again and again, and how often: what a bare "mornings" follows.
pub(super) const HABITS: &[&str] = &[
    "work",
    "works",
    "worked",
    "working",
    "write",
    "writes",
    "wrote",
    "writing",
    "run",
    "runs",
    "ran",
    "running",
    "jog",
    "jogs",
    "walk",
    "walks",
    "walked",
    "train",
    "trains",
    "trained",
    "practice",
    "practise",
    "study",
    "studies",
    "studied",
    "teach",
    "teaches",
    "taught",
    "read",
    "reads",
    "exercise",
    "exercises",
    "meditate",
    "meditates",
    "swim",
    "swims",
    "paint",
    "paints",
    "garden",
    "cook",
    "cooks",
    "free",
    "available",
    "busy",
    "open",
    "closed",
];

/// "a board game weekend", "our reading weekend", "any weekend": one of a kind, or whichever.
pub(super) fn is_some_weekend(before: &[Token<'_>]) -> bool {
    const ANY: &[&str] = &[
        "a", "an", "any", "another", "one", "each", "some", "no", "whole", "entire", "my", "your", "his", "her", "our", "their", "the",
        "ideal", "perfect", "typical",
    ];
    const INDEFINITE: usize = 10;
    let any = |token: Option<&Token<'_>>, most: usize| token.is_some_and(|token| ANY.iter().take(most).any(|word| token.is(word)));
    let (previous, earlier) = (before.last(), before.iter().rev().nth(1));
    let doing = previous.is_some_and(|previous| is_noun(previous) && previous.norm.len() > 4 && previous.norm.ends_with("ing"));
    let compound = previous.is_some_and(is_noun) && (earlier.is_some_and(is_noun) || any(earlier, ANY.len()));
    doing || compound || any(previous, INDEFINITE)
}

/// Whether a weekday goes on a list that "every" began: "every Monday, Wednesday and Friday at 7".
pub(super) fn goes_on_every(before: &[Token<'_>]) -> bool {
    let mut joined = false;
    for (at, token) in before.iter().enumerate().rev() {
        let joins = token.is_mark(',') || token.is_mark('/') || token.is_mark('&') || token.is("and") || token.is("or");
        if joins {
            joined = true;
        } else if joined && token.atoms.iter().any(|atom| matches!(atom, Atom::Weekday(_))) {
            joined = false;
            let every = at.checked_sub(1).and_then(|at| before.get(at));
            if every.is_some_and(|every| every.is("every") || every.is("each")) {
                return true;
            }
        } else {
            return false;
        }
    }
    false
}
