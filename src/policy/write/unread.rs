//! What of a text is not read, and why: what this memory handed out, and what a page orders its reader to do.
//!
//! Owns how the two are put together. Knows no claim.

use super::{Refusal, WritePolicy, orders, recalled};
use crate::model::Observation;
use std::ops::Range;

/// The stretches that are not read, in bytes, in order and apart, each with its reason; of two that overlap one is left, for the reason of
/// the first.
pub(super) fn unread(observation: &Observation, policy: &WritePolicy) -> Vec<(Range<usize>, Refusal)> {
    let text = observation.text.as_deref().unwrap_or_default();
    let blocks = recalled::blocks(text, &policy.0.recalled).into_iter().map(|range| (range, Refusal::Recalled));
    let orders = if policy.is_page(observation) { orders::orders(text, &policy.0.orders) } else { Vec::new() };
    if orders.is_empty() {
        return blocks.collect();
    }
    let mut all: Vec<(Range<usize>, Refusal)> = blocks.chain(orders.into_iter().map(|range| (range, Refusal::Instruction))).collect();
    all.sort_by_key(|(range, why)| (range.start, *why));
    let mut apart: Vec<(Range<usize>, Refusal)> = Vec::with_capacity(all.len());
    for (range, why) in all {
        match apart.last_mut() {
            Some((last, first)) if range.start < last.end || (range.start == last.end && *first == why) => {
                last.end = last.end.max(range.end);
            }
            _ => apart.push((range, why)),
        }
    }
    apart
}
