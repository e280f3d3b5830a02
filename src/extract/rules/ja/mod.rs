//! Japanese: not read yet.

use super::draft::{Reading, Setting};

/// Nothing.
pub(super) fn read(_: &str, _: &Setting<'_>) -> Reading {
    Reading::default()
}
