//! Which moments the times of a text mean where they stand: years not said, dates to come, lengths that tell since when.
//!
//! Owns no calendar: it chooses among the readings that a time has. Knows no relation's phrasing.

use super::super::draft::Phase;
use super::clause::{Arg, Clause, Predicate};
use super::finding::Finding;
use super::form::{Flags, Link};
use super::inflect::Class;
use super::pack::RelationId;
use super::reader::Reader;
use crate::model::Polarity;
use crate::time::expr::{Context, Role, TimeMention, Value, parse_one};
use crate::time::{Instant, Moment, Start, Zone};

impl Reader<'_> {
    /// Brings the dates of what is to be done into the time to come: "7月1日から働きます" in August is next July.
    pub(super) fn look_ahead(&mut self, clause: &Clause) {
        let form = clause.form();
        let to_come = form.any(Flags::DECIDED.with(Flags::PLANNED)) || !form.any(Flags::PAST.with(Flags::ONGOING).with(Flags::NEGATED));
        let lasting = form.link == Link::Bare || form.link == Link::Of;
        if self.recalling
            || !to_come
            || lasting
            || !matches!(&clause.predicate, Predicate::Verb(readings) if readings.iter().any(|(_, class, _)| !matches!(class, Class::Adjective | Class::Nominal)))
        {
            return;
        }
        let now = self.setting.calendar.reference;
        let items = clause.args.iter().flat_map(|arg| &arg.items).filter(|item| item.is_time());
        let mut places: Vec<usize> = items.flat_map(|item| item.times().collect::<Vec<_>>()).collect();
        // 11日、7月1日付で就任すると発表した: the date of the announcement is over.
        if form.link == Link::Quote && places.len() > 1 {
            places.drain(..places.len() - 1);
        }
        let begins = |value: &Value| match value {
            Value::Moment(moment) => Some(moment.hi()),
            Value::Span(span) => Some(span.start().hi()),
            Value::Duration(_) | Value::Set(_) => None,
        };
        for place in places {
            let Some(time) = self.times.get_mut(place) else { continue };
            if begins(&time.value).is_some_and(|begins| begins < now)
                && let Some(other) = time.alternatives.iter().copied().find(|value| begins(value).is_some_and(|begins| begins > now))
            {
                time.value = other;
                if let Value::Span(span) = other
                    && let Start::At(moment) = span.start()
                {
                    time.anchor = Some(moment);
                }
            }
        }
    }

    /// The lengths of time that a clause says have passed: 七年になる, 三年が経つ, 十年だ.
    pub(super) fn lengths(&self, clause: &Clause) -> Vec<usize> {
        let passes = match &clause.predicate {
            Predicate::Verb(readings) => readings.iter().any(|(word, ..)| {
                self.language.pack.dictionary(*word).is_some_and(|word| matches!(word, "なる" | "経つ" | "たつ" | "過ぎる" | "経過する"))
            }),
            Predicate::Copula(..) => true,
            Predicate::Missing => false,
        };
        let value = if let Predicate::Copula(_, value) = &clause.predicate { Some(value) } else { None };
        let mut items = clause.args.iter().chain(value).flat_map(|arg| &arg.items);
        let all: Vec<usize> = items.clone().filter(|item| item.is_time()).flat_map(|item| item.times().collect::<Vec<_>>()).collect();
        let only = items
            .all(|item| item.is_time() || self.text.get(item.at()).is_some_and(|text| matches!(text, "目" | "もう" | "今年" | "ほど")));
        let lengths = all.iter().all(|time| self.times.get(*time).is_some_and(|time| matches!(time.value, Value::Duration(_))));
        if passes && only && lengths { all } else { Vec::new() }
    }

    /// Reads a time that puts another one right like that one: in its year, where it names none, and as the same bound.
    pub(super) fn put_like(&mut self, time: usize, other: Option<(i32, u8, Role)>) {
        let Some((year, month, role)) = other else { return };
        let yearless = self.is_yearless(time);
        let calendar = self.setting.calendar;
        let Some(place) = self.times.get_mut(time) else { return };
        if place.role == Role::At && matches!(role, Role::Since | Role::Until) {
            place.role = role;
        }
        let said = self.text.get(place.bytes.clone()).unwrap_or_default();
        let whole =
            if is_monthless(said) { Some(format!("{year}年{month}月{said}")) } else { yearless.then(|| format!("{year}年{said}")) };
        if let Some(read) = whole.and_then(|whole| parse_one(&whole, &calendar)) {
            place.value = read.value;
            place.anchor = read.anchor;
        }
    }

    /// Whether a time names a day or month and no year, not even one counted from today: 3月3日.
    pub(super) fn is_yearless(&self, time: usize) -> bool {
        let Some(said) = self.times.get(time).and_then(|time| self.text.get(time.bytes.clone())) else { return false };
        let figures = said.chars().filter(|c| super::script::is_numeral(*c)).count();
        figures > 0
            && figures <= 6
            && said.contains(['月', '/', '／'])
            && !said.contains(['年', '先', '今', '来', '昨', '去', '翌'])
            && !said.split(|c: char| !c.is_numeric()).any(|part| part.chars().count() > 2)
    }

    /// A time with the role that a particle after it gives, of a booking or date to come the reading that is to come.
    pub(super) fn time(&self, place: usize, relation: RelationId) -> Option<TimeMention> {
        let mut time = self.times.get(place)?.clone();
        let after = self.text.get(time.bytes.end..).unwrap_or_default();
        if time.role == Role::At {
            if ["から", "以来", "以降", "より"].iter().any(|word| after.starts_with(word)) {
                time.role = Role::Since;
            } else if after.starts_with("まで") && !after.starts_with("までに") {
                time.role = Role::Until;
            }
        }
        let now = self.setting.calendar.reference;
        let to_come = matches!(self.relation_name(relation), "has_appointment" | "scheduled_for" | "deadline");
        if to_come
            && let Value::Moment(moment) = time.value
            && moment.hi() < now
        {
            let other = time.alternatives.iter().find(|value| matches!(value, Value::Moment(moment) if moment.lo() > now)).copied();
            if let Some(other) = other {
                time.value = other;
            }
        }
        Some(time)
    }

    /// When whoever had a trade died, so that it ended then.
    pub(super) fn death_of(&self, finding: &Finding) -> Option<TimeMention> {
        if !(finding.phase == Phase::Now
            && finding.polarity == Polarity::Holds
            && matches!(self.relation_name(finding.relation), "job_title" | "nationality"))
        {
            return None;
        }
        let died = self.relation("died_on");
        let death = self.found.iter().find(|other| Some(other.relation) == died && other.head == finding.head)?;
        let time = self.times.get(*death.times.first()?)?.clone();
        Some(TimeMention { role: Role::Until, ..time })
    }
}

/// Whether a date names a day and no month: 5日, 二十日.
pub(super) fn is_monthless(said: &str) -> bool {
    said.strip_suffix('日').is_some_and(|day| !day.is_empty() && day.chars().count() <= 3 && day.chars().all(super::script::is_numeral))
}

/// The times of a text, one that goes from one date to another parted where something is moved from the one to the other: "月曜から水曜に変更".
pub(super) fn parted(text: &str, times: &[TimeMention], calendar: &Context) -> Vec<TimeMention> {
    const MOVES: &[&str] = &[
        "変更",
        "変え",
        "変わ",
        "移",
        "ずら",
        "ずれ",
        "延期",
        "前倒し",
        "繰り上げ",
        "繰り下げ",
        "動か",
        "リスケ",
        "振り替え",
        "替え",
        "修正",
        "訂正",
    ];
    let mut all = Vec::with_capacity(times.len());
    for time in times {
        let said = text.get(time.bytes.clone()).unwrap_or_default();
        let after = text.get(time.bytes.end..).unwrap_or_default();
        let moved = after.strip_prefix('に').or_else(|| after.strip_prefix('へ')).map(|rest| rest.trim_start_matches(['、', '日', '時']));
        let halves = said.split_once("から").filter(|_| moved.is_some_and(|rest| MOVES.iter().any(|word| rest.starts_with(word))));
        let both = halves.and_then(|(from, to)| Some((from, parse_one(from, calendar)?, parse_one(to, calendar)?)));
        let Some((from, first, second)) = both else {
            all.push(time.clone());
            continue;
        };
        let middle = time.bytes.start + from.len();
        all.push(TimeMention { bytes: time.bytes.start..middle, ..first });
        all.push(TimeMention { bytes: middle + "から".len()..time.bytes.end, ..second });
    }
    all
}

/// The year and month that a time lies in, in a zone.
pub(super) fn month_of(time: &TimeMention, zone: Zone) -> Option<(i32, u8)> {
    let from = match time.value {
        Value::Moment(moment) => moment.lo(),
        Value::Span(span) => span.start().lo(),
        Value::Duration(_) | Value::Set(_) => return None,
    };
    let day = Moment::day_of(from, &zone).display_in(&zone).to_string();
    let mut parts = day.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The times of a text, a date without a year brought into the year or season said just before it: "去年の秋、10月に".
pub(super) fn refined(text: &str, times: &[TimeMention], calendar: &Context) -> Vec<TimeMention> {
    const NEAREST: usize = 8;
    let mut times = times.to_vec();
    for place in 1..times.len() {
        let (Some(wide), Some(fine)) = (times.get(place - 1), times.get(place)) else { break };
        let between = text.get(wide.bytes.end..fine.bytes.start).unwrap_or_default();
        let (Value::Moment(outer), Value::Moment(inner)) = (wide.value, fine.value) else { continue };
        let close =
            between.chars().count() <= NEAREST && !between.contains(['は', 'が', 'を', '。', '\n', 'ら']) && !between.contains("まで");
        let within = |moment: &Moment| outer.lo() <= moment.lo() && moment.hi() <= outer.hi();
        let narrower = fine.grain < wide.grain;
        if !close || !narrower || wide.role != Role::At {
            continue;
        }
        let fits = |value: &Value| matches!(value, Value::Moment(moment) if within(moment));
        let said = text.get(fine.bytes.clone()).unwrap_or_default();
        let of_year = |moment: Instant| {
            let year = moment.to_string().split('-').next().unwrap_or_default().to_owned();
            parse_one(&format!("{year}年{said}"), calendar).map(|time| time.value)
        };
        let other = if within(&inner) {
            Some(fine.value)
        } else {
            fine.alternatives.iter().copied().chain(of_year(outer.lo())).chain(of_year(outer.hi())).find(fits)
        };
        if let (Some(value), Some(fine)) = (other, times.get_mut(place)) {
            fine.value = value;
        }
        if let (Some(value), Some(wide)) = (other, times.get_mut(place - 1)) {
            wide.value = value;
        }
    }
    times
}

/// The times that clauses of a chain share: those of its only dated clause.
pub(super) fn chain_times(chain: &[Clause]) -> Vec<usize> {
    if !chain.last().is_some_and(|last| last.form().is(Flags::PAST) && !last.form().is(Flags::ONGOING)) {
        return Vec::new();
    }
    let of = |clause: &Clause| -> Vec<usize> {
        clause
            .args
            .iter()
            .flat_map(|arg: &Arg| arg.items.iter())
            .filter(|item| item.is_time())
            .flat_map(|item| item.times().collect::<Vec<_>>())
            .collect()
    };
    let mut dated = chain.iter().filter(|clause| clause.form().link != Link::Of).map(of).filter(|times| !times.is_empty());
    match (dated.next(), dated.next()) {
        (Some(times), None) => times,
        _ => Vec::new(),
    }
}

/// A date without the particles that belong to its clause.
pub(super) fn trim_date(text: &str) -> &str {
    let mut text = text;
    for end in ["までに", "まで", "から", "より", "付で", "付け", "に", "ごろ", "頃"] {
        text = text.strip_suffix(end).unwrap_or(text);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::reading;
    use crate::model::Authority;
    use crate::time::expr::Value;

    /// When the one claim of a text begins, on 2024-04-16.
    fn begins(text: &str) -> String {
        let read = reading(Authority::User, &[], text);
        let time = read.drafts.first().and_then(|draft| draft.times.first()).unwrap_or_else(|| panic!("{text} has no time"));
        match time.value {
            Value::Moment(moment) => moment.lo().to_string(),
            Value::Span(span) => span.start().lo().to_string(),
            Value::Duration(_) | Value::Set(_) => "no moment".to_owned(),
        }
    }

    #[test]
    fn a_month_is_in_the_year_said_before_it() {
        assert!(begins("去年の夏、8月に小樽へ行った。").starts_with("2023-07-31T15"), "{}", begins("去年の夏、8月に小樽へ行った。"));
    }

    #[test]
    fn what_is_to_be_done_is_to_come() {
        assert!(begins("3月1日から星空運輸で働きます。").starts_with("2025-02-28T15"), "{}", begins("3月1日から星空運輸で働きます。"));
        assert!(
            begins("3月1日から星空運輸で働いています。").starts_with("2024-02-29T15"),
            "{}",
            begins("3月1日から星空運輸で働いています。")
        );
    }

    #[test]
    fn so_many_years_tell_since_when() {
        let read = reading(Authority::User, &[], "星空運輸に勤めて七年になります。");
        assert_eq!(read.drafts.len(), 1, "{:?}", read.drafts);
        assert!(matches!(read.drafts[0].times.first().map(|time| time.value), Some(Value::Duration(_))), "{:?}", read.drafts);
    }
}
