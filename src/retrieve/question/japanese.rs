//! Reading Japanese questions. Knows no facts and no calendar.

use super::{Lexicon, NotRead, Question, Setting};
use crate::extract::Rules;

/// Words.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {}

impl Words {
    pub(super) fn read(_rules: &Rules) -> Result<Self, String> {
        Ok(Self {})
    }
}

pub(super) fn read(_text: &str, _lexicon: &Lexicon, _setting: &Setting<'_>) -> Result<Vec<Question>, NotRead> {
    Err(NotRead::NoName(Vec::new()))
}
