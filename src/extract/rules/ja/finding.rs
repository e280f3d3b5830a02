//! What reading finds and keeps in mind: a claim before it is placed in time, and what was spoken of so far. Knows no sentence.

use super::super::draft::Phase;
use super::pack::RelationId;
use super::phrase::Pending;
use crate::model::Polarity;
use crate::time::expr::Role;
use std::ops::Range;

/// A claim found in a text, before it is placed in time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Finding {
    pub(super) head: String,
    pub(super) relation: RelationId,
    pub(super) tail: String,
    pub(super) polarity: Polarity,
    pub(super) phase: Phase,
    /// Its times, by their places among the text's.
    pub(super) times: Vec<usize>,
    pub(super) at: Range<usize>,
    /// The phrasing that fired.
    pub(super) pattern: String,
    pub(super) corrects: Option<String>,
    /// How sure the phrasing is.
    pub(super) confidence: f64,
    /// Whether it begins on the day it is said: "from now on".
    pub(super) today: bool,
    /// Of a turn before: the year and month of its first time and what that bounds, if it has one; what puts it right bounds the same.
    pub(super) dated: Option<(i32, u8, Role)>,
}

impl Finding {
    pub(super) fn new(head: String, relation: RelationId, tail: String, at: Range<usize>, pattern: String) -> Self {
        Self {
            head,
            relation,
            tail,
            polarity: Polarity::Holds,
            phase: Phase::Now,
            times: Vec::new(),
            at,
            pattern,
            corrects: None,
            confidence: 0.8,
            today: false,
            dated: None,
        }
    }
}

/// What was spoken of so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Spoken {
    /// What the sentences are about.
    pub(super) topic: Option<String>,
    /// Whether that is a thing.
    pub(super) thing: bool,
    /// A role that somebody has who is not named yet, and where it was said.
    pub(super) unnamed: Option<Pending>,
    /// People and things named, the latest last.
    pub(super) people: Vec<String>,
    pub(super) things: Vec<String>,
}
