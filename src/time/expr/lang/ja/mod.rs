//! Japanese.
use super::parse::In;
use super::{Parse, Rules};
use crate::time::expr::lexicon::Lexicon;
use crate::time::expr::token::Token;
pub(super) fn lexicon() -> Lexicon { Lexicon::default() }
pub(super) fn may_begin(_token: &Token<'_>) -> bool { false }
pub(super) fn leads(_token: &Token<'_>) -> bool { false }
pub(super) fn trails(_token: &Token<'_>) -> bool { false }
pub(super) fn read(_before: &[Token<'_>], _tokens: In<'_>, _rules: Rules) -> Option<Parse> { None }
