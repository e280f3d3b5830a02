//! Conversations as data sets hold them (the form of the `LoCoMo` set): do all turns go in as chat observations, and come out verbatim?
//!
//! A line is a conversation: `{"id", "turns": [{"id", "session", "date", "speaker", "text"}]}` with dates such as
//! "1:56 pm on 8 May, 2023", read here, as UTC. Every other key of a line is left unread.

use super::source::{Reading, json_lines, malformed, unreadable};
use super::{EvalError, Event};
use crate::memory::{ManualClock, Memory, MemoryOptions, TenantId};
use crate::observe::{Format, ReadOptions};
use crate::time::Instant;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The result, flat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Conversations {
    /// Conversations read.
    pub conversations: u64,
    /// Turns read.
    pub turns: u64,
    /// Observations recorded.
    pub observations: u64,
    /// Turns not taken.
    pub rejected: u64,
    /// Turns that do not come out as they went in.
    pub mismatches: u64,
}

#[derive(Deserialize)]
struct Conversation {
    id: String,
    turns: Vec<Turn>,
}

#[derive(Deserialize)]
struct Turn {
    id: String,
    session: serde_json::Value,
    date: String,
    speaker: String,
    text: String,
}

/// Runs the evaluation on a file (`.gz` is unpacked) with a memory below `scratch`, which is removed again.
///
/// # Errors
/// [`EvalError`] if the file cannot be read, or the memory refuses to work at all.
pub fn run(path: &Path, scratch: &Path, tell: &mut dyn FnMut(Event<'_>)) -> Result<Conversations, EvalError> {
    let conversations = json_lines::<Conversation>(path)?;
    let mut result = Conversations::default();
    let folder = scratch.join("conversations");
    let clock = Arc::new(ManualClock::new(Instant::from_micros(0)));
    let memory = Memory::open_with(&folder, MemoryOptions { clock, memory_budget_bytes: 1 << 30, ..MemoryOptions::default() })?;
    let total = conversations.len() as u64;
    for (line, conversation) in conversations {
        let tenant = memory.tenant(&TenantId::new(&conversation.id)?);
        let mut text = String::new();
        for turn in &conversation.turns {
            let observed_at = spoken_date(&turn.date).ok_or_else(|| malformed(path, line, &format!("cannot read {:?}", turn.date)))?;
            let session = turn.session.to_string();
            let fields = serde_json::json!({
                "observation": turn.id, "role": "user", "speaker": turn.speaker, "text": turn.text, "session": session, "observed_at": observed_at,
            });
            text.push_str(&fields.to_string());
            text.push('\n');
        }
        let options = ReadOptions { format: Format::Chat, ..ReadOptions::default() };
        let reading = Reading::of(path, text.as_bytes(), options)?;
        for rejection in &reading.rejected {
            result.rejected += 1;
            tell(Event::Finding(&format!("{}: turn {}: {}", conversation.id, rejection.line, rejection.reason)));
        }
        let receipt = tenant.remember(reading.incoming.clone())?;
        result.conversations += 1;
        result.turns += conversation.turns.len() as u64;
        result.observations += receipt.observations;
        for incoming in &reading.incoming {
            let turn = usize::try_from(incoming.line).ok().and_then(|line| conversation.turns.get(line.saturating_sub(1)));
            let stored = tenant.observation(incoming.observation.id)?.observation;
            if turn.is_none_or(|turn| stored.text.as_deref() != Some(&turn.text) || stored.speaker.as_deref() != Some(&turn.speaker)) {
                result.mismatches += 1;
                tell(Event::Finding(&format!("{}: turn {} came out otherwise: {:?}", conversation.id, incoming.line, stored.text)));
            }
        }
        tell(Event::Progress { stage: "conversations", done: result.conversations, total });
    }
    fs::remove_dir_all(&folder).map_err(|error| unreadable(&folder, &error))?;
    Ok(result)
}

/// "1:56 pm on 8 May, 2023" as RFC 3339.
pub(super) fn spoken_date(text: &str) -> Option<String> {
    const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let (time, date) = text.trim().split_once(" on ")?;
    let (clock, half) = time.trim().split_once(' ')?;
    let (hour, minute) = clock.split_once(':')?;
    let hour: u32 = hour.parse().ok().filter(|hour| (1..=12).contains(hour))?;
    let hour = hour % 12 + if half.eq_ignore_ascii_case("pm") { 12 } else { 0 };
    let minute: u32 = minute.parse().ok()?;
    let (day_month, year) = date.split_once(',')?;
    let (day, month) = day_month.trim().split_once(' ')?;
    let day: u32 = day.parse().ok()?;
    let month = month.trim().get(..3)?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let year: i32 = year.trim().parse().ok()?;
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00Z"))
}

#[cfg(test)]
mod tests {
    use super::spoken_date;

    #[test]
    fn spoken_dates_are_read_and_others_refused() {
        for (spoken, written) in [
            ("1:56 pm on 8 May, 2023", Some("2023-05-08T13:56:00Z")),
            ("12:05 am on 29 February, 2024", Some("2024-02-29T00:05:00Z")),
            ("12:00 pm on 1 December, 2022", Some("2022-12-01T12:00:00Z")),
            ("13:00 pm on 1 December, 2022", None),
            ("yesterday", None),
        ] {
            assert_eq!(spoken_date(spoken).as_deref(), written, "{spoken:?}");
        }
    }
}
