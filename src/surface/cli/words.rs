//! Facts in words: how the terminal says values, intervals, flags and ids. Knows nothing of commands.

use super::fail::Failure;
use super::output::{Paint, Screen, clean, count, shorten};
use crate::graph::{Held, View};
use crate::memory::Tenant;
use crate::model::{ClaimId, Fact, Literal, ObservationId, Term, vocab};
use crate::time::{AsOf, Certainty, End, Instant, KnownAt, Moment, Start, Zone, ZonedInstant};
use std::collections::{BTreeMap, BTreeSet};

/// The fewest digits of an id that are shown.
const DIGITS: usize = 8;
/// No value is shown wider than this in a table.
const VALUE_COLUMNS: usize = 48;

/// Says what a tenant's facts are called: short ids that are unique there, and the values behind ids.
pub(super) struct Names<'a> {
    tenant: &'a Tenant,
    view: &'a View,
    /// The zone whose calendar names times.
    pub(super) zone: Zone,
    ids: BTreeMap<ObservationId, String>,
    said: BTreeMap<ClaimId, Option<(Term, String, Term)>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(tenant: &'a Tenant, view: &'a View, zone: Zone) -> Self {
        Self { tenant, view, zone, ids: BTreeMap::new(), said: BTreeMap::new() }
    }

    /// Looks up the short forms of the ids of many facts at once, which is cheaper than one after the other.
    pub(super) fn know<'f>(&mut self, facts: impl IntoIterator<Item = &'f Fact>) {
        let ids: BTreeSet<ObservationId> = facts.into_iter().map(|fact| fact.id.0.observation).collect();
        let ids: Vec<ObservationId> = ids.into_iter().filter(|id| !self.ids.contains_key(id)).collect();
        if let Ok(short) = self.tenant.short_ids(&ids, DIGITS) {
            self.ids.extend(ids.into_iter().zip(short));
        }
    }

    /// Now, by the clock of the memory.
    pub(super) fn now(&self) -> Instant {
        self.tenant.now().valid_at.lo()
    }

    /// The shortest form of an observation's id that names it alone.
    pub(super) fn observation(&mut self, id: ObservationId) -> String {
        let tenant = self.tenant;
        self.ids.entry(id).or_insert_with(|| short_observation(tenant, id)).clone()
    }

    /// The shortest form of a claim's id that names it alone.
    pub(super) fn claim(&mut self, id: ClaimId) -> String {
        format!("{}.{}", self.observation(id.observation), id.ordinal)
    }

    /// Head, relation and tail of the fact that a claim supports, as far as the view knows.
    fn said(&mut self, claim: ClaimId) -> Option<(Term, String, Term)> {
        let view = self.view;
        self.said.entry(claim).or_insert_with(|| view.said(claim)).clone()
    }

    /// What sets another fact apart from `fact`, whichever way round the two are told: an end that `fact` has not, else its relation.
    pub(super) fn other(&mut self, fact: &Fact, other: ClaimId) -> String {
        let shares = |term: &Term| *term == fact.head || *term == fact.tail;
        match self.said(other) {
            Some((head, ..)) if !shares(&head) => value(&head),
            Some((_, relation, tail)) if !shares(&tail) || relation == fact.relation => value(&tail),
            Some((_, relation, tail)) => format!("{relation} {}", value(&tail)),
            None => self.claim(other),
        }
    }

    /// The flags of a fact, in words.
    pub(super) fn flags(&mut self, fact: &Fact) -> String {
        let mut flags = Vec::new();
        if fact.status.contested {
            let mut rivals: Vec<String> = Vec::new();
            for rival in &fact.status.rivals {
                let name = self.other(fact, rival.0);
                if !rivals.contains(&name) {
                    rivals.push(name);
                }
            }
            let more = rivals.len().saturating_sub(3);
            rivals.truncate(3);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            flags.push(if rivals.is_empty() { "contested".to_owned() } else { format!("contested with {}{more}", rivals.join(", ")) });
        }
        if let Some(from) = fact.status.challenged_from {
            flags.push(format!("challenged by a weaker source from {}", short_instant(from)));
        }
        if !fact.status.hidden.is_empty() {
            let stretches: Vec<String> =
                fact.status.hidden.iter().map(|(from, to)| format!("{} to {}", short_instant(*from), short_instant(*to))).collect();
            flags.push(format!("hidden {}", stretches.join(", ")));
        }
        if let Some(closer) = fact.status.closed_by {
            flags.push(format!("closed by {}", self.other(fact, closer)));
        }
        if let Some(context) = &fact.context {
            flags.push(format!("in {}", clean(context)));
        }
        flags.join("; ")
    }
}

/// The shortest form of an observation's id that names it alone, at least [`DIGITS`] digits.
pub(super) fn short_observation(tenant: &Tenant, id: ObservationId) -> String {
    tenant.short_ids(&[id], DIGITS).ok().and_then(|mut short| short.pop()).unwrap_or_else(|| id.to_string())
}

/// What a relation is called from its tail: "is employer of", "is `child_of`" of one that ends so itself.
pub(super) fn from_tail(relation: &str) -> String {
    let relation = clean(relation);
    if relation.ends_with("_of") || relation.ends_with(" of") { format!("is {relation}") } else { format!("is {relation} of") }
}

/// A term for people, in the form in which it can be given back.
pub(super) fn value(term: &Term) -> String {
    shorten(&written(term), VALUE_COLUMNS)
}

/// A term as it is given on the command line: a datatype of XML Schema by its short name.
fn written(term: &Term) -> String {
    let text = clean(&term.to_string());
    if let Term::Literal(Literal { datatype: Some(datatype), .. }) = term
        && let Some(name) = datatype.strip_prefix(vocab::XSD)
        && let Some(quoted) = text.strip_suffix(&format!("<{datatype}>"))
    {
        return format!("{quoted}xsd:{name}");
    }
    text
}

/// When it began ("in 2019", "by 2021-05") and when it ended ("until 2022-02-01"); the second is empty while it is open.
pub(super) fn interval(fact: &Fact, zone: Zone) -> (String, String) {
    let from = match fact.start {
        Start::At(moment) => unnamed(moment, zone),
        Start::By(_) | Start::Unknown | Start::Always => None,
    };
    let to = match fact.end {
        End::Open => Some(String::new()),
        End::At(moment) => unnamed(moment, zone).map(|between| format!("until {between}")),
        End::By(_) => None,
    };
    (from.unwrap_or_else(|| fact.start.describe_in(&zone)), to.unwrap_or_else(|| fact.end.describe_in(&zone)))
}

/// "between … and …" for a moment that no calendar unit names.
fn unnamed(moment: Moment, zone: Zone) -> Option<String> {
    let named = !moment.display_in(&zone).to_string().starts_with('[');
    if named {
        return None;
    }
    let [lo, hi] = [moment.lo(), moment.hi()].map(|bound| short_moment(Moment::exact(bound), zone));
    Some(format!("between {lo} and {hi}"))
}

/// An instant: a midnight is not a date, and so is never written as one.
pub(super) fn short_instant(at: Instant) -> String {
    if at == Instant::DISTANT_PAST {
        return "the beginning".to_owned();
    }
    if at == Instant::DISTANT_FUTURE {
        return "further notice".to_owned();
    }
    at.to_string()
}

/// When something was said: with its own offset, and as a date where no more than the date was given (that is, its last instant).
pub(super) fn said_at(said: ZonedInstant) -> String {
    let day = Moment::day_of(said.at, &said.zone());
    if day.hi().saturating_sub(1) == said.at { day.display_in(&said.zone()).to_string() } else { said.to_string() }
}

/// A moment as short as it can be said, as the zone names it.
pub(super) fn short_moment(moment: Moment, zone: Zone) -> String {
    if moment.is_exact() && zone == Zone::UTC { short_instant(moment.lo()) } else { moment.display_in(&zone).to_string() }
}

/// "certain" or "possible", with its colour.
pub(super) fn certainty(held: &Held) -> (Paint, String) {
    let paint = match held.certainty {
        Certainty::Certain => Paint::Good,
        Certainty::Possible => Paint::Dim,
    };
    (paint, crate::surface::transfer::certainty(held.certainty).to_owned())
}

/// How a fact stands at a moment of valid time: "certain", "possible", "hidden" where it is overruled or denied there; `None` where it
/// does not hold.
pub(super) fn standing(fact: &Fact, valid_at: Moment) -> Option<&'static str> {
    let certainty = crate::time::certainty(fact.start, fact.end, valid_at)?;
    let (first, last) = (valid_at.lo(), valid_at.hi());
    let hidden = fact.status.hidden.iter().any(|(from, to)| *from <= first && first < *to && last <= *to);
    Some(if hidden { "hidden" } else { crate::surface::transfer::certainty(certainty) })
}

/// Where a view reads, in words: "at 2019, as believed at …"; and that nothing can be known yet of a belief to come.
pub(super) fn position(as_of: AsOf, zone: Zone, now: Instant) -> String {
    let valid_at = if as_of.valid_at.is_exact() { Moment::exact(whole_second(as_of.valid_at.lo())) } else { as_of.valid_at };
    let valid = format!("at {}", short_moment(valid_at, zone));
    match as_of.known_at {
        KnownAt::Latest => valid,
        KnownAt::At(at) => {
            let known = short_moment(Moment::exact(whole_second(at)), zone);
            let to_come = if at > now { " (still to come: all that is known now)" } else { "" };
            format!("{valid}, as believed at {known}{to_come}")
        }
    }
}

fn whole_second(at: Instant) -> Instant {
    Instant::from_micros(at.micros() - at.micros().rem_euclid(1_000_000))
}

/// An interval in one piece.
pub(super) fn dates(fact: &Fact, zone: Zone) -> String {
    let (from, to) = interval(fact, zone);
    if to.is_empty() { from } else { format!("{from}, {to}") }
}

/// What was left out of an answer, and how to see it.
pub(super) fn suppressed(screen: &mut Screen<'_>, number: u64, command: &str) -> Result<(), Failure> {
    if number > 0 {
        let text = format!(
            "{} not shown (past, to come, or hidden): {command}",
            count(number, "more fact is known and", "more facts are known and")
        );
        screen.pieces(&[(Paint::Dim, &text)])?;
    }
    Ok(())
}

/// A term as one would type it in a shell.
pub(super) fn typed(term: &Term) -> String {
    quoted(&written(term))
}

/// A word as one would type it in a shell.
pub(super) fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '@' | '+' | ','));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_as_a_command_can_be_typed() {
        assert_eq!(["Oslo", "Ana Lopes", "O'Hara", "<urn:x>", ""].map(quoted), ["Oslo", "'Ana Lopes'", "'O'\\''Hara'", "'<urn:x>'", "''"]);
    }
}
