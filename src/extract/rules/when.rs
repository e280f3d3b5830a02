//! When a draft holds: from phase, polarity, kind of relation and the times said to a span, once for all languages.
//!
//! The granule that was said is kept: "in 2019" begins some time in 2019. What is said of no time is already so, or over, by the
//! instant of the observation. Days are those of the observation's own offset. Knows no words.

use super::draft::Phase;
use crate::model::{Polarity, RelationKind};
use crate::time::expr::{Context, Grain, Language, Role, TimeMention, Value, parse_one};
use crate::time::{End, Instant, Moment, Span, Start};

/// What is known of a draft when its time is worked out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Said<'a> {
    /// Its place in time but for the times.
    pub(super) phase: Phase,
    /// Whether it is affirmed, ended or denied.
    pub(super) polarity: Polarity,
    /// How its relation lives in time.
    pub(super) kind: RelationKind,
    /// The times it is bound to.
    pub(super) times: &'a [TimeMention],
    /// When it was said, and whose calendar counts.
    pub(super) calendar: &'a Context,
}

/// A draft's place in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Placed {
    /// As drafted, but "not since 2019" is an end.
    pub(super) polarity: Polarity,
    /// When it holds.
    pub(super) span: Span,
    /// The observation's instant, where it was said to be so then.
    pub(super) seen_at: Option<Instant>,
}

/// The times of a clause, sorted by how they bear on it; of each sort the first one said counts.
#[derive(Clone, Copy, Debug, Default)]
struct Bearing {
    at: Option<Moment>,
    since: Option<Moment>,
    until: Option<End>,
    between: Option<(Start, End)>,
    lasting: Option<Moment>,
    already: Option<Instant>,
}

impl Bearing {
    fn of(said: &Said<'_>) -> Self {
        let mut bearing = Self::default();
        for time in said.times {
            match (whole_days(time, said.calendar), time.role) {
                (Value::Moment(moment), Role::Until) => fill(&mut bearing.until, End::At(moment)),
                (Value::Moment(moment), Role::Since) => fill(&mut bearing.since, moment),
                // "last week, on Monday": the finer of two that name the same.
                (Value::Moment(moment), _) => match bearing.at {
                    Some(wide) if wide.lo() <= moment.lo() && moment.hi() <= wide.hi() => bearing.at = Some(moment),
                    _ => fill(&mut bearing.at, moment),
                },
                (Value::Span(_), Role::Since | Role::After) => {
                    if let Some(anchor) = time.anchor {
                        let day = || Moment::day_of(anchor.lo(), &said.calendar.zone);
                        fill(&mut bearing.since, if is_now(anchor, time.role, said.calendar) { day() } else { anchor });
                    }
                }
                (Value::Span(span), Role::Until | Role::Before) => {
                    fill(&mut bearing.until, time.anchor.map_or(span.end(), End::At));
                }
                (Value::Span(span), Role::By) => {
                    if let Some(anchor) = time.anchor {
                        fill(&mut bearing.already, anchor.hi());
                        fill(&mut bearing.until, End::By(anchor.hi()));
                    } else {
                        fill(&mut bearing.until, span.end());
                    }
                }
                // "for the past two years" of what goes on: it began then.
                (Value::Span(span), Role::At | Role::During)
                    if said.phase == Phase::Now && said.kind == RelationKind::State && up_to_now(span, said.calendar) =>
                {
                    match begun_before(span, time.grain, said.calendar) {
                        Some(begin) => fill(&mut bearing.lasting, begin),
                        None => fill(&mut bearing.between, (span.start(), span.end())),
                    }
                }
                (Value::Span(span), _) => fill(&mut bearing.between, (span.start(), span.end())),
                (Value::Duration(_), _) => {
                    if let Some(begin) = counted_back(time, said.calendar) {
                        fill(&mut bearing.lasting, begin);
                    }
                }
                (Value::Set(_), _) => {}
            }
        }
        bearing
    }

    /// The one moment that the clause is about, as a beginning or as an end.
    fn moment(&self) -> Option<Moment> {
        let begin = self.between.and_then(|(start, _)| match start {
            Start::At(moment) => Some(moment),
            Start::By(_) | Start::Unknown | Start::Always => None,
        });
        self.at.or(self.since).or(begin)
    }

    /// A stretch with both ends, however it was said.
    fn stretch(&self) -> Option<(Start, End)> {
        let until = self.until.filter(|end| matches!(end, End::At(_)));
        self.between.or_else(|| Some((Start::At(self.since.or(self.at)?), until?)))
    }
}

/// The value of a time, a part of a day as that day: a claim is not so fine.
fn whole_days(time: &TimeMention, calendar: &Context) -> Value {
    match time.value {
        Value::Moment(moment) if time.grain == Grain::DayPart || is_now(moment, time.role, calendar) => {
            Value::Moment(Moment::day_of(moment.lo(), &calendar.zone))
        }
        value @ (Value::Moment(_) | Value::Span(_) | Value::Duration(_) | Value::Set(_)) => value,
    }
}

/// Whether a beginning is the moment of the observation: "from now on".
fn is_now(moment: Moment, role: Role, calendar: &Context) -> bool {
    role == Role::Since
        && moment.lo() <= calendar.reference
        && moment.hi() <= calendar.reference.saturating_add(1_000_000)
        && moment.lo() >= calendar.reference.saturating_sub(1_000_000)
}

fn fill<T>(place: &mut Option<T>, value: T) {
    if place.is_none() {
        *place = Some(value);
    }
}

/// When what lasts "for two years" began: counted back from the observation, as wide as the unit said.
#[expect(clippy::wildcard_enum_match_arm, reason = "the duration says how long; the grain only how widely it was said")]
fn counted_back(time: &TimeMention, calendar: &Context) -> Option<Moment> {
    let Value::Duration(duration) = time.value else { return None };
    let (count, unit) = match time.grain {
        Grain::Year if duration.months % 12 == 0 && duration.days == 0 => (duration.months / 12, "years"),
        _ if duration.months > 0 && duration.days == 0 => (duration.months, "months"),
        Grain::Week if duration.days % 7 == 0 && duration.months == 0 => (duration.days / 7, "weeks"),
        _ if duration.days > 0 && duration.months == 0 => (duration.days, "days"),
        _ if duration.micros > 0 && duration.days == 0 && duration.months == 0 => {
            let minutes = duration.micros / 60_000_000;
            if minutes % 60 == 0 { (minutes / 60, "hours") } else { (minutes, "minutes") }
        }
        _ => return None,
    };
    if count <= 0 {
        return None;
    }
    let ago = parse_one(&format!("{count} {unit} ago"), &calendar.in_language(Language::English))?;
    match ago.value {
        Value::Moment(moment) => Some(moment),
        Value::Span(_) | Value::Duration(_) | Value::Set(_) => None,
    }
}

/// Whether a stretch ends on the day of the observation.
fn up_to_now(span: Span, calendar: &Context) -> bool {
    let today = Moment::day_of(calendar.reference, &calendar.zone);
    matches!(span.end(), End::At(moment) if today.lo() <= moment.lo() && moment.lo() <= today.hi())
}

/// When a stretch that ends with the observation began, as wide as the unit it was counted in.
#[expect(clippy::wildcard_enum_match_arm, reason = "only what lasts is counted in these units")]
fn begun_before(span: Span, grain: Grain, calendar: &Context) -> Option<Moment> {
    const HOUR: i64 = 3_600_000_000;
    let Start::At(start) = span.start() else { return None };
    let hours = calendar.reference.micros_since(start.lo()) / HOUR;
    let (length, unit) = match grain {
        Grain::Year => (8_766, "years"),
        Grain::Month => (730, "months"),
        Grain::Week => (168, "weeks"),
        Grain::Day => (24, "days"),
        _ => return None,
    };
    let count = (hours + length / 2) / length;
    let ago = parse_one(&format!("{count} {unit} ago"), &calendar.in_language(Language::English)).filter(|_| count >= 1)?;
    match ago.value {
        Value::Moment(moment) => Some(moment),
        Value::Span(_) | Value::Duration(_) | Value::Set(_) => None,
    }
}

/// Places a draft in time.
///
/// # Errors
/// In words, where the times contradict each other, or where what is announced has no time.
pub(super) fn place(said: &Said<'_>) -> Result<Placed, String> {
    let bearing = Bearing::of(said);
    let now = said.calendar.reference;
    let (polarity, start, end) = match said.polarity {
        Polarity::Holds => {
            let (start, end) = match said.kind {
                RelationKind::Event => event(said.phase, &bearing, now)?,
                RelationKind::Permanent => permanent(said.phase, &bearing, now),
                RelationKind::State => state(said.phase, &bearing, now)?,
            };
            (Polarity::Holds, start, end)
        }
        Polarity::Ends => (Polarity::Ends, Start::Unknown, ending(&bearing, now)),
        Polarity::Never => denied(said, &bearing, now),
    };
    let span = Span::new(start, end).map_err(|error| error.to_string())?;
    // What is to begin is not so yet, and what had an end before the observation no longer is.
    let open_now = start.lo() <= now && end.hi() >= now;
    let seen = said.phase == Phase::Now && polarity == Polarity::Holds && said.kind != RelationKind::Event && open_now;
    Ok(Placed { polarity, span, seen_at: seen.then_some(now) })
}

fn event(phase: Phase, bearing: &Bearing, now: Instant) -> Result<(Start, End), String> {
    if let Some((start, end)) = bearing.between {
        return Ok((start, end));
    }
    if let Some(moment) = bearing.at {
        return Ok((Start::At(moment), End::At(moment)));
    }
    if phase == Phase::Ahead {
        return Err("what is to come has no time".to_owned());
    }
    // "I have been there since Monday": the stay has begun and not ended; "until Monday": it ended then.
    Ok(match (bearing.since, bearing.until) {
        (Some(since), until) => (Start::At(since), until.unwrap_or(End::Open)),
        (None, Some(until)) => (Start::Unknown, until),
        (None, None) => (Start::By(now), End::By(now)),
    })
}

fn permanent(phase: Phase, bearing: &Bearing, now: Instant) -> (Start, End) {
    let start = match (bearing.moment(), phase) {
        (Some(moment), Phase::SoFar) => Start::By(moment.hi()),
        (Some(moment), _) => Start::At(moment),
        (None, _) => Start::By(now),
    };
    (start, End::Open)
}

fn state(phase: Phase, bearing: &Bearing, now: Instant) -> Result<(Start, End), String> {
    let until = bearing.until.unwrap_or(End::Open);
    Ok(match phase {
        Phase::Now => {
            if let Some(stretch) = bearing.stretch() {
                return Ok(stretch);
            }
            let start = match (bearing.since.or(bearing.lasting), bearing.at) {
                (Some(since), _) => Start::At(since),
                // "this year", "today": it is so in there, and was before for all that is said.
                (None, Some(at)) if at.lo() > now => Start::At(at),
                (None, Some(at)) if at.hi() < now => Start::By(at.hi()),
                (None, _) => Start::By(now),
            };
            (start, until)
        }
        Phase::Past | Phase::UsedTo => {
            if let Some(stretch) = bearing.stretch() {
                return Ok(stretch);
            }
            match (bearing.at, bearing.until, bearing.since) {
                (Some(at), None, _) => (Start::At(at), End::At(at)),
                (_, Some(until), _) => (Start::Unknown, until),
                (None, None, Some(since)) => (Start::At(since), End::By(now)),
                (None, None, None) => (Start::Unknown, End::By(now)),
            }
        }
        Phase::Began | Phase::Happened => match bearing.moment().or(bearing.lasting) {
            Some(moment) => (Start::At(moment), bearing.between.map_or(until, |(_, end)| end)),
            None => (Start::By(now), until),
        },
        Phase::Over => (Start::Unknown, ending(bearing, now)),
        Phase::Ahead => match (bearing.moment(), bearing.until) {
            (Some(moment), _) => (Start::At(moment), bearing.between.map_or(until, |(_, end)| end)),
            (None, Some(until)) => (Start::By(now), until),
            (None, None) => return Err("what is announced has no time".to_owned()),
        },
        Phase::SoFar => match (bearing.since.or(bearing.lasting), bearing.at, bearing.already) {
            (Some(since), ..) => (Start::At(since), until),
            (None, Some(at), _) => (Start::By(at.hi()), End::Open),
            (None, None, Some(already)) => (Start::By(already), End::Open),
            (None, None, None) => (Start::By(now), until),
        },
    })
}

/// The end of what is over.
fn ending(bearing: &Bearing, now: Instant) -> End {
    let between = bearing.between.map(|(_, end)| end);
    bearing.at.map(End::At).or(bearing.until).or(between).or(bearing.since.map(End::At)).unwrap_or(End::By(now))
}

/// What is denied, and where: at the time said, ever so far, or from now on. "Not since 2019" is an end.
fn denied(said: &Said<'_>, bearing: &Bearing, now: Instant) -> (Polarity, Start, End) {
    let never = |start, end| (Polarity::Never, start, end);
    if let Some((start, end)) = bearing.between {
        return never(start, end);
    }
    if let Some(since) = bearing.since.filter(|_| said.kind == RelationKind::State && said.phase != Phase::Ahead) {
        return (Polarity::Ends, Start::Unknown, End::At(since));
    }
    if let Some(at) = bearing.at.filter(|at| said.phase != Phase::Now || at.hi() < now || at.lo() > now) {
        return never(Start::At(at), End::At(at));
    }
    match said.phase {
        Phase::Now | Phase::Ahead => never(Start::By(now), bearing.until.unwrap_or(End::Open)),
        Phase::Past | Phase::UsedTo | Phase::Began | Phase::Over | Phase::Happened | Phase::SoFar => {
            never(Start::Unknown, bearing.until.unwrap_or(End::By(now)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::Zone;
    use crate::time::expr::find;
    use Phase::{Ahead, Began, Happened, Now, Over, Past, SoFar, UsedTo};
    use Polarity::{Ends, Holds, Never};
    use RelationKind::{Event, Permanent, State};

    /// Said on Monday 2024-03-04 at half past eleven at night in Madrid's winter.
    fn calendar() -> Context {
        Context::new(Instant::parse("2024-03-04T23:30:00+01:00").unwrap(), Zone::fixed(60).unwrap()).in_language(Language::English)
    }

    fn check(phase: Phase, polarity: Polarity, kind: RelationKind, times: &str, expect: &str) {
        let calendar = calendar();
        let times = find(times, &calendar);
        let placed = place(&Said { phase, polarity, kind, times: &times, calendar: &calendar });
        let shown = placed.map_or_else(
            |reason| reason,
            |placed| {
                let seen = if placed.seen_at.is_some() { ", seen" } else { "" };
                format!("{:?}: {}{seen}", placed.polarity, placed.span.describe_in(&calendar.zone))
            },
        );
        assert_eq!(shown, expect, "{phase:?} {polarity:?} {kind:?} {times:?}");
    }

    const AT: &str = "2024-03-04T23:30:00+01:00";

    #[test]
    fn states_follow_the_table_of_conventions() {
        check(Now, Holds, State, "", &format!("Holds: since before {AT}, seen"));
        check(Now, Holds, State, "since 2019", "Holds: since 2019, seen");
        check(Now, Holds, State, "for two years", "Holds: since 2022, seen");
        check(Now, Holds, State, "for three months", "Holds: since 2023-12, seen");
        check(Now, Holds, State, "until June 2025", &format!("Holds: since before {AT} until 2025-06, seen"));
        check(Now, Holds, State, "from 1 May on", "Holds: since 2024-05-01");
        check(Now, Holds, State, "today", &format!("Holds: since before {AT}, seen"));
        check(SoFar, Holds, State, "in 2017", "Holds: since before 2018");
        check(Past, Holds, State, "from 2011 to 2016", "Holds: from 2011 until 2016");
        check(Past, Holds, State, "in 2015", "Holds: in 2015");
        check(Past, Holds, State, "until 2019", "Holds: until 2019");
        check(Past, Holds, State, "", &format!("Holds: over by {AT}"));
        check(UsedTo, Holds, State, "", &format!("Holds: over by {AT}"));
        check(Began, Holds, State, "in 2018", "Holds: since 2018");
        check(Began, Holds, State, "", &format!("Holds: since before {AT}"));
        check(Over, Ends, State, "in July 2023", "Ends: until 2023-07");
        check(Over, Ends, State, "", &format!("Ends: over by {AT}"));
        check(Ahead, Holds, State, "on 8 June", "Holds: since 2024-06-08");
        check(Ahead, Holds, State, "", "what is announced has no time");
    }

    #[test]
    fn denials_are_of_now_of_ever_or_of_a_time_and_not_since_is_an_end() {
        check(Now, Never, State, "", &format!("Never: since before {AT}"));
        check(SoFar, Never, Event, "", &format!("Never: over by {AT}"));
        check(Past, Never, State, "in 2021", "Never: in 2021");
        check(Happened, Never, Event, "in 2021", "Never: in 2021");
        check(SoFar, Never, State, "since 2019", "Ends: until 2019");
    }

    #[test]
    fn events_have_their_moment_and_what_is_permanent_its_beginning() {
        check(Happened, Holds, Event, "yesterday", "Holds: on 2024-03-03");
        check(Happened, Holds, Event, "three days ago", "Holds: on 2024-03-01");
        check(Happened, Holds, Event, "", &format!("Holds: since before {AT}, over by {AT}"));
        check(Happened, Holds, Event, "from 2 to 5 January 2024", "Holds: from 2024-01-02 until 2024-01-05");
        check(Ahead, Holds, Event, "tomorrow at 10:30", "Holds: at 2024-03-05T10:30+01:00");
        check(Ahead, Holds, Event, "", "what is to come has no time");
        check(Past, Holds, Permanent, "in 1990", "Holds: since 1990");
        check(Past, Holds, Permanent, "", &format!("Holds: since before {AT}"));
        check(Now, Holds, Permanent, "", &format!("Holds: since before {AT}, seen"));
    }

    #[test]
    fn times_that_contradict_each_other_are_refused() {
        let calendar = calendar();
        let times = find("since 2019, until 2011", &calendar);
        let said = Said { phase: Past, polarity: Holds, kind: State, times: &times, calendar: &calendar };
        let reason = place(&said).unwrap_err();
        assert!(reason.contains("lies before the start"), "{reason}");
    }
}
